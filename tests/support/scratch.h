/* Places and stores for tests. A failure in here fails the test that called it. */
#ifndef STEMMA_TESTS_SCRATCH_H
#define STEMMA_TESTS_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "store/txn/writer.h"
#include "store/open.h"

/* A path of that name in a directory that nothing else uses; free() it. */
char *scratch_path(const char *name);
/* From here on what the program keeps for its person is in such a directory. */
void scratch_home(void);
/* A set-up whose state is such a path of a store, and its tear-down. */
int scratch_set_up_path(void **state);
int scratch_tear_down_path(void **state);
/* The whole file (a NUL after it); free() it. NULL where there is none. */
char *scratch_read(const char *path, size_t *len);
void scratch_write(const char *path, const void *bytes, size_t len);
/* Copies the file and what SQLite has next to it, what is there of it. */
/* The path of the head of that store's journal. */
void scratch_head(char *out, size_t size, const char *store);
/* Keeps others from writing, as another process that has a batch in hand; NULL: another does. */
struct store_file *scratch_lock(const char *store);
void scratch_unlock(struct store_file *f);
void scratch_copy(const char *from, const char *to);

/* Opens a store that is made where there is none: the clock stands at SCRATCH_NOW and goes on a
 * second with each look. */
#define SCRATCH_NOW INT64_C(1700000000000)
struct store *scratch_store(const char *path);
/* The same with options that are the caller's. */
struct store *scratch_store_with(const char *path, const struct store_options *options);
/* A new one of that name, whose clock stands at scratch_clock, which is SCRATCH_NOW until the test moves it; `make_id`
 * as in its options, NULL: at random. */
extern int64_t scratch_clock;
struct store *scratch_store_with_clock(const char *name, void (*make_id)(char out[37]));
extern const struct actor scratch_actor;

/* Makes one in a place of its own, fills it and closes it: its path, free() it. */
char *scratch_filled(const char *name, void (*fill)(struct store *s));

/* Puts one line of the exchange form; what was there must allow it. Returns its row. */
int64_t scratch_put(struct store *s, const char *line);
/* The same, with the answer in `e`; 0 or -1. */
int scratch_try(struct store *s, const char *line, struct error *e);
/* Replaces the memory that has the line's ref. */
int64_t scratch_replace(struct store *s, const char *line, const char *reason);
/* The exchange line of that row, free() it. */
char *scratch_line(struct store *s, int64_t node);

#endif
