/*
 * A store: one SQLite file with an agent's memory, opened once by a process.
 *
 * Each thread reads through a `struct reader` of its own. All writes go to the writer thread, which
 * owns the only read-write connection and starts with the first write. The store does not read the
 * configuration: struct store_options (store/open.h) has what it needs.
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

/* Returns 0 if the store can be written or does not exist, else an errno. */
int store_write_errno(const char *path);
/* Makes the missing parent directories of a file, with mode 0700. Returns 0 or -1. */
int store_make_folders(const char *path, struct error *e);
/*
 * The path of a file of the user's in ~/.local/state/stemma; the caller frees it. Only HOME decides
 * where that is, because MCP clients start servers without other variables. NULL if there is no home
 * directory.
 */
char *store_state_path(const char *name);
const char *store_path(const struct store *s);
bool store_is_read_only(const struct store *s);
/*
 * Sets ERROR_REFUSED with the reason why the store cannot be written, and returns -1. `hint` is the
 * hint if the caller chose to open it read-only.
 */
int store_cannot_write(const struct store *s, const char *hint, struct error *e);
/*
 * Checks whether the store file, its log and its index are still those that were opened. If one was
 * removed or replaced, writes would be lost, and the writes of others to the new file would not be
 * seen. Returns 0, or -1 with ERROR_STORE. Any thread may call it.
 */
int store_check_file(struct store *s, struct error *e);
/* The result of the last store_check_file, at no cost. */
int store_file_result(const struct store *s, struct error *e);
int64_t store_now(const struct store *s);                /* ms since the epoch */
void store_make_id(const struct store *s, char out[37]); /* a UUID and its NUL */

/*
 * Returns the kind of a file as a constant: "stemma", "kernle", "jsonl" (text whose first line is
 * an object with a ref), "none" (no such file) or "other".
 */
const char *store_recognise(const char *path);

/* ---- reading ---- */

/* Opens a reader for one thread. Close it before the store. NULL on error. */
struct reader *reader_open(struct store *s, struct error *e);
void reader_close(struct reader *r);
/* Sets which memories it disbelieves (store/lineage/loaded.h), NULL for none; the caller holds `d`. Not in a
 * transaction. */
struct disbelief;
void reader_disbelieve(struct reader *r, const struct disbelief *d);
/* Call from another thread: the running read ends with ERROR_INTERRUPTED. */
void reader_interrupt(struct reader *r);
/* Its connection. Outside store/ only tui/render reads through it. */
struct db *reader_db(struct reader *r);
struct store *reader_store(struct reader *r);

/*
 * Long reads call `report` now and then, on the reader's thread, with the number of rows done;
 * `total` is 0 if unknown. NULL: no reports.
 */
void reader_on_progress(struct reader *r, void (*report)(void *arg, int64_t done, int64_t total),
                        void *arg);

/*
 * A read transaction, so that several reads see the same snapshot. Never hold it across a wait.
 * Calls nest; only the outermost counts.
 */
int reader_begin(struct reader *r, struct error *e);
void reader_end(struct reader *r);
/*
 * Ends the transaction and returns `result`:
 *   return reader_begin(r, e) ? -1 : reader_done(r, read(r, …, e));
 */
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
    const char *agent;       /* the agent that it acts for, or NULL */
    const char *origin;      /* the channel: "command", "explorer", "mcp", "import kernle" */
    const char *correlation; /* shared by the events of one batch; NULL if none */
    int64_t session;         /* row of `session`; 0 if none */
    const char *claimed;     /* another name that an agent gave itself; NULL if none */
};

#endif
