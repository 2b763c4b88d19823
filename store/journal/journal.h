/*
 * The journal: every change is one event, written in the transaction that makes the change.
 *
 * The canonical text of an event has refs and salted commitments, never content; its hash covers
 * the hash of the event before. The patch that undoes a change, and its reason, are stored next to
 * it and committed to as well. fsck verifies the chain, compares it with the head file, and
 * compares each memory with its last commitment.
 */
#ifndef STEMMA_JOURNAL_H
#define STEMMA_JOURNAL_H

#include "store/txn/txn.h"
#include "store/txn/writer.h"

struct event {
    int64_t seq, at, subject;
    int64_t session;    /* in which it was made; 0 if none */
    int64_t about;      /* the session that a person decided about; 0 if none */
    struct ref ref;     /* of the subject; id is NULL if none */
    const char *author; /* how lists show whom it is of: a person, or the agent's label */
    const char *actor, *agent, *claimed, *origin, *operation, *correlation, *reason;
    const char *class_name;     /* "person", "agent" */
    const char *before, *after; /* commitments in hex, or NULL */
    const char *patch;          /* JSON, or NULL */
    int64_t undoes;             /* the event that it reverts; 0 if none */
    /* 3: the third event that the team does not have yet, so its number may change; 0: it has it. */
    int64_t provisional;
};
/* Appends "123" after `sign`, or "~3" for one that is provisional. */
void event_add_number(struct strbuf *out, const struct event *event, const char *sign);
/* Reads events with seq > `after` in order, at most `limit`; strings are in the arena. */
int journal_read(struct reader *r, struct arena *arena, int64_t after, size_t limit,
                 struct event **out, size_t *count, struct error *e);
/* Reads the events of one memory, oldest first. */
int journal_of(struct reader *r, struct arena *arena, int64_t node, struct event **out,
               size_t *count, struct error *e);
/*
 * Calls `each` for the events of one memory, newest first, down to seq `least`. A result other than
 * 0 ends the walk and is returned. The event's strings are in the arena; if `arena` is NULL they
 * are valid during the call.
 */
int journal_walk_back(struct db *db, struct arena *arena, int64_t node, int64_t least,
                      int (*each)(void *arg, const struct event *event, struct error *e), void *arg,
                      struct error *e);
/*
 * Calls `each` for the memory of each event with seq > `after`, in order; a memory may come several
 * times. Non-zero ends it.
 */
int journal_changed(struct reader *r, int64_t after, int (*each)(void *arg, int64_t node),
                    void *arg, struct error *e);
/* The number of events of a memory with seq > `after`, counted up to `most`; -1 on error. */
int64_t journal_count_of(struct reader *r, int64_t node, int64_t after, int64_t most,
                         struct error *e);
/* Returns 1 if the memory has an event up to `seq`, 0 if not, -1 on error. */
int journal_has_before(struct reader *r, int64_t node, int64_t seq, struct error *e);
/* The greatest seq; 0 if there is no event, -1 on error. */
int64_t journal_last(struct reader *r, struct error *e);

/*
 * The distinct actors of the next `most` events after *after, which becomes the last event that was
 * read. Returns 1 if there are more events, 0 if not, -1 on error. O(most).
 */
int journal_actors(struct reader *r, struct arena *arena, int64_t *after, int64_t most,
                   const char ***out, size_t *count, struct error *e);

/* Selects events; all given conditions must hold. */
struct event_filter {
    const char *actor, *operation, *correlation; /* NULL: any */
    unsigned kinds;                              /* KIND_BITs of the subject; 0: any */
    int64_t subject;                             /* a memory's row; 0: any */
    int64_t session;      /* it was made in this session, or is about it; 0: any */
    int64_t since, until; /* inclusive */
    int64_t last;         /* no event after this seq */
    bool newest_first;
};
#define EVENT_FILTER_ALL                                                                           \
    {                                                                                              \
        .since = INT64_MIN, .until = INT64_MAX, .last = INT64_MAX                                  \
    }
/*
 * As journal_read, for the events that match: the oldest `limit`, or the newest. O(events after
 * `after`); for one memory or correlation O(its events); for the newest of those O(limit).
 */
int journal_select(struct reader *r, struct arena *arena, const struct event_filter *filter,
                   int64_t after, size_t limit, struct event **out, size_t *count, struct error *e);
/*
 * The number of events with seq > `after` that match; -1 on error. O(those, and others up to
 * filter->last).
 */
int64_t journal_count(struct reader *r, const struct event_filter *filter, int64_t after,
                      struct error *e);
/*
 * The seq of the first event at that time or later; of none one more than the last. -1 on error.
 * O(log events), since no event is before the one that it follows.
 */
int64_t journal_first_at(struct reader *r, int64_t at, struct error *e);
/* The time of an event; 0 if there is none, or if it is before 1970; -1 on error. */
int64_t journal_time(struct reader *r, int64_t seq, struct error *e);
/* The number of events with that correlation; -1 on error. O(those). */
int64_t journal_count_correlation(struct reader *r, const char *correlation, struct error *e);

/* ---- decisions of a person about a session ---- */

enum session_verdict {
    SESSION_ENDS,
    SESSION_READS_ONLY,
    SESSION_WRITES,
};
struct session_decision {
    const char *operation;     /* of its event */
    const char *verb, *result; /* around the session's name: "made", " read-only" */
    const char *opposite;      /* hint for the opposite: "Let it write again"; "" if none */
};
/* Indexed by enum session_verdict. */
extern const struct session_decision session_decisions[];
/* The decision that an event of that operation records; NULL if none. */
const struct session_decision *session_decision(const char *operation);

/* ---- appending, in the transaction of the change; only for store/ ---- */

struct change {
    const char *operation;
    struct ref ref;     /* id is NULL if it is not about a memory */
    int64_t node;       /* its row; 0 if none */
    const char *before; /* the commitment of its last event, in hex; NULL if none */
    const char *after;  /* its JSONL form after the change; NULL if it was removed */
    size_t after_len;
    const char *patch; /* JSON object that undoes the change; NULL if there is nothing to restore */
    int64_t expires;   /* when the entry text in the patch expires (entry_row.h); 0: never */
    const char *reason;       /* NULL if none */
    int64_t undoes;           /* the event that it reverts; 0 if none */
    int64_t erases;           /* it erases the patches up to this event; 0: none */
    const struct memory *was; /* before the change, for a team's outbox; NULL: nothing */
    /* The event as another machine of the team made it; NULL for one of our own. */
    const struct received *received;
};

/* An event of another machine, checked by the receiver (store/team/receive.c). */
struct received {
    int64_t at, session;
    const char *actor, *correlation;
    bool by_hand;
    const char *canonical;
    const unsigned char *salt; /* NULL if erased, as `patch` and `line` */
    const char *patch;
    const char *line; /* the memory after it */
    struct digest hash;
};

/*
 * True if a person did it by hand, not by an import. `undo` reverts these, and agents do not
 * override them.
 */
bool journal_is_by_hand(const char *class_name, const char *origin);

/* Origin of the events that remove expired entries. They belong to no session. */
#define EXPIRY_ORIGIN "expiry"
/* Whether stemma did it by itself, without a request: the removal of an expired entry. */
bool event_is_automatic(const struct event *event);

/* Appends the event t->last_seq + 1. */
int journal_append(struct txn *t, const struct actor *actor, const struct change *change,
                   struct error *e);

#endif
