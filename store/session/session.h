/*
 * Sessions: who talks to a store over MCP, and what they asked. Rows in the store, so that every explorer
 * sees those that any process serves, and can end one or make it read-only.
 *
 * A serving process has one `struct call_log`. It begins sessions in it and notes each call; counts,
 * latencies and the log of reads and refusals are gathered and written within a second, in a job of
 * the writer. Writes are in the journal, with their session; the log of calls is a chain of its own.
 * A store that is open for reading only keeps all of it in memory.
 */
#ifndef STEMMA_SESSION_H
#define STEMMA_SESSION_H

#include "model/base/latency.h"
#include "store/journal/call_chain.h"
#include "store/journal/journal.h"
#include "store/txn/writer.h"

struct call_log;
struct session;

#define TASK_NAME_MAX   1000    /* characters of a task's name */
#define SESSION_UNNAMED "agent" /* who nobody says a name of */

struct session_start {
    const char *client, *client_version; /* as the client says; NULL: it does not */
    const char *era;                     /* the revision: "2025-11-25", "2026-07-28" */
    const char *transport;               /* "stdio", "socket" */
    const char *agent,
        *task; /* whose it is: `stemma mcp --agent`, `--task`, or as requests say of it; NULL: none */
    int64_t peer_uid, peer_pid; /* as the system knows them; -1: unknown */
};

/* One call that was answered. */
struct call_note {
    const char *tool; /* a tool's name, or a method; a constant or lives as long as the process */
    int64_t subject;  /* a memory's row; 0: none */
    int64_t at;       /* ms since the epoch */
    int64_t took_us;
    enum error_code outcome;
    bool is_tool;
    bool wrote; /* it is in the journal: only counted here, unless it is of a namespace. A refused
                   write is logged */
    const char *namespace_;  /* that it was about; NULL: none */
    const char *agent;       /* in whose name, where that is not the session's; NULL: it is */
    const char *task;        /* that the request itself said; NULL: it did not */
    const char *traceparent; /* the trace it belongs to (W3C); NULL: none */
    struct call_spans spans;
    int64_t redactions; /* personal data that was masked in its answer */
};

/* ---- the serving process: the loop's thread ---- */

struct call_log *call_log_open(struct store *s);
/* Whatever waits for other programs to write to the store is given up then (ms, monotonic): what was not
 * written by that time is lost. */
void call_log_hurry(struct call_log *l, int64_t until);
/* Flushes and waits, but for other programs a second at most; ends the sessions that are left. */
void call_log_close(struct call_log *l);
/* Everything is copied. Its row is made with its first write or the next flush. */
struct session *session_begin(struct call_log *l, const struct session_start *start);
/* The same for one of whom nothing is known but what stands in `start`, so that it may come again and nobody could
 * tell. What a person decided about its session holds until then: it goes on where it may only read, and is ended
 * where that was less than SESSION_REFUSED_MS ago. Else, and where that cannot be read, another begins. */
#define SESSION_REFUSED_MS 600000
struct session *session_return(struct call_log *l, struct reader *r,
                               const struct session_start *start);
/* Its client says who it is, where it had not said it yet, or another version, revision or task: the row follows. One
 * that calls itself something else is the same session, and what it does from then on stands under its own name.
 * Copied; `client` and `task` NULL: it does not say. */
void session_follow(struct session *s, const struct session_start *now);
void session_note(struct session *s, const struct call_note *note);
enum session_ender {
    ENDED_BY_CLIENT,
    ENDED_BY_SERVER,
};
/* Its peer went away, or is served no further; `s` is gone for the caller. Jobs that the writer has by then still
 * find it. */
void session_end(struct session *s, enum session_ender by);
/* How long until call_log_flush is worth a call: ms, or -1 for ever. */
int call_log_due(const struct call_log *l);
void call_log_flush(struct call_log *l);
/* Why what was gathered could not be written when it was tried last: it is tried again and again. ERROR_NONE where
 * it could. The log's own. */
const struct error *call_log_failed(const struct call_log *l);
/* Those that it has which have not ended: O(sessions). */
size_t call_log_sessions(const struct call_log *l);
/* Reads what others decided about these sessions; call it when the store changed. */
int call_log_apply_decisions(struct call_log *l, struct reader *r, struct error *e);
/* The same of this one, at once: one look at its row. */
int session_apply_decision(struct session *s, struct reader *r, struct error *e);
bool session_is_ended(const struct session *s); /* by a person: nothing more of it is served */
bool session_is_read_only(const struct session *s);
const char *session_actor(const struct session *s); /* good until session_follow */
const char *session_uuid(const struct session *s);

/* What went through a session so far. */
struct session_use {
    int64_t started_at; /* ms since the epoch */
    int64_t bytes;      /* of its requests and their answers */
    double usd;         /* as its client said last; 0: it did not */
    int64_t calls;      /* of tools */
    size_t kept;        /* the newest of those, which session_past knows */
};
#define SESSION_PAST_MAX 1000
struct session_use session_used(const struct session *s);
/* One of those calls, from 0, the oldest that is known first. */
struct past_call {
    const char *tool;
    int64_t at; /* ms since the epoch */
    enum error_code outcome;
};
struct past_call session_past(const struct session *s, size_t i);
void session_passed(struct session *s, size_t bytes);
void session_spent(struct session *s, double usd);

