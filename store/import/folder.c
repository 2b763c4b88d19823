/* Lists what is below a folder. */
#include "store/import/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"

static void report(const struct folder *f, const char *path, const char *what)
{
    AUTO_STRBUF line = STRBUF_INIT;
    if (!f->report)
        return;
    strbuf_addf(&line, "%s: %s", path, what);
    f->report(f->arg, line.buf);
}

static bool is_left_out(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "node_modules") == 0;
}

/* A listing in progress. */
struct walk {
    struct folder *f;
    struct strbuf path; /* of the entry, or of the folder that is read */
    size_t root;        /* bytes of `path` before the names */
};

static void add_unread(struct walk *w)
{
    w->f->unread++;
    report(w->f, w->path.buf, strerror(errno));
}

static int read_below(struct walk *w, int parent, const char *name, int depth);

/* Adds the entry `name` of the folder `parent`, which is at w->path; folders are read in turn. */
static void add_entry(struct walk *w, int parent, const char *name, int depth)
{
    struct folder *f = w->f;
    struct stat st;
    if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW)) {
        add_unread(w);
        return;
    }
    if (S_ISLNK(st.st_mode))
        report(f, w->path.buf, "is a symbolic link, which is not followed");
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return;
    const char *copy = arena_strndup(&f->arena, w->path.buf, w->path.len);
    *ARRAY_ADD(f->entry, f->count, f->alloc) = (struct folder_entry){
        .path = copy,
        .name = copy + w->root + 1,
        .size = st.st_size,
        .written = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000,
        .is_folder = S_ISDIR(st.st_mode),
    };
    if (S_ISDIR(st.st_mode) && depth > 0 && strcmp(name, ".git") != 0 &&
        read_below(w, parent, name, depth - 1))
        add_unread(w);
}

static int close_folder(DIR *dir, int failed)
{
    closedir(dir);
    errno = failed;
    return failed ? -1 : 0;
}

/* Each folder is opened in its parent and never by a link, so nobody leads the walk elsewhere. Returns -1 with errno if
 * the folder cannot be read, or not to its end. */
static int read_below(struct walk *w, int parent, const char *name, int depth)
{
    size_t len = w->path.len;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        int failed = errno;
        if (fd >= 0)
            close(fd);
        errno = failed;
        return -1;
    }
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(dir);
        if (!entry)
            return close_folder(dir, errno);
        if (is_left_out(entry->d_name))
            continue;
        strbuf_addf(&w->path, "/%s", entry->d_name);
        add_entry(w, fd, entry->d_name, depth);
        strbuf_cut(&w->path, len);
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct folder_entry *)a)->path, ((const struct folder_entry *)b)->path);
}

int folder_read(struct folder *f, const char *root, int depth, struct error *e)
{
    AUTO_FREE char *real = realpath(root, NULL);
    struct walk w = {.f = f, .path = STRBUF_INIT};
    strbuf_addstr(&w.path, real ? real : root);
    w.root = w.path.len;
    f->root = arena_strdup(&f->arena, w.path.buf);
    int failed = !real || read_below(&w, AT_FDCWD, real, depth) ? errno : 0;
    strbuf_release(&w.path);
    if (failed)
        return error_set(e, ERROR_STORE, "Check the path and its permissions.",
                         "cannot read the folder %s: %s", root, strerror(failed));
    SORT(f->entry, f->count, compare);
    return 0;
}

int folder_read_file(struct folder *f, const char *path, struct error *e)
{
    AUTO_FREE char *real = realpath(path, NULL);
    struct walk w = {.f = f, .path = STRBUF_INIT};
    if (!real)
        return error_set(e, ERROR_STORE, "Check the path.", "cannot find %s: %s", path,
                         strerror(errno));
    f->is_file = true;
    strbuf_addstr(&w.path, real);
    w.root = (size_t)(strrchr(real, '/') - real);
    f->root = arena_strndup(&f->arena, real, w.root);
    add_entry(&w, AT_FDCWD, real, 0);
    strbuf_release(&w.path);
    return 0;
}

int folder_open_file(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

int folder_read_text(const char *path, size_t most, struct strbuf *out)
{
    ssize_t got = -1;
    int fd = folder_open_file(path);
    strbuf_clear(out);
    if (fd < 0)
        return -1;
    do {
        strbuf_grow(out, 1u << 16);
        got = read(fd, out->buf + out->len, 1u << 16);
        out->len += got > 0 ? (size_t)got : 0;
    } while (got > 0 && out->len <= most);
    out->buf[out->len] = '\0';
    int why = errno;
    close(fd);
    errno = why;
    return got < 0 ? -1 : got > 0;
}

void folder_release(struct folder *f)
{
    arena_release(&f->arena);
    free(f->entry);
    *f = (struct folder){.entry = NULL};
}
