/* Lists what is below a folder. */
#include "store/import/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/strbuf.h"

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

static int read_below(struct folder *f, struct strbuf *path, size_t root, int depth);

/* `path` is that of the entry; folders are read in turn. */
static void add_entry(struct folder *f, struct strbuf *path, size_t root, int depth)
{
    struct stat st;
    if (lstat(path->buf, &st)) {
        report(f, path->buf, strerror(errno));
        return;
    }
    if (S_ISLNK(st.st_mode))
        report(f, path->buf, "is a symbolic link, which is not followed");
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return;
    const char *copy = arena_strndup(&f->arena, path->buf, path->len);
    *ARRAY_ADD(f->entry, f->count, f->alloc) = (struct folder_entry){
        .path = copy,
        .name = copy + root + 1,
        .size = st.st_size,
        .written = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000,
        .is_folder = S_ISDIR(st.st_mode),
    };
    if (S_ISDIR(st.st_mode) && depth > 0 && strcmp(strrchr(path->buf, '/'), "/.git") != 0 &&
        read_below(f, path, root, depth - 1))
        report(f, path->buf, strerror(errno));
}

/* Returns -1 with errno. */
static int read_below(struct folder *f, struct strbuf *path, size_t root, int depth)
{
    DIR *dir = opendir(path->buf);
    size_t len = path->len;
    if (!dir)
        return -1;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (is_left_out(entry->d_name))
            continue;
        strbuf_addf(path, "/%s", entry->d_name);
        add_entry(f, path, root, depth);
        strbuf_cut(path, len);
    }
    closedir(dir);
    return 0;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct folder_entry *)a)->path, ((const struct folder_entry *)b)->path);
}

int folder_read(struct folder *f, const char *root, int depth, struct error *e)
{
    AUTO_FREE char *real = realpath(root, NULL);
    AUTO_STRBUF path = STRBUF_INIT;
    strbuf_addstr(&path, real ? real : root);
    if (!real || read_below(f, &path, path.len, depth))
        return error_set(e, ERROR_STORE, "Check the path and its permissions.",
                         "cannot read the folder %s: %s", root, strerror(errno));
    if (f->count)
        qsort(f->entry, f->count, sizeof(*f->entry), compare);
    return 0;
}

int folder_read_file(struct folder *f, const char *path, struct error *e)
{
    AUTO_FREE char *real = realpath(path, NULL);
    AUTO_STRBUF text = STRBUF_INIT;
    if (!real)
        return error_set(e, ERROR_STORE, "Check the path.", "cannot find %s: %s", path,
                         strerror(errno));
    strbuf_addstr(&text, real);
    add_entry(f, &text, (size_t)(strrchr(real, '/') - real), 0);
    return 0;
}

void folder_release(struct folder *f)
{
    arena_release(&f->arena);
    free(f->entry);
    *f = (struct folder){.entry = NULL};
}
