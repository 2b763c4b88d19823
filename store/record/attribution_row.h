/*
 * The table of attributions: what the log is filtered and ordered by, a row for each that is listed.
 * It repeats what the memory says and is written with it. For store/ alone.
 */
#ifndef STEMMA_ATTRIBUTION_ROW_H
#define STEMMA_ATTRIBUTION_ROW_H

#include "store/txn/txn.h"

/* Is it one that has a row? */
bool attribution_is_listed(const struct memory *m);
/* When it was retrieved: a number of its detail, else when it was created. -1 where memory ran out. */
int attribution_time(const struct memory *m, int64_t *at);
/* The detail's source_type in the arena; *type is NULL where it has none. -1 where memory ran out. */
int attribution_type(const struct memory *m, struct arena *arena, const char **type);

/* Makes the row what `after` says; for txn_put. Either may be NULL. */
int attribution_put(struct txn *t, const struct memory *before, const struct memory *after,
                    struct error *e);
/* Makes the rows of all attributions there are, for a store that had none yet. */
int attribution_fill(struct db *db, struct error *e);

#endif
