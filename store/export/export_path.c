/*
 * Exports that are a folder or a database. They are written under another name next to their own, and get their name
 * when they are complete: what stood there before is never changed, and nothing half-written is found.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "store/export/export_internal.h"

int export_cannot_write(const char *path, struct error *e)
{
    return error_set(e, ERROR_STORE, error_write_hint(errno), "cannot write %.200s: %s", path,
                     strerror(errno));
}

static int refuse(const char *path, const char *why, struct error *e)
{
    return error_set(e, ERROR_REFUSED, "Give a new name.", "%.200s %s", path, why);
}

static bool is_empty(const char *path)
{
    DIR *folder = opendir(path);
    size_t names = 0;
    while (folder && names < 3 && readdir(folder))
        names++;
    if (folder)
        closedir(folder);
    return folder && names == 2; /* . and .. */
}

/* Returns the mode for the new one, or -1 with `e`. */
static int check_target(const struct export *x, struct error *e)
{
    const char *path = x->request->path;
    struct stat st;
    if (stat(path, &st))
        return errno == ENOENT ? 0700 : export_cannot_write(path, e);
    if (x->format->target == EXPORT_STORE)
        return refuse(path, "exists already", e);
    if (!S_ISDIR(st.st_mode))
        return refuse(path, "is a file; this export is a folder", e);
    return is_empty(path) ? (int)(st.st_mode & 0777) : refuse(path, "is a folder with files", e);
}

/* Removes a folder of files. */
static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* Removes a database, and the logs that one which was not finished has next to it. */
static void remove_store(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        AUTO_STRBUF name = STRBUF_INIT;
        strbuf_addf(&name, "%s%s", path, ends[i]);
        unlink(name.buf);
    }
}

/* Makes the temporary file or folder. */
static int make(const struct export *x, char *path, int mode)
{
    if (x->format->target == EXPORT_FOLDER)
        return mkdtemp(path) && chmod(path, (mode_t)mode) == 0 ? 0 : -1;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

/* A folder replaces an empty one in one step, and no other; a link to a file fails if the name is taken. */
static int publish(const struct export *x, const char *from, struct error *e)
{
    const char *to = x->request->path;
    if (x->format->target == EXPORT_FOLDER)
        return rename(from, to) ? export_cannot_write(to, e) : 0;
    int failed = link(from, to);
    if (failed && (errno == EPERM || errno == EOPNOTSUPP)) /* a file system without links */
        failed = access(to, F_OK) == 0 || rename(from, to);
    return failed ? export_cannot_write(to, e) : 0;
}

/* An error of SQLite names the temporary file; a person gave the other name. */
static void name_target(const char *temporary, size_t suffix, struct error *e)
{
    const char *found = strstr(e->what, temporary);
    if (found)
        error_cut(e, (size_t)(found - e->what) + strlen(temporary) - suffix, suffix);
}

int export_to_path(struct export *x, int (*walk)(struct export *x, struct error *e),
                   struct error *e)
{
    static const char unique[] = ".XXXXXX"; /* for mkstemp */
    AUTO_STRBUF temporary = STRBUF_INIT;
    int mode = check_target(x, e);
    if (mode < 0)
        return -1;
    strbuf_addf(&temporary, "%s%s", x->request->path, unique);
    if (make(x, temporary.buf, mode))
        return export_cannot_write(x->request->path, e);
    x->path = temporary.buf;
    int result = walk(x, e) || publish(x, temporary.buf, e) ? -1 : 0;
    if (result)
        name_target(temporary.buf, strlen(unique), e);
    if (x->format->target == EXPORT_STORE)
        remove_store(temporary.buf);
    else if (result)
        remove_folder(temporary.buf);
    return result;
}
