/*
 * Labels that a short proof gives. For store/ alone; callers see labels_of_rows in subgraph.h.
 */
#ifndef STEMMA_LABELS_PROOF_H
#define STEMMA_LABELS_PROOF_H

#include "store/lineage/kept_links.h"
#include "store/lineage/subgraph.h"

/*
 * That a memory stands is proved by one way down to its sources, that it does not by what is dead on each of them. So
 * the label of one whose antecedents are all proved to stand or not is exact, however much lies around. What is
 * proved on the way is kept for who asks next. 1; 0 where a few ways do not tell; -1 on error.
 */
int label_prove(struct links_walk *w, struct reader *r, int64_t row, struct row_label *out,
                struct error *e);

#endif
