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

/* Checks the open store. Fails the test if there is a finding. */
struct fsck_summary expect_sound(struct reader *r);
void expect_sound_store(struct store *s);
/* The same for a store that is not open, as findings_of checks it. */
void expect_sound_file(const char *path);

/* A callback for store_fsck. `arg` is a struct findings. */
void findings_note(void *arg, const struct fsck_finding *finding);

/* The path of the store that tests alter copies of, with its set-up and tear-down. */
extern char *original;
int original_set_up(void (*fill)(struct store *s));
int original_tear_down(void **state);
/* Copies a store and runs `sql` on the copy, bypassing stemma. Returns its path, which the caller
 * frees. */
char *altered_copy(const char *from, const char *sql);
/* The findings in such a copy of the original. */
struct findings findings_after(const char *sql);

#endif
