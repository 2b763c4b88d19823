/* fsck compares everything in a store with the journal and reports what differs. It can also
 * rebuild the search index. */
#ifndef STEMMA_FSCK_H
#define STEMMA_FSCK_H

#include "model/base/digest.h"
#include "model/memory/memory.h"
#include "store/db/store.h"

enum fsck_fault {
    FSCK_DATABASE, /* SQLite's own check failed, or a table or index is missing */
    FSCK_LOG,      /* valid frames of the write-ahead log after a damaged one, and their events */
    FSCK_EVENT_ALTERED, /* hash, columns, salt or patch of an event do not fit its canonical text */
    FSCK_CHAIN_BROKEN,  /* an event does not follow the one before: one was removed or inserted */
    FSCK_TAIL_CUT,      /* the head file knows more events than the journal has, or another hash */
    FSCK_ROW_ALTERED,   /* a memory is not what its last event committed to */
    FSCK_ROW_UNRECORDED, /* a memory without an event, or an event without its memory */
    FSCK_LINK_BROKEN,    /* a memory refers to a missing row */
    FSCK_HEAD,           /* the head file exists but cannot be read */
    FSCK_IMPORT,         /* the record of an import is wrong or missing */
    FSCK_SEARCH,         /* the search index is damaged or does not match the memories */
    FSCK_CALL_ALTERED,   /* a row of the call log does not fit its canonical text or its hash */
    FSCK_CALLS_BROKEN,   /* a row of the call log was removed or inserted */
    FSCK_CALLS_CUT,      /* the head file knows more calls than the log has, or another hash */
    FSCK_SESSION,        /* a session does not match the call log and the journal */
    FSCK_TEAM,           /* the team's journal is not what this replica has of it (store/team) */
    FSCK_FAULT_COUNT
};
struct fsck_finding {
    enum fsck_fault fault;
    int64_t seq;      /* number of the event or of the call; 0 if none */
    struct ref ref;   /* id is NULL if none */
    const char *what; /* a complete sentence without a full stop */
    const char *hint; /* what to do next: one or more sentences */
};
struct fsck_summary {
    int64_t events, memories, links, findings;
    int64_t calls;      /* rows of the call log */
    int64_t ahead;      /* events with a time that the clock has not reached */
    int64_t nameless;   /* living entries without a key, which are in no namespace */
    int64_t hidden;     /* living entries hidden by a later one with the same key */
    int64_t hmacs;      /* events with an HMAC */
    bool hmacs_checked; /* a key was available */
    bool head_found;    /* the head file exists and can be read */
    bool first_seen;    /* there is none, and the store has no note of one at this path */
    struct digest hash; /* of the last event; zeros if there is none */
};
/*
 * Checks everything. If it finds nothing in a store that it sees first, it writes the head file, so
 * that it notices next time what was cut (not for a read-only store). `each` is called for each finding. `progress` may
 * be NULL; it is called regularly, and a non-zero result stops the check with ERROR_INTERRUPTED. Returns -1 only if the
 * check itself cannot run.
 */
int store_fsck(struct reader *r, void (*each)(void *arg, const struct fsck_finding *finding),
               int (*progress)(void *arg, int64_t done, int64_t total), void *arg,
               struct fsck_summary *summary, struct error *e);

/*
 * Looks in the journal for a hash that a person kept, and sets *seq to its event. If that is the
 * last one, `accept` writes the head file anew (not for a read-only store), since the person
 * vouches for it. Returns 1 if it is the last; 0 if not, and if there is none at all (*seq is 0)
 * with the reason in `e` (ERROR_CONFLICT); -1 with `e`.
 */
int store_expect_head(struct reader *r, const struct digest *expected, bool accept, int64_t *seq,
                      struct error *e);

/* Rebuilds the search index from the memories, in one transaction of the writer. *count is the
 * number of memories. `progress` is called in the writer thread while the caller waits. */
int store_rebuild_search(struct store *s, int (*progress)(void *arg, int64_t done, int64_t total),
                         void *arg, int64_t *count, struct error *e);

/* Call when `path` could not be opened as a store, with the reason in `e`. Adds to `e` what kind of
 * file it is, judged by its first bytes. */
void store_explain_unopenable(const char *path, struct error *e);

#endif
