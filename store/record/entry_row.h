/*
 * The index tables of entries: `entry` has a row for each entry that is not purged, `namespace` the
 * counts of each namespace. Both are derived from the memories and written with them. Outside
 * store/ only tui/view/shared includes this header, for entry_namespace.
 *
 * Several memories can have the same namespace and key: deleted or expired ones, and living ones in
 * a store from before duplicates were refused (struct entry_claim). One of them counts: the living
 * one created last (created_at, then row), or if none lives, the expired one created last. The
 * others are hidden, but remain memories like any other.
 */
#ifndef STEMMA_ENTRY_ROW_H
#define STEMMA_ENTRY_ROW_H

#include "model/base/digest.h"
#include "model/json/json.h"
#include "model/pii/pii.h"
#include "model/policy/permission.h"
#include "model/memory/memory.h"
#include "store/txn/txn.h"

#define ENTRY_VALUE_MAX 1048576                  /* bytes of a value as JSON text, at most */
#define YEAR_10000      INT64_C(253402300800000) /* ms since the epoch; dates end before it */

/* The numbers are stored: never renumber them. */
enum entry_state {
    ENTRY_THERE = 0, /* active or superseded; may have expired */
    ENTRY_EXPIRED, /* expired or evicted: its value is erased, or will be at the next sweep if it was imported */
    ENTRY_REMOVED, /* retracted, forgotten, deleted */
};

/* A row of the table `entry`. */
struct entry_row {
    int64_t memory, namespace_; /* rows */
    const char *name, *key;
    int64_t shown; /* the masked key: 64 bits of the HMAC-SHA-256 of namespace and key */
    enum entry_state state;
    bool hidden;
    int64_t created, updated, event;
    /* 0 if never; 1 for times before 1970, and for an expired entry that still has a value */
    int64_t expires;
    int64_t bytes; /* of its value */
    int64_t open;  /* entry_open without configured patterns */
};

/*
 * Computes the row of a memory, except `namespace_` and `hidden`; strings are in the arena. Returns
 * 1, 0 if it has no row, -1 if the store has no secret.
 */
int entry_row_of(struct db *db, const struct memory *m, struct arena *arena, struct entry_row *out,
                 struct error *e);

/* The value of an entry as JSON; ptr is NULL if it has none. */
void entry_value_of(const struct memory *m, struct json_slice *out);
/* True if the entry has expired, so that its value must not be shown. */
bool entry_is_over(const struct memory *m, int64_t now);

/* Updates the rows from `before` to `after`, for txn_put. Either may be NULL. */
int entry_row_put(struct txn *t, const struct memory *before, const struct memory *after,
                  struct error *e);
struct put_tables;
/* Inserts the row of a memory into the tables `to`, if it is an entry. */
int entry_row_insert(struct db *db, const struct put_tables *to, const struct memory *m,
                     struct error *e);
/* Inserts the rows of all entries, when a store is upgraded. The indexes must exist. */
int entry_row_fill(struct db *db, struct error *e);
/* After a bulk load: computes `hidden` and all counts. The indexes must exist. */
int entry_row_count(struct db *db, struct error *e);

/* The row of a namespace; 0 if nothing was ever put there. -1 on error. */
int64_t entry_namespace_row(struct db *db, const char *name, struct error *e);

/*
 * Masked keys and cursors: a keyed hash in place of an entry's key. The secret belongs to the store
 * and is never exported.
 */

/* Derives a key for one use from the store's secret. ERROR_STORE if the store has none. */
int entry_secret_for(struct db *db, const char *use, struct digest *out, struct error *e);

#define ENTRY_MASKED_PREFIX "[REDACTED]_"
#define ENTRY_MASKED_SIZE   25 /* ENTRY_MASKED_PREFIX, 13 digits of base 32 (RFC 4648), NUL */
void entry_key_hash_write(char out[ENTRY_MASKED_SIZE], int64_t shown);
/* False if `text` is not a masked key. */
bool entry_key_hash_read(const char *text, int64_t *out);

/*
 * The namespace and key that a living entry occupies. Only one living entry may have a key, however
 * it is added: a second one would hide the first.
 */
struct entry_claim {
    const char *namespace_, *key;
};

/*
 * Reads the namespace and key of a detail, in the arena; without a key the text is the key. True if
 * both are valid.
 */
bool entry_name_of(const struct memory *m, struct json_slice detail, struct arena *arena,
                   struct entry_claim *out);

/* True if it is a living entry, not expired at `now`, with valid namespace and key. */
bool entry_claim_of(const struct memory *m, int64_t now, struct arena *arena,
                    struct entry_claim *out);
/*
 * ERROR_CONFLICT if `after` occupies a key that `before` (may be NULL) did not occupy and another
 * entry does. *over (may be NULL) becomes the row of an expired entry with that key, which must be
 * swept first; 0 if none. O(log n); nothing for other kinds.
 */
int entry_claim_check(struct db *db, const struct memory *before, const struct memory *after,
                      int64_t now, int64_t *over, struct error *e);

/*
 * Values of entries that were overwritten, edited or reverted before they expired. The patch of
 * that event has the value, for undo, until it expires: that time is in event.expires. Then it is
 * swept (store/entries).
 */

/*
 * The expiry of the value that a patch has; 0 if it has none, or one that never expires. `fields`
 * is the patch of a change of `before`; `whole` if it has the whole memory.
 */
int64_t entry_patch_expiry(const struct memory *before, const char *fields, size_t len, bool whole);

/*
 * Calls `each` with the expiry for each event of an entry whose patch exists, newest first.
 * Non-zero ends it, a negative value as an error. O(their patches), in little memory.
 */
int entry_patch_expiry_walk(struct db *db, const struct memory *now,
                            int (*each)(void *arg, int64_t seq, int64_t expires), void *arg,
                            struct error *e);

/* Fills the column event.expires, when a store is upgraded. */
int entry_patch_expiry_fill(struct db *db, struct error *e);

/* The masked key as text: `[REDACTED]_` and `shown` of its row in base 32. Equal keys give equal texts. */
int entry_masked_key(struct reader *r, struct arena *arena, const char *name, const char *key,
                     const char **out, struct error *e);

/*
 * The namespace of an entry, by the row of its memory, in the arena. *name is NULL if it is not an
 * entry with a row.
 */
int entry_namespace(struct reader *r, struct arena *arena, int64_t node, const char **name,
                    struct error *e);

/*
 * The length of the prefix of a key that anybody may see, by the built-in patterns and those of
 * `pii` (may be NULL).
 */
size_t entry_open(const struct pii *pii, const char *key, size_t len);

#endif
