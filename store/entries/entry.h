/*
 * Entries: JSON values under a key in a namespace. Each is a memory of the kind `entry` (its text is the
 * key; namespace, key, value and expires_at are its detail), and each put of it another version.
 *
 * What they are found by stands in a table of its own next to them, which repeats what the memory says
 * and is written with it. Nobody is asked here whether he may: see guard.h and the callers.
 */
#ifndef STEMMA_ENTRY_H
#define STEMMA_ENTRY_H

#include "model/pii/pii.h"
#include "model/policy/permission.h"
#include "store/db/db.h"
#include "store/record/entry_row.h"
#include "store/txn/writer.h"

struct entry {
    int64_t node;
    struct ref ref;
    const char *namespace_, *key;
    const char *value; /* JSON text as it was put */
    int64_t version, created_at, updated_at;
    int64_t expires_at; /* ms since the epoch; 0: never */
    int64_t bytes;      /* of the value */
};

/*
 * The entry of that namespace that has that key, or whose shown key (entry_shown_key) that is; in the arena.
 * ERROR_NOT_FOUND: there is none, or it has expired by now, which are told alike.
 */
int entry_get(struct reader *r, struct arena *arena, const char *name, const char *key,
              struct entry *out, struct error *e);

/* The memory of that key, or shown key, that counts, expired or not; 0: none lives. */
int entry_find(struct db *db, const char *name, const char *key, int64_t *memory, struct error *e);
/* ERROR_NOT_FOUND that does not repeat the key. */
int entry_not_there(const char *name, struct error *e);

/* ---- a namespace as a list ---- */

struct entry_query {
    const char *namespace_;
    const char
        *prefix; /* NULL: all. Of a key with personal data what is before that alone is compared */
    const char *cursor;    /* entry_page.cursor of the page before; NULL: from the beginning */
    size_t limit;          /* at least 1 */
    const struct pii *pii; /* keys with personal data are shown by their hash; NULL: as they are */
};
struct entry_page {
    const char **keys; /* as they are to be shown, by the bytes of the keys; in the arena */
    int64_t *nodes;
    size_t count;
    int64_t masked;     /* how many of them are not shown as they are */
    const char *cursor; /* opaque, says nothing of a key; NULL: there is no more */
    int64_t total;      /* of all that match */
};
/* ERROR_INVALID: the cursor is none, or of another query. What is put or taken away between two pages makes no
 * other entry come twice or be skipped. */
int entry_list(struct reader *r, struct arena *arena, const struct entry_query *query,
               struct entry_page *out, struct error *e);

/* ---- writing ---- */

struct entry_put {
    const char *namespace_, *key; /* valid; the key may be a shown one */
    const char *value;            /* JSON, checked, without white space around it */
    size_t value_len;
    int64_t ttl_seconds;                   /* -1: it never expires; 0: at once */
    const struct namespace_policy *policy; /* quota and eviction; NULL: no limit */
    const char *reason;                    /* NULL: none */
};
struct entry_done {
    int64_t node, version;
    struct ref ref;  /* in the arena */
    int64_t evicted; /* how many gave way to it */
};
/*
 * Puts it in a transaction of others: a new version of the entry that is there (expired or not), else another
 * memory of the actor's agent. ERROR_QUOTA: it does not fit, by items or by bytes; ERROR_REFUSED: a person
 * protected, verified, quarantined, retracted or deleted it, and the actor is an agent. What has expired makes
 * room first.
 */
int entry_put(struct txn *t, const struct actor *actor, const struct entry_put *put,
              struct arena *arena, struct entry_done *out, struct error *e);
/* ERROR_NOT_FOUND: neither there nor unexpired; ERROR_REFUSED as above. */
int entry_delete(struct txn *t, const struct actor *actor, const char *name, const char *key,
                 const char *reason, struct arena *arena, struct error *e);

/*
 * Sweeping: what has expired loses its value for good, in the memory and in the journal's patches, and its
 * status says so; what rests on it keeps its label. What was deleted, forgotten or retracted before it expired is
 * swept like the others and stays what it is. So is what was put over, edited away or taken back before its own time
 * was over, with all that came before it; what the entry is by then stays. Each is an event of `actor`. At most `most`
 * of what is and of what was in one transaction; *left: there are more.
 */
int entry_sweep(struct txn *t, const struct actor *actor, size_t most, bool *left, struct error *e);
/* When the next value expires that is not swept, ms since the epoch; 0: none will. -1 */
int64_t entry_next_expiry(struct reader *r, struct error *e);

/* ---- for who reviews ---- */

struct namespace_row {
    const char *name;
    int64_t items, bytes; /* that have not expired */
    int64_t expired;      /* that were swept or evicted, or wait to be */
    int64_t updated_at;   /* of the last put; 0: nothing is there any more */
};
/* All of them by name, in the arena. O(namespaces). */
int namespace_list(struct reader *r, struct arena *arena, struct namespace_row **out, size_t *count,
                   struct error *e);
/* Those entries of a namespace that are there, `after` a key (NULL: from the first), by their keys; whole but for
 * `value`, which is at most its first `value_max` bytes, in whole characters. Nothing is masked. */
int entry_rows(struct reader *r, struct arena *arena, const char *name, const char *after,
               size_t limit, size_t value_max, struct entry **out, size_t *count, struct error *e);

#endif
