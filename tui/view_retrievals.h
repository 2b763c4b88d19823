/* Attributions grouped by type, URI or agent, with a timeline of when they were retrieved. */
#ifndef STEMMA_VIEW_RETRIEVALS_H
#define STEMMA_VIEW_RETRIEVALS_H

#include "../store/retrievals.h"
#include "view.h"

struct view *retrievals_view_new(struct app *x, enum retrieval_group by);

#endif
