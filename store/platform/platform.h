/*
 * What differs between operating systems, behind one header. Two files implement it: platform_linux.c, and
 * platform_posix.c for systems without inotify, epoll and locks of open file descriptions (make FLAVOUR=posix). A port
 * to another system adds a third one here and touches nothing else.
 */
#ifndef STEMMA_PLATFORM_H
#define STEMMA_PLATFORM_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __APPLE__ /* its names of what POSIX calls so */
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

/* ---- waiting for many descriptors ---- */

enum {
    POLLER_READ = 1,
    POLLER_WRITE = 2,
    POLLER_HALF = 4, /* the other end sends no more; only where it was asked for */
    POLLER_GONE = 8, /* the other end is closed, or the descriptor failed; always told */
};

struct poller;

struct poller_event {
    void *data;
    uint32_t events;
};

bool platform_has_epoll(void);   /* for a library that uses it by itself */
struct poller *poller_new(void); /* NULL with errno */
void poller_free(struct poller *p);
/* Adds the descriptor, or changes what it is watched for. -1: it cannot be waited for, for it is a file. */
int poller_set(struct poller *p, int fd, uint32_t events, void *data);
void poller_remove(struct poller *p, int fd); /* before it is closed */
/* How many of `events` were filled; 0 after `ms` (-1: no limit) or a signal. */
int poller_wait(struct poller *p, struct poller_event *events, int most, int ms);

/*
 * poll for at most `ms` (-1: no limit) with that mask of signals, which is set and taken back in one step: a signal
 * that it lets through ends the wait (-1, EINTR) wherever it comes. Events are POLLIN, POLLOUT, or none: then
 * only whether the other end is closed.
 */
int platform_poll(struct pollfd *fds, nfds_t count, int64_t ms, const sigset_t *mask);

/* ---- descriptors ---- */

/* Wakes a thread that waits for `fd` to be readable. */
struct wakeup {
    int fd;     /* -1: not open */
    int sender; /* may be `fd` */
};
int wakeup_open(struct wakeup *w); /* -1 with errno */
void wakeup_send(
    const struct wakeup *w); /* from any thread, and from a signal handler; errno stays */
void wakeup_take(const struct wakeup *w); /* until the next send `fd` is no longer readable */
void wakeup_close(struct wakeup *w);

/* ---- descriptors, threads, random bytes ---- */

int platform_pipe(int fds[2], bool nonblocking); /* both close on exec; -1 with errno */
int platform_socket(int family); /* a stream, non-blocking, that closes on exec; -1 with errno */
int platform_accept(int fd);     /* a non-blocking one that closes on exec; -1 with errno */
/* Keeps TCP connections that say nothing away from the listener for so many seconds, where the system can. */
void platform_defer_accept(int listener, int seconds);
/* Opens what a descriptor refers to anew, so that its flags are this process's own. -1: not possible here. */
int platform_reopen(int fd, int flags);
/* Copies `from`, from its beginning, to the empty file `to`. The offset of `from` stays. -1 with errno. */
int platform_copy(int from, int to);
/* Who is at the other end of a connected Unix socket; -1 each where the system does not know. */
void platform_peer(int fd, int64_t *uid, int64_t *pid);
void platform_name_thread(pthread_t thread, const char *name); /* 15 bytes at most */
bool platform_random(void *out, size_t len);                   /* `len` is 256 at most */

/* ---- waiting for another thread ---- */

/* Initializes one that is waited for with platform_cond_wait alone. */
void platform_cond_init(pthread_cond_t *cond);
/* pthread_cond_timedwait by the monotonic clock, whose ms `until` is: setting the time does not delay it. */
int platform_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until);

/* ---- locks on bytes of a file ---- */

/*
 * Locks that belong to the open file description: two descriptors of one process exclude each other, closing another
 * descriptor of the file does not release them, and the kernel releases them when the process ends.
 */
bool platform_has_locks(void);
/* Both: 0; -1 with EAGAIN where another description holds it, ENOTSUP where the system has no such locks. */
int platform_lock(int fd, int64_t byte);
int platform_test_lock(int fd, int64_t byte);
void platform_unlock(int fd, int64_t byte);
/*
 * The same, and waits. The calling thread is woken every LOCK_LOOK_MS to ask `gives_up`; true: ECANCELED. ETIMEDOUT
 * after `ms`.
 */
#define LOCK_LOOK_MS 10
int platform_lock_wait(int fd, int64_t byte, int64_t ms, bool (*gives_up)(void *arg), void *arg);

/* ---- watching files ---- */

enum {
    WATCHED_WRITTEN = 1, /* something was written to one of the files */
    WATCHED_MOVED =
        2, /* one of them, or a folder on the way to it, came, went, was renamed or replaced */
};

struct watcher;

/*
 * Watches the files of those paths, whether they exist yet or not. Where the system tells nothing of a file (it is on a
 * remote file system), a thread looks at it every WATCHER_LOOK_MS.
 */
#define WATCHER_LOOK_MS 100
struct watcher *watcher_new(const char *const *paths, size_t count);
int watcher_fd(const struct watcher
                   *w); /* readable when something may have happened; -1: no descriptor was left */
unsigned watcher_take(struct watcher *w); /* what has happened since the last call; 0: nothing */
void watcher_free(struct watcher *w);

#endif
