#ifndef STEMMA_MCP_HTTP_STATE_H
#define STEMMA_MCP_HTTP_STATE_H

#include <microhttpd.h>
#include "model/base/error.h"
#include "store/mcp/protocol/connection_internal.h"
#include "store/mcp/http/http.h"
#include "store/mcp/server/server_state.h"

/*
 * libmicrohttpd, loaded when the first connection speaks HTTP: with what it brings along for TLS, which nobody speaks
 * here, it takes 3 MB and 2 ms that no client of the Unix socket or of stdio shall pay for.
 */

/* Its functions, by their names without MHD_. */
struct http_library {
    __typeof__(MHD_add_connection) *add_connection;
    __typeof__(MHD_add_response_header) *add_response_header;
    __typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
    __typeof__(MHD_create_response_from_callback) *create_response_from_callback;
    __typeof__(MHD_destroy_response) *destroy_response;
    __typeof__(MHD_get_connection_info) *get_connection_info;
    __typeof__(MHD_get_connection_values) *get_connection_values;
    __typeof__(MHD_get_connection_values_n) *get_connection_values_n;
    __typeof__(MHD_get_daemon_info) *get_daemon_info;
    __typeof__(MHD_get_reason_phrase_for) *get_reason_phrase_for;
    __typeof__(MHD_get_timeout) *get_timeout;
    __typeof__(MHD_get_version) *get_version;
    __typeof__(MHD_queue_response) *queue_response;
    __typeof__(MHD_resume_connection) *resume_connection;
    __typeof__(MHD_run) *run;
    __typeof__(MHD_start_daemon) *start_daemon;
    __typeof__(MHD_stop_daemon) *stop_daemon;
    __typeof__(MHD_suspend_connection) *suspend_connection;
};
extern struct http_library mhd; /* from http_library_load on */

/* Once for the process; any thread. ERROR_STORE where it is not installed, says what is missing. */
int http_library_load(struct error *e);

/*
 * What the files of HTTP share: http.c (the library, descriptors), http_door.c (who comes), http_line.c (connections
 * and how long they may stay), http_request.c (a request's head and body), http_head.c (what the library does not say
 * of a head), http_check.c (whom it lets in, and headers against the body), http_accept.c (what forms it takes),
 * http_answer.c (what goes back), http_client.c (who it is of).
 */

#define HTTP_PATH        "/mcp"
#define HTTP_METRICS     "/metrics"
#define HTTP_LINES_MAX   256 /* connections at once */
#define HTTP_CROWD_MAX   64  /* beyond those: of whom is told that there is no room */
#define HTTP_WAITING_MAX 256 /* of the Unix socket, without a place; others wait in the backlog */
#define HTTP_BODY_MAX    MCP_LINE_MAX
#define HTTP_BODIES_MAX  (64u << 20) /* bytes of all bodies that are being read */
#define HTTP_CLIENTS_MAX 256
#define HTTP_LABEL       32 /* characters of a session's id */

/* Since the head began, since the body did, since more of it came, since the last answer: ms that each may take. */
#define HTTP_HEAD_MS  10000
#define HTTP_BODY_MS  60000
#define HTTP_STALL_MS 10000
#define HTTP_IDLE_MS  30000
/* Where all places are taken: so long who comes waits for one before it is told that there is none, and who has one
 * keeps it to say what it asks, or to go on after an answer: ms. */
#define HTTP_PATIENCE_MS 1000
/* An event stream on which nothing happens has a comment so often: ms. */
#define HTTP_QUIET_MS 15000
/* A client that asks nothing for so long is forgotten, and so is one with a label: ms. */
#define HTTP_CLIENT_MS 600000
#define HTTP_NAMED_MS  3600000
/* One whose session a person ended, and that can neither connect nor shake hands anew, is refused for so long: ms. */
#define HTTP_ENDED_MS SESSION_REFUSED_MS

