/* Writes the file of an export safely, and hashes files. */
#include "tui/cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/store_file.h"

/* ---- the destination of an export ---- */

static int cannot_write(const char *path, struct error *e)
{
    return error_set(e, ERROR_STORE, error_write_hint(errno), "cannot write %.200s: %s", path,
                     strerror(errno));
}

static bool same_file(const struct stat *st, const char *other)
{
    struct stat of_other;
    return stat(other, &of_other) == 0 && st->st_dev == of_other.st_dev &&
           st->st_ino == of_other.st_ino;
}

static int refuse(const char *path, const char *why, struct error *e)
{
    return error_set(e, ERROR_REFUSED, "Write to another file.", "%s %s", path, why);
}

/* True for names that SQLite would take as the log of a database. */
static bool is_called_as_log(const char *path)
{
    static const char *const ends[] = {"-wal", "-shm", "-journal"};
    size_t len = strlen(path);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (len > strlen(ends[i]) && strcmp(path + len - strlen(ends[i]), ends[i]) == 0)
            return true;
    return false;
}

/* True if a write-ahead log with content exists: then an empty file may still be a database. */
static bool has_log(const char *path)
{
    AUTO_STRBUF name = STRBUF_INIT;
    struct stat st;
    strbuf_addf(&name, "%s-wal", path);
    return stat(name.buf, &st) == 0 && st.st_size > 0;
}

/* Refuses databases. Call it only for files other than the store: closing a descriptor of the store would drop the
 * locks that this process holds on it. */
static int check_content(const char *path, struct error *e)
{
    char bytes[16];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, bytes, sizeof(bytes)) : -1;
    if (fd >= 0)
        close(fd);
    if (len < 0)
        return refuse(path, "cannot be read, and may be a database", e);
    if ((len == 16 && memcmp(bytes, "SQLite format 3", 16) == 0) || has_log(path))
        return refuse(path, "is a database, and an export would destroy it", e);
    return 0;
}

int destination_find(struct destination *d, const char *path, const char *store, struct error *e)
{
    struct stat link;
    AUTO_FREE char *real = realpath(path, NULL);
    *d = (struct destination){.path = STRBUF_INIT, .exists = real != NULL};
    strbuf_addstr(&d->path, real ? real : path);
    if (!d->exists && (errno != ENOENT || lstat(path, &link) == 0))
        return cannot_write(path, e);
    if (is_called_as_log(d->path.buf))
        return refuse(path, "has the name of a database's log", e);
    if (!d->exists)
        return 0;
    if (stat(d->path.buf, &d->st))
        return cannot_write(path, e);
    if (same_file(&d->st, store))
        return refuse(path, "is the store itself", e);
    return S_ISREG(d->st.st_mode) ? check_content(d->path.buf, e) : 0;
}

/* The real path of the deepest folder on the way to `path` that exists, or of `path` itself. */
static char *existing_path(const char *path)
{
    AUTO_FREE char *part = xstrdup(path);
    for (char *real, *slash;; *slash = '\0') {
        if ((real = realpath(*part ? part : "/", NULL)))
            return real;
        if (!(slash = strrchr(part, '/')))
            return realpath(".", NULL);
    }
}

bool path_is_within(const char *path, const char *folder)
{
    struct stat st;
    AUTO_FREE char *root = realpath(folder, NULL), *real = existing_path(path);
    if (!root || !real || stat(root, &st) || !S_ISDIR(st.st_mode))
        return false;
    size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);
    return strncmp(real, root, len) == 0 && (real[len] == '/' || real[len] == '\0');
}

int destination_check_open(int fd, const char *store, struct error *e)
{
    struct stat st;
    return fstat(fd, &st) == 0 && same_file(&st, store)
               ? refuse("standard output", "is the store itself", e)
               : 0;
}

/* Keeps owner and mode of an existing file. A new file is private. */
static void keep_mode(int fd, const struct destination *d)
{
    if (!d->exists)
        return;
    /* Only root can change the owner; otherwise the file belongs to the writer. */
    if (fchown(fd, d->st.st_uid, d->st.st_gid))
        errno = 0;
    fchmod(fd, d->st.st_mode & 0777);
}

/* Writes a temporary file next to the destination and renames it, so that the destination is never incomplete. */
int destination_write(const struct destination *d, destination_writer *write, void *arg,
                      struct error *e)
{
    AUTO_STRBUF temporary = STRBUF_INIT;
    bool special =
        d->exists && !S_ISREG(d->st.st_mode); /* pipes and devices are written directly */
    strbuf_addf(&temporary, special ? "%s" : "%s.XXXXXX", d->path.buf);
    int fd = special ? open(temporary.buf, O_WRONLY | O_CLOEXEC) : mkstemp(temporary.buf);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    int result = file ? 0 : cannot_write(d->path.buf, e);
    if (file) {
        if (!special)
            keep_mode(fd, d);
        result = write(arg, file, e);
        bool failed = fflush(file) || ferror(file) || (!special && fsync(fd));
        if ((fclose(file) || failed ||
             (!special && !result && rename(temporary.buf, d->path.buf))) &&
            !result)
            result = cannot_write(d->path.buf, e);
        if (result && !special)
            unlink(temporary.buf);
    }
    return result;
}

/* ---- the hash of a file ---- */

#define PIECE (1 << 16)

static const char *name_or_input(const char *path)
{
    return path ? path : "standard input";
}

static int add_pieces(const char *path, int file, struct digest_run *run,
                      int (*tick)(void *arg, int64_t bytes), void *arg, struct error *e)
{
    char piece[PIECE];
    ssize_t got;
    int64_t bytes = 0;
    while ((got = read(file, piece, sizeof(piece))) != 0) {
        if (got < 0 && errno != EINTR)
            return error_set(e, ERROR_STORE, "Give a file that can be read.",
                             "cannot read %.200s: %s", name_or_input(path), strerror(errno));
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
    int file = path ? store_file_open_other(path, e) : STDIN_FILENO;
    if (file < 0)
        return -1;
    digest_run_begin(&run);
    int result = add_pieces(path, file, &run, tick, arg, e);
    digest_run_end(&run, out);
    if (path)
        close(file);
    return result;
}
