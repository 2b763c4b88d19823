/* Subscriptions: resources/subscribe, and subscriptions/listen of the stateless era. */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/db/thread.h"
#include "store/mcp/protocol/connection_internal.h"
#include "store/mcp/protocol/masking.h"

#define LOOK_STEPS 400000 /* SQLite steps for reading one resource: about 10 ms */
#define LISTEN_US  100000 /* time for all reads of one subscriptions/listen */

static bool is_of(const struct subscription *s, const char *stream)
{
    return stream ? s->stream && strcmp(s->stream, stream) == 0 : !s->stream;
}

static struct subscription *subscription_find(const struct mcp_connection *c, const char *stream,
                                              const char *uri, size_t len)
{
    for (struct subscription *s = c->subscriptions; s; s = s->next)
        if (is_of(s, stream) && s->len == len && memcmp(s->uri, uri, len) == 0)
            return s;
    return NULL;
}

struct subscription *stream_find(const struct mcp_connection *c, struct json_slice id)
{
    for (struct subscription *s = c->subscriptions; s; s = s->next)
        if (s->len == 0 &&
            (!id.ptr || (strlen(s->stream) == id.len && memcmp(s->stream, id.ptr, id.len) == 0)))
            return s;
    return NULL;
}

static void subscription_free(struct subscription *s)
{
    free(s->stream);
    free(s);
}

/* Removes one subscription, or all of a stream. */
static void subscription_drop(struct mcp_connection *c, const struct subscription *only,
                              const char *stream)
{
    for (struct subscription **link = &c->subscriptions; *link;) {
        struct subscription *s = *link;
        if (only ? s != only : !is_of(s, stream)) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        subscription_free(s);
        c->subscribed--;
    }
}

void stream_end(struct mcp_connection *c, struct subscription *stream)
{
    AUTO_FREE char *id = xstrdup(stream->stream);
    subscription_drop(c, NULL, id);
}

static void subscription_add(struct mcp_connection *c, const char *stream, const char *uri,
                             size_t len, const struct resource_state *shown)
{
    struct subscription *s = xmalloc(sizeof(*s) + len + 1);
    *s = (struct subscription){.next = c->subscriptions,
                               .stream = stream ? xstrdup(stream) : NULL,
                               .shown = *shown,
                               .len = len};
    memcpy(s->uri, uri, len + 1);
    c->subscriptions = s;
    c->subscribed++;
}

/* ---- digests of resources ---- */

static int read_within_limit(struct mcp_call *call, struct reader *r, bool *spent, struct error *e)
{
    reader_limit(r, LOOK_STEPS);
    int result = reader_begin(r, e);
    if (!result) {
        reader_guard(r, &call->guard);
        result = call->service->read_resource(call, r, e);
        reader_guard(r, NULL);
        reader_end(r);
    }
    *spent = reader_limit_exceeded(r);
    reader_limit(r, 0);
    return result;
}

/* Reads the resource with the guard of its caller and digests it. Returns -1 with a masked error if it does not exist
 * for that caller. */
static int read_state(const struct mcp_connection *c, const struct guard *g, const char *uri,
                      struct resource_state *out, struct error *e)
{
    struct reader *r = c->host->reader;
    AUTO_STRBUF arguments = STRBUF_INIT;
    struct mcp_call call = {.service = c->service, .guard = *g};
    bool spent = false;
    strbuf_addstr(&arguments, "{\"uri\":");
    json_add_string(&arguments, uri);
    strbuf_addch(&arguments, '}');
    call.arguments = (struct json_slice){arguments.buf, arguments.len};
    int result =
        r ? read_within_limit(&call, r, &spent, e) : c->service->read_resource(&call, NULL, e);
    *out = (struct resource_state){.known = !spent};
    digest_bytes(&out->digest, call.result.buf, call.result.len);
    strbuf_release(&call.result);
    arena_release(&call.arena);
    if (!result || spent)
        return 0;
    if (g->rules)
        mask_error(guard_pii(g->rules), (struct json_slice){NULL, 0}, e);
    return -1;
}

/* Counts the strings of the list. Returns -1 if it is not a list of strings. */
static int count_strings(struct json_slice uris)
{
    int count = 0;
    if (uris.len < 2 || *uris.ptr != '[')
        return -1;
    for (struct json_each it = json_each(uris); json_next(&it); count++)
        if (!message_is_string(it.value))
            return -1;
    return count;
}

