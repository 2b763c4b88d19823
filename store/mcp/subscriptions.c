#include "protocol.h"

/* A `subscriptions/listen` that goes on. Its own text follows it. */
struct listen_stream {
    struct listen_stream *next;
    struct json_slice id;
    uint32_t hash; /* of the id */
    char text[];
};

struct subscription {
    struct subscription *next;
    const struct listen_stream *stream; /* NULL: by resources/subscribe */
    int64_t node;                       /* 0: of many, any of which it is told of */
    bool late;                          /* it changed, and that is not told yet */
    size_t len;
    char uri[];
};

/* ---- the list ---- */

static struct subscription *find(const struct mcp_connection *c, const struct listen_stream *stream,
                                 const char *uri, size_t len)
{
    for (struct subscription *s = c->subscriptions; s; s = s->next)
        if (s->stream == stream && s->len == len && memcmp(s->uri, uri, len) == 0)
            return s;
    return NULL;
}

static int add(struct mcp_connection *c, const struct listen_stream *stream, const char *uri,
               size_t len, int64_t node)
{
    if (find(c, stream, uri, len))
        return 0;
    struct subscription *s = malloc(sizeof(*s) + len + 1);
    if (!s)
        return -1;
    *s = (struct subscription){.next = c->subscriptions, .stream = stream, .node = node};
    s->len = len;
    memcpy(s->uri, uri, len + 1);
    c->subscriptions = s;
    c->subscribed++;
    return 0;
}

/* Removes those of a stream, or the one of that URI. */
static void drop(struct mcp_connection *c, const struct listen_stream *stream,
                 const struct subscription *only)
{
    for (struct subscription **link = &c->subscriptions; *link;) {
        struct subscription *s = *link;
        if (s->stream != stream || (only && s != only)) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        free(s);
        c->subscribed--;
    }
}

void subscriptions_release(struct mcp_connection *c)
{
    while (c->subscriptions) {
        struct subscription *s = c->subscriptions;
        c->subscriptions = s->next;
        free(s);
    }
    while (c->streams) {
        struct listen_stream *s = c->streams;
        c->streams = s->next;
        free(s);
    }
    c->subscribed = 0;
}

bool mcp_connection_subscribed(const struct mcp_connection *c)
{
    return c->subscriptions != NULL;
}

/* ---- resources/subscribe and resources/unsubscribe ---- */

/* The URI of the request in `uri` of MCP_URI_MAX; false where it was answered that there is none. */
static bool take_uri(const struct exchange *x, char *uri)
{
    if (message_word(message_member(x->m->params, "uri"), uri, MCP_URI_MAX) > 0)
        return true;
    reply_error(reply_to(x), RPC_INVALID_PARAMS,
                "params.uri must be a string of less than %d bytes", MCP_URI_MAX);
    return false;
}

static void refuse_uri(const struct exchange *x, const struct error *e, const char *uri)
{
    struct strbuf data = STRBUF_INIT;
    strbuf_addstr(&data, "{\"uri\":");
    json_add_string(&data, uri);
    strbuf_addch(&data, '}');
    bool is_unknown = e->code == ERROR_NOT_FOUND || e->code == ERROR_INVALID;
    reply_error_with(reply_to(x), is_unknown ? RPC_RESOURCE_NOT_FOUND : RPC_INTERNAL_ERROR,
                     data.buf, "%s", e->what);
    strbuf_release(&data);
}

void protocol_subscribe(const struct exchange *x)
{
    struct mcp_connection *c = x->c;
    char uri[MCP_URI_MAX];
    struct error e = {.code = ERROR_NONE};
    if (!take_uri(x, uri))
        return;
    int64_t node = c->service->subscribed(c->host->reader, uri, &e);
    if (node < 0)
        refuse_uri(x, &e, uri);
    else if (c->subscribed >= MCP_SUBSCRIPTIONS_MAX)
        reply_error(reply_to(x), RPC_INVALID_PARAMS, "a connection has at most %d subscriptions",
                    MCP_SUBSCRIPTIONS_MAX);
    else if (add(c, NULL, uri, strlen(uri), node))
        reply_error(reply_to(x), RPC_INTERNAL_ERROR, "not enough memory for the subscription");
    else
        reply_empty(x);
}

