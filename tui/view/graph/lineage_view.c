#include "tui/view/graph/lineage_view.h"

#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/lineage/neighbours.h"
#include "store/record/get.h"
#include "tui/view/graph/graph_view.h"
#include "tui/view/memory/memory_views.h"

/* Expanding and collapsing a lineage, changes by others, and switching between drawing and outline. */

static void release_opening(struct opening *o)
{
    free(o->apart);
    drawing_drop(o->before);
    drawing_drop(o->after);
}

void graph_view_release_openings(struct graph_view *g)
{
    for (size_t i = 0; i < g->openings; i++)
        release_opening(&g->opening[i]);
    free(g->opening);
}

/* Makes the request from all expand and collapse steps. */
static void make_request(struct graph_view *g)
{
    struct subgraph_request *w = &g->request;
    w->count = w->apart_count = 0;
    for (size_t i = 0; i < g->openings; i++) {
        const struct opening *o = &g->opening[i];
        for (size_t k = 0; k < o->expansions; k++)
            subgraph_expand(w, o->expansion[k]);
        if (o->apart_count)
            subgraph_ungroup(w, o->apart, o->apart_count);
    }
}

/* Takes ownership of what `o` references. */
static void add_opening(struct graph_view *g, struct opening o)
{
    ARRAY_ROOM(g->opening, g->openings, g->opening_alloc, 1);
    o.before = drawing_hold(g->drawing);
    g->opening[g->openings++] = o;
    make_request(g);
    graph_view_load(g, ARRIVE_IN_PLACE, g->drawing);
}

/* Removing the last step restores the drawing before it, if nothing else was drawn since. */
static void drop_opening(struct graph_view *g, size_t index)
{
    struct opening o = g->opening[index];
    bool last = index + 1 == g->openings;
    bool together = index > 0 && g->opening[index - 1].after == o.after;
    memmove(g->opening + index, g->opening + index + 1,
            (g->openings - index - 1) * sizeof(*g->opening));
    g->openings--;
    make_request(g);
    if (last && !together && o.after == g->drawing)
        graph_view_restore(g, o.before);
    else
        graph_view_load(g, ARRIVE_IN_PLACE, last ? o.before : g->drawing);
    release_opening(&o);
}

static bool is_closing(const struct opening *o)
{
    return o->expansions > 0 && o->expansion[0].count == 0;
}

/* ---- a new drawing ---- */

void graph_view_loaded(struct graph_view *g)
{
    for (size_t i = 0; i < g->openings; i++)
        if (!g->opening[i].after)
            g->opening[i].after = drawing_hold(g->drawing);
}

/* Whether the step made the memory visible. */
static bool came_with(const struct opening *o, const struct subgraph_node *n)
{
    return o->after && drawing_find(o->after, n->id) != PICTURE_NONE &&
           drawing_find(o->before, n->id) == PICTURE_NONE;
}

void graph_view_load_failed(struct graph_view *g)
{
    while (g->openings > 0 && !g->opening[g->openings - 1].after)
        release_opening(&g->opening[--g->openings]);
    make_request(g);
}

/* ---- expanding ---- */

/* Splits off the first members; a chain may have a thousand. The rest stays one node. */
static void take_apart(struct graph_view *g, const struct subgraph_node *n)
{
    struct opening o = {.apart_count =
                            n->members < SUBGRAPH_MEMBERS ? n->members : SUBGRAPH_MEMBERS};
    o.apart = xmalloc((n->members ? n->members : 1) * sizeof(*o.apart));
    memcpy(o.apart, n->member, o.apart_count * sizeof(*o.apart));
    add_opening(g, o);
}

static void add_expansion(struct opening *o, struct expansion expansion)
{
    o->of = expansion.row;
    o->expansion[o->expansions++] = expansion;
}

static bool expand_group(struct graph_view *g, const struct subgraph_node *n)
{
    struct opening o = {0};
    if (n->type == SUBGRAPH_EQUIVALENT || n->type == SUBGRAPH_CHAIN) {
        take_apart(g, n);
    } else if (n->type == SUBGRAPH_MORE) {
        add_expansion(&o, (struct expansion){n->row, n->side, (int)n->kind, SUBGRAPH_MEMBERS});
        add_opening(g, o);
    } else {
        return false;
    }
    return true;
}

