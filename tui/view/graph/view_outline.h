/* Lineage as an outline, in either direction or both. */
#ifndef STEMMA_VIEW_OUTLINE_H
#define STEMMA_VIEW_OUTLINE_H

#include "model/subgraph/scene.h"
#include "tui/widget/view.h"

/*
 * `drawing`: the view that it stands for, which it holds; NULL: none was drawn. `for_room`: only as long as there is no
 * room for a drawing.
 */
struct view *outline_view_new(struct app *x, int64_t node, enum scene_show show,
                              struct view *drawing, bool for_room);

/* Puts the cursor on that memory as soon as it is known where it stands. */
void outline_view_find(struct view *v, int64_t node);

/* Of a view that is an outline; of another nothing, NULL, false. */
enum scene_show outline_view_about(const struct view *v, int64_t *node);
struct view *outline_view_drawing(const struct view *v); /* not held for the caller */
bool outline_view_is_for_room(const struct view *v);
/* It is wanted, whatever room there is. */
void outline_view_stay(struct view *v);

#endif
