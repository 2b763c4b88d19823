/* The views of shared memory. */
#ifndef STEMMA_SHARED_VIEWS_H
#define STEMMA_SHARED_VIEWS_H

#include "tui/widget/view.h"

/* Shared memory: its namespaces, each with what it is held to and how full it is. */

struct view *namespaces_view_new(struct app *x);
/* Another order of them, by its name; "": asks which. */
void namespaces_view_order(struct view *v, const char *name);

/* The entries of a namespace: key, version, how long each still lives, its value in a line. */

struct view *entries_view_new(struct app *x, const char *name);

/* What an agent may do with the entries of each namespace, by the rules that hold now. */

/* `agent` NULL: one that has no grants of its own. */
struct view *permissions_view_new(struct app *x, const char *agent);
void permissions_view_of(struct view *v, const char *agent);

/* Which rule decides each of the tools, from that row of the pane on. */
struct permission_rule;
void permission_rules_draw(struct view *v, const struct pane *p, int *row,
                           const struct permission_rule *rules);

#endif
