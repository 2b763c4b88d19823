/* The help view: all actions with their keys. `/` filters them, Enter runs one on the view below. */
#ifndef STEMMA_VIEW_HELP_H
#define STEMMA_VIEW_HELP_H

#include "tui/widget/view.h"

struct view *help_view_new(struct ui *ui);
/* Filters it by these words; without any it asks for them. It must be the top. */
void help_view_filter(struct app *x, const char *words);
/* Copies the command of the action under the cursor. */
void help_view_copy(struct app *x);

#endif
