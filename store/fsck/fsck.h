/* fsck: checks everything in a store against the journal, and rebuilds what can be made again. */
#ifndef STEMMA_FSCK_H
#define STEMMA_FSCK_H

#include "model/memory/memory.h"
#include "store/db/store.h"

enum fsck_fault {
    FSCK_DATABASE,       /* SQLite's own check, or a missing table or index */
    FSCK_EVENT_ALTERED,  /* an event's hash, columns, salt or patch do not fit its canonical text */
    FSCK_CHAIN_BROKEN,   /* an event does not follow the one before: one was removed or put in */
    FSCK_TAIL_CUT,       /* the head file knows of more events than there are, or of another hash */
    FSCK_ROW_ALTERED,    /* a memory is not what its last event committed to */
    FSCK_ROW_UNRECORDED, /* a memory without an event, or an event without its memory */
    FSCK_LINK_BROKEN,    /* a memory names a row that is gone */
    FSCK_HEAD,           /* the head file is there and cannot be read */
    FSCK_IMPORT,         /* what is kept of an import is wrong or gone */
    FSCK_SEARCH,         /* the search index is damaged, or says other than the memories */
    FSCK_CALL_ALTERED,   /* a row of the log of calls does not fit its canonical text or its hash */
    FSCK_CALLS_BROKEN,   /* one of its rows was removed or put in */
    FSCK_CALLS_CUT,      /* the head file knows of more of them, or of another hash */
    FSCK_SESSION,        /* a session is not what the log of calls and the journal say of it */
    FSCK_FAULT_COUNT
};
struct fsck_finding {
    enum fsck_fault fault;
    int64_t seq;      /* of the event, or of the row of the log of calls; 0: none */
    struct ref ref;   /* id NULL: none */
    const char *what; /* a sentence that is whole by itself, without its full stop */
    const char *todo; /* what to do next: one sentence, or several */
};
struct fsck_summary {
    int64_t events, memories, links, findings;
    int64_t calls;      /* rows of the log of calls */
    int64_t nameless;   /* entries that live and are in no namespace, for they lack a name */
    int64_t hidden;     /* and ones whose key a later one has, which is listed instead */
    int64_t hmacs;      /* events that carry one */
    bool hmacs_checked; /* there is a key */
    bool head_found;    /* and it can be read */
    bool head_broken;   /* a finding says why */
};
/*
 * Checks everything; `each` gets each finding, `progress` (may be NULL) is called now and then and
 * stops it with non-zero (ERROR_INTERRUPTED). -1 only where the check itself cannot run.
 */
int store_fsck(struct reader *r, void (*each)(void *arg, const struct fsck_finding *finding),
               int (*progress)(void *arg, int64_t done, int64_t total), void *arg,
               struct fsck_summary *summary, struct error *e);

/*
 * Makes the search index anew from the memories as they are, through the writer, in one transaction;
 * *count of them. `progress` is called in the writer's thread while the caller waits.
 */
int store_rebuild_search(struct store *s, int (*progress)(void *arg, int64_t done, int64_t total),
                         void *arg, int64_t *count, struct error *e);

/*
 * `path` could not be opened as a store to check, for the reason in `e`: says there what the file is,
 * as far as its bytes tell, where fsck itself cannot help.
 */
void store_name_damaged(const char *path, struct error *e);

#endif