/* One connection of HTTP, for one request after the other. */
struct http_line {
    struct http *http;
    struct MHD_Connection *connection;
    int fd;
    bool local;                 /* over the Unix socket: the system says who is there */
    bool asks;                  /* its request, or the first that it owes us, has no answer yet */
    bool begun;                 /* the head of its request is whole, and with us */
    bool metrics;               /* the path of its request is HTTP_METRICS */
    bool let_in;                /* a head of it was good once */
    bool busy;                  /* a request that was let in is not over */
    bool rests;                 /* its request is over, and no other has begun */
    bool crowded;               /* it has no place, and is told so */
    bool leaving;               /* ended by us, which the library sees in its next turn */
    bool drains;                /* refused while it sends on: what comes is thrown away */
    size_t unread;              /* bytes of its body that waited when that was last looked at */
    unsigned stuck;             /* so often they were no fewer */
    struct http_client *client; /* whose requests have no label; NULL: there was none */
    const char *uri_end;        /* of its request, in the library's keeping; NULL: it has none */
    int64_t since;              /* ms: it is there; where it was let in, it asks or was answered */
    int64_t body_end;           /* ms: the latest deadline of its body */
    int64_t deadline;           /* ms; 0: none */
    struct http_line *previous, *next;
};

/* What is the same for all requests of one client: its session, and what it said once for all. */
struct http_client {
    struct http *http;
    struct http_line *line; /* it is that line's, and ends with it; NULL: it is not bound to one */
    struct peer *peer;      /* keeps its connection; told of changes, for its stream */
    char key[2 * 32 + 1];
    bool named;    /* by a label that it was given: subscriptions and log level are kept */
    int64_t used;  /* ms */
    int64_t ended; /* ms: when a person had ended its session; 0: nobody did */
    struct http_client *next;
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
    bool overfull;              /* its body was refused already */
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
    struct http_exchange *previous, *next;
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
    bool woken;              /* one that waited for us goes on, of which the library tells nobody */
    size_t held;             /* bytes of bodies */
    int64_t look_at;         /* ms: when deadlines are looked at again */
    struct http_line *lines; /* the latest first */
    size_t line_count;       /* that have a place, without those that leave */
    size_t crowd;            /* that have none, without those that leave */
    struct http_exchange *exchanges;
    struct http_client *clients;
    size_t client_count;
    int waiting[HTTP_WAITING_MAX]; /* descriptors that have no line yet, in their order */
    size_t waiting_count;
    bool knocked;    /* somebody is at a door, for whom it is looked in the next turn */
    bool full;       /* somebody waits for a place */
    int64_t full_at; /* ms: since when none came free for whoever comes; 0: nobody asked for one */
};

/* ---- what the loop asks: see struct transport ---- */

void http_take(struct mcp_server *v, int fd);
void http_settle(struct peer *p);
void http_lose_peer(struct peer *p);
void http_expel(struct peer *p);

/* http.c */
struct http *http_of(struct mcp_server *v, struct error *e); /* started where it was not */
/* The library goes on with it in the next turn. */
void http_wake(struct http_exchange *x);
/* It waits for http_wake. */
void http_suspend(struct http_exchange *x);

/* http_door.c */

/* As the loop calls: somebody is at a door of TCP. */
void http_on_knock(struct watch *w, uint32_t events);
/* After the library had its turn: takes in who waits, as there are places. */
void http_door_look(struct http *h);
/* Nobody more is taken in. */
void http_door_close(struct http *h);

/* http_line.c */

/* As the library calls. */
void http_on_connection(void *http, struct MHD_Connection *c, void **socket,
                        enum MHD_ConnectionNotificationCode what);
/* Is there a place for one more? Where all are taken, one that has no request which was let in gives way. To be asked
 * when the library had its turn: what was sent until then has been read. */
bool http_lines_have_place(struct http *h, int64_t now);
/* Can one more be told that there is none? */
bool http_lines_have_ear(struct http *h, int64_t now);
/* Ends who gives way to that one. */
void http_lines_make_room(struct http *h, int64_t now);
/* Has it a place? One that became free is its own. */
bool http_line_has_place(struct http_line *l);
/* Is it to go once it is answered? */
bool http_line_makes_room(const struct http_line *l);
/* Ends who is slow with a head or a body, or with what comes next. */
void http_lines_look(struct http *h, int64_t now);
/* After the library had its turn: refuses bodies in which it gets no further. */
void http_lines_find_stuck(struct http *h, int64_t now);

