/*
 * Entries: JSON values under a key in a namespace. An entry is a memory of kind `entry`: its text
 * is the key; namespace, key, value and expires_at are members of its detail. Each put makes a new
 * version of it.
 *
 * The table `entry` is an index over these details, written with the memory
 * (store/record/entry_row.h). These functions do not check permissions; the guard and the callers
 * do.
 */
#ifndef STEMMA_ENTRY_H
#define STEMMA_ENTRY_H

#include "model/policy/permission.h"
#include "store/db/db.h"
#include "store/record/entry_row.h"
#include "store/txn/writer.h"
#include "store/ops/fix.h"

struct entry {
    int64_t node;
    struct ref ref;
    const char *namespace_, *key;
    const char *value; /* JSON text as it was put */
    int64_t version, created_at, updated_at;
    int64_t expires_at; /* ms since 1970; 0 if it never expires */
    int64_t bytes;      /* size of the value */
};

/*
 * Reads the entry of the namespace `name` with that key, or with that opaque key
 * (entry_masked_key). The strings are in the arena. ERROR_NOT_FOUND if there is none or if it has
 * expired; both look the same to the caller.
 */
int entry_get(struct reader *r, struct arena *arena, const char *name, const char *key,
              struct entry *out, struct error *e);

/* Sets *memory to the row of the living entry with that key or opaque key, expired or not; 0 if
 * there is none. */
int entry_find(struct db *db, const char *name, const char *key, int64_t *memory, struct error *e);
/* Sets ERROR_NOT_FOUND without repeating the key and returns -1. */
int entry_not_found(const char *name, struct error *e);

/* ---- a namespace as a list ---- */

struct entry_query {
    const char *namespace_;
    /* NULL for all keys. Of a key with personal data, only the part before that data is compared. */
    const char *prefix;
    const char *cursor; /* entry_page.cursor of the previous page; NULL for the first page */
    size_t limit;       /* at least 1 */
    /* keys in which it finds personal data are replaced by opaque keys; NULL to show all */
    const struct pii *pii;
};
struct entry_page {
    const char **keys; /* keys or opaque keys, sorted by the bytes of the keys; in the arena */
    int64_t *nodes;
    size_t count;
    int64_t masked;     /* number of opaque keys */
    const char *cursor; /* encrypted, reveals no key; NULL on the last page */
    int64_t total;      /* all matching entries */
};
/* Lists a page of a namespace. ERROR_INVALID if the cursor is damaged or belongs to another query.
 * Puts and deletes between two pages never repeat or skip other entries. */
int entry_list(struct reader *r, struct arena *arena, const struct entry_query *query,
               struct entry_page *out, struct error *e);

/* ---- writing ---- */

struct entry_put {
    const char *namespace_, *key; /* valid; the key may be an opaque one */
    const char *value;            /* valid JSON without surrounding white space */
    size_t value_len;
    int64_t ttl_seconds;                   /* -1 if it never expires; 0 to expire at once */
    const struct namespace_policy *policy; /* quota and eviction; NULL for no limit */
    const char *reason;                    /* NULL if none */
};
struct entry_done {
    int64_t node, version;
    struct ref ref;  /* in the arena */
    int64_t evicted; /* number of entries evicted to make room */
};
/*
 * Stores a value inside a running transaction: as a new version of the entry with that key (expired
 * or not), or as a new entry of the actor's agent. Expired entries take no room.
 *
 * ERROR_QUOTA if the namespace has no room for it, by number or by bytes. ERROR_REFUSED if the
 * actor is an agent and a person locked, approved, quarantined, retracted or deleted the entry.
 */
int entry_put(struct txn *t, const struct actor *actor, const struct entry_put *put,
              struct arena *arena, struct entry_done *out, struct error *e);
/* ERROR_NOT_FOUND if there is no such entry or it has expired; ERROR_REFUSED as for entry_put. */
int entry_delete(struct txn *t, const struct actor *actor, const char *name, const char *key,
                 const char *reason, struct arena *arena, struct error *e);

/*
 * Sweeps expired values: erases them from the memory and from the journal's patches, and sets the
 * status to expired. Labels of memories based on the entry do not change. Entries that were
 * deleted, forgotten or retracted before they expired lose the value too, but keep their status.
 * Older values that have expired are erased from the journal with everything before them; the
 * current value stays.
 *
 * Each sweep is an event of `actor`. One call sweeps at most `most` current and at most `most`
 * older values; *left is set if there are more.
 */
int entry_sweep(struct txn *t, const struct actor *actor, size_t most, bool *left, struct error *e);
/* Returns the time of the next expiry that is not swept yet, in ms since 1970; 0 if there is none,
 * -1 on error. */
int64_t entry_next_expiry(struct reader *r, struct error *e);

/* ---- for the explorer ---- */

struct namespace_row {
    const char *name;
    int64_t items, bytes; /* without expired entries */
    int64_t expired;      /* swept, evicted or waiting for the sweep */
    int64_t updated_at;   /* last put; 0 if the namespace is empty */
};
/* Lists all namespaces by name, in the arena. O(namespaces). */
int namespace_list(struct reader *r, struct arena *arena, struct namespace_row **out, size_t *count,
                   struct error *e);
/* Adds an empty row for each quota that applies to none of the rows yet, named as its pattern; by name. */
void namespace_add_quotas(const struct permissions *p, struct arena *arena,
                          struct namespace_row **rows, size_t *count);
/*
 * Lists the unexpired entries of a namespace by key, starting after the key `after` (NULL for the
 * start). `value` holds at most the first `value_max` bytes, in whole characters. Nothing is
 * masked.
 */
int entry_rows(struct reader *r, struct arena *arena, const char *name, const char *after,
               size_t limit, size_t value_max, struct entry **out, size_t *count, struct error *e);

/*
 * Sweeps expired entries while a process keeps the store open (entry_sweep). A main loop has one
 * sweeper and uses it from its own thread only. Sweepers of several processes do not disturb each
 * other.
 */
struct sweeper;
/* The store must stay open until sweeper_close. */
struct sweeper *sweeper_new(struct store *s);
/* Call after a write: it may have added an entry that expires earlier. */
void sweeper_wake(struct sweeper *w);
/* Returns the ms until sweeper_run has something to do; -1 for never. */
int sweeper_due(const struct sweeper *w);
/* Checks for expired entries if it is time to, and submits a sweep to the writer. Does not wait for
 * it. */
void sweeper_run(struct sweeper *w, struct reader *r);
/*
 * Waits for a running sweep, which gives up soon if it cannot get the write lock. `w` may be NULL.
 */
void sweeper_close(struct sweeper *w);

#endif
