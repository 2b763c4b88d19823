/* Shared by the files of the protocol engine; other rooms use connection.h. */
#ifndef STEMMA_MCP_CONNECTION_INTERNAL_H
#define STEMMA_MCP_CONNECTION_INTERNAL_H

#include <pthread.h>
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/mcp/protocol/connection.h"
#include "store/mcp/protocol/message.h"
#include "store/mcp/protocol/service.h"

/* The levels of messages for a client's log: those of syslog. */

#define LOG_LEVEL_INFO    1
#define LOG_LEVEL_NOTHING 8 /* above all of them */

/* Returns 0 (debug) to 7 (emergency), or -1 if there is no level of that name. */
int log_level_named(const char *name);

/*
 * Splits the input into lines, which end with "\n" or "\r\n". Blank lines are skipped, and so is a byte order mark
 * before the first line. A line longer than MCP_LINE_MAX is reported once and skipped. Each byte is scanned once.
 */
struct framing {
    struct strbuf bytes;
    size_t taken;   /* bytes that were returned as lines */
    size_t scanned; /* no line end is before this offset */
    bool begun;     /* the first line was returned */
    bool skipping;  /* discarding the rest of a line that was too long */
    bool ended;
};

enum frame {
    FRAME_NONE, /* no whole line is buffered */
    FRAME_LINE,
    FRAME_TOO_LONG,
};

#define FRAMING_INIT                                                                               \
    {                                                                                              \
        .bytes = STRBUF_INIT                                                                       \
    }

void framing_release(struct framing *f);
void framing_feed(struct framing *f, const char *bytes, size_t len);
/* Marks the end of the input: the remaining bytes are a line. */
void framing_end(struct framing *f);
/* Finds the next line, without its line end. It is valid until framing_feed or framing_release_lines. */
enum frame framing_next(struct framing *f, const char **line, size_t *len);
/* Releases the buffer if all lines were returned. Call it when the last line is no longer needed. */
void framing_release_lines(struct framing *f);

/* A request in flight is in its connection's list until it is answered. It owns copies of what it needs
 * (call->taken), because the connection may be freed first. */

#define MCP_LEGACY_NEWEST "2025-11-25"
/* Longer answers are replaced by an error: clients close the connection if a line passes 10 MiB, including what
 * follows it in their buffer. */
#define MCP_ANSWER_MAX 10000000u
/* No more requests are taken while those in flight hold more bytes than this. */
#define MCP_HELD_MAX          (32u << 20)
#define MCP_BATCH_MAX         MCP_IN_FLIGHT_MAX /* messages in one array */
#define MCP_BATCHES_MAX       4    /* arrays being answered; each may hold MCP_ANSWER_MAX bytes */
#define MCP_SUBSCRIPTIONS_MAX 1024 /* of one connection, including listen streams */

/* A client session with a reference count: connections and calls in flight share it. The last release ends the
 * session. */
struct client_session {
    struct session *session;
    size_t holders;
    bool dismissed; /* the server ends it, not the client */
};

/* An array of requests: its answers are sent together as one array. */
struct batch {
    struct strbuf answers; /* separated by commas */
    size_t waiting;        /* requests not yet answered, and messages not yet read */
};

struct subscription;
struct mcp_request;

