/* The columns of a list of memories: which fit, where they stand, and a row drawn in them. */
#ifndef STEMMA_COLUMNS_H
#define STEMMA_COLUMNS_H

#include <stdbool.h>
#include "paint.h"
#include "../store/store.h"

struct app;

/* Where each begins; 0: it is not shown. The text ends at `width`. */
struct columns {
    int mark, label, confidence, history, holds, source, aspect, kind, agent, age, text;
    int age_width;
    int width;
};

/* `many_kinds`: the list shows more than one. `sources_only`: of kinds that stand by themselves and
 * have no justifications. The text keeps at least 40 columns; what does not fit beside it is left
 * out, the least telling first. */
struct columns columns_fit(const struct app *x, int width, bool many_kinds, bool sources_only,
                           const char *aspect);
void columns_draw_header(const struct app *x, const struct columns *c, const struct pane *p,
                         const char *text_name, const char *aspect);
/* `pattern`: what to highlight in the text, or NULL; `pan`: columns of the text that are scrolled out
 * on the left. */
void columns_draw_row(struct app *x, const struct columns *c, const struct pane *row, int64_t node,
                      const char *pattern, int pan);

#endif
