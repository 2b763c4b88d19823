/* What a serving process keeps of its sessions and of their calls. Only this room includes it. */
#ifndef STEMMA_SESSION_STATE_H
#define STEMMA_SESSION_STATE_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include "model/base/map.h"
#include "store/db/schema.h"
#include "store/journal/call_chain.h"
#include "store/session/session.h"

/* SQL about a session's row: what a person decided about it may hold when its client comes again. */

#define SESSION_BY_PERSON "(ended_by IS NOT NULL AND ended_by NOT IN ('client', 'server'))"
/* Nothing but what its row says tells whose it is, so that it may come again (session_return): of HTTP without a
 * handshake. */
#define SESSION_RETURNS "(transport = 'http' AND era = '2026-07-28')"

/* One client's session; see the groups of its members for the thread that owns each. */
struct session {
    struct call_log *log;
    /* Said when it began; never changed. */
    char uuid[37];
    char *agent, *transport;
    int64_t peer_uid, peer_pid, started_at;

    /* What its client said of itself: written by the loop's thread alone, and read by the writer's under the lock. */
    pthread_mutex_t lock;
    char *actor, *client, *client_version, *era, *task;
    atomic_uint named; /* how often that changed */

    /* The loop's thread's. */
    int64_t seen_at, calls, errors;
    int64_t ended_at;     /* 0: its peer is there */
    const char *ended_by; /* a constant */
    struct latency latency;
    size_t unlogged;           /* calls since the last flush for which there was no room */
    bool changed;              /* since the last flush */
    bool recorded;             /* its end is in the store */
    bool held;                 /* its lock */
    int64_t bytes, tool_calls; /* see struct session_use */
    double usd;
    struct past_call *past; /* a ring, whose oldest is at tool_calls % past_alloc once it is full */
    size_t past_alloc;
    struct session *next;

    /* Any thread's. */
    _Atomic int64_t ended; /* when a person ended it; 0: nobody did */
    atomic_bool read_only; /* a person made it so */
    atomic_bool returned;  /* ends in its row that are no person's are over, or another process's */

    /* The writer's thread's: its row, as txn.generation says. */
    int64_t row;
    uint64_t moment;
    unsigned written; /* `named`, as the row says it */
};

/* Equal calls that are to share a row. */
struct gathered {
    struct session *session;
    const char *tool;
    int64_t subject;
    struct call_guard guard; /* of all together; its strings are the gather's */
    struct call_times times;
};

#define GATHER_SOON 1024       /* rows that are worth a flush before its time */
#define GATHER_MOST 8192       /* rows that wait at most; what comes then is only counted */
#define TIMES_SOON  (1u << 20) /* the same for the bytes of their times and guards */
#define TIMES_MOST  (1u << 24)

struct gather {
    struct key_index keys;  /* what makes calls equal */
    size_t full;            /* how often a row was: it is in the keys, so that others begin */
    struct gathered *calls; /* [keys.count] */
    size_t alloc;
    size_t bytes; /* of their times */
    struct arena texts;
    struct strbuf key;
};

/* What the row of a session is to say. */
struct snapshot {
    struct session *session;
    int64_t seen_at, calls, errors, ended_at;
    const char *ended_by;
    size_t unlogged;
    struct latency latency;
};

/* One flush: made in the loop's thread, written in the writer's. */
struct flight {
    struct call_log *log;
    struct store_job job;
    struct error error;
    struct gather *gather;
    struct snapshot *snapshots;
    size_t snapshot_count;
    bool first; /* of this process: it also ends sessions whose process is gone */
};

enum flight_state {
    FLIGHT_WAITING, /* to be submitted, perhaps again */
    FLIGHT_UP,
    FLIGHT_DONE,
};

struct call_log {
    struct store *store;
    struct session *first;
    struct gather *gather; /* NULL: nothing was gathered yet */
    bool changed;          /* there is something to write */
    struct flight *flight; /* NULL: there is none */
    atomic_int state;      /* of the flight; enum flight_state */
    bool flew;             /* a flight arrived */
    struct error failed;   /* why the last one did not; ERROR_NONE */
    int64_t next_flush;    /* not before, ms, monotonic */
    _Atomic int64_t until; /* when a flight gives up waiting for other programs */
    int64_t until_most;    /* the latest that that may be; INT64_MAX: there is none */
    int64_t due;           /* when what changed is to be written; while `changed` */
    int64_t last_decision; /* the last event that was looked at */
};

void session_free(struct session *s);
/* Does a process serve the session of that row? `process` is the number of the one that began it. */
bool session_is_served(struct store *s, const char *uuid, int64_t process);
/* Takes its lock, which another process may hold still. */
void session_hold(struct session *s);
/* Is anything written? */
bool call_log_writes(const struct call_log *l);
/* There is something new to write of it. */
void session_touch(struct session *s);
/* Keeps what session_past tells. */
void session_remember(struct session *s, const struct call_note *note);
/* In the writer's thread: looks up the row of a session in this transaction, or makes it. */
int session_find_row(struct txn *t, struct session *s, struct error *e);

#endif
