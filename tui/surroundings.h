/*
 * What stands around a memory, for people: its groups of antecedents as they were recorded, those
 * that rest on it, and its relations.
 */
#ifndef STEMMA_SURROUNDINGS_H
#define STEMMA_SURROUNDINGS_H

#include "../store/store.h"
#include "output.h"

int surroundings_print(struct output *out, struct reader *r, const struct memory *m,
                       struct error *e);

#endif
