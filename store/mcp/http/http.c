/* Runs libmicrohttpd in the server's loop: connections, listening on the loopback, and the token file. */
#include "store/mcp/http/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <dlfcn.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/mcp/http/http_state.h"
#include "store/mcp/server/server.h"
#include "store/platform/platform.h"

#define BACKLOG      8192 /* connections waiting to be accepted; the system cuts it to its limit */
#define ACCEPTS_TURN 64
#define HEAD_BYTES   (32u << 10) /* memory of the library for the head of a request */
#define CHECK_MS     250
#define POLL_MS      5 /* between two calls of the library without epoll */
#define TOKEN_MS     1000
#define PORT_TRIES   16

/* ---- connections ---- */

static void on_events(struct watch *w, uint32_t events)
{
    (void)w; /* every turn runs the library */
    (void)events;
}

static void keep_granted(struct http *h, int fd, const char *agent)
{
    struct http_granted *g = xmalloc(sizeof(*g));
    *g = (struct http_granted){.fd = fd, .agent = xstrdup(agent)};
    LIST_INSERT_HEAD(&h->granted, g, link);
}

/* Returns the name granted to the socket, which the caller frees; NULL if none. */
static char *take_granted(struct http *h, int fd)
{
    struct http_granted *g = LIST_FIRST(&h->granted);
    while (g && g->fd != fd)
        g = LIST_NEXT(g, link);
    char *agent = g ? g->agent : NULL;
    if (g)
        LIST_REMOVE(g, link);
    free(g);
    return agent;
}

/* The number of connections that it is one of. */
static size_t *count_of(const struct http_line *l)
{
    struct http *h = l->http;
    return l->local             ? &h->local_count
           : l->unauthenticated ? &h->unauthenticated_count
                                : &h->line_count;
}

void http_admit(struct http_line *l)
{
    if (!l->unauthenticated || l->dropped)
        return;
    --*count_of(l);
    l->unauthenticated = false;
    ++*count_of(l);
}

static void add_line(struct http *h, struct MHD_Connection *c, void **socket)
{
    struct http_line *l = xcalloc(1, sizeof(*l));
    l->http = h;
    l->connection = c;
    l->fd = mhd.get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    const struct sockaddr *from =
        mhd.get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
    l->local = from->sa_family == AF_UNIX;
    l->agent = take_granted(h, l->fd);
    l->due = monotonic_ms() + HTTP_HEAD_S * 1000;
    l->unauthenticated = !l->local && !h->open;
    LIST_INSERT_HEAD(&h->lines, l, link);
    ++*count_of(l);
    *socket = l;
}

static void remove_line(struct http_line *l)
{
    if (!l->dropped)
        --*count_of(l);
    if (l->client)
        peer_drop(l->client->peer);
    LIST_REMOVE(l, link);
    free(l->agent);
    free(l);
}

static void on_connection(void *http, struct MHD_Connection *c, void **socket,
                          enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        add_line(http, c, socket);
    } else if (*socket) {
        remove_line(*socket);
        *socket = NULL;
    }
}

/* ---- accepting ---- */

/* Gives a socket to the library, which closes it if it has no room. */
static void add_socket(struct http *h, int fd)
{
    struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
    socklen_t len = sizeof(from);
    if (getpeername(fd, (struct sockaddr *)&from, &len)) {
        close(fd);
        return;
    }
    /* an unnamed socket returns a shorter length than the library expects */
    if (from.ss_family == AF_UNIX)
        len = sizeof(struct sockaddr_un);
    mhd.add_connection(h->daemon, fd, (struct sockaddr *)&from, len);
    h->woken = true;
}

static struct http *http_of(struct mcp_server *v, struct error *e); /* starts HTTP if necessary */

static void take(struct mcp_server *v, int fd, const char *agent)
{
    struct error ignored;
    struct http *h = http_of(v, &ignored);
    if (!h || h->closing || h->local_count >= HTTP_LOCAL_MAX) { /* the other places are for TCP */
        close(fd);
        return;
    }
    free(take_granted(h, fd)); /* of a socket with that number that the library refused */
    if (agent)
        keep_granted(h, fd, agent);
    add_socket(h, fd);
}

/* Shuts down the oldest unauthenticated connection; the library then closes it. Returns false if there is none. */
static bool drop_oldest_unauthenticated(struct http *h)
{
    struct http_line *first = NULL;
    for (struct http_line *l = LIST_FIRST(&h->lines); l; l = LIST_NEXT(l, link))
        if (l->unauthenticated && !l->dropped && (!first || l->due <= first->due))
            first = l;
    if (!first)
        return false;
    --*count_of(first);
    first->dropped = true;
    shutdown(first->fd, SHUT_RDWR);
    return true;
}

