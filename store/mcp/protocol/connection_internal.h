/* What the files of the protocol engine share. Callers see connection.h. */
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

/* From 0 (debug) to 7 (emergency); -1: there is none of that name. */
int log_level_named(const char *name);

/*
 * Bytes into lines, which end with `\n` or `\r\n`. Blank ones are skipped, and so is a byte order mark at the very
 * beginning. One that is longer than MCP_LINE_MAX is reported once and skipped. Each byte is looked at once.
 */

struct framing {
    struct strbuf bytes;
    size_t taken;   /* of `bytes`: given out already */
    size_t scanned; /* no line ends before this */
    bool begun;     /* the first line was given out */
    bool skipping;  /* what arrives belongs to a line that was refused */
    bool ended;
};

enum frame {
    FRAME_NONE, /* no whole line is there */
    FRAME_LINE,
    FRAME_TOO_LONG,
};

#define FRAMING_INIT                                                                               \
    {                                                                                              \
        .bytes = STRBUF_INIT                                                                       \
    }

void framing_release(struct framing *f);
void framing_feed(struct framing *f, const char *bytes, size_t len);
/* Nothing more is fed: what is left is a line. */
void framing_end(struct framing *f);
/* The next line, without its end. It stays until framing_feed or framing_rest. */
enum frame framing_next(struct framing *f, const char **line, size_t *len);
/* The line is no longer needed: lets the memory go where nothing is left. */
void framing_rest(struct framing *f);

/* A request in flight is in its connection's list until it is answered. It keeps what it needs (call->taken), for the
 * connection may be gone by then. */

#define MCP_LEGACY_NEWEST "2025-11-25"
/* A longer answer is not sent: clients close where a line passes 10 MiB with what follows it. */
#define MCP_ANSWER_MAX 10000000u
/* Bytes of requests in flight beyond which nothing more is taken. */
#define MCP_HELD_MAX          (32u << 20)
#define MCP_BATCH_MAX         MCP_IN_FLIGHT_MAX /* messages in one array */
#define MCP_BATCHES_MAX       4    /* arrays half answered, each of which may hold MCP_ANSWER_MAX */
#define MCP_SUBSCRIPTIONS_MAX 1024 /* of one connection, listen streams included */

/* A session, shared by its connection and the calls in flight, and ended when the last lets go. */
struct client_session {
    struct session *session;
    size_t holders;
    bool dismissed; /* it is we who end it */
};

/* Answers that are sent together as one array. */
struct batch {
    struct strbuf answers; /* with a comma before each but the first */
    size_t waiting;        /* requests that are not answered; one more while it is read */
};

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
    struct subscription *subscriptions;
    size_t subscribed;    /* how many */
    bool late;            /* a subscription has a change that is not told yet */
    int log_level;        /* the least that a legacy client is told */
    const char *revision; /* that initialize agreed on; NULL: none. A constant */
    struct client_session *client_session;
    char *client; /* its name, of the last initialize; NULL: it gave none */
    /* Who the last request said that it is, as it came, and the name in that: the same again is not looked at. */
    struct strbuf words;
    char *name;
    bool met; /* the session has heard of it */
    char *agent, *task;
    const char *transport;
    bool by_word; /* its session is known by what its requests say of themselves alone */
    int64_t uid, pid;
    enum rpc_code refused; /* the error of the message at hand, which is no call's; 0: none */
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

/* Makes a call of a request; `call->arguments` is a copy of its params. `agent`: whom it says it acts for, a string;
 * ptr NULL: it does not say. Until it is started or failed it is the caller's, who fills it. */
struct mcp_call *request_new(const struct exchange *x, struct json_slice agent);
/* For whom a request is carried out, its agent in `arena`; the caller releases its rules. */
struct guard request_guard(const struct exchange *x, struct arena *arena);
/* A part of the message's params as the call keeps it. */
struct json_slice request_kept(const struct mcp_call *call, const struct message *m,
                               struct json_slice part);
