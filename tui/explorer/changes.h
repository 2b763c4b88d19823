/*
 * Changes by others while the explorer runs: notifies the views and shows a message, without moving the cursor.
 *
 * The cost of a round is bounded: few events are passed to the views one by one; after more of them the views read
 * again. The main loop limits how often rounds happen (loop.c).
 */
#ifndef STEMMA_CHANGES_H
#define STEMMA_CHANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/map.h"
#include "store/record/get.h"
#include "tui/render/difference_page.h"
#include "tui/widget/ui.h"

struct app;
struct error;
struct explorer_options;
struct memory_row;
struct pane;
struct reader;
struct strbuf;
struct view;

#define CHANGES_MAX 256 /* events of a round that are passed on one by one */

/* Appends the last change of a memory: 'claire (person) retracted belief:7d10e6a2 "Canary first…"'. */
void changes_add_last(struct app *x, int64_t node, struct strbuf *out);
/* Whether that is the person who uses this explorer. */
bool changes_is_own(const struct explorer_options *options, const char *person);

/* The number of changes that a paused view does not show; changes that it was read with do not count. For a view of
 * activity, the number of lines. */
size_t changes_held_from(const struct app *x, const struct view *v);

/* Finds out whether lists show several agents, and transcripts; they then have columns for them. */
void changes_count_agents(struct app *x);
/* Counts what waits for a decision now, for the header. */
void changes_count_waiting(struct app *x);

/* Draws the change sign of a memory in a column of its row: ' ', '+' new, '~' changed since the last visit, or '!'
 * just changed under the cursor. */
void changes_draw_sign(const struct app *x, const struct pane *row, int column,
                       const struct memory_row *m);

/*
 * The last visit of a store: the last journal event and the last row of the call log that the explorer showed. Each
 * store has a file for it, $XDG_STATE_HOME/stemma/visits/HASH or under ~/.local/state. It is not in the store, since
 * reading a store must not change it.
 *
 * The file is "SEQ AT CALL": the event, its time (to detect another store at the same path), and the row. The end of
 * the visit is the modification time of the file. If the file is missing, invalid or of another store, there was no
 * visit, and nothing counts as new.
 */

#define VISIT_CALL_UNKNOWN (-1) /* the call log cannot be read (see call_last) */

struct visit {
    int64_t seq, at; /* the last event and its time */
    int64_t call;    /* VISIT_CALL_UNKNOWN */
    int64_t left_at; /* when the visit ended, maybe long after the event */
};

/* The file of the store at that path in a folder of the state directory; the caller frees it. NULL if HOME is
 * unknown. */
char *visit_path(const char *folder, const char *store);
/* Reads the last visit. Returns false if there was none. */
bool visit_read(struct reader *r, const char *path, struct visit *out);
/* Records that everything up to that event and that row was shown now. Never goes back before what another explorer
 * recorded. Errors are ignored: the next visit then starts where this one did. */
/* Writes a whole file in one step, and makes the folders it needs. Returns false on failure. */
bool file_replace(const char *path, const char *text);
void visit_write(struct reader *r, const char *path, int64_t seq, int64_t call);

/*
 * Filtering by what is new since the last visit. Views of memories, sessions and activity mark such lines, and `+`
 * shows only those. The explorer keeps the setting (prefs.only_new); each view follows its own only_new and is
 * notified when the setting changes.
 */

/* ---- memories, in the worker's thread ---- */

struct new_filter {
    bool only;              /* false to include everything */
    int64_t after;          /* memories written after this event are new or changed */
    struct row_set written; /* rows of those memories */
};
/* The setting of a view. */
struct new_filter new_filter_of(const struct view *v);
/* Finds the memories, unless *cancelled is set. O(memories written since). */
int new_filter_read(struct new_filter *s, struct reader *r, const atomic_bool *cancelled,
                    struct error *e);
bool new_filter_wants(const struct new_filter *s, int64_t node);
void new_filter_release(struct new_filter *s);

#endif
