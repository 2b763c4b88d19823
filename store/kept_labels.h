/*
 * Labels that were found before, for who asks about the same few memories again and again: exact at the
 * moment of the reader's transaction.
 *
 * A label changes only by an event on the memory or on something that it rests on. Memories that were
 * added since are neither, unless they fill a stub; so what is kept outlives additions, and an event on
 * any row that was there gives all of it up.
 */
#ifndef STEMMA_KEPT_LABELS_H
#define STEMMA_KEPT_LABELS_H

#include "subgraph.h"

struct kept_labels;
struct kept_labels *kept_labels_new(void);
void kept_labels_free(struct kept_labels *k); /* NULL is allowed */

/* As labels_of_rows, of at most KEPT_LABELS_ASKED rows; within a transaction of the reader's. */
#define KEPT_LABELS_ASKED 256
int kept_labels_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                        struct error *e);

#endif