/* Hands it to whoever carries it out; it may have been answered when this returns. */
void request_start(struct mcp_call *call);
/* Frees one that was made and not started; its request was answered. */
void request_drop(struct mcp_call *call);
/* Answers it at once with call->error. */
void request_fail(struct mcp_call *call);
/* Counts a call that is over, and logs it where it is of a session. `wrote`: it changed the store. */
void request_note(struct mcp_call *call, bool wrote);
/* The one in flight with this id that was not cancelled, or NULL. */
struct mcp_request *request_find(const struct mcp_connection *c, struct json_slice id);
void request_cancel(struct mcp_request *r);
/* Cancels what is in flight and leaves it to come back to nobody. */
void request_forget_all(struct mcp_connection *c);

/* connection.c */

/* Begins the session where none was begun, else session_follow. `client` is clientInfo; ptr NULL: not known. */
void client_session_begin(struct mcp_connection *c, const char *era, const struct message *m,
                          struct json_slice client);
/* The same with a request that shakes no hands. */
void client_session_ensure(struct mcp_connection *c, const struct message *m);
/* Whom a message is from by its own word, or by its connection's initialize. The connection's; NULL: nobody. */
const char *client_of(struct mcp_connection *c, const struct message *m);
struct client_session *client_session_hold(struct client_session *s);
void client_session_release(struct client_session *s);

/* One message of the array is answered or will not be; the last sends the array and frees it. `c` NULL: to nobody. */
void batch_settle(struct mcp_connection *c, struct batch *b);

/* subscriptions.c */

/* The listen stream of the request with that id (ptr NULL: of any); NULL: there is none. */
struct subscription *stream_find(const struct mcp_connection *c, struct json_slice id);
/* Ends it. */
void stream_end(struct mcp_connection *c, struct subscription *stream);

/* Tells the changes that had to wait for room. */
void subscriptions_catch_up(struct mcp_connection *c);
void subscriptions_release(struct mcp_connection *c);
/* Those of `from` by resources/subscribe are `to`'s from now on. */
void subscriptions_pass(struct mcp_connection *to, struct mcp_connection *from);

/* How far a call is; any thread says it. */
struct progress {
    pthread_mutex_t lock;
    double done, total;
    bool is_new, any; /* it is not sent; there was some */
};

struct mcp_request {
    struct mcp_call call;
    struct mcp_request *next, **link; /* in its connection's list; link NULL: not in it */
    const struct method *method;
    struct mcp_host *host;
    struct batch *batch;
    struct client_session *client_session;
    struct json_slice id, token; /* token.ptr NULL: progress was not asked for */
    int log_level;               /* the least it may send */
    bool own_agent, own_task;    /* its own _meta says whose it is, and of which task */
    struct json_slice params;    /* as they came */
    size_t size;                 /* bytes it holds */
    struct progress progress;
};

