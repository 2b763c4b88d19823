/* Responses: one JSON message, or an event stream that ends with the answer; and the metrics. */
#include "store/mcp/http/http_state.h"

#include <strings.h>
#include "store/mcp/protocol/connection.h"

#define READY_MAX (256u << 10) /* bytes of unsent events after which no more are taken */
#define BLOCK     16384u
#define JSON_TYPE "application/json"
#define ERROR_MAX 65536 /* a longer answer is not an error */
/* Seconds. */
#define RETRY_AFTER "1"

/* ---- responses of the transport ---- */

static void add_header(struct MHD_Response *r, const char *name, const char *value)
{
    mhd.add_response_header(r, name, value);
}

static enum MHD_Result queue(struct MHD_Connection *c, unsigned status, struct MHD_Response *r)
{
    struct http_line *line =
        mhd.get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    if (!r)
        return MHD_NO;
    metrics_http(line->http->server->metrics, status);
    add_header(r, "Cache-Control", "no-store");
    add_header(r, "X-Content-Type-Options", "nosniff");
    if (status == MHD_HTTP_UNAUTHORIZED)
        add_header(r, "WWW-Authenticate", "Bearer realm=\"stemma\"");
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
        add_header(r, "Retry-After", RETRY_AFTER);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        add_header(r, "Allow", line->metrics ? "GET, HEAD" : "POST, GET, DELETE");
    enum MHD_Result result = mhd.queue_response(c, status, r);
    mhd.destroy_response(r);
    return result;
}

static struct MHD_Response *text_response(struct strbuf *text, const char *type)
{
    size_t len;
    char *bytes = strbuf_detach(text, &len);
    struct MHD_Response *r =
        bytes ? mhd.create_response_from_buffer(len, bytes, MHD_RESPMEM_MUST_FREE) : NULL;
    if (r && len > 0)
        add_header(r, "Content-Type", type);
    return r;
}

enum MHD_Result http_refuse(struct MHD_Connection *c, unsigned status, const char *why)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_addf(&text,
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%d,\"message\":", RPC_INVALID_REQUEST);
    json_add_string(&text, why);
    strbuf_addstr(&text, "}}");
    return queue(c, status, text_response(&text, JSON_TYPE));
}

/* ---- output of the engine ---- */

/* The engine writes notifications with exactly this prefix. */
static bool is_notification(const char *line, size_t len)
{
    static const char begins[] = "{\"jsonrpc\":\"2.0\",\"method\":";
    return len >= sizeof(begins) && memcmp(line, begins, sizeof(begins) - 1) == 0;
}

static void add_event(struct http_exchange *x, const char *line, size_t len)
{
    strbuf_addstr(&x->ready, "event: message\ndata: ");
    strbuf_add(&x->ready, line, len);
    strbuf_addstr(&x->ready, "\n\n");
    x->stage = HTTP_STREAM;
}

/* The first message decides between JSON and events. Notifications are dropped if the client accepts only JSON. */
static void take_line(struct http_exchange *x, const char *line, size_t len)
{
    bool notification = is_notification(line, len);
    bool streams = x->takes_events && (notification || !x->takes_json || x->stage == HTTP_STREAM);
    if (streams) {
        add_event(x, line, len);
    } else if (!notification) {
        strbuf_add(&x->ready, line, len);
        x->stage = HTTP_WHOLE;
    }
    x->ended = !notification && !x->get;
}

static void take_lines(struct http_exchange *x, struct strbuf *out)
{
    size_t taken = 0;
    while (!x->ended && x->ready.len - x->sent < READY_MAX) {
        const char *line = out->buf + taken;
        const char *end = taken < out->len ? memchr(line, '\n', out->len - taken) : NULL;
        if (!end)
            break;
        take_line(x, line, (size_t)(end - line));
        taken += (size_t)(end + 1 - line);
    }
    if (taken == out->len) {
        strbuf_release(out);
    } else if (taken > 0) {
        memmove(out->buf, out->buf + taken, out->len - taken);
        strbuf_cut(out, out->len - taken);
    }
}

/* True if no output will come: the message needed no answer, or was cancelled. */
static bool is_silent(const struct peer *p, const struct strbuf *out)
{
    return out->len == 0 && !mcp_connection_is_waiting(p->connection);
}

static void end(struct http_exchange *x)
{
    x->ended = true;
    if (x->stage == HTTP_CALLED) {
        x->stage = HTTP_WHOLE;
        x->status = MHD_HTTP_ACCEPTED;
    }
}

/* Moves the engine's output to the response. */
static void http_pump(struct http_exchange *x)
{
    struct peer *p = x->peer;
    if (!p || x->ended)
        return;
    struct strbuf *out = mcp_connection_out(p->connection);
    take_lines(x, out);
    if (!x->ended && (x->get ? p->streams_ended : is_silent(p, out)))
        end(x);
    if (x->stage != HTTP_CALLED || x->ended || x->client_closed)
        http_wake(x);
    if (!x->get && (x->ended || x->client_closed))
        peer_drop(p);
}

