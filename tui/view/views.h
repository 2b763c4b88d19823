/* Constructors of the views in this folder, and functions for single views. */
#ifndef STEMMA_VIEWS_H
#define STEMMA_VIEWS_H

#include "store/reasoning/retrievals.h"
#include "tui/text/times.h"
#include "tui/widget/view.h"

struct input_event;
struct neighbour_list;
struct pending;
struct prefs;
struct list_query;

/*
 * The list of memories: of a kind, of all kinds, or the results of a search.
 *
 * It is an array of row ids in their order. The first page is read at once, so that the first frame is not empty; the
 * worker reads the whole order. New memories are inserted without moving the cursor.
 */

/* `root` is a kind or ROOT_ALL. */
struct view *list_view_new(struct ui *ui, int root);
/* The results of a search; `kinds` as in search.h. */
struct view *list_view_search(struct ui *ui, const char *words, unsigned kinds);

/* What somebody told: whom, as in struct trust_record. */
struct view *list_view_told(struct ui *ui, const char *entity);

/* Neighbours of a memory. The list is copied. */
struct view *list_view_neighbours(struct ui *ui, const struct neighbour_list *b);

/* What a list of a kind or of all lists, as a query of the store; with its filter as `terms`, in the arena. */
void list_view_ask(struct view *v, struct arena *arena, struct list_query *out,
                   struct query_terms *terms);
/* The values of a field in such a list, and how many memories have each. The list stays below. */
struct view *facets_view_new(struct ui *ui, struct view *list, const struct query_spec *spec);
/* The kind of a list view, or ROOT_ALL. */
int list_view_root(const struct view *v);
/* Lists show more (1) or fewer (-1) ended memories. Returns a sentence about which; NULL if there is no such step. */
const char *list_view_step_extent(struct prefs *prefs, int step);
/* The reason why its order cannot be changed, or NULL. */
const char *list_view_own_order(const struct view *v);

/*
 * The review queue: memories with the flag for_review, newest flag first, with who set it and why. Memories flagged
 * as reviewed leave it.
 */
struct view *review_view_new(struct ui *ui);
/* Selects what says the same as the memory under the cursor; again: its session; again: all. */
void review_view_select_alike(struct view *v);
/* The memories that say the same, with the one under the cursor. The caller frees them. */
int64_t *review_view_alike(struct view *v, size_t *count);

/* For struct prompt_ops with `offers`: changed, key and note, where a person finds a memory other than the one under
 * the cursor (pick_memory.c). */
void pick_memory_changed(struct app *x, const char *text);
bool pick_memory_key(struct app *x, const struct input_event *event);
void pick_memory_note(struct app *x, struct strbuf *out);
/* For `accepted`: the ref of the highlighted choice, until the choices change, else the text. */
const char *pick_memory_taken(const struct app *x, const char *text);

/* The changes of each day, by that actor or in that session (NULL and 0: any), as a calendar and a list. */
struct view *days_view_new(struct ui *ui, const char *actor, int64_t session);

/* Sources, the least trusted first (store/lineage/trust.h). Enter lists what somebody told, or opens the page. */
struct view *trust_view_new(struct ui *ui);

/* The answer to questions[question] about a memory (0: about all) or a text. Of two memories `text` is the ref of the
 * second; "": the first that contradicts it. */
struct view *question_view_new(struct ui *ui, int question, int64_t node, const char *text);
/* Appends the whole answer as text, to paste somewhere. */
void question_view_text(const struct view *v, struct strbuf *out);
/* The memory that the answer on the screen is about; 0 for none. */
int64_t question_view_subject(const struct view *v);
bool question_view_is(const struct view *v, int question, int64_t node);
/* One side of a comparison: a memory, or 0 for a list, as of an event, or 0 for as it is displayed. */
struct compare_side {
    int64_t node, seq;
    char name[96];
};
/* Two memories, or one as of two times, side by side. With `list`, which is held: its memories as of two times. */
struct view *compare_view_new(struct ui *ui, const struct compare_side side[2], struct view *list);
/* Whether it shows which of two memories to keep; then sets `rows` to what is replaced and what stays. */
bool question_view_resolved(const struct view *v, int64_t rows[2]);

/* Problems of the store's lineage, grouped by kind of problem. */
struct view *health_view_new(struct ui *ui);

/* Offers fixes for the problem under the cursor, for all selected memories that have it. */
void health_view_fix(struct view *v);

/*
 * The history of one memory: each change, newest first, with actor and reason; the preview shows what it changed.
 * From there a person can open the resulting state or undo the change. The other versions have their own view.
 */
struct view *history_view_new(struct app *x, int64_t node);

/* The difference between two states of the store: each memory that differs, with the event that changed it and its
 * former state. The caller owns the reference. */
struct view *diff_view_new(struct ui *ui, const struct point_in_time *from,
                           const struct point_in_time *to);

/* What was decided here and would be written back into the source, or what an undo of that would write. The person
 * agrees to it here, or leaves. */
struct view *apply_view_new(struct app *x, bool undo, bool overwrite);
/* The reason why it cannot be written now, or NULL. */
const char *apply_view_blocked(struct view *v);
const char *apply_view_undo_blocked(struct view *v);
void apply_view_write(struct view *v);

/* The plan of a pending operation, before it is done. The person agrees to it here, or cancels. Takes ownership of the
 * operation. The worker makes its plan. */
struct view *confirm_view_new(struct pending *p);
/* The operation, or NULL while the worker has it. */
struct pending *confirm_view_pending(struct view *v);
/* The reason why it cannot be agreed to, or NULL. */
const char *confirm_view_blocked(struct view *v);
/* Agrees to it. */
void confirm_view_do(struct view *v);

/* Attributions grouped by type, URI or agent, with a timeline of retrievals. */
struct view *retrievals_view_new(struct ui *ui, enum retrieval_group by);
/* Groups such a view by the next of type, URI and agent. */
void retrievals_view_regroup(struct view *v);

#endif
