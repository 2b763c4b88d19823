/* Linux: epoll, eventfd, inotify, open-file-description locks, peer credentials. */
#include "store/platform/platform_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"

/* ---- waiting for many descriptors ---- */

#define EVENTS 64 /* read in one call */

struct poller {
    int fd;
};

bool platform_has_epoll(void)
{
    return true;
}

struct poller *poller_new(void)
{
    int fd = epoll_create1(EPOLL_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct poller *p = xmalloc(sizeof(*p));
    p->fd = fd;
    return p;
}

void poller_free(struct poller *p)
{
    if (!p)
        return;
    close(p->fd);
    free(p);
}

int poller_set(struct poller *p, int fd, uint32_t events, void *data)
{
    struct epoll_event e = {.events = (events & POLLER_READ ? EPOLLIN : 0u) |
                                      (events & POLLER_WRITE ? EPOLLOUT : 0u) |
                                      (events & POLLER_HALF ? EPOLLRDHUP : 0u),
                            .data.ptr = data};
    if (epoll_ctl(p->fd, EPOLL_CTL_MOD, fd, &e) == 0)
        return 0;
    return errno == ENOENT ? epoll_ctl(p->fd, EPOLL_CTL_ADD, fd, &e) : -1;
}

void poller_remove(struct poller *p, int fd)
{
    epoll_ctl(p->fd, EPOLL_CTL_DEL, fd, NULL);
}

int poller_wait(struct poller *p, struct poller_event *events, int most, int ms)
{
    struct epoll_event got[EVENTS];
    int count = epoll_wait(p->fd, got, most < EVENTS ? most : EVENTS, ms);
    for (int i = 0; i < count; i++) {
        uint32_t e = got[i].events;
        events[i] = (struct poller_event){
            got[i].data.ptr, (e & EPOLLIN ? POLLER_READ : 0u) | (e & EPOLLOUT ? POLLER_WRITE : 0u) |
                                 (e & EPOLLRDHUP ? POLLER_HALF : 0u) |
                                 (e & (EPOLLHUP | EPOLLERR) ? POLLER_CLOSED : 0u)};
    }
    return count > 0 ? count : 0;
}

int platform_poll(struct pollfd *fds, nfds_t count, int64_t ms, const sigset_t *mask)
{
    struct timespec wait = {ms / 1000, ms % 1000 * 1000000};
    return ppoll(fds, count, ms < 0 ? NULL : &wait, mask);
}

/* ---- descriptors ---- */

int wakeup_open(struct wakeup *w)
{
    w->fd = w->sender = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return w->fd < 0 ? -1 : 0;
}

void wakeup_send(const struct wakeup *w)
{
    int saved = errno;
    uint64_t one = 1;
    ssize_t n = write(w->sender, &one, sizeof(one));
    (void)n; /* if the counter is full, a wake-up is pending already */
    errno = saved;
}

void wakeup_take(const struct wakeup *w)
{
    uint64_t count;
    ssize_t n = read(w->fd, &count, sizeof(count));
    (void)n;
}

void wakeup_close(struct wakeup *w)
{
    if (w->fd >= 0)
        close(w->fd);
    w->fd = w->sender = -1;
}

int platform_pipe(int fds[2], bool nonblocking)
{
    return pipe2(fds, O_CLOEXEC | (nonblocking ? O_NONBLOCK : 0));
}

int platform_socket(int family)
{
    return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int platform_accept(int fd)
{
    return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int platform_reopen(int fd, int flags)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return open(path, flags | O_NOCTTY | O_CLOEXEC);
}

int platform_copy(int from, int to)
{
    off_t at = 0;
    ssize_t moved;
    do
        moved = sendfile(to, from, &at, 1 << 30);
    while (moved > 0 || (moved < 0 && errno == EINTR));
    return moved < 0 ? -1 : 0;
}

void platform_peer(int fd, int64_t *uid, int64_t *pid)
{
    struct ucred peer;
    socklen_t len = sizeof(peer);
    *uid = *pid = -1;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) || len != sizeof(peer))
        return;
    *uid = (int64_t)peer.uid;
    *pid = peer.pid > 0 ? peer.pid : -1; /* 0 for a process in another pid namespace */
}

