/* How a command comes to its store: which path is meant, opening it, and in whose name it acts. */
#ifndef STEMMA_OPENING_H
#define STEMMA_OPENING_H

#include "model/base/error.h"
#include "store/db/store.h"
#include "tui/cli/command.h"
#include "tui/text/moment.h"

/*
 * The path meant: --store, else STEMMA_STORE, else the configuration's `store`, else
 * $XDG_DATA_HOME/stemma/memory.db or ~/.local/share/stemma/memory.db. A leading `~/` is the home. In the arena; NULL
 * with an error where not even HOME is known. *named (may be NULL): was it named rather than the default?
 */
const char *opening_path(struct invocation *i, bool *named, struct error *e);

/* $XDG_DATA_HOME/stemma or ~/.local/share/stemma; in the arena, or NULL. */
const char *opening_data_directory(struct arena *arena);

/* For who serves it: it is made where there is none, one that may not be changed is opened for reading; standard error
 * says the one and the other. */
struct store *opening_served_store(struct invocation *i, struct error *e);

/* A store with a reader for this thread. */
struct opened {
    struct store *store;
    struct reader *reader;
    struct moment as_of; /* seq -1: now */
};

/*
 * The same with a reader; by --as-of one of the past, and standard error says of which event.
 * ERROR_NOT_FOUND where there was nothing yet. Reads can be stopped by a signal (stop.h).
 * opening_close releases it, an empty one too.
 */
int opening_open(struct invocation *i, const char *path, bool create, struct opened *o,
                 struct error *e);
/* For who explores it: one that may not be changed is opened for reading, and *why is the reason, an errno; else 0. */
int opening_explored(struct invocation *i, const char *path, struct opened *o, int *why,
                     struct error *e);
void opening_close(struct opened *o);

/* Runs the command, with the store open for reading where it reads. */
int opening_run(struct invocation *i, struct error *e);
/* -1: the error of a time, as it was typed, by which there was no event (m->seq 0). */
int opening_nothing_yet(const char *text, const struct moment *m, struct error *e);

/* The row of a ref as it was typed, stubs included, or -1: ERROR_NOT_FOUND, or ERROR_USAGE with the
 * candidates of an ambiguous one. */
int64_t opening_resolve(struct reader *r, const char *text, struct error *e);

/* The person who types: `actor` of the configuration, else the login name. */
struct actor opening_person(struct invocation *i);

/* Where there is no store yet: what was found on this machine, and the next command to type. */

/* `path` is the default store, which is not there. Returns 0. */
int found_print(struct invocation *i, const char *path);

/* A private directory for a store that is not to stay. */

struct scratch {
    char directory[256]; /* "" where none was made */
    char store[300];     /* the path of the store in it */
};
#define SCRATCH_INIT                                                                               \
    {                                                                                              \
        "", ""                                                                                     \
    }

/* Makes it under TMPDIR or /tmp, for the owner alone. */
int scratch_make(struct scratch *s, struct error *e);
/* Removes the files in it, and the directory. */
void scratch_remove(struct scratch *s);
/* Removes the store `path` with what SQLite has next to it. */
void scratch_remove_store(const char *path);

#endif
