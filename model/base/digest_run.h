/* SHA-256 of bytes that come piece by piece: a file that is larger than what memory should hold of it. */
#ifndef STEMMA_DIGEST_RUN_H
#define STEMMA_DIGEST_RUN_H

#include <nettle/sha2.h>
#include "model/base/digest.h"

struct digest_run {
    struct sha256_ctx ctx;
};
void digest_run_begin(struct digest_run *run);
void digest_run_add(struct digest_run *run, const void *bytes, size_t len);
void digest_run_end(struct digest_run *run, struct digest *out);

#endif
