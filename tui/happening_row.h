/* What happened, as a line: its columns. */
#ifndef STEMMA_HAPPENING_ROW_H
#define STEMMA_HAPPENING_ROW_H

#include "happening.h"
#include "paint.h"

struct app;

/* Where each begins; 0: it is not shown. The text ends at `width`. */
struct happening_columns {
    int label, age, class, who, client, said, ref, from, text;
    int age_width, who_width, said_width, from_width, width;
    bool clients; /* of several sessions */
    bool changes; /* what was changed, in place of what the memory was made from */
};
/* `clients`: of several sessions. `changes`: for an audit, where it is told what an event changed and why, and
 * whether it was taken back. */
struct happening_columns happening_columns_fit(const struct app *x, int width, bool clients,
                                               bool changes);
void happening_columns_header(const struct app *x, const struct happening_columns *c,
                              const struct pane *row);
/* `h` NULL draws nothing. */
void happening_columns_row(struct app *x, const struct happening_columns *c, const struct pane *row,
                           const struct happening *h, const char *pattern, int pan);

#endif
