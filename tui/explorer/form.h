/*
 * A form: rows of text to be typed over the view, each with a name and what it takes, for an operation or an
 * addition. Every key goes to it while it is open.
 *
 * What was typed is never lost: a form that is left, or whose operation could not be done, is kept with that
 * (pending.h) and opens again as it was.
 */
#ifndef STEMMA_FORM_H
#define STEMMA_FORM_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/ops/operation.h"
#include "tui/render/kind_fields.h"
#include "tui/term/input.h"
#include "tui/widget/modal.h"
#include "tui/widget/text_edit.h"

#define FORM_LINE_MOST 4096 /* bytes that are typed in a row; longer texts are the editor's */

struct form_field {
    const char *name, *help;
    const char *const *choices; /* values that are offered, ends with NULL; NULL: none are */
    bool only;                  /* and nothing else is taken */
    enum value_type type;
    const char *member; /* of the detail; NULL: it is no field of the kind */
    struct text_edit line;
    char *
        outside; /* a text that is too long for a row or has line breaks: only an editor changes it */
    size_t outside_len; /* any bytes, NULs among them */
    char *was;          /* what stood there at first */
};

/* What is typed in it. */
enum form_as {
    FORM_EDIT = 0,
    FORM_EDIT_MARKED, /* of all that are marked; an empty row leaves each as it is */
    FORM_SUPERSEDE,
    FORM_REVISE, /* from an episode; a row for each marked memory */
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

    /* What it is about. */
    int64_t node; /* 0: nothing yet */
    enum kind kind;
    const int64_t *nodes; /* in the arena, where it is about several */
    size_t node_count;
    int64_t version;           /* that was read */
    int64_t now;               /* when it is made, ms: lengths of time begin then */
    const struct memory *base; /* as it was read, in the arena; NULL */

    struct pane pane;
};

struct form *form_new(enum form_as as); /* without rows */
void form_free(struct form *f);         /* NULL is allowed */
/* A row more. `value` is its text at first; the other strings must outlive the form. */
struct form_field *form_add(struct form *f, const char *name, enum value_type type,
                            const char *value, const char *help);
/* What is typed there. Valid until it changes. */
const char *form_value(const struct form_field *field);
void form_set_value(struct form_field *field, const char *value);
/* The same of any bytes, as an editor leaves them. */
void form_set_bytes(struct form_field *field, const char *bytes, size_t len);
size_t form_length(const struct form_field *field);
bool form_changed(const struct form_field *field);
/* Has any row been typed in? */
bool form_touched(const struct form *f);
/* NULL: there is none of that name. */
struct form_field *form_find(const struct form *f, const char *name);

/* Opens it, which takes it over; one that is open already is kept as if it were left. */
void form_open(struct app *x, struct form *f);
/* Takes the open one away; the caller owns it. NULL: none is open. */
struct form *form_take_away(struct app *x);

/* ---- forms of operations (memory_form.c) ---- */

/*
 * The form of that operation on that memory (0: on none yet, or on the marked ones), of that kind where it is read from
 * no memory. `typed`: what its first row begins with. NULL with `e`: there is nothing to change.
 */
struct form *form_make(struct app *x, enum form_as as, int64_t node, enum kind kind,
                       const char *typed, struct error *e);
/* Opens such a form, as it was left if it was; or says why there is none. */
void form_begin(struct app *x, enum form_as as, int64_t node, enum kind kind, const char *typed);
/* What is typed as a pending operation, which points into the form and is to own it; NULL with `e`, and *wrong the row
 * that is wrong. */
struct pending *form_pending(struct app *x, const struct form *f, size_t *wrong, struct error *e);
/* As if it were read now: a row that was not typed in says what is stored by now. -1: nothing is there to edit. */
int form_rebase(struct app *x, struct form *f, struct error *e);

/* What each key of a form does, for `?`; ends with NULL. */
extern const struct bar_word form_keys[];

/*
 * The person's own editor, on a text: $VISUAL, else $EDITOR, else vi. It has the terminal to itself until
 * it ends, and then the explorer takes it back.
 *
 * The text stands in a file that only its owner reads, in a directory of its own; both are gone afterwards,
 * with whatever the editor left next to it.
 */

/*
 * The text becomes what the file holds when the editor ends, without a line feed that it
 * added at the end. Any bytes may come back. -1 where no editor can be started, or it failed: then the text is as it
 * was, and if it left another one the file stays and `e` names it.
 */
int editor_run(struct app *x, struct strbuf *text, struct error *e);

#endif
