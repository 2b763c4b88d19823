/* The state of sessions and of the log of calls in a serving process. Only for this room. */
#ifndef STEMMA_SESSION_STATE_H
#define STEMMA_SESSION_STATE_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include "model/base/map.h"
#include "store/db/schema.h"
#include "store/journal/call_chain.h"
#include "store/session/session.h"

/* SQL conditions on a row of `session`. */

#define SESSION_BY_PERSON "(ended_by IS NOT NULL AND ended_by NOT IN ('client', 'server'))"
/*
 * A session of HTTP without a handshake: only its row identifies it, so it can return
 * (session_return).
 */
#define SESSION_RETURNS "(transport = 'http' AND era = '2026-07-28')"

/* One client's session. Its members are grouped by the thread that owns them. */
struct session {
    struct call_log *log;
    /* Constant. */
    char uuid[37];
    char *actor, *claimed, *transport; /* as in session_start */
    int64_t peer_uid, peer_pid, started_at;

    /*
     * What the client says about itself: written by the loop's thread, read by the writer's, under
     * the lock.
     */
    pthread_mutex_t lock;
    char *client, *client_version, *era, *task;
    atomic_uint named; /* incremented at each change */

    /* Only for the loop's thread. */
    int64_t seen_at, calls, errors;
    int64_t ended_at;     /* 0 while its peer is connected */
    const char *ended_by; /* a constant */
    struct latency latency;
    size_t unlogged;     /* calls since the last flush that did not fit into the buffer */
    struct usage *usage; /* [usage_count] since the last flush */
    size_t usage_count, usage_alloc;
    struct call_minute *minute; /* [minute_count] since the last flush */
    size_t minute_count, minute_alloc;
    bool changed;              /* since the last flush */
    bool recorded;             /* its end is in the store */
    bool held;                 /* its lock is held */
    int64_t bytes, tool_calls; /* see struct session_use */
    double usd;
    struct past_call *past; /* a ring buffer; once full, its oldest is at tool_calls % past_alloc */
    size_t past_alloc;
    struct session *next;

    /* For any thread. */
    _Atomic int64_t ended; /* when a person ended it; 0 if not */
    atomic_bool read_only; /* set by a person */
    atomic_bool returned;  /* it returned: ignore an end in its row that no person made */

    /* Only for the writer's thread: its row, valid in this txn.generation. */
    int64_t row;
    uint64_t generation;
    unsigned written; /* value of `named` in the row */
};

/* Equal calls that will share a row. */
struct pending_row {
    struct session *session;
    const char *tool;
    int64_t subject;
    struct call_guard guard;       /* sum over all; its strings are in call_batch.texts */
    const char *arguments, *error; /* see struct call_note; in call_batch.texts */
    struct call_times times;
};

#define ROWS_EARLY  1024       /* rows that start an early flush */
#define ROWS_MAX    8192       /* most pending rows; further calls are only counted */
#define TIMES_EARLY (1u << 20) /* the same limits for the bytes of their times and guards */
#define TIMES_MAX   (1u << 24)

struct call_batch {
    struct key_index keys; /* equal calls have equal keys */
    size_t full;           /* how often a row was full; part of the key, so that a new row begins */
    struct pending_row *calls; /* [keys.count] */
    size_t alloc;
    size_t bytes;    /* of their times */
    size_t failures; /* rows with arguments or an error */
    struct arena texts;
    struct strbuf key;
};

/* New values for the row of a session. */
struct snapshot {
    struct session *session;
    int64_t seen_at, calls, errors, ended_at;
    const char *ended_by;
    size_t unlogged;
    struct latency latency;
    struct usage *usage; /* [usage_count], owned */
    size_t usage_count;
    struct call_minute *minute; /* [minute_count], owned */
    size_t minute_count;
};

/* One flush: made in the loop's thread, written in the writer's. */
struct flush {
    struct call_log *log;
    struct store_job job;
    struct error error;
    struct call_batch *batch;
    struct snapshot *snapshots;
    size_t snapshot_count;
    bool first; /* the first of this process: also ends sessions of killed processes */
};

enum flush_state {
    FLUSH_WAITING, /* to be submitted, or submitted again */
    FLUSH_SUBMITTED,
    FLUSH_DONE,
};

struct call_log {
    struct store *store;
    struct session *first;
    struct call_batch *batch; /* NULL if empty */
    bool changed;             /* there is something to write */
    struct flush *flush;      /* NULL if none */
    atomic_int state;         /* of `flush`; enum flush_state */
    bool flushed;             /* a flush has succeeded */
    struct error failed;      /* error of the last flush, or ERROR_NONE */
    int64_t next_flush;       /* earliest time, ms, monotonic */
    _Atomic int64_t until;    /* when a flush stops waiting for other programs */
    int64_t until_most;       /* limit for `until`; INT64_MAX if none */
    int64_t due;              /* when to write the changes; valid while `changed` */
    int64_t last_decision;    /* the last event read for decisions */
};

void session_free(struct session *s);
/* True if a process serves the session. `process` is the pid that began it. */
bool session_is_served(struct store *s, const char *uuid, int64_t process);
/* Takes its lock byte. Another process may still hold it. */
void session_hold(struct session *s);
/* False if the store is read-only. */
bool call_log_writes(const struct call_log *l);
/* Marks it as changed and schedules a flush. */
void session_touch(struct session *s);
/* Counts a call in its minute. */
void session_count_minute(struct session *s, const struct call_minute *more);
/* Counts an answer in the usage of its tool or method. */
void session_use(struct session *s, const struct usage *more);
/* Stores a call for session_past. */
void session_remember(struct session *s, const struct call_note *note);
/* Looks up the row of a session in this transaction, or inserts it. Only in the writer's thread. */
int session_find_row(struct txn *t, struct session *s, struct error *e);

#endif
