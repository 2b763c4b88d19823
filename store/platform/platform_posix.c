/* Systems that have POSIX and little more. Slower in places, never wrong. */
#include "store/platform/platform_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/array.h"
#include "store/platform/platform.h"

/* ---- waiting for many descriptors ---- */

#ifndef POLLRDHUP
#ifdef __linux__
#define POLLRDHUP 0x2000 /* glibc defines it only for _GNU_SOURCE */
#else
#define POLLRDHUP 0 /* half-closed sockets are not detected */
#endif
#endif

struct poller {
    struct pollfd *fds;
    void **data;
    size_t count, alloc;
};

bool platform_has_epoll(void)
{
    return false;
}

struct poller *poller_new(void)
{
    return xcalloc(1, sizeof(struct poller));
}

void poller_free(struct poller *p)
{
    if (!p)
        return;
    FREE_ALL(p->fds, p->data, p);
}

static size_t find(const struct poller *p, int fd)
{
    size_t i = 0;
    while (i < p->count && p->fds[i].fd != fd)
        i++;
    return i;
}

int poller_set(struct poller *p, int fd, uint32_t events, void *data)
{
    struct stat st;
    size_t i = find(p, fd);
    if (i == p->count) {
        if (fstat(fd, &st) || S_ISREG(st.st_mode))
            return -1;
        if (p->count == p->alloc) {
            size_t alloc = p->alloc;
            ARRAY_ROOM(p->fds, p->count, alloc, 1);
            ARRAY_ROOM(p->data, p->count, p->alloc, 1);
        }
        p->count++;
    }
    short asked =
        (short)((events & POLLER_READ ? POLLIN : 0) | (events & POLLER_WRITE ? POLLOUT : 0) |
                (events & POLLER_HALF ? POLLRDHUP : 0));
    p->fds[i] = (struct pollfd){fd, asked, 0};
    p->data[i] = data;
    return 0;
}

void poller_remove(struct poller *p, int fd)
{
    size_t i = find(p, fd);
    if (i == p->count)
        return;
    p->count--;
    p->fds[i] = p->fds[p->count];
    p->data[i] = p->data[p->count];
}

int poller_wait(struct poller *p, struct poller_event *events, int most, int ms)
{
    int count = 0;
    if (poll(p->fds, (nfds_t)p->count, ms) <= 0)
        return 0;
    for (size_t i = 0; i < p->count && count < most; i++) {
        short got = p->fds[i].revents;
        if (!got)
            continue;
        events[count++] = (struct poller_event){
            p->data[i], (got & POLLIN ? POLLER_READ : 0u) | (got & POLLOUT ? POLLER_WRITE : 0u) |
                            (got & POLLRDHUP ? POLLER_HALF : 0u) |
                            (got & (POLLHUP | POLLERR | POLLNVAL) ? POLLER_CLOSED : 0u)};
    }
    return count;
}

#define POLL_MS 100 /* how often a descriptor without events is polled */

/*
 * Waits until a descriptor with events is ready; the caller polls afterwards to see which. -1 with
 * errno.
 */
static int sleep_until(const struct pollfd *fds, nfds_t count, int64_t ms, const sigset_t *mask)
{
    struct timespec wait = {ms / 1000, ms % 1000 * 1000000};
    fd_set in, out;
    int most = -1;
    FD_ZERO(&in);
    FD_ZERO(&out);
    for (nfds_t i = 0; i < count; i++) {
        if (fds[i].fd >= FD_SETSIZE) {
            errno = EINVAL;
            return -1;
        }
        if (fds[i].fd >= 0 && (fds[i].events & POLLIN))
            FD_SET(fds[i].fd, &in);
        if (fds[i].fd >= 0 && (fds[i].events & POLLOUT))
            FD_SET(fds[i].fd, &out);
        most = fds[i].fd > most ? fds[i].fd : most;
    }
    return pselect(most + 1, &in, &out, NULL, ms < 0 ? NULL : &wait, mask);
}

/* Every system has pselect with a signal mask, but it cannot wait for the other end to close. */
int platform_poll(struct pollfd *fds, nfds_t count, int64_t ms, const sigset_t *mask)
{
    bool looks = false;
    for (nfds_t i = 0; i < count; i++)
        looks |= fds[i].fd >= 0 && !fds[i].events;
    for (;;) {
        int64_t slice = looks && (ms < 0 || ms > POLL_MS) ? POLL_MS : ms;
        if (sleep_until(fds, count, slice, mask) < 0)
            return -1;
        int ready = poll(fds, count, 0);
        if (ready || slice == ms)
            return ready;
        ms -= ms < 0 ? 0 : slice;
    }
}

