/* More and less of a lineage in view. */
#include "tui/view/graph/graph_view.h"

#include "model/base/alloc.h"

static void say_no_memory(struct graph_view *g)
{
    app_say(g->view.app, "there is no memory left for more");
}

static void release_opening(struct opening *o)
{
    free(o->apart);
    free(o->shown);
    drawing_drop(o->before);
}

void graph_view_release_openings(struct graph_view *g)
{
    for (size_t i = 0; i < g->openings; i++)
        release_opening(&g->opening[i]);
    free(g->opening);
}

/* The wishes follow from what was opened. */
static int wish_anew(struct graph_view *g)
{
    struct scene_wishes *w = &g->wishes;
    int failed = 0;
    w->count = w->apart_count = 0;
    for (size_t i = 0; i < g->openings && !failed; i++) {
        const struct opening *o = &g->opening[i];
        for (size_t k = 0; k < o->wishes && !failed; k++)
            failed = scene_wish(w, o->wish[k]);
        if (o->apart_count && !failed)
            failed = scene_wish_apart(w, o->apart, o->apart_count);
    }
    if (failed)
        say_no_memory(g);
    return failed;
}

/* Takes over what it holds. */
static void add_opening(struct graph_view *g, struct opening o)
{
    if (!array_grow((void **)&g->opening, &g->opening_alloc, g->openings, sizeof(*g->opening))) {
        release_opening(&o);
        say_no_memory(g);
        return;
    }
    o.before = drawing_hold(g->drawing);
    o.serial_before = g->serial;
    o.seen_before = g->seen;
    g->opening[g->openings++] = o;
    if (!wish_anew(g))
        graph_view_load(g, ARRIVE_IN_PLACE, g->drawing);
}

/* What was opened last leaves things as they were before it, where nothing else was drawn since. */
static void drop_opening(struct graph_view *g, size_t index)
{
    struct opening o = g->opening[index];
    bool last = index + 1 == g->openings;
    bool together = index > 0 && g->opening[index - 1].serial == o.serial;
    memmove(g->opening + index, g->opening + index + 1,
            (g->openings - index - 1) * sizeof(*g->opening));
    g->openings--;
    if (!wish_anew(g)) {
        if (last && !together && o.arrived && o.serial == g->serial)
            graph_view_restore(g, &o);
        else
            graph_view_load(g, ARRIVE_IN_PLACE, last ? o.before : g->drawing);
    }
    release_opening(&o);
}

static bool is_closing(const struct opening *o)
{
    return o->wishes > 0 && o->wish[0].count == 0;
}

/* ---- what came ---- */

static size_t new_rows(const struct drawing *d, const struct drawing *before, int64_t *rows)
{
    size_t count = 0;
    for (uint32_t i = 0; i < d->chart.scene.nodes; i++) {
        const struct scene_node *n = &d->chart.scene.node[i];
        bool single = n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST;
        if (single && drawing_find(before, n->id) == PICTURE_NONE)
            rows[count++] = n->row;
    }
    return count;
}

void graph_view_arrived(struct graph_view *g, const struct drawing *before)
{
    struct opening *last = NULL;
    for (size_t i = 0; i < g->openings; i++) {
        if (g->opening[i].arrived)
            continue;
        last = &g->opening[i];
        last->arrived = true;
        last->serial = g->serial;
        last->news_missed = g->news;
    }
    if (!last && g->openings > 0 && !drawing_is_drawn(before)) { /* an outline stood for it */
        last = &g->opening[g->openings - 1];
        before = last->before;
    }
    if (!last || last->shown || !drawing_is_drawn(before) || !drawing_is_drawn(g->drawing))
        return;
    last->shown = xmalloc((size_t)g->drawing->chart.scene.nodes * sizeof(*last->shown));
    if (last->shown)
        last->shown_count = new_rows(g->drawing, before, last->shown);
}

void graph_view_did_not_arrive(struct graph_view *g)
{
    while (g->openings > 0 && !g->opening[g->openings - 1].arrived)
        release_opening(&g->opening[--g->openings]);
    wish_anew(g);
}

/* ---- more ---- */

/* A chain may have a thousand members: the first ones, and the rest still stands as one. */
static void take_apart(struct graph_view *g, const struct scene_node *n)
{
    struct opening o = {.apart_count = n->members < SCENE_MEMBERS ? n->members : SCENE_MEMBERS};
    o.apart = xmalloc((n->members ? n->members : 1) * sizeof(*o.apart));
    if (!o.apart) {
        say_no_memory(g);
        return;
    }
    memcpy(o.apart, n->member, o.apart_count * sizeof(*o.apart));
    add_opening(g, o);
}

