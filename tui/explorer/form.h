/*
 * A form over the view, with a text field for each parameter of an operation or addition. It gets every key while it
 * is open.
 *
 * Typed text is never lost: if a form is closed, or its operation fails, the text is kept in a pending operation
 * (pending.h), and the form opens again as it was.
 */
#ifndef STEMMA_FORM_H
#define STEMMA_FORM_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/ops/operation.h"
#include "tui/render/kind_fields.h"
#include "tui/widget/modal.h"
#include "tui/widget/text_edit.h"

#define FORM_LINE_MAX 4096 /* bytes of a row; longer texts need the editor */

struct form_field {
    const char *name, *help;
    const char *const *choices; /* suggested values, ending with NULL; or NULL */
    bool only;                  /* only these values are accepted */
    enum value_type type;
    const char *member; /* key in the detail; NULL if it is not a field of the kind */
    struct text_edit line;
    /* a text that is too long for a row or has line breaks; only an editor changes it */
    char *outside;
    size_t outside_len; /* it may contain any bytes, including NUL */
    char *was;          /* the initial value */
};

/* The purpose of a form. */
enum form_as {
    FORM_EDIT = 0,
    FORM_EDIT_SELECTED, /* of all selected memories; an empty row leaves each unchanged */
    FORM_REPLACE,
    FORM_REVISE, /* from an episode, with a row for each selected memory */
    FORM_CONSOLIDATE,
    FORM_SEED,
    FORM_ADD,
};

struct form {
    struct modal modal;
    enum form_as as;
    struct arena arena;
    const char *title; /* in the arena */
    struct form_field *field;
    size_t count, alloc, selected, top;

    /* The memory or memories that it is about. */
    int64_t node; /* 0 for none */
    enum kind kind;
    const int64_t *nodes; /* in the arena, if there are several */
    size_t node_count;
    int64_t version;           /* the version that was read */
    int64_t now;               /* creation time in ms; durations count from then */
    const struct memory *base; /* the memory as it was read, in the arena; or NULL */

    struct pane pane;
};

struct form *form_new(enum form_as as); /* without rows */
void form_free(struct form *f);         /* NULL is allowed */
/* Adds a row with an initial value. The other strings must outlive the form. */
struct form_field *form_add(struct form *f, const char *name, enum value_type type,
                            const char *value, const char *help);
/* The text of a row. Valid until it changes. */
const char *form_value(const struct form_field *field);
void form_set_value(struct form_field *field, const char *value);
/* As form_set_value, for any bytes, as an editor may leave them. */
void form_set_bytes(struct form_field *field, const char *bytes, size_t len);
size_t form_length(const struct form_field *field);
bool form_changed(const struct form_field *field);
/* Whether any row was changed. */
bool form_touched(const struct form *f);
/* Returns NULL if no row has that name. */
struct form_field *form_find(const struct form *f, const char *name);

/* Opens a form, which it then owns. A form that is already open is put away with its text. */
void form_open(struct app *x, struct form *f);
/* Closes the open form and gives it to the caller; NULL if none is open. */
struct form *form_take_away(struct app *x);

/* ---- forms of operations (memory_form.c) ---- */

/*
 * Makes the form of an operation on a memory (0 for none, or for the selected ones). `kind` is used if no memory is
 * read. `typed` is the initial text of the first row. Returns NULL and sets *e if there is nothing to change.
 */
struct form *form_make(struct app *x, enum form_as as, int64_t node, enum kind kind,
                       const char *typed, struct error *e);
/* Opens such a form, with its earlier text if it was put away; or shows why there is none. */
void form_begin(struct app *x, enum form_as as, int64_t node, enum kind kind, const char *typed);
/* Makes a pending operation of the typed text. It points into the form and must own it. Returns NULL and sets *e and
 * *wrong, the row in error. */
struct pending *form_pending(struct app *x, const struct form *f, size_t *wrong, struct error *e);
/* Reads the memory again: rows that were not edited get the stored values. Returns -1 and sets *e if there is nothing
 * to edit. */
int form_rebase(struct app *x, struct form *f, struct error *e);

/* The keys of a form for `?` (help); ends with NULL. */
extern const struct bar_word form_keys[];

/*
 * Runs the person's editor on a text: $VISUAL, else $EDITOR, else vi. The editor has the terminal until it ends.
 *
 * The text is in a private file in a directory of its own. Both are removed afterwards, with any files that the
 * editor left there.
 */

/*
 * Replaces *text by what the editor saved, which may be any bytes, without a line feed that it added at the end.
 * Returns -1 and sets *e if no editor can be started or it fails. Then the text is unchanged; if the editor saved
 * another text, the file stays and *e names it.
 */
int editor_run(struct app *x, struct strbuf *text, struct error *e);

/* Gives the terminal to a program until it ends, and repaints the screen. argv[0] is its path; `input` its standard
 * input, or -1 for the terminal. *status is as of waitpid. Returns an errno if it cannot be started. */
int terminal_lend(struct app *x, char *const argv[], int input, int *status);

#endif
