/*
 * The explorer: the program in the terminal. One call runs it from the first frame until it is left.
 *
 * It reads through readers of its own, shows what is in the store, and follows what others write.
 * Keys come from the terminal, or from a script, in which case no terminal is touched at all.
 */
#ifndef STEMMA_EXPLORER_H
#define STEMMA_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>
#include "store/db/store.h"

struct config;

struct explorer_options {
    bool no_colour;     /* --color=never or NO_COLOR: the monochrome theme */
    const char *notice; /* what the first status line says; NULL: nothing */
    const char *agent;  /* show only this agent's memories at first; NULL: all */
    const char *follow; /* a Kernle store to import again whenever it changes; NULL: none */
    const char *as_of;  /* a time or an event (moment.h) to begin at; NULL: now */
    const char *person; /* in whose name sessions are ended; NULL: "someone" */
    const char *visit;  /* the file of the last visit (visit.h); NULL: none is kept */

    /*
     * Without a terminal: `script` is keys as in "jj<Enter><C-d><size:80x24><shot:name>/word<Enter>"
     * on a screen of `rows` by `columns` that nobody sees; `frame` is called at each shot, and at the
     * end with the name "end". The frame's text has one line for each row, trailing blanks cut, then
     * "-- cursor COLUMN,ROW". After each key what the key set going is waited for, so that the same
     * script on the same store gives the same frames.
     */
    const char *script;
    int rows, columns;
    void (*frame)(void *arg, const char *name, const char *text);
    void *arg;
};

/*
 * Runs until the person leaves. 0; or -1 with `e` where there is no usable terminal or the store
 * cannot be read; or the number of the signal that ended it (SIGTERM, SIGHUP, …): the caller closes
 * the store and ends as that signal would. The terminal is restored in every case.
 */
int explorer_run(struct store *s, const struct config *config,
                 const struct explorer_options *options, struct error *e);

#endif
