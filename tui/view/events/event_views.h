/* Views of activity and sessions. */
#ifndef STEMMA_EVENT_VIEWS_H
#define STEMMA_EVENT_VIEWS_H

#include "store/session/session.h"
#include "tui/render/activity.h"
#include "tui/term/paint.h"
#include "tui/widget/view.h"

/*
 * The live view: connected sessions above, new activity below: writes with their sources, reads, and failed calls.
 * Newest first. The worker reads older pages when the cursor nears the end.
 */
struct view *live_view_new(struct app *x);
/* Only the activity of that session; 0 for all. `name` is raw text, copied. */
struct view *live_view_of(struct app *x, int64_t session, const char *name);
/* The only session that a live view shows; 0 for all. */
int64_t live_view_session(const struct view *v);
/* Opens that view with the session's name. Returns false if the session is not known. */
bool live_view_open_session(struct app *x, int64_t session);

/* The audit view: all events and calls, newest first, with a filter and full details in the
 * preview. */

/* `filter` is the text of a filter, "" for all. A wrong filter causes a message and is ignored. */
struct view *audit_view_new(struct ui *ui, const char *filter);

/* The sessions of a store, connected ones first, with details of the one under the cursor. */
struct view *sessions_view_new(struct ui *ui);

/* What each tool and method has sent in a session; of all sessions with `session` 0. `name` is raw text, copied. */
struct view *usage_view_new(struct ui *ui, int64_t session, const char *name);
/* Goes on to all sessions, and back to its own. Returns false if it has none. */
bool usage_view_switch(struct view *v);

/* The failed calls of one row of the call log with that outcome: their arguments and the error that the agent got. */
bool is_failed_call(const struct activity *a); /* accepts NULL */
struct view *failure_view_new(struct ui *ui, const struct activity *a);

/* The conversation of a session as it happens: its calls and what they wrote, in order. `name` is raw text, copied. */
struct view *talk_view_new(struct app *x, int64_t session, const char *name);

/* Reads a session for display, masked if masks are on. Returns false and sets id 0 if it does not exist. */
bool session_read_shown(struct reader *r, struct arena *arena, int64_t id, struct session_row *out);

/* Lines and preview of a session. */

/* The columns in their order, with their widths; 0 if hidden. The task gets the rest. */
enum session_column {
    SESSION_ID = 0,
    SESSION_CLIENT,
    SESSION_AGENT,
    SESSION_MODE,
    SESSION_CALLS,
    SESSION_ERRORS,
    SESSION_TOKENS, /* sent, estimated */
    SESSION_FULL,   /* of the same answers in full form */
    SESSION_RATE,
    SESSION_P50,
    SESSION_P99,
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
/* Chooses columns for these sessions. If they have tasks, less important columns are dropped for the task. Free
 * columns go to names that are too long. */
struct session_columns session_columns_fit(const struct prefs *prefs, int width,
                                           const struct session_row *rows, size_t count);
/* With `s` NULL draws the column headers. */
void session_columns_draw(struct view *v, const struct session_columns *c, const struct pane *row,
                          const struct session_row *s, const char *pattern);

/* Charts of the calls in each minute, as live.minute has them: the rows that they take of a list of that size, of which
 * other parts want `others`, 0 for none; and drawn in so many rows. */
int call_chart_rows(const struct app *x, int height, int width, int others);
void call_chart_draw(const struct app *x, const struct pane *p, int rows);

void session_preview_init(struct app *x);
/* Draws the session's page below a rule with `right` at its right; with `s` NULL only the rule. */
void session_preview(struct app *x, const struct pane *p, struct session_row *s, const char *right);

#endif
