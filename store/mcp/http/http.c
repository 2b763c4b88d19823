/* The library in our loop: its sockets and ours, what wakes it, and what takes too long. */
#include "store/mcp/http/http_state.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "model/base/alloc.h"

#define BACKLOG     1024        /* of those that wait for a place */
#define HEAD_BYTES  (32u << 10) /* what the library keeps of a request: its head */
#define LEAVING_MAX 256         /* of those that gave way, in one turn */
#define LOOK_MS     250
#define TOKEN_MS    1000
#define PORT_TRIES  16

/* ---- the library and the loop ---- */

static void on_events(struct watch *w, uint32_t events)
{
    (void)w; /* each turn has the library look */
    (void)events;
}

/* A path is what was sent, byte for byte: nothing hides in escapes. */
static size_t leave_escapes(void *arg, struct MHD_Connection *c, char *text)
{
    (void)arg;
    (void)c;
    return strlen(text);
}

static struct MHD_Daemon *start_daemon(struct http *h)
{
    const unsigned flags =
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    return mhd.start_daemon(
        flags, 0, NULL, NULL, http_on_request, h, MHD_OPTION_EXTERNAL_LOGGER, http_on_complaint, h,
        MHD_OPTION_URI_LOG_CALLBACK, http_on_first_line, h, MHD_OPTION_NOTIFY_CONNECTION,
        http_on_connection, h, MHD_OPTION_NOTIFY_COMPLETED, http_on_completed, h,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)(HTTP_LINES_MAX + HTTP_CROWD_MAX + LEAVING_MAX),
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)(HTTP_BODY_MS / 1000), MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL, MHD_OPTION_END);
}

struct http *http_of(struct mcp_server *v, struct error *e)
{
    if (v->http)
        return v->http;
    if (http_library_load(e))
        return NULL;
    struct http *h = xcalloc(1, sizeof(*h));
    h->server = v;
    h->listeners[0].fd = h->listeners[1].fd = -1;
    h->daemon = start_daemon(h);
    if (!h->daemon) {
        free(h);
        error_set(e, ERROR_MEMORY, "Close some programs.", "HTTP cannot be served: %s",
                  strerror(errno));
        return NULL;
    }
    int fd = mhd.get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    h->events = (struct watch){.fd = fd, .on = on_events, .owner = h};
    server_watch(v, &h->events, POLLER_READ);
    h->look_at = monotonic_ms() + LOOK_MS;
    return v->http = h;
}

void http_suspend(struct http_exchange *x)
{
    if (x->suspended)
        return;
    mhd.suspend_connection(x->line->connection);
    x->suspended = true;
}

void http_wake(struct http_exchange *x)
{
    if (!x->suspended)
        return;
    x->suspended = false;
    x->http->woken = true;
    mhd.resume_connection(x->line->connection);
}

/* Who was let in by a token that holds no more hears nothing more. */
static void part_strangers(struct http *h, int64_t now)
{
    struct error ignored; /* what cannot be used lets nobody in */
    struct http_exchange *x = h->exchanges;
    while (x && x->line->local)
        x = x->next;
    if (!x || h->open || now < h->token_at)
        return;
    h->token_at = now + TOKEN_MS;
    http_token_look(&h->token, &ignored);
    for (; x; x = x->next)
        if (!x->line->local && x->token != h->token.changes)
            http_part(x);
}

/* Deadlines, tokens, streams on which nothing happens, clients that ask nothing. */
static void look(struct http *h, int64_t now)
{
    h->look_at = now + LOOK_MS;
    http_lines_look(h, now);
    part_strangers(h, now);
    for (struct http_exchange *x = h->exchanges; x; x = x->next)
        http_stay_alive(x, now);
    http_clients_look(h, now);
}

static void http_turn(struct mcp_server *v)
{
    struct http *h = v->http;
    if (!h)
        return;
    int64_t now = monotonic_ms();
    bool looks = now >= h->look_at;
    if (looks)
        look(h, now);
    h->woken = false;
    mhd.run(h->daemon);
    if (looks) /* what is unread now the library does not want */
        http_lines_find_stuck(h, now);
    http_door_look(h);
}