/* The index of the step that collapsed one of these sides of the memory; SIZE_MAX if none. */
static size_t find_closing(const struct graph_view *g, int64_t row, unsigned sides)
{
    for (size_t i = g->openings; i-- > 0;)
        if (g->opening[i].of == row && is_closing(&g->opening[i]) &&
            sides >> g->opening[i].expansion[0].side & 1)
            return i;
    return SIZE_MAX;
}

/* A SUBGRAPH_MORE on that side of the memory, or NULL. */
static const struct subgraph_node *find_rest(const struct drawing *d, int64_t row,
                                             enum direction side)
{
    for (uint32_t i = 0; i < d->chart.subgraph.nodes; i++) {
        const struct subgraph_node *n = &d->chart.subgraph.node[i];
        if (n->type == SUBGRAPH_MORE && n->row == row && n->side == side)
            return n;
    }
    return NULL;
}

static void expand_side(struct graph_view *g, const struct subgraph_node *n, enum direction side,
                        struct opening *o)
{
    const struct subgraph_node *rest = find_rest(g->drawing, n->row, side);
    if (n->hidden[side])
        add_expansion(o, (struct expansion){n->row, side, -1, SUBGRAPH_MEMBERS});
    else if (rest)
        add_expansion(o, (struct expansion){n->row, side, (int)rest->kind, SUBGRAPH_MEMBERS});
}

/* `sides`: a bit for each enum direction. */
static void expand(struct graph_view *g, unsigned sides)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct subgraph_node *n = drawing_subgraph(g->drawing, node);
    struct opening o = {0};
    if (expand_group(g, n))
        return;
    size_t closing = find_closing(g, n->row, sides);
    for (int side = 0; side < 2; side++)
        if (sides >> side & 1)
            expand_side(g, n, (enum direction)side, &o);
    if (closing != SIZE_MAX)
        drop_opening(g, closing);
    else if (o.expansions > 0)
        add_opening(g, o);
    else
        ui_message(g->view.ui, "everything that it is %s is in view",
                   sides == 1u << ANCESTORS     ? "based on"
                   : sides == 1u << DESCENDANTS ? "used by"
                                                : "based on and used by");
}

void graph_view_expand(struct view *v)
{
    expand(graph_of(v), 1u << ANCESTORS | 1u << DESCENDANTS);
}

void graph_view_expand_side(struct graph_view *g, enum direction side)
{
    expand(g, 1u << side);
}

/* ---- collapsing ---- */

static bool has_row(const int64_t *row, size_t count, int64_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (row[i] == wanted)
            return true;
    return false;
}

/* The index of the last step that showed the memory or its neighbours; SIZE_MAX if none. */
static size_t find_opening(const struct graph_view *g, const struct subgraph_node *n)
{
    for (size_t i = g->openings; i-- > 0;) {
        const struct opening *o = &g->opening[i];
        if (!is_closing(o) &&
            (o->of == n->row || has_row(o->apart, o->apart_count, n->row) || came_with(o, n)))
            return i;
    }
    return SIZE_MAX;
}

/* The direction that leads away from the focus; descendants in its own layer. */
static enum direction away(const struct graph_view *g, uint32_t node)
{
    const struct layout *l = &g->drawing->chart.layout;
    uint32_t focus = chart_drawn(&g->drawing->chart, 0);
    if (g->show != SHOW_BOTH)
        return g->show == SHOW_DESCENDANTS ? DESCENDANTS : ANCESTORS;
    return l->node[node].layer < l->node[focus].layer ? ANCESTORS : DESCENDANTS;
}

static bool has_edges(const struct drawing *d, uint32_t node, enum direction side)
{
    const struct picture *p = &d->chart.picture;
    for (uint32_t e = 0; e < p->edges; e++)
        if ((side == ANCESTORS ? p->edge[e].from : p->edge[e].to) == node)
            return true;
    return false;
}

