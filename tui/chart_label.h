/* What the nodes of a chart say, as chart.h has it; for chart*.c alone. */
#ifndef STEMMA_CHART_LABEL_H
#define STEMMA_CHART_LABEL_H

#include "chart.h"

/* Writes all labels anew in at most `most` columns each (0: no bound). `down`: hidden neighbours are above and below, else at
 * the left and right. -1 where memory ran out. */
int chart_label_all(struct chart *c, int most, bool down);

#endif
