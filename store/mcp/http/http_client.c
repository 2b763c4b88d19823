/*
 * Clients. Connections of HTTP mean nothing by themselves, so that requests of one client are known by what
 * they say: in the stateless era by the name and version in clientInfo and the agent that they are for, in the other by the label that the
 * answer to `initialize` gave it (Mcp-Session-Id). One that has none is served all the same: on the Unix socket as its process, over
 * TCP as its connection. Whoever comes with a label that is not known (any more) is told so, and begins anew.
 * Who is known by what it says of itself cannot: where a person ended its session the store refuses it for SESSION_REFUSED_MS,
 * and what may only read goes on so.
 */
#include "store/mcp/http/http_state.h"

#include <assert.h>
#include <errno.h>
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "store/ops/add.h"
#include "store/platform/platform.h"

struct mcp_peer http_peer(const struct http_line *line)
{
    struct mcp_peer who = {.transport = "http", .uid = -1, .pid = -1};
    if (line->local)
        platform_peer(line->fd, &who.uid, &who.pid);
    return who;
}

void http_client_forget(struct http_client *c)
{
    struct http_client **link = &c->http->clients;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    if (c->line)
        c->line->client = NULL;
    c->http->client_count--;
    free(c);
}

void http_client_end(struct http_client *c)
{
    peer_drop(c->peer);
}

void http_client_dismiss(struct http_client *c)
{
    peer_dismiss(c->peer);
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
    for (struct http_client *c = h->clients; c; c = c->next)
        if (!is_busy(c) && (!oldest || c->used < oldest->used))
            oldest = c;
    if (oldest && h->client_count >= HTTP_CLIENTS_MAX)
        http_client_dismiss(oldest);
}

void http_clients_look(struct http *h, int64_t now)
{
    for (struct http_client *c = h->clients, *next; c; c = next) {
        next = c->next;
        if (!is_busy(c) && now - c->used >= (c->named ? HTTP_NAMED_MS : HTTP_CLIENT_MS))
            http_client_dismiss(c);
    }
}

/* Who is known by its connection is refused as long as that lasts. */
void http_expel(struct peer *p)
{
    if (!p->client->line)
        http_client_end(p->client);
}

const char *http_client_again(const struct http_client *c)
{
    static_assert(SESSION_REFUSED_MS == 600000, "the words say so");
    if (c->named)
        return "Send initialize without Mcp-Session-Id if you are meant to go on.";
    return c->line ? NULL
                   : "Ask the person who reviews this store. Ten minutes after the end another "
                     "session begins.";
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
    c->peer = h->server->clients.first;
    c->peer->client = c;
    c->used = monotonic_ms();
    c->next = h->clients;
    h->clients = c;
    h->client_count++;
    return c;
}

struct http_client *http_client_new(struct http *h, const struct http_line *line)
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
    struct http_client *c = h->clients;
    while (c && strcmp(c->key, key) != 0)
        c = c->next;
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
    char *name = sitting_name(m->client), *version = sitting_version(m->client);
    const char *words[] = {name, version,
                           message_word(m->agent, agent, sizeof(agent)) > 0 ? agent : NULL};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        strbuf_add(out, words[i] ? words[i] : "", words[i] ? strlen(words[i]) + 1 : 1);
    free(name);
    free(version);
}

struct http_client *http_client_of(struct http *h, struct http_line *line, const struct message *m,
                                   const char *label, const char *revision)
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