static void close_side(struct graph_view *g, uint32_t node, const struct subgraph_node *n)
{
    enum direction side = away(g, node);
    struct opening o = {0};
    if (!subgraph_is_single(n))
        ui_message(g->view.ui, "it is already a group; + shows its members");
    else if (n->row == g->focus)
        ui_message(g->view.ui, "this memory is the root; - hides what you expanded");
    else if (!has_edges(g->drawing, node, side))
        ui_message(g->view.ui, "it has no neighbours here");
    else {
        add_expansion(&o, (struct expansion){n->row, side, -1, 0});
        add_opening(g, o);
    }
}

void graph_view_collapse(struct view *v)
{
    struct graph_view *g = graph_of(v);
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct subgraph_node *n = drawing_subgraph(g->drawing, node);
    size_t opening = find_opening(g, n);
    if (opening != SIZE_MAX)
        drop_opening(g, opening);
    else
        close_side(g, node, n);
}

static void add_heading(const struct subgraph_node *n, struct strbuf *out)
{
    const char *kind = kind_spec(n->kind)->plural;
    if (n->type == SUBGRAPH_MORE)
        strbuf_addf(out, "%zu%s more %s", n->total, n->total_bounded ? "+" : "", kind);
    else if (n->type == SUBGRAPH_EQUIVALENT)
        strbuf_addf(out, "%zu %s with the same neighbours", n->total, kind);
    else
        strbuf_addf(out, "%zu in a row, each with one neighbour on each side", n->total);
}

static void draw_member(struct app *x, const struct pane *p, int row, int64_t node)
{
    const struct memory_row *m = details_row(x, node);
    const struct detail *d = details_of(&x->details, node);
    AUTO_STRBUF ref = STRBUF_INIT;
    if (!m)
        return;
    details_ref(x, m, &ref);
    if (d)
        paint_label(p, row, 1, d->label.label);
    paint_bytes(p, row, 3, 22, STYLE_REF, ref.buf, ref.len);
    if (m->text)
        paint_text(p, row, 26, p->width - 27, STATUS_LIVES(m->status) ? STYLE_TEXT : STYLE_DIM,
                   m->text);
}

void graph_view_group_preview(struct graph_view *g, const struct pane *p)
{
    uint32_t node = graph_view_cursor(g);
    AUTO_STRBUF heading = STRBUF_INIT;
    int row = 0;
    if (node == PICTURE_NONE)
        return;
    const struct subgraph_node *n = drawing_subgraph(g->drawing, node);
    add_heading(n, &heading);
    paint_rule(p, row++, heading.buf, "");
    for (size_t i = 0; i < n->members && row < p->height; i++)
        draw_member(g->view.app, p, row++, n->member[i]);
    if (n->total > n->members && row < p->height)
        paint_format(p, row, 3, p->width - 4, STYLE_DIM, "%zu more; Enter shows the next %d",
                     n->total - n->members, SUBGRAPH_MEMBERS);
}

/* ---- as a list ---- */

static void title_neighbours(struct app *x, struct neighbour_list *b)
{
    const struct memory_row *row = details_row(x, b->of);
    AUTO_STRBUF ref = STRBUF_INIT;
    if (row)
        details_ref(x, row, &ref);
    snprintf(b->title, sizeof(b->title), "%.60s %s %s", ref.buf,
             b->side == ANCESTORS ? "based on" : "used by", kind_spec(b->kind)->plural);
}

void graph_view_list_group(struct view *v)
{
    struct graph_view *g = graph_of(v);
    struct app *x = g->view.app;
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    const struct subgraph_node *n = drawing_subgraph(g->drawing, node);
    struct neighbour_list b = {.kind = n->kind, .side = n->side};
    if (subgraph_is_single(n)) {
        ui_message(&x->ui, "this is a single memory; # lists the members of a group");
        return;
    }
    if (n->type == SUBGRAPH_MORE) {
        b.of = n->row;
        title_neighbours(x, &b);
    } else {
        b.row = (int64_t *)(uintptr_t)n->member; /* only to be copied */
        b.count = n->members;
        snprintf(b.title, sizeof(b.title), "%zu %s", n->members, kind_spec(n->kind)->plural);
    }
    app_push(x, x->above->neighbours(&x->ui, &b));
}

