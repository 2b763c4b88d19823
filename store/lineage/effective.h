/*
 * The effective confidence of memories (model/memory/confidence.h), as the reader's caller may see
 * it: evidence that is hidden from the caller counts as standing.
 *
 * It costs nothing for a memory without evidence in its history, and little where all evidence
 * stands: only a memory with evidence that may have fallen is read.
 */
#ifndef STEMMA_EFFECTIVE_H
#define STEMMA_EFFECTIVE_H

#include "model/memory/confidence.h"
#include "store/lineage/loaded.h"
#include "store/lineage/subgraph.h"

/* The rules of the store's configuration. */
const struct confidence_rules *confidence_rules_of(struct reader *r);

/* As labels_of_rows, and sets `stored` and `effective`. */
int effective_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                      struct error *e);
/* The same, and sets `trust` (trust.h). */
int support_of_rows(struct reader *r, const int64_t *rows, size_t count, struct row_label *out,
                    struct error *e);
/* Sets `stored`, `effective` and `unstated` next to labels that are known; uses `trust` where the first row has it. */
int effective_fill(struct reader *r, const int64_t *rows, size_t count, struct row_label *io,
                   struct error *e);
/* What lists show and sort by: NAN if nobody stated a confidence, since a default is no statement. It comes last. */
double effective_shown(const struct row_label *label);
/*
 * The whole computation for one memory of that trust. *fallen is in the arena and has an element for each entry
 * of its history. The reader must be in a transaction.
 */
int effective_of(struct reader *r, struct arena *arena, int64_t node, enum label label,
                 struct effective *out, bool **fallen, double trust, struct error *e);
/* Whether the memory was reinforced by evidence that stands. */
int evidence_confirms(struct reader *r, int64_t node, bool *out, struct error *e);
/* When the memory was last confirmed (confidence_confirmed_at), and its kind. Costs what reading the memory costs. */
int memory_confirmed_at(struct reader *r, int64_t node, enum kind *kind, int64_t *at,
                        struct error *e);
/* The stored confidences of rows 1 to `rows`: `out`, by row - 1. What has no row is left as it is. */
int confidences_stored(struct reader *r, size_t rows, double *out, struct error *e);
/*
 * Of all rows, as lists sort by it: `out` [l->rows], by row - 1; 0 for a stub, and where none was stated. The reader
 * must be in the transaction of `l`. Two scans, and a look at each recorded evidence.
 */
int effective_of_all(struct reader *r, const struct loaded *l, double *out, struct error *e);

#endif
