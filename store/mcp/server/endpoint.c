/* The Unix socket of a store: its path, listening, connecting, and taking over from another process. */
#include "store/mcp/server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "store/db/store_state.h"
#include "store/mcp/server/server_state.h"
#include "store/platform/platform.h"

#define NAME_BYTES 8 /* bytes of the hash used in the name */
#define BACKLOG    512

_Static_assert(sizeof(((struct endpoint *)0)->path) <= sizeof(((struct sockaddr_un *)0)->sun_path),
               "a path is what a socket's address holds");

/* ---- the path ---- */

/* Returns 0 if the path is a directory that only this user may enter, otherwise -1 and sets errno. */
static int check_directory(const char *path)
{
    struct stat st;
    if (lstat(path, &st))
        return -1;
    if (S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077))
        return 0;
    errno = EPERM;
    return -1;
}

static int find_directory(const char *path, bool make)
{
    if (check_directory(path) == 0)
        return 0;
    if (errno != ENOENT || !make)
        return -1;
    return mkdir(path, 0700) && errno != EEXIST ? -1 : check_directory(path);
}

/* A name from the store's identity, which does not depend on its path. */
static void name_of(const struct store *s, char out[2 * NAME_BYTES + 1])
{
    struct file_id store = s->file.ids[STORE_ITSELF];
    uint64_t identity[2] = {(uint64_t)store.device, (uint64_t)store.inode};
    char hex[2 * DIGEST_SIZE + 1];
    struct digest d;
    digest_bytes(&d, identity, sizeof(identity));
    digest_hex(hex, &d);
    snprintf(out, 2 * NAME_BYTES + 1, "%.*s", 2 * NAME_BYTES, hex);
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path) + 1);
    int fd = platform_socket(AF_UNIX);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof(address))) {
        int saved = errno;
        close(fd);
        errno = saved;
        fd = -1;
    }
    return fd;
}