struct mcp_connection {
    const struct mcp_service *service;
    struct mcp_offer offer; /* the service's, or what the transport set */
    struct mcp_host *host;
    struct framing in;
    struct strbuf out;
    struct mcp_request *first; /* in flight, newest first */
    size_t in_flight, held;    /* their number, and the bytes that they hold */
    size_t batches;            /* arrays that are not fully answered */
    struct subscription *subscriptions;
    size_t subscribed;          /* number of subscriptions */
    bool pending;               /* a subscription has a notification that was not sent yet */
    int log_level;              /* minimum level of log messages for legacy clients */
    const char *revision;       /* negotiated by initialize, a constant; NULL before that */
    bool elicits;               /* the client asks its person */
    struct question *questions; /* asked and not answered, newest first */
    int64_t asked;              /* number of the last one */
    struct client_session *client_session;
    char *client; /* name from the last initialize; NULL if it gave none */
    /* The client info, agent and task of the last request as received, and the client's name in it. Parsed again only
     * if these bytes change. */
    struct strbuf claims;
    char *name;
    bool claims_noted; /* the session was updated from `claims` */
    char *agent, *task;
    const char *transport;
    bool self_identified; /* identified only by what the requests say about their client */
    int64_t uid, pid;
    /* error code of the current message if it was refused before there was a call; 0 if none */
    enum rpc_code refused;
    /* bytes of the answer just written, at the end of the output or of the array; 0 if none, or taken by a call */
    size_t answered;
};

struct method;
/* One message while it is handled. */
struct exchange {
    struct mcp_connection *c;
    struct batch *batch; /* receives the answer; NULL if the answer is a line of its own */
    const struct message *m;
    const struct method *method;
};

/* request.c */

/* Makes a call for a request. `call->arguments` is a copy of its params. `agent` is the agent_id argument, a JSON
 * string; ptr NULL if absent. The caller owns the call and fills it in until request_start or request_fail. */
struct mcp_call *request_new(const struct exchange *x, struct json_slice agent);
/* Whom the connection's requests are carried out for, and the rules, which the caller releases. The name is the
 * connection's. */
struct guard connection_guard(const struct mcp_connection *c);
/* Maps a slice of the message's params to the same slice of the call's copy. */
struct json_slice request_slice(const struct mcp_call *call, const struct message *m,
                                struct json_slice part);
/* Passes the call to the host, which may answer it before this returns. */
void request_start(struct mcp_call *call);
/* Takes over from the answer just written how long it is, and what it says of a failure. */
void request_take_answer(struct mcp_call *call, struct mcp_connection *c,
                         const struct batch *batch);
/* Frees a call that was not started. Its request must have been answered. */
void request_drop(struct mcp_call *call);
/* Answers the call at once with call->error. */
void request_fail(struct mcp_call *call);
/* Counts a finished call, and adds it to the log of calls if it has a session. `wrote` is true if it changed the
 * store. */
void request_note(struct mcp_call *call, bool wrote);
/* Finds the request in flight with this id. Returns NULL if there is none or it was cancelled. */
struct mcp_request *request_find(const struct mcp_connection *c, struct json_slice id);
void request_cancel(struct mcp_request *r);
/* Cancels all requests in flight and detaches them from the connection. */
void request_forget_all(struct mcp_connection *c);

/* connection.c */

/* Begins the session, or updates it if there is one (session_update_client). `client` is clientInfo; ptr NULL if not
 * known. */
void client_session_begin(struct mcp_connection *c, const char *era, const struct message *m,
                          struct json_slice client);
/* Does the same for a request other than initialize. */
void client_session_ensure(struct mcp_connection *c, const struct message *m);
/* The client's name from the message's clientInfo, or for legacy messages from initialize. Owned by the connection.
 * NULL if not known. */
const char *client_of(struct mcp_connection *c, const struct message *m);
struct client_session *client_session_hold(struct client_session *s);
void client_session_release(struct client_session *s);

/* Counts one message of the array as done. The last one sends the array and frees it. `c` is NULL if the connection
 * was closed. */
void batch_settle(struct mcp_connection *c, struct batch *b);

/* Whether these capabilities of a client say that it shows forms to its person. */
bool elicit_declared(struct json_slice capabilities);
/* Asks the person about the memory that the answered call wrote, if it waits and the client can. */
void elicit_ask(struct mcp_connection *c, const struct mcp_call *call);
/* Takes a response of the client, and starts the write that it decides. */
void elicit_answer(struct mcp_connection *c, const struct message *m);
void elicit_release(struct mcp_connection *c);

