/*
 * Sessions of MCP clients and the log of their calls. Both are rows in the store, so every explorer
 * sees the sessions of every process, and can end one or make it read-only.
 *
 * A serving process has one `struct call_log`. It begins sessions in it and notes each call.
 * Counts, latencies and the log of reads and refusals are buffered and written within a second, in
 * a job of the writer. Writes are in the journal with their session; the log of calls is a hash
 * chain of its own. If the store is open read-only, all of it stays in memory.
 */
#ifndef STEMMA_SESSION_H
#define STEMMA_SESSION_H

#include "model/base/latency.h"
#include "store/journal/call_chain.h"
#include "store/journal/journal.h"
#include "store/txn/writer.h"

struct call_log;
struct session;

/* The sessions of machine M of a team have ids above SESSION_FIRST(M). */
#define SESSION_FIRST(machine) ((int64_t)(machine) << 32)
#define SESSION_MACHINE(id)    ((int)((id) >> 32))

#define TASK_NAME_MAX 1000 /* code points of a task's name */

struct session_start {
    const char *client, *client_version; /* as the client says; NULL if it does not */
    const char *era;                     /* MCP revision: "2025-11-25", "2026-07-28" */
    const char *transport;               /* "stdio", "socket", "http" */
    const char *actor;          /* the name that the channel granted; NULL for AGENT_UNNAMED */
    const char *task;           /* from `stemma mcp --task`, or from requests; NULL if none */
    int64_t peer_uid, peer_pid; /* from the system; -1 if unknown */
    const char *claimed;        /* the name that its requests give in _meta; NULL if none */
};

/* An answered call. */
struct call_note {
    const char *tool; /* name of a tool or method; must live as long as the process */
    int64_t subject;  /* a memory's row; 0 if none */
    int64_t at;       /* ms since the epoch */
    int64_t took_us;
    enum error_code outcome;
    bool is_tool;
    /* it is in the journal, so it is only counted here unless it has a namespace; a refused
     * write is logged */
    bool wrote;
    const char *namespace_;  /* NULL if none */
    const char *agent;       /* the name that the call claims; NULL if the session's */
    const char *task;        /* from the request; NULL if none */
    const char *traceparent; /* W3C trace context; NULL if none */
    struct call_spans spans;
    int64_t redactions; /* number of masked texts in its answer */
    int64_t bytes;      /* of its answer; 0 if there was none */
    int64_t full_bytes; /* of its answer in full form, estimated; 0: as sent */
    /* of a failed call, masked; NULL if they are not to be kept */
    const char *arguments, *error;
};

/*
 * What one tool or method has answered in a session. A token is BYTES_A_TOKEN bytes: an estimate.
 * Clients that pass on only one of the two forms of a tool's answer pay about half.
 */
#define BYTES_A_TOKEN 4
struct usage {
    int64_t session;
    const char *tool;
    int64_t answers, failures;
    int64_t bytes;          /* of the answers, as sent */
    int64_t full_bytes;     /* what the same answers would have in full form */
    struct latency latency; /* of the calls; empty for answers to no call, and before version 17 */
};

/*
 * The calls of one minute. The store keeps those of the last MINUTES_KEPT minutes by session, so that
 * anybody can see how many there were and how long they took, without the log.
 */
#define MINUTE_MS    60000
#define MINUTES_KEPT 1440
struct call_minute {
    int64_t at; /* its beginning, ms since the epoch */
    int64_t calls, failures;
    struct latency latency;
};

/*
 * A failed call keeps its arguments and its error, for a person who asks why. They are masked and
 * cut before, and no hash covers them. The newest FAILURES_KEPT of the store are kept, until a
 * purge: that erases all of them, because the arguments may hold what is purged.
 */
#define FAILURES_KEPT      500
#define FAILURES_PER_FLUSH 32   /* different ones of one flush; more are logged without */
#define FAILURE_MAX        4096 /* bytes of the arguments, and of the error */

/* ---- the serving process: the loop's thread ---- */

struct call_log *call_log_open(struct store *s);
/*
 * From time `until` (ms, monotonic) on, flushes no longer wait for other programs; what is not
 * written then is lost.
 */
void call_log_set_deadline(struct call_log *l, int64_t until);
/*
 * Ends the remaining sessions, flushes and frees the log. Waits at most a second for other
 * programs.
 */
void call_log_close(struct call_log *l);
/*
 * Begins a session; copies all strings. Its row is written with its first write or the next flush.
 */
struct session *session_begin(struct call_log *l, const struct session_start *start);
/*
 * Begins a session for a client that is only identified by `start` (HTTP without handshake). If a
 * person made its last session read-only, that session continues. If a person ended it less than
 * SESSION_REFUSED_MS ago, the ended session is returned. Otherwise, or if that cannot be read, a
 * new one begins.
 */
