/*
 * The chain of versions that a memory belongs to, the newest first: the same from each of them. What
 * differs from the version before is in the preview.
 */
#ifndef STEMMA_VIEW_VERSIONS_H
#define STEMMA_VIEW_VERSIONS_H

#include "tui/widget/view.h"

struct view *versions_view_new(struct app *x, int64_t node);

#endif
