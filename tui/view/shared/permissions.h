/* What an agent may do with the entries of each namespace, by the rules that hold now. */
#ifndef STEMMA_SHARED_PERMISSIONS_H
#define STEMMA_SHARED_PERMISSIONS_H

#include "tui/widget/view.h"

/* `agent` NULL: one that has no grants of its own. */
struct view *permissions_view_new(struct app *x, const char *agent);
void permissions_view_of(struct view *v, const char *agent);

#endif