#define ASKED_MAX  64   /* memories whose links are read for one notification */
#define EVENTS_MAX 1000 /* events that are read */

struct change_counter {
    struct graph_view *g;
    struct subgraph_source source;
    struct row_index rows; /* visible memories, including members of nodes */
    struct arena arena;
    size_t asked;
    bool own; /* one of the events was made here */
};

static void add_rows(struct change_counter *n)
{
    const struct subgraph *s = &n->g->drawing->chart.subgraph;
    for (uint32_t i = 0; i < s->nodes; i++) {
        const struct subgraph_node *node = &s->node[i];
        if (subgraph_is_single(node))
            row_index_add(&n->rows, node->row);
        for (size_t k = 0; !subgraph_is_single(node) && k < node->members; k++)
            row_index_add(&n->rows, node->member[k]);
    }
}

/* Whether it is linked with a visible memory. */
static bool is_tied(struct change_counter *n, int64_t row)
{
    for (int side = 0; side < 2; side++) {
        struct subgraph_ties ties;
        struct error e;
        if (n->source.among(n->source.of, &n->arena, row, (enum direction)side, &n->rows,
                            n->rows.count, &ties, &e) ||
            ties.count > 0)
            return true;
    }
    return false;
}

static bool concerns(struct change_counter *n, int64_t row)
{
    if (row_index_find(&n->rows, row) != ROW_NONE)
        return true;
    /* Memories whose links were not read may be linked. */
    return n->asked++ >= ASKED_MAX || is_tied(n, row);
}

static void count_events(struct change_counter *n, const struct event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (events[i].subject <= 0 || !concerns(n, events[i].subject))
            continue;
        if (pending_is_own(n->g->view.app->options, &events[i]))
            n->own = true;
        else
            n->g->changes++;
    }
}

/* Reads events that were not passed on: those of the journal since the drawing was read, if they are not too many. */
static void count_unlisted(struct change_counter *n)
{
    struct event *events;
    struct error e;
    size_t count;
    n->g->changes = 0;
    if (journal_read(n->g->view.ui->data->reader, &n->arena, n->g->drawing->seen, EVENTS_MAX,
                     &events, &count, &e) ||
        count == EVENTS_MAX)
        n->g->stale = true;
    else
        count_events(n, events, count);
}

/* Own changes are drawn at once. */
void graph_view_notify(struct view *v, const struct event *events, size_t count, bool whole)
{
    struct graph_view *g = graph_of(v);
    struct change_counter n = {.g = g, .rows = ROW_INDEX_INIT, .arena = ARENA_INIT};
    struct error e;
    if (!drawing_is_drawn(g->drawing) || reader_begin(v->ui->data->reader, &e)) {
        g->stale = g->stale || whole;
        return;
    }
    n.source = neighbours_of(v->ui->data->reader);
    add_rows(&n);
    if (whole)
        count_unlisted(&n);
    else
        count_events(&n, events, count);
    reader_end(v->ui->data->reader);
    row_index_release(&n.rows);
    arena_release(&n.arena);
    if (n.own)
        graph_view_load(g, ARRIVE_IN_PLACE, g->drawing);
}

static bool no_room(const struct ui *ui)
{
    const char *terminal = getenv("TERM");
    return ui->screen.speaks || ui->screen.columns < CHART_NARROW ||
           (terminal && !strcmp(terminal, "dumb"));
}

struct view *lineage_view_new(struct app *x, int64_t node, enum subgraph_show show)
{
    if (x->prefs.graph_style == CHART_OUTLINE || no_room(&x->ui))
        return outline_view_new(x, node, show, NULL, x->prefs.graph_style != CHART_OUTLINE);
    return graph_view_new(x, node, show, (enum chart_style)x->prefs.graph_style);
}

bool lineage_is_shown(struct view *top, int64_t node, enum subgraph_show show)
{
    struct view *v = top;
    if (view_is_graph(v))
        return graph_of(v)->focus == node && graph_of(v)->show == show;
    return view_is_outline(v) && outline_of(v)->node == node && outline_of(v)->show == show;
}

/* ---- switching between drawing and outline ---- */

