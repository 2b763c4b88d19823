/* A request: whose it is, its head, its body, the one message in it, and who carries it out. */
#include <errno.h>
#include <strings.h>
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "store/mcp/http/http_state.h"
#include "store/mcp/protocol/connection.h"
#include "store/ops/add.h"
#include "store/platform/platform.h"

/* ---- clients ---- */

/*
 * Connections of HTTP mean nothing by themselves, so that requests of one client are known by what
 * they say: in the stateless era by the name and version in clientInfo and the agent that they are for, in the other
 * by the label that the answer to `initialize` gave it (Mcp-Session-Id). One that has none is served all the same:
 * on the Unix socket as its process, over TCP as its connection. Whoever comes with a label that is not known (any
 * more) is told so, and begins anew. Who is known by what it says of itself cannot: where a person ended its session
 * the store refuses it for SESSION_REFUSED_MS, and what may only read goes on so.
 */

/* Who is at the other end of a line. */
static struct mcp_peer http_peer(const struct http_line *line)
{
    struct mcp_peer who = {.transport = "http", .uid = -1, .pid = -1};
    if (line->local)
        platform_peer(line->fd, &who.uid, &who.pid);
    return who;
}

void http_client_forget(struct http_client *c)
{
    LIST_REMOVE(c, link);
    if (c->line)
        c->line->client = NULL;
    c->http->client_count--;
    free(c);
}

/* Is a request of it in flight, or a stream? */
static bool is_busy(const struct http_client *c)
{
    return c->peer->exchange || mcp_connection_is_shared(c->peer->connection);
}

/* The one that asked nothing for longest, where there is one that asks nothing now. */
static void make_room(struct http *h)
{
    struct http_client *oldest = NULL;
    for (struct http_client *c = LIST_FIRST(&h->clients); c; c = LIST_NEXT(c, link))
        if (!is_busy(c) && (!oldest || c->used < oldest->used))
            oldest = c;
    if (oldest && h->client_count >= HTTP_CLIENTS_MAX)
        peer_dismiss(oldest->peer);
}

void http_clients_look(struct http *h, int64_t now)
{
    for (struct http_client *c = LIST_FIRST(&h->clients), *next; c; c = next) {
        next = LIST_NEXT(c, link);
        if (!is_busy(c) && now - c->used >= (c->named ? HTTP_NAMED_MS : HTTP_CLIENT_MS))
            peer_dismiss(c->peer);
    }
}

/* Who is known by its connection is refused as long as that lasts. */
void http_expel(struct peer *p)
{
    if (!p->client->line)
        peer_drop(p->client->peer);
}

static struct http_client *add(struct http *h, const struct http_line *line)
{
    struct mcp_peer who = http_peer(line);
    make_room(h);
    if (h->client_count >= HTTP_CLIENTS_MAX)
        return NULL;
    peer_new(h->server, -1, -1, &who);
    struct http_client *c = xcalloc(1, sizeof(*c));
    c->http = h;
    c->peer = LIST_FIRST(&h->server->clients.all);
    c->peer->client = c;
    c->used = monotonic_ms();
    LIST_INSERT_HEAD(&h->clients, c, link);
    h->client_count++;
    return c;
}

/* A new one with a label of its own. */
static struct http_client *http_client_new(struct http *h, const struct http_line *line)
{
    unsigned char random[HTTP_LABEL / 2];
    if (!platform_random(random, sizeof(random)))
        return NULL;
    struct http_client *c = add(h, line);
    for (size_t i = 0; c && i < sizeof(random); i++)
        snprintf(c->key + 2 * i, 3, "%02x", random[i]);
    if (c)
        c->named = true;
    return c;
}

static struct http_client *find(struct http *h, const char *key)
{
    struct http_client *c = LIST_FIRST(&h->clients);
    while (c && strcmp(c->key, key) != 0)
        c = LIST_NEXT(c, link);
    if (c)
        c->used = monotonic_ms();
    return c;
}

struct http_client *http_client_labelled(struct http *h, const char *label)
{
    return label && strlen(label) == HTTP_LABEL ? find(h, label) : NULL;
}

/* Nothing else tells it from another that has no label. */
static struct http_client *of_line(struct http *h, struct http_line *line)
{
    struct http_client *c = line->client;
    if (!c && (c = line->client = add(h, line)))
        c->line = line;
    if (c)
        c->used = monotonic_ms();
    return c;
}

