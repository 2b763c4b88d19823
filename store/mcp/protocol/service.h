/* What the protocol engine serves: tables of tools, resources and prompts. The engine itself knows none of them. */
#ifndef STEMMA_MCP_SERVICE_H
#define STEMMA_MCP_SERVICE_H

#include <stdatomic.h>
#include "model/base/arena.h"
#include "store/guard/guard.h"
#include "store/session/session.h"
#include "store/db/store.h"
#include "store/txn/writer.h"
#include "store/mcp/protocol/field.h"

enum mcp_era {
    ERA_LEGACY, /* revisions with an initialize handshake, to 2025-11-25 */
    ERA_MODERN, /* stateless, from 2026-07-28 */
};

enum tool_hint { /* MCP's annotations, always all sent; openWorldHint is always false */
    HINT_READ_ONLY = 1,
    HINT_DESTRUCTIVE = 2,
    HINT_IDEMPOTENT = 4,
};

/* Where a call runs. */
enum work {
    /* in the loop's thread; repeated on a thread of its own if it takes too long there */
    WORK_READ,
    WORK_LONG,  /* on a thread of its own; tools use WORK_READ, which moves to a thread by itself */
    WORK_WRITE, /* in the writer's thread, in a transaction shared with other calls */
};

/* Why a call was denied, for the metrics. */
enum denial {
    DENIAL_NONE = 0,  /* not denied, or not stated: then metrics_count derives it from the call */
    DENIAL_NAMESPACE, /* no grant for the namespace, or for this operation in it */
    DENIAL_CONTEXT,   /* a part of the context was denied */
    DENIAL_MEMORY,    /* a person locked the memory or decided about it */
    DENIAL_SESSION,   /* a person ended the session or made it read-only */
    DENIAL_TOOL,      /* the configuration does not let agents use the tool */
    DENIAL_COUNT
};

struct mcp_connection;
struct mcp_call;

/* Writes the answer to call->result, or returns -1 and sets `e`. Both are empty again if the read is repeated on
 * another thread. */
typedef int (*call_read)(struct mcp_call *call, struct reader *r, struct error *e);
/* Runs in a transaction. Stores its outcome in call->done; `encode` turns it into the answer after the commit. */
typedef int (*call_write)(struct mcp_call *call, struct txn *t, struct error *e);

struct mcp_tool {
    const char *name, *title;
    const char *description; /* tells an agent when to use it; 41 to 2,048 characters */
    const struct field *arguments;
    const struct field
        *answer; /* of structuredContent; NULL if the answer is text for reading alone */
    const struct field
        *full; /* members of the forms that `answer` does not describe; may be NULL */
    unsigned hints;
    enum work work;
    call_read read;   /* WORK_READ, WORK_LONG */
    call_write write; /* WORK_WRITE */
    /* Turns call->done into the answer after the commit, in the loop's thread, or sets call->error. NULL if `write`
     * wrote the answer. */
    void (*encode)(struct mcp_call *call);
    int operation; /* operation of the store, for tools that share a function */
    int kind;      /* kind of memory that is added, for tools that share a function */
    unsigned sets; /* bits of the sets of tools that it belongs to (struct mcp_offer) */
    /* only if the configuration lets agents use it; otherwise it is refused and not listed */
    bool opt_in;
    bool whole; /* it writes the whole result object, not only structuredContent */
    /* All run in the loop's thread and may be NULL. `rate` counts the call before anything else, so that refused ones
     * count, too. `permit` checks before the arguments are read whether the caller may use the tool. `begin` checks the
     * arguments afterwards; it may store what it parsed in call->prepared. */
    int (*rate)(struct mcp_call *call, struct error *e);
    int (*permit)(struct mcp_call *call, struct error *e);
    int (*begin)(struct mcp_call *call, struct error *e);
    /* Called before an ERROR_REFUSED is answered, to complete the error. May be NULL. */
    void (*refused)(struct mcp_call *call);
    const char *needs; /* capability that a modern client must declare; NULL if none */
    /* Logger name of the events that are sent with this tool's answers; NULL if there are none. */
    const char *logger;
    const struct field *event; /* fields of such an event */
    /* makes the event for call->error */
    void (*failed)(const struct mcp_call *call, int64_t at, struct strbuf *event);
};

/* Which tools a client is offered. A tool that is not listed still answers when it is called, unless `strict`. */
struct mcp_offer {
    unsigned sets;  /* tools of these sets are listed; 0: all */
    bool opt_in;    /* also tools with opt_in */
    bool read_only; /* only tools that read */
    bool strict;
    const char *person; /* who decides through a client; NULL: nobody is asked */
};

struct mcp_template {
    const char *uri, *name, *title, *description, *mime;
};

struct mcp_prompt {
    const char *name, *title, *description;
    const struct field *arguments; /* strings */
    call_read get;                 /* writes the result's members "description" and "messages" */
    bool writes;                   /* it asks to write: not offered by a read-only server */
};