static bool someone_listens(const char *path)
{
    int fd = connect_to(path);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* The directories that a socket may be in, the best one first: the configured one, or else those of the user. */
#define PLACES 3
static size_t find_places(const struct store *s, char *place[PLACES])
{
    unsigned long uid = geteuid();
    char run[64];
    size_t count = 0;
    if (s->runtime_dir && *s->runtime_dir) {
        place[count++] = xstrdup(s->runtime_dir);
        return count;
    }
    snprintf(run, sizeof(run), "/run/user/%lu", uid);
    if (check_directory(run) == 0)
        place[count++] = xformat("%s/stemma", run);
    place[count++] = xformat("/tmp/stemma-%lu", uid);
    char *own = store_state_path("run");
    if (own)
        place[count++] = own;
    return count;
}

static int no_place(const char *place, int number, struct error *e)
{
    if (number == ENAMETOOLONG)
        return error_set(e, ERROR_STORE, "Set runtime_dir to a shorter path.",
                         "a socket in %s would have too long a path", place);
    if (number == EPERM)
        return error_set(e, ERROR_REFUSED,
                         "Set runtime_dir to a directory that only you may enter.",
                         "%s is not a private directory", place);
    return error_set(e, ERROR_STORE, "Check its permissions, or set runtime_dir.",
                     "cannot make %s: %s", place, strerror(number));
}

/* Puts the path of the socket in `place` into p->path if the directory can be used. Returns an errno. */
static int take_place(struct endpoint *p, const char *place, bool make)
{
    char path[SOCKET_PATH], name[2 * NAME_BYTES + 1];
    struct error ignored;
    name_of(p->store, name);
    if ((size_t)snprintf(path, sizeof(path), "%s/%s.sock", place, name) >= sizeof(path))
        return ENAMETOOLONG;
    if (make)
        store_make_folders(place, &ignored); /* if it failed, the next line does, too */
    if (find_directory(place, make) && (make || errno != ENOENT))
        return errno;
    memcpy(p->path, path, sizeof(path));
    return 0;
}

/*
 * Takes the first directory that can be used: another user may have made the one in /tmp. A better one may appear (at
 * login) while a process already listens in another; then that socket is used.
 */
int endpoint_find(struct endpoint *p, struct store *s, bool make, struct error *e)
{
    char *place[PLACES];
    size_t count = find_places(s, place), taken = count;
    int number = 0;
    *p = (struct endpoint)ENDPOINT_INIT;
    p->store = s;
    for (size_t i = 0; i < count && taken == count; i++)
        if ((number = take_place(p, place[i], make)) == 0)
            taken = i;
    struct endpoint other = *p;
    for (size_t i = taken + 1; i < count; i++)
        if (take_place(&other, place[i], false) == 0 && someone_listens(other.path))
            memcpy(p->path, other.path, sizeof(p->path));
    int result = taken < count ? 0 : no_place(place[count - 1], number, e);
    for (size_t i = 0; i < count; i++)
        free(place[i]);
    return result;
}

/* ---- listening ---- */

/* Replaces the suffix ".sock" of the path. */
static void sibling_path(const struct endpoint *p, const char *suffix, char out[SOCKET_PATH])
{
    size_t stem = strlen(p->path) - strlen(".sock");
    snprintf(out, sizeof(p->path), "%.*s%s", (int)stem, p->path, suffix);
}

static void release_listen_lock(struct endpoint *p)
{
    if (p->listens)
        store_file_unlock_byte(&p->store->file, LISTEN_BYTE);
    p->listens = false;
}

/* Takes the lock for listening. Also checks that nobody answers at the socket, because a process may listen without a
 * lock (the system has none, or the store is read-only). */
static bool take_listen_lock(struct endpoint *p)
{
    p->listens = store_file_lock_byte(&p->store->file, LISTEN_BYTE);
    if (p->listens && someone_listens(p->path))
        release_listen_lock(p);
    return p->listens;
}

static int bind_at(const char *path, mode_t mode, struct stat *made)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = platform_socket(AF_UNIX);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    if (fd < 0)
        return -1;
    fchmod(fd, mode); /* on systems where sockets have modes */
    if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) || chmod(path, mode) ||
        listen(fd, BACKLOG) || lstat(path, made)) {
        int saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    return fd;
}

/* Makes the socket under another name and renames it over a stale one, so that clients never find one that does not
 * accept. Returns its descriptor, or -1 with errno. */
static int make_socket(const char *path, const char *made_as, mode_t mode, struct stat *made)
{
    unlink(made_as);
    int fd = bind_at(made_as, mode, made);
    if (fd < 0 || rename(made_as, path) == 0)
        return fd;
    int saved = errno;
    close(fd);
    errno = saved;
    /* A confined process may rename nothing in a directory that was made anew, but that has no stale socket. */
    return saved == EACCES ? bind_at(path, mode, made) : -1;
}

int endpoint_listen(struct endpoint *p, struct error *e)
{
    if (!take_listen_lock(p))
        return 0;
    char made_as[SOCKET_PATH];
    struct stat made;
    sibling_path(p, ".new", made_as);
    p->listener = make_socket(p->path, made_as, 0600, &made);
    if (p->listener >= 0) {
        p->device = made.st_dev;
        p->inode = made.st_ino;
        return 1;
    }
    error_set(e, ERROR_STORE, "Check the directory it is in.", "cannot listen at %s: %s", p->path,
              strerror(errno));
    release_listen_lock(p);
    return -1;
}

/* True if the socket file is still ours; some program may have removed it. */
static bool socket_exists(const struct endpoint *p)
{
    struct stat there;
    return lstat(p->path, &there) == 0 && there.st_dev == p->device && there.st_ino == p->inode;
}

/* Closes and removes the socket and releases the lock. */
static void endpoint_close(struct endpoint *p)
{
    if (p->listener >= 0) {
        if (socket_exists(p))
            unlink(p->path);
        close(p->listener);
    }
    p->listener = -1;
    release_listen_lock(p);
}

