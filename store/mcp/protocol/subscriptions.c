/* Subscriptions: resources/subscribe, and subscriptions/listen of the stateless era. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "store/mcp/protocol/connection_internal.h"
#include "store/mcp/protocol/changes.h"
#include "model/base/array.h"
#include "store/mcp/protocol/masking.h"

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
    free(s->agent);
    free(s);
}

/* Removes the one, or all of a stream. */
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
    char *id = xstrdup(stream->stream);
    subscription_drop(c, NULL, id);
    free(id);
}

static void subscription_add(struct mcp_connection *c, const char *stream, const struct guard *g,
                             const char *uri, size_t len, const struct mcp_subject *subject)
{
    struct subscription *s = xmalloc(sizeof(*s) + len + 1);
    *s = (struct subscription){.next = c->subscriptions,
                               .stream = stream ? xstrdup(stream) : NULL,
                               .subject = *subject,
                               .bound = g->bound,
                               .agent = g->agent ? xstrdup(g->agent) : NULL,
                               .len = len};
    memcpy(s->uri, uri, len + 1);
    c->subscriptions = s;
    c->subscribed++;
}

/* How many strings the list has; -1: it is no such list. */
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

/* The `_meta` of what is told on a stream. */
static void stream_add_stamp(struct strbuf *out, const char *stream)
{
    strbuf_addstr(out, "\"_meta\":{\"" MCP_META("subscriptionId") "\":");
    strbuf_addstr(out, stream);
    strbuf_addch(out, '}');
}

/* What a URI is of, as the service says it, for that caller; -1 with an error, masked. */
static int subscription_subject(const struct mcp_connection *c, const struct guard *g,
                                const char *uri, struct mcp_subject *out, struct error *e)
{
    struct reader *r = c->host->reader;
    if (r)
        reader_guard(r, g);
    int result = c->service->subscribed(r, uri, out, e);
    if (r)
        reader_guard(r, NULL);
    if (result && g->rules)
        mask_error(guard_pii(g->rules), (struct json_slice){NULL, 0}, e);
    return result;
}

/* Subscribes to what it can and appends that to `honoured`, an array. */
static void honour(struct mcp_connection *c, const char *stream, const struct guard *g,
                   struct json_slice uris, struct strbuf *honoured)
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
        subscription_add(c, stream, g, uri, (size_t)len, &subject);
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
    stream_add_stamp(out, stream);
    strbuf_addstr(out, "}}\n");
}

static void open_stream(const struct exchange *x, struct json_slice uris)
{
    struct mcp_connection *c = x->c;
    struct strbuf honoured = STRBUF_INIT;
    struct arena arena = ARENA_INIT;
    struct guard g = request_guard(x, &arena);
    const char *stream = arena_strndup(&arena, x->m->id.ptr, x->m->id.len);
    subscription_add(c, stream, &g, "", 0, &(struct mcp_subject){0, 0});
    if (uris.ptr)
        honour(c, stream, &g, uris, &honoured);
    acknowledge(c, stream, &honoured);
    guard_rules_release(g.rules);
    arena_release(&arena);
    strbuf_release(&honoured);
}

/* What this server tells of is resources; its lists of tools, prompts and templates do not change. */
void protocol_listen(const struct exchange *x)
{
    struct json_slice wanted = message_member(x->m->params, "notifications");
    struct json_slice uris = message_is_object(wanted)
                                 ? message_member(wanted, "resourceSubscriptions")
                                 : (struct json_slice){NULL, 0};
    int count = uris.ptr ? count_strings(uris) : 0;
    if (protocol_is_over(x))
        return;
    if (!message_is_object(wanted)) {
        reply_error(reply_to(x), RPC_INVALID_PARAMS, "params.notifications must be an object");
        return;
    }
    if (count < 0)
        reply_error(reply_to(x), RPC_INVALID_PARAMS,
                    "params.notifications.resourceSubscriptions must be an array of strings");
    else if (x->c->subscribed + (size_t)count >= MCP_SUBSCRIPTIONS_MAX)
        reply_error(reply_to(x), RPC_INVALID_PARAMS, "a connection has at most %d subscriptions",
                    MCP_SUBSCRIPTIONS_MAX);
    else
        open_stream(x, uris);
}

/* ---- the end ---- */

static void say_goodbye(struct strbuf *out, const char *stream)
{
    strbuf_addf(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\",",
                stream);
    stream_add_stamp(out, stream);
    strbuf_addf(out,
                "}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
                "\"requestId\":%s,\"reason\":\"the server ends the stream\"}}\n",
                stream);
}

void mcp_connection_goodbye(struct mcp_connection *c)
{
    struct subscription *s;
    while ((s = stream_find(c, (struct json_slice){NULL, 0}))) {
        say_goodbye(&c->out, s->stream);
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
        to->late |= s->late;
    }
}

bool mcp_connection_subscribed(const struct mcp_connection *c)
{
    return c->subscriptions != NULL;
}

