/*
 * The labels of all rows, computed behind the reads: where many are asked for, one pass over the whole graph costs less
 * than a proof of each (measured at 100,000 memories: 0.1 s, beside 0.1 ms a proof). What it finds belongs to
 * kept_links, which knows for how long it holds.
 *
 * It has a thread and a reader of its own, and nobody waits for it. When it took t, it begins no sooner than 10 t later.
 */
#ifndef STEMMA_ALL_LABELS_H
#define STEMMA_ALL_LABELS_H

#include "store/db/store.h"

struct all_labels;
struct all_labels *all_labels_new(struct store *s);
/* Ends what is computed just now. NULL is allowed. */
void all_labels_free(struct all_labels *a);

/* Somebody would have use for them. Any thread may say so; computes them if it is time. */
void all_labels_want(struct all_labels *a);

/* Computes them at the reader's moment, in this thread: 1 where they are kept, 0 where they came too late, as something
 * changed meanwhile; -1 on error. */
int all_labels_find(struct reader *r, struct error *e);

#endif
