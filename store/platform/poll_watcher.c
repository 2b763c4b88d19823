/*
 * Watches files by polling: every WATCHER_POLL_MS a thread calls stat and writes changes to a pipe.
 * For systems without inotify, and on Linux for remote file systems.
 */
#include "store/platform/platform_internal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"

/* The attributes of a file that change when it is written or replaced. */
struct file_state {
    bool exists;
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec written, changed;
};

struct poll_watcher {
    char **paths;
    struct file_state *states;
    size_t count;
    pthread_t thread;
    bool started;
    int end[2], news[2]; /* pipes: closing end[1] ends the thread; it writes changes to news[1] */
};

static struct file_state stat_file(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return (struct file_state){.exists = false};
    return (struct file_state){true, st.st_dev, st.st_ino, st.st_size, st.st_mtim, st.st_ctim};
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static unsigned difference(const struct file_state *a, const struct file_state *b)
{
    if (a->exists != b->exists || a->device != b->device || a->inode != b->inode)
        return WATCHED_MOVED;
    if (a->size != b->size || !same_time(a->written, b->written))
        return WATCHED_WRITTEN;
    return same_time(a->changed, b->changed) ? 0 : WATCHED_MOVED;
}

static void *watch(void *arg)
{
    struct poll_watcher *w = arg;
    struct pollfd end = {w->end[0], POLLIN, 0};
    while (poll(&end, 1, WATCHER_POLL_MS) == 0 || !end.revents) {
        unsigned char what = 0;
        for (size_t i = 0; i < w->count; i++) {
            struct file_state now = stat_file(w->paths[i]);
            what |= (unsigned char)difference(&w->states[i], &now);
            w->states[i] = now;
        }
        ssize_t n = what ? write(w->news[1], &what, 1) : 0;
        (void)n; /* if the pipe is full, the reader has changes to read already */
    }
    return NULL;
}

/* Only the main thread handles signals. */
static bool start(struct poll_watcher *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&w->thread, NULL, watch, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        platform_name_thread(w->thread, "watcher");
    return started;
}

struct poll_watcher *poll_watcher_new(const char *const *paths, size_t count)
{
    struct poll_watcher *w = xcalloc(1, sizeof(*w));
    w->paths = xcalloc(count, sizeof(*w->paths));
    w->states = xcalloc(count, sizeof(*w->states));
    w->count = count;
    for (size_t i = 0; i < count; i++) {
        w->paths[i] = xstrdup(paths[i]);
        w->states[i] = stat_file(paths[i]);
    }
    w->end[0] = w->end[1] = w->news[0] = w->news[1] = -1;
    if (platform_pipe(w->end, true) == 0 && platform_pipe(w->news, true) == 0)
        w->started = start(w);
    return w;
}

int poll_watcher_fd(const struct poll_watcher *w)
{
    return w->news[0];
}

unsigned poll_watcher_take(struct poll_watcher *w)
{
    unsigned char bytes[64];
    unsigned what = 0;
    ssize_t len;
    while (w->news[0] >= 0 && (len = read(w->news[0], bytes, sizeof(bytes))) > 0)
        for (ssize_t i = 0; i < len; i++)
            what |= bytes[i];
    return what;
}

void poll_watcher_free(struct poll_watcher *w)
{
    if (!w)
        return;
    if (w->end[1] >= 0)
        close(w->end[1]);
    if (w->started)
        pthread_join(w->thread, NULL);
    int fds[] = {w->end[0], w->news[0], w->news[1]};
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
        if (fds[i] >= 0)
            close(fds[i]);
    for (size_t i = 0; i < w->count; i++)
        free(w->paths[i]);
    free(w->paths);
    free(w->states);
    free(w);
}
