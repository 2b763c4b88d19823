/* What a deed would change, before it is done: it is done from here, or nothing is. */
#ifndef STEMMA_VIEW_CONFIRM_H
#define STEMMA_VIEW_CONFIRM_H

#include "tui/widget/view.h"

struct deed;

/* Takes the deed over; its plan is made by the worker. */
struct view *confirm_view_new(struct app *x, struct deed *d);
/* Does what is shown, and takes the view away. Says why not where it cannot be. */
void confirm_view_agree(struct view *v);
/* Was what it asks about refused, and is shown elsewhere? */
bool confirm_view_is_over(const struct view *v);
/* Why there is nothing to agree to, or NULL. */
const char *confirm_view_blocked(struct view *v);

#endif
