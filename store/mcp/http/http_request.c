/* Handles a request: finds its client, reads head and body, and starts the message in it. */
#include <strings.h>
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "store/mcp/http/http_state.h"
#include "store/mcp/protocol/connection.h"
#include "store/ops/add.h"
#include "store/platform/platform.h"

/* ---- clients ---- */

/*
 * An HTTP connection does not identify a client, so requests are assigned to clients by their content: in the
 * stateless era by clientInfo (name and version) and the agent; in the legacy era by the Mcp-Session-Id from
 * `initialize`. A legacy request without it belongs to its process (Unix socket) or its connection (TCP). A request
 * with an unknown session id is refused, and the client starts a new session. A client that is identified by its own
 * claims cannot do that: if a person ended its session, the store refuses it for SESSION_REFUSED_MS, and a read-only
 * session stays read-only.
 */

/* Identifies the peer of a connection as far as the system can. */
static struct mcp_peer http_peer(const struct http_line *line)
{
    struct mcp_peer who = {.transport = "http", .uid = -1, .pid = -1, .agent = line->agent};
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

/* True if a request or stream of the client is open. */
static bool is_busy(const struct http_client *c)
{
    return c->peer->exchange || mcp_connection_is_shared(c->peer->connection);
}

/* Ends the longest idle client if the table is full. */
static void make_room(struct http *h)
{
    struct http_client *oldest = NULL;
    for (struct http_client *c = LIST_FIRST(&h->clients); c; c = LIST_NEXT(c, link))
        if (!is_busy(c) && (!oldest || c->used < oldest->used))
            oldest = c;
    if (oldest && h->client_count >= HTTP_CLIENTS_MAX)
        peer_dismiss(oldest->peer);
}

void http_clients_expire(struct http *h, int64_t now)
{
    for (struct http_client *c = LIST_FIRST(&h->clients), *next; c; c = next) {
        next = LIST_NEXT(c, link);
        if (!is_busy(c) && now - c->used >= (c->named ? HTTP_NAMED_MS : HTTP_CLIENT_MS))
            peer_dismiss(c->peer);
    }
}

/* A client that belongs to a connection stays, so that it is refused while the connection lasts. */
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

/* Makes a client with a new random session id. Returns NULL if there is no room. */
static struct http_client *http_client_new(struct http *h, const struct http_line *line)
{
    unsigned char random[HTTP_SESSION_ID / 2];
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

/* True if the client was granted the name that the line is granted now. */
static bool is_of(const struct http_client *c, const struct http_line *line)
{
    return same_text(mcp_connection_agent(c->peer->connection), line->agent);
}

struct http_client *http_client_find(const struct http_line *line, const char *session_id)
{
    struct http_client *c =
        session_id && strlen(session_id) == HTTP_SESSION_ID ? find(line->http, session_id) : NULL;
    return c && is_of(c, line) ? c : NULL;
}

/* The client of a connection, for requests without a session id. */
static struct http_client *client_of_line(struct http *h, struct http_line *line)
{
    if (line->client && !is_of(line->client, line))
        peer_dismiss(line->client->peer);
    struct http_client *c = line->client;
    if (!c && (c = line->client = add(h, line)))
        c->line = line;
    if (c)
        c->used = monotonic_ms();
    return c;
}

/* Appends what identifies a stateless client, each text with its NUL. session_return identifies sessions the same
 * way. */
static void add_identity(struct strbuf *out, const struct message *m)
{
    char agent[4 * AGENT_NAME_MAX + 1];
    char *name = client_name(m->client), *version = client_version(m->client);
    const char *words[] = {name, version,
                           message_copy_string(m->agent, agent, sizeof(agent)) > 0 ? agent : NULL};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        strbuf_add(out, words[i] ? words[i] : "", words[i] ? strlen(words[i]) + 1 : 1);
    free(name);
    free(version);
}

/* Finds or makes the client of a request, by session id or by its claims. Returns NULL if there is no room. */
static struct http_client *http_client_of(struct http *h, struct http_line *line,
                                          const struct message *m, const char *session_id,
                                          const char *revision)
{
    struct http_client *c = revision ? http_client_find(line, session_id) : NULL;
    if (c || (revision && !line->local))
        return c ? c : client_of_line(h, line);
    struct mcp_peer who = http_peer(line);
    AUTO_STRBUF identity = STRBUF_INIT;
    struct digest d;
    char key[2 * DIGEST_SIZE + 1];
    strbuf_addf(&identity, "%s %lld %lld ", revision ? revision : MCP_MODERN, (long long)who.uid,
                (long long)who.pid);
    strbuf_addf(&identity, "%s ", who.agent ? who.agent : "");
    if (!revision)
        add_identity(&identity, m);
    digest_bytes(&d, identity.buf, identity.len);
    digest_hex(key, &d);
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
    bool present, json, events;
};

static enum MHD_Result note_accepted(void *arg, enum MHD_ValueKind kind, const char *key,
                                     const char *value)
{
    struct accepted *a = arg;
    (void)kind;
    if (strcasecmp(key, "Accept") != 0)
        return MHD_YES;
    value = value ? value : "";
    a->present = true;
    bool any = strstr(value, "*/*");
    a->json |= any || strcasestr(value, "application/json") || strcasestr(value, "application/*");
    a->events |= any || strcasestr(value, "text/event-stream") || strcasestr(value, "text/*");
    return MHD_YES;
}

static void take_accept(struct http_exchange *x)
{
    struct accepted a = {.present = false};
    mhd.get_connection_values(x->line->connection, MHD_HEADER_KIND, note_accepted, &a);
    x->takes_json = a.json || !a.present;
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

/* Detaches the peer when the response ends. A stateless request is cancelled; a legacy request is carried out. */
static void detach_peer(struct http_exchange *x)
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
    if (!x) /* it was refused, so its deadline is not extended */
        return;
    *exchange = NULL;
    x->line->due = monotonic_ms() + HTTP_HEAD_S * 1000;
    server_unwatch(x->http->server, &x->hangup);
    detach_peer(x);
    release_body(x);
    strbuf_release(&x->ready);
    LIST_REMOVE(x, link);
    free(x);
}

/* ---- waiting ---- */

/*
 * The client has closed its sending side. On a Unix socket the descriptor tells whether it still reads. Over TCP that
 * is unknown until something is sent, so it counts as closed.
 */
static void on_hangup(struct watch *w, uint32_t events)
{
    struct http_exchange *x = w->owner;
    if (x->line->local && !(events & POLLER_CLOSED)) {
        server_watch(x->http->server, w, 0); /* from now on report only that it closed */
        return;
    }
    server_unwatch(x->http->server, w); /* the poller would report this again and again */
    if (x->get) {
        x->client_closed = true;
        http_wake(x);
    } else if (x->modern && x->peer) {
        peer_drop(x->peer);
    }
}

/*
 * The engine has the message: waits for its answer. libmicrohttpd ignores suspended connections, so we watch for a
 * hangup ourselves. The connection is suspended only when the library asks for the answer again: if it were suspended
 * at once, the library would read first when it is resumed, and would close the connection of a client that sends no
 * more.
 */
static enum MHD_Result wait_for_peer(struct http_exchange *x)
{
    struct peer *p = x->peer;
    x->hangup = (struct watch){.fd = x->line->fd, .on = on_hangup, .owner = x};
    server_watch(x->http->server, &x->hangup, POLLER_HALF);
    x->stage = HTTP_CALLED;
    x->sent_at = monotonic_ms();
    peer_touch(p);
    return MHD_YES;
}

/* ---- the message ---- */

/* Replaces line breaks between JSON tokens, because the engine stores a message as one line. */
static void make_line(struct strbuf *body)
{
    for (char *at = body->buf, *end = body->buf + body->len; at < end; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
}

/* Each call has its own connection, so a cancellation is passed to all connections of the same client. */
static void cancel_elsewhere(struct http_exchange *x, const struct message *m)
{
    if (m->class != MESSAGE_NOTIFICATION || strcmp(m->method, "notifications/cancelled") != 0)
        return;
    for (struct http_exchange *other = LIST_FIRST(&x->http->exchanges); other;
         other = LIST_NEXT(other, link)) {
        if (other == x || !other->peer || strcmp(other->client, x->client) != 0)
            continue;
        mcp_connection_handle(other->peer->connection, m);
        peer_touch(other->peer);
    }
}

/* initialize makes a client with a session id; other requests belong to an existing client. */
static void take_message(struct http_exchange *x, struct mcp_connection *c, const struct message *m,
                         const char *revision)
{
    bool twice, begins = revision && strcmp(m->method, "initialize") == 0;
    const char *session_id = http_header(x->line->connection, "Mcp-Session-Id", &twice);
    struct http_client *client =
        begins ? NULL : http_client_of(x->http, x->line, m, session_id, revision);
    mcp_connection_set_revision(c, begins ? NULL : revision, x->modern);
    mcp_connection_offer(c, x->line->tools);
    /* without a client we cannot know whether a person ended its session */
    if (!begins && !client) {
        x->status = MHD_HTTP_SERVICE_UNAVAILABLE;
        mcp_connection_refuse(c, m, RPC_INTERNAL_ERROR, "there is no room");
        return;
    }
    if (client)
        mcp_connection_join(c, client->peer->connection, client->named);
    mcp_connection_handle(c, m);
    if (begins && mcp_connection_session(c) && (client = http_client_new(x->http, x->line)))
        snprintf(x->session_id, sizeof(x->session_id), "%.*s", HTTP_SESSION_ID, client->key);
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
    if (x->modern && !m.modern) /* it does not identify its client */
        mcp_connection_handle(c, &m);
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

/* ---- GET and DELETE: of a client with a session id ---- */

static enum MHD_Result serve_get(struct http_exchange *x, struct http_client *client)
{
    struct MHD_Connection *c = x->line->connection;
    if (!x->takes_events)
        return http_refuse(c, MHD_HTTP_NOT_ACCEPTABLE, "GET returns text/event-stream");
    if (client->peer->exchange)
        return http_refuse(c, MHD_HTTP_CONFLICT, "this session has a stream already");
    x->peer = client->peer;
    x->peer->exchange = x;
    wait_for_peer(x);
    x->stage = HTTP_STREAM; /* send the head of the response at once */
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
    const char *session_id = http_header(c, "Mcp-Session-Id", &twice);
    const char *version = http_header(c, "MCP-Protocol-Version", &twice);
    if (!session_id || (version && strcmp(version, MCP_MODERN) == 0))
        return http_refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED,
                           "GET and DELETE need the Mcp-Session-Id of a session");
    if (version && !protocol_legacy_revision(version))
        return http_refuse(c, MHD_HTTP_BAD_REQUEST, "no such MCP-Protocol-Version");
    struct http_client *client = http_client_find(x->line, session_id);
    if (!client || !client->named || x->http->closing)
        return http_refuse(c, MHD_HTTP_NOT_FOUND, "this session does not exist or has ended");
    return x->get ? serve_get(x, client) : end_client(x, client);
}

/* ---- callbacks of the library ---- */

/* The first callback, with only the head: a request can be refused without its body only now. */
static enum MHD_Result take_head(struct http_line *line, const char *url, const char *method,
                                 void **exchange)
{
    struct error e;
    const char *why;
    line->metrics = strcmp(url, HTTP_METRICS) == 0;
    unsigned status = http_check_head(line, method, url, &e, &why);
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
 * Receives bytes of the body. A body that is too large is read and discarded, and refused at its end, because the
 * library takes no response earlier. If it does not end after as much again, the connection is closed.
 */
static enum MHD_Result take_bytes(struct http_exchange *x, const char *bytes, size_t len)
{
    x->seen += len;
    if (x->too_large)
        return x->seen <= 2 * HTTP_BODY_MAX ? MHD_YES : MHD_NO;
    bool fits = x->seen <= HTTP_BODY_MAX;
    if (fits && len <= HTTP_BODIES_MAX - x->http->held) {
        strbuf_add(&x->body, bytes, len);
        x->http->held += len; /* counts bytes that arrived, not those announced */
        return MHD_YES;
    }
    x->too_large = true;
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
    if (x->client_closed)
        return MHD_NO;
    if (x->too_large)
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
