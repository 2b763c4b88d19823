/*
 * A store: the file that holds an agent's memory, opened once by a process.
 *
 * Any thread reads through a `struct reader` of its own; all writes pass the one writer thread,
 * which owns the only read-write connection and starts with the first write. Nothing here reads the
 * configuration: what it needs is in `struct store_options` (store/open.h).
 */
#ifndef STEMMA_STORE_H
#define STEMMA_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/memory/memory.h"

struct db;
struct store;
struct reader;

/* Why a store that is there may not be changed: an errno; 0: it may, or it is not there. */
int store_not_writable(const char *path);
/* Makes the folders above a file, for the owner alone. */
int store_make_folders(const char *path, struct error *e);
const char *store_path(const struct store *s);
bool store_is_read_only(const struct store *s);
/* Says why nothing can be written there; `todo` is said where that was the caller's choice.
 * ERROR_REFUSED; returns -1. */
int store_cannot_write(const struct store *s, const char *todo, struct error *e);
/*
 * A file that was removed or replaced takes with it what is written to it, and what others write to the new one
 * is never read; so do the write-ahead log next to it and its index. Looks, from any thread, whether they are those
 * that were opened: 0, or -1 with ERROR_STORE.
 */
int store_look_at_file(struct store *s, struct error *e);
/* The same as it was seen last, by a writer or a feed: costs nothing. */
int store_check_file(const struct store *s, struct error *e);
int64_t store_now(const struct store *s);
void store_make_id(const struct store *s, char out[37]);

/* What kind of file is it? "stemma", "kernle", "jsonl" (text whose first line is an object with a
 * ref), "none" (no such file), "other". A constant. */
const char *store_recognise(const char *path);

/* ---- reading ---- */

/* A connection for one thread, which closes it before the store. NULL on error. */
struct reader *reader_open(struct store *s, struct error *e);
void reader_close(struct reader *r);
/* From another thread: what it is doing ends with ERROR_INTERRUPTED. */
void reader_interrupt(struct reader *r);
/* Its connection. Outside store/ only tui/render reads through it. */
struct db *reader_db(struct reader *r);
struct store *reader_store(struct reader *r);

/* Long reads tell now and then, on the reader's own thread, how many rows they have come through; `total` 0:
 * not known. NULL: nobody is told. */
void reader_on_progress(struct reader *r, void (*told)(void *arg, int64_t done, int64_t total),
                        void *arg);

/*
 * One read transaction over several reads, so that they see one moment. Never held across a wait.
 * They nest; the outermost counts.
 */
int reader_begin(struct reader *r, struct error *e);
void reader_end(struct reader *r);
/* Ends it too, and returns `result`: return reader_begin(r, e) ? -1 : reader_done(r, read(r, …, e)); */
static inline int reader_done(struct reader *r, int result)
{
    reader_end(r);
    return result;
}

/* ---- who acts ---- */

enum actor_class {
    ACTOR_PERSON = 0,
    ACTOR_AGENT
};

struct actor {
    enum actor_class class;
    const char *name;        /* never NULL */
    const char *agent;       /* the agent it acts for, or NULL */
    const char *origin;      /* the channel: "command", "explorer", "mcp", "import kernle" */
    const char *correlation; /* one for a batch; NULL: none */
    int64_t session;         /* a row of `session`; 0: none */
};

#endif
