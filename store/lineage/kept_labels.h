/*
 * Labels that were found before, and how much lies beyond a depth, for who asks about the same few memories again and again: exact at the
 * moment of the reader's transaction.
 *
 * Both change only by an event on the memory or on something that it rests on. Memories that were
 * added since are neither, unless they fill a stub; so what is kept outlives additions, and an event on
 * any row that was there gives all of it up.
 */
#ifndef STEMMA_KEPT_LABELS_H
#define STEMMA_KEPT_LABELS_H

#include "store/lineage/subgraph.h"

struct kept_labels;
struct kept_labels *kept_labels_new(void);
void kept_labels_free(struct kept_labels *k); /* NULL is allowed */

/* As labels_seen_of_rows, without the justifications; within a transaction of the reader's. Where much had to be read
 * for such labels, all of the store's are computed behind it (all_labels.h). */
int kept_labels_of_rows(struct reader *r, const int64_t *rows, size_t count, enum label *out,
                        struct error *e);

/*
 * What a walk over all that a row rests on, or that rests on it, finds beyond the depth that it shows: how many
 * lie deeper, and the circles as struct lineage has them, by rows.
 */
#define BEYOND_CYCLES 8
#define BEYOND_ROWS   20
struct beyond {
    size_t cut;
    uint32_t cycle_count;
    uint32_t cycle_first[BEYOND_CYCLES + 1];
    int64_t cycle[BEYOND_ROWS];
};
struct beyond_what {
    int64_t row;
    enum direction direction;
    uint32_t depth;
};
/* 1 where it was kept, 0 where it was not, -1 on error. Of what a row rests on it holds for as long as a label does; of
 * what rests on it, to which additions belong, until the next event. */
int kept_beyond_find(struct reader *r, const struct beyond_what *what, struct beyond *out,
                     struct error *e);
int kept_beyond_keep(struct reader *r, const struct beyond_what *what, const struct beyond *beyond,
                     struct error *e);

#endif
