/*
 * Watches files by polling: every WATCHER_POLL_MS a thread calls stat and sends a wakeup after changes.
 * For systems without inotify, and on Linux for remote file systems.
 */
#include "store/platform/platform_internal.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/platform/file_state.h"

struct poll_watcher {
    char **paths;
    struct file_state *states;
    size_t count;
    pthread_t thread;
    bool started;
    struct wakeup end, changed; /* to end the thread; and that `what` is not 0 */
    atomic_uint what;           /* changes that were not taken */
};

static void *watch(void *arg)
{
    struct poll_watcher *w = arg;
    struct pollfd end = {w->end.fd, POLLIN, 0};
    while (poll(&end, 1, WATCHER_POLL_MS) == 0 || !end.revents) {
        unsigned what = 0;
        for (size_t i = 0; i < w->count; i++) {
            struct file_state now = file_state_of(w->paths[i]);
            what |= file_state_difference(&w->states[i], &now);
            w->states[i] = now;
        }
        if (what) {
            atomic_fetch_or(&w->what, what);
            wakeup_send(&w->changed);
        }
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
        w->states[i] = file_state_of(paths[i]);
    }
    w->end = w->changed = (struct wakeup){-1, -1};
    if (wakeup_open(&w->end) == 0 && wakeup_open(&w->changed) == 0)
        w->started = start(w);
    return w;
}

int poll_watcher_fd(const struct poll_watcher *w)
{
    return w->started ? w->changed.fd : -1;
}

unsigned poll_watcher_take(struct poll_watcher *w)
{
    wakeup_take(&w->changed);
    return atomic_exchange(&w->what, 0);
}

void poll_watcher_free(struct poll_watcher *w)
{
    if (!w)
        return;
    wakeup_send(&w->end);
    if (w->started)
        pthread_join(w->thread, NULL);
    wakeup_close(&w->end);
    wakeup_close(&w->changed);
    for (size_t i = 0; i < w->count; i++)
        free(w->paths[i]);
    FREE_ALL(w->paths, w->states, w);
}
