/* A step of reasoning in full: question, answer, trace, confidence, time, and its sources ranked.
 */
#ifndef STEMMA_VIEW_STEP_H
#define STEMMA_VIEW_STEP_H

#include "view.h"

struct view *step_view_new(struct app *x, int64_t node);

#endif
