/* The views of what happens, and of sessions. */
#ifndef STEMMA_EVENT_VIEWS_H
#define STEMMA_EVENT_VIEWS_H

#include "store/session/session.h"
#include "tui/term/paint.h"
#include "tui/widget/view.h"

/*
 * The live view: who is connected above, and what happens below as it lands: what was written and
 * what it rests on, what agents read, what they were refused. Newest first; older pages come from
 * the worker when the cursor nears the end, to the beginning of the store.
 */

struct view *live_view_new(struct app *x);
/* What that session alone does; 0: all of them. `name` is raw text, copied. */
struct view *live_view_of(struct app *x, int64_t session, const char *name);
/* Goes there, under its name; false where the session is not known. */
bool live_view_open_session(struct app *x, int64_t session);

/*
 * The audit: all that was done to the store and asked of it, by whomever, newest first; filtered by a line
 * of what must be so (audit_filter.h), each with all that is known of it in the preview.
 */

/* `filter`: the line, "" for all; one that is wrong is said, and nothing is filtered. */
struct view *audit_view_new(struct app *x, const char *filter);

/* The sessions of a store, those that live first; under the cursor's all that is known of it. */

struct view *sessions_view_new(struct app *x);

/* A session as it is shown, masked where that is on; id 0 and false where there is none. */
bool session_shown(struct reader *r, struct arena *arena, int64_t id, struct session_row *out);

/* A session as a line with its columns, and in the preview with all that is known of it. */

/* Those that are shown, in their order, and the width of each; 0: it is not. The task has what is left. */
enum session_column {
    SESSION_ID = 0,
    SESSION_CLIENT,
    SESSION_AGENT,
    SESSION_MODE,
    SESSION_CALLS,
    SESSION_ERRORS,
    SESSION_RATE,
    SESSION_HALF,
    SESSION_MOST,
    SESSION_SEEN,
    SESSION_ERA,
    SESSION_TRANSPORT,
    SESSION_PEER,
    SESSION_COLUMNS
};
struct session_columns {
    int width[SESSION_COLUMNS];
    bool task;
};
/* For these sessions: where they have tasks, what tells less gives way to that; where columns are left, names that are
 * longer than theirs have them. */
struct session_columns session_columns_fit(const struct app *x, int width,
                                           const struct session_row *rows, size_t count);
/* `s` NULL: the names of the columns. */
void session_columns_draw(struct view *v, const struct session_columns *c, const struct pane *row,
                          const struct session_row *s, const char *pattern);

/* The sheet in a pane, below a rule that has `right` at its right; `s` NULL: the rule alone. */
void session_preview(struct app *x, const struct pane *p, const struct session_row *s,
                     const char *right);

#endif
