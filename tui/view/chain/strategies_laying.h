/* Chains compared while they are laid out, for strategies_sheet.c and strategies_table.c. */
#ifndef STEMMA_STRATEGIES_LAYING_H
#define STEMMA_STRATEGIES_LAYING_H

#include "tui/view/chain/strategies_sheet.h"

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

/* Where a chain's column begins, and the columns of its text. */
int laying_column(const struct laying *l, size_t chain);
int laying_column_width(const struct laying *l);
void laying_section(struct laying *l, const char *title, const char *right);
/* The line that was added last opens that memory; 0: none. `chain`: counted from 1, 0 for none. */
void laying_opens(struct laying *l, int64_t node, size_t chain);

/* ---- strategies_table.c ---- */

/* Which of them used which document. */
void strategies_put_sources(struct laying *l);
void strategies_put_steps(struct laying *l);

#endif
