/* The files of a team's folder: their names, reading and placing them, the lock. */
#include "store/team/segments.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "store/platform/platform.h"

#define LINE_MAX_BYTES (4u * EVENT_BYTES_MAX) /* escapes make a text longer */

struct segments *segments_of(struct transport *t)
{
    return (struct segments *)t;
}

const char *segments_path(const struct segments *s, struct arena *arena, const char *name)
{
    name += strncmp(name, "./", 2) == 0 ? 2 : 0;
    return arena_format(arena, "%s%s%s%s%s", s->dir, s->folder < 0 || !s->base.store ? "" : "/",
                        s->folder < 0 || !s->base.store ? "" : s->base.store, *name ? "/" : "",
                        name);
}

int segments_open_folder(struct segments *s, const char *path, struct error *e)
{
    if (s->folder >= 0)
        close(s->folder);
    s->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return s->folder < 0 ? segments_failed(s, "", e) : 0;
}

int segments_failed(const struct segments *s, const char *name, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    int number = errno;
    bool away = number == EIO || number == ESTALE || number == ENOTCONN || number == ETIMEDOUT ||
                number == ENODEV;
    const char *hint = number == EACCES || number == EPERM
                           ? "Each machine of the team must be able to read and write the folder."
                       : number == EROFS   ? "The folder is on a file system that is read-only."
                       : away              ? "Is it mounted?"
                       : number == ENOTDIR ? "A team's journal is kept in a folder."
                                           : error_write_hint(number);
    return error_set(e, away ? ERROR_BUSY : ERROR_STORE, hint, "%s: %s",
                     segments_path(s, &arena, name), strerror(number));
}
/* ---- names ---- */

void numbers_release(struct numbers *n)
{
    free(n->item);
}

static int compare_numbers(const void *a, const void *b)
{
    return COMPARE(*(const int64_t *)a, *(const int64_t *)b);
}

const struct segments_family segment_files = {".", "", ".jsonl", 20},
                             snapshot_files = {".", "snapshot-", ".db", 20},
                             machine_files = {"machines", "", ".json", 1},
                             session_files = {"machines", "", ".jsonl", 1};

struct segments_name segments_name(const struct segments_family *f, int64_t number)
{
    struct segments_name n;
    snprintf(n.text, sizeof(n.text), "%s/%s%0*" PRId64 "%s", f->dir, f->before, f->digits, number,
             f->after);
    return n;
}

int segments_list(struct segments *s, const struct segments_family *f, struct numbers *out,
                  struct error *e)
{
    int fd = openat(s->folder, f->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d)
        return segments_failed(s, f->dir, e);
    for (struct dirent *entry; (entry = readdir(d));) {
        size_t before = strlen(f->before);
        const char *digits = entry->d_name + before;
        if (strncmp(entry->d_name, f->before, before) != 0 || digits[0] < '0' || digits[0] > '9')
            continue;
        int64_t number = strtoll(digits, NULL, 10);
        if (strcmp(entry->d_name, strchr(segments_name(f, number).text, '/') + 1) == 0)
            *ARRAY_ADD(out->item, out->count, out->alloc) = number;
    }
    closedir(d);
    if (out->count)
        qsort(out->item, out->count, sizeof(*out->item), compare_numbers);
    return 0;
}

/* ---- reading and writing files ---- */

static int cut_lines(struct strbuf *text, const char *name, line_function *each, void *arg,
                     struct error *e)
{
    size_t at = 0;
    int result = 0;
    for (char *end; !result && (end = memchr(text->buf + at, '\n', text->len - at));) {
        *end = '\0';
        result = each(arg, text->buf + at, (size_t)(end - text->buf) - at, e);
        at = (size_t)(end - text->buf) + 1;
    }
    memmove(text->buf, text->buf + at, text->len - at);
    strbuf_cut(text, text->len - at);
    if (result == 0 && text->len > LINE_MAX_BYTES)
        return error_set(e, ERROR_INVALID, "", "%s has a line of more than %u bytes", name,
                         LINE_MAX_BYTES);
    return result;
}

