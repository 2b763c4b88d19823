/* The way from a command into the explorer. */
#ifndef STEMMA_EXPLORE_H
#define STEMMA_EXPLORE_H

#include "tui/cli/command.h"
#include "tui/cli/opening.h"

/* Is there a terminal to explore in? Otherwise ERROR_USAGE names the command that lists `path`; with
 * `kernle`, which was not imported yet, the one that imports it first. `path` NULL: none will stay. */
int explore_possible(const struct invocation *i, const char *path, const char *kernle,
                     struct error *e);

/*
 * Runs the explorer on an open store and closes it. `follow` is a Kernle store to import again when it
 * changes, `notice` what the first status line says; both may be NULL. 0, or -1 with `e`; a signal
 * that ended the explorer is left in i->ended_by.
 */
int explore(struct invocation *i, struct opened *o, const char *follow, const char *notice,
            struct error *e);

#endif