/*
 * Any local process can open thousands of silent connections. So connections without the token are accepted at once
 * and limited apart. A client sends its token at once, and the library reads it in this turn or in one of the next: it
 * would have to be the oldest of all unauthenticated connections by then.
 */
_Static_assert(HTTP_CLIENTS_MAX >= HTTP_LINES_MAX + HTTP_UNAUTHENTICATED_MAX,
               "all that send the token in one turn become clients");
static void on_listener(struct watch *w, uint32_t events)
{
    struct http *h = w->owner;
    (void)events;
    for (int left = ACCEPTS_TURN; left > 0 && h->line_count < HTTP_LINES_MAX; left--) {
        int fd = platform_accept(w->fd);
        if (fd < 0 && (errno == EMFILE || errno == ENFILE))
            drop_oldest_unauthenticated(h);
        if (fd < 0)
            return;
        if (h->unauthenticated_count >= HTTP_UNAUTHENTICATED_MAX)
            drop_oldest_unauthenticated(h);
        add_socket(h, fd);
    }
}

/* At the limit, new connections wait in the system's backlog. */
static void watch_listeners(struct http *h)
{
    for (int i = 0; i < 2; i++)
        server_watch(h->server, &h->listeners[i], h->line_count < HTTP_LINES_MAX ? POLLER_READ : 0);
}

static void close_listeners(struct http *h)
{
    for (int i = 0; i < 2; i++) {
        if (h->listeners[i].fd < 0)
            continue;
        server_unwatch(h->server, &h->listeners[i]);
        close(h->listeners[i].fd);
        h->listeners[i].fd = -1;
    }
}

/* ---- the library and the loop ---- */

/* The library's messages are about bad requests, which it answers itself. */
static void no_log(void *arg, const char *format, va_list values)
{
    (void)arg;
    (void)format;
    (void)values;
}

/* Paths are compared byte for byte as sent, so escapes cannot hide anything. */
static size_t leave_escapes(void *arg, struct MHD_Connection *c, char *text)
{
    (void)arg;
    (void)c;
    return strlen(text);
}

/* Unauthenticated connections may still be there for a turn after they were shut down, and become clients when all
 * places are taken. */
#define CONNECTIONS_MAX (HTTP_LINES_MAX + 2 * HTTP_UNAUTHENTICATED_MAX + HTTP_LOCAL_MAX)

static struct MHD_Daemon *start_daemon(struct http *h)
{
    const unsigned flags = (platform_has_epoll() ? MHD_USE_EPOLL : 0u) | MHD_USE_NO_LISTEN_SOCKET |
                           MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    return mhd.start_daemon(
        flags, 0, NULL, NULL, http_on_request, h, MHD_OPTION_EXTERNAL_LOGGER, no_log, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_NOTIFY_COMPLETED,
        http_on_completed, h, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        HTTP_STALL_S, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes,
        NULL, MHD_OPTION_END);
}

