/* Writes results and errors in the form of the request's era, and the progress and log messages before them. */
#include <math.h>
#include "model/base/utf8.h"
#include "store/mcp/protocol/connection_internal.h"
#include "store/mcp/protocol/masking.h"

struct reply reply_to(const struct exchange *x)
{
    return (struct reply){
        .c = x->c,
        .batch = x->batch,
        .id = x->m->id,
        .era = x->m->modern ? ERA_MODERN : ERA_LEGACY,
        .cached = x->method && x->method->flags & METHOD_CACHED,
        .at_once = true,
    };
}

static void begin(struct reply *r)
{
    r->out = r->batch ? &r->batch->answers : &r->c->out;
    r->start = r->out->len;
    if (r->batch && r->start > 0)
        strbuf_addch(r->out, ',');
    strbuf_addstr(r->out, "{\"jsonrpc\":\"2.0\",");
    if (r->id.ptr) {
        strbuf_addstr(r->out, "\"id\":");
        strbuf_add(r->out, r->id.ptr, r->id.len);
        strbuf_addch(r->out, ',');
    }
}

static void add_error(struct reply *r, enum rpc_code code, const struct strbuf *data,
                      const char *message)
{
    begin(r);
    strbuf_addstr(r->out, "\"error\":{\"code\":");
    json_add_int(r->out, code);
    strbuf_addstr(r->out, ",\"message\":");
    json_add_string(r->out, message);
    if (data && data->len > 0) {
        strbuf_addstr(r->out, ",\"data\":");
        strbuf_add(r->out, data->buf, data->len);
    }
    strbuf_addstr(r->out, "}}");
}

static void drop_written(struct reply *r)
{
    strbuf_cut(r->out, r->start);
}

static void replace_by_error(struct reply *r, const char *what)
{
    drop_written(r);
    add_error(r, RPC_INTERNAL_ERROR, NULL, what);
    if (r->call)
        error_set(&r->call->error, ERROR_INVALID, "", "%s", what);
}

/* Ends the answer, which starts at r->start; replaces it by an error if it is too long. */
static void finish(struct reply *r)
{
    /* Reserve room for an error with an id for each answer of the array that is still missing. */
    size_t len =
        r->batch ? r->out->len + r->batch->waiting * (MCP_ID_MAX + 512) : r->out->len - r->start;
    if (len > MCP_ANSWER_MAX)
        replace_by_error(
            r, r->batch ? "the answers of this array together are longer than clients accept: "
                          "ask in smaller arrays"
                        : "the answer is longer than clients accept: ask for less");
    if (!r->batch)
        strbuf_addch(r->out, '\n');
    r->c->answered = r->out->len - r->start;
    if (r->c->client_session)
        session_add_bytes(r->c->client_session->session, r->c->answered);
}

struct json_slice reply_written(const struct mcp_connection *c, const struct batch *batch)
{
    const struct strbuf *out = batch ? &batch->answers : &c->out;
    const char *start = out->buf + out->len - c->answered;
    bool comma = batch && c->answered > 0 && *start == ',';
    return (struct json_slice){start + comma, c->answered - comma};
}

static void error_v(struct reply *r, enum rpc_code code, const struct strbuf *data,
                    const char *format, va_list args)
{
    AUTO_STRBUF message = STRBUF_INIT;
    if (r->at_once)
        r->c->refused = code;
    strbuf_vaddf(&message, format, args);
    add_error(r, code, data, message.buf);
    finish(r);
}

void reply_error_with(struct reply r, enum rpc_code code, const struct strbuf *data,
                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_v(&r, code, data, format, args);
    va_end(args);
}

void reply_error(struct reply r, enum rpc_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_v(&r, code, NULL, format, args);
    va_end(args);
}

void refuse_params(const struct exchange *x, const char *format, ...)
{
    va_list args;
    struct reply r = reply_to(x);
    va_start(args, format);
    error_v(&r, RPC_INVALID_PARAMS, NULL, format, args);
    va_end(args);
}

void reply_open(struct reply *r)
{
    begin(r);
    strbuf_addstr(r->out, "\"result\":");
    r->result = json_begin(r->out, '{');
    if (r->era == ERA_MODERN)
        json_pair_raw(&r->result, "resultType", "\"complete\"");
}

void reply_add_server(struct strbuf *out, const struct mcp_service *service)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "name", service->name);
    if (service->title)
        json_pair(&o, "title", service->title);
    json_pair(&o, "version", service->version);
    json_end(&o);
}

