/*
 * The socket: accepting, and taking over where another process listens first. Who waits keeps an idle
 * connection to whoever listens, which ends when that process does, however it does; then the lock is
 * tried again, a few times soon (the end of a process closes its files one after another) and then
 * once a second. Where the socket is, some program may tidy up: then it is made anew.
 */
#include "store/mcp/server/server_state.h"
#include "store/platform/platform.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#define ACCEPTS_TURN 64
#define PAUSE_MS     2    /* before the first try to take over, doubled for each that fails */
#define PAUSE_MAX_MS 1000 /* and as long as there is no room for a peer */
#define LOOK_MS      2000 /* between two looks whether its socket is still there */

/* ---- accepting ---- */

/* Our own user's programs, and the system's. */
static bool is_welcome(const struct mcp_peer *who)
{
    return who->uid == 0 || who->uid == (int64_t)geteuid();
}

static void accept_peer(struct mcp_server *v, int fd)
{
    struct mcp_peer who = {.transport = "socket", .agent = v->agent, .task = v->task};
    platform_peer(fd, &who.uid, &who.pid);
    if (is_welcome(&who))
        peer_new(v, fd, fd, &who);
    else
        close(fd);
}

/* No descriptor or memory is left, or peers enough: those that wait are looked at again later. */
static void pause_accepting(struct mcp_server *v)
{
    server_watch(v, &v->listening.socket, 0);
    v->listening.at = monotonic_ms() + PAUSE_MAX_MS;
}

static void on_listener(struct watch *w, uint32_t events)
{
    struct mcp_server *v = w->owner;
    (void)events;
    for (int i = 0; i < ACCEPTS_TURN; i++) {
        int fd = v->clients.count < v->clients.most ? platform_accept(w->fd) : -1;
        if (fd >= 0)
            accept_peer(v, fd);
        else if (v->clients.count >= v->clients.most || (errno != EAGAIN && errno != ECONNABORTED))
            pause_accepting(v);
        if (fd < 0)
            return;
    }
}

void listen_resume(struct mcp_server *v)
{
    if (v->listening.socket.fd < 0 || !v->listening.at || v->listening.unsure)
        return;
    v->listening.at = 0;
    server_watch(v, &v->listening.socket, POLLER_READ);
}

/* ---- where the socket is ---- */

static void look_in(struct mcp_server *v)
{
    v->listening.unsure = true;
    v->listening.at = monotonic_ms() + LOOK_MS;
}

/* The same text each time, for other threads read it. */
static const char *remember_place(struct mcp_server *v)
{
    size_t i =
        *v->listening.places[0] && strcmp(v->listening.places[0], v->listening.endpoint.path) != 0;
    if (strcmp(v->listening.places[i], v->listening.endpoint.path) != 0)
        memcpy(v->listening.places[i], v->listening.endpoint.path, sizeof(v->listening.places[i]));
    return v->listening.places[i];
}

/* ---- taking over ---- */

static void try_later(struct mcp_server *v)
{
    v->listening.pause = v->listening.pause ? v->listening.pause * 2 : PAUSE_MS;
    if (v->listening.pause > PAUSE_MAX_MS)
        v->listening.pause = PAUSE_MAX_MS;
    v->listening.at = monotonic_ms() + v->listening.pause;
}

static void let_holder_go(struct mcp_server *v)
{
    if (v->listening.holder.fd < 0)
        return;
    server_unwatch(v, &v->listening.holder);
    close(v->listening.holder.fd);
    v->listening.holder.fd = -1;
}

static void on_holder_gone(struct watch *w, uint32_t events)
{
    struct mcp_server *v = w->owner;
    (void)events;
    let_holder_go(v);
    try_later(v);
}

