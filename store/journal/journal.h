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

#include "store/txn/txn.h"
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
/*
 * Calls `each` for those of one memory, newest first, down to `least`; other than 0 ends it, and is what it returns.
 * What the events hold is in the arena, or lives for the call where that is NULL.
 */
int journal_walk_back(struct db *db, struct arena *arena, int64_t node, int64_t least,
                      int (*each)(void *arg, const struct event *event, struct error *e), void *arg,
                      struct error *e);
/* The memories of the events with seq > `after`, in order, some of them several times; `each` may stop
 * it with non-zero. */
int journal_changed(struct reader *r, int64_t after, int (*each)(void *arg, int64_t node),
                    void *arg, struct error *e);
/* How many of one memory's events have seq > `after`, counted up to `most`; -1. */
int64_t journal_count_of(struct reader *r, int64_t node, int64_t after, int64_t most,
                         struct error *e);
/* Was that memory there by the event `seq`: is one of its own up to that? 1, 0; -1 on error. */
int journal_knew(struct reader *r, int64_t node, int64_t seq, struct error *e);
int64_t journal_last(struct reader *r, struct error *e); /* the greatest seq; 0: none; -1 */

/* Who made the `most` events behind *after, each name once; *after becomes the last one that was looked at. 1: there
 * are more; 0; -1. O(most) */
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
    bool newest_first;
};
#define EVENT_FILTER_ALL                                                                           \
    {                                                                                              \
        .kind = -1, .since = INT64_MIN, .until = INT64_MAX, .last = INT64_MAX                      \
    }
/* journal_read of those alone: the oldest `limit`, or the newest. O(events after `after`); of one memory's or one
 * correlation's O(those), of their newest O(limit). */
int journal_select(struct reader *r, struct arena *arena, const struct event_filter *filter,
                   int64_t after, size_t limit, struct event **out, size_t *count, struct error *e);
/* How many events have that correlation; -1. O(those). */
int64_t journal_together(struct reader *r, const char *correlation, struct error *e);
/* ---- decisions of a person about a session ---- */

enum session_verdict {
    SESSION_ENDS,
    SESSION_READS_ONLY,
    SESSION_WRITES,
};
struct session_decision {
    const char *operation; /* of its event */
    const char *did, *so;  /* "made", " read-only": what it did to a session */
    const char *against;   /* "Let it write again": what decides otherwise; "": nothing does */
};
/* By verdict. */
extern const struct session_decision session_decisions[];
/* NULL: an event of that operation is no decision about a session. */
const struct session_decision *session_decision(const char *operation);

/* ---- appending to the journal, in the transaction of the change; only store/ calls these ---- */

struct change {
    const char *operation;
    struct ref ref;     /* id NULL: it is about no memory */
    int64_t node;       /* 0 then */
    const char *before; /* the commitment of the last event on it, in hex; NULL: none */
    const char *after;  /* the bytes it is now; NULL: it is no more */
    size_t after_len;
    const char *patch;  /* what undoes it, a JSON object; NULL: nothing to restore */
    int64_t expires;    /* when what the patch keeps of an entry is over (entry_row.h); 0: never */
    const char *reason; /* NULL: none given */
    int64_t undoes;     /* the event that it takes back; 0: none */
    int64_t erases; /* the patches up to that event are erased, and this one's is not; 0: none is */
};

/* A person did it, and did not have it read from elsewhere: what `undo` is for, and what agents respect. */
bool journal_is_by_hand(const char *class_name, const char *origin);

/* Appends the event t->last_seq + 1. */
int journal_append(struct txn *t, const struct actor *actor, const struct change *change,
                   struct error *e);

#endif