void platform_name_thread(pthread_t thread, const char *name)
{
    pthread_setname_np(thread, name);
}

bool platform_random(void *out, size_t len)
{
    ssize_t got;
    do
        got = getrandom(out, len, 0);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)len;
}

void platform_hide_memory(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifndef __SANITIZE_ADDRESS__ /* its check for leaks attaches to the process */
    prctl(PR_SET_DUMPABLE, 0);
#endif
}

/* ---- locks of open file descriptions ---- */

bool platform_has_locks(void)
{
    return true;
}

static int control(int fd, int command, int64_t byte, short *type)
{
    struct flock lock = {.l_type = *type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    int result = fcntl(fd, command, &lock);
    *type = lock.l_type;
    if (result && errno == EACCES)
        errno = EAGAIN;
    return result;
}

int platform_lock(int fd, int64_t byte)
{
    short type = F_WRLCK;
    return control(fd, F_OFD_SETLK, byte, &type);
}

int platform_test_lock(int fd, int64_t byte)
{
    short type = F_WRLCK;
    if (control(fd, F_OFD_GETLK, byte, &type))
        return -1;
    if (type == F_UNLCK)
        return 0;
    errno = EAGAIN;
    return -1;
}

void platform_unlock(int fd, int64_t byte)
{
    short type = F_UNLCK;
    control(fd, F_OFD_SETLK, byte, &type);
}

static void on_alarm(int signal)
{
    (void)signal;
}

/*
 * SIGURG is ignored by default and nobody else uses it. Without SA_RESTART it interrupts fcntl with
 * EINTR.
 */
static void prepare_signal(void)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigemptyset(&action.sa_mask);
    sigaction(SIGURG, &action, NULL);
}

/*
 * The kernel queues blocking locks but has no timeout for them: a timer interrupts the thread
 * periodically.
 */
static int start_timer(timer_t *timer)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare_signal);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    struct timespec pause = {0, LOCK_POLL_MS * 1000000L};
    struct itimerspec every = {pause, pause};
    if (timer_create(CLOCK_MONOTONIC, &event, timer))
        return -1;
    return timer_settime(*timer, 0, &every, NULL);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int wait_for(int fd, int64_t byte, int64_t until, bool (*gives_up)(void *arg), void *arg)
{
    for (;;) {
        short type = F_WRLCK;
        if (control(fd, F_OFD_SETLKW, byte, &type) == 0)
            return 0;
        if (errno != EINTR)
            return -1;
        bool canceled = gives_up && gives_up(arg);
        if (canceled || now_ms() >= until) {
            errno = canceled ? ECANCELED : ETIMEDOUT;
            return -1;
        }
    }
}

int platform_lock_wait(int fd, int64_t byte, int64_t ms, bool (*gives_up)(void *arg), void *arg)
{
    timer_t timer;
    sigset_t alarm, before;
    if (platform_lock(fd, byte) == 0)
        return 0;
    if (errno != EAGAIN)
        return -1;
    if (ms <= 0) {
        errno = ETIMEDOUT;
        return -1;
    }
    if (start_timer(&timer))
        return -1;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &alarm, &before);
    int result = wait_for(fd, byte, now_ms() + ms, gives_up, arg), saved = errno;
    timer_delete(timer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return result;
}

/* ---- watching files ---- */

#define FILE_EVENTS (IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
#define DIRECTORY_EVENTS                                                                           \
    (IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF |         \
     IN_ONLYDIR)

struct watcher {
    int fd;
    char **paths;
    size_t count;
    struct poll_watcher *polls; /* NULL if inotify is used */
};

/* Removes the last component of the path; false if there is none. */
static bool to_parent(struct strbuf *path)
{
    const char *slash = memrchr(path->buf, '/', path->len);
    if (path->len == 0 || !strcmp(path->buf, "/") || !strcmp(path->buf, "."))
        return false;
    if (slash)
        strbuf_cut(path, slash == path->buf ? 1 : (size_t)(slash - path->buf));
    else
        strbuf_clear(path), strbuf_addch(path, '.');
    return true;
}

