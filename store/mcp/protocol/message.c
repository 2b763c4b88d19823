/* Parses and validates JSON-RPC messages. */
#include "store/mcp/protocol/message.h"

#include <stddef.h>

#include "model/base/alloc.h"
#include "model/base/utf8.h"

/* The members of an envelope. */
struct envelope {
    struct json_slice jsonrpc, id, method, params, result, error;
};

/* The name of a member, and the offset of its value in a struct. */
struct place {
    const char *name;
    size_t offset;
};
#define PLACES(list) list, sizeof(list) / sizeof(*(list))

static const struct place envelope_places[] = {
    {"jsonrpc", offsetof(struct envelope, jsonrpc)}, {"id", offsetof(struct envelope, id)},
    {"method", offsetof(struct envelope, method)},   {"params", offsetof(struct envelope, params)},
    {"result", offsetof(struct envelope, result)},   {"error", offsetof(struct envelope, error)},
};
static const struct place param_places[] = {
    {"_meta", offsetof(struct message, meta)},
    {"name", offsetof(struct message, name)},
    {"arguments", offsetof(struct message, arguments)},
};
static const struct place meta_places[] = {
    {MCP_META("protocolVersion"), offsetof(struct message, version)},
    {MCP_META("clientCapabilities"), offsetof(struct message, capabilities)},
    {MCP_META("clientInfo"), offsetof(struct message, client)},
    {MCP_META("logLevel"), offsetof(struct message, log_level)},
    {"progressToken", offsetof(struct message, token)},
};
/* Members of _meta for which null means absent. */
static const struct place own_places[] = {
    {MCP_META_OWN("agent_id"), offsetof(struct message, agent)},
    {MCP_META_OWN("task_id"), offsetof(struct message, task)},
    {MCP_META_OWN("usd_spent"), offsetof(struct message, spent)},
    {"traceparent", offsetof(struct message, traceparent)},
};

static void take_places(struct json_slice object, const struct place *places, size_t count,
                        bool null_too, void *out)
{
    for (struct json_each it = json_each(object); json_next(&it);)
        for (size_t i = 0; i < count && (null_too || *it.value.ptr != 'n'); i++)
            if (json_key_is(it.key, places[i].name)) {
                *(struct json_slice *)((char *)out + places[i].offset) = it.value;
                break;
            }
}

bool message_is_string(struct json_slice value)
{
    return value.ptr && value.len >= 2 && *value.ptr == '"';
}

bool message_is_object(struct json_slice value)
{
    return value.ptr && value.len >= 2 && *value.ptr == '{';
}

struct json_slice message_member(struct json_slice object, const char *name)
{
    if (!object.ptr)
        return object;
    return json_member(object.ptr, object.len, name);
}

int message_copy_string(struct json_slice value, char *out, size_t size)
{
    out[0] = '\0';
    /* An escape has at most six bytes for each byte of its meaning. */
    if (!message_is_string(value) || value.len - 2 >= 6 * size)
        return -1;
    AUTO_FREE char *decoded = xmalloc(value.len);
    size_t len = json_unescape(decoded, value.ptr + 1, value.len - 2);
    bool fits = len < size && memchr(decoded, '\0', len) == NULL;
    if (fits) {
        memcpy(out, decoded, len);
        out[len] = '\0';
    }
    return fits ? (int)len : -1;
}

static bool is_integer(struct json_slice value)
{
    size_t i = value.len > 0 && *value.ptr == '-';
    size_t first = i;
    while (i < value.len && value.ptr[i] >= '0' && value.ptr[i] <= '9')
        i++;
    return i == value.len && i > first;
}

/* An id with half a surrogate pair would be echoed, and the client could not parse the answer. */
static bool is_whole_text(struct json_slice value)
{
    struct error e;
    return !memchr(value.ptr, '\\', value.len) || json_check(value.ptr, value.len, 1, &e) == 0;
}

bool message_is_id(struct json_slice value)
{
    return value.len <= MCP_ID_MAX &&
           (message_is_string(value) ? is_whole_text(value) : is_integer(value));
}

bool message_same_id(struct json_slice a, struct json_slice b)
{
    char decoded[2][MCP_ID_MAX];
    if (!message_is_string(a) || !message_is_string(b))
        return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
    if (a.len > MCP_ID_MAX || b.len > MCP_ID_MAX)
        return false;
    a.len = json_unescape(decoded[0], a.ptr + 1, a.len - 2);
    b.len = json_unescape(decoded[1], b.ptr + 1, b.len - 2);
    return a.len == b.len && memcmp(decoded[0], decoded[1], a.len) == 0;
}

static void broken(struct message *m, enum rpc_code code, const char *problem)
{
    m->class = MESSAGE_BROKEN;
    m->code = code;
    snprintf(m->problem, sizeof(m->problem), "%.255s", problem);
}

static bool is_version_2(struct json_slice jsonrpc)
{
    char decoded[8];
    return message_copy_string(jsonrpc, decoded, sizeof(decoded)) >= 0 &&
           strcmp(decoded, "2.0") == 0;
}

