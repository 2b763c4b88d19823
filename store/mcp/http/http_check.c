/*
 * Checks who sends a request, and its headers. Host and Origin reveal web pages that reach the port by DNS rebinding.
 * The token keeps out programs of other users; over the Unix socket the system identifies the sender, so none is
 * needed.
 */
#include "store/mcp/http/http_state.h"

#include <nettle/base64.h>
#include <nettle/memops.h>
#include <stdlib.h>
#include <strings.h>
#include "model/base/alloc.h"
#include "store/mcp/protocol/connection.h"

/* ---- headers ---- */

struct wanted {
    const char *name, *value;
    size_t count;
};

static enum MHD_Result note_header(void *arg, enum MHD_ValueKind kind, const char *key,
                                   const char *value)
{
    struct wanted *w = arg;
    (void)kind;
    if (strcasecmp(key, w->name) == 0) {
        w->value = value ? value : "";
        w->count++;
    }
    return MHD_YES;
}

static const char *value_of(struct MHD_Connection *c, enum MHD_ValueKind kind, const char *name,
                            bool *twice)
{
    struct wanted w = {.name = name};
    mhd.get_connection_values(c, kind, note_header, &w);
    *twice = w.count > 1;
    return w.value;
}

const char *http_header(struct MHD_Connection *c, const char *name, bool *twice)
{
    return value_of(c, MHD_HEADER_KIND, name, twice);
}

/* Refuses sets that the person does not offer; without `strict` each may be asked for. `all` is what is offered. */
static int check_offered(const struct mcp_service *service, unsigned sets, struct error *e)
{
    const struct mcp_offer *offer = &service->offer;
    AUTO_STRBUF hint = STRBUF_INIT;
    unsigned all = 0;
    if (!offer->strict || !offer->sets || !(sets & ~offer->sets) ||
        service->read_sets("all", &all, e) || sets == all)
        return 0;
    for (size_t i = 0; service->set_names && service->set_names[i]; i++)
        if (offer->sets >> i & 1)
            strbuf_addf(&hint, "%s%s", hint.len ? ", " : "The sets that are offered here are ",
                        service->set_names[i]);
    strbuf_addstr(&hint, ".");
    error_set(e, ERROR_REFUSED, hint.buf, "tools= names a set that is not offered");
    return -1;
}

/* Reads ?tools= of the address. What is wrong with it is told by `e`. */
static unsigned check_tools(struct http_line *line, struct error *e, const char **why)
{
    const struct mcp_service *service = &line->http->server->service;
    bool twice;
    const char *given = value_of(line->connection, MHD_GET_ARGUMENT_KIND, "tools", &twice);
    char names[128];
    size_t len = 0;
    line->tools = 0;
    *why = "tools= is given twice: name all sets in one, with commas";
    if (twice)
        return MHD_HTTP_BAD_REQUEST;
    *why = "tools= has no value here: there are no sets of tools";
    if (!given || !service->read_sets)
        return given ? MHD_HTTP_BAD_REQUEST : 0;
    /* Programs that build addresses may write the comma and the blank as escapes. */
    for (const char *at = given; at && *at && len + 1 < sizeof(names); len++) {
        bool comma = strncasecmp(at, "%2c", 3) == 0, blank = strncmp(at, "%20", 3) == 0;
        names[len] = comma ? ',' : blank || *at == '+' ? ' ' : *at;
        at += comma || blank ? 3 : 1;
    }
    names[len] = '\0';
    bool known = !service->read_sets(names, &line->tools, e);
    if (known && !check_offered(service, line->tools, e))
        return 0;
    error_join(e);
    *why = e->what;
    return known ? MHD_HTTP_FORBIDDEN : MHD_HTTP_BAD_REQUEST;
}

