/*
 * The list of memories: of a kind, of all, or what a search found.
 *
 * It is an array of row ids in their order. The first page is read at once, so that the first frame
 * waits for nothing; the whole order comes from the worker. What is new is put in its place without
 * moving the cursor.
 */
#ifndef STEMMA_VIEW_LIST_H
#define STEMMA_VIEW_LIST_H

#include "tui/widget/view.h"

/* Of a kind, or of ROOT_ALL. */
struct view *list_view_new(struct app *x, int root);
/* What the words find; `kinds` as in search.h. */
struct view *list_view_search(struct app *x, const char *words, unsigned kinds);

/* What stands beside a memory in a drawing; copied. */
struct beside;
struct view *list_view_beside(struct app *x, const struct beside *b);

/* Of a view that is a list: the kind, or ROOT_ALL. */
int list_view_root(const struct view *v);
/* Of a view that is a list: what it is filtered by; "" is nothing. */
bool view_is_list(const struct view *v);
const char *list_view_filter(const struct view *v);
void list_view_set_filter(struct view *v, const char *pattern);
/* A filter that is being typed is not given up by Esc's first press alone. */
bool list_view_is_search(const struct view *v);
/* Why another order changes nothing in it; NULL: it does. */
const char *list_view_own_order(const struct view *v);
/* Reads it again from the store, by the agent and order that hold now; the cursor stays. */
void list_view_reload(struct view *v);

#endif