void protocol_unsubscribe(const struct exchange *x)
{
    char uri[MCP_URI_MAX];
    if (!take_uri(x, uri))
        return;
    struct subscription *s = find(x->c, NULL, uri, strlen(uri));
    if (s)
        drop(x->c, NULL, s);
    reply_empty(x);
}

/* ---- subscriptions/listen ---- */

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

static void stream_free(struct mcp_connection *c, struct listen_stream *stream)
{
    drop(c, stream, NULL);
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
    struct listen_stream *s = malloc(sizeof(*s) + id.len);
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

static void add_stamp(struct strbuf *out, const struct listen_stream *stream)
{
    strbuf_addstr(out, "\"_meta\":{\"" MCP_META("subscriptionId") "\":");
    strbuf_add(out, stream->id.ptr, stream->id.len);
    strbuf_addch(out, '}');
}

/* Subscribes to what it can and appends that to `honoured`, an array. -1: there is no memory. */
static int honour(struct mcp_connection *c, const struct listen_stream *stream,
                  struct json_slice uris, struct strbuf *honoured)
{
    struct json_object list = json_begin(honoured, '[');
    char uri[MCP_URI_MAX];
    struct error e;
    for (struct json_each it = json_each(uris); json_next(&it);) {
        int len = message_word(it.value, uri, sizeof(uri));
        if (len <= 0 || find(c, stream, uri, (size_t)len))
            continue;
        int64_t node = c->service->subscribed(c->host->reader, uri, &e);
        if (node < 0)
            continue;
        if (add(c, stream, uri, (size_t)len, node))
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
    strbuf_addstr(out,
                  "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\","
                  "\"params\":{\"notifications\":{");
    if (honoured->len > 0) {
        strbuf_addstr(out, "\"resourceSubscriptions\":");
        strbuf_add(out, honoured->buf, honoured->len);
    }
    strbuf_addstr(out, "},");
    add_stamp(out, stream);
    strbuf_addstr(out, "}}\n");
}

static void open_stream(const struct exchange *x, struct json_slice uris)
{
    struct mcp_connection *c = x->c;
    struct strbuf honoured = STRBUF_INIT;
    struct listen_stream *stream = stream_new(c, x->m->id);
    bool fits = stream != NULL;
    if (fits && uris.ptr && c->service->subscribed)
        fits = honour(c, stream, uris, &honoured) == 0;
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

/* ---- telling ---- */

static void tell(struct mcp_connection *c, const struct subscription *s)
{
    struct strbuf *out = &c->out;
    strbuf_addstr(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
                       "\"params\":{\"uri\":");
    json_add_string_len(out, s->uri, s->len);
    if (s->stream) {
        strbuf_addch(out, ',');
        add_stamp(out, s->stream);
    }
    strbuf_addstr(out, "}}\n");
}

void subscriptions_catch_up(struct mcp_connection *c)
{
    c->late = false;
    for (struct subscription *s = c->subscriptions; s; s = s->next) {
        size_t before = c->out.len;
        if (!s->late)
            continue;
        if (before <= MCP_OUT_HIGH)
            tell(c, s);
        s->late = before > MCP_OUT_HIGH || c->out.failed;
        c->late |= s->late;
        if (c->out.failed) {
            strbuf_cut(&c->out, before);
            c->out.failed = false;
        }
    }
}

static int compare_nodes(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void mcp_connection_changed(struct mcp_connection *c, const int64_t *nodes, size_t count)
{
    if (count == 0)
        return;
    for (struct subscription *s = c->subscriptions; s; s = s->next)
        if (s->node == 0 || bsearch(&s->node, nodes, count, sizeof(*nodes), compare_nodes))
            s->late = c->late = true;
    if (c->late)
        subscriptions_catch_up(c);
}

/* ---- the end ---- */

static void say_goodbye(struct mcp_connection *c, const struct listen_stream *stream)
{
    struct strbuf *out = &c->out;
    strbuf_addstr(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    strbuf_add(out, stream->id.ptr, stream->id.len);
    strbuf_addstr(out, ",\"result\":{\"resultType\":\"complete\",");
    add_stamp(out, stream);
    strbuf_addstr(out,
                  "}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
                  "\"requestId\":");
    strbuf_add(out, stream->id.ptr, stream->id.len);
    strbuf_addstr(out, ",\"reason\":\"the server ends\"}}\n");
}

void mcp_connection_goodbye(struct mcp_connection *c)
{
    while (c->streams) {
        say_goodbye(c, c->streams);
        stream_free(c, c->streams);
    }
}
