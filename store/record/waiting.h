/*
 * The table waiting: the memories that wait for a person's decision. It is derived, and written with the memory.
 *
 * A pending memory waits, and any of which a change did not hold because others of the team had been
 * faster (table disputed), also if it has ended. An active one waits if it is flagged for_review, or if
 * agents wrote it since a person last decided about it: added, edited, reinforced or replaced it, while
 * a person changed it by hand before that, or never. An event that was undone counts as if it had not
 * been. Records of work do not wait by being written (WAITING_KINDS), nor does what an import brings.
 */
#ifndef STEMMA_WAITING_H
#define STEMMA_WAITING_H

#include "model/memory/memory.h"
#include "store/db/reader.h"
#include "store/record/put.h"

/* The kinds that wait when an agent wrote them: statements, and what was captured. */
#define WAITING_KINDS                                                                              \
    (KINDS_ALL & ~(KIND_BIT(KIND_ATTRIBUTION) | KIND_BIT(KIND_DOCUMENT) | KIND_BIT(KIND_CHAIN) |   \
                   KIND_BIT(KIND_STEP) | KIND_BIT(KIND_CITATION) | KIND_BIT(KIND_ENTRY)))

/* Updates the row after the event of txn_put is appended. `after` NULL: the addition was reverted. */
int waiting_put(struct txn *t, const struct actor *actor, const struct put *how,
                const struct memory *before, const struct memory *after, struct error *e);
/* Sets the row anew, by flags and the journal: after events were taken from its end. */
int waiting_renew(struct txn *t, const struct memory *m, struct error *e);
/* Fills the table from flags and the journal, in the place of what it has. O(events). */
int waiting_fill(struct db *db, struct error *e);
/* Fills it after a bulk load, whose events come from imports. O(flags). */
int waiting_fill_flagged(struct db *db, struct error *e);
/* Deletes all that is disputed, in a copy for another machine. */
int waiting_drop_disputes(struct db *db, struct error *e);
/* Calls `each` for the rows that should wait and do not (`missing`), or the other way round. O(events). */
int waiting_check(struct db *db, int (*each)(void *arg, int64_t row, bool missing), void *arg,
                  struct error *e);

/* How many memories wait, counted up to `most`; -1 on error. O(most). */
int64_t waiting_count(struct reader *r, int64_t most, struct error *e);

struct waiting {
    int64_t node;
    /* In which an agent wrote it last; if none is known, or it is only flagged, minus the row of its agent. */
    int64_t session;
};
/* What waits now, of one agent (NULL: all), newest row first, at most `most`; of the past nothing is known. The
 * caller frees *out. */
int waiting_list(struct reader *r, const char *agent, size_t most, struct waiting **out,
                 size_t *count, struct error *e);

#endif
