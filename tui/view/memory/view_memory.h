/* A memory in full: its text, its facts, and sections whose rows open. */
#ifndef STEMMA_VIEW_MEMORY_H
#define STEMMA_VIEW_MEMORY_H

#include "tui/widget/view.h"

struct view *memory_view_new(struct app *x, int64_t node);

#endif
