/* How one run of the explorer begins, and how a script drives it. */
#ifndef STEMMA_EXPLORER_OPTIONS_H
#define STEMMA_EXPLORER_OPTIONS_H

#include <stdbool.h>

struct explorer_options {
    bool no_colour;     /* --color=never or NO_COLOR: the monochrome theme */
    const char *notice; /* what the first status line says; NULL: nothing */
    const char *agent;  /* show only this agent's memories at first; NULL: all */
    const char *follow; /* a Kernle store to import again whenever it changes; NULL: none */
    const char *as_of;  /* a time or an event (moment.h) to begin at; NULL: now */
    const char *person; /* in whose name sessions are ended; NULL: "someone" */
    const char *visit;  /* the file of the last visit (news.h); NULL: none is kept */

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

#endif
