#include "tui/config/config_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/strbuf.h"

#define FILE_MAX (1024 * 1024)

/* ---- as it stands there ---- */

static int64_t nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void take_stamp(const struct stat *st, struct config_stamp *out)
{
    *out = (struct config_stamp){.there = true,
                                 .regular = S_ISREG(st->st_mode),
                                 .device = (uint64_t)st->st_dev,
                                 .inode = (uint64_t)st->st_ino,
                                 .size = (int64_t)st->st_size,
                                 .written_ns = nanoseconds(st->st_mtim),
                                 .changed_ns = nanoseconds(st->st_ctim)};
}

void config_stamp_of(const char *path, struct config_stamp *out)
{
    struct stat st;
    if (stat(path, &st) == 0)
        take_stamp(&st, out);
    else
        *out = (struct config_stamp){.there = false};
}

bool config_stamp_same(const struct config_stamp *a, const struct config_stamp *b)
{
    return a->there == b->there && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->written_ns == b->written_ns && a->changed_ns == b->changed_ns;
}

int64_t config_stamp_age(const struct config_stamp *stamp)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return nanoseconds(now) - stamp->written_ns;
}

/* ---- read ---- */

static int cannot_read(const char *path, const char *todo, int number, struct error *e)
{
    return error_set(e, ERROR_STORE, todo, "%s cannot be read: %s", path, strerror(number));
}

static int read_all(FILE *f, const char *path, struct strbuf *out, struct error *e)
{
    char block[16384];
    size_t got;
    while (out->len <= FILE_MAX && (got = fread(block, 1, sizeof(block), f)) > 0)
        strbuf_add(out, block, got);
    if (ferror(f))
        return cannot_read(path, "Give another with --config.", errno, e);
    if (out->len > FILE_MAX)
        return error_set(e, ERROR_INVALID, "Give another with --config.",
                         "%s is larger than a configuration can be", path);
    return out->failed ? error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                                   "there is no memory to read %s", path)
                       : 0;
}

int config_file_read(const char *path, struct strbuf *out, struct config_stamp *stamp,
                     struct error *e)
{
    struct stat st;
    *stamp = (struct config_stamp){.there = false};
    FILE *f = fopen(path, "re");
    if (!f && (errno == ENOENT || errno == ENOTDIR))
        return 1;
    if (!f)
        return cannot_read(path, "Check its permissions.", errno, e);
    if (fstat(fileno(f), &st) == 0)
        take_stamp(&st, stamp);
    int failed = read_all(f, path, out, e);
    fclose(f);
    return failed;
}
