/*
 * The review queue: the memories that are marked for_review, the newest mark first, with who put each there
 * and why. What is marked reviewed leaves it.
 */
#ifndef STEMMA_VIEW_REVIEW_H
#define STEMMA_VIEW_REVIEW_H

#include "tui/widget/view.h"

struct view *review_view_new(struct app *x);

#endif
