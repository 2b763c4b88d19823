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

static int sync_folder(const char *path, struct error *e)
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

static int check_open(int fd, const struct write_file *f, struct error *e)
{
    struct stat now;
    struct digest_run run;
    struct digest hash;
    char block[65536];
    ssize_t len = 0;
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return error_set(e, ERROR_BUSY, "Try again when it is done.",
                         "another program holds a lock on %s", f->path);
    if (fstat(fd, &now) || now.st_dev != f->st.st_dev || now.st_ino != f->st.st_ino ||
        now.st_size != f->st.st_size)
        return changed(f->path, e);
    digest_run_begin(&run);
    while ((len = read(fd, block, sizeof(block))) > 0)
        digest_run_add(&run, block, (size_t)len);
    digest_run_end(&run, &hash);
    return len < 0 || !digest_equal(&hash, &f->before) ? changed(f->path, e) : 0;
}

int file_check_access(const char *path, struct error *e)
{
    if (!is_direct(path))
        return error_set(e, ERROR_REFUSED, "", "%s is gone, or a link by now", path);
    return access(path, W_OK) ? cannot_write(path, e) : 0;
}

int file_check(const struct write_file *f, struct error *e)
{
    if (file_check_access(f->path, e))
        return -1;
    int fd = open(f->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    int result = fd < 0 ? cannot_write(f->path, e) : check_open(fd, f, e);
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

/* Makes a file that must not exist: errno EEXIST. */
static int create(const char *path, const struct stat *st, const char *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    int result = fill_fresh(fd, st, bytes, len), cause = errno;
    close(fd);
    if (result)
        unlink(path);
    errno = cause;
    return result;
}

static int replace(const struct write_file *f, struct error *e)
{
    AUTO_STRBUF fresh = STRBUF_INIT;
    strbuf_addf(&fresh, "%s.stemma-XXXXXX", f->path);
    int fd = mkstemp(fresh.buf);
    if (fd < 0)
        return cannot_write(f->path, e);
    int result = fill_fresh(fd, &f->st, f->fresh, f->fresh_len) ? cannot_write(f->path, e)
                                                                : file_check(f, e);
    close(fd);
    if (result == 0 && rename(fresh.buf, f->path))
        result = cannot_write(f->path, e);
    if (result)
        unlink(fresh.buf);
    return result;
}

int file_write(const struct write_file *f, struct error *e)
{
    int result = 0;
    if (f->text && !f->removed)
        result = replace(f, e);
    else if (f->removed && file_check(f, e))
        result = -1;
    else if (f->removed ? unlink(f->path) : create(f->path, &f->st, f->fresh, f->fresh_len))
        result = cannot_write(f->path, e);
    return result ? -1 : sync_folder(f->path, e);
}

const char *backup_make(struct arena *arena, const struct write_file *f, struct error *e)
{
    for (int n = 1; n < BACKUPS_MAX; n++) {
        const char *name = n == 1 ? arena_format(arena, "%s" SUFFIX, f->path)
                                  : arena_format(arena, "%s" SUFFIX "-%d", f->path, n);
        bool made = create(name, &f->st, f->text, f->len) == 0;
        if (made && sync_folder(name, e) == 0)
            return name;
        if (!made && errno == EEXIST)
            continue;
        made ? unlink(name) : cannot_write(name, e);
        return NULL;
    }
    error_set(e, ERROR_REFUSED, "Remove old ones.", "%s has too many copies", f->path);
    return NULL;
}