/* A message for the client's log, right before the answer. */
void request_log(const struct mcp_request *r, const char *level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends the events of a call that is about to be answered, or the one of its failure. */
void request_tell_events(const struct mcp_request *r, int64_t at, struct strbuf *out);
/* Appends how far it is, where that is new. */
void request_tell_progress(struct mcp_request *r, struct strbuf *out);

/*
 * An answer, written straight into what is sent: reply_to, reply_open, members of r.result, reply_close. What the modern
 * era has in every result is added by open and close. One that is too long becomes an error that says so.
 */

struct reply {
    struct mcp_connection *c;
    struct batch *batch;  /* NULL: a line of its own */
    struct json_slice id; /* ptr NULL: it could not be read */
    enum mcp_era era;
    bool cached;  /* the method's results say how long they hold */
    bool at_once; /* it is no call's: its error is the message's (mcp_connection.refused) */
    struct error
        *instead; /* filled where an error is sent in place of the answer; NULL: nobody asks */
    struct json_object result;
    struct strbuf *out;
    size_t start;
};

struct reply reply_to(const struct exchange *x);
void reply_open(struct reply *r);
void reply_close(struct reply *r);

/* An answer without members. */
void reply_empty(const struct exchange *x);
void reply_error(struct reply r, enum rpc_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Answers that its params are wrong. */
void refuse_params(const struct exchange *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* As reply_error, with `data`, which is JSON; where it is empty there is none. */
void reply_error_with(struct reply r, enum rpc_code code, const struct strbuf *data,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The result of a tool: `json` is the object of structuredContent. One that is too long says to ask for less. */
void reply_tool(struct reply r, const struct strbuf *json, bool is_error);
/* The result of a tool that wrote all of it. */
void reply_tool_whole(struct reply r, const struct strbuf *result);
/* A result whose members somebody else wrote; braces around them are taken off. */
void reply_members(struct reply r, const struct strbuf *members);
/* A tool's failure as a result; `details` are members of an object (NULL: none), left out where they are too long. */
void reply_tool_error(struct reply r, const struct error *e, const char *details);

/* Appends the server's name, title and version as an object. */
void reply_add_server(struct strbuf *out, const struct mcp_service *service);

/*
 * The methods: a table of names, the eras each exists in, and what serves it. protocol.c has the table and decides; the others serve.
 */

enum method_flag {
    METHOD_LEGACY = 1,
    METHOD_MODERN = 2,
    METHOD_CACHED = 4,   /* modern results say how long they hold */
    METHOD_RESOURCE = 8, /* not found is an error of its own */
};

struct method {
    const char *name;
    unsigned flags;
    void (*serve)(const struct exchange *x);
};

/* Serves a request, in whatever era it is of. */
void protocol_request(struct exchange *x);
/* Answers that there is no such tool, or what `what` says, of that name, which is masked. */
void refuse_name(const struct exchange *x, enum rpc_code code, const char *what, const char *name);
/* Answers what is wrong with what was given, masked. */
void refuse_given(const struct exchange *x, enum rpc_code code, struct json_slice given,
                  struct error *e);
/* The rules that hold by now, held; NULL: none. */
struct guard_rules *rules_of(const struct mcp_connection *c);
/* Appends the text as those rules (NULL: none) let it leave. */
void protocol_mask(const struct guard_rules *rules, const char *text, struct strbuf *out);
/* Answers that `wanted` is no version of ours. */
void protocol_refuse_version(const struct exchange *x, const char *wanted);
/* Carries out a notification, or ignores it. */
void protocol_notification(struct mcp_connection *c, const struct message *m);
/* Is params.cursor absent or ""? Our lists have one page. Answers where it is anything else. */
bool protocol_is_first_page(const struct exchange *x);

/* ERROR_REFUSED: a person decided so about its session. The writer asks again, in the write's own transaction. */
int protocol_admit(struct mcp_call *call, struct error *e);
/* Says so of a call that was denied for that, by whomever. */
int protocol_deny(const struct mcp_call *call, struct error *e);
/* Was its session ended? Answers so then. */
bool protocol_is_over(const struct exchange *x);
/* Has `read` write the members of the result, from the request's params. */
void protocol_start_read(const struct exchange *x, call_read read);
/* The same of a call that was made already. */
void protocol_start(struct mcp_call *call, call_read read);
/* The result of a call that came back, or its error. */
void protocol_answer(struct reply r, struct mcp_call *call);

/* Counts and logs a message that was answered with an error before it was any call's. */
void protocol_count_refused(const struct exchange *x);

/* methods.c */
void protocol_tools_list(const struct exchange *x);
void protocol_tools_call(const struct exchange *x);
/* The tool that a call is counted as. */
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

/* What a subscribed resource showed when it was read last. */
struct shown {
    bool known; /* else it was too long to find out: any change may be one of it */
    struct digest digest;
};

/* A subscription of one URI, by resources/subscribe or for a stream of subscriptions/listen, which is one without a URI. */
struct subscription {
    struct subscription *next;
    char *stream; /* the id of that request as it came; NULL: by resources/subscribe */
    struct shown shown;
    bool stirred; /* something was written since it was read */
    bool late;    /* it changed, and that is not told yet */
    bool bound;   /* as the guard of who subscribed */
    char *agent;  /* likewise */
    size_t len;   /* of the URI; 0: it is a stream */
    char uri[];
};

#endif