#define SESSION_REFUSED_MS 600000
struct session *session_return(struct call_log *l, struct reader *r,
                               const struct session_start *start);
/*
 * Updates what the client says about itself: its name if it had none, a new version, revision or
 * task. A client that gives another name keeps its session and its actor. Copies; `client` and
 * `task` may be NULL.
 */
void session_update_client(struct session *s, const struct session_start *now);
void session_note(struct session *s, const struct call_note *note);
enum session_ender {
    ENDED_BY_CLIENT,
    ENDED_BY_SERVER,
};
/* The peer closed or is no longer served. Do not use `s` after it; jobs already submitted may. */
void session_end(struct session *s, enum session_ender by);
/* Time until the next call_log_flush in ms; -1 if there is nothing to write. */
int call_log_due(const struct call_log *l);
void call_log_flush(struct call_log *l);
/* The error of the last flush; it is retried. ERROR_NONE if it succeeded. Owned by the log. */
const struct error *call_log_failed(const struct call_log *l);
/* The number of sessions that have not ended. O(sessions). */
size_t call_log_sessions(const struct call_log *l);
/* Reads what a person decided about these sessions. Call it when the store changed. */
int call_log_apply_decisions(struct call_log *l, struct reader *r, struct error *e);
/* The same for one session: reads its row. */
int session_apply_decision(struct session *s, struct reader *r, struct error *e);
bool session_is_ended(const struct session *s); /* by a person: reject its calls */
bool session_is_read_only(const struct session *s);
const char *session_uuid(const struct session *s);
/* Another name that the session gives itself; NULL if it uses that of its agent. Valid until session_update_client. */
const char *session_claim(const struct session *s);

/* What a session has used so far. */
struct session_use {
    int64_t started_at; /* ms since the epoch */
    int64_t bytes;      /* of requests and answers */
    double usd;         /* as its client reported; 0 if it did not */
    int64_t calls;      /* of tools */
    size_t kept;        /* how many of them session_past has */
};
#define SESSION_PAST_MAX 1000
struct session_use session_get_use(const struct session *s);
/* Call `i` of the stored ones, oldest first. */
struct past_call {
    const char *tool;
    int64_t at; /* ms since the epoch */
    enum error_code outcome;
};
struct past_call session_past(const struct session *s, size_t i);
void session_add_bytes(struct session *s, size_t bytes);
/* Counts an answer for which there is no call. `method` must live as long as the process. */
void session_answered(struct session *s, const char *method, size_t bytes);
void session_set_cost(struct session *s, double usd);

/* ---- the serving process: the writer's thread ---- */

/*
 * Stores the session's row, for actor.session. ERROR_REFUSED if it was ended or made read-only, as
 * of this transaction.
 */
int session_admit(struct txn *t, struct session *s, int64_t *row, struct error *e);

/* ---- reading, by anybody ---- */

struct session_row {
    int64_t id;
    const char *label; /* of its agent (agent_label) */
    const char *uuid, *actor, *agent, *task, *client, *client_version, *era, *transport;
    const char *machine;                 /* of the team, that serves it; NULL: this one */
    int64_t peer_uid, peer_pid, process; /* -1 if unknown */
    int64_t started_at, seen_at, ended_at /* 0: not ended */;
    /* "client", "server", a person's name, "lost" (its process was killed), or NULL */
    const char *ended_by;
    bool read_only;
    bool lives; /* not ended, and its process is running */
    bool away;  /* not living, but read-only if its client returns */
    int64_t calls, errors;
    struct latency latency;
    /* sum over its usage; -1 if nothing was counted, as before version 11 */
    int64_t bytes, full_bytes;
};
enum session_which {
    SESSIONS_ALL,
    SESSIONS_LIVING,
    SESSIONS_AWAY, /* O(sessions that a person decided about) */
    /*
     * Ids below `before`, greatest first. A row is made with the first write or flush, so this is
     * not the order of start times; but a page costs only its rows.
     */
    SESSIONS_BY_ROW,
};
/*
 * Lists sessions that began before the session with id `before` (0: all), latest first. `limit` 0:
 * all.
 */
int session_list(struct reader *r, struct arena *arena, enum session_which which, int64_t before,
                 size_t limit, struct session_row **out, size_t *count, struct error *e);
/* Another name that the session gives itself; NULL if it uses that of its agent. */
const char *session_claimed(const struct session_row *s);
/* The distinct agent names of sessions, sorted. Some of them own no memory. O(sessions). */
int session_agents(struct reader *r, struct arena *arena, const char ***out, size_t *count,
                   struct error *e);
/* ERROR_NOT_FOUND if there is none. */
int session_read(struct reader *r, struct arena *arena, int64_t id, struct session_row *out,
                 struct error *e);
