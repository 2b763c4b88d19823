/*
 * Functions that differ between operating systems. platform_linux.c implements them, and
 * platform_posix.c for systems without inotify, epoll and open-file-description locks (make
 * FLAVOUR=posix). A port to another system adds a third file here and changes nothing else.
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

#ifdef __APPLE__ /* macOS names of the POSIX members */
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

/* ---- waiting for many descriptors ---- */

enum {
    POLLER_READ = 1,
    POLLER_WRITE = 2,
    POLLER_HALF = 4,   /* the other end has shut down writing; only if requested */
    POLLER_CLOSED = 8, /* the other end is closed, or the descriptor failed; always reported */
};

struct poller;

struct poller_event {
    void *data;
    uint32_t events;
};

bool platform_has_epoll(void);   /* for libmicrohttpd, which uses epoll itself */
struct poller *poller_new(void); /* NULL with errno */
void poller_free(struct poller *p);
/*
 * Adds the descriptor, or changes its events. Returns -1 with errno if it cannot be polled, like a
 * regular file.
 */
int poller_set(struct poller *p, int fd, uint32_t events, void *data);
void poller_remove(struct poller *p, int fd); /* call it before closing `fd` */
/*
 * Waits for at most `ms` (-1: no limit). Returns the number of `events` filled; 0 after a timeout
 * or a signal.
 */
int poller_wait(struct poller *p, struct poller_event *events, int most, int ms);

/*
 * As ppoll: waits for at most `ms` (-1: no limit) and sets the signal mask atomically. A signal
 * outside the mask ends the wait with -1 and EINTR, whenever it comes. Events are POLLIN, POLLOUT,
 * or 0 to wait only for the other end to close.
 */
int platform_poll(struct pollfd *fds, nfds_t count, int64_t ms, const sigset_t *mask);

/* ---- descriptors ---- */

/* Wakes a thread that polls `fd`. */
struct wakeup {
    int fd;     /* -1: not open */
    int sender; /* may be `fd` */
};
int wakeup_open(struct wakeup *w);        /* -1 with errno */
void wakeup_send(const struct wakeup *w); /* from any thread or signal handler; keeps errno */
void wakeup_take(const struct wakeup *w); /* makes `fd` unreadable until the next send */
void wakeup_close(struct wakeup *w);

/* ---- descriptors, threads, random bytes ---- */

int platform_pipe(int fds[2], bool nonblocking); /* close-on-exec; -1 with errno */
int platform_socket(int family); /* a stream socket, non-blocking, close-on-exec; -1 with errno */
int platform_accept(int fd);     /* non-blocking, close-on-exec; -1 with errno */
/*
 * Opens the file of a descriptor again, with file status flags of its own. -1 if impossible here.
 */
int platform_reopen(int fd, int flags);
/* Copies all of `from` to the empty file `to`. Keeps the offset of `from`. -1 with errno. */
int platform_copy(int from, int to);
/* The user and process at the other end of a connected Unix socket; -1 where unknown. */
void platform_peer(int fd, int64_t *uid, int64_t *pid);
void platform_name_thread(pthread_t thread, const char *name); /* at most 15 bytes */
bool platform_random(void *out, size_t len);                   /* `len` is at most 256 */

/*
 * Call it before a token or a key is read: from then on there is no core file of this process, and
 * no other process of the same user may read its memory, if the system can refuse that.
 */
void platform_hide_memory(void);

/* A file or a directory that a confined process may use, with all below it. */
enum platform_use {
    USE_READ,
    USE_WRITE,  /* read, write, make and remove files */
    USE_SOCKETS /* make directories and sockets */
};
struct platform_path {
    const char *path; /* left out if it does not exist */
    enum platform_use use;
};
/*
 * Gives up for good what the calling thread, and those that it starts, will not need: files outside
 * the list, programs, connections to elsewhere. Descriptors stay open. Returns NULL, or what stands
 * against it: then nothing or a part of it is in force.
 */
const char *platform_confine(const struct platform_path *list, size_t count);

/* ---- waiting for another thread ---- */

/* Initializes a condition that is only waited for with pthread_cond_wait or platform_cond_wait. */
void platform_cond_init(pthread_cond_t *cond);
/*
 * As pthread_cond_timedwait; `until` is in ms of the monotonic clock, so setting the time does not
 * delay it.
 */
int platform_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until);

/* ---- locks on bytes of a file ---- */

/*
 * Locks of an open file description: two descriptors of one process exclude each other, closing
 * another descriptor does not release them, and the kernel releases them when the process ends.
 */
bool platform_has_locks(void);
/*
 * Return 0, or -1 with EAGAIN if another description holds the byte, ENOTSUP if the system has no
 * such locks.
 */
int platform_lock(int fd, int64_t byte);
int platform_test_lock(int fd, int64_t byte);
void platform_unlock(int fd, int64_t byte);
/*
 * As platform_lock, but waits for up to `ms`. Every LOCK_POLL_MS it calls `gives_up` (may be NULL).
 * -1 with ECANCELED if that returns true, ETIMEDOUT after `ms`.
 */
#define LOCK_POLL_MS 10
int platform_lock_wait(int fd, int64_t byte, int64_t ms, bool (*gives_up)(void *arg), void *arg);

/* ---- watching files ---- */

enum {
    /* one of the files was written */
    WATCHED_WRITTEN = 1,
    /* one of them, or a directory of its path, was created, removed, renamed or replaced */
    WATCHED_MOVED = 2,
};

struct watcher;

/*
 * Watches files that may not exist yet. A path that ends with "/" is a folder: every entry in it
 * counts; see watcher_sees_folders. For a file system without notifications (a remote one) a thread
 * stats the files every WATCHER_POLL_MS.
 */
#define WATCHER_POLL_MS 100
struct watcher *watcher_new(const char *const *paths, size_t count);
/* Readable when something may have changed; -1 if no descriptor or thread was left. */
int watcher_fd(const struct watcher *w);
/* Is a write to a file reported by the watch of its folder? Otherwise the file must be watched, too. */
bool watcher_sees_folders(const struct watcher *w);
unsigned watcher_take(struct watcher *w); /* changes since the last call; 0 if none */
void watcher_free(struct watcher *w);

#endif