/* http_head.c */

/* As the library calls: the first line of a request is there; something is not as it should be. */
void *http_on_first_line(void *http, const char *uri, struct MHD_Connection *c);
void http_on_complaint(void *http, const char *format, va_list values);
/* Is a head all that the library tells of it? Not where it has a NUL or a folded line. As it gave these three. */
bool http_head_is_plain(const struct http_line *line, const char *url, const char *method,
                        const char *version);

/* http_accept.c */

/* Is a media type wanted? The range counts that names it most closely. */
struct http_wish {
    int near; /* how closely; 0: none does */
    bool wanted;
};
/* Takes in one value of Accept, of which there may be several. */
void http_accept(struct http_wish *w, const char *type, const char *value);

/* http_check.c */

/* The value of a header that is there once at most, NULL: it is not. `twice` is set where it is there again. */
const char *http_header(struct MHD_Connection *c, const char *name, bool *twice);
/* Is that what the target of a request names: HTTP_METRICS? */
bool http_asks_metrics(const char *url);
/* The status that a request is refused with for its head, 0: none; `why` says it. */
unsigned http_check_head(const struct http_line *line, const char *method, const char *url,
                         const char *version, const char **why);
/*
 * Headers against the message. False where that was answered, with the status in x->status. `revision`: of a
 * legacy request, a constant.
 */
bool http_check_message(struct http_exchange *x, struct mcp_connection *c, const struct message *m,
                        const char **revision);

/* http_request.c */
enum MHD_Result http_on_request(void *http, struct MHD_Connection *c, const char *url,
                                const char *method, const char *version, const char *bytes,
                                size_t *len, void **exchange);
void http_on_completed(void *http, struct MHD_Connection *c, void **exchange,
                       enum MHD_RequestTerminationCode why);

/* http_answer.c */

/* An answer of the transport itself: a JSON-RPC error without an id. */
enum MHD_Result http_refuse(struct MHD_Connection *c, unsigned status, const char *why);
/* The same where the library takes no answer yet: straight to the descriptor, after which nothing more is sent. */
void http_refuse_now(struct http_line *line, unsigned status);
/* Of whom has no line. */
void http_refuse_fd(struct http *h, int fd, unsigned status);
/* Nothing more is told on a stream; what was asked and is not a stream is answered. */
void http_part(struct http_exchange *x);
/* Hands the answer to the library. */
enum MHD_Result http_answer(struct http_exchange *x);
/* What is counted, as text, or as JSON where that alone is accepted. */
enum MHD_Result http_answer_metrics(struct http_exchange *x);
/* What a stream's reader passes over. */
void http_comment(struct http_exchange *x);
/* A comment on a stream on which nothing happened. */
void http_stay_alive(struct http_exchange *x, int64_t now);

/* http_client.c */

/* Whom a request is of, by its label or by what it says of itself; NULL where there is no room. */
struct http_client *http_client_of(struct http *h, struct http_line *line, const struct message *m,
                                   const char *label, const char *revision);
struct http_client *http_client_labelled(struct http *h, const char *label);
/* A new one with a label of its own. */
struct http_client *http_client_new(struct http *h, const struct http_line *line);
/* As it wished; it is let go by us. */
void http_client_end(struct http_client *c);
void http_client_dismiss(struct http_client *c);
/* Sees whether a person ended its session. */
void http_client_heed(struct http_client *c);
/* What it may do after that; NULL: connect anew. */
const char *http_client_again(const struct http_client *c);
/* Has it asked nothing for so long, or is the time over for which it was refused? What it tries prolongs the first alone. */
bool http_client_is_over(const struct http_client *c, int64_t now);
/* Its peer goes: nothing of it is left but that. */
void http_client_forget(struct http_client *c);
/* Forgets those that ask nothing any more. */
void http_clients_look(struct http *h, int64_t now);
/* Who is at the other end of a line. */
struct mcp_peer http_peer(const struct http_line *line);

#endif
