/* Where there is no store yet: what was found on this machine, and the next command to type. */
#ifndef STEMMA_FOUND_H
#define STEMMA_FOUND_H

#include "tui/cli/command.h"

/* `path` is the default store, which is not there. Returns 0. */
int found_print(struct invocation *i, const char *path);

#endif
