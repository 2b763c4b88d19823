#include "store/mcp/protocol/message.h"

#include "model/base/alloc.h"
#include "model/base/utf8.h"

/* The members of an envelope. */
struct envelope {
    struct json_slice jsonrpc, id, method, params;
    bool is_response; /* it has a result or an error */
};

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

int message_word(struct json_slice value, char *out, size_t size)
{
    out[0] = '\0';
    /* Six bytes of an escape are at least one byte of what it means. */
    if (!message_is_string(value) || value.len - 2 >= 6 * size)
        return -1;
    char few[6 * (MCP_METHOD_MAX + 1)];
    char *said = value.len <= sizeof(few) ? few : xmalloc(value.len);
    size_t len = json_unescape(said, value.ptr + 1, value.len - 2);
    bool fits = len < size && memchr(said, '\0', len) == NULL;
    if (fits) {
        memcpy(out, said, len);
        out[len] = '\0';
    }
    if (said != few)
        free(said);
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

/* Half a surrogate pair would go back as it came, and its answer would not be read. */
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
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

static struct envelope open_envelope(struct json_slice object)
{
    struct envelope v = {.is_response = false};
    for (struct json_each it = json_each(object); json_next(&it);) {
        if (json_key_is(it.key, "jsonrpc"))
            v.jsonrpc = it.value;
        else if (json_key_is(it.key, "id"))
            v.id = it.value;
        else if (json_key_is(it.key, "method"))
            v.method = it.value;
        else if (json_key_is(it.key, "params"))
            v.params = it.value;
        else if (json_key_is(it.key, "result") || json_key_is(it.key, "error"))
            v.is_response = true;
    }
    return v;
}

static void broken(struct message *m, enum rpc_code code, const char *problem)
{
    m->class = MESSAGE_BROKEN;
    m->code = code;
    snprintf(m->problem, sizeof(m->problem), "%.255s", problem);
}

static bool is_version_2(struct json_slice jsonrpc)
{
    char said[8];
    return message_word(jsonrpc, said, sizeof(said)) >= 0 && strcmp(said, "2.0") == 0;
}

/* Nobody waits for an answer, so that what is wrong with it stays unsaid and does nothing. */
static void take_notification(struct message *m, const struct envelope *v)
{
    m->class = MESSAGE_NOTIFICATION;
    bool is_good = is_version_2(v->jsonrpc) && (!v->params.ptr || message_is_object(v->params));
    if (!is_good || message_word(v->method, m->method, sizeof(m->method)) < 0)
        m->method[0] = '\0';
    else
        m->params = v->params;
}

static void take_own_meta(struct message *m, const struct json_each *it)
{
    if (json_key_is(it->key, MCP_META_OWN("agent_id")))
        m->agent = it->value;
    else if (json_key_is(it->key, MCP_META_OWN("task_id")))
        m->task = it->value;
    else if (json_key_is(it->key, MCP_META_OWN("usd_spent")))
        m->spent = it->value;
    else if (json_key_is(it->key, "traceparent"))
        m->traceparent = it->value;
}

/* One look at each member, for every request is read by this. */
static void take_meta(struct message *m)
{
    for (struct json_each it = json_each(m->meta); json_next(&it);) {
        if (json_key_is(it.key, MCP_META("protocolVersion")))
            m->version = it.value;
        else if (json_key_is(it.key, MCP_META("clientCapabilities")))
            m->capabilities = it.value;
        else if (json_key_is(it.key, MCP_META("clientInfo")))
            m->client = it.value;
        else if (json_key_is(it.key, MCP_META("logLevel")))
            m->log_level = it.value;
        else if (json_key_is(it.key, "progressToken"))
            m->token = it.value;
        else if (*it.value.ptr != 'n')
            take_own_meta(m, &it);
    }
    m->modern = m->version.ptr || m->capabilities.ptr;
}

static void take_params(struct message *m, struct json_slice params)
{
    m->params = params;
    for (struct json_each it = json_each(params); json_next(&it);) {
        if (json_key_is(it.key, "_meta"))
            m->meta = it.value;
        else if (json_key_is(it.key, "name"))
            m->name = it.value;
        else if (json_key_is(it.key, "arguments"))
            m->arguments = it.value;
    }
    if (!m->meta.ptr)
        return;
    if (message_is_object(m->meta)) {
        take_meta(m);
        return;
    }
    m->meta = (struct json_slice){NULL, 0};
    broken(m, RPC_INVALID_PARAMS, "params._meta must be an object");
}

/* Also of a broken one what it asks for is read: it is counted as that. */
static void take_request(struct message *m, const struct envelope *v)
{
    m->class = MESSAGE_REQUEST;
    bool has_params = message_is_object(v->params);
    bool named = message_word(v->method, m->method, sizeof(m->method)) >= 0;
    if (has_params)
        take_params(m, v->params);
    if (!is_version_2(v->jsonrpc))
        broken(m, RPC_INVALID_REQUEST, "jsonrpc must be \"2.0\"");
    else if (!named)
        broken(m, RPC_METHOD_NOT_FOUND, "no method has a name of that kind");
    else if (v->params.ptr && !has_params)
        broken(m, RPC_INVALID_PARAMS, "params must be an object or be left out");
}

static void take_id(struct message *m, struct json_slice id)
{
    char problem[64];
    if (!id.ptr || message_is_id(id)) {
        m->id = id;
    } else if (id.len > MCP_ID_MAX && !strchr("{[", id.ptr[0])) {
        snprintf(problem, sizeof(problem), "id is too long: it may have %d bytes", MCP_ID_MAX);
        broken(m, RPC_INVALID_REQUEST, problem);
    } else {
        broken(m, RPC_INVALID_REQUEST, "id must be a string or an integer");
    }
}

void message_take(struct message *m, struct json_slice value)
{
    memset(m, 0, sizeof(*m));
    m->whole = value;
    if (!message_is_object(value)) {
        broken(m, RPC_INVALID_REQUEST, "a message must be a JSON object");
        return;
    }
    struct envelope v = open_envelope(value);
    if (!v.method.ptr && v.is_response) {
        m->class = MESSAGE_RESPONSE;
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
 * Clients escape half a surrogate pair where a text was cut between its units: whoever takes the text
 * repairs it. Nothing else that is not JSON passes.
 */
static int check_line(const char *line, size_t len, struct error *e)
{
    if (json_check(line, len, JSON_DEPTH_LIMIT, e) == 0)
        return 0;
    if (!utf8_valid(line, len))
        return -1;
    return json_check_lax(line, len, JSON_DEPTH_LIMIT, e);
}

/* The id of a request that has one id alone; of an answer to us it would be one of ours. */
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

/* What is JSON and still not to be read (too deep, a key twice, a number beyond all) may say who waits for its
 * answer. */
static void turn_away(struct message *m, const char *line, size_t len, const char *problem)
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
        turn_away(m, line, len, e.what);
        return;
    }
    struct json_slice value = json_trim(line, len);
    if (*value.ptr != '[') {
        message_take(m, value);
        return;
    }
    m->class = MESSAGE_BATCH;
    m->whole = value;
}
