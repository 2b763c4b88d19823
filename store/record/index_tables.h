/*
 * Derived index tables: lookup, attribution, and the terms of the search index. And access to the
 * members of a memory's detail. Only for store/.
 */
#ifndef STEMMA_INDEX_TABLES_H
#define STEMMA_INDEX_TABLES_H

#include "model/base/arena.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/txn/txn.h"

/* These tables have rows for memories of these statuses. Not for quarantined ones: agents read the tables by agent. */
#define STATUS_INDEXED(status) ((status) <= STATUS_RETRACTED)

/* ---- members of a memory's detail ---- */

/* The detail as JSON; ptr is NULL if it is absent or damaged (is_detail). */
struct json_slice detail_json(const char *detail);
/* The text of a JSON string, in the arena; *out is NULL if it is not a string or has a NUL. */
void detail_string(struct json_slice value, struct arena *arena, const char **out);
/* A member as JSON; ptr is NULL if absent. */
struct json_slice detail_member(const struct memory *m, const char *name);
/* A member that is a string, or an integer. */
void detail_text(const struct memory *m, const char *name, struct arena *arena, const char **out);
int64_t detail_int(const struct memory *m, const char *name, int64_t otherwise);
/*
 * Sets a member of a detail to a JSON value (NULL removes it), or to a text. The other members keep
 * their order. The result is in the arena. An invalid detail is not changed.
 */
void detail_set(const char **detail, struct arena *arena, const char *member, const char *json);
/* Keeps the name that the actor claimed, if it did, in the detail of a memory that it adds. */
void memory_claim(struct memory *m, const struct actor *actor, struct arena *arena);
void detail_set_text(const char **detail, struct arena *arena, const char *member,
                     const char *text);

/*
 * The terms that the search index has for a text: its distinct trigrams, from FTS5's own tokenizer.
 *
 * A set of terms is compared by the number of terms and the sum of their hashes, independent of
 * order. That detects damage and missing updates, not forgery.
 */
struct term_slot {
    uint64_t hash;
    uint32_t round; /* the round in which it was added */
};
struct terms {
    fts5_tokenizer api;
    Fts5Tokenizer *tokenizer;
    struct term_slot *slot; /* open addressing; slots of older rounds are free */
    size_t size;            /* a power of two, or 0 */
    uint32_t round;
    /* of the last text */
    uint32_t count;
    uint64_t sum;
    uint32_t met; /* number of terms with repetitions */
};

/* Close it before the connection. */
int terms_open(struct terms *t, struct db *db, struct error *e);
void terms_close(struct terms *t);

/* Computes `count` and `sum` of a text. O(length). */
int terms_compute(struct terms *t, const char *text, size_t len, struct error *e);

/*
 * Registers a function that queries can call for a matching row of the index
 * (https://sqlite.org/fts5.html#custom_auxiliary_functions).
 */
int terms_function(struct db *db, const char *name, fts5_extension_function function, void *arg,
                   struct error *e);

uint64_t term_hash(const char *term, size_t len);

/*
 * The table lookup: an index on fields of `detail`, with a row for each field of enum lookup_field.
 * It is derived and written with the memory. Its key is the first 128 bits of the value's SHA-256,
 * so that it has a fixed size and does not reveal the value. (An index on json_extract is not
 * possible: SQLite before 3.42 refuses these functions in an untrusted schema.)
 */

/* The numbers are stored: never renumber them. */
enum lookup_field {
    LOOKUP_CONVERSATION = 0, /* citations: conversation_id */
    LOOKUP_MESSAGE,          /* message_id */
    LOOKUP_CITED,            /* document_id as given */
    LOOKUP_URI,              /* attributions: source_uri */
    LOOKUP_CONTENT_HASH,     /* full_content_hash, in lower case */
    LOOKUP_QUESTION,         /* chains: their text, trimmed and case-folded */
    LOOKUP_RESPONSE,         /* citations: conversation_id, a NUL and message_id */
    LOOKUP_DOCUMENT_URI,     /* documents: uri */
    LOOKUP_COPY_OF,          /* attributions: the ref of the document they are a copy of */
    LOOKUP_CLAIMED,          /* all kinds: claimed_agent (memory_claim) */
    LOOKUP_COUNT
};

/*
 * Finds memories by the value of a field: their rows, newest first, at most `limit`, in the arena. `agent` NULL: of
 * all agents; otherwise rows of other agents are skipped in the index. O(log n + those).
 */
int lookup_rows(struct db *db, struct arena *arena, enum lookup_field field, const char *value,
                const char *agent, size_t limit, int64_t **out, size_t *count, struct error *e);

#define LOOKUP_KEY_SIZE 16 /* bytes */
/* The key of a value, for the caller's own queries. */
void lookup_key(uint8_t key[LOOKUP_KEY_SIZE], enum lookup_field field, const char *value);
/* The key of a response, for LOOKUP_RESPONSE. */
void lookup_response_key(uint8_t key[LOOKUP_KEY_SIZE], const char *conversation,
                         const char *message);

/* ---- writing and checking ---- */

#define LOOKUP_FIELDS_MOST 5 /* most rows of a memory */

struct lookup_row {
    enum lookup_field field; /* ascending in a memory */
    uint8_t key[LOOKUP_KEY_SIZE];
};
/* Computes the rows of a memory. */
void lookup_of(const struct memory *m, struct lookup_row out[LOOKUP_FIELDS_MOST], size_t *count);
/* False if a look at the memory tells that it has no rows. */
bool lookup_has(const struct memory *m);
struct put_tables;
int lookup_insert(struct db *db, const struct put_tables *to, const struct memory *m, int64_t agent,
                  struct error *e);
/* Updates the rows from `before` to `after`, for txn_put. Either may be NULL. */
int lookup_put(struct txn *t, const struct memory *before, const struct memory *after,
               struct error *e);

/*
 * The table attribution: what the log of attributions is filtered and ordered by, a row for each
 * listed attribution. It is derived and written with the memory.
 */

/* True if the memory has a row in the table. */
bool attribution_is_listed(const struct memory *m);
/*
 * The time of the retrieval, from the detail or else created_at, and the detail's source_type in
 * the arena (NULL if none).
 */
void attribution_of(const struct memory *m, struct arena *arena, int64_t *at, const char **type);
/* Does nothing if attribution_is_listed is false. */
int attribution_insert(struct db *db, const struct put_tables *to, const struct memory *m,
                       int64_t agent, struct error *e);

/* Updates the row from `before` to `after`, for txn_put. Either may be NULL. */
int attribution_put(struct txn *t, const struct memory *before, const struct memory *after,
                    struct error *e);

/*
 * Calls `insert` for the memories of a query that returns their rows and agents. Damaged ones are
 * skipped.
 */
typedef int (*fill_one)(struct db *db, const struct put_tables *to, const struct memory *m,
                        int64_t agent, struct error *e);
int record_fill_each(struct db *db, const char *sql, fill_one insert, struct error *e);

/* Fills the derived tables that a store of that older version did not have, for schema_migrate. */
int record_fill(struct db *db, int64_t version, struct error *e);

#endif
