/*
 * What was found wrong with the lineage before, for who asks again while nothing changed: exact at the moment of
 * the reader's transaction and at this time, as a time that lies ahead is suspect only for so long.
 *
 * It is kept whole, of all agents, up to 1 MB; any event gives it up.
 */
#ifndef STEMMA_KEPT_ORPHANS_H
#define STEMMA_KEPT_ORPHANS_H

#include "store/lineage/orphans.h"

struct kept_orphans;
struct kept_orphans *kept_orphans_new(void);
void kept_orphans_free(struct kept_orphans *k); /* NULL is allowed */

/* As orphans_find; `each` must not ask the store for anything. Within a transaction of the reader's. */
int kept_orphans_find(struct reader *r, const char *agent,
                      int (*each)(void *arg, const struct orphan *orphan), void *arg,
                      struct error *e);
/* After that, in the same transaction: does nothing that it may have given hold personal data, by the rules of who
 * asks? Where that is not known, false. */
bool kept_orphans_are_clean(struct reader *r);

#endif