/* Adds the `_meta` of notifications on a stream. */
static void stream_add_meta(struct strbuf *out, const char *stream)
{
    strbuf_addstr(out, "\"_meta\":{\"" MCP_META("subscriptionId") "\":");
    strbuf_addstr(out, stream);
    strbuf_addch(out, '}');
}

/* Subscribes to those URIs that exist, as far as time allows, and appends them to `honoured`, an array. */
static void honour(struct mcp_connection *c, const char *stream, const struct guard *g,
                   struct json_slice uris, struct strbuf *honoured)
{
    struct json_object list = json_begin(honoured, '[');
    char uri[MCP_URI_MAX];
    struct resource_state shown;
    struct error e;
    int64_t until = monotonic_us() + LISTEN_US;
    for (struct json_each it = json_each(uris); json_next(&it) && monotonic_us() < until;) {
        int len = message_copy_string(it.value, uri, sizeof(uri));
        if (len <= 0 || subscription_find(c, stream, uri, (size_t)len))
            continue;
        if (read_state(c, g, uri, &shown, &e))
            continue;
        subscription_add(c, stream, uri, (size_t)len, &shown);
        json_item(&list);
        json_add_string_len(honoured, uri, (size_t)len);
    }
    json_end(&list);
}

static void acknowledge(struct mcp_connection *c, const char *stream, const struct strbuf *honoured)
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
    stream_add_meta(out, stream);
    strbuf_addstr(out, "}}\n");
}

static void open_stream(const struct exchange *x, struct json_slice uris)
{
    struct mcp_connection *c = x->c;
    AUTO_STRBUF honoured = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct guard g = connection_guard(c);
    const char *stream = arena_strndup(&arena, x->m->id.ptr, x->m->id.len);
    subscription_add(c, stream, "", 0, &(struct resource_state){.known = false});
    if (uris.ptr)
        honour(c, stream, &g, uris, &honoured);
    acknowledge(c, stream, &honoured);
    guard_rules_release(g.rules);
}

/* Only resources are reported: the lists of tools, prompts and templates do not change. */
void protocol_listen(const struct exchange *x)
{
    struct json_slice wanted = message_member(x->m->params, "notifications");
    struct json_slice uris = message_is_object(wanted)
                                 ? message_member(wanted, "resourceSubscriptions")
                                 : (struct json_slice){NULL, 0};
    int count = uris.ptr ? count_strings(uris) : 0;
    if (protocol_refuse_ended(x))
        return;
    if (!message_is_object(wanted)) {
        refuse_params(x, "params.notifications must be an object");
        return;
    }
    if (count < 0)
        refuse_params(x, "params.notifications.resourceSubscriptions must be an array of strings");
    else if (x->c->subscribed + (size_t)count >= MCP_SUBSCRIPTIONS_MAX)
        refuse_params(x, "a connection has at most %d subscriptions", MCP_SUBSCRIPTIONS_MAX);
    else
        open_stream(x, uris);
}

/* ---- the end ---- */

static void add_stream_end(struct strbuf *out, const char *stream)
{
    strbuf_addf(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\",",
                stream);
    stream_add_meta(out, stream);
    strbuf_addf(out,
                "}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
                "\"requestId\":%s,\"reason\":\"the server ends the stream\"}}\n",
                stream);
}

void mcp_connection_end_streams(struct mcp_connection *c)
{
    struct subscription *s;
    while ((s = stream_find(c, (struct json_slice){NULL, 0}))) {
        add_stream_end(&c->out, s->stream);
        stream_end(c, s);
    }
}

/* ---- the list of subscriptions ---- */

void subscriptions_release(struct mcp_connection *c)
{
    while (c->subscriptions)
        subscription_drop(c, c->subscriptions, NULL);
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
        to->pending |= s->pending;
    }
}

bool mcp_connection_subscribed(const struct mcp_connection *c)
{
    return c->subscriptions != NULL;
}

/* ---- resources/subscribe and resources/unsubscribe ---- */

