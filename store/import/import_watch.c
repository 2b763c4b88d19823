/*
 * Watches a source, a file or a folder, for --follow. Reading a store may create and remove an empty log. Only writes
 * count, so that an import does not trigger itself.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "store/import/folder.h"
#include "store/import/import.h"
#include "store/platform/platform.h"
#include "store/platform/file_state.h"

#define LOOK_MS     1000 /* between two looks without a descriptor */
#define WATCH_DEPTH 64   /* folders below the source: as deep as any format reads */

struct import_watch {
    char *path;
    char *log; /* path-wal; of a folder .git/logs/HEAD, which a commit writes */
    bool is_folder;
    struct watcher *watcher;
    struct file_state file_state, log_state;
    uint64_t listing; /* of a folder: a hash of what is in it, and of its folders alone */
    uint64_t folders;
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

/* ---- a folder ---- */

static void hash_listing(struct import_watch *w, const struct folder *f)
{
    w->listing = w->folders = FNV_BASIS;
    for (size_t i = 0; i < f->count; i++) {
        const struct folder_entry *entry = &f->entry[i];
        int64_t state[2] = {entry->size, entry->written};
        uint64_t *hash = entry->is_folder ? &w->folders : &w->listing;
        *hash = fnv_add(*hash, entry->path, strlen(entry->path) + 1);
        if (!entry->is_folder)
            *hash = fnv_add(*hash, (const char *)state, sizeof(state));
    }
}

/* Each folder with a "/" at its end: what is made in it counts too. */
static struct watcher *watch_entries(const struct import_watch *w, const struct folder *f,
                                     bool files)
{
    const char **paths = xcalloc(f->count + 2, sizeof(*paths));
    size_t count = 0;
    AUTO_ARENA arena = ARENA_INIT;
    paths[count++] = w->log; /* first: the watch of a folder replaces that of a file in it */
    paths[count++] = arena_format(&arena, "%s/", w->path);
    for (size_t i = 0; i < f->count; i++)
        if (f->entry[i].is_folder)
            paths[count++] = arena_format(&arena, "%s/", f->entry[i].path);
        else if (files)
            paths[count++] = f->entry[i].path;
    struct watcher *watcher = watcher_new(paths, count);
    free(paths);
    return watcher;
}

/* The folders are enough where they can be: watches are limited. */
static void watch_listing(struct import_watch *w, const struct folder *f)
{
    watcher_free(w->watcher);
    w->watcher = watch_entries(w, f, false);
    if (watcher_sees_folders(w->watcher))
        return;
    watcher_free(w->watcher);
    w->watcher = watch_entries(w, f, true);
}

static int folder_changed(struct import_watch *w)
{
    struct error ignored;
    AUTO(folder) f = {.entry = NULL};
    uint64_t listing = w->listing, folders = w->folders;
    watcher_take(w->watcher); /* before it is read: what changes meanwhile counts next time */
    struct file_state log = read_log_state(w->log);
    bool committed = file_state_difference(&w->log_state, &log) != 0;
    w->log_state = log;
    int result = folder_read(&f, w->path, WATCH_DEPTH, &ignored);
    if (result == 0)
        hash_listing(w, &f);
    if (result == 0 && folders != w->folders)
        watch_listing(w, &f);
    return result ? -1 : committed || listing != w->listing || folders != w->folders;
}

static int open_folder(struct import_watch *w, struct error *e)
{
    AUTO(folder) f = {.entry = NULL};
    w->is_folder = true;
    w->log = xformat("%s/.git/logs/HEAD", w->path);
    w->log_state = read_log_state(w->log);
    int result = folder_read(&f, w->path, WATCH_DEPTH, e);
    hash_listing(w, &f);
    watch_listing(w, &f);
    return result;
}

/* ---- any source ---- */

static void open_file(struct import_watch *w)
{
    w->log = xformat("%s-wal", w->path);
    w->watcher = watcher_new((const char *const[]){w->path, w->log}, 2);
    w->file_state = read_state(w->path);
    w->log_state = read_log_state(w->log);
}

struct import_watch *import_watch_open(const char *path, struct error *e)
{
    struct stat st;
    char *real = realpath(path, NULL);
    if (!real) {
        error_set(e, ERROR_STORE, "Check the path.", "cannot follow %s: %s", path, strerror(errno));
        return NULL;
    }
    struct import_watch *w = xcalloc(1, sizeof(*w));
    w->path = real;
    if (stat(real, &st) != 0 || !S_ISDIR(st.st_mode))
        open_file(w);
    else if (open_folder(w, e)) {
        import_watch_close(w);
        return NULL;
    }
    return w;
}

int import_watch_fd(const struct import_watch *w)
{
    return watcher_fd(w->watcher);
}

int import_watch_timeout(const struct import_watch *w)
{
    return watcher_fd(w->watcher) < 0 ? LOOK_MS : -1;
}

/* The states are taken before the caller reads, so writes during the read count next time. */
int import_watch_changed(struct import_watch *w)
{
    if (w->is_folder)
        return folder_changed(w);
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
    FREE_ALL(w->path, w->log, w);
}
