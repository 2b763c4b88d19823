/* The stores of a run and its options. */
#ifndef STEMMA_STORES_H
#define STEMMA_STORES_H

#include <stdbool.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "store/db/store.h"
#include "store/import/import.h"

/* Options of a run of the explorer, and how a script drives it. */

struct import_format;
struct opened_store;
struct explorer_options {
    bool no_colour;                     /* --color=never or NO_COLOR: the monochrome theme */
    const char *notice;                 /* message in the first status line; or NULL */
    const char *agent;                  /* initial agent of lists; NULL for all */
    const struct import_format *format; /* of `follow` */
    const char *follow;                 /* a source to import whenever it changes; or NULL */
    const char *as_of;  /* initial state: a time or an event (times.h); NULL for the present */
    const char *person; /* the person who ends sessions; NULL for "someone" */
    bool inbox_first;   /* begin with the inbox if something waits */
    bool tour;          /* begin with the tour of the demo */
    bool story;         /* the store is that of the demo */
    const char *record; /* a new file for the keys of the session (script.h); or NULL */
    const char *visit;  /* file of the last visit (changes.h); or NULL */
    const char *place;  /* file of where the person was, the first view of the next run; or NULL */
    bool anew;          /* do not begin there: only when the person comes back within this run */
    const char *name; /* of the store, for the header, unless the configuration names it; or NULL */
    const char *origin; /* what opens it again: its path, or that of `follow`; or NULL */

    /* Opens another store for this run, which closes it. Returns -1 and sets *e. NULL: none can be opened. */
    int (*open)(void *open_arg, const char *path, struct opened_store *out, struct error *e);
    void *open_arg;

    /*
     * Without a terminal: `script` has keys, as in "jj<Enter><C-d><size:80x24><shot:name>/word<Enter>", for a
     * headless screen of `rows` by `columns`. `frame` is called at each shot and, with the name "end", at the end.
     * The text of a frame has a line for each row without trailing blanks, then "-- cursor COLUMN,ROW". After each
     * key the script waits until its effects are complete, so that frames are reproducible.
     */
    const char *script;
    bool each_key; /* `frame` is called after each key, with its name */
    bool watched;  /* on the terminal, in the person's time; then the person goes on */
    int rows, columns;
    void (*frame)(void *arg, const char *name, const char *text);
    void *arg;
};

/* A store that was opened while the explorer runs. */
struct opened_store {
    const char
        *open[2]; /* paths of stores that this process has open: they must not be opened twice */
    struct store *store;
    struct explorer_options options; /* what concerns this store alone */
    struct arena arena;              /* has their texts */
};

/* Whether the path is one of a store that this process has open. */
bool opened_store_has(const struct opened_store *o, const char *path);

/*
 * The stores of a run: the one that the explorer began with, its home, and the one that is shown (`:open`).
 *
 * The home stays open until the run ends, since agents may be connected to it: a listener serves one store, whatever
 * is shown. Any other store is closed when another one is shown. Then nothing of it is left in struct app; where the
 * person was is in its file (last_place_open).
 */

struct app;
struct config;

struct home {
    struct store *store;
    struct explorer_options options; /* for coming back */
    char *name;
    struct config_rules *rules;    /* the configuration that is in force; NULL until needed */
    struct config *config;         /* reloaded, owned; NULL while that of the start is in force */
    struct mcp_listener *listener; /* serves the home; NULL if this process does not listen */
    struct error listen_error;     /* the reason */
    int port;                      /* of its HTTP; 0 for none */
    atomic_bool has_message;       /* the listener's thread has a message */
    pthread_mutex_t lock;
    struct worker *worker; /* is woken for a message; NULL between two stores */
};

struct stores {
    struct opened_store *shown; /* owned; NULL: the home */
    struct opened_store *next;  /* owned */
    bool leaves; /* the explorer goes on with `next`, or with the home if that is NULL */
    char *name;  /* in the header; NULL for the default store */
};

/* Whether the home is shown. */
bool stores_at_home(const struct app *x);
/* Names the store that is shown, by the configuration or by its path. */
void stores_take_name(struct app *x);
/* Notes it among those that were opened last. */
void stores_note_recent(struct app *x);
/* The worker that the listener's thread wakes; NULL for none. */
void stores_set_worker(struct home *home, struct worker *worker);

/* Shows another store: a name of the configuration, or a path. If it cannot be opened, the message says why, and the
 * store that is shown stays. */
void stores_open(struct app *x, const char *name);

/* A store to choose. */
struct known_store {
    const char *name; /* what opens it: a name of the configuration, or a path */
    const char *about;
};
/* Those of the configuration, then those that were opened last. In the arena. */
struct known_store *stores_list(struct app *x, struct arena *arena, size_t *count);

/* Imports a source again whenever it changes, in a separate thread. */

/* Imports as that person. `path` and `person` must stay valid. Returns NULL and sets *e if it cannot be watched. */
struct follow *follow_open(struct store *s, const struct import_format *format, const char *path,
                           const char *person, struct error *e);
/* Stops the thread; a running import ends after its current slice. Accepts NULL. */
void follow_close(struct follow *f);
/* A descriptor that is readable when follow_take has a message; -1 for NULL. */
int follow_fd(const struct follow *f);
/* Returns the next message, which the caller frees; NULL if there is none. */
char *follow_take(struct follow *f);

#endif
