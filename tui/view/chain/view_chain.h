/*
 * A chain of thought: its question and answer, its steps and the matrix of steps and sources, the
 * sources by relevance, and what stands in the cell under the cursor.
 */
#ifndef STEMMA_VIEW_CHAIN_H
#define STEMMA_VIEW_CHAIN_H

#include "tui/widget/view.h"

/* Of a chain's row, or of a step's: then the cursor stands on that step. NULL where memory ran out.
 */
struct view *chain_view_new(struct app *x, int64_t node);

bool view_is_chain(const struct view *v);
/* It is a chain's, which is read and has its final answer. */
bool chain_view_is_finished(const struct view *v);

/* Does that line stand in the pane that has the keys? In a view of another sort all do. */
bool view_chain_has_keys(const struct view *v, size_t line);

#endif