/* subscriptions.c */

/* The listen stream that the request with this id opened; with ptr NULL any stream. NULL if there is none. */
struct subscription *stream_find(const struct mcp_connection *c, struct json_slice id);
/* Removes the stream and its subscriptions. */
void stream_end(struct mcp_connection *c, struct subscription *stream);

/* Sends the notifications that had to wait for room. */
void subscriptions_catch_up(struct mcp_connection *c);
void subscriptions_release(struct mcp_connection *c);
/* Moves the subscriptions that `from` made with resources/subscribe to `to`. Listen streams stay. */
void subscriptions_pass(struct mcp_connection *to, struct mcp_connection *from);

/* Progress of a call. Any thread may set it. */
struct progress {
    pthread_mutex_t lock;
    double done, total;
    bool is_new, any; /* not sent yet; reported at least once */
};

struct mcp_request {
    struct mcp_call call;
    struct mcp_request *next, **link; /* in its connection's list; link is NULL if it is in none */
    const struct method *method;
    struct mcp_host *host;
    struct batch *batch;
    struct client_session *client_session;
    struct json_slice id, token; /* token.ptr is NULL if the client did not ask for progress */
    int log_level;               /* minimum level of log messages for this request */
    bool own_task;               /* the task is in its _meta */
    bool unanswered;             /* it is a response of the client, which gets no answer */
    struct json_slice params;    /* as received */
    size_t size;                 /* bytes of memory that it holds */
    struct progress progress;
};

