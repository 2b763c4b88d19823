/* Views of shared memory (entries). */
#ifndef STEMMA_SHARED_VIEWS_H
#define STEMMA_SHARED_VIEWS_H

#include "tui/widget/view.h"

struct permission_rule;

/* The namespaces, with their limits and usage. */

struct view *namespaces_view_new(struct ui *ui);

/* The entries of a namespace: key, version, time to live, and the value in one line. */
struct view *entries_view_new(struct ui *ui, const char *name);

/* The permissions of an agent in each namespace, by the current rules. `agent` is NULL for one without its own
 * grants. */
struct view *permissions_view_new(struct ui *ui, const char *agent);
/* Shows the permissions of another agent. */
void permissions_view_of(struct view *v, const char *agent);

/* Draws the rule that decides for each tool, from row *row of the pane on. */
void permission_rules_draw(struct view *v, const struct pane *p, int *row,
                           const struct permission_rule *rules);

#endif