#define MCP_INSTRUCTIONS_MAX 2048 /* bytes; hosts cut instructions after as many characters */
#define MCP_OWN_NAME_MAX     250  /* bytes reserved for the line that tells a client its name */
struct mcp_service {
    const char *name, *title, *version;
    /* Appends the instructions for a client that is offered these sets, at most MCP_INSTRUCTIONS_MAX together with the
     * line about the name. May be NULL. */
    void (*instructions)(const struct mcp_offer *offer, struct strbuf *out);
    const struct mcp_tool *const *tools;
    size_t tool_count;
    struct mcp_offer offer;
    /* Reads the names of sets, "memory,kernle", for HTTP's ?tools=. Returns -1 and sets ERROR_USAGE for any other. May
     * be NULL. */
    int (*read_sets)(const char *names, unsigned *sets, struct error *e);
    const char *const *set_names; /* of each bit of sets, then "all" and NULL; may be NULL */
    const struct mcp_template *templates;
    size_t template_count;
    const struct mcp_prompt *prompts;
    size_t prompt_count;
    unsigned
        prompt_sets; /* they name tools of these sets, and are offered where one of them is listed; 0: always */
    /* Rewrites an error's hint, which is written for people, for an agent. May be NULL. */
    void (*hint)(struct error *e, const struct mcp_offer *offer);
    /* Never NULL. Each gets the request's params as call->arguments and writes members of the result (without braces,
     * resultType or members that belong to the era). */
    call_read list_resources; /* {cursor?} -> "resources":[…],"nextCursor"? */
    /* {uri} -> "contents":[…]; ERROR_NOT_FOUND if there is no such resource. When called for a subscription,
     * call->request is NULL. */
    call_read read_resource;
    /* Carries out call->decides, what a person answered through the client. NULL if nothing is asked. */
    call_write decide;
    call_read complete; /* {ref, argument, context?} -> "completion":{…} */
};

/* A written memory that waits for a person, and what the person answered. */
struct mcp_asked {
    int64_t row; /* 0: nothing is asked */
    const char *text, *why;
};
struct mcp_decision {
    int64_t row;
    bool approves;
    const char *reason;
};

/* One request in flight. The connection makes it, the server carries it out, the connection answers and frees it. */
struct mcp_call {
    const struct mcp_service *service;
    const struct mcp_tool *tool;     /* NULL for methods other than tools/call */
    const struct mcp_prompt *prompt; /* for prompts/get, else NULL */
    call_read read;                  /* function to run: tool->read, or one of the service's */
    call_write write;
    enum work work;
    enum mcp_era era;
    /* the tool's arguments or the params; a slice of the request's copy */
    struct json_slice arguments;
    struct given given;         /* `arguments` parsed by the field table of the tool or prompt */
    struct arena request_arena; /* memory of `arguments`, `given` and `prepared` */
    const void *prepared;       /* result of tool->begin, in `request_arena`; NULL if none */
    const void *done;           /* outcome of a write for tool->encode, in `arena` */

    struct session *session;
    /* class agent; named by agent_id, else by the server's options or _meta, else by the client */
    struct actor actor;

    struct arena arena; /* memory of the answer */
    /* structuredContent, a JSON string for an answer of text alone, or the members described at `read` */
    struct strbuf result;
    const char *warning; /* log message sent before the answer, in `arena`; NULL if none */
    const char **events; /* events for the tool's logger, JSON, sent with the answer; in `arena` */
    size_t event_count;
    int64_t subject;       /* row of the memory it is about, for the log of calls; 0 if none */
    struct mcp_asked asks; /* `encode` sets it, with strings in `arena` */
    struct mcp_decision decides; /* for service->decide */
    /* Estimate of the bytes that the answer in full form would have had, both copies; 0 if it is in full form. */
    size_t full_bytes;
    /* Whom the call is carried out for, what was masked in the answer, and what the log of calls records. */
    struct guard guard;
    size_t sent_bytes;       /* of the answer, as sent */
    const char *sent_error;  /* what the caller was told of the failure, in `arena`; or NULL */
    int64_t redactions;      /* number of masks in the answer */
    bool has_masks;          /* something was masked, so `redactions` must be counted */
    bool is_masked;          /* call_mask has run */
    bool masked_in_parts;    /* each part was already masked; see answer_masked_in_parts */
    bool met_entry;          /* it read an entry whose personal data is masked (guard.h) */
    const char *namespace_;  /* valid namespace that it is about, in namespace_buffer; or NULL */
    const char *said_agent;  /* the agent_id of the request's _meta; NULL if none */
    const char *task;        /* of `stemma mcp --task`, else of the request; NULL if none */
    const char *traceparent; /* of the request, validated; NULL if none */
    struct rates *rates;     /* rate limits, for the loop's thread; NULL if there are none */
    char namespace_buffer[NAMESPACE_MAX + 1];
    struct call_spans spans;
    struct error error; /* ERROR_NONE on success */
    enum denial denied; /* reason of ERROR_REFUSED */
    /* Machine-readable details of the failure, as JSON members in `arena`; NULL if none. */
    const char *details;

    atomic_bool cancelled;
    struct mcp_connection *connection; /* for the loop's thread only; NULL once it is closed */
    int64_t began_us;                  /* monotonic */
    int64_t progress_us;               /* time of the last progress report; 0 if none */
    struct mcp_request *request;       /* the engine's part: id, token, params */
    void *job;                         /* the server's part; NULL until it is started */
    struct mcp_call *next;             /* link for a list of the current owner */
};

/* Reports progress, from the thread that carries the call out. Ignored if the client did not ask for progress.
 * `total` is 0 if not known. */
void mcp_call_progress(struct mcp_call *call, double done, double total);

/* A string argument, copied to the call's arena; NULL if absent or not a string. */
const char *mcp_call_text(struct mcp_call *call, const char *name, size_t *len);

#endif