/* A notification is never answered, so an invalid one is only emptied. */
static void take_notification(struct message *m, const struct envelope *v)
{
    m->class = MESSAGE_NOTIFICATION;
    bool is_good = is_version_2(v->jsonrpc) && (!v->params.ptr || message_is_object(v->params));
    if (!is_good || message_copy_string(v->method, m->method, sizeof(m->method)) < 0)
        m->method[0] = '\0';
    else
        m->params = v->params;
}

static void take_params(struct message *m, struct json_slice params)
{
    m->params = params;
    take_places(params, PLACES(param_places), true, m);
    if (m->meta.ptr && !message_is_object(m->meta)) {
        m->meta = (struct json_slice){NULL, 0};
        broken(m, RPC_INVALID_PARAMS, "params._meta must be an object");
    } else if (m->meta.ptr) {
        take_places(m->meta, PLACES(meta_places), true, m);
        take_places(m->meta, PLACES(own_places), false, m);
        m->modern = m->version.ptr || m->capabilities.ptr;
    }
}

/* Reads method and params even if the request is invalid, so that it is counted under its method. */
static void take_request(struct message *m, const struct envelope *v)
{
    m->class = MESSAGE_REQUEST;
    bool has_params = message_is_object(v->params);
    bool named = message_copy_string(v->method, m->method, sizeof(m->method)) >= 0;
    if (has_params)
        take_params(m, v->params);
    if (!is_version_2(v->jsonrpc))
        broken(m, RPC_INVALID_REQUEST, "jsonrpc must be \"2.0\"");
    else if (!named)
        broken(m, RPC_METHOD_NOT_FOUND, "the name of the method is too long or contains NUL");
    else if (v->params.ptr && !has_params)
        broken(m, RPC_INVALID_PARAMS, "params must be an object or be left out");
}

static void take_id(struct message *m, struct json_slice id)
{
    char problem[64];
    if (!id.ptr || message_is_id(id)) {
        m->id = id;
    } else if (id.len > MCP_ID_MAX && !strchr("{[", id.ptr[0])) {
        snprintf(problem, sizeof(problem), "id is longer than %d bytes", MCP_ID_MAX);
        broken(m, RPC_INVALID_REQUEST, problem);
    } else {
        broken(m, RPC_INVALID_REQUEST, "id must be a string or an integer");
    }
}

void message_parse(struct message *m, struct json_slice value)
{
    memset(m, 0, sizeof(*m));
    m->whole = value;
    if (!message_is_object(value)) {
        broken(m, RPC_INVALID_REQUEST, "a message must be a JSON object");
        return;
    }
    struct envelope v = {.id = {NULL, 0}};
    take_places(value, PLACES(envelope_places), true, &v);
    if (!v.method.ptr && (v.result.ptr || v.error.ptr)) {
        m->class = MESSAGE_RESPONSE;
        if (v.id.ptr && message_is_id(v.id))
            m->id = v.id;
        return;
    }
    bool names_method = message_is_string(v.method);
    if (names_method && !v.id.ptr) {
        take_notification(m, &v);
        return;
    }
    if (names_method)
        take_request(m, &v);
    else
        broken(m, RPC_INVALID_REQUEST, "method must be a string");
    take_id(m, v.id);
}

/*
 * Some clients cut a text inside a surrogate pair and escape the half: it is accepted, and the tool that takes the
 * text repairs it. All other invalid JSON is refused.
 */
static int check_line(const char *line, size_t len, struct error *e)
{
    if (json_check(line, len, JSON_DEPTH_LIMIT, e) == 0)
        return 0;
    if (!utf8_valid(line, len))
        return -1;
    return json_check_lax(line, len, JSON_DEPTH_LIMIT, e);
}

/* The id of a request if it has exactly one. A response without a method may carry an id of ours, which must not be
 * used. */
static struct json_slice only_id(struct json_slice object)
{
    struct json_slice id = {NULL, 0};
    size_t ids = 0, methods = 0;
    for (struct json_each it = json_each(object); json_next(&it);) {
        if (json_key_is(it.key, "id")) {
            id = it.value;
            ids++;
        }
        methods += json_key_is(it.key, "method");
    }
    bool is_one = ids == 1 && methods > 0 && message_is_id(id);
    return is_one ? id : (struct json_slice){NULL, 0};
}

/* Refuses a line. If it is JSON (but too deep, with a duplicate key, or a number out of range), its id is used for
 * the error. */
static void refuse_line(struct message *m, const char *line, size_t len, const char *problem)
{
    bool formed = utf8_valid(line, len) && json_is_formed(line, len);
    struct json_slice value = json_trim(line, len);
    broken(m, formed ? RPC_INVALID_REQUEST : RPC_PARSE_ERROR, problem);
    if (formed && message_is_object(value))
        m->id = only_id(value);
}

void message_read(struct message *m, const char *line, size_t len)
{
    struct error e;
    memset(m, 0, sizeof(*m));
    if (check_line(line, len, &e)) {
        refuse_line(m, line, len, e.what);
        return;
    }
    struct json_slice value = json_trim(line, len);
    if (*value.ptr != '[') {
        message_parse(m, value);
        return;
    }
    m->class = MESSAGE_BATCH;
    m->whole = value;
}