/* What tells it from others, each with its end: as the store knows its session (session_return). */
static void add_words(struct strbuf *out, const struct message *m)
{
    char agent[4 * AGENT_NAME_MAX + 1];
    char *name = client_name(m->client), *version = client_version(m->client);
    const char *words[] = {name, version,
                           message_word(m->agent, agent, sizeof(agent)) > 0 ? agent : NULL};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        strbuf_add(out, words[i] ? words[i] : "", words[i] ? strlen(words[i]) + 1 : 1);
    free(name);
    free(version);
}

/* Whom a request is of, by its label or by what it says of itself; NULL where there is no room. */
static struct http_client *http_client_of(struct http *h, struct http_line *line,
                                          const struct message *m, const char *label,
                                          const char *revision)
{
    struct http_client *c = revision ? http_client_labelled(h, label) : NULL;
    if (c || (revision && !line->local))
        return c ? c : of_line(h, line);
    struct mcp_peer who = http_peer(line);
    struct strbuf said = STRBUF_INIT;
    struct digest d;
    char key[2 * DIGEST_SIZE + 1];
    strbuf_addf(&said, "%s %lld %lld ", revision ? revision : MCP_MODERN, (long long)who.uid,
                (long long)who.pid);
    if (!revision)
        add_words(&said, m);
    digest_bytes(&d, said.buf, said.len);
    digest_hex(key, &d);
    strbuf_release(&said);
    c = find(h, key);
    if (!c && (c = add(h, line)))
        memcpy(c->key, key, sizeof(key));
    return c;
}

/* ---- beginning and end ---- */

