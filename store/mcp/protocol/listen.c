/* subscriptions/listen: streams of notifications that a request opens. */
#include "model/base/alloc.h"
#include "store/mcp/protocol/protocol.h"
#include "store/mcp/protocol/subscriptions.h"

static struct listen_stream *stream_find(const struct mcp_connection *c, struct json_slice id)
{
    uint32_t hash = c->streams ? message_id_hash(id) : 0;
    for (struct listen_stream *s = c->streams; s; s = s->next)
        if (s->hash == hash && message_same_id(s->id, id))
            return s;
    return NULL;
}

bool subscriptions_has_stream(const struct mcp_connection *c, struct json_slice id)
{
    return stream_find(c, id) != NULL;
}

void streams_release(struct mcp_connection *c)
{
    while (c->streams) {
        struct listen_stream *s = c->streams;
        c->streams = s->next;
        free(s);
    }
}

static void stream_free(struct mcp_connection *c, struct listen_stream *stream)
{
    subscription_drop(c, stream, NULL);
    c->subscribed--;
    struct listen_stream **link = &c->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    free(stream);
}

bool subscriptions_cancel(struct mcp_connection *c, struct json_slice id)
{
    struct listen_stream *s = stream_find(c, id);
    if (s)
        stream_free(c, s);
    return s != NULL;
}

static struct listen_stream *stream_new(struct mcp_connection *c, struct json_slice id)
{
    struct listen_stream *s = xmalloc(sizeof(*s) + id.len);
    if (!s)
        return NULL;
    memcpy(s->text, id.ptr, id.len);
    s->id = (struct json_slice){s->text, id.len};
    s->hash = message_id_hash(id);
    s->next = c->streams;
    c->streams = s;
    c->subscribed++;
    return s;
}

static bool is_list_of_strings(struct json_slice uris)
{
    if (uris.len < 2 || *uris.ptr != '[')
        return false;
    for (struct json_each it = json_each(uris); json_next(&it);)
        if (!message_is_string(it.value))
            return false;
    return true;
}

void stream_add_stamp(struct strbuf *out, const struct listen_stream *stream)
{
    strbuf_addstr(out, "\"_meta\":{\"" MCP_META("subscriptionId") "\":");
    strbuf_add(out, stream->id.ptr, stream->id.len);
    strbuf_addch(out, '}');
}

/* Subscribes to what it can and appends that to `honoured`, an array. -1: there is no memory. */
static int honour(struct mcp_connection *c, const struct listen_stream *stream,
                  const struct guard *g, struct json_slice uris, struct strbuf *honoured)
{
    struct json_object list = json_begin(honoured, '[');
    char uri[MCP_URI_MAX];
    struct mcp_subject subject;
    struct error e;
    for (struct json_each it = json_each(uris); json_next(&it);) {
        int len = message_word(it.value, uri, sizeof(uri));
        if (len <= 0 || subscription_find(c, stream, uri, (size_t)len))
            continue;
        if (subscription_subject(c, g, uri, &subject, &e))
            continue;
        if (subscription_add(c, stream, g, uri, (size_t)len, &subject))
            return -1;
        json_item(&list);
        json_add_string_len(honoured, uri, (size_t)len);
    }
    json_end(&list);
    return honoured->failed ? -1 : 0;
}

static void acknowledge(struct mcp_connection *c, const struct listen_stream *stream,
                        const struct strbuf *honoured)
{
    struct strbuf *out = &c->out;
    size_t before = out->len;
    strbuf_addstr(out,
                  "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\","
                  "\"params\":{\"notifications\":{");
    if (honoured->len > 0) {
        strbuf_addstr(out, "\"resourceSubscriptions\":");
        strbuf_add(out, honoured->buf, honoured->len);
    }
    strbuf_addstr(out, "},");
    stream_add_stamp(out, stream);
    strbuf_addstr(out, "}}\n");
    if (out->failed)
        strbuf_cut(out, before);
}

static void open_stream(const struct exchange *x, struct json_slice uris)
{
    struct mcp_connection *c = x->c;
    struct strbuf honoured = STRBUF_INIT;
    struct listen_stream *stream = stream_new(c, x->m->id);
    bool fits = stream != NULL;
    struct arena arena = ARENA_INIT;
    struct guard g = request_guard(x, &arena);
    if (fits && uris.ptr && c->service->subscribed)
        fits = honour(c, stream, &g, uris, &honoured) == 0;
    guard_rules_release(g.rules);
    arena_release(&arena);
    if (fits) {
        acknowledge(c, stream, &honoured);
    } else {
        if (stream)
            stream_free(c, stream);
        reply_error(reply_to(x), RPC_INTERNAL_ERROR, "not enough memory for the subscription");
    }
    strbuf_release(&honoured);
}

/* What this server tells of is resources; its lists of tools, prompts and templates do not change. */
void protocol_listen(const struct exchange *x)
{
    struct json_slice wanted = message_member(x->m->params, "notifications");
    struct json_slice uris = {NULL, 0};
    size_t count = 1;
    if (protocol_is_over(x))
        return;
    if (!message_is_object(wanted)) {
        reply_error(reply_to(x), RPC_INVALID_PARAMS, "params.notifications must be an object");
        return;
    }
    uris = message_member(wanted, "resourceSubscriptions");
    if (uris.ptr && !is_list_of_strings(uris)) {
        reply_error(reply_to(x), RPC_INVALID_PARAMS,
                    "params.notifications.resourceSubscriptions must be an array of strings");
        return;
    }
    if (uris.ptr)
        for (struct json_each it = json_each(uris); json_next(&it);)
            count++;
    if (x->c->subscribed + count > MCP_SUBSCRIPTIONS_MAX)
        reply_error(reply_to(x), RPC_INVALID_PARAMS, "a connection has at most %d subscriptions",
                    MCP_SUBSCRIPTIONS_MAX);
    else
        open_stream(x, uris);
}

/* ---- the end ---- */

static void say_goodbye(struct mcp_connection *c, const struct listen_stream *stream)
{
    struct strbuf *out = &c->out;
    size_t before = out->len;
    strbuf_addstr(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    strbuf_add(out, stream->id.ptr, stream->id.len);
    strbuf_addstr(out, ",\"result\":{\"resultType\":\"complete\",");
    stream_add_stamp(out, stream);
    strbuf_addstr(out,
                  "}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
                  "\"requestId\":");
    strbuf_add(out, stream->id.ptr, stream->id.len);
    strbuf_addstr(out, ",\"reason\":\"the server ends the stream\"}}\n");
    if (out->failed)
        strbuf_cut(out, before);
}

void mcp_connection_goodbye(struct mcp_connection *c)
{
    while (c->streams) {
        say_goodbye(c, c->streams);
        stream_free(c, c->streams);
    }
}
