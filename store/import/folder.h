/* The files below a folder, for formats whose source is one. */
#ifndef STEMMA_FOLDER_H
#define STEMMA_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"

struct folder_entry {
    const char *path; /* absolute, in the arena of the folder */
    const char *name; /* below the root, a part of `path`: "projects/x/memory/MEMORY.md" */
    int64_t size;
    int64_t written; /* ms since the epoch */
    bool is_folder;
};

struct folder {
    struct arena arena;
    const char *root;           /* real path of the folder, or of the one that has the file */
    struct folder_entry *entry; /* sorted by path */
    size_t count, alloc;
    bool is_file;                                /* one file, whose folder was not read */
    size_t unread;                               /* what could not be read; it is not gone */
    void (*report)(void *arg, const char *line); /* NULL: say nothing of what cannot be read */
    void *arg;
};

/*
 * Lists the regular files and the folders down to `depth` folders below `root`. Symbolic links, except `root` itself,
 * are reported and not followed, so a loop ends. Folders that cannot be read to their end are reported and counted in
 * `unread`. What is in a folder `.git` or `node_modules` is not listed. Returns -1 with ERROR_STORE if `root` cannot be
 * read. O(n log n).
 */
int folder_read(struct folder *f, const char *root, int depth, struct error *e);
/* Lists one file, as if it stood alone in its folder. */
int folder_read_file(struct folder *f, const char *path, struct error *e);
/* Opens a regular file to be read; a link is not followed, and a FIFO is not waited for. Returns -1 with errno. */
int folder_open_file(const char *path);
/* Reads such a file to `out`, which is cleared. Returns 1 if it is longer than `most` bytes, -1 with errno. */
int folder_read_text(const char *path, size_t most, struct strbuf *out);
void folder_release(struct folder *f);

#endif