/* ---- connecting ---- */

/* Refuses a socket that another user serves (root excepted). */
int endpoint_connect(const struct endpoint *p, struct error *e)
{
    int64_t uid, pid;
    int fd = connect_to(p->path);
    if (fd < 0 && errno == EAGAIN)
        return error_set(e, ERROR_BUSY, "Try again.",
                         "the process that listens at %s does not accept connections now", p->path);
    if (fd < 0)
        return error_set(e, ERROR_NOT_FOUND, "Start one with `stemma serve`.",
                         "no process listens at %s", p->path);
    platform_peer(fd, &uid, &pid);
    if (uid != (int64_t)geteuid() && uid != 0) {
        close(fd);
        return error_set(e, ERROR_REFUSED, "Remove the socket.", "%s is served by another user",
                         p->path);
    }
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/*
 * Accepting connections, and taking over from another process. A process that waits keeps an idle connection to the
 * one that listens. It breaks when that process ends in any way; then the lock is tried again until it is free. If
 * the socket is removed by another program, it is made again.
 */

#define ACCEPTS_TURN 64
#define PAUSE_MS     100  /* before listening again, or accepting again when there is no room */
#define CHECK_MS     8000 /* between two checks that the socket still exists */

/* ---- accepting ---- */

/* Accepts only processes of our user and of root, and at a tied socket those of its user. */
static void accept_peer(struct mcp_server *v, int fd, const struct tied_socket *tied)
{
    struct mcp_peer who = {.transport = "socket", .task = v->task};
    struct guard_rules *rules = v->options.rules ? v->options.rules(v->options.rules_arg) : NULL;
    platform_peer(fd, &who.uid, &who.pid);
    if (tied)
        who.agent = tied->agent;
    else if (rules)
        who.agent = permission_agent_of_uid(guard_permissions(rules), who.uid);
    bool ours = who.uid == 0 || who.uid == (int64_t)geteuid();
    if (tied ? who.uid == tied->uid : ours)
        peer_new(v, fd, fd, &who);
    else
        close(fd);
    guard_rules_release(rules);
}

static void accept_all(struct mcp_server *v, struct watch *w, const struct tied_socket *tied)
{
    for (int i = 0; i < ACCEPTS_TURN; i++) {
        int fd = v->clients.count < v->clients.most ? platform_accept(w->fd) : -1;
        if (fd >= 0)
            accept_peer(v, fd, tied);
        else if (v->clients.count >= v->clients.most ||
                 (errno != EAGAIN && errno != ECONNABORTED)) {
            /* No descriptor is free, or there are enough peers: try again later. */
            server_watch(v, w, 0);
            v->listening.at = monotonic_ms() + PAUSE_MS;
        }
        if (fd < 0)
            return;
    }
}

static void on_listener(struct watch *w, uint32_t events)
{
    (void)events;
    accept_all(w->owner, w, NULL);
}

static void on_tied(struct watch *w, uint32_t events)
{
    const struct tied_socket *t = w->owner;
    (void)events;
    accept_all(t->server, w, t);
}

void listen_resume(struct mcp_server *v)
{
    if (v->listening.socket.fd >= 0)
        server_watch(v, &v->listening.socket, POLLER_READ);
    for (size_t i = 0; i < v->listening.tied_count; i++)
        server_watch(v, &v->listening.tied[i].watch, POLLER_READ);
}

/* ---- sockets that grant a name ---- */

static void tied_close(struct mcp_server *v)
{
    for (size_t i = 0; i < v->listening.tied_count; i++) {
        struct tied_socket *t = &v->listening.tied[i];
        struct stat there;
        server_unwatch(v, &t->watch);
        if (lstat(t->path, &there) == 0 && there.st_dev == t->device && there.st_ino == t->inode)
            unlink(t->path);
        close(t->watch.fd);
        free(t->agent);
    }
    free(v->listening.tied);
    v->listening.tied = NULL;
    v->listening.tied_count = 0;
}

/* A socket for another user must be open to all; accept_peer asks the system who connects. */
static int tied_open(struct mcp_server *v, const struct agent_grants *agent, struct error *e)
{
    struct tied_socket *t = &v->listening.tied[v->listening.tied_count];
    char made_as[SOCKET_PATH];
    struct stat there;
    *t = (struct tied_socket){.server = v, .uid = agent->by_uid ? agent->uid : (int64_t)geteuid()};
    size_t len = (size_t)snprintf(t->path, sizeof(t->path), "%s", agent->socket);
    if ((size_t)snprintf(made_as, sizeof(made_as), "%s.new", agent->socket) >= sizeof(made_as))
        return error_set(e, ERROR_INVALID, "Choose a shorter one.",
                         "the path of %s's socket has %zu bytes; the system takes fewer than %zu",
                         agent->agent, len, sizeof(made_as) - sizeof(".new") + 1);
    if (lstat(t->path, &there) == 0 && !S_ISSOCK(there.st_mode))
        return error_set(e, ERROR_REFUSED, "Move it, or name another path.",
                         "%s, %s's socket, is no socket", t->path, agent->agent);
    if (someone_listens(t->path))
        return error_set(e, ERROR_BUSY, "End that process, or name another path.",
                         "a process listens at %s, %s's socket, already", t->path, agent->agent);
    mode_t mode = t->uid == (int64_t)geteuid() ? 0600 : 0666;
    int fd = make_socket(t->path, made_as, mode, &there);
    if (fd < 0)
        return error_set(e, ERROR_STORE, "Check the directory it is in.",
                         "cannot listen at %s, %s's socket: %s", t->path, agent->agent,
                         strerror(errno));
    t->device = there.st_dev;
    t->inode = there.st_ino;
    t->agent = xstrdup(agent->agent);
    t->watch = (struct watch){.fd = fd, .on = on_tied, .owner = t};
    v->listening.tied_count++;
    server_watch(v, &t->watch, POLLER_READ);
    return 0;
}

static int tied_open_all(struct mcp_server *v, struct error *e)
{
    int result = 0;
    struct guard_rules *rules = v->options.rules ? v->options.rules(v->options.rules_arg) : NULL;
    const struct permissions *p = rules ? guard_permissions(rules) : NULL;
    v->listening.tied = p ? xcalloc(p->agent_count + 1, sizeof(*v->listening.tied)) : NULL;
    for (size_t i = 0; p && i < p->agent_count && result == 0; i++)
        if (p->agents[i].socket)
            result = tied_open(v, &p->agents[i], e);
    guard_rules_release(rules);
    if (result)
        tied_close(v);
    return result;
}

/* ---- the socket's path ---- */

static void check_later(struct mcp_server *v)
{
    v->listening.at = monotonic_ms() + CHECK_MS;
}

/* Returns a copy of the path that never changes, because other threads read it. */
static const char *remember_path(struct mcp_server *v)
{
    size_t i =
        *v->listening.paths[0] && strcmp(v->listening.paths[0], v->listening.endpoint.path) != 0;
    if (strcmp(v->listening.paths[i], v->listening.endpoint.path) != 0)
        memcpy(v->listening.paths[i], v->listening.endpoint.path, sizeof(v->listening.paths[i]));
    return v->listening.paths[i];
}

/* ---- taking over ---- */

static void try_later(struct mcp_server *v)
{
    v->listening.at = monotonic_ms() + PAUSE_MS;
}

static void close_holder(struct mcp_server *v)
{
    if (v->listening.holder.fd < 0)
        return;
    server_unwatch(v, &v->listening.holder);
    close(v->listening.holder.fd);
    v->listening.holder.fd = -1;
}

static void on_holder_closed(struct watch *w, uint32_t events)
{
    struct mcp_server *v = w->owner;
    (void)events;
    close_holder(v);
    try_later(v);
}

/* Watches the process that listens. */
static void wait_for_holder(struct mcp_server *v, bool first)
{
    struct error ignored;
    int64_t uid, pid = -1;
    v->listening.at = 0;
    int fd = endpoint_connect(&v->listening.endpoint, &ignored);
    if (fd >= 0) {
        platform_peer(fd, &uid, &pid);
        v->listening.holder = (struct watch){.fd = fd, .on = on_holder_closed, .owner = v};
        server_watch(v, &v->listening.holder, POLLER_HALF);
    } else {
        try_later(v);
    }
    if (first && v->options.on_event)
        v->options.on_event(v->options.arg, SERVER_WAITS, v->listening.endpoint.path, pid);
}

/* `e` is NULL if it listens or waits. */
static void set_listen_error(struct mcp_server *v, const struct error *e)
{
    pthread_mutex_lock(&v->back.lock);
    if (e)
        v->listening.listen_error = *e;
    else
        v->listening.listen_error.code = ERROR_NONE;
    pthread_mutex_unlock(&v->back.lock);
}

static void begin_accepting(struct mcp_server *v)
{
    v->listening.at = 0;
    v->listening.socket =
        (struct watch){.fd = v->listening.endpoint.listener, .on = on_listener, .owner = v};
    server_watch(v, &v->listening.socket, POLLER_READ);
    check_later(v);
    atomic_store(&v->listening.path, remember_path(v));
    if (v->options.on_event)
        v->options.on_event(v->options.arg, SERVER_LISTENS, v->listening.endpoint.path, -1);
}

/* Listens, or waits for the process that does; `first` reports SERVER_WAITS. */
static int listen_now(struct mcp_server *v, bool first, struct error *e)
{
    if (endpoint_find(&v->listening.endpoint, v->store, true, e))
        return -1;
    int taken = endpoint_listen(&v->listening.endpoint, e);
    if (taken > 0 && tied_open_all(v, e)) {
        endpoint_close(&v->listening.endpoint);
        return -1;
    }
    if (taken < 0)
        return -1;
    set_listen_error(v, NULL);
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
    atomic_store(&v->listening.path, NULL);
    tied_close(v);
    endpoint_close(&v->listening.endpoint);
}

/* The socket was removed: serves clients that have already connected, then listens again. Another process may have
 * taken over. */
static void listen_anew(struct mcp_server *v)
{
    struct error e;
    on_listener(&v->listening.socket, 0);
    stop_listening(v);
    if (listen_now(v, true, &e) == 0)
        return;
    set_listen_error(v, &e);
    try_later(v);
    if (v->options.on_event)
        v->options.on_event(v->options.arg, SERVER_CANNOT_LISTEN, v->listening.endpoint.path, -1);
}

static void check_socket(struct mcp_server *v)
{
    if (!socket_exists(&v->listening.endpoint)) {
        listen_anew(v);
        return;
    }
    listen_resume(v);
    check_later(v);
}

void listen_try(struct mcp_server *v)
{
    struct error ignored; /* tried again later */
    if (!v->listening.at || monotonic_ms() < v->listening.at)
        return;
    if (v->listening.socket.fd >= 0)
        check_socket(v);
    else if (listen_now(v, false, &ignored))
        try_later(v);
}

void listen_close(struct mcp_server *v)
{
    close_holder(v);
    stop_listening(v);
}

bool mcp_server_listen_error(struct mcp_server *v, struct error *why)
{
    pthread_mutex_lock(&v->back.lock);
    *why = v->listening.listen_error;
    pthread_mutex_unlock(&v->back.lock);
    return why->code != ERROR_NONE;
}

const char *mcp_server_path(struct mcp_server *v)
{
    return atomic_load(&v->listening.path);
}