static int http_timeout(const struct mcp_server *v)
{
    const struct http *h = v->http;
    MHD_UNSIGNED_LONG_LONG ms;
    if (!h)
        return -1;
    if (h->woken || h->knocked)
        return 0;
    int64_t left = h->look_at - monotonic_ms();
    if (left < 0)
        left = 0;
    if (mhd.get_timeout(h->daemon, &ms) == MHD_YES && ms < (MHD_UNSIGNED_LONG_LONG)left)
        return (int)ms;
    return h->lines || h->clients || h->full ? (int)left : -1;
}

/* ---- TCP ---- */

static int listen_at(int family, int port)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    int one = 1, silent = HTTP_HEAD_MS / 1000;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    v6.sin6_addr = in6addr_loopback;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
    /* Who says nothing takes no place: so many seconds the system keeps it. */
    setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &silent, sizeof(silent));
    const struct sockaddr *at =
        family == AF_INET ? (const struct sockaddr *)&v4 : (const struct sockaddr *)&v6;
    if (bind(fd, at, family == AF_INET ? sizeof(v4) : sizeof(v6)) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

static int port_of(int fd)
{
    struct sockaddr_in at = {.sin_port = 0};
    socklen_t len = sizeof(at);
    return getsockname(fd, (struct sockaddr *)&at, &len) ? -1 : ntohs(at.sin_port);
}

/*
 * Both loopback addresses have the one port, or a client that is told "localhost" might give its token to
 * whoever holds the other. A machine without the newer one has just the older.
 */
static int open_both(int port, int fds[2])
{
    fds[0] = listen_at(AF_INET, port);
    if (fds[0] < 0)
        return -1;
    fds[1] = listen_at(AF_INET6, port_of(fds[0]));
    if (fds[1] >= 0 || errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT)
        return 0;
    int saved = errno;
    close(fds[0]);
    errno = saved;
    return -1;
}

int mcp_server_http(struct mcp_server *v, const struct mcp_http_options *options, struct error *e)
{
    int fds[2], tries = options->port == 0 ? PORT_TRIES : 1, failed = -1;
    struct http *h = http_of(v, e);
    if (!h)
        return -1;
    while (failed && tries-- > 0)
        failed = open_both(options->port, fds);
    if (failed)
        return error_set(e, ERROR_STORE, "Choose another port; 0 takes a free one.",
                         "cannot listen at port %d of the loopback: %s", options->port,
                         strerror(errno));
    h->open = !options->token;
    if (options->token)
        h->token = *options->token;
    h->port = port_of(fds[0]);
    for (int i = 0; i < 2; i++) {
        h->listeners[i] = (struct watch){.fd = fds[i], .on = http_on_knock, .owner = h};
        server_watch(v, &h->listeners[i], POLLER_READ);
    }
    return 0;
}

int mcp_server_http_port(const struct mcp_server *v)
{
    return v->http ? v->http->port : 0;
}

/* ---- ending ---- */

static void http_finish(struct mcp_server *v)
{
    struct http *h = v->http;
    if (!h)
        return;
    h->closing = true;
    http_door_close(h);
    for (struct http_exchange *x = h->exchanges; x; x = x->next)
        if (x->get)
            http_part(x);
}

static bool http_is_busy(const struct mcp_server *v)
{
    return v->http && v->http->exchanges && monotonic_ms() < v->deadline;
}

/* The library must have none that waits for us. */
static void http_close(struct mcp_server *v)
{
    struct http *h = v->http;
    if (!h)
        return;
    http_door_close(h);
    while (h->clients)
        http_client_dismiss(h->clients);
    for (struct http_exchange *x = h->exchanges; x; x = x->next) {
        x->gone = true;
        http_wake(x);
    }
    mhd.run(h->daemon);
    server_unwatch(v, &h->events);
    mhd.stop_daemon(h->daemon);
    free(h);
    v->http = NULL;
}

const struct transport http_transport = {
    .take = http_take,
    .turn = http_turn,
    .timeout = http_timeout,
    .settle = http_settle,
    .lose = http_lose_peer,
    .expel = http_expel,
    .finish = http_finish,
    .is_busy = http_is_busy,
    .close = http_close,
};
