/*
 * What the files of the protocol engine share of a connection. Callers see connection.h.
 *
 * A request in flight is in its connection's list until it is answered. Its call, id, token and the text
 * of its params are one allocation, so that whoever carries it out needs nothing of the connection, which
 * may be gone by then.
 */
#ifndef STEMMA_MCP_CONNECTION_STATE_H
#define STEMMA_MCP_CONNECTION_STATE_H

#include "store/mcp/protocol/connection.h"
#include "store/mcp/protocol/framing.h"
#include "store/mcp/protocol/message.h"

#define MCP_LEGACY_NEWEST "2025-11-25"
#define MCP_BATCHES       "2025-03-26" /* the revision that has arrays of messages, alone */
#define MCP_MODERN        "2026-07-28"
/* A longer answer is not sent: clients close where a line passes 10 MiB with what follows it. */
#define MCP_ANSWER_MAX 10000000u
/* Bytes of requests in flight beyond which nothing more is taken. */
#define MCP_HELD_MAX          (32u << 20)
#define MCP_BATCH_MAX         MCP_IN_FLIGHT_MAX /* messages in one array */
#define MCP_BATCHES_MAX       4 /* arrays half answered, each of which may hold MCP_ANSWER_MAX */
#define MCP_URI_MAX           2048
#define MCP_SUBSCRIPTIONS_MAX 1024 /* of one connection, listen streams included */

/* A session, shared by its connection and the calls in flight, and ended when the last lets go. */
struct sitting {
    struct session *session;
    size_t holders;
    bool dismissed; /* it is we who end it */
};

/* Answers that are sent together as one array. */
struct batch {
    struct strbuf answers; /* with a comma before each but the first */
    size_t waiting;        /* requests that are not answered; one more while it is read */
};

struct listen_stream;
struct subscription;
struct mcp_request;

struct mcp_connection {
    const struct mcp_service *service;
    struct mcp_host *host;
    struct framing in;
    struct strbuf out;
    struct mcp_request *first; /* in flight, the newest first */
    size_t in_flight, held;    /* how many, and their bytes */
    size_t batches;            /* arrays that are not answered */
    struct listen_stream *streams;
    struct subscription *subscriptions;
    size_t subscribed;    /* both of the above */
    bool late;            /* a subscription has a change that is not told yet */
    int log_level;        /* the least that a legacy client is told */
    const char *revision; /* that initialize agreed on; NULL: none. A constant */
    struct sitting *sitting;
    char *client; /* its name, of the last initialize; NULL: it gave none */
    char *agent, *task;
    /* What its client may do once a person ended its session. A constant; NULL: connect anew. */
    const char *again;
    const char *transport;
    /* Its session is known by what its requests say of themselves alone: all of them the same agent, or none. */
    bool by_word;
    int64_t uid, pid;
    enum rpc_code
        refused; /* with what the message at hand was answered before it was any call's; 0: it was not */
};

struct method;
/* One request as it is being served. */
struct exchange {
    struct mcp_connection *c;
    struct batch *batch; /* that its answer goes to; NULL: a line of its own */
    const struct message *m;
    const struct method *method;
};

/* request.c */

/*
 * Makes a call of a request: its `params` are copied, and `call->arguments` is that copy ("{}" where there
 * are none). `agent` is the agent it says it acts for, a string; ptr NULL: it does not say. NULL
 * where there is no memory. Until it is started or failed it belongs to the caller, who fills it.
 */
struct mcp_call *request_new(const struct exchange *x, struct json_slice agent);
/*
 * The same of a message that was answered with an error already, to be counted: it changes nothing of its session, and
 * one that says no more of its client than that (MESSAGE_BROKEN, and not modern) goes by its session's name.
 */
struct mcp_call *request_refused(const struct exchange *x);
/* For whom a request is carried out, its agent in `arena`; the caller releases its rules. */
struct guard request_guard(const struct exchange *x, struct arena *arena);
/* A part of the message's params as the call keeps it. */
struct json_slice request_kept(const struct mcp_call *call, const struct message *m,
                               struct json_slice part);
/* Hands it to whoever carries it out; it may have been answered when this returns. */
void request_start(struct mcp_call *call);
/* Answers it at once with call->error. */
void request_fail(struct mcp_call *call);
/* Counts and logs it with call->error, with which the request was answered already: it goes no further. */
void request_count(struct mcp_call *call);
/* The one in flight with this id that was not cancelled, or NULL. */
struct mcp_request *request_find(const struct mcp_connection *c, struct json_slice id);
void request_cancel(struct mcp_request *r);
/* Cancels what is in flight and leaves it to come back to nobody. */
void request_forget_all(struct mcp_connection *c);

/* sitting.c */

/* Begins the session with a request where none was begun; else session_follow says what becomes of it.
 * `client` is clientInfo; ptr NULL: not known. */
void sitting_begin(struct mcp_connection *c, const char *era, const struct message *m,
                   struct json_slice client);
/* The same with a request that shakes no hands: of the stateless era it says itself who sends it and which revision that
 * is, and of the other what was agreed on holds. */
void sitting_meet(struct mcp_connection *c, const struct message *m);
/* The client's name and version in clientInfo as far as they are kept, to be freed; NULL: it has none. */
char *sitting_name(struct json_slice client);
char *sitting_version(struct json_slice client);
struct sitting *sitting_hold(struct sitting *s);
void sitting_release(struct sitting *s);

/* connection.c */

/* One message of the array is answered or will not be; the last sends the array and frees it. `c` NULL:
 * nobody is there to send it to. */
void batch_settle(struct mcp_connection *c, struct batch *b);

/* listen.c */

/* Ends the listen stream of that request: true where there is one. */
bool subscriptions_cancel(struct mcp_connection *c, struct json_slice id);
bool subscriptions_has_stream(const struct mcp_connection *c, struct json_slice id);

/* subscriptions.c */

/* Tells the changes that had to wait for room. */
void subscriptions_catch_up(struct mcp_connection *c);
void subscriptions_release(struct mcp_connection *c);
/* Those of `from` by resources/subscribe are `to`'s from now on. */
void subscriptions_pass(struct mcp_connection *to, struct mcp_connection *from);

#endif
