#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/import/import.h"

/*
 * The directory is watched, not the file: a write-ahead log comes and goes, and a file may be
 * replaced by another. Names decide what of the directory's news is about the source. Reading a store
 * may make an empty log and take it away again, but writes to neither, so an import does not set
 * itself off: only what was written counts at once, other news is looked at.
 */

#define POLL_MS       1000
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
    char *path, *name; /* name: the last part of the path */
    char *log;         /* path-wal */
    int fd;            /* inotify, or -1 */
    bool is_remote;    /* others' writes do not reach this machine's inotify */
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

/* NFS, SMB, CIFS, 9P, FUSE, AFS, CEPH, as statfs(2) numbers them. */
static bool is_remote(const char *directory)
{
    static const unsigned long types[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42,
                                          0x01021997, 0x65735546, 0x5346414f, 0x00c36400};
    struct statfs fs;
    if (statfs(directory, &fs))
        return true;
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (((unsigned long)fs.f_type & 0xffffffff) == types[i])
            return true;
    return false;
}

static void watch_directory(struct import_watch *w)
{
    char *directory = xstrdup(w->path);
    char *slash = strrchr(directory, '/');
    slash[slash == directory] = '\0';
    w->is_remote = is_remote(directory);
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd >= 0 && inotify_add_watch(w->fd, directory,
                                        IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO |
                                            IN_MOVED_FROM | IN_ONLYDIR) < 0) {
        close(w->fd);
        w->fd = -1;
    }
    free(directory);
}

struct import_watch *import_watch_open(const char *path, struct error *e)
{
    char *real = realpath(path, NULL);
    if (!real) {
        error_set(e, ERROR_STORE, "Check the path.", "cannot follow %s: %s", path, strerror(errno));
        return NULL;
    }
    struct import_watch *w = xcalloc(1, sizeof(*w));
    struct strbuf log = STRBUF_INIT;
    w->path = real;
    w->name = strrchr(real, '/') + 1;
    strbuf_addf(&log, "%s-wal", real);
    w->log = xstrdup(log.buf);
    strbuf_release(&log);
    watch_directory(w);
    w->file_trace = take_trace(w->path);
    w->log_trace = take_log_trace(w->log);
    return w;
}

int import_watch_fd(const struct import_watch *w)
{
    return w->fd;
}

int import_watch_timeout(const struct import_watch *w)
{
    return w->fd < 0 || w->is_remote ? POLL_MS : -1;
}

/* Was something written to the file or its log? */
static bool is_write(const struct import_watch *w, const struct inotify_event *event)
{
    size_t len = strlen(w->name);
    if (event->mask & IN_Q_OVERFLOW)
        return true;
    return (event->mask & IN_MODIFY) && event->len && strncmp(event->name, w->name, len) == 0 &&
           (!event->name[len] || strcmp(event->name + len, "-wal") == 0);
}

/* Takes all news there is; true where some of it is of writing to the source. */
static bool drain(struct import_watch *w)
{
    _Alignas(struct inotify_event) char news[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
    bool written = false;
    ssize_t len;
    while (w->fd >= 0 && (len = read(w->fd, news, sizeof(news))) > 0)
        for (char *at = news; at < news + len;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            written |= is_write(w, event);
            at += sizeof(*event) + event->len;
        }
    return written;
}

/* The traces are taken before the caller reads, so that what is written meanwhile counts next time. */
int import_watch_changed(struct import_watch *w)
{
    bool written = drain(w);
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
    if (w->fd >= 0)
        close(w->fd);
    free(w->path);
    free(w->log);
    free(w);
}
