/*
 * The journal: every change is one event in the transaction that makes it.
 *
 * An event's canonical text holds refs and salted commitments, never content; its hash covers the
 * one before. What a change needs to be undone and its reason are the patch, which is committed to
 * as well. fsck walks the chain, compares it with the head file and each memory with its last
 * commitment.
 */
#ifndef STEMMA_JOURNAL_H
#define STEMMA_JOURNAL_H

#include "store/txn/writer.h"

struct event {
    int64_t seq, at, subject;
    int64_t session; /* in which it was made; 0: none */
    int64_t about;   /* the one that a person decided about, which he did in none; 0: none */
    struct ref ref;  /* of the subject; id NULL: none */
    const char *actor, *agent, *origin, *operation, *correlation, *reason;
    const char *class_name;     /* "person", "agent" */
    const char *before, *after; /* commitments in hex, or NULL */
    const char *patch;          /* JSON, or NULL */
    int64_t undoes;             /* the event that it takes back; 0: none */
};
/* Events with seq > `after` in order, at most `limit`; strings in the arena. */
int journal_read(struct reader *r, struct arena *arena, int64_t after, size_t limit,
                 struct event **out, size_t *count, struct error *e);
/* Those of one memory, oldest first. */
int journal_of(struct reader *r, struct arena *arena, int64_t node, struct event **out,
               size_t *count, struct error *e);
/* Those of them with seq < `before`, newest first, at most `limit`. */
int journal_of_before(struct reader *r, struct arena *arena, int64_t node, int64_t before,
                      size_t limit, struct event **out, size_t *count, struct error *e);
/* The memories of the events with seq > `after`, in order, some of them several times; `each` may stop
 * it with non-zero. */
int journal_changed(struct reader *r, int64_t after, int (*each)(void *arg, int64_t node),
                    void *arg, struct error *e);
/* A memory and the last event on it. */
struct latest {
    int64_t node, seq;
};
/* The memories that are listed to the caller, of that agent's alone (NULL: anybody's), on which there is an event with
 * seq > `after`: those whose last one is the newest come first, at most `limit`. O(agents x kinds + limit) where nothing is
 * hidden, or what is another's; entries that are not listed are passed over one by one. O(events after `after`) in a store
 * that is without the index. */
int journal_latest(struct reader *r, int64_t after, const char *agent, size_t limit,
                   struct latest *out, size_t *count, struct error *e);
/* How many of one memory's events have seq > `after`, counted up to `most`; -1. */
int64_t journal_count_of(struct reader *r, int64_t node, int64_t after, int64_t most,
                         struct error *e);
/* Was that memory there by the event `seq`: is one of its own up to that? 1, 0; -1 on error. */
int journal_knew(struct reader *r, int64_t node, int64_t seq, struct error *e);
int64_t journal_last(struct reader *r, struct error *e); /* the greatest seq; 0: none; -1 */

/* Who made the `most` events behind *after, each name once; *after becomes the last one that was looked at. 1: there are
 * more; 0; -1. O(most) */
int journal_actors(struct reader *r, struct arena *arena, int64_t *after, int64_t most,
                   const char ***out, size_t *count, struct error *e);

/* Which events are wanted: all that is given must hold. */
struct event_filter {
    const char *actor, *operation, *correlation; /* NULL: any */
    int kind;                                    /* of the subject; -1: any */
    int64_t subject;                             /* a memory's row; 0: any */
    int64_t session;                             /* made in it, or about it; 0: any */
    int64_t since, until;                        /* both included */
    int64_t last;                                /* no event behind that seq */
};
#define EVENT_FILTER_ALL                                                                           \
    {                                                                                              \
        .kind = -1, .since = INT64_MIN, .until = INT64_MAX, .last = INT64_MAX                      \
    }
/* journal_read of those alone. O(events after `after`), of one memory's or one correlation's O(those). */
int journal_select(struct reader *r, struct arena *arena, const struct event_filter *filter,
                   int64_t after, size_t limit, struct event **out, size_t *count, struct error *e);
/* The newest `limit` of those, newest first. Of one memory's or one correlation's O(limit). */
int journal_select_newest(struct reader *r, struct arena *arena, const struct event_filter *filter,
                          int64_t after, size_t limit, struct event **out, size_t *count,
                          struct error *e);
/* How many events have that correlation; -1. O(those). */
int64_t journal_together(struct reader *r, const char *correlation, struct error *e);
/* The event after which the newest `limit` of them come; 0: there are no more than so many. */
int64_t journal_before_newest(struct reader *r, const struct event_filter *filter, size_t limit,
                              struct error *e);

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
