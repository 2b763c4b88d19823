/* The findings of fsck for a store. */
#ifndef STEMMA_TESTS_FINDINGS_H
#define STEMMA_TESTS_FINDINGS_H

#include "store/fsck/fsck.h"

struct findings {
    size_t count[FSCK_FAULT_COUNT];
    size_t total;
    int64_t seq;     /* of the first finding that has one */
    char refs[4096]; /* one a line */
    char text[8192];
};

/* Opens the store read-only and checks it. Fails the test on error, or if a byte of the file
 * changed. */
struct findings findings_of(const char *path);

/* A callback for store_fsck. `arg` is a struct findings. */
void findings_note(void *arg, const struct fsck_finding *finding);

/* Copies the store and runs `sql` on the copy, bypassing stemma. Returns its path, which the
 * caller frees. */
char *altered_copy(const char *original, const char *sql);

#endif