static bool is_folder(const char *path)
{
    return path[strlen(path) - 1] == '/';
}

/*
 * Watches the file (it may be a link into another directory) and its directory, or the nearest
 * existing directory above. Watches that exist already are kept.
 */
static bool watch(int fd, const char *path)
{
    AUTO_STRBUF folder = STRBUF_INIT;
    int found = -1;
    if (is_folder(path))
        return inotify_add_watch(fd, path, FILE_EVENTS | DIRECTORY_EVENTS) >= 0;
    inotify_add_watch(fd, path, FILE_EVENTS);
    strbuf_addstr(&folder, path);
    while (found < 0 && to_parent(&folder))
        found = inotify_add_watch(fd, folder.buf, DIRECTORY_EVENTS);
    return found >= 0;
}

static bool watch_all(const struct watcher *w)
{
    bool all = true;
    for (size_t i = 0; i < w->count; i++)
        all &= watch(w->fd, w->paths[i]);
    return all;
}

/*
 * NFS, SMB, CIFS, 9P, FUSE, AFS, CEPH, as numbered in statfs(2): inotify does not report the writes
 * of other hosts.
 */
static bool is_remote(const char *path)
{
    static const unsigned long types[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42,
                                          0x01021997, 0x65735546, 0x5346414f, 0x00c36400};
    struct statfs fs;
    if (statfs(path, &fs))
        return false;
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (((unsigned long)fs.f_type & 0xffffffff) == types[i])
            return true;
    return false;
}

static bool use_inotify(struct watcher *w)
{
    bool remote = false;
    for (size_t i = 0; i < w->count; i++)
        remote |= is_remote(w->paths[i]);
    w->fd = remote ? -1 : inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd >= 0 && watch_all(w))
        return true;
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    return false;
}

struct watcher *watcher_new(const char *const *paths, size_t count)
{
    struct watcher *w = xcalloc(1, sizeof(*w));
    w->paths = xcalloc(count, sizeof(*w->paths));
    w->count = count;
    for (size_t i = 0; i < count; i++)
        w->paths[i] = xstrdup(paths[i]);
    if (!use_inotify(w))
        w->polls = poll_watcher_new(paths, count);
    return w;
}

int watcher_fd(const struct watcher *w)
{
    return w->polls ? poll_watcher_fd(w->polls) : w->fd;
}

bool watcher_sees_folders(const struct watcher *w)
{
    return !w->polls;
}

/*
 * Maps an event to WATCHED_*. In a watched directory only names that occur in a watched path count.
 */
static unsigned classify(const struct watcher *w, const struct inotify_event *event)
{
    if (event->mask & IN_Q_OVERFLOW)
        return WATCHED_WRITTEN | WATCHED_MOVED;
    if (event->len == 0)
        return event->mask & IN_MODIFY ? WATCHED_WRITTEN : WATCHED_MOVED;
    for (size_t i = 0; i < w->count; i++) {
        const char *part = w->paths[i];
        size_t len = strlen(event->name);
        if (is_folder(part))
            return event->mask & IN_MODIFY ? WATCHED_WRITTEN : WATCHED_MOVED;
        while ((part = strstr(part, event->name))) {
            bool starts = part == w->paths[i] || part[-1] == '/';
            if (starts && (!part[len] || part[len] == '/'))
                return WATCHED_MOVED;
            part += len;
        }
    }
    return 0;
}

unsigned watcher_take(struct watcher *w)
{
    _Alignas(struct inotify_event) char bytes[4096];
    unsigned what = 0;
    ssize_t len;
    if (w->polls)
        return poll_watcher_take(w->polls);
    while ((len = read(w->fd, bytes, sizeof(bytes))) > 0)
        for (char *at = bytes; at < bytes + len;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            what |= classify(w, event);
            at += sizeof(*event) + event->len;
        }
    if (what & WATCHED_MOVED)
        watch_all(w);
    return what;
}

void watcher_free(struct watcher *w)
{
    if (!w)
        return;
    poll_watcher_free(w->polls);
    if (w->fd >= 0)
        close(w->fd);
    for (size_t i = 0; i < w->count; i++)
        free(w->paths[i]);
    free(w->paths);
    free(w);
}