int segments_open_file(struct segments *s, const char *name)
{
    struct stat file;
    int fd = openat(s->folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0 || (fstat(fd, &file) == 0 && S_ISREG(file.st_mode)))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

int segments_each_line(struct segments *s, const char *name, line_function *each, void *arg,
                       struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    int fd = segments_open_file(s, name), result = 0;
    ssize_t n = 0;
    if (fd < 0)
        return errno == ENOENT ? 0 : segments_failed(s, name, e);
    while (result == 0) {
        strbuf_grow(&text, 1 << 16);
        n = read(fd, text.buf + text.len, 1 << 16);
        if (n <= 0)
            break;
        text.len += (size_t)n;
        result = cut_lines(&text, name, each, arg, e);
    }
    if (n < 0)
        result = segments_failed(s, name, e);
    else if (result == 0 && text.len)
        result = error_set(e, ERROR_INVALID, "", "It ends within a line");
    close(fd);
    if (result >= 0 || e->code != ERROR_INVALID)
        return result;
    if (!e->hint[0])
        snprintf(e->hint, sizeof(e->hint), "%s", "Copy it there again from another copy.");
    return error_prefix(e, "%s", segments_path(s, &arena, name));
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    for (ssize_t n; len > 0; bytes += n, len -= (size_t)n)
        if ((n = write(fd, bytes, len)) < 0)
            return false;
    return true;
}

struct segments_name segments_new_name(const char *name)
{
    static _Atomic unsigned count;
    struct segments_name n;
    const char *slash = strchr(name, '/');
    snprintf(n.text, sizeof(n.text), "%.*s.new-%ld-%u", slash ? (int)(slash - name) + 1 : 0, name,
             (long)getpid(), count++);
    return n;
}

int segments_place(struct segments *s, const char *from, const char *name, bool replace,
                   struct error *e)
{
    int result = replace ? renameat(s->folder, from, s->folder, name)
                         : linkat(s->folder, from, s->folder, name, 0);
    if (result && !replace && errno != EEXIST && faccessat(s->folder, name, F_OK, 0))
        result = renameat(s->folder, from, s->folder, name); /* it has no links */
    if (result && !replace && faccessat(s->folder, name, F_OK, 0) == 0)
        return 0;
    if (result)
        return segments_failed(s, name, e);
    fsync(s->folder);
    return 1;
}

int segments_put(struct segments *s, const char *name, const struct strbuf *text, bool replace,
                 struct error *e)
{
    struct segments_name new = segments_new_name(name);
    int fd = openat(s->folder, new.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), result;
    if (fd < 0)
        return segments_failed(s, name, e);
    bool written = write_all(fd, text->buf, text->len) && fsync(fd) == 0;
    if (close(fd) || !written)
        result = segments_failed(s, name, e);
    else
        result = segments_place(s, new.text, name, replace, e);
    unlinkat(s->folder, new.text, 0);
    return result;
}

/* ---- the lock ---- */

bool segments_exists(struct segments *s)
{
    AUTO_FREE char *path = s->base.store ? xformat("%s/%s", s->dir, s->base.store) : NULL;
    if (s->folder < 0 && path)
        s->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return s->folder >= 0;
}

int segments_take(struct segments *s, struct error *e)
{
    if (!segments_exists(s))
        return transport_no_team(&s->base, e);
    if (s->locked)
        return 0;
    if (s->lock < 0)
        s->lock = openat(s->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock < 0)
        return segments_failed(s, "lock", e);
    platform_lock_wait(s->lock, 0, TRANSPORT_WAIT_MS, NULL, NULL);
    return 0;
}

/* After segments_take(): what transport_lock took stays. */
void segments_release(struct segments *s)
{
    if (s->lock >= 0 && !s->locked)
        platform_unlock(s->lock, 0);
}