/* ---- the serving process: the writer's thread ---- */

/* The row of the session, for actor.session. ERROR_REFUSED where it was ended or made read-only by then,
 * as the store itself says in this transaction. */
int session_admit(struct txn *t, struct session *s, int64_t *row, struct error *e);

/* ---- reading, by anybody ---- */

struct session_row {
    int64_t id;
    const char *uuid, *actor, *agent, *task, *client, *client_version, *era, *transport;
    int64_t peer_uid, peer_pid, process; /* -1: unknown */
    int64_t started_at, seen_at, ended_at /* 0: not ended */;
    const char
        *ended_by; /* "client", "server", a person's name, "lost" (its process was killed); NULL */
    bool read_only;
    bool lives; /* not ended, and the process that serves it is there */
    bool away;  /* it does not live, and may only read when its client comes again */
    int64_t calls, errors;
    struct latency latency;
};
enum session_which {
    SESSIONS_ALL,
    SESSIONS_LIVING,
    SESSIONS_AWAY, /* O(those that a person decided about) */
    /* In the order of their ids, the greatest first, those below `before`. A row is made with a session's first
     * write or flush, so this is not the order in which they began; but a page costs no more than its rows. */
    SESSIONS_BY_ROW,
};
/* Those that began last first, of those that began before the session of the id `before` (0: of all). `limit` 0:
 * all. */
int session_list(struct reader *r, struct arena *arena, enum session_which which, int64_t before,
                 size_t limit, struct session_row **out, size_t *count, struct error *e);
/* The names that sessions go by, each once, in their order: some of them hold no memory. O(sessions). */
int session_agents(struct reader *r, struct arena *arena, const char ***out, size_t *count,
                   struct error *e);
int session_read(struct reader *r, struct arena *arena, int64_t id, struct session_row *out,
                 struct error *e); /* ERROR_NOT_FOUND */
/* By its row, or a unique prefix (4 or more) of its uuid. ERROR_NOT_FOUND, ERROR_INVALID (ambiguous). */
int session_find(struct reader *r, struct arena *arena, const char *text, struct session_row *out,
                 struct error *e);

/* A row of the log of calls: equal calls of one flush, with the time and outcome of each. Its tool is
 * "(not logged)" where calls came faster than they could be kept: only how many is known then. Calls of which
 * `guard` has something to say share a row only where they came out alike. */
struct call_row {
    int64_t id, session, subject;
    struct ref ref; /* of the subject; id NULL: none */
    const char *tool;
    size_t count;
    int64_t *at;              /* [count] ms since the epoch */
    enum error_code *outcome; /* [count] */
    struct call_guard guard;  /* of all of them; zeroed: nothing is known */
};
/* Those with id > `after`, in order, at most `limit`. Ids are not dense: sessions begin, and are
 * named anew, in the same log. */
int call_list(struct reader *r, struct arena *arena, int64_t after, size_t limit,
              struct call_row **out, size_t *count, struct error *e);
/* What the calls of a session in one namespace came to, as far as the log of calls says. */
struct session_name {
    int64_t session;
    const char *namespace_; /* NULL: of calls that were about none */
    int64_t calls, errors, redactions;
};
/* Of the sessions from the id `first` to `last`, in their order, then by name. Calls of which only who asked
 * for what is known are in none. O(calls). */
int session_names(struct reader *r, struct arena *arena, int64_t first, int64_t last,
                  struct session_name **out, size_t *count, struct error *e);
int64_t call_last(struct reader *r, struct error *e); /* the greatest id; 0: none; -1 */
/* ---- a person's decisions ---- */

/* Ends it, whatever process serves it; it notices within a second. ERROR_CONFLICT: it has ended, or
 * its process was killed; one that is away may be let write all the same. */
int store_session_end(struct store *s, const struct actor *actor, int64_t session, struct error *e);
int store_session_read_only(struct store *s, const struct actor *actor, int64_t session,
                            bool read_only, struct error *e);
/* The same within a job of the writer (writer.h), for who cannot wait for it. */
int session_decide(struct txn *t, const struct actor *actor, int64_t session,
                   enum session_verdict verdict, struct error *e);
/* ---- how calls of a row came out: whoever tells of calls has a line for each outcome, and one word for it ---- */

struct call_outcome {
    enum error_code code;
    size_t count;
    int64_t first, last; /* ms since the epoch */
};

/* The outcomes that the calls from `since` to `until` have, both included, by their codes: how many there are. */
size_t call_outcomes(const struct call_row *row, int64_t since, int64_t until,
                     struct call_outcome out[ERROR_CODES]);

/* Did it fail? One that its client gave up did not. */
bool call_outcome_is_error(enum error_code code);
/* Did it write what the journal has as an event? Whoever tells of both logs tells it by that. */
bool call_outcome_is_event(const char *tool, enum error_code code);
/* As the client was told: "OK", "CONFLICT". A call that it cancelled itself was told of in no answer: "CANCELLED". */
const char *call_outcome_name(enum error_code code);

#endif