/*
 * Finds a session by its id, or by a unique prefix (4 or more characters) of its uuid.
 * ERROR_NOT_FOUND, ERROR_INVALID (ambiguous).
 */
int session_find(struct reader *r, struct arena *arena, const char *text, struct session_row *out,
                 struct error *e);

/*
 * A row of the log of calls: equal calls of one flush, with the time and outcome of each. Its tool
 * is "(not logged)" if calls came faster than they could be logged: then only their number is
 * known. Calls with a `guard` only share a row if they have the same outcome.
 */
struct call_row {
    int64_t id, session, subject;
    struct ref ref; /* of the subject; id is NULL if none */
    const char *tool;
    size_t count;
    int64_t *at;                   /* [count] ms since the epoch */
    enum error_code *outcome;      /* [count] */
    struct call_guard guard;       /* sum over all of them; zeroed if nothing is known */
    const char *arguments, *error; /* of failed calls, see FAILURES_KEPT; NULL if not kept */
};
/*
 * Reads the rows with id > `after` in order, at most `limit`. Ids have gaps, because CALL_SESSION
 * and CALL_NAMED rows are in the same log.
 */
int call_list(struct reader *r, struct arena *arena, int64_t after, size_t limit,
              struct call_row **out, size_t *count, struct error *e);
/*
 * The other failed calls of the same session and tool with the same arguments: retries, of which the
 * first and last are `first` and `last` (ms). Sets count 0 if the arguments were not kept. O(failures
 * kept).
 */
struct call_retries {
    size_t count;
    int64_t first, last;
};
int call_retries_read(struct reader *r, int64_t call, struct call_retries *out, struct error *e);
/* Totals of a session's calls in one namespace, from the log of calls. */
struct session_namespace {
    int64_t session;
    const char *namespace_; /* NULL for calls without a namespace */
    int64_t calls, errors, redactions;
};
/*
 * For the sessions with ids from `first` to `last`, ordered by id and namespace. Skips calls
 * without a `guard`. O(calls).
 */
int session_namespaces(struct reader *r, struct arena *arena, int64_t first, int64_t last,
                       struct session_namespace **out, size_t *count, struct error *e);
/* The usage of the sessions with ids from `first` to `last`, by session; the largest first. */
int session_usage(struct reader *r, struct arena *arena, int64_t first, int64_t last,
                  struct usage **out, size_t *count, struct error *e);
/* The usage of all sessions together, by tool. O(usage). */
int session_usage_of_all(struct reader *r, struct arena *arena, struct usage **out, size_t *count,
                         struct error *e);
/*
 * Adds up the calls of each of `count` minutes from `since` on, of one session or of all (0), in the
 * arena. `since` is rounded down to a minute. O(sessions that called in those minutes).
 */
int session_minutes(struct reader *r, struct arena *arena, int64_t session, int64_t since,
                    size_t count, struct call_minute **out, struct error *e);
/* Adds the counts of `more` to `sum`. */
void usage_add(struct usage *sum, const struct usage *more);
/*
 * A row of the call log after which all calls from that time on stand; 0 if they may be anywhere, -1
 * on error. A flush is not late by more than CALL_LATE. O(log calls).
 */
#define CALL_LATE 60000 /* ms */
int64_t call_before(struct reader *r, int64_t at, struct error *e);
int64_t call_last(struct reader *r, struct error *e); /* the greatest id; 0 if none; -1 on error */
/* ---- a person's decisions ---- */

/*
 * Ends a session of any process, which notices within a second. ERROR_CONFLICT if it has ended or
 * its process was killed; a session that is away can still be allowed to write.
 */
int store_session_end(struct store *s, const struct actor *actor, int64_t session, struct error *e);
int store_session_read_only(struct store *s, const struct actor *actor, int64_t session,
                            bool read_only, struct error *e);
/* The same within a job of the writer, for callers that cannot wait. */
int session_decide(struct txn *t, const struct actor *actor, int64_t session,
                   enum session_verdict verdict, struct error *e);
/* ---- outcomes of the calls of a row ---- */

struct call_outcome {
    enum error_code code;
    size_t count;
    int64_t first, last; /* ms since the epoch */
};

/*
 * Counts the outcomes of the calls from `since` to `until` (inclusive), ordered by code. Returns
 * the number of entries in `out`.
 */
size_t call_outcomes(const struct call_row *row, int64_t since, int64_t until,
                     struct call_outcome out[ERROR_CODES]);

/* True if the call wrote an event. Lists that show both logs show the event, not the call. */
bool call_outcome_is_event(const char *tool, enum error_code code);
/*
 * The outcome as a word: "OK", an error's name such as "CONFLICT", or "CANCELLED" for a call that
 * its client canceled.
 */
const char *call_outcome_name(enum error_code code);

#endif
