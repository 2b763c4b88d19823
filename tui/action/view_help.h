/* The help view: all actions with their keys, filtered by typing. Enter runs an action on the view below. */
#ifndef STEMMA_VIEW_HELP_H
#define STEMMA_VIEW_HELP_H

#include "tui/widget/view.h"

struct view *help_view_new(struct ui *ui);
/* Opens its filter prompt; called whenever the view becomes the top. */
void help_view_prompt(struct app *x);

#endif
