#include "store/mcp/protocol/request.h"

#include <math.h>
#include "store/mcp/protocol/log_level.h"
#include "store/mcp/protocol/masking.h"

/* Messages of one call that wait for room; further ones are counted. */
#define LINES_MAX (256u << 10)

static const char *const levels[] = {"debug", "info",     "notice", "warning",
                                     "error", "critical", "alert",  "emergency"};

int log_level_named(const char *name)
{
    for (int i = 0; i < LOG_LEVEL_NOTHING; i++)
        if (strcmp(levels[i], name) == 0)
            return i;
    return -1;
}

void mcp_call_progress(struct mcp_call *call, double done, double total, const char *message)
{
    struct mcp_request *r = call->request;
    struct news *n = &r->news;
    if (!r->token.ptr || !isfinite(done) || !isfinite(total))
        return;
    pthread_mutex_lock(&n->lock);
    /* Clients refuse progress that does not grow. */
    bool grows = !n->any || done > n->done;
    bool wakes = grows && !n->has_progress;
    if (grows) {
        n->any = n->has_progress = true;
        n->done = done;
        n->total = total;
        strbuf_clear(&n->message);
        call_mask_text(call, message ? message : "", &n->message);
    }
    pthread_mutex_unlock(&n->lock);
    if (wakes)
        r->host->progress(r->host, call);
}

static void begin_message(struct strbuf *out, const char *logger, const char *level)
{
    strbuf_addstr(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{"
                       "\"level\":");
    json_add_string(out, level);
    strbuf_addstr(out, ",\"logger\":");
    json_add_string(out, logger);
    strbuf_addstr(out, ",\"data\":");
}

static void add_message(struct strbuf *out, const struct mcp_service *service, const char *level,
                        const char *text)
{
    begin_message(out, service->name, level);
    json_add_string(out, text);
    strbuf_addstr(out, "}}\n");
}

/* False where there was no room for the line, which is then left out as a whole. */
static bool add_line(struct mcp_request *r, const char *level, const char *text)
{
    struct strbuf *lines = &r->news.lines;
    size_t before = lines->len;
    if (before < LINES_MAX)
        add_message(lines, r->call.service, level, text);
    bool fits = before < LINES_MAX && lines->len <= 2 * LINES_MAX && !lines->failed;
    if (!fits) {
        strbuf_cut(lines, before);
        lines->failed = false;
        r->news.left_out++;
    }
    return fits;
}

/* Is it the first that waits, so that the loop is to be woken? */
static bool add_log(struct mcp_request *r, const char *level, const char *format, va_list args)
{
    if (log_level_named(level) < r->log_level)
        return false;
    struct strbuf text = STRBUF_INIT;
    struct strbuf masked = STRBUF_INIT;
    strbuf_vaddf(&text, format, args);
    call_mask_text(&r->call, text.buf, &masked);
    pthread_mutex_lock(&r->news.lock);
    bool was_empty = r->news.lines.len == 0;
    bool fits = add_line(r, level, masked.buf);
    pthread_mutex_unlock(&r->news.lock);
    strbuf_release(&text);
    strbuf_release(&masked);
    return was_empty && fits;
}

void mcp_call_log(struct mcp_call *call, const char *level, const char *format, ...)
{
    struct mcp_request *r = call->request;
    va_list args;
    va_start(args, format);
    bool wakes = add_log(r, level, format, args);
    va_end(args);
    if (wakes)
        r->host->progress(r->host, call);
}

void news_log(struct mcp_request *r, const char *level, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_log(r, level, format, args);
    va_end(args);
}

static void add_progress(struct strbuf *out, const struct mcp_request *r)
{
    const struct news *n = &r->news;
    strbuf_addstr(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
                       "\"progressToken\":");
    strbuf_add(out, r->token.ptr, r->token.len);
    strbuf_addstr(out, ",\"progress\":");
    json_add_double(out, n->done);
    if (n->total > 0) {
        strbuf_addstr(out, ",\"total\":");
        json_add_double(out, n->total);
    }
    if (n->message.len > 0) {
        strbuf_addstr(out, ",\"message\":");
        json_add_string(out, n->message.buf);
    }
    strbuf_addstr(out, "}}\n");
}

static void add_left_out(struct strbuf *out, const struct mcp_request *r)
{
    char text[80];
    snprintf(text, sizeof(text), "%zu messages more were left out", r->news.left_out);
    add_message(out, r->call.service, "warning", text);
}

void news_tell(struct mcp_request *r, struct strbuf *out, bool last)
{
    struct news *n = &r->news;
    /* A peer that does not read gets its answers, but what is only news waits. */
    bool has_room = out->len <= MCP_OUT_HIGH;
    if (!has_room && !last)
        return;
    size_t before = out->len;
    pthread_mutex_lock(&n->lock);
    strbuf_add(out, n->lines.buf, n->lines.len);
    strbuf_clear(&n->lines);
    if (n->left_out && last)
        add_left_out(out, r);
    if (n->has_progress && has_room)
        add_progress(out, r);
    n->has_progress = false;
    pthread_mutex_unlock(&n->lock);
    if (out->failed) {
        strbuf_cut(out, before);
        out->failed = false;
    }
}

static void add_event(const struct mcp_request *r, const char *level, const char *event,
                      struct strbuf *out)
{
    if (log_level_named(level) < r->log_level)
        return;
    begin_message(out, r->call.tool->logger, level);
    strbuf_addstr(out, event);
    strbuf_addstr(out, "}}\n");
}

/* They belong together: where one finds no memory, none is told. */
void news_events(const struct mcp_request *r, int64_t at, struct strbuf *out)
{
    const struct mcp_call *call = &r->call;
    struct strbuf failure = STRBUF_INIT;
    size_t before = out->len;
    if (!call->tool || !call->tool->logger)
        return;
    if (call->error.code == ERROR_NONE)
        for (size_t i = 0; i < call->event_count; i++)
            add_event(r, "info", call->events[i], out);
    else
        call->tool->failed(call, at, &failure);
    call_mask_event(call, &failure);
    if (failure.len > 0 && !failure.failed)
        add_event(r, "error", failure.buf, out);
    if (out->failed) {
        strbuf_cut(out, before);
        out->failed = false;
    }
    strbuf_release(&failure);
}

void mcp_connection_tell_progress(struct mcp_call *call)
{
    struct mcp_connection *c = call->connection;
    if (c && !atomic_load(&call->cancelled))
        news_tell(call->request, &c->out, false);
}
