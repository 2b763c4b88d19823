/* Temporary paths and stores. A failure here fails the calling test. */
#ifndef STEMMA_TESTS_SCRATCH_H
#define STEMMA_TESTS_SCRATCH_H

#include "store/txn/writer.h"
#include "store/open.h"
#include "tests/support/test.h"

/* A path of that name in a new directory. The caller frees it. */
char *scratch_path(const char *name);
/* Removes that directory, and frees the path. */
void scratch_clear(char *path);
/* Sets HOME to a new directory and unsets the XDG directories. */
void scratch_home(void);
/* The same with that configuration. */
void scratch_configure(const char *text);
/* Set-up and tear-down. *state is such a path for a store. */
int scratch_set_up_path(void **state);
int scratch_tear_down_path(void **state);
/* The whole file, with a NUL after it, or NULL if there is none. The caller frees it. */
char *scratch_read(const char *path, size_t *len);
void scratch_write(const char *path, const void *bytes, size_t len);
/* Makes a shell script with that body the editor; "$1" is the file to edit. */
void scratch_editor(const char *body);
/* Writes the path of the journal head of that store. */
void scratch_head(char *out, size_t size, const char *store);
/* Takes the write lock, as another process in a transaction does. Returns NULL if it is already
 * held. Release it with scratch_unlock. */
struct store_file *scratch_lock(const char *store);
void scratch_unlock(struct store_file *f);
/* Copies a store with the files that SQLite and the journal have next to it, if present. */
void scratch_copy(const char *from, const char *to);

/* Creates the database at `path` with the statements in the file `sql_path`, bypassing stemma. */
void scratch_dump(const char *path, const char *sql_path);

/* Opens or creates a store whose clock starts at SCRATCH_NOW and advances by a second with each
 * call. */
#define SCRATCH_NOW INT64_C(1700000000000)
struct store *scratch_store(const char *path);
/* The same with the caller's options. */
struct store *scratch_store_with(const char *path, const struct store_options *options);
/* Creates a store of that name whose clock is scratch_clock: SCRATCH_NOW until the test changes
 * it. `make_id` is as in store_options; NULL for random ids. */
extern int64_t scratch_clock;
struct store *scratch_store_with_clock(const char *name, void (*make_id)(char out[37]));
extern const struct actor scratch_actor;

/* Creates a store, fills it and closes it. Returns its path, which the caller frees. */
char *scratch_filled(const char *name, void (*fill)(struct store *s));

/* Puts a line of the JSON of a memory. Returns its row. */
int64_t scratch_put(struct store *s, const char *line);
/* The same, but returns 0, or -1 with `e`. */
int scratch_try(struct store *s, const char *line, struct error *e);
/* Replaces the memory with the line's ref. */
int64_t scratch_replace(struct store *s, const char *line, const char *reason);
/* The JSON lines of that row. The caller frees it. */
char *scratch_line(struct store *s, int64_t node);

#endif
