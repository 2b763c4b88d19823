/* Help: every action with its keys, found by typing; Enter runs it on the view below. */
#ifndef STEMMA_VIEW_HELP_H
#define STEMMA_VIEW_HELP_H

#include "tui/widget/view.h"

struct view *help_view_new(struct app *x);
/* Opens its text field, which filters; whenever it becomes the top. */
void help_view_prompt(struct app *x);

#endif