/* Refuses an ambiguous body length, because two parsers could see different requests (request smuggling). */
static unsigned check_length(const struct http_line *line, const char **why)
{
    bool lengths, codings;
    const char *length = http_header(line->connection, "Content-Length", &lengths);
    const char *coding = http_header(line->connection, "Transfer-Encoding", &codings);
    *why = "state the length of the body once: with Content-Length or Transfer-Encoding: chunked";
    bool odd = coding && (length || strcasecmp(coding, "chunked") != 0);
    return lengths || codings || odd ? MHD_HTTP_BAD_REQUEST : 0;
}

/* ---- access ---- */

/* True for a loopback name with an optional port. */
static bool is_loopback(const char *authority, size_t len)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        size_t name = strlen(names[i]);
        if (len < name || strncasecmp(authority, names[i], name) != 0)
            continue;
        const char *port = authority + name;
        size_t left = len - name;
        if (left == 0)
            return true;
        size_t digits = *port == ':' ? strspn(port + 1, "0123456789") : 0;
        return digits > 0 && digits <= 5 && left == 1 + digits;
    }
    return false;
}

static bool is_own_origin(const char *origin)
{
    if (strncasecmp(origin, "http://", 7) == 0)
        return is_loopback(origin + 7, strlen(origin + 7));
    return strncasecmp(origin, "https://", 8) == 0 && is_loopback(origin + 8, strlen(origin + 8));
}

/* Compares in constant time. */
static bool has_token(struct MHD_Connection *c, const char *token)
{
    bool twice;
    const char *given = http_header(c, "Authorization", &twice);
    size_t len = strlen(token);
    if (!given || twice || strncasecmp(given, "Bearer ", 7) != 0)
        return false;
    given += 7;
    while (*given == ' ')
        given++;
    return strlen(given) == len && memeql_sec(given, token, len);
}

/* Finds the agent whose token the request sends, in the arena of the rules; NULL if none. */
static const char *find_agent(const struct http_line *line, const struct permissions *p)
{
    struct error ignored;
    for (size_t i = 0; i < p->agent_count; i++) {
        struct http_token token;
        if (http_token_of(&token, &p->agents[i], &ignored) == 0 &&
            has_token(line->connection, token.text))
            return p->agents[i].agent;
    }
    return NULL;
}

/* A token of an agent opens what is for agents, not the metrics of all. */
static bool is_agent(struct http_line *line)
{
    const struct mcp_server_options *o = &line->http->server->options;
    struct guard_rules *rules = o->rules && !line->metrics ? o->rules(o->rules_arg) : NULL;
    const char *agent = rules ? find_agent(line, guard_permissions(rules)) : NULL;
    line->agent = agent ? xstrdup(agent) : NULL;
    guard_rules_release(rules);
    return agent;
}

/* Compares with the current content of the token files. */
static unsigned check_token(struct http_line *line, const char **why)
{
    struct http_token *token = &line->http->token;
    struct error ignored;
    free(line->agent); /* of the request before */
    line->agent = NULL;
    *why = "the token file is not private, contains no token or cannot be made";
    if (http_token_reload(token, &ignored))
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    *why = "Authorization must be `Bearer` and the token in the token file";
    if (!has_token(line->connection, token->text) && !is_agent(line))
        return MHD_HTTP_UNAUTHORIZED;
    http_admit(line);
    return 0;
}

static unsigned check_sender(struct http_line *line, const char **why)
{
    bool twice, origin_twice;
    const char *host = http_header(line->connection, "Host", &twice);
    const char *origin = http_header(line->connection, "Origin", &origin_twice);
    *why = "Host must be a name of the loopback: localhost, 127.0.0.1 or [::1]";
    if (!line->local && (twice || !host || !is_loopback(host, strlen(host))))
        return MHD_HTTP_FORBIDDEN;
    *why = "Origin must be on the loopback, or be left out";
    if (origin && (origin_twice || !is_own_origin(origin)))
        return MHD_HTTP_FORBIDDEN;
    return line->local || line->http->open ? 0 : check_token(line, why);
}

