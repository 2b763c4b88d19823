/*
 * Watches a source for --follow. Reading a store may create and remove an empty log. Only writes count, so that an
 * import does not trigger itself.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/import/import.h"
#include "store/platform/file_state.h"
#include "store/platform/platform.h"

struct import_watch {
    char *path, *log; /* log: path-wal */
    struct watcher *watcher;
    struct file_state file_state, log_state;
};

/* Only writes count: a process that opens a store may set the attributes of its log to what they are. */
static struct file_state read_state(const char *path)
{
    struct file_state file = file_state_of(path);
    file.changed = (struct timespec){0, 0};
    return file;
}

/* Treats an empty log as absent. */
static struct file_state read_log_state(const char *path)
{
    struct file_state log = read_state(path);
    return log.size ? log : (struct file_state){.exists = false};
}

struct import_watch *import_watch_open(const char *path, struct error *e)
{
    char *real = realpath(path, NULL);
    if (!real) {
        error_set(e, ERROR_STORE, "Check the path.", "cannot follow %s: %s", path, strerror(errno));
        return NULL;
    }
    struct import_watch *w = xcalloc(1, sizeof(*w));
    w->path = real;
    w->log = xformat("%s-wal", real);
    w->watcher = watcher_new((const char *const[]){w->path, w->log}, 2);
    w->file_state = read_state(w->path);
    w->log_state = read_log_state(w->log);
    return w;
}

int import_watch_fd(const struct import_watch *w)
{
    return watcher_fd(w->watcher);
}

/* The states are taken before the caller reads, so writes during the read count next time. */
int import_watch_changed(struct import_watch *w)
{
    bool written = (watcher_take(w->watcher) & WATCHED_WRITTEN) != 0;
    struct file_state file = read_state(w->path), log = read_log_state(w->log);
    bool changed =
        file_state_difference(&file, &w->file_state) || file_state_difference(&log, &w->log_state);
    w->file_state = file;
    w->log_state = log;
    if (!file.exists)
        return -1;
    return written || changed;
}

void import_watch_close(struct import_watch *w)
{
    if (!w)
        return;
    watcher_free(w->watcher);
    free(w->path);
    free(w->log);
    free(w);
}
