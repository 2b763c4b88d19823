/* Chains on the same question side by side, by their strategy: answers, confidence, steps, sources,
 * which they share. */
#ifndef STEMMA_CHAIN_STRATEGIES_VIEW_H
#define STEMMA_CHAIN_STRATEGIES_VIEW_H

#include "tui/widget/view.h"

/* Chains compared while they are laid out, for strategies_sheet.c and strategies_table.c. */

struct laying {
    struct sheet *sheet;
    const struct strategies *all;
    const struct facts_look *look;
    size_t focus;
    size_t from, shown; /* the chains that stand beside each other */
    int column;         /* the width of each */
    bool changed;       /* a source did since */
    const char *dot;
};

#define STRATEGIES_MOST 40 /* chains that are compared at once */
/* `nodes`: chains, copied; at most STRATEGIES_MOST of them are read. */
struct view *strategies_view_new(struct app *x, const int64_t *nodes, size_t count);

#endif