/* Sends a log message to the client, before the answer. */
void request_log(const struct mcp_request *r, const char *level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends the events of a call, or the event of its failure, before its answer. */
void request_add_events(const struct mcp_request *r, int64_t at, struct strbuf *out);
/* Appends a progress notification if there is new progress. */
void request_add_progress(struct mcp_request *r, struct strbuf *out);

/*
 * An answer, written directly into the output: reply_to, reply_open, members of r.result, reply_close. reply_open and
 * reply_close add the members that modern results share. An answer that is too long is replaced by an error.
 */
struct reply {
    struct mcp_connection *c;
    struct batch *batch;  /* NULL if the answer is a line of its own */
    struct json_slice id; /* ptr NULL if it could not be read */
    enum mcp_era era;
    bool cached;           /* the method's modern results state their lifetime (ttlMs) */
    bool at_once;          /* there is no call: an error is recorded in mcp_connection.refused */
    struct mcp_call *call; /* gets the error that replaces an answer, and its size; may be NULL */
    struct json_object result;
    struct strbuf *out;
    size_t start;
};

struct reply reply_to(const struct exchange *x);
void reply_open(struct reply *r);
void reply_close(struct reply *r);

/* The answer that was just written; empty if there is none. */
struct json_slice reply_written(const struct mcp_connection *c, const struct batch *batch);
/* Answers with an empty result. */
void reply_empty(const struct exchange *x);
void reply_error(struct reply r, enum rpc_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Answers with RPC_INVALID_PARAMS. */
void refuse_params(const struct exchange *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Like reply_error, with `data` (JSON; left out if empty). */
void reply_error_with(struct reply r, enum rpc_code code, const struct strbuf *data,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Answers with the result of a tool. `json` is the structuredContent object. If it is too long, the answer is an
 * error that says to ask for less. */
void reply_tool(struct reply r, const struct strbuf *json, bool is_error);
/* Answers with a result that the tool wrote completely (mcp_tool.whole). */
void reply_tool_whole(struct reply r, const struct strbuf *result);
/* Answers with a result made of the given members, with or without braces around them. */
void reply_members(struct reply r, const struct strbuf *members);
/* Answers with a tool's failure as a result. `details` are JSON members (NULL if none), left out if too long. */
void reply_tool_error(struct reply r, const struct error *e, const char *details);

/* Appends the server's name, title and version as an object. */
void reply_add_server(struct strbuf *out, const struct mcp_service *service);

/* The methods: name, eras in which each exists, and the function that serves it. protocol.c has the table. */
enum method_flag {
    METHOD_LEGACY = 1,
    METHOD_MODERN = 2,
    METHOD_CACHED = 4,   /* modern results state their lifetime */
    METHOD_RESOURCE = 8, /* "not found" has its own error code */
};

struct method {
    const char *name;
    unsigned flags;
    void (*serve)(const struct exchange *x);
};

/* Serves a request of either era. */
void protocol_request(struct exchange *x);
/* Answers that there is no `what` ("tool", "method") of that name. The name is masked. */
void refuse_name(const struct exchange *x, enum rpc_code code, const char *what, const char *name,
                 const char *instead); /* `instead` follows the name */
/* Answers with the error `e`, masked; `given` is the JSON that it may quote. */
void refuse_given(const struct exchange *x, enum rpc_code code, struct json_slice given,
                  struct error *e);
/* The current rules, with a reference for the caller. NULL if there are none. */
struct guard_rules *connection_rules(const struct mcp_connection *c);
/* Appends the text, masked by the rules (NULL masks nothing). */
void protocol_mask(const struct guard_rules *rules, const char *text, struct strbuf *out);
/* Answers that the protocol version `wanted` is not supported. */
void protocol_refuse_version(const struct exchange *x, const char *wanted);
/* Handles notifications/cancelled and ignores other notifications. */
void protocol_notification(struct mcp_connection *c, const struct message *m);
/* True if params.cursor is absent or "": these lists have one page. Otherwise answers with an error. */
bool protocol_is_first_page(const struct exchange *x);

/* Checks that the session may make this call. Sets ERROR_REFUSED if a person ended it or made it read-only. For
 * writes the writer checks again in the write's transaction. */
int protocol_admit(struct mcp_call *call, struct error *e);
/* Sets the error of a call that was denied because of its session. Returns -1. */
int protocol_deny(const struct mcp_call *call, struct error *e);
/* If a person ended the session, answers with that error and returns true. */
bool protocol_refuse_ended(const struct exchange *x);
/* Makes a call that answers with the members that `read` writes from the request's params. */
void protocol_start_read(const struct exchange *x, call_read read);
/* The same for an existing call. */
void protocol_start(struct mcp_call *call, call_read read);
/* Answers with the call's result or error. */
void protocol_answer(struct reply r, struct mcp_call *call);

/* Counts and logs a message that was answered with an error before there was a call. */
void protocol_count_refused(const struct exchange *x);

/* methods.c */
void protocol_tools_list(const struct exchange *x);
void protocol_tools_call(const struct exchange *x);
/* The tool under which a call is counted. */
const struct mcp_tool *protocol_tool_meant(const struct exchange *x);
void protocol_resources_list(const struct exchange *x);
void protocol_templates_list(const struct exchange *x);
void protocol_resources_read(const struct exchange *x);
void protocol_prompts_list(const struct exchange *x);
void protocol_prompts_get(const struct exchange *x);
void protocol_complete(const struct exchange *x);

/* subscriptions.c */
void protocol_subscribe(const struct exchange *x);
void protocol_unsubscribe(const struct exchange *x);
void protocol_listen(const struct exchange *x);

/* Digest of a subscribed resource when it was last read. */
struct resource_state {
    bool known; /* false if reading took too long: then any change may concern it */
    struct digest digest;
};

/* A subscription to one URI, made by resources/subscribe or as part of a listen stream. The stream itself is an entry
 * without a URI. */
struct subscription {
    struct subscription *next;
    /* id of the subscriptions/listen request as received; NULL if made by resources/subscribe */
    char *stream;
    struct resource_state shown;
    bool maybe_changed; /* the store has changed since it was read */
    bool pending;       /* it changed, and the notification was not sent yet */
    size_t len;         /* length of the URI; 0 for a stream */
    char uri[];
};

#endif
