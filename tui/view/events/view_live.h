/*
 * The live view: who is connected above, and what happens below as it lands: what was written and
 * what it rests on, what agents read, what they were refused. Newest first; older pages come from
 * the worker when the cursor nears the end, to the beginning of the store.
 */
#ifndef STEMMA_VIEW_LIVE_H
#define STEMMA_VIEW_LIVE_H

#include "tui/widget/view.h"

struct view *live_view_new(struct app *x);
/* What that session alone does; 0: all of them. `name` is raw text, copied. */
struct view *live_view_of(struct app *x, int64_t session, const char *name);
/* Goes there, under its name; false where the session is not known. */
bool live_view_open_session(struct app *x, int64_t session);

#endif