static struct http *http_of(struct mcp_server *v, struct error *e)
{
    if (v->http)
        return v->http;
    if (mhd_load(e))
        return NULL;
    struct http *h = xcalloc(1, sizeof(*h));
    h->server = v;
    h->listeners[0].fd = h->listeners[1].fd = -1;
    h->daemon = start_daemon(h);
    if (!h->daemon) {
        free(h);
        error_set(e, ERROR_STORE, "Close some programs.", "HTTP cannot be served: %s",
                  strerror(errno));
        return NULL;
    }
    int fd = platform_has_epoll()
                 ? mhd.get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd
                 : -1;
    h->events = (struct watch){.fd = fd, .on = on_events, .owner = h};
    server_watch(v, &h->events, POLLER_READ);
    h->check_at = monotonic_ms() + CHECK_MS;
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

/* Ends requests that were authorised by a token which is no longer valid. */
static void end_revoked(struct http *h, int64_t now)
{
    struct error ignored; /* an unusable token authorises nobody */
    struct http_exchange *x = LIST_FIRST(&h->exchanges);
    while (x && x->line->local)
        x = LIST_NEXT(x, link);
    if (!x || h->open || now < h->token_check_at)
        return;
    h->token_check_at = now + TOKEN_MS;
    http_token_reload(&h->token, &ignored);
    for (; x; x = LIST_NEXT(x, link))
        if (!x->line->local && x->token != h->token.changes)
            http_end(x);
}

/* Shuts down connections past their deadline; the library then closes them. Its own timeout applies only to
 * connections on which no bytes move. */
static void close_late_lines(struct http *h, int64_t now)
{
    for (struct http_line *l = LIST_FIRST(&h->lines); l; l = LIST_NEXT(l, link))
        if (now >= l->due)
            shutdown(l->fd, SHUT_RDWR);
}

/* Periodic checks: tokens, deadlines, idle streams and idle clients. */
static void check(struct http *h, int64_t now)
{
    h->check_at = now + CHECK_MS;
    end_revoked(h, now);
    close_late_lines(h, now);
    for (struct http_exchange *x = LIST_FIRST(&h->exchanges); x; x = LIST_NEXT(x, link))
        http_keep_alive(x, now);
    http_clients_expire(h, now);
}

static void http_turn(struct mcp_server *v)
{
    struct http *h = v->http;
    if (!h)
        return;
    int64_t now = monotonic_ms();
    if (now >= h->check_at)
        check(h, now);
    h->woken = false;
    mhd.run(h->daemon);
    watch_listeners(h);
}

static int http_timeout(const struct mcp_server *v)
{
    const struct http *h = v->http;
    MHD_UNSIGNED_LONG_LONG ms;
    if (!h)
        return -1;
    if (h->woken)
        return 0;
    int64_t left = h->check_at - monotonic_ms();
    left = left < 0 ? 0 : left;
    if (LIST_FIRST(&h->lines) && !platform_has_epoll()) /* nothing signals events, so poll */
        return left < POLL_MS ? (int)left : POLL_MS;
    if (mhd.get_timeout(h->daemon, &ms) == MHD_YES && ms < (MHD_UNSIGNED_LONG_LONG)left)
        return (int)ms;
    return LIST_FIRST(&h->lines) || LIST_FIRST(&h->clients) ? (int)left : -1;
}

/* ---- TCP ---- */

static int listen_at(int family, int port)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    int one = 1;
    int fd = platform_socket(family);
    if (fd < 0)
        return -1;
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    v6.sin6_addr = in6addr_loopback;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
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
 * Listens on both loopback addresses with the same port. Otherwise a client that uses "localhost" might send its
 * token to another program on the other address. A machine without IPv6 uses only IPv4.
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
        h->listeners[i] = (struct watch){.fd = fds[i], .on = on_listener, .owner = h};
        server_watch(v, &h->listeners[i], POLLER_READ);
    }
    return 0;
}

void http_prepare(void)
{
    struct error later;
    mhd_load(&later);
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
    close_listeners(h);
    for (struct http_exchange *x = LIST_FIRST(&h->exchanges); x; x = LIST_NEXT(x, link))
        if (x->get)
            http_end(x);
}

static bool http_is_busy(const struct mcp_server *v)
{
    return v->http && LIST_FIRST(&v->http->exchanges) && monotonic_ms() < v->loop.deadline;
}

/* The library must not be stopped while connections are suspended. */
static void http_close(struct mcp_server *v)
{
    struct http *h = v->http;
    if (!h)
        return;
    close_listeners(h);
    while (LIST_FIRST(&h->clients))
        peer_dismiss(LIST_FIRST(&h->clients)->peer);
    for (struct http_exchange *x = LIST_FIRST(&h->exchanges); x; x = LIST_NEXT(x, link)) {
        x->client_closed = true;
        http_wake(x);
    }
    mhd.run(h->daemon);
    server_unwatch(v, &h->events);
    mhd.stop_daemon(h->daemon);
    while (LIST_FIRST(&h->granted))
        free(take_granted(h, LIST_FIRST(&h->granted)->fd));
    free(h);
    v->http = NULL;
}

const struct transport http_transport = {
    .take = take,
    .turn = http_turn,
    .timeout = http_timeout,
    .settle = http_settle,
    .lose = http_lose_peer,
    .expel = http_expel,
    .finish = http_finish,
    .is_busy = http_is_busy,
    .close = http_close,
};

/* ---- the token file ---- */

#define TOKEN_LEN 64

static int fail(const char *path, struct error *e)
{
    return error_set(e, ERROR_STORE, "Check the directory it is in.", "cannot use %s: %s", path,
                     strerror(errno));
}

static bool is_token(const char *text, ssize_t len)
{
    return len >= TOKEN_LEN && strspn(text, "0123456789abcdef") == TOKEN_LEN &&
           (len == TOKEN_LEN || text[TOKEN_LEN] == '\n');
}