static struct http_line *line_of(struct MHD_Connection *c)
{
    return mhd.get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

struct accepted {
    bool said, json, events;
};

static enum MHD_Result note_accepted(void *arg, enum MHD_ValueKind kind, const char *key,
                                     const char *value)
{
    struct accepted *a = arg;
    (void)kind;
    if (strcasecmp(key, "Accept") != 0)
        return MHD_YES;
    value = value ? value : "";
    a->said = true;
    bool any = strstr(value, "*/*");
    a->json |= any || strcasestr(value, "application/json") || strcasestr(value, "application/*");
    a->events |= any || strcasestr(value, "text/event-stream") || strcasestr(value, "text/*");
    return MHD_YES;
}

static void take_accept(struct http_exchange *x)
{
    struct accepted a = {.said = false};
    mhd.get_connection_values(x->line->connection, MHD_HEADER_KIND, note_accepted, &a);
    x->takes_json = a.json || !a.said;
    x->takes_events = a.events;
}

static struct http_exchange *begin(struct http_line *line, const char *method)
{
    struct http *h = line->http;
    struct http_exchange *x = xcalloc(1, sizeof(*x));
    line->due = monotonic_ms() + HTTP_BODY_S * 1000;
    x->line = line;
    x->http = h;
    x->token = h->token.changes;
    x->metrics = line->metrics;
    x->get = !x->metrics && strcmp(method, "GET") == 0;
    x->hangup.fd = -1;
    strbuf_init(&x->body);
    strbuf_init(&x->ready);
    take_accept(x);
    LIST_INSERT_HEAD(&h->exchanges, x, link);
    return x;
}

static void release_body(struct http_exchange *x)
{
    x->http->held -= x->body.len;
    strbuf_release(&x->body);
}

/* A request of the stateless era ends with its stream; another is carried out for nobody. */
static void let_peer_go(struct http_exchange *x)
{
    struct peer *p = x->peer;
    if (!p)
        return;
    p->exchange = NULL;
    x->peer = NULL;
    if (x->modern)
        peer_drop(p);
    else
        peer_touch(p);
}

void http_on_completed(void *http, struct MHD_Connection *c, void **exchange,
                       enum MHD_RequestTerminationCode why)
{
    struct http_exchange *x = *exchange;
    (void)http;
    (void)c;
    (void)why;
    if (!x) /* it was not let in, and gets no more time by that */
        return;
    *exchange = NULL;
    x->line->due = monotonic_ms() + HTTP_HEAD_S * 1000;
    server_unwatch(x->http->server, &x->hangup);
    let_peer_go(x);
    release_body(x);
    strbuf_release(&x->ready);
    LIST_REMOVE(x, link);
    free(x);
}

/* ---- waiting ---- */

/*
 * It sends no more. Whether it still reads, the descriptor of a Unix socket says; over TCP nobody knows before something
 * is sent, and it counts as gone.
 */
static void on_hangup(struct watch *w, uint32_t events)
{
    struct http_exchange *x = w->owner;
    if (x->line->local && !(events & POLLER_GONE)) {
        server_watch(x->http->server, w, 0); /* what is left to tell is that it is gone */
        return;
    }
    server_unwatch(x->http->server, w); /* it would be told again and again */
    if (x->get) {
        x->gone = true;
        http_wake(x);
    } else if (x->modern && x->peer) {
        peer_drop(x->peer);
    }
}

/*
 * The library does not look at a connection that is suspended, so that we see whether it ends. It is suspended when the
 * library asks for the answer again: at once, it would read before that asks when it is resumed, and close the
 * connection of whoever sends no more.
 */
static enum MHD_Result wait_for_peer(struct http_exchange *x)
{
    struct peer *p = x->peer;
    x->hangup = (struct watch){.fd = x->line->fd, .on = on_hangup, .owner = x};
    server_watch(x->http->server, &x->hangup, POLLER_HALF);
    x->stage = HTTP_CALLED;
    x->told = monotonic_ms();
    peer_touch(p);
    return MHD_YES;
}

/* ---- the message ---- */

/* Line breaks between the parts of a JSON text mean nothing; the engine says and keeps a message a line. */
static void make_line(struct strbuf *body)
{
    for (char *at = body->buf, *end = body->buf + body->len; at < end; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
}

/* A call is on a connection of its own; whoever cancels it says so on another of the same client. */
static void cancel_elsewhere(struct http_exchange *x, const struct message *m)
{
    if (m->class != MESSAGE_NOTIFICATION || strcmp(m->method, "notifications/cancelled") != 0)
        return;
    for (struct http_exchange *other = LIST_FIRST(&x->http->exchanges); other;
         other = LIST_NEXT(other, link)) {
        if (other == x || !other->peer || strcmp(other->client, x->client) != 0)
            continue;
        mcp_connection_take(other->peer->connection, m);
        peer_touch(other->peer);
    }
}

/* What is said to `initialize` is the beginning of a client with a label; others have been there before. */
static void take_message(struct http_exchange *x, struct mcp_connection *c, const struct message *m,
                         const char *revision)
{
    bool twice, begins = revision && strcmp(m->method, "initialize") == 0;
    const char *label = http_header(x->line->connection, "Mcp-Session-Id", &twice);
    struct http_client *client =
        begins ? NULL : http_client_of(x->http, x->line, m, label, revision);
    mcp_connection_set_revision(c, begins ? NULL : revision, x->modern);
    if (!begins && !client) { /* nobody could say whether a person ended its session */
        x->status = MHD_HTTP_SERVICE_UNAVAILABLE;
        mcp_connection_refuse(c, m, RPC_INTERNAL_ERROR, "there is no room");
        return;
    }
    if (client)
        mcp_connection_join(c, client->peer->connection, client->named);
    mcp_connection_take(c, m);
    if (begins && mcp_connection_session(c) && (client = http_client_new(x->http, x->line)))
        snprintf(x->label, sizeof(x->label), "%.*s", HTTP_LABEL, client->key);
    if (!client)
        return;
    mcp_connection_join(client->peer->connection, c, client->named);
    snprintf(x->client, sizeof(x->client), "%s", client->key);
    if (client->named)
        cancel_elsewhere(x, m);
}

static void take_body(struct http_exchange *x, struct mcp_connection *c)
{
    struct message m;
    const char *revision = NULL;
    message_read(&m, x->body.buf ? x->body.buf : "", x->body.len);
    make_line(&x->body);
    if (!http_check_message(x, c, &m, &revision))
        return;
    if (x->modern && !m.modern) /* it does not say whose it is */
        mcp_connection_take(c, &m);
    else
        take_message(x, c, &m, revision);
}

static enum MHD_Result serve_post(struct http_exchange *x)
{
    struct mcp_server *v = x->http->server;
    struct mcp_peer who = http_peer(x->line);
    if (x->http->closing || v->clients.count >= v->clients.most)
        return http_refuse(x->line->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "there is no room");
    peer_new(v, -1, -1, &who);
    x->peer = LIST_FIRST(&v->clients.all);
    x->peer->exchange = x;
    take_body(x, x->peer->connection);
    release_body(x);
    return wait_for_peer(x);
}

/* ---- GET and DELETE: of a client that has a label ---- */

static enum MHD_Result serve_get(struct http_exchange *x, struct http_client *client)
{
    struct MHD_Connection *c = x->line->connection;
    if (!x->takes_events)
        return http_refuse(c, MHD_HTTP_NOT_ACCEPTABLE, "GET gives text/event-stream");
    if (client->peer->exchange)
        return http_refuse(c, MHD_HTTP_CONFLICT, "this session has a stream already");
    x->peer = client->peer;
    x->peer->exchange = x;
    wait_for_peer(x);
    x->stage = HTTP_STREAM; /* its head is told at once */
    http_wake(x);
    return MHD_YES;
}

static enum MHD_Result end_client(struct http_exchange *x, struct http_client *client)
{
    peer_drop(client->peer);
    x->stage = HTTP_WHOLE;
    x->status = MHD_HTTP_OK;
    return http_answer(x);
}

static enum MHD_Result serve_client(struct http_exchange *x)
{
    bool twice;
    struct MHD_Connection *c = x->line->connection;
    const char *label = http_header(c, "Mcp-Session-Id", &twice);
    const char *version = http_header(c, "MCP-Protocol-Version", &twice);
    if (!label || (version && strcmp(version, MCP_MODERN) == 0))
        return http_refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED,
                           "GET and DELETE are of a session, by its Mcp-Session-Id");
    if (version && !protocol_legacy_revision(version))
        return http_refuse(c, MHD_HTTP_BAD_REQUEST, "no such MCP-Protocol-Version");
    struct http_client *client = http_client_labelled(x->http, label);
    if (!client || !client->named || x->http->closing)
        return http_refuse(c, MHD_HTTP_NOT_FOUND, "there is no such session");
    return x->get ? serve_get(x, client) : end_client(x, client);
}

/* ---- as the library calls ---- */

/* The first time: nothing but the head is there, and only now can it be refused without the body. */
static enum MHD_Result take_head(struct http_line *line, const char *url, const char *method,
                                 void **exchange)
{
    const char *why;
    line->metrics = strcmp(url, HTTP_METRICS) == 0;
    unsigned status = http_check_head(line, method, url, &why);
    if (status)
        return http_refuse(line->connection, status, why);
    struct http_exchange *x = begin(line, method);
    *exchange = x;
    if (!x->metrics && !x->takes_json && !x->takes_events)
        return http_refuse(line->connection, MHD_HTTP_NOT_ACCEPTABLE,
                           "Accept must have application/json and text/event-stream");
    return MHD_YES;
}

/*
 * What is too much is read on without being kept, and refused at its end: the library takes no answer before that. What
 * does not end then is closed.
 */
static enum MHD_Result take_bytes(struct http_exchange *x, const char *bytes, size_t len)
{
    x->seen += len;
    if (x->overfull)
        return x->seen <= 2 * HTTP_BODY_MAX ? MHD_YES : MHD_NO;
    bool fits = x->seen <= HTTP_BODY_MAX;
    if (fits && len <= HTTP_BODIES_MAX - x->http->held) {
        strbuf_add(&x->body, bytes, len);
        x->http->held += len; /* what is announced alone takes nobody's room */
        return MHD_YES;
    }
    x->overfull = true;
    x->status = fits ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_CONTENT_TOO_LARGE;
    release_body(x);
    return MHD_YES;
}

enum MHD_Result http_on_request(void *http, struct MHD_Connection *c, const char *url,
                                const char *method, const char *version, const char *bytes,
                                size_t *len, void **exchange)
{
    struct http_exchange *x = *exchange;
    (void)http;
    (void)version;
    if (!x)
        return take_head(line_of(c), url, method, exchange);
    if (*len > 0) {
        enum MHD_Result taken = take_bytes(x, bytes, *len);
        *len = 0;
        return taken;
    }
    x->line->due = INT64_MAX;
    if (x->gone)
        return MHD_NO;
    if (x->overfull)
        return http_refuse(c, x->status, "the body is longer than there is room for");
    if (x->metrics)
        return http_answer_metrics(x);
    if (x->stage == HTTP_CALLED) {
        http_suspend(x);
        return MHD_YES;
    }
    if (x->stage != HTTP_BODY)
        return http_answer(x);
    return strcmp(method, "POST") == 0 ? serve_post(x) : serve_client(x);
}
