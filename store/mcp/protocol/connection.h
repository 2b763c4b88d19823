/* One MCP connection: turns received bytes into calls, and answers into bytes to send. It reads no descriptor and
 * runs no tool. All functions are for one thread, the loop's, except where noted. */
#ifndef STEMMA_MCP_CONNECTION_H
#define STEMMA_MCP_CONNECTION_H

#include "store/mcp/protocol/message.h"
#include "store/mcp/protocol/service.h"

/* The process at the other end, as the operating system reports it, and the options of the server. */
struct mcp_peer {
    const char *transport; /* "stdio", "socket" */
    int64_t uid, pid;      /* -1 if not known */
    const char *agent;     /* the name that its channel grants; NULL if none */
    const char *task;
};

struct metrics;

/* Callbacks and shared objects that the program which runs the connection provides. */
struct mcp_host {
    /* Carries the call out, then passes it to mcp_connection_answer in the loop's thread. */
    void (*start)(struct mcp_host *h, struct mcp_call *call);
    /* The client no longer waits for the call (call->cancelled is set). It must still be passed to
     * mcp_connection_answer. */
    void (*cancel)(struct mcp_host *h, struct mcp_call *call);
    /* Wakes the loop because a call has progress to send. May be called from any thread. */
    void (*progress)(struct mcp_host *h, struct mcp_call *call);
    /* Returns the current rules with a reference for the caller, or NULL. Nothing is guarded if this is NULL or
     * returns NULL. */
    struct guard_rules *(*rules)(struct mcp_host *h);
    struct rates *rates;   /* rate limits of calls; NULL if there are none */
    struct call_log *log;  /* the log of sessions and calls */
    struct reader *reader; /* the loop's reader, for requests that are answered at once */
    /* Counts an answered call in `metrics`. May be NULL. */
    void (*count)(struct metrics *metrics, const struct mcp_call *call, const char *name,
                  int64_t took_us);
    struct metrics *metrics;
};

struct mcp_connection *mcp_connection_new(const struct mcp_service *service, struct mcp_host *host,
                                          const struct mcp_peer *peer);
/* Lists tools of these sets from now on; 0: those of the service. */
void mcp_connection_offer(struct mcp_connection *c, unsigned sets);
/* The name that its channel granted; NULL if none. */
const char *mcp_connection_agent(const struct mcp_connection *c);
/* Cancels the requests in flight and ends the client session. Answers of calls that return later are dropped. */
void mcp_connection_free(struct mcp_connection *c);
/* Records that the server ends the connection, not the client. Call it before mcp_connection_free. */
void mcp_connection_dismiss(struct mcp_connection *c);

/* Adds received bytes. They are buffered until mcp_connection_next takes them. */
void mcp_connection_feed(struct mcp_connection *c, const char *bytes, size_t len);
/* Takes one line and handles its message. Returns 1, or 0 if no whole line is buffered. */
int mcp_connection_next(struct mcp_connection *c);
/* True if too much is in flight: do not read from the peer or take lines until some requests are answered. */
bool mcp_connection_full(const struct mcp_connection *c);
/* Handles a message that the transport has parsed itself. */
void mcp_connection_handle(struct mcp_connection *c, const struct message *m);
/* Gives `c` the session of `from`, unless it has one. With `all` it also moves the subscriptions and the client's
 * name, and copies the log level and the revision. */
void mcp_connection_join(struct mcp_connection *c, struct mcp_connection *from, bool all);
/* True if a request is in flight or a listen stream is open. */
bool mcp_connection_is_waiting(const struct mcp_connection *c);
/* Marks the end of the input: buffered bytes without a line end then count as a line. */
void mcp_connection_end(struct mcp_connection *c);

/* The bytes to send. First adds notifications that had to wait for room. The transport removes the bytes that it has
 * sent. */
struct strbuf *mcp_connection_out(struct mcp_connection *c);
/* True if a call or another connection also uses its session. */
bool mcp_connection_is_shared(const struct mcp_connection *c);
/* Its session; NULL until the first request that names the client. */
struct session *mcp_connection_session(struct mcp_connection *c);

/* Takes a call back from the host: appends its answer unless the client no longer waits, writes it to the log of
 * calls and frees it. */
void mcp_connection_answer(struct mcp_call *call);
/* Sends the progress that a call has reported since the last time. */
void mcp_connection_send_progress(struct mcp_call *call);

/* The store has changed: marks all subscribed resources as possibly changed. */
void mcp_connection_mark_changed(struct mcp_connection *c);
/* Reads the marked resources until `until_us` (monotonic) and notifies the client of those that differ. Notifications
 * wait while more than MCP_OUT_HIGH bytes are queued. Returns true when all marked resources were read. */
bool mcp_connection_check_changed(struct mcp_connection *c, int64_t until_us);
/* True if it has subscriptions or listen streams. */
bool mcp_connection_subscribed(const struct mcp_connection *c);
/* Ends all listen streams with their final response, before an orderly close. */
void mcp_connection_end_streams(struct mcp_connection *c);

/* With more queued bytes than this nothing more is read from a peer, and notifications wait. */
#define MCP_OUT_HIGH (8u << 20)
/* Maximum number of requests of one connection in flight. At the limit nothing more is read from the peer. */
#define MCP_IN_FLIGHT_MAX 1024

/* ---- for a transport that parses messages itself (HTTP) ---- */

#define MCP_BATCHES "2025-03-26" /* the only revision with arrays of messages */
#define MCP_MODERN  "2026-07-28"
#define MCP_URI_MAX 2048

/* Finds a revision that has a handshake (`initialize`). Returns a constant, or NULL if there is no such revision. */
const char *protocol_legacy_revision(const char *name);
/* True for names under which the metrics count requests other than tools/call. */
bool protocol_is_method(const char *name);
/* The client's name and version from clientInfo, cut to a maximum length. The caller frees them. NULL if absent or
 * blank. */
char *client_name(struct json_slice client);
char *client_version(struct json_slice client);
/* The revision that `initialize` negotiated; NULL before that. */
const char *mcp_connection_revision(const struct mcp_connection *c);
/* Sets the revision of the messages that follow (a constant), or NULL if each message states its own. With
 * `self_identified` the session is identified only by what the messages say about their client. */
void mcp_connection_set_revision(struct mcp_connection *c, const char *revision,
                                 bool self_identified);
/* Answers a message with an error. The error has no id if the message has none. */
void mcp_connection_refuse(struct mcp_connection *c, const struct message *m, enum rpc_code code,
                           const char *why);
/* Answers that the protocol version `wanted` is not supported. */
void mcp_connection_refuse_version(struct mcp_connection *c, const struct message *m,
                                   const char *wanted);

#endif
