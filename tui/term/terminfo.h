/*
 * A terminal's description without what not every terminal and recorder that goes by its name can do:
 * scrolling by several lines at once, repeating a character. Within a synchronized update nobody sees
 * the difference.
 */
#ifndef STEMMA_TERMINFO_H
#define STEMMA_TERMINFO_H

#include <stdbool.h>

/*
 * Sets TERMINFO to such a description of `term` for the newterm that follows (ncurses takes one that
 * is written out in the variable); false where none was found or it was set by the person: then
 * nothing is changed.
 */
bool terminfo_plain(const char *term);
/* Takes TERMINFO away again. */
void terminfo_restore(void);

#endif
