/* A session as a line with its columns, and in the preview with all that is known of it. */
#ifndef STEMMA_SESSION_COLUMNS_H
#define STEMMA_SESSION_COLUMNS_H

#include "store/session/session.h"
#include "tui/term/paint.h"

struct app;

/* Where each begins; 0: it is not shown. */
struct session_columns {
    int state, id, client, agent, mode, calls, errors, rate, half, most, seen, era, transport, peer,
        task;
    int id_width, client_width, agent_width, seen_width, width;
};
/* For these sessions: where they have tasks, what tells less gives way to that; where columns are left, names that are
 * longer than theirs have them. */
struct session_columns session_columns_fit(const struct app *x, int width,
                                           const struct session_row *rows, size_t count);
void session_columns_header(const struct app *x, const struct session_columns *c,
                            const struct pane *row);
void session_columns_row(struct app *x, const struct session_columns *c, const struct pane *row,
                         const struct session_row *s, const char *pattern);

/* Did it begin since the last visit? */
bool session_is_new(const struct app *x, const struct session_row *s);

/* The sheet in a pane, below a rule that has `right` at its right; `s` NULL: the rule alone. */
void session_preview(struct app *x, const struct pane *p, const struct session_row *s,
                     const char *right);
/* All that a search or a filter finds it by: what its line shows where there is room. */
struct strbuf;
void session_text(const struct session_row *s, struct strbuf *out);

#endif