static void add_wish(struct opening *o, struct scene_wish wish)
{
    o->of = wish.row;
    o->wish[o->wishes++] = wish;
}

static bool expand_group(struct graph_view *g, const struct scene_node *n)
{
    struct opening o = {0};
    if (n->sort == SCENE_TWINS || n->sort == SCENE_CHAIN) {
        take_apart(g, n);
    } else if (n->sort == SCENE_MORE) {
        add_wish(&o, (struct scene_wish){n->row, n->side, (int)n->kind, SCENE_MEMBERS});
        add_opening(g, o);
    } else {
        return false;
    }
    return true;
}

/* What closed one of these sides of the memory, as its place; SIZE_MAX: nothing did. */
static size_t find_closing(const struct graph_view *g, int64_t row, unsigned sides)
{
    for (size_t i = g->openings; i-- > 0;)
        if (g->opening[i].of == row && is_closing(&g->opening[i]) &&
            sides >> g->opening[i].wish[0].side & 1)
            return i;
    return SIZE_MAX;
}

/* The rest of some kind that hangs on that side of the memory; NULL: there is none. */
static const struct scene_node *find_rest(const struct drawing *d, int64_t row, enum direction side)
{
    for (uint32_t i = 0; i < d->chart.scene.nodes; i++) {
        const struct scene_node *n = &d->chart.scene.node[i];
        if (n->sort == SCENE_MORE && n->row == row && n->side == side)
            return n;
    }
    return NULL;
}

static void wish_side(struct graph_view *g, const struct scene_node *n, enum direction side,
                      struct opening *o)
{
    const struct scene_node *rest = find_rest(g->drawing, n->row, side);
    if (n->hidden[side])
        add_wish(o, (struct scene_wish){n->row, side, -1, SCENE_MEMBERS});
    else if (rest)
        add_wish(o, (struct scene_wish){n->row, side, (int)rest->kind, SCENE_MEMBERS});
}

/* `sides`: a bit for each enum direction. */
static void expand(struct graph_view *g, unsigned sides)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct scene_node *n = drawing_scene(g->drawing, node);
    struct opening o = {0};
    if (expand_group(g, n))
        return;
    size_t closing = find_closing(g, n->row, sides);
    for (int side = 0; side < 2; side++)
        if (sides >> side & 1)
            wish_side(g, n, (enum direction)side, &o);
    if (closing != SIZE_MAX)
        drop_opening(g, closing);
    else if (o.wishes > 0)
        add_opening(g, o);
    else
        app_say(g->view.app, "all that it %s is in view",
                sides == 1u << ANCESTORS     ? "rests on"
                : sides == 1u << DESCENDANTS ? "carries"
                                             : "rests on and carries");
}

void graph_view_expand(struct graph_view *g)
{
    expand(g, 1u << ANCESTORS | 1u << DESCENDANTS);
}

void graph_view_expand_side(struct graph_view *g, enum direction side)
{
    expand(g, 1u << side);
}

/* ---- less ---- */

static bool has_row(const int64_t *row, size_t count, int64_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (row[i] == wanted)
            return true;
    return false;
}

/* What showed the memory, or what hangs on it, last; SIZE_MAX: nothing did. */
static size_t find_opening(const struct graph_view *g, const struct scene_node *n)
{
    for (size_t i = g->openings; i-- > 0;) {
        const struct opening *o = &g->opening[i];
        if (!is_closing(o) && (o->of == n->row || has_row(o->apart, o->apart_count, n->row) ||
                               has_row(o->shown, o->shown_count, n->row)))
            return i;
    }
    return SIZE_MAX;
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

static void close_side(struct graph_view *g, uint32_t node, const struct scene_node *n)
{
    enum direction side = away(g, node);
    struct opening o = {0};
    if (n->sort != SCENE_MEMORY && n->sort != SCENE_GHOST)
        app_say(g->view.app, "it stands for several already; + shows them");
    else if (n->row == g->focus)
        app_say(g->view.app, "this is what all of it is about; - takes back what was opened");
    else if (!has_edges(g->drawing, node, side))
        app_say(g->view.app, "nothing hangs on it here");
    else {
        add_wish(&o, (struct scene_wish){n->row, side, -1, 0});
        add_opening(g, o);
    }
}

void graph_view_collapse(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct scene_node *n = drawing_scene(g->drawing, node);
    size_t opening = find_opening(g, n);
    if (opening != SIZE_MAX)
        drop_opening(g, opening);
    else
        close_side(g, node, n);
}
