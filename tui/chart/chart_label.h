/* What the nodes of a chart say, as chart.h has it; for who draws one. */
#ifndef STEMMA_CHART_LABEL_H
#define STEMMA_CHART_LABEL_H

#include "model/base/strbuf.h"
#include "tui/chart/chart.h"

/*
 * Appends the label of a scene's node in at most `most` columns (0: no bound): first the text gives way; where there is no room
 * for a little of it, the hidden neighbours go; the rest is never cut.
 * `down`: hidden neighbours are above and below, else at the left and right. Fills what a chart_node says of the label
 * but `label`; what fails shows in out->failed.
 */
void chart_label_add(struct strbuf *out, const struct chart *c, uint32_t node, int most, bool down,
                     struct chart_node *about);

/* Writes all labels anew, likewise. -1 where memory ran out. */
int chart_label_all(struct chart *c, int most, bool down);

#endif
