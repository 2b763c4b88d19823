/*
 * Shared by the files of HTTP: `struct http` (the transport), `struct http_line` (a connection), `struct http_client`
 * (a client over its requests) and `struct http_exchange` (one request and its response). Only this room includes it.
 */
#ifndef STEMMA_MCP_HTTP_STATE_H
#define STEMMA_MCP_HTTP_STATE_H

#include <microhttpd.h>
#include "model/base/error.h"
#include "store/mcp/http/http.h"
#include "store/mcp/server/server_state.h"

#define HTTP_PATH    "/mcp"
#define HTTP_METRICS "/metrics"
#define HTTP_LINES_MAX                                                                             \
    256 /* TCP connections that sent the token, at once; more wait in the backlog */
#define HTTP_UNAUTHENTICATED_MAX                                                                   \
    512 /* TCP connections that did not yet: the oldest makes room for the next */
#define HTTP_LOCAL_MAX   512 /* connections of the Unix socket at once; more are closed */
#define HTTP_BODY_MAX    MCP_LINE_MAX
#define HTTP_BODIES_MAX  (64u << 20) /* bytes of all request bodies being read */
#define HTTP_CLIENTS_MAX 768 /* one for each TCP connection that may send the token at once */
#define HTTP_SESSION_ID  32  /* characters of a session id */

/*
 * Seconds until a connection without a complete request is closed, even if bytes drip in: for the head, counted from
 * the start of the connection or from the last response to an authorised request; and for the body of an authorised
 * request.
 */
#define HTTP_HEAD_S 10
#define HTTP_BODY_S 60
/* Seconds until a connection is closed that reads nothing of its response. */
#define HTTP_STALL_S 60u
/* ms between keep-alive comments on an idle event stream. */
#define HTTP_QUIET_MS 15000
/* ms after which an idle client is forgotten, without and with a session id. */
#define HTTP_CLIENT_MS 600000
#define HTTP_NAMED_MS  3600000

/* A connected socket to which its listener granted a name. */
struct http_granted {
    int fd;
    char *agent;
    LIST_ENTRY(http_granted) link;
};

/* One HTTP connection, which carries requests one after the other. */
struct http_line {
    struct http *http;
    struct MHD_Connection *connection;
    int fd;
    bool local;           /* over a Unix socket: the system identifies the peer */
    bool unauthenticated; /* over TCP, and has not sent the token yet */
    bool dropped;         /* it was shut down, and is not counted any more */
    char *agent;  /* the name that the socket, or the token of its request, grants; NULL for none */
    bool metrics; /* the path of its request is HTTP_METRICS */
    unsigned tools; /* the sets of tools that its request asks for with ?tools=; 0: none */
    int64_t due;    /* ms: deadline for a complete request; INT64_MAX once it is complete */
    struct http_client *client; /* client of its requests without session id; NULL if none */
    LIST_ENTRY(http_line) link;
};

/* State that the requests of one client share: its session, subscriptions and settings. */
struct http_client {
    struct http *http;
    struct http_line *line; /* the line that it belongs to and ends with; NULL if none */
    struct peer *peer;      /* owns its connection; gets notifications for its stream */
    char key[2 * 32 + 1];
    /* identified by a session id from `initialize`: subscriptions and log level are kept */
    bool named;
    int64_t used; /* ms: time of the last request */
    LIST_ENTRY(http_client) link;
};

enum http_stage {
    HTTP_BODY,   /* the body is being read */
    HTTP_CALLED, /* running, no output yet */
    HTTP_WHOLE,  /* the answer is complete */
    HTTP_STREAM, /* an event stream */
};

/* One request and its response. */
struct http_exchange {
    struct http_line *line;
    struct http *http;
    struct peer *peer; /* carries it out; NULL before and after */
    enum http_stage stage;
    bool get;     /* a client's stream (GET), which has no answer */
    bool metrics; /* the response is the metrics */
    bool takes_json, takes_events;
    bool modern;
    bool too_large;     /* the body is too large and is discarded; see `status` */
    size_t seen;        /* bytes of the body received */
    bool suspended;     /* suspended in the library */
    bool ended;         /* nothing more is added to `ready` */
    bool client_closed; /* the client closed the connection */
    unsigned token;     /* token.changes when it was authorised */
    unsigned status;    /* HTTP status if the answer is an error; 0 derives it from the code */
    char session_id[HTTP_SESSION_ID + 1]; /* new session id to send; "" if none */
    char client[2 * 32 + 1];              /* key of its client */
    struct strbuf body;
    struct strbuf ready; /* the answer, or events not yet sent */
    size_t sent;         /* bytes of `ready` that were sent */
    int64_t sent_at;     /* ms: when something was last sent */
    struct watch hangup;
    LIST_ENTRY(http_exchange) link;
};

