/*
 * Tables that repeat parts of a memory, to find it by: lookup and attribution, and the terms of the search index.
 * And the members of a memory's detail, from which they are filled. Only store/ includes it.
 */
#ifndef STEMMA_INDEX_TABLES_H
#define STEMMA_INDEX_TABLES_H

#include "model/base/arena.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/txn/txn.h"

/* ---- members of a memory's detail, whatever others wrote there ---- */

/* The text of a detail, checked; ptr NULL where there is none or it is no JSON. */
struct json_slice detail_json(const char *detail);
/* A value that is a string, in the arena; *out NULL: it is none, or no text without NUL. */
void detail_string(struct json_slice value, struct arena *arena, const char **out);
/* A member as it stands; ptr NULL: absent. */
struct json_slice detail_member(const struct memory *m, const char *name);
/* The same of a member that is a string, and of one that is a whole number. */
void detail_text(const struct memory *m, const char *name, struct arena *arena, const char **out);
int64_t detail_int(const struct memory *m, const char *name, int64_t otherwise);
/* Sets a member of a detail to a JSON value (NULL: takes it away), or to a text; the others stay in their order. In the
 * arena; what is no JSON stays. */
void detail_set(const char **detail, struct arena *arena, const char *member, const char *json);
void detail_set_text(const char **detail, struct arena *arena, const char *member,
                     const char *text);

/*
 * The terms that the search index has of a text: its trigrams, each once, as FTS5's own tokenizer gives
 * them, so that nothing has to agree with it.
 *
 * A set of terms is told by how many they are and by the sum of their hashes, in any order. That finds
 * damage and neglect, not forgery.
 */

struct term_slot {
    uint64_t hash;
    uint32_t round; /* of the text that it was met in */
};
struct terms {
    fts5_tokenizer api;
    Fts5Tokenizer *tokenizer;
    struct term_slot *slot; /* open addressing; older rounds are as good as free */
    size_t size;            /* a power of two, or 0 */
    uint32_t round;
    /* of the text that was taken last */
    uint32_t count;
    uint64_t sum;
    uint32_t met; /* with repetitions */
};

/* The tokenizer lives no longer than the connection. */
int terms_open(struct terms *t, struct db *db, struct error *e);
void terms_close(struct terms *t);

/* Fills `count` and `sum`. O(length). */
int terms_take(struct terms *t, const char *text, size_t len, struct error *e);

/* Makes a function that statements may call for a row of the index that matches
 * (https://sqlite.org/fts5.html#custom_auxiliary_functions). */
int terms_function(struct db *db, const char *name, fts5_extension_function function, void *arg,
                   struct error *e);

uint64_t term_hash(const char *term, size_t len);

/*
 * The table lookup: what memories are found by in their detail, a row for each field of one that
 * is listed. It repeats what the memory says and is written with it. A value stands there as the
 * first 128 bits of its SHA-256, so that it costs the same whatever its length and says nothing
 * itself. (An index of json_extract would do, but SQLite before 3.42 refuses those functions in a
 * schema that is not trusted.)
 */

/* The numbers are stored: never renumber them. */
enum lookup_field {
    LOOKUP_CONVERSATION = 0, /* citations: conversation_id */
    LOOKUP_MESSAGE,          /* message_id */
    LOOKUP_CITED,            /* document_id, as it was given */
    LOOKUP_URI,              /* attributions: source_uri */
    LOOKUP_CONTENT_HASH,     /* full_content_hash, whatever the case of its digits */
    LOOKUP_QUESTION,         /* chains: their text, but for case and the white space around it */
    LOOKUP_RESPONSE,         /* citations: conversation_id, a NUL and message_id */
    LOOKUP_DOCUMENT_URI,     /* documents: uri */
    LOOKUP_COPY_OF,          /* attributions: the ref of the document they say to be a copy of */
    LOOKUP_COUNT
};

/*
 * The rows below `before` (INT64_MAX: all) of the memories that have that value there, newest first,
 * at most `limit`, in the arena. `agent` NULL: of all agents; of one it looks at the others' in the
 * index alone. O(log n + those).
 */
int lookup_rows(struct db *db, struct arena *arena, enum lookup_field field, const char *value,
                const char *agent, int64_t before, size_t limit, int64_t **out, size_t *count,
                struct error *e);

#define LOOKUP_KEY_SIZE 16 /* bytes */
/* What a value stands there as, for statements of one's own. */
void lookup_key(uint8_t key[LOOKUP_KEY_SIZE], enum lookup_field field, const char *value);
/* The same of a response: LOOKUP_RESPONSE. */
void lookup_response_key(uint8_t key[LOOKUP_KEY_SIZE], const char *conversation,
                         const char *message);

/* ---- for whoever writes and checks memories ---- */

#define LOOKUP_FIELDS_MOST 4 /* fields of a memory */

struct lookup_row {
    enum lookup_field field; /* ascending in a memory */
    uint8_t key[LOOKUP_KEY_SIZE];
};
/* The rows that the memory has, *count of them. */
void lookup_of(const struct memory *m, struct lookup_row out[LOOKUP_FIELDS_MOST], size_t *count);
/* Are memories of that kind found by anything? */
bool lookup_has(enum kind kind);
struct put_tables;
int lookup_insert(struct db *db, const struct put_tables *to, const struct memory *m, int64_t agent,
                  struct error *e);
/* Makes the rows what `after` says; for txn_put. Either may be NULL. */
int lookup_put(struct txn *t, const struct memory *before, const struct memory *after,
               struct error *e);

/*
 * The table of attributions: what the log is filtered and ordered by, a row for each that is listed.
 * It repeats what the memory says and is written with it.
 */

/* Is it one that has a row? */
bool attribution_is_listed(const struct memory *m);
/* When it was retrieved: a number of its detail, else when it was created. And the detail's source_type in the arena;
 * *type is NULL where it has none. */
void attribution_of(const struct memory *m, struct arena *arena, int64_t *at, const char **type);
/* Nothing where it is none that is listed. */
int attribution_insert(struct db *db, const struct put_tables *to, const struct memory *m,
                       int64_t agent, struct error *e);

/* Makes the row what `after` says; for txn_put. Either may be NULL. */
int attribution_put(struct txn *t, const struct memory *before, const struct memory *after,
                    struct error *e);

/* Calls `insert` for the memories whose rows and agents the statement gives; a damaged one is passed over. */
typedef int (*fill_one)(struct db *db, const struct put_tables *to, const struct memory *m,
                        int64_t agent, struct error *e);
int record_fill_each(struct db *db, const char *sql, fill_one insert, struct error *e);

/* Makes the rows of all tables that repeat parts of memories and that a store of that older version lacked: for
 * schema_migrate. */
int record_fill(struct db *db, int64_t version, struct error *e);

#endif
