/*
 * The log of calls as a chain, like the journal's: each row's canonical text is hashed with the hash of
 * the row before. The rows are numbered from 1 without a gap. A session's first row, CALL_SESSION, commits
 * to what its row in `session` said when it began, and a CALL_NAMED to what it says since its client called itself
 * something else: who it was does not change unseen. Both are no calls, and nobody is shown them. For store/ alone.
 */
#ifndef STEMMA_CALL_CHAIN_H
#define STEMMA_CALL_CHAIN_H

#include "call_guard.h"
#include "txn.h"

#define CALL_SESSION  "(session)" /* a tool's or a method's name has no parentheses */
#define CALL_NAMED    "(named anew)"
#define CALL_MADE     "tool NOT IN ('" CALL_SESSION "', '" CALL_NAMED "')" /* in SQL: a call, then */
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