/* Accepts `application/json` with any parameters, because JSON is always UTF-8. */
static bool is_json(const char *type)
{
    static const char name[] = "application/json";
    size_t len = sizeof(name) - 1;
    return type && strncasecmp(type, name, len) == 0 &&
           strchr(";", type[len + strspn(type + len, " \t")]);
}

static unsigned check_post(const struct http_line *line, const char **why)
{
    bool twice;
    const char *type = http_header(line->connection, "Content-Type", &twice);
    *why = "Content-Type must be application/json";
    if (twice || !is_json(type))
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    const char *coding = http_header(line->connection, "Content-Encoding", &twice);
    *why = "the body must not have a Content-Encoding";
    if (twice || (coding && *coding && strcasecmp(coding, "identity") != 0))
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    const char *length = http_header(line->connection, "Content-Length", &twice);
    *why = "the body is longer than 16 MiB";
    if (length && strtoull(length, NULL, 10) > HTTP_BODY_MAX)
        return MHD_HTTP_CONTENT_TOO_LARGE;
    return 0;
}

unsigned http_check_head(struct http_line *line, const char *method, const char *url,
                         struct error *e, const char **why)
{
    unsigned status = check_length(line, why);
    if (!status)
        status = check_sender(line, why);
    if (status)
        return status;
    *why = "metrics are read with GET";
    if (line->metrics)
        return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0
                   ? 0
                   : MHD_HTTP_METHOD_NOT_ALLOWED;
    *why = "MCP is at " HTTP_PATH ", metrics are at " HTTP_METRICS;
    if (strcmp(url, HTTP_PATH) != 0)
        return MHD_HTTP_NOT_FOUND;
    status = check_tools(line, e, why);
    if (status)
        return status;
    if (strcmp(method, "POST") == 0)
        return check_post(line, why);
    *why = "only POST, and GET and DELETE with the Mcp-Session-Id of a session";
    return strcmp(method, "GET") == 0 || strcmp(method, "DELETE") == 0
               ? 0
               : MHD_HTTP_METHOD_NOT_ALLOWED;
}

/* ---- headers against the message ---- */

static bool refuse(struct http_exchange *x, struct mcp_connection *c, const struct message *m,
                   enum rpc_code code, const char *why)
{
    x->status = x->status ? x->status : MHD_HTTP_BAD_REQUEST;
    mcp_connection_refuse(c, m, code, why);
    return false;
}

/* Decodes a header value: base64 between =?base64? and ?=, or plain text. Returns false if it is invalid or too
 * long. */
static bool decode(const char *value, char *out, size_t size)
{
    static const char open[] = "=?base64?";
    size_t len = strlen(value), skip = sizeof(open) - 1, got = size - 1;
    struct base64_decode_ctx ctx;
    while (len > 0 && (value[len - 1] == ' ' || value[len - 1] == '\t'))
        len--;
    if (len >= size)
        return false;
    memcpy(out, value, len);
    out[len] = '\0';
    if (len < skip + 2 || memcmp(value, open, skip) != 0 || memcmp(value + len - 2, "?=", 2) != 0)
        return true;
    base64_decode_init(&ctx);
    if (BASE64_DECODE_LENGTH(len - skip - 2) >= size ||
        !base64_decode_update(&ctx, &got, (uint8_t *)out, len - skip - 2, value + skip) ||
        !base64_decode_final(&ctx))
        return false;
    out[got] = '\0';
    return strlen(out) == got;
}

/* The member of params that the header Mcp-Name repeats; ptr NULL if the method has none. */
static struct json_slice named(const struct message *m)
{
    if (strcmp(m->method, "tools/call") == 0 || strcmp(m->method, "prompts/get") == 0)
        return m->name;
    if (strcmp(m->method, "resources/read") == 0)
        return message_member(m->params, "uri");
    return (struct json_slice){NULL, 0};
}

