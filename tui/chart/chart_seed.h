/* Where the nodes of a chart stood in what was drawn before. */
#ifndef STEMMA_CHART_SEED_H
#define STEMMA_CHART_SEED_H

#include "tui/chart/chart.h"

/*
 * *seed: for each node of the scene where it stood, the caller's to free; NULL where nothing was drawn. What came out of a
 * SCENE_MORE has the seed of that one, which goes by the picture's order: behind those that stood there, and before
 * what is left of it. SEED_NONE of all others that are new. -1 where memory ran out.
 */
int chart_find_seeds(const struct chart *c, const struct chart *before, int32_t **seed);

#endif
