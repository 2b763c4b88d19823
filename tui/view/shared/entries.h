/* The entries of a namespace: key, version, how long each still lives, its value in a line. */
#ifndef STEMMA_SHARED_ENTRIES_H
#define STEMMA_SHARED_ENTRIES_H

#include "tui/widget/view.h"

struct view *entries_view_new(struct app *x, const char *name);

#endif
