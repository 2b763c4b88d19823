/*
 * Parses a line as a JSON-RPC message. The line is validated first, then split into slices of its text. `jsonrpc`
 * must be "2.0", the id a string or an integer (echoed as received), `params` an object or absent. A request is
 * modern if `params._meta` has a protocol version or client capabilities.
 */
#ifndef STEMMA_MCP_MESSAGE_H
#define STEMMA_MCP_MESSAGE_H

#include "model/json/json.h"

#define MCP_LINE_MAX   (16u << 20) /* maximum bytes of a line; a longer one is refused once */
#define MCP_METHOD_MAX 128
#define MCP_ID_MAX     4096 /* maximum bytes of an id or a progress token as written */

/* The members of a modern request's `_meta`. */
#define MCP_META(name) "io.modelcontextprotocol/" name
/* Members of `_meta` that stemma defines, for any request: agent, task, money spent by the client. */
#define MCP_META_OWN(name) "dev.stemma/" name

/* Codes of the specification. Failures of a tool have their own codes, in the result. */
enum rpc_code {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
    RPC_RESOURCE_NOT_FOUND = -32002,  /* legacy only; modern uses invalid params */
    RPC_UNSUPPORTED_VERSION = -32022, /* modern */
    RPC_MISSING_CAPABILITY = -32021,  /* modern */
    RPC_HEADER_MISMATCH = -32020,     /* modern, HTTP */
};

enum message_class {
    MESSAGE_REQUEST,
    MESSAGE_NOTIFICATION, /* never answered; `method` is "" if it is invalid */
    MESSAGE_RESPONSE,     /* of the client, to a question; only `whole` and `id` are set */
    MESSAGE_BATCH,        /* an array; only in revision 2025-03-26 */
    /* invalid: answer with `code` and `problem`, and with `id` if it could be read */
    MESSAGE_BROKEN,
};

struct message {
    enum message_class class;
    struct json_slice whole;
    struct json_slice id;              /* as received, a string with its quotes; ptr NULL if none */
    char method[MCP_METHOD_MAX + 1];   /* also set for MESSAGE_BROKEN if it could be read */
    struct json_slice params;          /* an object; ptr NULL if absent */
    struct json_slice meta;            /* params._meta, an object; ptr NULL if absent */
    struct json_slice name, arguments; /* members of `params`, of any type; ptr NULL if absent */
    struct json_slice version, capabilities;    /* modern members of `meta`; ptr NULL if absent */
    struct json_slice client, log_level, token; /* clientInfo, logLevel, progressToken */
    /* agent_id, task_id, usd_spent; ptr NULL if absent or null */
    struct json_slice agent, task, spent;
    struct json_slice traceparent;
    bool modern;
    enum rpc_code code;
    char problem[256]; /* of MESSAGE_BROKEN */
};

/* Parses one line without its line end. Slices of `m` point into `line`. */
void message_read(struct message *m, const char *line, size_t len);
/* The same for a value of a line that was already validated, such as one message of an array. */
void message_parse(struct message *m, struct json_slice value);

/* True for a string or an integer of at most MCP_ID_MAX bytes: an id or a progress token. */
bool message_is_id(struct json_slice value);
/* True if two ids are equal. Strings are compared after resolving their escapes. */
bool message_same_id(struct json_slice a, struct json_slice b);

bool message_is_string(struct json_slice value);
bool message_is_object(struct json_slice value);
/* Copies a JSON string, unescaped, to `out` of `size` bytes and returns its length. Returns -1 and leaves "" if
 * `value` is not a string, does not fit or contains NUL. */
int message_copy_string(struct json_slice value, char *out, size_t size);
/* Finds a member of an object. `object` may be absent (ptr NULL). */
struct json_slice message_member(struct json_slice object, const char *name);

#endif
