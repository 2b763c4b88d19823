/* When things happened, as a row of block characters or a small chart; digits and # without UTF-8. */
#ifndef STEMMA_TIMELINE_H
#define STEMMA_TIMELINE_H

#include "tui/term/paint.h"

struct strbuf;

/* Equal parts of first..last, ms, and how many fell into each. */
struct timeline {
    int64_t first, last;
    const int64_t *counts;
    size_t buckets;
};

/* A row of `buckets` columns: a dot where nothing fell, else a level of the fullest part. */
void timeline_draw(const struct pane *p, int row, int column, const struct timeline *t);
/* The same over all of the pane, its last row an axis with both ends of the range. */
void timeline_draw_chart(const struct pane *p, const struct timeline *t);
/* Appends the range in at most `width` columns, as exactly as there is room: "2026-02-03 – 2026-11-18". */
void timeline_add_range(const struct screen *screen, int64_t first, int64_t last, int width,
                        struct strbuf *out);

#endif
