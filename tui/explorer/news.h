/*
 * News: what others write while the explorer runs. It is told to the views and said in the status
 * line, and never moves what a person looks at.
 *
 * However much is written, a round of it costs little: so many events are told one by one, and where
 * there are more the views read themselves again. The loop spaces the rounds (loop.c).
 */
#ifndef STEMMA_NEWS_H
#define STEMMA_NEWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/db/store.h"
#include "store/record/get.h"
#include "tui/render/difference_sheet.h"
#include "tui/widget/ui.h"

struct app;
struct event;
struct strbuf;

#define NEWS_MOST 256 /* events of a round that are told one by one */

/* What was done to a memory last: 'claire (person) retracted belief:7d10e6a2 "Canary first…"' appended. */
void news_add_last(struct app *x, int64_t node, struct strbuf *out);
/* Is that the name of who sits before this explorer? */
bool news_is_own(const struct app *x, const char *person);

/* How many changes are held back from that view: what it was read with while it is paused, it has. Of one whose lines
 * are what happened, how many lines. */
struct view;
size_t news_held_from(const struct app *x, const struct view *v);

/* Are memories listed of several agents? Lists then have a column for them. */
void news_count_agents(struct app *x);

/* How a memory stands to the last visit, for the mark of its row: ' ', '+' new, '~' changed since, or
 * '!' changed just now, under the cursor. */
struct memory_row;
struct pane;
/* That mark in that column of the pane's row. */
void news_draw(const struct app *x, const struct pane *row, int column, const struct memory_row *m);

/*
 * When a store was last looked at: the last event of the journal, and the last row of the log of calls,
 * that the explorer had shown when it was left. Kept for each store in a file of the person's own,
 * $XDG_STATE_HOME/stemma/visits/HASH or under ~/.local/state, never in the store: looking changes nothing.
 *
 * The file is "SEQ AT CALL": the event, its time, by which another store in the same place is told, and the row.
 * When it was is the time of the file itself, which each visit writes. A file that is missing, broken or of another
 * store is no visit at all, and then nothing is new.
 */

#define VISIT_CALL_UNKNOWN (-1) /* the log of calls cannot be read, as call_last says it */

struct visit {
    int64_t seq, at; /* the event and its time */
    int64_t call;    /* VISIT_CALL_UNKNOWN */
    int64_t left_at; /* when it ended; the event may be long before */
};

/* The file of the store at that path; free() it. NULL where not even HOME is known. */
char *visit_path(const char *store);
/* The last visit; false: there was none. */
bool visit_read(struct reader *r, const char *path, struct visit *out);
/* Notes that everything up to that event and that row was shown, and now; what another explorer showed stays. Where it
 * cannot be written nothing happens: the next visit begins where this one did. */
void visit_write(struct reader *r, const char *path, int64_t seq, int64_t call);

/*
 * What is new since the last visit: in every view whose lines are memories, sessions, or what happened, such a line
 * has a mark, and `+` leaves those alone. Between the views the choice is the explorer's (app.h, only_new); each shows
 * by what its own only_new says, and is told where that changes.
 */
struct error;
struct reader;

/* ---- memories, in the worker's thread ---- */

struct since {
    bool only;            /* else all are wanted */
    int64_t after;        /* the event after which one is new or changed */
    struct marks written; /* those that are */
};
/* As the view shows its lines. */
struct since since_of(const struct view *v);
/* Finds them, until *cancelled. O(memories written since). */
int since_read(struct since *s, struct reader *r, const atomic_bool *cancelled, struct error *e);
bool since_wants(const struct since *s, int64_t node);
void since_release(struct since *s);

#endif
