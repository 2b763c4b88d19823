/*
 * Mending: what a person can do about a problem of the lineage, found by the worker for the one under the cursor,
 * chosen from a menu, and done through the preview that every change has.
 */
#ifndef STEMMA_MENDING_H
#define STEMMA_MENDING_H

#include "store/ops/mend.h"

struct app;
struct pane;

struct mending {
    struct app *app;
    struct arena arena;
    struct orphan orphan; /* what the mends are for; node 0: nothing yet */
    struct mend mend[MEND_MOST];
    size_t count;
    bool known;
};
/* What the menu that is open is about. */
struct mending_menu {
    struct mending *mending;
    int64_t *nodes; /* [count] owned */
    size_t count;
    bool marked;
};

void mending_open(struct mending *g, struct app *x);
void mending_release(struct mending *g); /* its menu is not to be chosen from any more */
/* Finds out about that problem, where it is not the one that is known. Its strings are copied. */
void mending_follow(struct mending *g, const struct orphan *orphan);
/* The store changed: it is found out again. */
void mending_changed(struct mending *g);
/* "mends: restore, it stands again; retract, …", or what else can be done, in as many rows as the pane has. */
void mending_draw(const struct mending *g, const struct pane *p);

/* Offers them for those memories, which all have that problem: the one under the cursor, or the marked ones. */
void mending_offer(struct mending *g, const int64_t *nodes, size_t count, bool marked);

#endif
