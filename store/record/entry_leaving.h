/*
 * Values of entries that were put over, edited away or taken back before their time was over. The patch of the event
 * that did it keeps such a value, so that it can be undone, until that time, which stands beside it: `expires` of the
 * table of events. Then it is swept (entry.h). For store/ alone.
 */
#ifndef STEMMA_ENTRY_LEAVING_H
#define STEMMA_ENTRY_LEAVING_H

#include "store/db/db.h"
#include "store/db/store.h"

/*
 * When the value is over that a patch keeps: `fields` are what a change of `before` changed, with `whole` all that it
 * was. 0: it keeps none, or one that never expires. -1 where memory ran out.
 */
int entry_leaving(const struct memory *before, const char *fields, size_t len, bool whole,
                  int64_t *expires);

struct leaving {
    int64_t seq;
    int64_t stored;  /* the column; 0: NULL */
    int64_t expires; /* as entry_leaving */
};
/* Of each event on the entry of that row whose patch is there, newest first; `each` ends it with other than 0, which
 * is what it returns. O(their patches), in no memory of its own. */
int entry_leaving_walk(struct db *db, const struct memory *now,
                       int (*each)(void *arg, const struct leaving *l), void *arg, struct error *e);

/* Fills the column, for a store that had none yet. */
int entry_leaving_fill(struct db *db, struct error *e);

#endif
