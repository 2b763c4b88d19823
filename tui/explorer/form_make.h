/* What forms about memories have in common: their rows, and what is typed into them as a request. */
#ifndef STEMMA_FORM_MAKE_H
#define STEMMA_FORM_MAKE_H

#include "tui/widget/form.h"

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
int form_list(const struct form *f, const char *name, struct arena *arena, const char ***list,
              size_t *count, struct error *e);
/* The rows of the kind as a JSON object: all that are filled in, or those that `changed` alone, which
 * may be null. NULL for none. */
int form_detail(const struct form *f, bool changed, struct arena *arena, const char **json,
                size_t *wrong, struct error *e);

/* The form of what can be edited of a memory. NULL on error. */
struct form *edit_form_new(struct app *x, int64_t node, struct error *e);

#endif