void http_end(struct http_exchange *x)
{
    if (x->get) {
        x->ended = true;
        http_wake(x);
    } else if (x->peer) {
        peer_finish(x->peer);
    }
}

void http_settle(struct peer *p)
{
    if (p->exchange) {
        http_pump(p->exchange);
        return;
    }
    struct strbuf *out = mcp_connection_out(p->connection);
    strbuf_release(out); /* no stream is open */
    bool stays = p->client && !p->server->loop.stopping;
    if (!stays && p->calls == 0)
        peer_drop(p);
}

void http_lose_peer(struct peer *p)
{
    struct http_exchange *x = p->exchange;
    p->exchange = NULL;
    if (x) {
        x->peer = NULL;
        x->ended |= x->get; /* a stream owes no answer */
        x->client_closed |= !x->ended;
        http_wake(x);
    }
    if (p->client)
        http_client_forget(p->client);
    p->client = NULL;
}

void http_keep_alive(struct http_exchange *x, int64_t now)
{
    if (x->stage == HTTP_STREAM && x->suspended && now - x->sent_at >= HTTP_QUIET_MS) {
        strbuf_addstr(&x->ready, ":\n\n");
        http_wake(x);
    }
}

/* ---- responses with the engine's output ---- */

/* The code of the answer's JSON-RPC error; 0 if it is not an error. */
static int code_of(const struct strbuf *answer)
{
    if (answer->len > ERROR_MAX)
        return 0;
    struct json_slice e = json_member(answer->buf, answer->len, "error");
    struct json_slice code = message_member(e, "code");
    return code.ptr ? (int)strtol(code.ptr, NULL, 10) : 0;
}

static unsigned status_of(const struct http_exchange *x)
{
    int code = x->ready.len > 0 ? code_of(&x->ready) : 0;
    if (x->status && (code || x->ready.len == 0))
        return x->status;
    switch (code) {
    case RPC_METHOD_NOT_FOUND:
        return x->modern ? MHD_HTTP_NOT_FOUND : MHD_HTTP_OK;
    case RPC_PARSE_ERROR:
    case RPC_INVALID_REQUEST:
    case RPC_HEADER_MISMATCH:
    case RPC_MISSING_CAPABILITY:
    case RPC_UNSUPPORTED_VERSION:
        return MHD_HTTP_BAD_REQUEST;
    default:
        return MHD_HTTP_OK;
    }
}

static ssize_t read_events(void *exchange, uint64_t at, char *to, size_t room)
{
    struct http_exchange *x = exchange;
    (void)at;
    if (x->sent == x->ready.len) {
        strbuf_release(&x->ready);
        x->sent = 0;
        http_pump(x);
    }
    size_t left = x->ready.len - x->sent, len = left < room ? left : room;
    if (x->client_closed)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (len > 0) {
        memcpy(to, x->ready.buf + x->sent, len);
        x->sent += len;
        x->sent_at = monotonic_ms();
    } else if (x->ended) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        http_suspend(x);
    }
    return (ssize_t)len;
}

enum MHD_Result http_answer(struct http_exchange *x)
{
    bool streams = x->stage == HTTP_STREAM;
    unsigned status = streams ? MHD_HTTP_OK : status_of(x);
    struct MHD_Response *r =
        streams ? mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_events, x, NULL)
                : text_response(&x->ready, JSON_TYPE);
    if (r && streams) {
        add_header(r, "Content-Type", "text/event-stream");
        add_header(r, "X-Accel-Buffering", "no");
    }
    if (r && x->session_id[0])
        add_header(r, "Mcp-Session-Id", x->session_id);
    return queue(x->line->connection, status, r);
}

/* ---- metrics ---- */

static void count_connections(const struct mcp_server *v)
{
    v->metrics->sessions = (int64_t)call_log_sessions(v->log);
    v->metrics->connections = 0;
    for (const struct peer *p = LIST_FIRST(&v->clients.all); p; p = LIST_NEXT(p, link))
        v->metrics->connections += p->connection && !p->http;
    for (const struct http_line *l = LIST_FIRST(&v->http->lines); l; l = LIST_NEXT(l, link))
        v->metrics->connections++;
}

enum MHD_Result http_answer_metrics(struct http_exchange *x)
{
    struct mcp_server *v = x->http->server;
    struct strbuf text = STRBUF_INIT;
    bool twice;
    const char *accept = http_header(x->line->connection, "Accept", &twice);
    bool json = accept && !twice && strcasecmp(accept, "application/json") == 0;
    struct guard_rules *rules = v->options.rules ? v->options.rules(v->options.rules_arg) : NULL;
    count_connections(v);
    if (json)
        metrics_write_json(v->metrics, rules, &text);
    else
        metrics_write(v->metrics, rules, &text);
    guard_rules_release(rules);
    return queue(x->line->connection, MHD_HTTP_OK,
                 text_response(&text, json ? JSON_TYPE : METRICS_TYPE));
}
