/* The pages of one memory, and its neighbours. */
#ifndef STEMMA_MEMORY_VIEWS_H
#define STEMMA_MEMORY_VIEWS_H

#include "model/subgraph/subgraph.h"
#include "store/db/store.h"
#include "tui/widget/view.h"

/* A memory in full: its text, its facts, and sections whose rows open. */

struct view *memory_view_new(struct app *x, int64_t node);

/* A memory as an event left it: read alone, plainly not the present. */

struct view *state_view_new(struct app *x, int64_t seq);

/* Memories that stand next to another in its lineage, or that stand together as one node of a drawing. */

struct neighbour_list {
    int64_t of; /* the memory, all of whose neighbours of that kind are meant, or 0: `row` */
    enum direction side; /* ANCESTORS: what it rests on */
    enum kind kind;
    int64_t *row; /* [count] */
    size_t count;
    char title[96]; /* "belief:b7 carries beliefs" */
};

#endif
