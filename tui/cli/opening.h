/* How a command opens its store: the path, reading as of a time, and the person who acts. Also what is printed if
 * there is no store, and temporary stores. */
#ifndef STEMMA_OPENING_H
#define STEMMA_OPENING_H

#include "model/base/error.h"
#include "store/formats/formats.h"
#include "store/db/store.h"
#include "tui/cli/command.h"
#include "tui/text/times.h"

/*
 * The path of the store: --store, else STEMMA_STORE, else `store` of the configuration, else
 * $XDG_DATA_HOME/stemma/memory.db or ~/.local/share/stemma/memory.db. A leading `~/` is replaced. Sets *named (may be
 * NULL) to false for the default. The result is in the arena; NULL with `e` set if HOME is needed and not set, or the
 * path is empty.
 */
const char *opening_path(struct invocation *i, bool *named, struct error *e);

/* Opens the store to serve it. Makes it if it does not exist, and opens it for reading if it is not writable; notes
 * on standard error report both. Returns NULL and sets `e`. */
struct store *opening_served_store(struct invocation *i, struct error *e);

/* An open store with a reader for this thread. */
struct opened {
    struct store *store;
    struct reader *reader;
    struct point_in_time as_of; /* seq is -1 for the present */
};

/*
 * Opens a store (`path` NULL for opening_path; `create` makes it) with a reader, as of the time of --as-of if given,
 * which a note on standard error confirms. Signals can interrupt reads (stop.h). Returns -1 and sets `e`:
 * ERROR_NOT_FOUND if nothing was written by that time. opening_close releases `o`, which may also be empty.
 */
int opening_open(struct invocation *i, const char *path, bool create, struct opened *o,
                 struct error *e);
/* Opens the store for the explorer. If it is not writable, it is opened for reading and *why is the errno; otherwise
 * *why is 0. */
int opening_explored(struct invocation *i, const char *path, struct opened *o, int *why,
                     struct error *e);
void opening_close(struct opened *o);
/* The same without anything on the terminal, which the explorer has. A store that is not writable, or `read_only`, is
 * opened for reading; `why` says so, or what else is wrong ("" for nothing). NULL and `e` if there is none. */
struct store *opening_quiet(const struct config *config, const char *path, bool read_only,
                            bool create, struct strbuf *why, struct error *e);

/* Runs the command; opens the store for reading if the command has `read`. */
int opening_run(struct invocation *i, struct error *e);
/*
 * Starts the pager that shows a long output on a terminal, which reads what is then written to standard output: the
 * command in STEMMA_PAGER, else PAGER, else `less` if there is one. Returns false, and standard output stays as it is,
 * if the first of them that is set is empty or `cat`, if the terminal is dumb, or if it cannot be started.
 */
bool pager_start(void);
/* Ends standard output and waits until the person leaves the pager. Does nothing without one. */
void pager_wait(void);

/* Sets the error for a time before the first event (m->seq is 0); `text` is the time as typed. Returns -1. */
int opening_nothing_yet(const char *text, const struct point_in_time *m, struct error *e);

/* Resolves a ref as typed, including refs of memories that were never written. Returns -1 and sets ERROR_NOT_FOUND,
 * or ERROR_USAGE with the candidates of an ambiguous ref. */
int64_t opening_resolve(struct reader *r, const char *text, struct error *e);

/* Prints on standard error the format of a source, how much it holds, its version and what of it cannot be mapped
 * (import_source_check). */
void opening_note_format(const char *path, const struct import_format *format,
                         const struct import_summary *found);

/* The person who runs the command: `actor` of the configuration, else the login name. */
struct actor opening_person(struct invocation *i);

/*
 * The working copy of a foreign source, in the arena: NAME-HASH.db in ~/.local/share/stemma, of the
 * name of its real path, without what follows a dot, in at most 40 bytes with "_" for all but
 * letters, digits, "-" and "_", and a hash of that path. NULL if HOME is not set. One that an
 * earlier version made next to a Kernle store (`memories.stemma.db`) stays in use.
 */
const char *opening_working_copy(struct arena *arena, const char *source);

/* Prints which stores exist on this machine and which commands to try, when the default store `path` does not exist.
 * Returns 0. */
int opening_print_stores(struct invocation *i, const char *path);
/*
 * Lists the stores on this machine and asks for the number of one, at most three times. Returns its
 * path, in the arena; the only one without asking. NULL if there is none or nothing was chosen; `e`
 * is set if the answer is no number of the list.
 */
const char *opening_choose_store(struct invocation *i, struct error *e);

/* $XDG_DATA_HOME/stemma or ~/.local/share/stemma, in the arena; NULL if HOME is not set. */
const char *opening_data_directory(struct arena *arena);

/* A private directory for a temporary store. */
struct scratch {
    char directory[256]; /* "" if none was made */
    char store[300];     /* the path of the store in it */
};
#define SCRATCH_INIT                                                                               \
    {                                                                                              \
        "", ""                                                                                     \
    }

/* Makes the directory under TMPDIR or /tmp, accessible only to its owner. */
int scratch_make(struct scratch *s, struct error *e);
/* Removes its store and the directory. */
void scratch_remove(struct scratch *s);
/* Removes the store `path` and the files of SQLite next to it. */
void scratch_remove_store(const char *path);

#endif
