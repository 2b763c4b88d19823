/* Lineage as an outline, in either direction. */
#ifndef STEMMA_VIEW_OUTLINE_H
#define STEMMA_VIEW_OUTLINE_H

#include "../model/lineage.h"
#include "view.h"

struct view *outline_view_new(struct app *x, int64_t node, enum direction direction);

#endif
