/* What a memory rests on and what rests on it, a few at a time: what a scene (model/subgraph/scene.h) asks of a store. */
#ifndef STEMMA_NEIGHBOURS_H
#define STEMMA_NEIGHBOURS_H

#include "model/subgraph/scene.h"
#include "store/db/store.h"

/* Of one side of a memory so many links are counted at most: what is bounded reads "999+". */
#define NEIGHBOURS_COUNTED 999

/*
 * The source of a scene, of the moment of the reader, whose transaction must have begun and last as long. A relation
 * `supersedes` is a link as well, STROKE_SUPERSEDES. A memory on which 60,000 rest costs no more than one on which a thousand do.
 */
struct scene_source neighbours_of(struct reader *r);

/* How many memories it rests on (ANCESTORS) or carries in all, counted to `most`; *more: there are others. */
int neighbours_total(struct reader *r, int64_t row, enum direction side, size_t most, size_t *total,
                     bool *more, struct error *e);

#endif