/* As who subscribed is shown it by now; how many. */
static size_t find_shown(const struct mcp_connection *c, const struct subscription *s,
                         int64_t rows[MCP_SHOWN_MOST])
{
    struct reader *r = c->host->reader;
    struct guard g = {.rules = rules_of(c), .agent = s->agent, .bound = s->bound};
    if (!r || !c->service->shown)
        return 0;
    reader_guard(r, g.rules ? &g : NULL);
    size_t count = c->service->shown(r, s->uri, rows);
    reader_guard(r, NULL);
    guard_rules_release(g.rules);
    return count;
}

void mcp_connection_subscribed_rows(const struct mcp_connection *c, struct mcp_rows *out)
{
    for (const struct subscription *s = c->subscriptions; s; s = s->next) {
        int64_t shown[MCP_SHOWN_MOST] = {s->subject.node};
        size_t count = s->subject.node ? 1 : s->subject.agent ? find_shown(c, s, shown) : 0;
        for (size_t i = 0; i < count; i++) {
            *ARRAY_ADD(out->row, out->count, out->alloc) = shown[i];
        }
    }
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

static void refuse_uri(const struct exchange *x, const struct guard *g, const struct error *e,
                       const char *uri)
{
    struct strbuf data = STRBUF_INIT, shown = STRBUF_INIT;
    protocol_mask(g->rules, uri, &shown);
    strbuf_addstr(&data, "{\"uri\":");
    json_add_string_len(&data, shown.buf, shown.len);
    strbuf_addch(&data, '}');
    strbuf_release(&shown);
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
    struct arena arena = ARENA_INIT;
    struct guard g = request_guard(x, &arena);
    struct mcp_subject subject;
    if (subscription_subject(c, &g, uri, &subject, &e))
        refuse_uri(x, &g, &e, uri);
    else if (c->subscribed >= MCP_SUBSCRIPTIONS_MAX)
        reply_error(reply_to(x), RPC_INVALID_PARAMS, "a connection has at most %d subscriptions",
                    MCP_SUBSCRIPTIONS_MAX);
    else {
        if (!subscription_find(c, NULL, uri, strlen(uri)))
            subscription_add(c, NULL, &g, uri, strlen(uri), &subject);
        reply_empty(x);
    }
    guard_rules_release(g.rules);
    arena_release(&arena);
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

/* ---- telling ---- */

static bool sees(struct reader *r, int64_t row)
{
    struct error ignored;
    enum sight sight = SIGHT_NONE;
    return guard_sight(r, row, &sight, &ignored) == 0 && sight == SIGHT_WHOLE;
}

/* Of many things any of which may have changed: does he see one that did, or that rests on one? */
static bool sees_any(struct reader *r, const struct subscription *s, struct changes *changes)
{
    int64_t *reached = xcalloc(changes->rows.count + 1, sizeof(*reached));
    size_t count = 0;
    bool seen = false;
    for (size_t i = 0; !seen && i < changes->rows.count; i++) {
        struct error ignored;
        int64_t row = changes->rows.row[i];
        bool listed;
        if (!changes_is_of(changes, r, i, s->subject.agent))
            continue;
        if (guard_lists(r, row, &listed, &ignored) || !listed)
            continue;
        seen = changes_is_direct(changes, row);
        reached[count++] = row;
    }
    seen = seen || changes_reach_seen(changes, r, reached, count);
    free(reached);
    return seen;
}

/* The same of what it is subscribed to, as the reader's caller sees it. */
static bool sees_change(struct reader *r, const struct subscription *s, struct changes *changes)
{
    int64_t node = s->subject.node;
    if (node && !sees(r, node))
        return false;
    if (changes->any)
        return true;
    if (!node)
        return sees_any(r, s, changes);
    return changes_is_direct(changes, node) || changes_reach_seen(changes, r, &node, 1);
}

/* By the rules of now. */
static bool is_seen(struct mcp_connection *c, const struct subscription *s, struct changes *changes)
{
    struct reader *r = c->host->reader;
    struct guard g = {.rules = rules_of(c), .agent = s->agent, .bound = s->bound};
    if (!g.rules || !r)
        return true;
    reader_guard(r, &g);
    bool seen = sees_change(r, s, changes);
    reader_guard(r, NULL);
    guard_rules_release(g.rules);
    return seen;
}

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
        s->late = before > MCP_OUT_HIGH;
        c->late |= s->late;
    }
}

static bool may_concern(const struct mcp_connection *c, const struct mcp_subject *subject,
                        struct changes *changes)
{
    bool found = changes->any;
    if (subject->node)
        return found || row_index_find(&changes->rows, subject->node) != ROW_NONE;
    for (size_t i = 0; !found && i < changes->rows.count; i++)
        found = changes_is_of(changes, c->host->reader, i, subject->agent);
    return found;
}

void mcp_connection_changed(struct mcp_connection *c, struct changes *changes)
{
    if (changes->rows.count == 0 && !changes->any)
        return;
    for (struct subscription *s = c->subscriptions; s; s = s->next)
        if (s->len > 0 && may_concern(c, &s->subject, changes) && is_seen(c, s, changes))
            s->late = c->late = true;
    if (c->late)
        subscriptions_catch_up(c);
}
