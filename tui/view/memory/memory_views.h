/* Pages of one memory, and lists of its neighbours. */
#ifndef STEMMA_MEMORY_VIEWS_H
#define STEMMA_MEMORY_VIEWS_H

#include "model/subgraph/subgraph.h"
#include "store/db/store.h"
#include "tui/widget/view.h"

/* The page of a memory: its text, its facts, and sections whose rows can be opened. */

struct view *memory_view_new(struct app *x, int64_t node);

/* The conversation that led to a memory (tui/render/conversation_page.h). */
struct view *conversation_view_new(struct app *x, int64_t node);

/* The state of a memory after an event. Read-only, and clearly not the present. */
struct view *state_view_new(struct ui *ui, int64_t seq);

/* The neighbours of a memory in its lineage, or the members of one node of a drawing. */
struct neighbour_list {
    /* the memory whose neighbours of `kind` on `side` are listed; 0 if `row` has the list */
    int64_t of;
    enum direction side; /* ANCESTORS for its sources */
    enum kind kind;
    int64_t *row; /* [count] */
    size_t count;
    char title[96]; /* "belief:b7 used by beliefs" */
};

#endif
