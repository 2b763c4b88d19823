/* Where copies of what a memory says may live: for who erases it. */
#ifndef STEMMA_COPIES_H
#define STEMMA_COPIES_H

#include "store/ops/plan.h"

/*
 * Remarks where words of these rows may still be found once they are erased: in excerpts that others quote of
 * them, in memories made from them, in reasons of others that name them, in the sources that they were
 * imported from, and in backups. Looks at what is linked to them and what was changed together with
 * them, by index.
 */
int copies_remark(struct plan *p, const int64_t *rows, size_t count, struct error *e);

#endif
