/* A memory as an event left it: read alone, plainly not the present. */
#ifndef STEMMA_VIEW_STATE_H
#define STEMMA_VIEW_STATE_H

#include "tui/widget/view.h"

struct view *state_view_new(struct app *x, int64_t seq);

#endif
