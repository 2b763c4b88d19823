/* The views of this room: how each is made, and what is particular to it. */
#ifndef STEMMA_VIEWS_H
#define STEMMA_VIEWS_H

#include "model/base/error.h"
#include "store/reasoning/retrievals.h"
#include "tui/text/moment.h"
#include "tui/widget/view.h"

struct neighbour_list;
struct pending;

/*
 * The list of memories: of a kind, of all, or what a search found.
 *
 * It is an array of row ids in their order. The first page is read at once, so that the first frame
 * waits for nothing; the whole order comes from the worker. What is new is put in its place without
 * moving the cursor.
 */

/* Of a kind, or of ROOT_ALL. */
struct view *list_view_new(struct app *x, int root);
/* What the words find; `kinds` as in search.h. */
struct view *list_view_search(struct app *x, const char *words, unsigned kinds);

/* What stands next to a memory in a drawing; copied. */
struct view *list_view_neighbours(struct app *x, const struct neighbour_list *b);

/* Of a view that is a list: the kind, or ROOT_ALL. */
int list_view_root(const struct view *v);
/* Why another order changes nothing in it; NULL: it does. */
const char *list_view_own_order(const struct view *v);

/*
 * The review queue: the memories that are marked for_review, the newest mark first, with who put each there
 * and why. What is marked reviewed leaves it.
 */

struct view *review_view_new(struct app *x);

/* Health: what is wrong with the lineage of the store, by problem. */

struct view *health_view_new(struct app *x);

/* Offers what would fix the problem under the cursor, for all marked memories that have it. */
void health_view_fix(struct view *v);

/*
 * What became of one memory: each change of it, newest first, by whom and why, with what it changed in the
 * preview. From there the state that it left is opened, or it is taken back; the other versions of it are a
 * view of their own.
 */

struct view *history_view_new(struct app *x, int64_t node);

/* What changed between two moments: each memory that differs with the event that made it so, and
 * what it was. */

/* From the first to the second; the reference is the caller's. */
struct view *diff_view_new(struct app *x, const struct moment *from, const struct moment *to);

/* What a pending operation would change, before it is done: it is done from here, or nothing is. */

/* Takes it over; its plan is made by the worker. */
struct view *confirm_view_new(struct pending *p);
/* What it asks about; NULL: the worker has it. */
struct pending *confirm_view_pending(struct view *v);
/* Takes the view away; the operation is the caller's. */
struct pending *confirm_view_take(struct view *v);
/* Why there is nothing to agree to, or NULL. */
const char *confirm_view_blocked(struct view *v);

/* Attributions grouped by type, URI or agent, with a timeline of when they were retrieved. */

struct view *retrievals_view_new(struct app *x, enum retrieval_group by);
/* Of such a view: groups them by the next of type, URI and agent. */
void retrievals_view_regroup(struct view *v);

#endif