static bool says(struct MHD_Connection *c, const char *header, const char *wanted)
{
    bool twice;
    char given[6 * MCP_URI_MAX];
    const char *value = http_header(c, header, &twice);
    return value && !twice && decode(value, given, sizeof(given)) && strcmp(given, wanted) == 0;
}

static bool check_modern(struct http_exchange *x, struct mcp_connection *c, const struct message *m)
{
    struct MHD_Connection *http = x->line->connection;
    struct json_slice name = named(m);
    char given[4 * MCP_URI_MAX];
    if (message_copy_string(m->version, given, sizeof(given)) >= 0 &&
        !says(http, "MCP-Protocol-Version", given))
        return refuse(x, c, m, RPC_HEADER_MISMATCH,
                      "the header MCP-Protocol-Version must match params._meta");
    bool twice, there = http_header(http, "Mcp-Method", &twice) != NULL;
    /* Optional for notifications: the official client sends none. */
    if (m->method[0] && (there || m->class == MESSAGE_REQUEST) &&
        !says(http, "Mcp-Method", m->method))
        return refuse(x, c, m, RPC_HEADER_MISMATCH,
                      "the header Mcp-Method must be the message's method");
    if (m->class != MESSAGE_REQUEST)
        return true;
    if (message_copy_string(name, given, sizeof(given)) >= 0 && !says(http, "Mcp-Name", given))
        return refuse(x, c, m, RPC_HEADER_MISMATCH,
                      "the header Mcp-Name must be the name or the URI in params");
    if (!message_is_string(m->version))
        return refuse(x, c, m, RPC_INVALID_PARAMS,
                      "params._meta must have " MCP_META("protocolVersion") ", a string");
    if (strcmp(m->method, "subscriptions/listen") == 0 && !x->takes_events) {
        /* As JSON it would send nothing until the server ends. */
        x->status = MHD_HTTP_NOT_ACCEPTABLE;
        return refuse(x, c, m, RPC_INVALID_REQUEST,
                      "subscriptions/listen returns text/event-stream");
    }
    if (!message_is_object(m->capabilities)) /* the engine sends the error; this sets its status */
        x->status = MHD_HTTP_BAD_REQUEST;
    return true;
}

/* A request with a session id gets the revision negotiated by that session, whatever its header states. Returns false
 * if the session is not known. initialize needs no session id. */
static bool find_session(const struct http_exchange *x, const struct message *m,
                         const char **revision)
{
    bool twice;
    const char *session_id = http_header(x->line->connection, "Mcp-Session-Id", &twice);
    if (!session_id || strcmp(m->method, "initialize") == 0)
        return true;
    struct http_client *client = http_client_find(x->line, session_id);
    if (!client || !client->named || twice)
        return false;
    *revision = mcp_connection_revision(client->peer->connection);
    return true;
}

bool http_check_message(struct http_exchange *x, struct mcp_connection *c, const struct message *m,
                        const char **revision)
{
    bool twice;
    const char *version = http_header(x->line->connection, "MCP-Protocol-Version", &twice);
    x->modern = m->modern || (version && strcmp(version, MCP_MODERN) == 0);
    if (twice)
        return refuse(x, c, m, RPC_HEADER_MISMATCH, "MCP-Protocol-Version occurs twice");
    if (m->class == MESSAGE_BROKEN)
        x->status = MHD_HTTP_BAD_REQUEST;
    if (x->modern)
        return check_modern(x, c, m);
    /* Without the header the revision is 2025-03-26, which did not have it yet. */
    *revision = version ? protocol_legacy_revision(version) : MCP_BATCHES;
    if (!*revision) {
        x->status = MHD_HTTP_BAD_REQUEST;
        mcp_connection_refuse_version(c, m, version);
        return false;
    }
    if (find_session(x, m, revision))
        return true;
    x->status = MHD_HTTP_NOT_FOUND;
    return refuse(
        x, c, m, RPC_INVALID_REQUEST,
        "this session does not exist or has ended: send initialize without Mcp-Session-Id");
}
