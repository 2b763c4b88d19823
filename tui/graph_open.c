/* More and less of a lineage in view. */
#include "graph_view.h"

#include "../model/alloc.h"

static void say_no_memory(struct graph_view *g)
{
    app_say(g->view.app, "there is no memory left for more");
}

/* ---- more ---- */

static void wish(struct graph_view *g, struct scene_wish w)
{
    if (scene_wish(&g->wishes, w))
        say_no_memory(g);
    else
        graph_view_load(g, ARRIVE_IN_PLACE, true);
}

static void take_apart(struct graph_view *g, const struct scene_node *n)
{
    if (!array_grow((void **)&g->apart, &g->apart_alloc, g->apart_count, sizeof(*g->apart))) {
        say_no_memory(g);
        return;
    }
    g->apart[g->apart_count] = (struct apart){g->wishes.apart_count, n->members};
    if (scene_wish_apart(&g->wishes, n->member, n->members)) {
        say_no_memory(g);
        return;
    }
    g->apart_count++;
    graph_view_load(g, ARRIVE_IN_PLACE, true);
}

/* A wish that closed that side of the row; it is the last about it. */
static size_t closing_wish(const struct graph_view *g, int64_t row, enum direction side)
{
    for (size_t i = g->wishes.count; i-- > 0;)
        if (g->wishes.wish[i].row == row && g->wishes.wish[i].side == side)
            return g->wishes.wish[i].count == 0 ? i : SIZE_MAX;
    return SIZE_MAX;
}

static void drop_wish(struct graph_view *g, size_t index)
{
    struct scene_wishes *w = &g->wishes;
    memmove(w->wish + index, w->wish + index + 1, (w->count - index - 1) * sizeof(*w->wish));
    w->count--;
}

/* What hangs on one side of a memory; false where nothing does. */
static bool wish_side(struct graph_view *g, const struct scene_node *n, enum direction side)
{
    size_t closing = closing_wish(g, n->row, side);
    if (closing != SIZE_MAX)
        drop_wish(g, closing);
    else if (n->hidden[side] == 0)
        return false;
    else if (scene_wish(&g->wishes, (struct scene_wish){n->row, side, -1, SCENE_MEMBERS}))
        say_no_memory(g);
    return true;
}

static bool expand_group(struct graph_view *g, const struct scene_node *n)
{
    if (n->sort == SCENE_MORE)
        wish(g, (struct scene_wish){n->row, n->side, (int)n->kind, SCENE_MEMBERS});
    else if (n->sort == SCENE_TWINS || n->sort == SCENE_CHAIN)
        take_apart(g, n);
    else
        return false;
    return true;
}

void graph_view_expand(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    struct scene_node n = *drawing_scene(g->drawing, node);
    if (expand_group(g, &n))
        return;
    bool before = wish_side(g, &n, DESCENDANTS), after = wish_side(g, &n, ANCESTORS);
    if (before || after)
        graph_view_load(g, ARRIVE_IN_PLACE, true);
    else
        app_say(g->view.app, "all that it rests on and carries is in view");
}

void graph_view_expand_side(struct graph_view *g, enum direction side)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    struct scene_node n = *drawing_scene(g->drawing, node);
    if (expand_group(g, &n))
        return;
    if (wish_side(g, &n, side))
        graph_view_load(g, ARRIVE_IN_PLACE, true);
    else
        app_say(g->view.app, "all that it %s is in view",
                side == ANCESTORS ? "rests on" : "carries");
}

/* ---- less ---- */

/* Twins or a chain to which the row belonged; they stand as one again. */
static bool put_together(struct graph_view *g, int64_t row)
{
    struct scene_wishes *w = &g->wishes;
    for (size_t i = g->apart_count; i-- > 0;) {
        struct apart a = g->apart[i];
        for (size_t k = 0; k < a.count; k++) {
            if (w->apart[a.first + k] != row)
                continue;
            size_t end = a.first + a.count;
            memmove(w->apart + a.first, w->apart + end, (w->apart_count - end) * sizeof(*w->apart));
            w->apart_count -= a.count;
            memmove(g->apart + i, g->apart + i + 1, (g->apart_count - i - 1) * sizeof(*g->apart));
            g->apart_count--;
            for (size_t j = i; j < g->apart_count; j++)
                g->apart[j].first -= a.count;
            return true;
        }
    }
    return false;
}

/* The wish that was made last about the row, if it shows more. */
static bool undo_wish(struct graph_view *g, int64_t row)
{
    for (size_t i = g->wishes.count; i-- > 0;) {
        if (g->wishes.wish[i].row != row)
            continue;
        if (g->wishes.wish[i].count == 0)
            return false;
        drop_wish(g, i);
        return true;
    }
    return false;
}

/* What it rests on, or carries: which of the two leads away from the focus. Where both do, what is after it. */
static enum direction away(const struct graph_view *g, uint32_t node)
{
    const struct layout *l = &g->drawing->chart.layout;
    uint32_t focus = chart_drawn(&g->drawing->chart, 0);
    if (g->show != SCENE_BOTH)
        return g->show == SCENE_CARRIES ? DESCENDANTS : ANCESTORS;
    return l->node[node].layer < l->node[focus].layer ? DESCENDANTS : ANCESTORS;
}

static bool has_edges(const struct drawing *d, uint32_t node, enum direction side)
{
    const uint32_t *first = side == ANCESTORS ? d->out_first : d->in_first;
    return first[node + 1] > first[node];
}

void graph_view_collapse(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    struct scene_node n = *drawing_scene(g->drawing, node);
    bool memory = n.sort == SCENE_MEMORY || n.sort == SCENE_GHOST;
    if (undo_wish(g, n.row) || put_together(g, n.row)) {
        graph_view_load(g, ARRIVE_IN_PLACE, true);
        return;
    }
    enum direction side = away(g, node);
    if (!memory)
        app_say(g->view.app, "it stands for several already; + shows them");
    else if (n.row == g->focus)
        app_say(g->view.app, "this is what all of it is about; - is for what was opened");
    else if (!has_edges(g->drawing, node, side))
        app_say(g->view.app, "nothing hangs on it here");
    else
        wish(g, (struct scene_wish){n.row, side, -1, 0});
}
