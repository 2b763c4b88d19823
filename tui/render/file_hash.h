/* What a file hashes to. */
#ifndef STEMMA_FILE_HASH_H
#define STEMMA_FILE_HASH_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/digest.h"
#include "model/base/error.h"

/*
 * SHA-256 of the file, read piece by piece however large it is; `path` NULL: of standard input. `tick` is
 * called after each piece, with how many bytes there were, and stops it with non-zero (ERROR_INTERRUPTED).
 * ERROR_STORE where it cannot be read.
 */
int file_hash(const char *path, int (*tick)(void *arg, int64_t bytes), void *arg,
              struct digest *out, struct error *e);

#endif