struct http {
    struct mcp_server *server;
    struct MHD_Daemon *daemon;
    struct watch events, listeners[2];
    int port;
    bool open;               /* no token is required */
    struct http_token token; /* the required token */
    int64_t token_check_at;  /* ms: when to read the token file again for running requests */
    bool closing;
    /* a connection was added or resumed, which the library does not signal: run it again */
    bool woken;
    size_t held;                       /* bytes of bodies in memory */
    int64_t check_at;                  /* ms: when to check streams and clients again */
    LIST_HEAD(, http_granted) granted; /* sockets that the library has not reported yet */
    LIST_HEAD(, http_line) lines;
    size_t line_count; /* TCP connections that sent the token */
    size_t unauthenticated_count;
    size_t local_count; /* connections of the Unix socket */
    LIST_HEAD(, http_exchange) exchanges;
    LIST_HEAD(, http_client) clients;
    size_t client_count;
};

/* ---- functions of struct transport ---- */

void http_settle(struct peer *p);
void http_lose_peer(struct peer *p);
void http_expel(struct peer *p);

/* ---- http.c ---- */

/* The connection sent the token. */
void http_admit(struct http_line *l);
/* Resumes the request in the next turn. */
void http_wake(struct http_exchange *x);
/* Suspends the request until http_wake. */
void http_suspend(struct http_exchange *x);

/* ---- http_check.c ---- */

/* The value of a header; NULL if absent. Sets `twice` if it occurs more than once. */
const char *http_header(struct MHD_Connection *c, const char *name, bool *twice);
/* Checks the head of a request. Returns 0 or the HTTP status to refuse it with, and sets `why`: a constant, or a text
 * in `e`. */
unsigned http_check_head(struct http_line *line, const char *method, const char *url,
                         struct error *e, const char **why);
/*
 * Checks the headers against the message. If they do not match, answers with an error, sets x->status and returns
 * false. Sets `revision` for a legacy request, a constant.
 */
bool http_check_message(struct http_exchange *x, struct mcp_connection *c, const struct message *m,
                        const char **revision);

/* ---- http_request.c ---- */

enum MHD_Result http_on_request(void *http, struct MHD_Connection *c, const char *url,
                                const char *method, const char *version, const char *bytes,
                                size_t *len, void **exchange);
void http_on_completed(void *http, struct MHD_Connection *c, void **exchange,
                       enum MHD_RequestTerminationCode why);

/* ---- http_answer.c ---- */

/* Responds with a JSON-RPC error without an id, from the transport itself. */
enum MHD_Result http_refuse(struct MHD_Connection *c, unsigned status, const char *why);
/* Ends a client's stream, or finishes another request. */
void http_end(struct http_exchange *x);
/* Passes the response to the library. */
enum MHD_Result http_answer(struct http_exchange *x);
/* Responds with the metrics: as JSON if the client accepts only that, otherwise as Prometheus text. */
enum MHD_Result http_answer_metrics(struct http_exchange *x);
/* Sends a comment on an idle stream, to keep it alive. */
void http_keep_alive(struct http_exchange *x, int64_t now);

/* ---- http_request.c: clients ---- */

struct http_client *http_client_find(const struct http_line *line, const char *session_id);
/* Frees the client of a peer that is being dropped. */
void http_client_forget(struct http_client *c);
/* Ends clients that have been idle for too long. */
void http_clients_expire(struct http *h, int64_t now);

/* ---- the library ---- */

/* The functions that this room calls: mhd.run is MHD_run. */
#define MHD_FUNCTIONS(F)                                                                           \
    F(add_connection)                                                                              \
    F(add_response_header)                                                                         \
    F(create_response_from_buffer)                                                                 \
    F(create_response_from_callback)                                                               \
    F(destroy_response)                                                                            \
    F(get_connection_info)                                                                         \
    F(get_connection_values)                                                                       \
    F(get_daemon_info)                                                                             \
    F(get_timeout)                                                                                 \
    F(queue_response)                                                                              \
    F(resume_connection)                                                                           \
    F(run)                                                                                         \
    F(start_daemon)                                                                                \
    F(stop_daemon)                                                                                 \
    F(suspend_connection)

struct mhd {
#define MHD_MEMBER(name) __typeof__(MHD_##name) *name;
    MHD_FUNCTIONS(MHD_MEMBER)
#undef MHD_MEMBER
};
extern struct mhd mhd;

/* Loads the library and fills `mhd`, for the rest of the program. Call it only in the loop's thread. Returns -1 and
 * sets ERROR_STORE if the system does not have the library. */
int mhd_load(struct error *e);

#endif
