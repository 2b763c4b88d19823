#include "tui/cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/digest.h"
#include "store/db/store_file.h"

/*
 * A file is known by its device and inode, not by its name. One that is not there yet is known by
 * its directory's and its own name: an empty `-wal` that an export fills would be a damaged one.
 */

#define LINKS_MAX 40 /* as many as the kernel follows */

/* How a database begins, and its write-ahead log and its journal (sqlite.org/fileformat2.html). */
static const struct {
    const char *bytes;
    size_t len;
} magics[] = {
    {"SQLite format 3", 16}, /* with its NUL */
    {"\x37\x7f\x06\x82", 4},
    {"\x37\x7f\x06\x83", 4},
    {"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8},
};

/* What a store, or SQLite for it, keeps beside it. */
static const char *const beside[] = {"", "-wal", "-shm", "-journal"};
#define BESIDE (sizeof(beside) / sizeof(beside[0]))

/* Appends the directory of a path, which ends with a '/' or is empty. */
static void add_directory(struct strbuf *out, const char *path)
{
    const char *slash = strrchr(path, '/');
    strbuf_add(out, path, slash ? (size_t)(slash + 1 - path) : 0);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Replaces the path by what the link there says. 0 where there is no link, -1 with errno. */
static int follow_link(struct strbuf *path)
{
    char target[PATH_MAX];
    struct strbuf next = STRBUF_INIT;
    ssize_t len = readlink(path->buf, target, sizeof(target) - 1);
    if (len < 0)
        return errno == EINVAL || errno == ENOENT ? 0 : -1;
    if (len > 0 && target[0] != '/')
        add_directory(&next, path->buf);
    strbuf_add(&next, target, (size_t)len);
    strbuf_clear(path);
    strbuf_addstr(path, next.buf);
    strbuf_release(&next);
    return 1;
}

static int follow_links(struct strbuf *path, struct error *e)
{
    for (int links = 0; links < LINKS_MAX; links++) {
        int more = follow_link(path);
        if (more == 0)
            return 0;
        if (more < 0)
            return error_set(e, ERROR_STORE, "Write elsewhere.", "%s cannot be written: %s",
                             path->buf, strerror(errno));
    }
    return error_set(e, ERROR_STORE, "Write elsewhere.", "%s cannot be written: %s", path->buf,
                     strerror(ELOOP));
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Would a file made at `path` be the one called `other`? */
static bool same_place(const char *path, const char *other)
{
    struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
    struct stat of_a, of_b;
    if (strcmp(name_of(path), name_of(other)) != 0)
        return false;
    add_directory(&a, path);
    add_directory(&b, other);
    strbuf_addch(&a, '.');
    strbuf_addch(&b, '.');
    bool same = stat(a.buf, &of_a) == 0 && stat(b.buf, &of_b) == 0 && same_file(&of_a, &of_b);
    strbuf_release(&a);
    strbuf_release(&b);
    return same;
}

/* Is it one of the files of the store of that name? `path` counts only where there is no `st`. */
static bool belongs_to(const char *path, const struct stat *st, const char *store)
{
    bool found = false;
    for (size_t i = 0; i < BESIDE && !found; i++) {
        struct strbuf name = STRBUF_INIT;
        struct stat there;
        strbuf_addf(&name, "%s%s", store, beside[i]);
        found =
            st ? stat(name.buf, &there) == 0 && same_file(st, &there) : same_place(path, name.buf);
        strbuf_release(&name);
    }
    return found;
}

/* SQLite names its files after where a link to the store leads, the journal's head after the link. */
static bool belongs_to_store(const char *path, const struct stat *st, const char *store)
{
    char *real = realpath(store, NULL);
    bool found = belongs_to(path, st, store) || (real && belongs_to(path, st, real));
    free(real);
    return found;
}

static bool begins_as_database(const char *bytes, size_t len)
{
    bool is = false;
    for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]) && !is; i++)
        is = len >= magics[i].len && memcmp(bytes, magics[i].bytes, magics[i].len) == 0;
    return is;
}

