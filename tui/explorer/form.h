/*
 * A form: rows of text to be typed over the view, each with a name and what it takes. What makes one says
 * what becomes of it (form_ops); every key goes to it while it is open.
 *
 * What was typed is never lost: a form that is left, or whose deed could not be done, is kept with the deed
 * (acting.h) and opens again as it was.
 */
#ifndef STEMMA_FORM_H
#define STEMMA_FORM_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"
#include "store/ops/operation.h"
#include "tui/term/input.h"
#include "tui/render/kind_fields.h"
#include "tui/widget/text_edit.h"
#include "tui/widget/modal.h"

struct app;
struct deed;
struct form;

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

struct form_ops {
    const char *name;
    /* Makes the deed of what is typed; NULL with `e`, and *wrong the row that is wrong. */
    struct deed *(*make)(struct app *x, struct form *f, size_t *wrong, struct error *e);
};

struct form {
    struct modal modal;
    const struct form_ops *ops;
    struct arena arena;
    const char *title; /* in the arena */
    struct form_field *field;
    size_t count, alloc, selected, top;

    /* What it is about. */
    int64_t node; /* 0: nothing yet */
    enum kind kind;
    const int64_t *nodes; /* in the arena, where it is about several */
    size_t node_count;
    bool marked;
    int64_t version;           /* that was read */
    int64_t now;               /* when it is made, ms: lengths of time begin then */
    const struct memory *base; /* as it was read, in the arena; NULL */

    /* What an editor that failed left of the first row's text: the person takes it, or drops it. */
    char *offer;
    size_t offer_len;
    char *left; /* what an editor left of it that could not be read; NULL: nothing */
    struct pane pane;
};

struct form *form_new(const struct form_ops *ops);
void form_free(struct form *f); /* NULL is allowed */
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
/* Has any row been typed in, or is there a file of it that could not be read? */
bool form_touched(const struct form *f);
/* NULL: there is none of that name. */
struct form_field *form_find(const struct form *f, const char *name);

/* Opens it, which takes it over; one that is open already is kept as if it were left. */
void form_open(struct app *x, struct form *f);
/* Takes the open one away; the caller owns it. NULL: none is open. */
struct form *form_take_away(struct app *x);
/* Offers a text for its first row; NULL: none any more. */
void form_offer(struct form *f, const char *bytes, size_t len);

/* ---- forms about memories: their rows, and what is typed into them as a request ---- */

/* Reads the memory that the form is about. ERROR_NOT_FOUND, ERROR_REFUSED: there is nothing to edit. */
int form_read_memory(struct app *x, struct form *f, int64_t node, struct error *e);
/* Its title: "edit belief:54c5507f, version 3". */
void form_name(struct app *x, struct form *f, const char *what);

/* The rows "text"; "confidence", "tags", "source" (of `m`, or empty); those of the form's kind; "why". */
void form_add_text(struct form *f, const char *text);
void form_add_common(struct form *f, const struct memory *m);
void form_add_detail(struct form *f, const char *detail);
void form_add_why(struct form *f);

/* The rows that changed, as an edit. ERROR_INVALID: one is wrong (*wrong), or none changed. */
int form_take_edit(const struct form *f, struct arena *arena, struct request *q, size_t *wrong,
                   struct error *e);

/* What stands in the row of that name; NULL for nothing, or no such row. */
const char *form_text(const struct form *f, const char *name);
/* From 0 to 1, or NAN for nothing. */
int form_confidence(const struct form *f, double *confidence, size_t *wrong, struct error *e);
/* The parts of a list, in the arena. */
void form_list(const struct form *f, const char *name, struct arena *arena, const char ***list,
               size_t *count);
/* The rows of the kind as a JSON object: all that are filled in, or those that `changed` alone, which
 * may be null. NULL for none. */
int form_detail(const struct form *f, bool changed, struct arena *arena, const char **json,
                size_t *wrong, struct error *e);

/* The form of what can be edited of a memory. NULL on error. */
struct form *edit_form_new(struct app *x, int64_t node, struct error *e);
extern const struct form_ops edit_form;

/* What each key of a form does, for `?` and the key bar: pairs of keys and help, ends with NULL. */
extern const char *const form_keys[];

#endif
