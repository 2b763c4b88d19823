/* Copies of the files of a source, and replacing a file at once: written next to it, synced, renamed. */
#include "store/apply/apply_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"

#define SUFFIX      ".stemma-backup"
#define BACKUPS_MAX 100000

static int cannot_write(const char *path, struct error *e)
{
    bool denied = errno == EACCES || errno == EPERM || errno == EROFS;
    return error_set(e, ERROR_REFUSED, denied ? "Check its permissions." : error_write_hint(errno),
                     "cannot write %s: %s", path, strerror(errno));
}

const char *backup_make(struct arena *arena, const char *path, const struct stat *st,
                        struct error *e)
{
    for (int n = 1; n < BACKUPS_MAX; n++) {
        const char *name = n == 1 ? arena_format(arena, "%s" SUFFIX, path)
                                  : arena_format(arena, "%s" SUFFIX "-%d", path, n);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno == EEXIST)
            continue;
        if (fd < 0 || fchmod(fd, st->st_mode & 0777)) {
            cannot_write(name, e);
            name = NULL;
        }
        if (fd >= 0)
            close(fd);
        return name;
    }
    error_set(e, ERROR_REFUSED, "Remove old ones.", "%s has too many copies", path);
    return NULL;
}

bool backup_is_of(const char *backup, const char *path)
{
    size_t len = strlen(path);
    if (strncmp(backup, path, len) != 0 || strncmp(backup + len, SUFFIX, sizeof(SUFFIX) - 1) != 0)
        return false;
    const char *number = backup + len + sizeof(SUFFIX) - 1;
    return *number == '\0' ||
           (*number == '-' && strspn(number + 1, "0123456789") == strlen(number + 1));
}

static int write_all(int fd, const char *bytes, size_t len)
{
    for (size_t at = 0; at < len;) {
        ssize_t more = write(fd, bytes + at, len - at);
        if (more < 0 && errno != EINTR)
            return -1;
        at += more > 0 ? (size_t)more : 0;
    }
    return fsync(fd);
}

int file_fill(const char *path, const char *bytes, size_t len, struct error *e)
{
    int fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    int result = fd < 0 || write_all(fd, bytes, len) ? cannot_write(path, e) : 0;
    if (fd >= 0)
        close(fd);
    return result;
}

int file_sync_folder(const char *path, struct error *e)
{
    AUTO_FREE char *folder = xstrdup(path);
    char *slash = strrchr(folder, '/');
    slash[slash == folder] = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = fd < 0 || fsync(fd) ? cannot_write(folder, e) : 0;
    if (fd >= 0)
        close(fd);
    return result;
}

/* ---- is it the file that was read? ---- */

static int changed(const char *path, struct error *e)
{
    return error_set(e, ERROR_CONFLICT, "Run it again to see what would be written now.",
                     "%s changed since it was read", path);
}

/* The path must lead there without a link, in any of its folders. */
static bool is_direct(const char *path)
{
    AUTO_FREE char *real = realpath(path, NULL);
    return real && strcmp(real, path) == 0;
}

static int check_open(int fd, const char *path, const struct stat *st, const struct digest *before,
                      struct error *e)
{
    struct stat now;
    struct digest_run run;
    struct digest hash;
    char block[65536];
    ssize_t len = 0;
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return error_set(e, ERROR_BUSY, "Try again when it is done.",
                         "another program holds a lock on %s", path);
    if (fstat(fd, &now) || now.st_dev != st->st_dev || now.st_ino != st->st_ino ||
        now.st_size != st->st_size)
        return changed(path, e);
    digest_run_begin(&run);
    while ((len = read(fd, block, sizeof(block))) > 0)
        digest_run_add(&run, block, (size_t)len);
    digest_run_end(&run, &hash);
    return len < 0 || !digest_equal(&hash, before) ? changed(path, e) : 0;
}

int file_check_access(const char *path, struct error *e)
{
    if (!is_direct(path))
        return error_set(e, ERROR_REFUSED, "", "%s is gone, or a link by now", path);
    return access(path, W_OK) ? cannot_write(path, e) : 0;
}

int file_check(const char *path, const struct stat *st, const struct digest *before,
               struct error *e)
{
    if (file_check_access(path, e))
        return -1;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    int result = fd < 0 ? cannot_write(path, e) : check_open(fd, path, st, before, e);
    if (fd >= 0)
        close(fd);
    return result;
}

/* ---- replacing it ---- */

static int fill_fresh(int fd, const struct stat *st, const char *bytes, size_t len)
{
    struct stat own;
    if (fstat(fd, &own))
        return -1;
    bool other = own.st_uid != st->st_uid || own.st_gid != st->st_gid;
    return (other && fchown(fd, st->st_uid, st->st_gid)) || fchmod(fd, st->st_mode & 07777) ||
                   write_all(fd, bytes, len)
               ? -1
               : 0;
}

int file_replace(const char *path, const struct stat *st, const struct digest *before,
                 const char *bytes, size_t len, struct error *e)
{
    AUTO_STRBUF fresh = STRBUF_INIT;
    if (!bytes)
        return file_check(path, st, before, e) ? -1
               : unlink(path)                  ? cannot_write(path, e)
                                               : file_sync_folder(path, e);
    strbuf_addf(&fresh, "%s.stemma-XXXXXX", path);
    int fd = mkstemp(fresh.buf);
    if (fd < 0)
        return cannot_write(path, e);
    int result =
        fill_fresh(fd, st, bytes, len) ? cannot_write(path, e) : file_check(path, st, before, e);
    close(fd);
    if (result == 0 && rename(fresh.buf, path))
        result = cannot_write(path, e);
    if (result) {
        unlink(fresh.buf);
        return -1;
    }
    return file_sync_folder(path, e);
}

int file_create(const char *path, const struct stat *st, const char *bytes, size_t len,
                struct error *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int result = fd < 0 || fill_fresh(fd, st, bytes, len) ? cannot_write(path, e) : 0;
    if (fd >= 0)
        close(fd);
    return result ? -1 : file_sync_folder(path, e);
}