void reply_close(struct reply *r)
{
    if (r->era == ERA_MODERN && r->cached) {
        /* The memory belongs to one person and changes at any time: do not share or reuse the result. */
        json_item(&r->result);
        strbuf_addstr(r->out, "\"ttlMs\":0,\"cacheScope\":\"private\"");
    }
    if (r->era == ERA_MODERN) {
        json_item(&r->result);
        strbuf_addstr(r->out, "\"_meta\":{\"" MCP_META("serverInfo") "\":");
        reply_add_server(r->out, r->c->service);
        strbuf_addch(r->out, '}');
    }
    json_end(&r->result);
    strbuf_addch(r->out, '}');
    finish(r);
}

void reply_empty(const struct exchange *x)
{
    struct reply r = reply_to(x);
    reply_open(&r);
    reply_close(&r);
}

/* JSON from a memory may contain line breaks between its tokens, which would end the message. */
static const struct strbuf *one_line(const struct strbuf *json, struct strbuf *room)
{
    if (!memchr(json->buf, '\n', json->len) && !memchr(json->buf, '\r', json->len))
        return json;
    json_minify(room, json->buf, json->len);
    return room;
}

static int too_long(struct error *e, size_t len)
{
    return error_set(
        e, ERROR_INVALID, "Ask for less: a smaller limit or depth, or one part at a time.",
        "the answer has %zu bytes, and clients close the connection if a line passes 10 MiB", len);
}

/* A JSON string is text for reading alone; other JSON is sent twice: clients pass the one or the other to their
 * model. */
static void add_tool(struct reply *r, const struct strbuf *json, bool is_error)
{
    static const char none[] = "{}";
    const char *text = json->len ? json->buf : none;
    size_t len = json->len ? json->len : 2;
    reply_open(r);
    json_item(&r->result);
    strbuf_addstr(r->out, "\"content\":[{\"type\":\"text\",\"text\":");
    if (*text == '"') {
        strbuf_add(r->out, text, len);
        strbuf_addstr(r->out, "}]");
    } else {
        strbuf_addch(r->out, '"');
        json_add_text(r->out, text, len);
        strbuf_addstr(r->out, "\"}],\"structuredContent\":");
        strbuf_add(r->out, text, len);
    }
    if (is_error)
        strbuf_addstr(r->out, ",\"isError\":true");
}

void reply_tool(struct reply r, const struct strbuf *json, bool is_error)
{
    AUTO_STRBUF room = STRBUF_INIT;
    struct error e;
    json = one_line(json, &room);
    if (2 * json->len <= MCP_ANSWER_MAX) {
        add_tool(&r, json, is_error);
        if (r.batch || r.out->len - r.start <= MCP_ANSWER_MAX - 1024) {
            reply_close(&r);
            return;
        }
        drop_written(&r);
    }
    too_long(&e, 2 * json->len);
    if (r.call)
        r.call->error = e;
    reply_tool_error(r, &e, NULL);
}

void reply_tool_whole(struct reply r, const struct strbuf *result)
{
    struct error e;
    if (result->len < MCP_ANSWER_MAX - MCP_ID_MAX - 1024) {
        reply_members(r, result);
    } else {
        too_long(&e, result->len);
        if (r.call)
            r.call->error = e;
        reply_tool_error(r, &e, NULL);
    }
}

void reply_members(struct reply r, const struct strbuf *members)
{
    AUTO_STRBUF room = STRBUF_INIT;
    members = one_line(members, &room);
    struct json_slice text = json_trim(members->buf, members->len);
    if (message_is_object(text))
        text = json_trim(text.ptr + 1, text.len - 2);
    reply_open(&r);
    if (text.len > 0) {
        json_item(&r.result);
        strbuf_add(r.out, text.ptr, text.len);
    }
    reply_close(&r);
}

/* An agent pays for its mistakes, too: message and hint have so many bytes in JSON, with the other members 400. */
#define MISTAKE_MAX   290
#define MESSAGE_LEAST 110 /* of them for the message, however long the hint is */

/* Adds the text, cut with "…" at a code point so that it takes `most` bytes in a JSON string. */
static void pair_cut(struct json_object *o, const char *key, const char *text, size_t most)
{
    static const char more[] = "…";
    size_t began = o->out->len, len = strlen(text);
    struct json_object before = *o;
    json_pair(o, key, text);
    while (o->out->len - began > most + strlen(key) + 6 && len > 0) {
        AUTO_STRBUF cut = STRBUF_INIT;
        len = utf8_fit(text, len, len - 1);
        strbuf_add(&cut, text, len);
        strbuf_addstr(&cut, more);
        strbuf_cut(o->out, began);
        *o = before;
        json_pair(o, key, cut.buf);
    }
}

