/* The file that an export writes, and the hash of a file. */
#ifndef STEMMA_FILES_H
#define STEMMA_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include "model/base/digest.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"

/* The file that an export writes. */
struct destination {
    struct strbuf path; /* with symbolic links resolved */
    bool exists;
    struct stat st; /* valid if it exists */
};

/*
 * Resolves `path`. Returns -1 and sets ERROR_REFUSED if it is the store or any other SQLite database, or has the name
 * of a database's log; ERROR_STORE if it cannot be resolved, such as a dangling link. The caller releases d->path in
 * any case.
 */
int destination_find(struct destination *d, const char *path, const char *store, struct error *e);
/* Whether `path`, or the place where it would be made, is within `folder`; links are followed. False if `folder` is no
 * folder. */
bool path_is_within(const char *path, const char *folder);
/* Returns -1 and sets ERROR_REFUSED if the open file is the store. */
int destination_check_open(int fd, const char *store, struct error *e);
/* Writes the file with `write`, which returns -1 and sets `e` on failure, or leaves errors of the stream to the
 * caller. The file appears, or is replaced, only when it is complete. */
typedef int destination_writer(void *arg, FILE *file, struct error *e);
int destination_write(const struct destination *d, destination_writer *write, void *arg,
                      struct error *e);

/*
 * Computes the SHA-256 of a file of any size; `path` NULL is standard input. Calls `tick` after each block with the
 * number of bytes read; a non-zero result stops it with ERROR_INTERRUPTED. Returns -1 and sets ERROR_STORE if the
 * file cannot be read, ERROR_REFUSED if it belongs to the open store.
 */
int file_hash(const char *path, int (*tick)(void *arg, int64_t bytes), void *arg,
              struct digest *out, struct error *e);

#endif
