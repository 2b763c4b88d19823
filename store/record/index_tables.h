/*
 * The table found_by: what memories are found by in their detail, a row for each field of one that
 * is listed. It repeats what the memory says and is written with it. A value stands there as the
 * first 128 bits of its SHA-256, so that it costs the same whatever its length and says nothing
 * itself. (An index of json_extract would do, but SQLite before 3.42 refuses those functions in a
 * schema that is not trusted.) For store/ alone.
 */
#ifndef STEMMA_INDEX_TABLES_H
#define STEMMA_INDEX_TABLES_H

#include "store/txn/txn.h"

/* The numbers are stored: never renumber them. */
enum found_by {
    FOUND_BY_CONVERSATION = 0, /* citations: conversation_id */
    FOUND_BY_MESSAGE,          /* message_id */
    FOUND_BY_CITED,            /* document_id, as it was given */
    FOUND_BY_URI,              /* attributions: source_uri */
    FOUND_BY_CONTENT_HASH,     /* full_content_hash, whatever the case of its digits */
    FOUND_BY_QUESTION,         /* chains: their text, but for case and the white space around it */
    FOUND_BY_RESPONSE,         /* citations: conversation_id, a NUL and message_id */
    FOUND_BY_DOCUMENT_URI,     /* documents: uri */
    FOUND_BY_COPY_OF,          /* attributions: the ref of the document they say to be a copy of */
    FOUND_BY_COUNT
};

/*
 * The rows below `before` (INT64_MAX: all) of the memories that have that value there, newest first,
 * at most `limit`, in the arena. `agent` NULL: of all agents; of one it looks at the others' in the
 * index alone. O(log n + those).
 */
int found_by_rows(struct db *db, struct arena *arena, enum found_by field, const char *value,
                  const char *agent, int64_t before, size_t limit, int64_t **out, size_t *count,
                  struct error *e);

#define FOUND_BY_KEY 16 /* bytes */
/* What a value stands there as, for statements of one's own. */
void found_by_key(uint8_t key[FOUND_BY_KEY], enum found_by field, const char *value);
/* The same of a response: FOUND_BY_RESPONSE. */
void found_by_response_key(uint8_t key[FOUND_BY_KEY], const char *conversation,
                           const char *message);

/* ---- for whoever writes and checks memories ---- */

#define FOUND_BY_MOST 4 /* fields of a memory */

struct found_by_row {
    enum found_by field; /* ascending in a memory */
    uint8_t key[FOUND_BY_KEY];
};
/* The rows that the memory has, *count of them.. */
void found_by_of(const struct memory *m, struct found_by_row out[FOUND_BY_MOST], size_t *count);
/* Are memories of that kind found by anything? */
bool found_by_has(enum kind kind);
/* Puts them into `table` ("main.found_by"…: the statement that inserts memory, field, key, agent). */
int found_by_insert(struct db *db, const char *insert, const struct memory *m, int64_t agent,
                    struct error *e);
/* Makes the rows what `after` says; for txn_put. Either may be NULL. */
int found_by_put(struct txn *t, const struct memory *before, const struct memory *after,
                 struct error *e);
/* Makes the rows of all memories there are, for a store that had none yet. */
int found_by_fill(struct db *db, struct error *e);

/*
 * The table of attributions: what the log is filtered and ordered by, a row for each that is listed.
 * It repeats what the memory says and is written with it. For store/ alone.
 */

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
