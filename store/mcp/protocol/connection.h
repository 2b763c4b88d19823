/* A connection takes bytes and gives bytes; it reads no descriptor and runs no tool. One thread. */
#ifndef STEMMA_MCP_CONNECTION_H
#define STEMMA_MCP_CONNECTION_H

#include "store/mcp/protocol/message.h"
#include "store/mcp/protocol/service.h"

/* Who is at the other end, as the system knows it, and what the server was told. */
struct mcp_peer {
    const char *transport; /* "stdio", "socket" */
    int64_t uid, pid;      /* -1: not known */
    const char *agent;     /* `stemma mcp --agent`; NULL: none */
    const char *task;
};

struct metrics;

/* What a connection asks of whoever runs it. */
struct mcp_host {
    /* Carries the call out and gives it back to mcp_connection_answer, in the loop's thread. */
    void (*start)(struct mcp_host *h, struct mcp_call *call);
    /* Nobody waits for it any more (call->cancelled is set). It still comes back to mcp_connection_answer. */
    void (*cancel)(struct mcp_host *h, struct mcp_call *call);
    /* Wakes the loop: a call has progress to tell. From any thread. */
    void (*progress)(struct mcp_host *h, struct mcp_call *call);
    /* The rules that hold by now, held for the caller. NULL, or what it gives is: nothing is guarded. */
    struct guard_rules *(*rules)(struct mcp_host *h);
    struct rates *rates;   /* the pace of calls; NULL: it is not kept */
    struct call_log *log;  /* where sessions begin and calls are noted */
    struct reader *reader; /* the loop's, for what is answered at once */
    /* Counts an answered call in `metrics`. NULL: nobody counts. */
    void (*count)(struct metrics *metrics, const struct mcp_call *call, const char *name,
                  int64_t took_us);
    struct metrics *metrics;
};

struct mcp_connection *mcp_connection_new(const struct mcp_service *service, struct mcp_host *host,
                                          const struct mcp_peer *peer);
/* Cancels what is in flight; calls that come back later are dropped. Ends its session. */
void mcp_connection_free(struct mcp_connection *c);
/* It is we who end it, and not its client. */
void mcp_connection_dismiss(struct mcp_connection *c);

/* Bytes that arrived. They are kept until mcp_connection_next has taken them. */
void mcp_connection_feed(struct mcp_connection *c, const char *bytes, size_t len);
/* Takes one line and does what it says: 1; 0: there is no whole line. */
int mcp_connection_next(struct mcp_connection *c);
/* Is so much in flight that nothing more is to be read and no line taken until some were answered? */
bool mcp_connection_full(const struct mcp_connection *c);
/* Takes a message that was read already, from whatever it came in. */
void mcp_connection_take(struct mcp_connection *c, const struct message *m);
/* `c` gets the session of `from`, unless it has one. With `all` also its subscriptions, level of the log, name and
 * revision, of which `from` is emptied. */
void mcp_connection_join(struct mcp_connection *c, struct mcp_connection *from, bool all);
/* Is there something that is still to be told: a request in flight, a listen stream? */
bool mcp_connection_waits(const struct mcp_connection *c);
/* Nothing will come after what was fed: a line without its end is a line. */
void mcp_connection_end(struct mcp_connection *c);

/* What is to be sent, with changes that had to wait for room; the transport cuts off what it has sent. */
struct strbuf *mcp_connection_out(struct mcp_connection *c);
/* Has a call, or another connection, its session as well? */
bool mcp_connection_is_shared(const struct mcp_connection *c);
/* Its session; NULL until a request told what client it is. */
struct session *mcp_connection_session(struct mcp_connection *c);

/* A call came back: appends the answer, unless nobody waits for it, notes it in the log and frees the call. */
void mcp_connection_answer(struct mcp_call *call);
/* Sends what progress a call has told since the last time. */
void mcp_connection_tell_progress(struct mcp_call *call);

/* Something was written: what it subscribed to may show something else by now. */
void mcp_connection_stir(struct mcp_connection *c);
/* Reads that until then, and tells what shows something else; later where MCP_OUT_HIGH bytes wait. True: all was read. */
bool mcp_connection_look(struct mcp_connection *c, int64_t until_us);
/* Has it subscribed to anything? */
bool mcp_connection_subscribed(const struct mcp_connection *c);
/* The server ends in good order: listen streams get their last answer. */
void mcp_connection_goodbye(struct mcp_connection *c);

/* Queued bytes beyond which nothing more is read from a peer, and notifications wait. */
#define MCP_OUT_HIGH (8u << 20)
/* Requests of one connection that may be in flight; beyond, nothing more is read from it. */
#define MCP_IN_FLIGHT_MAX 1024

/* ---- for a transport that reads messages itself (HTTP) ---- */

#define MCP_BATCHES "2025-03-26" /* the revision that has arrays of messages, alone */
#define MCP_MODERN  "2026-07-28"
#define MCP_URI_MAX 2048

/* The revision of that name among those with a handshake, a constant; NULL: there is none. */
const char *protocol_legacy_revision(const char *name);
/* Is that the name under which requests are counted that are no calls of tools? */
bool protocol_is_method(const char *name);
/* The client's name and version in clientInfo as far as they are kept, to be freed; NULL: it has none. */
char *client_name(struct json_slice client);
char *client_version(struct json_slice client);
/* The revision that initialize agreed on; NULL: none. */
const char *mcp_connection_revision(const struct mcp_connection *c);
/* The messages that it takes next are of that revision (a constant; NULL: they say so themselves). `by_word`: its session
 * is known by what they say alone. */
void mcp_connection_set_revision(struct mcp_connection *c, const char *revision, bool by_word);
/* Answers a message with an error; one that has no id with an error without one. */
void mcp_connection_refuse(struct mcp_connection *c, const struct message *m, enum rpc_code code,
                           const char *why);
/* Answers that `wanted` is no version of ours. */
void mcp_connection_refuse_version(struct mcp_connection *c, const struct message *m,
                                   const char *wanted);

#endif
