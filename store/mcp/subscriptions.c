#include "subscriptions.h"

#include "protocol.h"

/* ---- the list ---- */

struct subscription *subscription_find(const struct mcp_connection *c,
                                       const struct listen_stream *stream, const char *uri,
                                       size_t len)
{
    for (struct subscription *s = c->subscriptions; s; s = s->next)
        if (s->stream == stream && s->len == len && memcmp(s->uri, uri, len) == 0)
            return s;
    return NULL;
}

int subscription_add(struct mcp_connection *c, const struct listen_stream *stream, const char *uri,
                     size_t len, int64_t node)
{
    if (subscription_find(c, stream, uri, len))
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

void subscription_drop(struct mcp_connection *c, const struct listen_stream *stream,
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
    streams_release(c);
    c->subscribed = 0;
}

void subscriptions_pass(struct mcp_connection *to, struct mcp_connection *from)
{
    for (struct subscription **link = &from->subscriptions; *link;) {
        struct subscription *s = *link;
        if (s->stream) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        s->next = to->subscriptions;
        to->subscriptions = s;
        from->subscribed--;
        to->subscribed++;
        to->late |= s->late;
    }
}

bool mcp_connection_subscribed(const struct mcp_connection *c)
{
    return c->subscriptions != NULL;
}

size_t mcp_connection_subscribed_rows(const struct mcp_connection *c, int64_t *rows, size_t most)
{
    size_t count = 0;
    for (const struct subscription *s = c->subscriptions; s; s = s->next) {
        if (s->node && count < most)
            rows[count] = s->node;
        count += s->node != 0;
    }
    return count;
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
    reply_error_with(reply_to(x), is_unknown ? RPC_RESOURCE_NOT_FOUND : RPC_INTERNAL_ERROR, &data,
                     "%s", e->what);
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
    else if (subscription_add(c, NULL, uri, strlen(uri), node))
        reply_error(reply_to(x), RPC_INTERNAL_ERROR, "not enough memory for the subscription");
    else
        reply_empty(x);
}

void protocol_unsubscribe(const struct exchange *x)
{
    char uri[MCP_URI_MAX];
    if (!take_uri(x, uri))
        return;
    struct subscription *s = subscription_find(x->c, NULL, uri, strlen(uri));
    if (s)
        subscription_drop(x->c, NULL, s);
    reply_empty(x);
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
        stream_add_stamp(out, s->stream);
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

void mcp_connection_any_changed(struct mcp_connection *c)
{
    for (struct subscription *s = c->subscriptions; s; s = s->next)
        s->late = c->late = true;
    if (c->late)
        subscriptions_catch_up(c);
}