/* Has it a write-ahead log with something in it? Then it may be empty itself and a database still. */
static bool has_log(const char *path)
{
    struct strbuf name = STRBUF_INIT;
    struct stat st;
    strbuf_addf(&name, "%s-wal", path);
    bool has = stat(name.buf, &st) == 0 && st.st_size > 0;
    strbuf_release(&name);
    return has;
}

/*
 * 1 where it is a database or a part of one; -1 where it cannot be read to tell. Only a file that is
 * not the store's own is opened: closing one that SQLite has open in this process would drop its locks.
 */
static int is_database(const char *path)
{
    char bytes[16];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t len = fd >= 0 ? read(fd, bytes, sizeof(bytes)) : -1;
    if (fd >= 0)
        close(fd);
    if (len < 0)
        return -1;
    return begins_as_database(bytes, (size_t)len) || has_log(path);
}

static int refuse_store(const char *path, struct error *e)
{
    return error_set(e, ERROR_REFUSED, "Write to another file.",
                     "%s belongs to the store that is exported", path);
}

int destination_find(struct destination *d, const char *path, const char *store, struct error *e)
{
    *d = (struct destination){.path = STRBUF_INIT};
    strbuf_addstr(&d->path, path);
    if (follow_links(&d->path, e))
        return -1;
    d->exists = stat(d->path.buf, &d->st) == 0;
    if (belongs_to_store(d->path.buf, d->exists ? &d->st : NULL, store))
        return refuse_store(path, e);
    int database = d->exists && S_ISREG(d->st.st_mode) ? is_database(d->path.buf) : 0;
    if (database > 0)
        return error_set(e, ERROR_REFUSED, "Write to another file, or remove it first.",
                         "%s is a database, and an export would destroy it", path);
    if (database < 0)
        return error_set(e, ERROR_REFUSED, "Write to another file, or remove it first.",
                         "%s cannot be read, and may be a database", path);
    return 0;
}

int destination_check_open(int fd, const char *store, struct error *e)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && belongs_to_store("", &st, store))
        return refuse_store("standard output", e);
    return 0;
}

#define PIECE (1 << 16)

static const char *name_or_input(const char *path)
{
    return path ? path : "standard input";
}

static int unreadable(const char *path, int code, struct error *e)
{
    return error_set(e, ERROR_STORE, "Give a file that can be read.", "%.200s cannot be read: %s",
                     name_or_input(path), strerror(code));
}

static int add_pieces(const char *path, int file, struct digest_run *run,
                      int (*tick)(void *arg, int64_t bytes), void *arg, struct error *e)
{
    char piece[PIECE];
    ssize_t got;
    int64_t bytes = 0;
    while ((got = read(file, piece, sizeof(piece))) != 0) {
        if (got < 0 && errno != EINTR)
            return unreadable(path, errno, e);
        if (got > 0)
            digest_run_add(run, piece, (size_t)got);
        bytes += got > 0 ? got : 0;
        if (tick(arg, bytes))
            return error_set(e, ERROR_INTERRUPTED, "", "stopped while %.200s was read",
                             name_or_input(path));
    }
    return 0;
}

int file_hash(const char *path, int (*tick)(void *arg, int64_t bytes), void *arg,
              struct digest *out, struct error *e)
{
    struct digest_run run;
    int file = path ? store_file_open_other(path) : STDIN_FILENO;
    if (file < 0 && errno == EBUSY)
        return error_set(e, ERROR_REFUSED, "Give the file that was retrieved.",
                         "%.200s belongs to the store that is open", path);
    if (file < 0)
        return unreadable(path, errno, e);
    digest_run_begin(&run);
    int result = add_pieces(path, file, &run, tick, arg, e);
    digest_run_end(&run, out);
    if (path)
        close(file);
    return result;
}