/* ---- descriptors ---- */

static int prepare(int fd, bool nonblocking)
{
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) ||
        (nonblocking && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)))
        return -1;
    return 0;
}

int platform_pipe(int fds[2], bool nonblocking)
{
    if (pipe(fds))
        return -1;
    if (prepare(fds[0], nonblocking) == 0 && prepare(fds[1], nonblocking) == 0)
        return 0;
    close(fds[0]);
    close(fds[1]);
    fds[0] = fds[1] = -1;
    return -1;
}

int wakeup_open(struct wakeup *w)
{
    int fds[2];
    *w = (struct wakeup){-1, -1};
    if (platform_pipe(fds, true))
        return -1;
    *w = (struct wakeup){fds[0], fds[1]};
    return 0;
}

void wakeup_send(const struct wakeup *w)
{
    int saved = errno;
    ssize_t n = write(w->sender, "", 1);
    (void)n; /* if the pipe is full, a wake-up is pending already */
    errno = saved;
}

void wakeup_take(const struct wakeup *w)
{
    char bytes[256];
    while (read(w->fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes))
        ;
}

void wakeup_close(struct wakeup *w)
{
    if (w->fd >= 0) {
        close(w->fd);
        close(w->sender);
    }
    *w = (struct wakeup){-1, -1};
}

static int prepared(int fd)
{
    if (fd >= 0 && prepare(fd, true)) {
        close(fd);
        return -1;
    }
    return fd;
}

int platform_socket(int family)
{
    return prepared(socket(family, SOCK_STREAM, 0));
}

int platform_accept(int fd)
{
    return prepared(accept(fd, NULL, NULL));
}

int platform_reopen(int fd, int flags)
{
    (void)fd;
    (void)flags;
    return -1;
}

int platform_copy(int from, int to)
{
    char bytes[65536];
    off_t at = 0;
    ssize_t len;
    while ((len = pread(from, bytes, sizeof(bytes), at)) > 0) {
        if (write(to, bytes, (size_t)len) != len)
            return -1;
        at += len;
    }
    return len < 0 ? -1 : 0;
}

void platform_peer(int fd, int64_t *uid, int64_t *pid)
{
    *uid = *pid = -1;
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
    uid_t user;
    gid_t group;
    if (getpeereid(fd, &user, &group) == 0)
        *uid = (int64_t)user;
#else
    /* The socket's directory belongs to the user, so only the user can connect. */
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode))
        *uid = (int64_t)geteuid();
#endif
}

void platform_name_thread(pthread_t thread, const char *name)
{
    (void)thread;
    (void)name;
}

bool platform_random(void *out, size_t len)
{
    return getentropy(out, len) == 0;
}

void platform_hide_memory(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* ---- locks ---- */

bool platform_has_locks(void)
{
    return false;
}

static int no_locks(void)
{
    errno = ENOTSUP;
    return -1;
}

int platform_lock(int fd, int64_t byte)
{
    (void)fd;
    (void)byte;
    return no_locks();
}

int platform_test_lock(int fd, int64_t byte)
{
    (void)fd;
    (void)byte;
    return no_locks();
}

void platform_unlock(int fd, int64_t byte)
{
    (void)fd;
    (void)byte;
}

int platform_lock_wait(int fd, int64_t byte, int64_t ms, bool (*gives_up)(void *arg), void *arg)
{
    (void)fd;
    (void)byte;
    (void)ms;
    (void)gives_up;
    (void)arg;
    return no_locks();
}

/* ---- watching files ---- */

struct watcher *watcher_new(const char *const *paths, size_t count)
{
    return (struct watcher *)poll_watcher_new(paths, count);
}

int watcher_fd(const struct watcher *w)
{
    return poll_watcher_fd((const struct poll_watcher *)w);
}

bool watcher_sees_folders(const struct watcher *w)
{
    (void)w; /* what is polled is the folder itself */
    return false;
}

unsigned watcher_take(struct watcher *w)
{
    return poll_watcher_take((struct poll_watcher *)w);
}

void watcher_free(struct watcher *w)
{
    poll_watcher_free((struct poll_watcher *)w);
}

/* ---- confinement ---- */

/* A system without a way to confine a process that this program knows. */
const char *platform_confine(const struct platform_path *list, size_t count)
{
    (void)list, (void)count;
    return "this system has no Landlock";
}
