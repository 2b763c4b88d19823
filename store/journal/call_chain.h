/*
 * The log of calls as a chain, like the journal's: each row's canonical text is hashed with the hash of
 * the row before. The rows are numbered from 1 without a gap. A session's first row, CALL_SESSION, commits
 * to what its row in `session` said when it began, and a CALL_NAMED to what it says since its client called itself
 * something else: who it was does not change unseen. Both are no calls, and nobody is shown them. For store/ alone.
 */
#ifndef STEMMA_CALL_CHAIN_H
#define STEMMA_CALL_CHAIN_H

#include "store/journal/call_guard.h"
#include "store/txn/txn.h"

#define CALL_SESSION "(session)" /* a tool's or a method's name has no parentheses */
#define CALL_NAMED   "(named anew)"
#define CALL_MADE    "tool NOT IN ('" CALL_SESSION "', '" CALL_NAMED "')" /* in SQL: a call, then */
/*
 * In SQL, how many lines tell of a row: one for each way that its calls came out (call_times.c), save that what a tool of
 * entries wrote is told by its event (call_outcome.h), and that a session's rows are no calls. Each run of times has a
 * comma, and none or one letter, so that calls succeeded where there are more commas.
 */
#define CALL_SILENT        "tool IN ('putMemory', 'deleteMemory', '" CALL_SESSION "', '" CALL_NAMED "')"
#define CALL_LACKS(letter) ", '" letter "', '')"
#define CALL_HAS(letter)   " + (instr(times, '" letter "') > 0)"
#define CALL_LINES                                                                                 \
    "iif(times NOT GLOB '*[a-wyz]*', NOT " CALL_SILENT ", (NOT " CALL_SILENT                       \
    " AND length(times) - length(replace(times, ',', '')) > length(times) - length("               \
    "replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("     \
    "replace(times" CALL_LACKS("n") CALL_LACKS("u") CALL_LACKS("i") CALL_LACKS("s")                \
        CALL_LACKS("b") CALL_LACKS("m") CALL_LACKS("r") CALL_LACKS("c") CALL_LACKS("t")            \
            CALL_LACKS("p") CALL_LACKS("q") CALL_LACKS("l") "))" CALL_HAS("n") CALL_HAS("u")       \
                CALL_HAS("i") CALL_HAS("s") CALL_HAS("b") CALL_HAS("m") CALL_HAS("r")              \
                    CALL_HAS("c") CALL_HAS("t") CALL_HAS("p") CALL_HAS("q") CALL_HAS("l") ")"
/* Of the rows up to ?1, which are numbered from 1: nearly all are one line, and the index call_lines has the others (`+`
 * keeps SQLite from the numbers' own). */
#define CALL_COUNT                                                                                 \
    "SELECT ?1 + coalesce(sum(" CALL_LINES " - 1), 0) FROM call WHERE " CALL_LINES                 \
    " <> 1 AND +id <= ?1"
#define CALL_UNLOGGED "(not logged)" /* calls for which there was no room: only how many */

struct call_entry {
    int64_t session; /* its row */
    int64_t at;      /* of the first call */
    const char *tool;
    int64_t subject;   /* a memory's row; 0: none */
    size_t count;      /* of the calls */
    const char *times; /* see call_times.h */
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
