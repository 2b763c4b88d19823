/*
 * The activity log: events of the journal merged with calls of sessions, by time. Each log keeps its own order, even
 * if clocks disagree. Read by the explorer's activity lists and by `stemma log`.
 */
#ifndef STEMMA_ACTIVITY_H
#define STEMMA_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/query/query.h"
#include "store/journal/journal.h"
#include "store/session/session.h"
#include "tui/text/output.h"

struct strbuf;

enum activity_type {
    ACTIVITY_WRITE = 0, /* an event of the journal */
    ACTIVITY_READ,      /* calls that succeeded */
    ACTIVITY_REFUSAL,   /* calls that failed */
    ACTIVITY_CANCEL,    /* calls that their client cancelled */
};

/* Strings are raw text of the store, stored in `bytes`; "" if absent. */
struct activity {
    int64_t at;               /* ms since the epoch; for several calls the time of the last */
    int64_t id;               /* the event's seq, or the row in the call log */
    int64_t subject;          /* the row of the memory; 0 if none */
    int64_t session;          /* the session that did it; 0 if none */
    int64_t about;            /* the session that a person decided about; 0 if none */
    int64_t undoes;           /* the event that this one undoes; 0 if none */
    uint32_t count;           /* number of equal calls in a row */
    uint32_t masked;          /* personal data items masked in their answers */
    uint8_t type;             /* enum activity_type */
    uint8_t outcome;          /* enum error_code of calls */
    bool person;              /* whether a person did it, not an agent */
    bool foreign;             /* `who` is not the name of the session's own agent */
    const char *who;          /* the agent, else the actor; for a person the actor */
    const char *what;         /* the operation, or the tool */
    const char *client;       /* of the session, or of the session it is about */
    const char *namespace_;   /* the namespace of the calls */
    const char *ref, *text;   /* the memory's ref and the start of its text at that time */
    const char *change, *why; /* a short summary of the event's changes; the start of its reason */
    char bytes[];
};

/* Identifies it, including its log. */
int64_t activity_id(const struct activity *a);
void activity_text(const struct activity *a, struct strbuf *out);
/* "added", "verified", "read", "failed", "refused", "cancelled". */
const char *activity_action(const struct activity *a);
/* The session that did it or that it is about; 0 if none. */
int64_t activity_session(const struct activity *a);
/* The error of a failed call: "CONFLICT"; "" for anything else. */
const char *activity_error(const struct activity *a);
#define ACTOR_MAX 1024 /* bytes of a name, with its end */

/* All conditions must match. A zeroed filter matches everything. */
struct activity_filter {
    char query[1024]; /* words, patterns and negated terms that must match besides; "" for any */
    int64_t now;      /* its relative times count back from here */
    int64_t session;  /* done in that session or about it; 0 for any */
    int64_t subject;  /* the row of a memory; 0 for any */
    char actor[ACTOR_MAX], operation[128],
        correlation[128]; /* exact matches, "" for any; `operation` is the tool of a call */
    unsigned kinds;       /* KIND_BIT of the kinds; 0 for any */
    unsigned types;       /* 1 << enum activity_type; 0 for any */
    int64_t since, until; /* inclusive; 0 for no limit */
    int64_t after_seq, after_call; /* only rows after these in the two logs; 0 for no limit */
};

/*
 * Sets what a query on events selects: the members above, and `query` for what is left. Returns -1 and sets
 * ERROR_INVALID,
 * and the bytes of the query that it is about, if there is no such memory or session.
 */
int activity_filter_read(struct reader *r, struct query_terms *terms, int64_t now,
                         struct activity_filter *out, struct error *e);

/* Recently used sessions, in the slot of their id modulo the size. Initialize with zeros. */
struct session_cache {
    struct {
        struct session_row row; /* id 0 if empty */
        struct arena arena;
    } slot[16];
};
/* Returns the session, with id 0 if it does not exist or `id` is 0. Valid until the next call. */
const struct session_row *session_cached(struct session_cache *c, struct reader *r, int64_t id);
void session_cache_release(struct session_cache *c);

/* A found item: an event, or equal calls of one row. */
struct activity_source {
    const struct event *event;  /* NULL for calls */
    const struct call_row *row; /* NULL for an event */
    struct call_outcome of;     /* only for calls */
};

/* A walk through both logs, newest first. Initialize with zeros. */
struct activity_walk {
    struct activity_filter filter;
    bool on;                       /* walk forward from `seq` and `call` */
    bool begun;                    /* else it starts at the newest */
    struct arena arena;            /* of `rest` */
    struct query_terms rest;       /* of filter.query, parsed by the walk */
    int64_t seq, call;             /* the last ones read */
    int64_t first_seq, first_call; /* where it started; 0 if the caller set the start */
    size_t wanted;                 /* stop after so many items; 0 for no limit */
    size_t taken;                  /* items passed to `take` */
    char until[256];               /* stop at a match of this pattern; "" for none */
    bool met;                      /* `until` was found */
    struct activity **found;       /* [count], owned */
    size_t count, alloc;
    /* If not NULL, receives each item instead of `found`, within the transaction of the walk. */
    int (*take)(void *arg, const struct activity_source *a, struct error *e);
    void *arg;
    bool ended; /* nothing is left */
    struct session_cache sessions;
    struct activity_buffer {
        struct arena arena;
        struct event *events;
        struct call_row *calls;
        size_t count, at;
        int64_t rest; /* the last event that was not examined */
        bool end;
    } written, called;
};

/* Reads for about `ms`. Returns 1 if there is more, 0 at the end or if it has what was wanted, -1 with *e set on
 * failure. */
int activity_walk_next(struct activity_walk *w, struct reader *r, int ms, struct error *e);
void activity_walk_release(struct activity_walk *w);

/* ---- a line of `stemma log`, an event or equal calls: log_print.c ---- */

/* Prints the line as text, or as JSON if out->json. The caller flushes. */
int activity_print(struct output *out, struct session_cache *sessions, struct reader *r,
                   const struct activity_source *a, struct error *e);
/* Appends one line of JSON. */
void activity_json(struct strbuf *out, struct session_cache *sessions, struct reader *r,
                   const struct activity_source *a);

#endif
