/*
 * The log of calls as a hash chain, like the journal: the hash of a row covers its canonical text
 * and the hash of the row before. Rows are numbered from 1 without a gap. `struct call_entry` is a
 * row, `struct call_times` the times and outcomes of the calls in it, `struct call_guard` what the
 * guard did. Only for store/.
 */
#ifndef STEMMA_CALL_CHAIN_H
#define STEMMA_CALL_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "store/db/schema.h"
#include "store/txn/txn.h"

/* Time that calls of entry tools spent in each part, in microseconds. */
struct call_spans {
    int64_t permission_us, pii_us, store_us;
};

/*
 * Details of a row: the namespace, for whom, the trace, what was masked, how long the parts took.
 * Stored as a small JSON object, which the chain covers by its digest. An empty one is not stored;
 * rows from before version 5 have none. Strings may be NULL.
 */
struct call_guard {
    const char *namespace_;
    const char *agent; /* the agent, if it is not the session's */
    const char *task;  /* from the request */
    const char *traceparent;
    int64_t redactions; /* sum over all answers, like the spans */
    struct call_spans spans;
};

bool call_guard_is_empty(const struct call_guard *g);
/* Adds the counts of `more` to `g`. */
void call_guard_sum(struct call_guard *g, const struct call_guard *more);
/*
 * The times and outcomes of the calls of a row, as text: "1700000000000,0x20,1x21,3r" is 20 calls
 * in the first millisecond, 21 in the next and, three later, one that was refused. A run is calls
 * with the same millisecond and outcome, so 20,000 equal calls in a second take a few kilobytes.
 */
struct call_times {
    struct strbuf text;       /* the closed runs */
    int64_t first, last, run; /* times of the first call, the last closed run, the open run */
    size_t count;             /* of all calls */
    size_t open;              /* of the open run */
    enum error_code outcome;  /* of the open run */
};

/* The most calls in a row: a reader allocates arrays of this size. */
#define CALL_TIMES_MAX (1u << 18)

void call_times_init(struct call_times *t);
void call_times_release(struct call_times *t);
/* Adds a call. `at` is in ms since the epoch, in any order. */
void call_times_add(struct call_times *t, int64_t at, enum error_code outcome);
/* Adds `count` calls. Beyond CALL_TIMES_MAX calls call_times_read rejects the text. */
void call_times_add_many(struct call_times *t, int64_t at, enum error_code outcome, size_t count);
/* Closes the open run, which completes `text`. */
void call_times_close(struct call_times *t);

/* Reads the text into arrays of *count elements in the arena. Returns -1 if it is malformed. */
int call_times_read(const char *text, struct arena *arena, int64_t **at, enum error_code **outcome,
                    size_t *count);

/*
 * A session's first row, CALL_SESSION, commits to the identity columns of its row in `session`; a
 * CALL_NAMED row commits to them again after the client changed its name. So the identity cannot be
 * altered unnoticed. These rows are not calls and are not shown.
 */

#define CALL_MADE "tool NOT IN ('" CALL_SESSION "', '" CALL_NAMED "')" /* SQL: the row is a call */
struct call_entry {
    int64_t session; /* its row */
    int64_t at;      /* of the first call */
    const char *tool;
    int64_t subject;   /* a memory's row; 0 if none */
    size_t count;      /* of the calls */
    const char *times; /* see struct call_times */
    const char *about; /* call_about in hex for CALL_SESSION and CALL_NAMED, else NULL */
    const struct call_guard *guard; /* NULL if empty */
};
/* Appends a row. */
int call_append(struct txn *t, const struct call_entry *entry, struct error *e);
/* Appends a row that commits to the identity of a session. `tool` is CALL_SESSION or CALL_NAMED. */
int call_append_session(struct txn *t, const char *tool, int64_t session, int64_t at,
                        struct error *e);

/*
 * Writes the digest of the identity columns of a session's row. Returns 1, 0 if there is no such
 * row, -1 on error.
 */
int call_about(struct db *db, int64_t session, char hex[2 * DIGEST_SIZE + 1], struct error *e);

#endif
