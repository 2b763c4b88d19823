/* A step of reasoning in full: question, answer, trace, confidence, time, and its sources ranked.
 */
#ifndef STEMMA_VIEW_STEP_H
#define STEMMA_VIEW_STEP_H

#include "tui/widget/view.h"

struct chain_reading;

struct view *step_view_new(struct app *x, int64_t node);
/* The same of what was read already: the step of that number, with the cursor on that source of it; SIZE_MAX: on
 * none. */
struct view *step_view_of(struct app *x, struct chain_reading *reading, size_t step, size_t source);

bool view_is_step(const struct view *v);
/* Where the view is one of a step: the use under the cursor; NULL: it is on none. */
const struct chain_source *step_view_source(const struct view *v);
/* The step's number in its chain; 0: it has none, or is not read yet. */
int64_t step_view_number(const struct view *v);
/* Relevance by the step's confidence is shown beside the recorded one, or not any more; which. */
bool step_view_by_confidence(struct view *v);

#endif
