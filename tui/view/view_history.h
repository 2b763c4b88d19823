/*
 * What became of one memory: each change of it, newest first, by whom and why, with what it changed in the
 * preview. From there the state that it left is opened, or it is taken back; the other versions of it are a
 * view of their own (view_versions.h).
 */
#ifndef STEMMA_VIEW_HISTORY_H
#define STEMMA_VIEW_HISTORY_H

#include "tui/widget/view.h"

struct view *history_view_new(struct app *x, int64_t node);

#endif
