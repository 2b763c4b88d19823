/* What fsck says of a store. */
#ifndef STEMMA_TESTS_FINDINGS_H
#define STEMMA_TESTS_FINDINGS_H

#include "store/fsck/fsck.h"

struct findings {
    size_t count[FSCK_FAULT_COUNT];
    size_t total;
    int64_t seq;     /* of the first that names one */
    char refs[4096]; /* a line each */
    char text[8192];
};

/* Opens it for reading only, checks it, and fails the test where that cannot be done or where a byte of
 * the file is another afterwards. */
struct findings findings_of(const char *path);

/* For store_fsck: gathers into the struct findings that is `arg`. */
void findings_note(void *arg, const struct fsck_finding *finding);

/* A copy of the store to which `sql` was done past all that stemma does; free() it. */
char *altered_copy(const char *original, const char *sql);

#endif