static void take_outline(struct app *x, bool for_room)
{
    struct graph_view *g = graph_of(x->nav.top);
    int64_t cursor = g->wanted ? g->wanted : view_node(x->nav.top);
    bool too_much = g->wants_outline && g->drawing->chart.large;
    struct view *v = outline_view_new(x, g->focus, g->show, x->nav.top, for_room);
    outline_view_find(v, cursor);
    app_exchange(x, v);
    if (too_much)
        ui_message(&x->ui, "more than %d memories, so this is an outline; , draws it anyway",
                   CHART_LARGE);
}

/* Shows the drawing that the outline replaced, or a new one in that style. */
static void take_drawing(struct app *x, enum chart_style style)
{
    const struct outline_view *o = outline_of(x->nav.top);
    int64_t cursor = view_node(x->nav.top), focus = o->node;
    struct view *drawn = o->drawing;
    struct view *v = drawn ? view_hold(drawn) : graph_view_new(x, focus, o->show, style);
    struct graph_view *g = graph_of(v);
    bool other = drawn && style != g->style;
    g->style = style;
    g->wants_outline = false;
    app_exchange(x, v);
    /* If the outline does not have the drawing's memory, its cursor is at the root. That is not a choice of the
     * person, so return to where the drawing was left. */
    bool left = cursor == focus && drawn && view_node(v) == 0;
    if (!drawing_is_drawn(g->drawing))
        g->wanted = left && g->wanted ? g->wanted : cursor;
    else if (!left && cursor && drawing_find_row(g->drawing, cursor) != PICTURE_NONE)
        graph_view_select(g, drawing_find_row(g->drawing, cursor));
    if (other)
        graph_view_load(g, ARRIVE_AT_FOCUS, NULL);
}

void lineage_fit(struct app *x)
{
    bool busy = x->ui.modal, room = !no_room(&x->ui);
    if (busy)
        return;
    if (view_is_graph(x->nav.top)) {
        struct graph_view *g = graph_of(x->nav.top);
        if (g->wants_outline || (!room && !g->outline_refused))
            take_outline(x, !room);
    } else if (room && view_is_outline(x->nav.top) && outline_of(x->nav.top)->for_room) {
        take_drawing(x, (enum chart_style)x->prefs.graph_style);
    }
}

/* A drawing says nothing to a screen reader. */
static bool refuses_drawing(struct app *x)
{
    if (x->ui.screen.speaks)
        ui_message(&x->ui, "a screen reader has the outline: drawings are left out");
    return x->ui.screen.speaks;
}

void lineage_exchange(struct app *x)
{
    if (refuses_drawing(x))
        return;
    if (view_is_graph(x->nav.top)) {
        take_outline(x, false);
        return;
    }
    /* If a drawing is requested although there is no room, draw what fits best. */
    bool suits = !no_room(&x->ui);
    struct view *drawn = outline_of(x->nav.top)->drawing;
    suits = suits && !(drawn && graph_of(drawn)->wants_outline);
    enum chart_style style = (enum chart_style)x->prefs.graph_style;
    if (drawn && drawing_is_drawn(graph_of(drawn)->drawing))
        style = graph_of(drawn)->style; /* keep its style even if it is large */
    else if (style == CHART_OUTLINE || (style == CHART_AUTO && !suits))
        style = suits ? CHART_AUTO : CHART_LR;
    take_drawing(x, style);
    graph_of(x->nav.top)->outline_refused = no_room(&x->ui);
}

void lineage_draw_as(struct app *x, enum chart_style style)
{
    if (style != CHART_OUTLINE && refuses_drawing(x))
        return;
    x->prefs.graph_style = (int)style;
    if (!view_is_graph(x->nav.top) && !view_is_outline(x->nav.top))
        return;
    if (style == CHART_OUTLINE) {
        if (view_is_graph(x->nav.top))
            take_outline(x, false);
        outline_of(x->nav.top)->for_room = false;
        return;
    }
    if (!view_is_graph(x->nav.top)) {
        take_drawing(x, style);
        graph_of(x->nav.top)->outline_refused = no_room(&x->ui);
        return;
    }
    graph_of(x->nav.top)->style = style;
    graph_view_load(graph_of(x->nav.top), ARRIVE_AT_FOCUS, NULL);
}
