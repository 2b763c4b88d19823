/*
 * The tables of entries: `entry` has a row for each memory that is one (purged ones have lost what makes
 * them one), `namespace` what is counted of each namespace. All of it repeats what the memories say and is written with
 * them. Outside store/ only tui/view/shared includes it, for the namespace of an entry (entry_namespace).
 *
 * Several memories may have the same namespace and key: ones that were deleted or expired, and in a store of
 * before that was refused several that live (struct entry_claim). Of those that are there the one that was made last
 * counts (by created_at, then by its row), and where none is, of those that expired; the others are hidden, and
 * are memories like any other.
 */
#ifndef STEMMA_ENTRY_ROW_H
#define STEMMA_ENTRY_ROW_H

#include "model/base/digest.h"
#include "model/json/json.h"
#include "model/pii/pii.h"
#include "model/policy/permission.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/db/store.h"
#include "store/txn/txn.h"

#define ENTRY_VALUE_MAX 1048576                  /* bytes of a value as JSON text */
#define YEAR_10000      INT64_C(253402300800000) /* ms since the epoch: what is later no date can say */

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
    int64_t open;  /* as pii_key_visible without patterns of one's own */
};

/* Is it an entry that has a row? Fills all of `out` but `namespace_` and `hidden`, strings in the arena. 1, 0; -1
 * where the store has no secret. */
int entry_row_of(struct db *db, const struct memory *m, struct arena *arena, struct entry_row *out,
                 struct error *e);

/* The value of an entry as it stands in its detail; ptr NULL: it has none. */
void entry_value_of(const struct memory *m, struct json_slice *out);
/* Has it a value that nobody is to see any more? */
bool entry_is_over(const struct memory *m, int64_t now);

/* Makes the rows what `after` says; for txn_put. Either may be NULL. */
int entry_row_put(struct txn *t, const struct memory *before, const struct memory *after,
                  struct error *e);
struct put_tables;
/* Adds the row of a memory, if it is an entry, into these tables. */
int entry_row_insert(struct db *db, const struct put_tables *to, const struct memory *m,
                     struct error *e);
/* Makes the rows of all entries there are, for a store that had none yet; its indexes are made by then. */
int entry_row_fill(struct db *db, struct error *e);
/* After a bulk load: which rows are hidden, and all that is counted. Its indexes are made by then. */
int entry_row_count(struct db *db, struct error *e);

/* The row of a namespace; 0: nothing was ever put there. -1 on error. */
int64_t entry_namespace_row(struct db *db, const char *name, struct error *e);

/*
 * What may be shown of an entry's key without showing it: its keyed hash, and where a page of a list ends.
 * The secret is the store's own, and is in no export.
 */

/* A key for one use of the store's secret. ERROR_STORE: the store has none. */
int entry_secret_for(struct db *db, const char *use, struct digest *out, struct error *e);

/* 64 bits of HMAC-SHA-256 of namespace and key. ERROR_STORE: the store has no secret. */
int entry_shown(struct db *db, const char *name, const char *key, int64_t *out, struct error *e);

#define ENTRY_SHOWN      "[REDACTED]_"
#define ENTRY_SHOWN_SIZE 25 /* of ENTRY_SHOWN, 13 digits of base 32 (RFC 4648) and a NUL */
void entry_shown_write(char out[ENTRY_SHOWN_SIZE], int64_t shown);
/* false: it is no shown key, but a key as it is. */
bool entry_shown_read(const char *text, int64_t *out);

/*
 * The name that a living entry has in its namespace. Of one key one entry lives, by whatever door it comes: a
 * second one would hide the first from everybody.
 */

struct entry_claim {
    const char *namespace_, *key;
};

/* The name that a detail gives, in the arena; where it names no key that is the text. Is it one that can be
 * found? */
bool entry_name_of(const struct memory *m, struct json_slice detail, struct arena *arena,
                   struct entry_claim *out);

/* Is it an entry that lives at `now`, unexpired, under a name that can be found? In the arena. */
bool entry_claim_of(const struct memory *m, int64_t now, struct arena *arena,
                    struct entry_claim *out);
/*
 * Does `after` live under a name that `before` (NULL: nothing) did not live under, and that another one has?
 * ERROR_CONFLICT then. *over (may be NULL) is one that has that name and has expired, which is to be swept first; 0: none. O(log n),
 * and nothing for other kinds.
 */
int entry_claim_check(struct db *db, const struct memory *before, const struct memory *after,
                      int64_t now, int64_t *over, struct error *e);

/*
 * Values of entries that were put over, edited away or taken back before their time was over. The patch of the event
 * that did it keeps such a value, so that it can be undone, until that time, which stands next to it: `expires` of the
 * table of events. Then it is swept (store/entries).
 */

/*
 * When the value is over that a patch keeps: `fields` are what a change of `before` changed, with `whole` all that it
 * was. 0: it keeps none, or one that never expires.
 */
int64_t entry_leaving(const struct memory *before, const char *fields, size_t len, bool whole);

/* The same of each event on that entry whose patch is there, newest first; `each` ends it with other than 0, below 0 as
 * an error. O(their patches), in the memory of a few. */
int entry_leaving_walk(struct db *db, const struct memory *now,
                       int (*each)(void *arg, int64_t seq, int64_t expires), void *arg,
                       struct error *e);

/* Fills the column, for a store that had none yet. */
int entry_leaving_fill(struct db *db, struct error *e);

/* `[REDACTED]_` and 64 bits of a keyed hash of namespace and key in base 32, the same every time. */
int entry_shown_key(struct reader *r, struct arena *arena, const char *name, const char *key,
                    const char **out, struct error *e);

/* The namespace that an entry is of, by the row of its memory, in the arena; *name NULL: it is no entry that is
 * there. */
int entry_namespace(struct reader *r, struct arena *arena, int64_t node, const char **name,
                    struct error *e);

/* How much of a key anybody may see: pii_key_visible of the rules that every store has, and of `pii` where it is given. */
size_t entry_open(const struct pii *pii, const char *key, size_t len);

#endif
