/* What the protocol engine serves: tables of tools, resources, prompts. The engine knows none of them. */
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

enum tool_hint { /* MCP's annotations, all of which are always sent; none of ours is open to the world */
    HINT_READ_ONLY = 1,
    HINT_DESTRUCTIVE = 2,
    HINT_IDEMPOTENT = 4,
};

/* How it is carried out. */
enum work {
    WORK_READ, /* in the listener's thread; where it turns out long, begun again on a thread of its own */
    WORK_LONG,  /* on a thread of its own at once: it may scan the store */
    WORK_WRITE, /* in the writer's thread, in a transaction shared with others */
};

/* Why a call was denied, for who counts. */
enum denial {
    DENIAL_NONE = 0,  /* it was not; or by what there is of the call: see metrics_count */
    DENIAL_NAMESPACE, /* no grant has the namespace, or what the tool does there */
    DENIAL_CONTEXT,   /* a part of the context */
    DENIAL_MEMORY,    /* a person protected it or decided about it */
    DENIAL_SESSION,   /* a person ended it or made it read-only */
    DENIAL_TOOL,      /* not for agents here */
    DENIAL_COUNT
};

struct mcp_connection;
struct mcp_call;

/* Writes what is asked for to call->result, or fails with `e`. A read that was begun again finds both empty. */
typedef int (*call_read)(struct mcp_call *call, struct reader *r, struct error *e);
/* In a transaction: keeps what came of it in call->done, of which `encode` makes the answer after the commit. */
typedef int (*call_write)(struct mcp_call *call, struct txn *t, struct error *e);

struct mcp_tool {
    const char *name, *title;
    const char *description; /* teaches an agent when to use it; at most 2,048 characters */
    const struct field *arguments, *answer;
    unsigned hints;
    enum work work;
    call_read read;   /* WORK_READ, WORK_LONG */
    call_write write; /* WORK_WRITE */
    /* Makes the answer of what was written, in the loop's thread, or fails with call->error. NULL: `write` wrote it. */
    void (*encode)(struct mcp_call *call);
    int operation; /* of the store, where tools share a function and differ by that */
    int kind;      /* of the memory that is added, where they differ by that */
    bool
        by_leave; /* only where the configuration lets agents do it: else not listed, and refused */
    bool whole;   /* it writes the whole result, an object, rather than structuredContent alone */
    /* In the loop's thread: may the caller do that (before the arguments are checked)? Are they what the tool takes, and
     * is it not too often (after)? NULL: there is nothing to ask. `begin` may keep what it made in call->prepared. */
    int (*permit)(struct mcp_call *call, struct error *e);
    int (*begin)(struct mcp_call *call, struct error *e);
    /* Before such a failure is answered: says what it has to of being refused. NULL: nothing more. */
    void (*refused)(struct mcp_call *call);
    const char *needs; /* what a client of the stateless era must say that it can; NULL: nothing */
    /* Under this name the client's log has the events of its calls, as data; NULL: there are none. */
    const char *logger;
    const struct field *event; /* what such an event has */
    void (*failed)(const struct mcp_call *call, int64_t at,
                   struct strbuf *event); /* of call->error */
};

struct mcp_template {
    const char *uri, *name, *title, *description, *mime;
};

struct mcp_prompt {
    const char *name, *title, *description;
    const struct field *arguments; /* strings */
    call_read get; /* writes the members "description" and "messages" of the result */
};

#define MCP_INSTRUCTIONS_MAX 2048 /* bytes, in which are no more characters: hosts cut there */
#define MCP_OWN_NAME_MAX     250  /* of them, for the line that tells a client its name */
struct mcp_service {
    const char *name, *title, *version;
    const char *instructions; /* with that line before them at most MCP_INSTRUCTIONS_MAX */
    const struct mcp_tool *const *tools;
    size_t tool_count;
    bool leave; /* those by leave are offered */
    const struct mcp_template *templates;
    size_t template_count;
    const struct mcp_prompt *prompts;
    size_t prompt_count;
    /* Says an error's hint, which is a person's, in words for an agent. NULL: it stays. */
    void (*hint)(struct error *e, bool leave);
    /* None is NULL. Each gets the request's params as call->arguments and writes the members of the result (without
     * braces, resultType or what belongs to the era). */
    call_read list_resources; /* {cursor?} -> "resources":[…],"nextCursor"? */
    /* {uri} -> "contents":[…]; ERROR_NOT_FOUND where there is none. For a subscription the call has no request. */
    call_read read_resource;
    call_read complete; /* {ref, argument, context?} -> "completion":{…} */
};

/* One request in flight. Made by the connection, carried out by the server, answered by the connection. */
struct mcp_call {
    const struct mcp_service *service;
    const struct mcp_tool *tool;     /* NULL: another method */
    const struct mcp_prompt *prompt; /* of prompts/get; else NULL */
    call_read read;                  /* what to run: tool->read, or the service's */
    call_write write;
    enum work work;
    enum mcp_era era;
    struct json_slice arguments; /* of the tool, checked; else params; within request's text */
    struct given given;          /* the same, taken by the table of the tool or the prompt */
    struct arena taken;          /* for that */
    const void *prepared;        /* what tool->begin made of them, there; NULL: nothing */
    const void *done;            /* what a write came to, for tool->encode; in `arena` */

    struct session *session;
    struct actor actor; /* class agent; `agent` from agent_id, else the server's, else the client */

    struct arena arena;   /* for the answer */
    struct strbuf result; /* the object of structuredContent, or what `read` says above */
    const char
        *warning; /* for the client's log, sent before the answer; in the arena; NULL: none */
    const char **events; /* of the tool's logger, each JSON: told with the answer; in the arena */
    size_t event_count;
    int64_t subject; /* the memory it was about, for the log of calls; 0: none */
    /* For whom it is carried out, what was masked in the answer, and what it says to the log of calls. */
    struct guard guard;
    int64_t redactions;      /* marks that stand in the answer where personal data was masked */
    bool has_marks;          /* something in it was masked: there are some to be counted */
    bool is_masked;          /* see masking.h */
    bool in_pieces;          /* see answer_in_pieces */
    bool met_entry;          /* it looked at an entry whose personal data is masked (guard.h) */
    const char *namespace_;  /* a valid one that it is about, in `room`; NULL: none */
    const char *task;        /* `stemma mcp --task`, else as the request says; NULL: none */
    const char *traceparent; /* that came with the request, checked; NULL: none */
    struct rates *rates; /* where the pace of calls is kept, in the loop's thread; NULL: nowhere */
    char room[NAMESPACE_MAX + 1];
    struct call_spans spans;
    struct error error; /* ERROR_NONE: it succeeded */
    enum denial denied; /* of ERROR_REFUSED */
    /* What a program should know of the failure, as members of an object, in the arena; NULL: nothing. */
    const char *details;

    atomic_bool cancelled;
    struct mcp_connection *connection; /* the loop's thread alone; NULL once it is gone */
    int64_t began_us;                  /* monotonic */
    int64_t told_us;                   /* when the store last told how far it is; 0: never */
    struct mcp_request *request;       /* the engine's own part: id, token, text */
    void *errand;                      /* the own part of who carries it out; NULL at first */
    struct mcp_call *next;             /* of a list of whoever holds it */
};

/* From whichever thread carries the call out. Nothing happens where the client did not ask for it.
 * `total` 0: not known. */
void mcp_call_progress(struct mcp_call *call, double done, double total);

/* A string of the arguments as they came, in the arena; NULL: it has none of that name. */
const char *mcp_call_text(struct mcp_call *call, const char *name, size_t *len);

#endif
