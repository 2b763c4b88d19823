/* The pager that shows a long output on a terminal, as git does. */
#ifndef STEMMA_PAGER_H
#define STEMMA_PAGER_H

#include <stdbool.h>

/*
 * Starts the pager, which reads what is then written to standard output: the command in STEMMA_PAGER, else PAGER, else
 * `less` if there is one. Returns false, and standard output stays as it is, if the first of them that is set is empty
 * or `cat`, if the terminal is dumb, or if it cannot be started.
 */
bool pager_start(void);
/* Ends standard output and waits until the person leaves the pager. Does nothing without one. */
void pager_wait(void);

#endif
