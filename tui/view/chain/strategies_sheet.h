/* Chains compared, laid out: beside each other where there is room, else one below the other. */
#ifndef STEMMA_STRATEGIES_SHEET_H
#define STEMMA_STRATEGIES_SHEET_H

#include "tui/view/memory/facts_sheet.h"
#include "tui/render/sheet.h"
#include "tui/term/paint.h"
#include "tui/view/chain/strategies.h"

/*
 * From an empty sheet of look->width. `focus`: the chain that lines about all of them open, and that is
 * to be seen where not all fit. The value of a line that opens is its chain, counted from 1, 0 where it is
 * about none.
 */
void strategies_sheet(struct sheet *s, const struct strategies *all, size_t focus,
                      const struct facts_look *look);

/* How many of them stand beside each other at that width; 1: they stand below each other. */
size_t strategies_beside(size_t count, int width);

#endif
