/*
 * One line of the wire as a JSON-RPC message: checked before anything reads it, then taken apart in slices of its text.
 * `jsonrpc` is "2.0", an id is a string or an integer and is echoed as it came, `params` is an object or absent. A
 * request is modern where `params._meta` has a protocol version or the client's capabilities.
 */
#ifndef STEMMA_MCP_MESSAGE_H
#define STEMMA_MCP_MESSAGE_H

#include "model/json/json.h"

#define MCP_LINE_MAX   (16u << 20) /* bytes of a line that is read; a longer one is refused once */
#define MCP_METHOD_MAX 128
#define MCP_ID_MAX     4096 /* bytes of an id or a progress token as it is written */

/* The members of a modern request's `_meta`. */
#define MCP_META(name) "io.modelcontextprotocol/" name
/* Those of any request that are ours: for which agent and task it is, what its client spent so far. */
#define MCP_META_OWN(name) "dev.stemma/" name

/* The codes of the specification. Ours for a tool's own failure are in the result's envelope. */
enum rpc_code {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
    RPC_RESOURCE_NOT_FOUND = -32002,  /* legacy alone; modern says invalid params */
    RPC_UNSUPPORTED_VERSION = -32022, /* modern */
    RPC_MISSING_CAPABILITY = -32021,  /* modern */
    RPC_HEADER_MISMATCH = -32020,     /* modern, HTTP */
};

enum message_class {
    MESSAGE_REQUEST,
    MESSAGE_NOTIFICATION, /* never answered; of a broken one `method` is "" */
    MESSAGE_RESPONSE,     /* to a request of ours; there is none, so it is ignored */
    MESSAGE_BATCH,        /* an array; for who negotiated 2025-03-26 */
    MESSAGE_BROKEN, /* to be answered with `code` and `problem`, with `id` where it could be read */
};

struct message {
    enum message_class class;
    struct json_slice whole;
    struct json_slice id;              /* as it came, a string with its quotes; ptr NULL: none */
    char method[MCP_METHOD_MAX + 1];   /* of a broken one as well, as far as it could be read */
    struct json_slice params;          /* an object; ptr NULL: absent */
    struct json_slice meta;            /* params._meta, an object; ptr NULL: absent */
    struct json_slice name, arguments; /* members of `params`, of whatever type; ptr NULL: absent */
    struct json_slice version, capabilities;    /* modern members of `meta`; ptr NULL: absent */
    struct json_slice client, log_level, token; /* others: clientInfo, logLevel, progressToken */
    struct json_slice agent, task, spent; /* MCP_META_OWN: agent_id, task_id, usd_spent; ptr NULL:
                                             absent or null */
    struct json_slice traceparent;
    bool modern;
    enum rpc_code code;
    char problem[256]; /* of a broken one */
};

/* Reads one line without its end. What it fills points into `line`. */
void message_read(struct message *m, const char *line, size_t len);
/* The same for a value of a line that was checked already: one message of an array. */
void message_take(struct message *m, struct json_slice value);

/* Is it a string or an integer of at most MCP_ID_MAX bytes: an id, a progress token? */
bool message_is_id(struct json_slice value);
/* Do two ids say the same? A string may be written in several ways. */
bool message_same_id(struct json_slice a, struct json_slice b);

bool message_is_string(struct json_slice value);
bool message_is_object(struct json_slice value);
/* What a string says, in `out` of `size` bytes: its length, or -1 where it is no string, does not fit or
 * has a NUL in it, which leaves "". */
int message_word(struct json_slice value, char *out, size_t size);
/* The member of an object that may be absent (ptr NULL). */
struct json_slice message_member(struct json_slice object, const char *name);

#endif
