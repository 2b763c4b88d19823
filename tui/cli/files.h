/* Files that a command writes and reads: the destination of an export, and the hash of a file. */
#ifndef STEMMA_FILES_H
#define STEMMA_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include "model/base/digest.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"

/* Where an export goes: the file that a path stands for, and whether it is there already. */
struct destination {
    struct strbuf path; /* symbolic links followed */
    bool exists;
    struct stat st; /* where it exists */
};

/*
 * Follows `path`. ERROR_REFUSED where it leads to the store or any other SQLite database, or has the name of a log of
 * one; ERROR_STORE where it is a link to nothing. The caller releases d->path either way.
 */
int destination_find(struct destination *d, const char *path, const char *store, struct error *e);
/* ERROR_REFUSED where that open file is the store. */
int destination_check_open(int fd, const char *store, struct error *e);
/* Writes the destination by `write`, which returns -1 with `e` where it fails; a write that failed may also be left to
 * the close. A file appears, or is replaced, once it is whole. */
typedef int destination_writer(void *arg, FILE *file, struct error *e);
int destination_write(const struct destination *d, destination_writer *write, void *arg,
                      struct error *e);

/*
 * SHA-256 of the file, read piece by piece however large it is; `path` NULL: of standard input. `tick` is
 * called after each piece, with how many bytes there were, and stops it with non-zero (ERROR_INTERRUPTED).
 * ERROR_STORE where it cannot be read.
 */
int file_hash(const char *path, int (*tick)(void *arg, int64_t bytes), void *arg,
              struct digest *out, struct error *e);

#endif
