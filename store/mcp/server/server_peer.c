/*
 * A peer: its descriptors, its input and output, and its end.
 *
 * Both directions are always watched. A peer whose queue is full or that has too much in flight is not read from, and
 * no work is done for it; others go on. If output to a peer fails, its output is discarded, but the input
 * that it has already sent is still carried out.
 */
#include "store/mcp/server/server_state.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include "model/base/alloc.h"

#define LINES_TURN 64    /* lines of one peer in a turn */
#define STUCK_MS   60000 /* a peer that reads nothing of a full queue for this long is dropped */
#define QUEUE_KEPT (8 << 10) /* bytes of memory that an empty queue may keep */

/* ---- beginning ---- */

/* Input that has arrived is still taken; then the peer ends. */
static void close_output(struct peer *p)
{
    p->output_closed = p->readable = true;
    calls_cancel_reads(p);
}

static void on_ready(struct watch *w, uint32_t events)
{
    struct peer *p = w->owner;
    bool hears = w == &p->out || p->out.fd < 0; /* this descriptor is the output */
    if (events & POLLER_CLOSED) {
        /* The poller would report this again and again. */
        server_unwatch(p->server, w);
        w->always = true;
        p->readable |= w == &p->in;
        if (hears)
            close_output(p);
    }
    p->readable |= w == &p->in && (events & POLLER_READ);
    p->writable |= hears && (events & POLLER_WRITE);
    peer_touch(p);
}

static bool is_socket(int fd)
{
    int type;
    socklen_t len = sizeof(type);
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0;
}

static struct watch peer_watch(struct peer *p, int fd)
{
    return (struct watch){.fd = fd, .on = on_ready, .owner = p, .socket = is_socket(fd)};
}

void peer_new(struct mcp_server *v, int in, int out, const struct mcp_peer *who)
{
    struct peer *p = xcalloc(1, sizeof(*p));
    p->server = v;
    p->who = *who;
    p->in = peer_watch(p, in);
    p->out = in == out ? (struct watch){.fd = -1} : peer_watch(p, out);
    p->http = in < 0;
    p->unknown = who->transport && strcmp(who->transport, "socket") == 0;
    p->writable = true;
    STAILQ_INIT(&p->reads);
    STAILQ_INIT(&p->long_reads);
    calls_host(p);
    p->connection = mcp_connection_new(&v->service, &p->host, &p->who);
    p->who.agent = mcp_connection_agent(p->connection);
    LIST_INSERT_HEAD(&v->clients.all, p, link);
    v->clients.count++;
    server_watch(v, &p->in, POLLER_READ);
    server_watch(v, &p->out, 0);
    p->readable = p->in.always;
    peer_touch(p);
}

void peer_touch(struct peer *p)
{
    if (p->active)
        return;
    p->active = true;
    STAILQ_INSERT_TAIL(&p->server->clients.active, p, next_active);
}

/* ---- input ---- */

static size_t unsent(const struct peer *p)
{
    return mcp_connection_out(p->connection)->len - p->sent;
}

bool peer_is_full(const struct peer *p)
{
    return p->connection && unsent(p) > MCP_OUT_HIGH;
}

static bool takes(const struct peer *p)
{
    return !peer_is_full(p) && !mcp_connection_full(p->connection);
}

static void end_input(struct peer *p)
{
    if (p->ended)
        return;
    mcp_connection_end(p->connection);
    p->ended = true;
    p->lines = true;
}

/* HTTP begins with a method in capitals; no message does. Hands the connection to the HTTP transport if it is HTTP. */
static bool is_http(struct peer *p)
{
    char first;
    if (!p->unknown || recv(p->in.fd, &first, 1, MSG_PEEK | MSG_DONTWAIT) != 1)
        return false;
    p->unknown = false;
    if (first < 'A' || first > 'Z')
        return false;
    int fd = p->in.fd;
    AUTO_FREE char *agent = p->who.agent ? xstrdup(p->who.agent) : NULL;
    server_unwatch(p->server, &p->in);
    p->in.fd = -1;
    peer_drop(p);
    if (p->server->options.http)
        p->server->options.http->take(p->server, fd, agent);
    else
        close(fd);
    return true;
}

/* Reads once. Returns false if nothing is there now. */
static bool read_some(struct peer *p)
{
    struct mcp_server *v = p->server;
    if (p->ended || !p->readable || is_http(p))
        return false;
    ssize_t n = p->in.socket ? recv(p->in.fd, v->loop.bytes, sizeof(v->loop.bytes), MSG_DONTWAIT)
                             : read(p->in.fd, v->loop.bytes, sizeof(v->loop.bytes));
    if (n < 0 && errno == EINTR)
        return true;
    /* After a short read no more is there; epoll reports new input. */
    p->readable = p->in.always || p->output_closed || n == (ssize_t)sizeof(v->loop.bytes);
    if (n > 0) {
        mcp_connection_feed(p->connection, v->loop.bytes, (size_t)n);
        p->lines = true;
        return true;
    }
    if (n == 0 || errno != EAGAIN || p->in.always || p->output_closed)
        end_input(p);
    return p->ended;
}

void peer_take(struct peer *p)
{
    int64_t until = monotonic_us() + SHARE_US;
    int lines = 0;
    if (!p->connection || calls_can_read(p)) /* its earlier reads come first */
        return;
    while (takes(p) && lines < LINES_TURN) {
        if (p->lines)
            lines += p->lines = mcp_connection_next(p->connection) > 0;
        else if (!read_some(p))
            break;
        if (monotonic_us() >= until)
            break;
    }
}