/* Returns 1, 0 if the file does not exist, or -1 and sets `e`. */
static int read_token(struct http_token *t, struct error *e)
{
    char text[TOKEN_LEN + 2] = "";
    struct stat st;
    t->text[0] = '\0';
    int fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return 0;
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        return error_set(e, ERROR_BUSY, "Close some programs.", "cannot read %s now: %s", t->path,
                         strerror(errno));
    bool ours = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                !(st.st_mode & 077);
    ssize_t len = ours ? read(fd, text, sizeof(text) - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (!ours || !is_token(text, len))
        return error_set(e, ERROR_REFUSED, "Remove it; a new one is made.",
                         "%s is not a private token file", t->path);
    memcpy(t->text, text, TOKEN_LEN);
    t->text[TOKEN_LEN] = '\0';
    return 1;
}

static int write_text(int fd, const char *text)
{
    bool whole = write(fd, text, TOKEN_LEN) == TOKEN_LEN && write(fd, "\n", 1) == 1;
    return close(fd) || !whole ? -1 : 0;
}

/* Writes a temporary file first and links it, so that readers find a complete token, and of two servers that make one
 * the first wins. */
static int make_token(struct http_token *t, struct error *e)
{
    unsigned char random[TOKEN_LEN / 2];
    char text[TOKEN_LEN + 1], own[sizeof(t->path) + 16];
    if (!platform_random(random, sizeof(random)))
        return error_set(e, ERROR_STORE, "", "the system gives no random bits");
    for (size_t i = 0; i < sizeof(random); i++)
        snprintf(text + 2 * i, 3, "%02x", random[i]);
    snprintf(own, sizeof(own), "%s.%ld", t->path, (long)getpid());
    unlink(own);
    int fd = open(own, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return fail(own, e);
    int result = write_text(fd, text);
    if (result == 0 && link(own, t->path) && errno != EEXIST)
        result = -1;
    if (result)
        fail(t->path, e);
    unlink(own);
    return result;
}

static int take_token(struct http_token *t, struct error *e)
{
    int found = read_token(t, e);
    if (found == 0 && make_token(t, e))
        return -1;
    if (found == 0)
        found = read_token(t, e);
    if (found == 0)
        error_set(e, ERROR_STORE, "Try again.", "%s was removed", t->path);
    return found > 0 ? 0 : -1;
}

int http_token_reload(struct http_token *t, struct error *e)
{
    char before[sizeof(t->text)];
    memcpy(before, t->text, sizeof(before));
    int result = take_token(t, e);
    if (result && e->code == ERROR_BUSY)
        memcpy(t->text, before, sizeof(before));
    t->changes += strcmp(before, t->text) != 0;
    return result;
}

int http_token_of(struct http_token *t, const struct agent_grants *agent, struct error *e)
{
    *t = (struct http_token){.text = ""};
    if (!agent->token_file || strlen(agent->token_file) >= sizeof(t->path))
        return -1;
    memcpy(t->path, agent->token_file, strlen(agent->token_file) + 1);
    return http_token_reload(t, e);
}

int http_token_find(struct http_token *t, struct store *s, struct error *e)
{
    struct endpoint where;
    platform_hide_memory();
    if (endpoint_find(&where, s, true, e))
        return -1;
    size_t stem = strlen(where.path) - strlen(".sock");
    snprintf(t->path, sizeof(t->path), "%.*s.token", (int)stem, where.path);
    return http_token_reload(t, e);
}

/* ---- the library ---- */

struct mhd mhd;

/* POSIX guarantees that pointers to functions and to data have the same representation. ISO C does not, so the bytes
 * are copied. */
static int find(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, size);
    return found ? 0 : -1;
}

int mhd_load(struct error *e)
{
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    int missing = 0;
    if (!library) /* the name in development packages and on other systems */
        library = dlopen("libmicrohttpd.so", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return error_set(e, ERROR_STORE, "Install libmicrohttpd.", "HTTP cannot be served: %s",
                         dlerror());
#define MHD_FIND(name) missing |= find(library, "MHD_" #name, &mhd.name, sizeof(mhd.name));
    MHD_FUNCTIONS(MHD_FIND)
#undef MHD_FIND
    if (missing)
        return error_set(e, ERROR_STORE, "Install a newer libmicrohttpd.",
                         "HTTP cannot be served: libmicrohttpd lacks a function");
    return 0;
}
