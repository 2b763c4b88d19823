/* The sessions of a store, those that live first; under the cursor's all that is known of it. */
#ifndef STEMMA_VIEW_SESSIONS_H
#define STEMMA_VIEW_SESSIONS_H

#include "tui/widget/view.h"

struct view *sessions_view_new(struct app *x);

#endif
