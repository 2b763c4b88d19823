/*
 * What the files of HTTP share: `struct http` (the server's side), `struct http_line` (a connection), `struct
 * http_client` (a client over its requests) and `struct http_exchange` (one request and its answer). Only this room
 * includes it.
 */
#ifndef STEMMA_MCP_HTTP_STATE_H
#define STEMMA_MCP_HTTP_STATE_H

#include "model/base/error.h"
#include "store/mcp/protocol/connection.h"
#include "store/mcp/http/http.h"
#include "store/mcp/http/http_library.h"
#include "store/mcp/server/server_state.h"

#define HTTP_PATH        "/mcp"
#define HTTP_METRICS     "/metrics"
#define HTTP_LINES_MAX   256 /* connections of TCP at once; others wait in the backlog */
#define HTTP_LOCAL_MAX   512 /* and of the Unix socket; one more is closed */
#define HTTP_BODY_MAX    MCP_LINE_MAX
#define HTTP_BODIES_MAX  (64u << 20) /* bytes of all bodies that are being read */
#define HTTP_CLIENTS_MAX 256
#define HTTP_LABEL       32 /* characters of a session's id */

/*
 * A connection is closed that has no whole request in time, whatever drips in: s for a head, from its beginning or from
 * the last answer to one that was let in, and for the body of one that was let in.
 */
#define HTTP_HEAD_S 10
#define HTTP_BODY_S 60
/* So is one that takes nothing of its answer for so long: s. */
#define HTTP_STALL_S 60u
/* An event stream on which nothing happens has a comment so often: ms. */
#define HTTP_QUIET_MS 15000
/* A client that asks nothing for so long is forgotten, and so is one with a label: ms. */
#define HTTP_CLIENT_MS 600000
#define HTTP_NAMED_MS  3600000

/* One connection of HTTP, for one request after the other. */
struct http_line {
    struct http *http;
    struct MHD_Connection *connection;
    int fd;
    bool local;                 /* over the Unix socket: the system says who is there */
    bool metrics;               /* the path of its request is HTTP_METRICS */
    int64_t due;                /* ms: until then its request must be whole; INT64_MAX: it is */
    struct http_client *client; /* whose requests have no label; NULL: there was none */
    LIST_ENTRY(http_line) link;
};

/* What is the same for all requests of one client: its session, and what it said once for all. */
struct http_client {
    struct http *http;
    struct http_line *line; /* it is that line's, and ends with it; NULL: it is not bound to one */
    struct peer *peer;      /* keeps its connection; told of changes, for its stream */
    char key[2 * 32 + 1];
    bool named;   /* by a label that it was given: subscriptions and log level are kept */
    int64_t used; /* ms */
    LIST_ENTRY(http_client) link;
};

enum http_stage {
    HTTP_BODY,   /* is being read */
    HTTP_CALLED, /* nothing was said yet */
    HTTP_WHOLE,  /* the answer is there */
    HTTP_STREAM, /* events */
};

/* One request and what goes back. */
struct http_exchange {
    struct http_line *line;
    struct http *http;
    struct peer *peer; /* carries it out; NULL: not yet, or it is done */
    enum http_stage stage;
    bool get;     /* of a client's stream, which nothing answers */
    bool metrics; /* what is counted is the answer */
    bool takes_json, takes_events;
    bool modern;
    bool overfull;              /* its body is too much, and is not kept: see `status` */
    size_t seen;                /* bytes of its body, kept or not */
    bool suspended;             /* the library waits for us */
    bool ended;                 /* nothing more is added to `ready` */
    bool gone;                  /* nobody hears the answer */
    unsigned token;             /* the changes of the token by which it was let in */
    unsigned status;            /* of an error that is the answer; 0: by its code */
    char label[HTTP_LABEL + 1]; /* told with the answer; "": none */
    char client[2 * 32 + 1];    /* the key of whom it is of */
    struct strbuf body;
    struct strbuf ready; /* the answer, or events that are not sent */
    size_t sent;         /* of `ready` */
    int64_t told;        /* ms: when something was last sent */
    struct watch hangup;
    LIST_ENTRY(http_exchange) link;
};

struct http {
    struct mcp_server *server;
    struct MHD_Daemon *daemon;
    struct watch events, listeners[2];
    int port;
    bool open;               /* without a token */
    struct http_token token; /* else: that clients must have */
    int64_t token_at;        /* ms: when its file is looked at again for those that are served */
    bool closing;
    bool woken;      /* one that waited for us goes on, of which the library tells nobody */
    size_t held;     /* bytes of bodies, as they have arrived */
    int64_t look_at; /* ms: when streams and clients are looked at again */
    LIST_HEAD(, http_line) lines;
    size_t line_count;  /* of TCP */
    size_t local_count; /* of the Unix socket */
    LIST_HEAD(, http_exchange) exchanges;
    LIST_HEAD(, http_client) clients;
    size_t client_count;
};

/* ---- what the loop asks: see struct transport ---- */

void http_settle(struct peer *p);
void http_lose_peer(struct peer *p);
void http_expel(struct peer *p);

/* ---- http.c ---- */

/* The library goes on with it in the next turn. */
void http_wake(struct http_exchange *x);
/* It waits for http_wake. */
void http_suspend(struct http_exchange *x);

/* ---- http_check.c ---- */

/* The value of a header that is there once at most, NULL: it is not. `twice` is set where it is there again. */
const char *http_header(struct MHD_Connection *c, const char *name, bool *twice);
/* The status that a request is refused with for its head, 0: none; `why` says it. */
unsigned http_check_head(const struct http_line *line, const char *method, const char *url,
                         const char **why);
/*
 * Headers against the message. False where that was answered, with the status in x->status. `revision`: of a
 * legacy request, a constant.
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

/* An answer of the transport itself: a JSON-RPC error without an id. */
enum MHD_Result http_refuse(struct MHD_Connection *c, unsigned status, const char *why);
/* Nothing more is told on a stream; what was asked and is not a stream is answered. */
void http_part(struct http_exchange *x);
/* Hands the answer to the library. */
enum MHD_Result http_answer(struct http_exchange *x);
/* What is counted, as text, or as JSON where that alone is accepted. */
enum MHD_Result http_answer_metrics(struct http_exchange *x);
/* A comment on a stream on which nothing happened. */
void http_stay_alive(struct http_exchange *x, int64_t now);

/* ---- http_request.c: clients ---- */

struct http_client *http_client_labelled(struct http *h, const char *label);
/* Its peer goes: nothing of it is left but that. */
void http_client_forget(struct http_client *c);
/* Forgets those that ask nothing any more. */
void http_clients_look(struct http *h, int64_t now);

#endif
