/*
 * How much lies around a memory, counted without loading it: nothing is made of what is passed but its number.
 * Within a transaction of the reader's.
 */
#ifndef STEMMA_CLOSURE_H
#define STEMMA_CLOSURE_H

#include "store/lineage/kept_labels.h"

/*
 * Everything that a row rests on, or that rests on it: out->cut is how many that are, the row among them, and the
 * circles are those that lineage_walk finds, in its order. 1; 0 where there are more circles than it tells, or
 * links lead forth and back among what rests on it; -1 on error. By sweeps (reach.h); circles, and what cannot be swept, by depth
 * first search (Tarjan 1972, iterative). O(rows and links reached).
 */
int closure_of(struct reader *r, int64_t row, enum direction direction, struct beyond *out,
               struct error *e);

/*
 * 1 where one of them lies on a circle, or rests on itself, or on one of `among` that does; 0 where none does; -1 on
 * error. `among` has these rows and all that rests on any of it, as every circle does that one of them lies on. What
 * was found of a row is kept, so that none is passed twice for that.
 */
struct around;
int closure_has_circle(struct reader *r, const struct around *among, const int64_t *rows,
                       size_t count, struct error *e);

#endif
