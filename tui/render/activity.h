/*
 * What happens in a store, in one row of time: events of the journal, and calls of sessions that read
 * or were refused. The two logs are merged by their times; each keeps its own order, whatever the clocks said.
 * The explorer's lists of activity and `stemma log` read it.
 */
#ifndef STEMMA_ACTIVITY_H
#define STEMMA_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/journal/journal.h"
#include "store/session/session.h"

struct strbuf;

enum activity_type {
    ACTIVITY_WRITE = 0, /* an event of the journal */
    ACTIVITY_READ,      /* calls that were answered */
    ACTIVITY_REFUSAL,   /* calls that failed */
    ACTIVITY_CANCEL,    /* calls that their client gave up */
};

/* Strings are raw text of the store, in `bytes`; "" where there is none. */
struct activity {
    int64_t at;               /* ms since the epoch; of several calls, the last */
    int64_t id;               /* the event's seq; the row of the log of calls */
    int64_t subject;          /* 0: none */
    int64_t session;          /* in which it was done; 0: none */
    int64_t about;            /* the one that a person decided about; 0: none */
    int64_t undoes;           /* the event that it takes back; 0: none */
    uint32_t count;           /* of equal calls that came out alike */
    uint32_t masked;          /* personal data in their answers */
    uint8_t sort;             /* enum activity_type */
    uint8_t outcome;          /* enum error_code, of calls */
    bool person;              /* else an agent, whatever its name */
    bool foreign;             /* the name is not its session's own */
    const char *who;          /* the agent, else the actor; of a person the actor */
    const char *what;         /* the operation, or the tool */
    const char *client;       /* of its session, or of the one that it is about */
    const char *namespace_;   /* that calls were about */
    const char *ref, *text;   /* of the memory, as it was then; the text's beginning */
    const char *change, *why; /* what an event changed, in a few words; its reason's beginning */
    char bytes[];
};

void activity_text(const struct activity *h, struct strbuf *out);
/* "added", "read", "refused", "cancelled". */
const char *activity_action(const struct activity *h);
/* The one that it was done in, or is about; 0: none. */
int64_t activity_session(const struct activity *h);
/* Why a call was refused: "CONFLICT"; "" of whatever was not. */
const char *activity_error(const struct activity *h);
#define ACTOR_MAX 1024 /* bytes of a name, with its end */

/* Which are wanted: all that is given must hold. Zeroed: all are. */
struct activity_filter {
    char pattern[256]; /* match.h; "": all */
    int64_t session;   /* done in it, or about it; 0: every one */
    int64_t subject;   /* a memory's row; 0: any */
    char actor[ACTOR_MAX], operation[128],
        correlation[128];          /* exactly; "": any. Of a call its tool */
    unsigned kinds;                /* KIND_BIT of one; 0: any */
    unsigned sorts;                /* 1 << enum activity_type; 0: any */
    int64_t since, until;          /* both included; 0: any time */
    int64_t after_seq, after_call; /* what came after these rows of the logs; 0: any */
};

/* Sessions that were looked at last, each at its id modulo the size. Zeroed at first. */
struct session_cache {
    struct {
        struct session_row row; /* id 0: none */
        struct arena arena;
    } slot[16];
};
/* The session, id 0 where it is gone or `id` is 0. Valid until another is asked for. */
const struct session_row *session_cached(struct session_cache *c, struct reader *r, int64_t id);
void session_cache_release(struct session_cache *c);

/* One thing that is found: an event, or calls of a row that came out alike. */
struct activity_source {
    const struct event *event;  /* NULL: calls */
    const struct call_row *row; /* NULL: an event */
    struct call_outcome of;     /* of calls */
};

/* A walk back through both logs, the newest first. Zeroed at first. */
struct activity_walk {
    struct activity_filter filter;
    bool on;                       /* the other way, from `seq` and `call` */
    bool begun;                    /* else it begins behind what is newest */
    int64_t seq, call;             /* the last ones taken */
    int64_t first_seq, first_call; /* where it began by itself; 0: it was told */
    size_t wanted, taken;          /* so many are enough (0: all), and were taken away before */
    char until[256];               /* one that matches is enough; "": none is */
    bool met;                      /* and it was found */
    struct activity **found;       /* [count] owned */
    size_t count, alloc;
    /* Takes each one in place of `found`, within the transaction of the walk; `taken` counts them. NULL: none does. */
    int (*take)(void *arg, const struct activity_source *a, struct error *e);
    void *arg;
    bool ended; /* nothing is left */
    struct session_cache sessions;
    struct activity_buffer {
        struct arena arena;
        struct event *events;
        struct call_row *calls;
        size_t count, at;
        int64_t rest; /* of events: the last one that was not looked at */
        bool end;
    } written, called;
};

/* Reads for about `ms`: 1 there is more, 0 it has what was wanted or all there is, -1. */
int activity_walk_next(struct activity_walk *w, struct reader *r, int ms, struct error *e);
void activity_walk_release(struct activity_walk *w);

#endif
