/* Options of a run of the explorer, and how a script drives it. */
#ifndef STEMMA_EXPLORER_OPTIONS_H
#define STEMMA_EXPLORER_OPTIONS_H

#include <stdbool.h>
#include "model/base/arena.h"
#include "model/base/error.h"

struct import_format;
struct opened_store;
struct explorer_options {
    bool no_colour;                     /* --color=never or NO_COLOR: the monochrome theme */
    const char *notice;                 /* message in the first status line; or NULL */
    const char *agent;                  /* initial agent of lists; NULL for all */
    const struct import_format *format; /* of `follow` */
    const char *follow;                 /* a source to import whenever it changes; or NULL */
    const char
        *as_of; /* initial state: a time or an event (point_in_time.h); NULL for the present */
    const char *person; /* the person who ends sessions; NULL for "someone" */
    bool inbox_first;   /* begin with the inbox if something waits */
    bool tour;          /* begin with the tour of the demo */
    bool story;         /* the store is that of the demo */
    const char *record; /* a new file for the keys of the session (recording.h); or NULL */
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

#endif
