/* Steps by their numbers, for reasoning.c alone. */
#ifndef STEMMA_REASONING_STEPS_H
#define STEMMA_REASONING_STEPS_H

#include "model/reasoning/reasoning.h"

/*
 * The steps, each number once: those that have the same one, which an import may bring, are one in the place of
 * the first, with the sources of all. Where none is there twice, *out is `steps`; else it is in the
 * arena. O(n log n). -1: memory ran out.
 */
int steps_unite(const struct step_sources *steps, size_t count, struct arena *arena,
                const struct step_sources **out, size_t *out_count);

#endif
