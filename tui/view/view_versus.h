/*
 * Two states of a memory beside each other: what is stored by now and what a person typed, where the store
 * has changed since it was read; or what is stored and what an undo would bring back. One of them is
 * chosen, or they are edited together; nothing is done before.
 */
#ifndef STEMMA_VIEW_VERSUS_H
#define STEMMA_VIEW_VERSUS_H

#include "model/base/error.h"
#include "tui/widget/view.h"

struct deed;

/* Of an edit that came too late; takes the deed over. */
struct view *versus_view_edit(struct app *x, struct deed *d);
/* Of an undo that was refused: the event's, as the error names it, and why. NULL where that cannot be shown. */
struct view *versus_view_undo(struct app *x, int64_t seq, const struct error *refusal);

/* Mine: what was typed replaces what is stored by now. Theirs: what was typed is dropped. Again: it is typed
 * on, over what is stored by now. */
enum versus_choice {
    VERSUS_MINE = 0,
    VERSUS_THEIRS,
    VERSUS_AGAIN,
};
void versus_view_choose(struct view *v, enum versus_choice choice);
const char *versus_view_blocked(struct view *v, enum versus_choice choice);

#endif
