#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "model/base/alloc.h"
#include "store/import/import.h"
#include "store/platform/platform.h"

/*
 * Reading a store may create an empty log and remove it again, but writes to neither, so an import does not set itself
 * off: only what was written counts at once, other news is looked at.
 */

#define FRESH_SECONDS 2.0

/* What of a file changes whenever it is written. */
struct trace {
    bool there;
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct import_watch {
    char *path, *log; /* log: path-wal */
    struct watcher *watcher;
    struct trace file_trace, log_trace;
};

static struct trace take_trace(const char *path)
{
    struct stat file;
    if (stat(path, &file))
        return (struct trace){.there = false};
    return (struct trace){true, file.st_dev, file.st_ino, file.st_size, file.st_mtim};
}

/* An empty log is as good as none. */
static struct trace take_log_trace(const char *path)
{
    struct trace log = take_trace(path);
    return log.size ? log : (struct trace){.there = false};
}

static bool same_trace(const struct trace *a, const struct trace *b)
{
    return a->there == b->there && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
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
    w->file_trace = take_trace(w->path);
    w->log_trace = take_log_trace(w->log);
    return w;
}

int import_watch_fd(const struct import_watch *w)
{
    return watcher_fd(w->watcher);
}

/* The traces are taken before the caller reads, so that what is written meanwhile counts next time. */
int import_watch_changed(struct import_watch *w)
{
    bool written = (watcher_take(w->watcher) & WATCHED_WRITTEN) != 0;
    struct trace file = take_trace(w->path), log = take_log_trace(w->log);
    bool changed = !same_trace(&file, &w->file_trace) || !same_trace(&log, &w->log_trace);
    w->file_trace = file;
    w->log_trace = log;
    if (!file.there)
        return -1;
    return written || changed;
}

static bool is_fresh(const struct trace *t, struct timespec now)
{
    double age =
        difftime(now.tv_sec, t->changed.tv_sec) + (double)(now.tv_nsec - t->changed.tv_nsec) / 1e9;
    return t->there && age >= 0 && age < FRESH_SECONDS;
}

bool import_watch_is_fresh(const struct import_watch *w)
{
    struct timespec now;
    return clock_gettime(CLOCK_REALTIME, &now) == 0 &&
           (is_fresh(&w->file_trace, now) || is_fresh(&w->log_trace, now));
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