/* ---- output ---- */

/* Removes the bytes that were sent, but only if they are more than the rest, so that moving the rest is cheap. */
static void trim(struct peer *p, struct strbuf *out)
{
    size_t left = out->len - p->sent;
    if (left == 0 && out->alloc > QUEUE_KEPT)
        strbuf_release(out);
    else if (left == 0)
        strbuf_clear(out);
    else if (p->sent > left)
        memmove(out->buf, out->buf + p->sent, left);
    else
        return;
    if (left > 0)
        strbuf_cut(out, left);
    p->sent = 0;
}

static ssize_t send_some(struct peer *p, const char *bytes, size_t len)
{
    struct watch *w = p->out.fd >= 0 ? &p->out : &p->in;
    return w->socket ? send(w->fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT)
                     : write(w->fd, bytes, len);
}

/* Records since when the peer has read nothing, while its queue is full or only output is left. */
static void note_stuck(struct peer *p, bool moved)
{
    bool waits = peer_is_full(p) || (p->ended && unsent(p));
    if (waits && (!p->stuck_at || moved)) {
        p->server->clients.stuck += !p->stuck_at;
        p->stuck_at = monotonic_ms();
    } else if (!waits && p->stuck_at) {
        p->server->clients.stuck--;
        p->stuck_at = 0;
    }
}

/* Output failed. A peer that closed its end is normal; a full disk is an error. */
static void output_failed(struct peer *p, int why)
{
    struct error *e = &p->server->clients.output_error;
    close_output(p);
    if (p->stdio && why != EPIPE && why != ECONNRESET && e->code == ERROR_NONE)
        error_set(e, ERROR_STORE, error_write_hint(why), "standard output cannot be written: %s",
                  strerror(why));
}

static void flush(struct peer *p)
{
    bool moved = false;
    while (unsent(p) && p->writable && !p->output_closed) {
        struct strbuf *out = mcp_connection_out(p->connection);
        ssize_t n = send_some(p, out->buf + p->sent, out->len - p->sent);
        if (n > 0)
            p->sent += (size_t)n;
        else if (n < 0 && errno == EAGAIN)
            p->writable = false;
        else if (n == 0 || errno != EINTR)
            output_failed(p, n == 0 ? 0 : errno);
        moved |= n > 0;
        trim(p, out);
    }
    if (p->output_closed) {
        strbuf_clear(mcp_connection_out(p->connection));
        p->sent = 0;
    }
    note_stuck(p, moved);
}

/* ---- ending ---- */

static void close_watch(struct mcp_server *v, struct watch *w)
{
    if (w->fd < 0)
        return;
    server_unwatch(v, w);
    close(w->fd);
    w->fd = -1;
}

void peer_drop(struct peer *p)
{
    struct mcp_server *v = p->server;
    if (!p->connection)
        return;
    v->clients.stuck -= p->stuck_at != 0;
    if (p->http)
        v->options.http->lose(p);
    if (p->dismissed)
        mcp_connection_dismiss(p->connection);
    mcp_connection_free(p->connection);
    p->connection = NULL;
    close_watch(v, &p->in);
    close_watch(v, &p->out);
    v->clients.count--;
    v->loop.finishing |= p->stdio;
    if (p->expelled && p->stdio && v->options.on_event)
        v->options.on_event(v->options.arg, SERVER_EXPELLED, NULL, p->who.pid);
    listen_resume(v);
    peer_touch(p); /* frees it when its last call has come back */
}

void peer_dismiss(struct peer *p)
{
    p->dismissed = true;
    peer_drop(p);
}

void peer_finish(struct peer *p)
{
    if (!p->connection)
        return;
    p->ended = true;
    p->lines = false;
    peer_touch(p);
}

void peers_check_stuck(struct mcp_server *v)
{
    int patience = v->options.stuck_ms ? v->options.stuck_ms : STUCK_MS;
    int64_t now = v->clients.stuck ? monotonic_ms() : 0;
    for (struct peer *p = v->clients.stuck ? LIST_FIRST(&v->clients.all) : NULL; p;
         p = LIST_NEXT(p, link))
        if (p->stuck_at && now - p->stuck_at >= patience)
            peer_dismiss(p);
}

/* ---- the end of a turn ---- */

static void ask_for_more(struct peer *p)
{
    struct mcp_server *v = p->server;
    uint32_t in = !p->ended && takes(p) ? POLLER_READ : 0;
    uint32_t out = unsent(p) && !p->writable ? POLLER_WRITE : 0;
    if (p->out.fd >= 0) {
        server_watch(v, &p->in, in);
        server_watch(v, &p->out, out);
    } else {
        server_watch(v, &p->in, in | out);
    }
    if (calls_can_read(p) || (takes(p) && (p->lines || (p->readable && !p->ended))))
        peer_touch(p);
}

void peer_settle(struct peer *p)
{
    if (!p->connection) {
        if (p->calls == 0) {
            LIST_REMOVE(p, link);
            free(p);
        }
        return;
    }
    /* All its requests are answered, and no more will come. */
    if (p->ended && !p->lines && p->calls == 0 && !p->streams_ended) {
        mcp_connection_end_streams(p->connection);
        p->streams_ended = true;
    }
    if (p->http) {
        p->server->options.http->settle(p);
        return;
    }
    flush(p);
    if (p->streams_ended && unsent(p) == 0)
        peer_drop(p);
    else
        ask_for_more(p);
}