/* Watches whoever listens. */
static void wait_for_holder(struct mcp_server *v, bool first)
{
    struct error ignored;
    int64_t uid, pid = -1;
    v->listening.at = 0;
    int fd = endpoint_connect(&v->listening.endpoint, &ignored);
    if (fd >= 0) {
        platform_peer(fd, &uid, &pid);
        v->listening.holder = (struct watch){.fd = fd, .on = on_holder_gone, .owner = v};
        server_watch(v, &v->listening.holder, POLLER_HALF);
    } else {
        try_later(v);
    }
    if (first && v->options.tell)
        v->options.tell(v->options.arg, SERVER_WAITS, v->listening.endpoint.path, pid);
}

/* `e` NULL: it does, or waits. */
static void set_unlistened(struct mcp_server *v, const struct error *e)
{
    pthread_mutex_lock(&v->back.lock);
    if (e)
        v->listening.unlistened = *e;
    else
        v->listening.unlistened.code = ERROR_NONE;
    pthread_mutex_unlock(&v->back.lock);
}

static void begin_accepting(struct mcp_server *v)
{
    v->listening.pause = 0;
    v->listening.at = 0;
    v->listening.unsure = false;
    v->listening.socket =
        (struct watch){.fd = v->listening.endpoint.listener, .on = on_listener, .owner = v};
    server_watch(v, &v->listening.socket, POLLER_READ);
    look_in(v);
    atomic_store(&v->listening.path, remember_place(v));
    if (v->options.tell)
        v->options.tell(v->options.arg, SERVER_LISTENS, v->listening.endpoint.path, -1);
}

/* `first`: it is told who does instead. */
static int listen_now(struct mcp_server *v, bool first, struct error *e)
{
    if (endpoint_find(&v->listening.endpoint, v->store, true, e))
        return -1;
    int taken = endpoint_listen(&v->listening.endpoint, e);
    if (taken < 0)
        return -1;
    set_unlistened(v, NULL);
    if (taken)
        begin_accepting(v);
    else
        wait_for_holder(v, first);
    return 0;
}

int mcp_server_listen(struct mcp_server *v, struct error *e)
{
    return listen_now(v, true, e);
}

static void stop_listening(struct mcp_server *v)
{
    if (v->listening.socket.fd >= 0)
        server_unwatch(v, &v->listening.socket);
    v->listening.socket.fd = -1;
    v->listening.at = 0;
    v->listening.unsure = false;
    atomic_store(&v->listening.path, NULL);
    endpoint_close(&v->listening.endpoint);
}

/* Who has connected already is served. Another process may have taken the place; else it is made again. */
static void listen_anew(struct mcp_server *v)
{
    struct error e;
    on_listener(&v->listening.socket, 0);
    stop_listening(v);
    if (listen_now(v, true, &e) == 0)
        return;
    set_unlistened(v, &e);
    try_later(v);
    if (v->options.tell)
        v->options.tell(v->options.arg, SERVER_CANNOT_LISTEN, v->listening.endpoint.path, -1);
}

static void look_at_place(struct mcp_server *v)
{
    v->listening.unsure = false;
    if (!endpoint_stands(&v->listening.endpoint)) {
        listen_anew(v);
        return;
    }
    listen_resume(v);
    look_in(v);
}

void listen_try(struct mcp_server *v)
{
    struct error ignored; /* what stands in the way now may be gone later */
    if (!v->listening.at || monotonic_ms() < v->listening.at)
        return;
    if (v->listening.socket.fd >= 0)
        look_at_place(v);
    else if (listen_now(v, false, &ignored))
        try_later(v);
}

void listen_close(struct mcp_server *v)
{
    let_holder_go(v);
    stop_listening(v);
}

bool mcp_server_unlistened(struct mcp_server *v, struct error *why)
{
    pthread_mutex_lock(&v->back.lock);
    *why = v->listening.unlistened;
    pthread_mutex_unlock(&v->back.lock);
    return why->code != ERROR_NONE;
}

const char *mcp_server_path(struct mcp_server *v)
{
    return atomic_load(&v->listening.path);
}
