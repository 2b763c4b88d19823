/*
 * The log of calls as a chain, like the journal's: each row's canonical text is hashed with the hash of the row
 * before. The rows are numbered from 1 without a gap. `struct call_entry` is a row, `struct call_times` the times
 * and outcomes of the calls that share it, `struct call_guard` what else it says. Only store/ includes it.
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

/* What calls of tools of entries took in each of their parts, in microseconds. */
struct call_spans {
    int64_t permission_us, pii_us, store_us;
};

/*
 * What a row of the log says next to who asked for what: the namespace, the trace, for whom, what was masked, how
 * long its parts took. The row keeps it as one small object of JSON, which the chain covers by its digest. A row
 * with nothing to say has none, nor has any row from before version 5. Strings may be NULL: there is none.
 */
struct call_guard {
    const char *namespace_;
    const char *agent; /* in whose name, where that is not the session's */
    const char *task;  /* that the requests said themselves */
    const char *traceparent;
    int64_t redactions; /* in all the answers together; the same of spans */
    struct call_spans spans;
};

/* Nothing is to be said. */
bool call_guard_is_empty(const struct call_guard *g);
/* Adds what `more` counted. */
void call_guard_sum(struct call_guard *g, const struct call_guard *more);
/*
 * The times and outcomes of calls that share a row, as text: "1700000000000,0x20,1x21,3r" is 20 calls in
 * the first millisecond, 21 in the next and, three later, one that was refused. Runs of the same
 * millisecond and outcome are one, so 20,000 equal calls in a second take a few kilobytes.
 */
struct call_times {
    struct strbuf text;       /* the runs that are closed */
    int64_t first, last, run; /* when: the first call, the last closed run, the open one */
    size_t count;             /* of all calls */
    size_t open;              /* of the open run */
    enum error_code outcome;  /* of the open run */
};

/* How many calls may share a row: what reads one allocates for so many. */
#define CALL_TIMES_MAX (1u << 18)

void call_times_init(struct call_times *t);
void call_times_release(struct call_times *t);
/* `at` in ms since the epoch, in any order. */
void call_times_add(struct call_times *t, int64_t at, enum error_code outcome);
/* That many at once; together no more than CALL_TIMES_MAX, or none reads them back. */
void call_times_add_many(struct call_times *t, int64_t at, enum error_code outcome, size_t count);
/* Closes the open run: `text` is all of it. */
void call_times_close(struct call_times *t);

/* The other way: arrays in the arena, *count of each. -1: it is no such text. */
int call_times_read(const char *text, struct arena *arena, int64_t **at, enum error_code **outcome,
                    size_t *count);

/*
 * A session's first row, CALL_SESSION, commits to what its row in `session` said when it began, and a CALL_NAMED to
 * what it says since its client called itself something else: so who it was cannot change unseen. Neither is a call,
 * and nobody is shown them.
 */

#define CALL_MADE "tool NOT IN ('" CALL_SESSION "', '" CALL_NAMED "')" /* in SQL: a call, then */
struct call_entry {
    int64_t session; /* its row */
    int64_t at;      /* of the first call */
    const char *tool;
    int64_t subject;   /* a memory's row; 0: none */
    size_t count;      /* of the calls */
    const char *times; /* see struct call_times */
    const char *about; /* of a CALL_SESSION or CALL_NAMED: call_about in hex; else NULL */
    const struct call_guard *guard; /* NULL: it has nothing to say */
};
/* Appends it. */
int call_append(struct txn *t, const struct call_entry *entry, struct error *e);
/* Appends a row that commits to who that session is: its first, CALL_SESSION, or a CALL_NAMED. */
int call_append_session(struct txn *t, const char *tool, int64_t session, int64_t at,
                        struct error *e);

/* What these say of the row of a session: a digest of the columns that tell who it is. 1; 0: there
 * is no such row. */
int call_about(struct db *db, int64_t session, char hex[2 * DIGEST_SIZE + 1], struct error *e);

#endif