void reply_tool_error(struct reply r, const struct error *e, const char *details)
{
    AUTO_STRBUF json = STRBUF_INIT, todo = STRBUF_INIT;
    struct json_object hint = {&todo, '}', false};
    if (e->hint[0])
        pair_cut(&hint, "todo", e->hint, MISTAKE_MAX - MESSAGE_LEAST);
    size_t left = MISTAKE_MAX -
                  (todo.len < MISTAKE_MAX - MESSAGE_LEAST ? todo.len : MISTAKE_MAX - MESSAGE_LEAST);
    strbuf_addstr(&json, "{\"type\":\"error\",\"error\":{\"code\":");
    json_add_string(&json, error_name(e->code));
    struct json_object o = {&json, '}', true};
    pair_cut(&o, "message", e->what, left);
    strbuf_addf(&json, ",\"details\":{%s", todo.buf);
    if (details && 2 * strlen(details) < MCP_ANSWER_MAX - 4096)
        strbuf_addf(&json, "%s%s", todo.len ? "," : "", details);
    strbuf_addstr(&json, "}}}");
    reply_tool(r, &json, true);
}

/* ---- before the answer ---- */

static const char *const levels[] = {"debug", "info",     "notice", "warning",
                                     "error", "critical", "alert",  "emergency"};

int log_level_named(const char *name)
{
    for (int i = 0; i < LOG_LEVEL_NOTHING; i++)
        if (strcmp(levels[i], name) == 0)
            return i;
    return -1;
}

void mcp_call_progress(struct mcp_call *call, double done, double total)
{
    struct mcp_request *r = call->request;
    struct progress *p = &r->progress;
    if (!r->token.ptr || !isfinite(done) || !isfinite(total))
        return;
    pthread_mutex_lock(&p->lock);
    /* Clients reject progress that does not increase. */
    bool grows = !p->any || done > p->done;
    bool wakes = grows && !p->is_new;
    if (grows) {
        p->any = p->is_new = true;
        p->done = done;
        p->total = total;
    }
    pthread_mutex_unlock(&p->lock);
    if (wakes)
        r->host->progress(r->host, call);
}

/* Appends a log message; `data` is JSON. */
static void add_message(const struct mcp_request *r, const char *level, const char *logger,
                        const struct strbuf *data, struct strbuf *out)
{
    if (log_level_named(level) < r->log_level)
        return;
    strbuf_addstr(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{"
                       "\"level\":");
    json_add_string(out, level);
    strbuf_addstr(out, ",\"logger\":");
    json_add_string(out, logger);
    strbuf_addstr(out, ",\"data\":");
    strbuf_add(out, data->buf, data->len);
    strbuf_addstr(out, "}}\n");
}

void request_log(const struct mcp_request *r, const char *level, const char *format, ...)
{
    AUTO_STRBUF text = STRBUF_INIT, data = STRBUF_INIT;
    STRBUF_VADD(&text, format);
    json_add_string(&data, text.buf);
    add_message(r, level, r->call.service->name, &data, &r->call.connection->out);
}

void request_add_progress(struct mcp_request *r, struct strbuf *out)
{
    struct progress *p = &r->progress;
    /* If the peer does not read, progress waits; answers are still queued. */
    if (out->len > MCP_OUT_HIGH)
        return;
    pthread_mutex_lock(&p->lock);
    if (p->is_new) {
        strbuf_addstr(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
                           "\"progressToken\":");
        strbuf_add(out, r->token.ptr, r->token.len);
        strbuf_addstr(out, ",\"progress\":");
        json_add_double(out, p->done);
        if (p->total > 0) {
            strbuf_addstr(out, ",\"total\":");
            json_add_double(out, p->total);
        }
        strbuf_addstr(out, "}}\n");
    }
    p->is_new = false;
    pthread_mutex_unlock(&p->lock);
}

void request_add_events(const struct mcp_request *r, int64_t at, struct strbuf *out)
{
    const struct mcp_call *call = &r->call;
    AUTO_STRBUF event = STRBUF_INIT;
    if (!call->tool || !call->tool->logger)
        return;
    for (size_t i = 0; call->error.code == ERROR_NONE && i < call->event_count; i++) {
        strbuf_clear(&event);
        strbuf_addstr(&event, call->events[i]);
        add_message(r, "info", call->tool->logger, &event, out);
    }
    if (call->error.code != ERROR_NONE) {
        call->tool->failed(call, at, &event);
        call_mask_event(call, &event);
        if (event.len > 0)
            add_message(r, "error", call->tool->logger, &event, out);
    }
}

void mcp_connection_send_progress(struct mcp_call *call)
{
    struct mcp_connection *c = call->connection;
    if (c && !atomic_load(&call->cancelled))
        request_add_progress(call->request, &c->out);
}
