/* Health: what is wrong with the lineage of the store, by problem. */
#ifndef STEMMA_VIEW_HEALTH_H
#define STEMMA_VIEW_HEALTH_H

#include "view.h"

struct view *health_view_new(struct app *x);

#endif