/* Copies params.uri to `uri` (MCP_URI_MAX bytes). Answers with an error and returns false if it is not valid. */
static bool take_uri(const struct exchange *x, char *uri)
{
    if (message_copy_string(message_member(x->m->params, "uri"), uri, MCP_URI_MAX) > 0)
        return true;
    refuse_params(x, "params.uri must be a string of less than %d bytes", MCP_URI_MAX);
    return false;
}

static void refuse_uri(const struct exchange *x, const struct guard *g, const struct error *e,
                       const char *uri)
{
    AUTO_STRBUF data = STRBUF_INIT, shown = STRBUF_INIT;
    protocol_mask(g->rules, uri, &shown);
    strbuf_addstr(&data, "{\"uri\":");
    json_add_string_len(&data, shown.buf, shown.len);
    strbuf_addch(&data, '}');
    bool is_unknown = e->code == ERROR_NOT_FOUND || e->code == ERROR_INVALID;
    reply_error_with(reply_to(x), is_unknown ? RPC_RESOURCE_NOT_FOUND : RPC_INTERNAL_ERROR, &data,
                     "%s", e->what);
}

void protocol_subscribe(const struct exchange *x)
{
    struct mcp_connection *c = x->c;
    char uri[MCP_URI_MAX];
    struct error e = {.code = ERROR_NONE};
    if (!take_uri(x, uri))
        return;
    struct guard g = connection_guard(c);
    struct resource_state shown;
    if (read_state(c, &g, uri, &shown, &e))
        refuse_uri(x, &g, &e, uri);
    else if (c->subscribed >= MCP_SUBSCRIPTIONS_MAX)
        refuse_params(x, "a connection has at most %d subscriptions", MCP_SUBSCRIPTIONS_MAX);
    else {
        if (!subscription_find(c, NULL, uri, strlen(uri)))
            subscription_add(c, NULL, uri, strlen(uri), &shown);
        reply_empty(x);
    }
    guard_rules_release(g.rules);
}

void protocol_unsubscribe(const struct exchange *x)
{
    char uri[MCP_URI_MAX];
    if (!take_uri(x, uri))
        return;
    struct subscription *s = subscription_find(x->c, NULL, uri, strlen(uri));
    if (s)
        subscription_drop(x->c, s, NULL);
    reply_empty(x);
}

/* ---- notifications ---- */

static void add_update(struct mcp_connection *c, const struct subscription *s)
{
    struct strbuf *out = &c->out;
    strbuf_addstr(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
                       "\"params\":{\"uri\":");
    json_add_string_len(out, s->uri, s->len);
    if (s->stream) {
        strbuf_addch(out, ',');
        stream_add_meta(out, s->stream);
    }
    strbuf_addstr(out, "}}\n");
}

void subscriptions_catch_up(struct mcp_connection *c)
{
    c->pending = false;
    for (struct subscription *s = c->subscriptions; s; s = s->next) {
        size_t before = c->out.len;
        if (!s->pending)
            continue;
        if (before <= MCP_OUT_HIGH)
            add_update(c, s);
        s->pending = before > MCP_OUT_HIGH;
        c->pending |= s->pending;
    }
}

/* True if reading the resource now, with the current rules, gives another result than before. False if the subscriber
 * can no longer read it. */
static bool differs(const struct mcp_connection *c, struct subscription *s)
{
    struct guard g = connection_guard(c);
    struct error ignored;
    struct resource_state was = s->shown, now;
    bool is_read = read_state(c, &g, s->uri, &now, &ignored) == 0;
    guard_rules_release(g.rules);
    if (!is_read)
        return false;
    s->shown = now;
    return !was.known || !now.known || memcmp(&was.digest, &now.digest, sizeof(now.digest)) != 0;
}

void mcp_connection_mark_changed(struct mcp_connection *c)
{
    for (struct subscription *s = c->subscriptions; s; s = s->next)
        s->maybe_changed = s->len > 0;
}

bool mcp_connection_check_changed(struct mcp_connection *c, int64_t until_us)
{
    struct subscription *s = c->subscriptions;
    for (; s && (!s->maybe_changed || monotonic_us() < until_us); s = s->next) {
        s->pending |= s->maybe_changed && differs(c, s);
        s->maybe_changed = false;
        c->pending |= s->pending;
    }
    if (c->pending)
        subscriptions_catch_up(c);
    return !s;
}
