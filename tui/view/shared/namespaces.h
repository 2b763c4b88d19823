/* Shared memory: its namespaces, each with what it is held to and how full it is. */
#ifndef STEMMA_SHARED_NAMESPACES_H
#define STEMMA_SHARED_NAMESPACES_H

#include "tui/widget/view.h"

struct view *namespaces_view_new(struct app *x);
/* Another order of them, by its name; "": asks which. */
void namespaces_view_order(struct view *v, const char *name);

#endif
