/*
 * The tables of entries: `entry` has a row for each memory that is one (purged ones have lost what makes
 * them one), `namespace` what is counted of each namespace, `entry_block` the same of runs of keys. All of it
 * repeats what the memories say and is written with them. For store/ alone.
 *
 * Several memories may have the same namespace and key: ones that were deleted or expired, and in a store of
 * before that was refused several that live (entry_claim.h). Of those that are there the one that was made last
 * counts (by created_at, then by its row), and where none is, of those that expired; the others are hidden, and
 * are memories like any other.
 */
#ifndef STEMMA_ENTRY_ROW_H
#define STEMMA_ENTRY_ROW_H

#include "model/json/json.h"
#include "store/txn/txn.h"

/* The numbers are stored: never renumber them. */
enum entry_state {
    ENTRY_THERE = 0, /* active or superseded; it may have expired all the same */
    ENTRY_EXPIRED,   /* swept or evicted: its value is gone; that of an imported one goes next */
    ENTRY_GONE,      /* retracted, forgotten, deleted */
};

/* What the table says of a memory. */
struct entry_row {
    int64_t memory, namespace_; /* rows */
    const char *name, *key;
    int64_t shown; /* entry_shown */
    enum entry_state state;
    bool hidden;
    int64_t created, updated, event;
    int64_t
        expires; /* 0: never; a time before 1970 is the first millisecond of it, and so is that of a value
                      * that an expired one still has */
    int64_t bytes; /* of its value */
    int64_t open;  /* as pii_key_open without patterns of one's own */
};

/* Is it an entry that has a row? Fills all of `out` but `namespace_` and `hidden`, strings in the arena. 1, 0; -1
 * where the store has no secret. */
int entry_row_of(struct db *db, const struct memory *m, struct arena *arena, struct entry_row *out,
                 struct error *e);

/* The value of an entry as it stands in its detail; ptr NULL: it has none. */
void entry_value_of(const struct memory *m, struct json_slice *out);
/* The time that a detail, or a part of it, says in `expires_at`: ms since the epoch, at least 1; 0: it says none. */
int64_t entry_expires_in(struct json_slice detail);
/* Is it certain that it never expires? */
bool entry_lasts(const struct memory *m);
/* Has it a value that nobody is to see any more? */
bool entry_is_over(const struct memory *m, int64_t now);

/* Makes the rows what `after` says; for txn_put. Either may be NULL. */
int entry_row_put(struct txn *t, const struct memory *before, const struct memory *after,
                  struct error *e);
/* Makes the rows of all entries there are, for a store that had none yet; its indexes are made by then. */
int entry_row_fill(struct db *db, struct error *e);
/* After a bulk load: which rows are hidden, and all that is counted. Its indexes are made by then. */
int entry_row_count(struct db *db, struct error *e);

/* The row of a namespace; 0: nothing was ever put there. -1 on error. */
int64_t entry_namespace_row(struct db *db, const char *name, struct error *e);

#endif
