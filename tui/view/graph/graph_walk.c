/* Walking through a drawing along its edges. */
#include "model/base/alloc.h"
#include "tui/view/graph/graph_view.h"

#include "model/base/strbuf.h"

void graph_view_light(struct graph_view *g)
{
    uint32_t node = graph_view_cursor(g);
    g->picked = PICTURE_NONE;
    if (node == PICTURE_NONE)
        return;
    size_t edges = g->drawing->chart.picture.edges;
    if (!g->lit)
        g->lit = xcalloc(edges ? edges : 1, 1);
    if (g->lit)
        drawing_light(g->drawing, node, g->lit); /* where memory ran out nothing is lit */
}

/* ---- along the edges ---- */

static bool along_flow(const struct graph_view *g, enum move move)
{
    bool right = g->drawing->chart.layout.options.flow == FLOW_RIGHT;
    return (move == MOVE_LEFT || move == MOVE_RIGHT) == right;
}

static void say_end(struct graph_view *g, uint32_t node, enum move move)
{
    const struct scene_node *n = drawing_scene(g->drawing, node);
    bool on = move == MOVE_RIGHT || move == MOVE_DOWN;
    size_t hidden = n->hidden[on ? ANCESTORS : DESCENDANTS];
    if (!along_flow(g, move))
        app_say(g->view.app, "nothing stands there");
    else if (hidden)
        app_say(g->view.app, "%zu more of what it %s; + shows them", hidden,
                on ? "rests on" : "carries");
    else
        app_say(g->view.app, on ? "it rests on nothing further" : "it carries nothing further");
}

void graph_view_walk(struct graph_view *g, enum move move)
{
    uint32_t node = graph_view_cursor(g);
    if (node == PICTURE_NONE)
        return;
    uint32_t next = moves_go(&g->drawing->moves, node, move);
    bool rest = drawing_scene(g->drawing, node)->sort == SCENE_MORE;
    if (next != node)
        graph_view_select(g, next);
    else if (rest && along_flow(g, move))
        graph_view_expand(g);
    else
        say_end(g, node, move);
}

/* Of the nodes layer by layer the last one that the focus' row leads to. */
void graph_view_go_last(struct graph_view *g)
{
    if (graph_view_cursor(g) == PICTURE_NONE)
        return;
    const struct layout *l = &g->drawing->chart.layout;
    uint32_t focus = chart_drawn(&g->drawing->chart, 0), last = l->layers - 1;
    /* The far end: of what carries it that is the first layer. */
    if (g->show == SCENE_CARRIES)
        last = 0;
    uint32_t best = focus;
    int64_t least = INT64_MAX;
    for (uint32_t i = l->layer_first[last]; i < l->layer_first[last + 1]; i++) {
        const struct layout_node *n = &l->node[l->layer_node[i]], *f = &l->node[focus];
        int64_t far = l->options.flow == FLOW_RIGHT ? n->row - f->row : n->column - f->column;
        far = far < 0 ? -far : far;
        if (far < least) {
            least = far;
            best = l->layer_node[i];
        }
    }
    graph_view_select(g, best);
}

/* ---- choosing an edge ---- */

static uint32_t other_end(const struct picture *p, uint32_t edge, uint32_t node)
{
    return p->edge[edge].from == node ? p->edge[edge].to : p->edge[edge].from;
}

/* Those that lead on first, in the order in which their other ends are drawn. */
static bool stands_before(const struct drawing *d, uint32_t node, uint32_t a, uint32_t b)
{
    const struct picture *p = &d->chart.picture;
    bool on_a = drawing_leads_on(d, a, node), on_b = drawing_leads_on(d, b, node);
    if (on_a != on_b)
        return on_a;
    uint32_t line_a = d->line[other_end(p, a, node)], line_b = d->line[other_end(p, b, node)];
    return line_a != line_b ? line_a < line_b : a < b;
}

static uint32_t edge_count(const struct drawing *d, uint32_t node)
{
    return d->out_first[node + 1] - d->out_first[node] + d->in_first[node + 1] - d->in_first[node];
}

static uint32_t edge_of(const struct drawing *d, uint32_t node, uint32_t index)
{
    uint32_t out = d->out_first[node + 1] - d->out_first[node];
    return index < out ? d->out_first[node] + index : d->edge_in[d->in_first[node] + index - out];
}

/* Its place in that order, from 0. */
static uint32_t rank_of(const struct drawing *d, uint32_t node, uint32_t edge)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < edge_count(d, node); i++) {
        uint32_t other = edge_of(d, node, i);
        rank += other != edge && stands_before(d, node, other, edge);
    }
    return rank;
}

static void add_strokes(uint8_t strokes, struct strbuf *out)
{
    bool more = false;
    for (int s = STROKE_COUNT; s-- > 0;) {
        if (!(strokes >> s & 1))
            continue;
        strbuf_addf(out, "%s%s", more ? ", " : "", graph_view_stroke_word((enum stroke)s));
        more = true;
    }
}

static void say_picked(struct graph_view *g, uint32_t node, uint32_t rank, uint32_t count)
{
    const struct drawing *d = g->drawing;
    const struct picture *p = &d->chart.picture;
    uint32_t other = other_end(p, g->picked, node);
    const struct scene_node *n = drawing_scene(d, other);
    const struct memory_row *row =
        n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST ? details_row(g->view.app, n->row) : NULL;
    struct strbuf said = STRBUF_INIT;
    strbuf_addf(&said, "edge %u of %u: %s ", rank + 1, count,
                p->edge[g->picked].from == node ? "rests on" : "carries");
    if (row)
        details_ref(g->view.app, row, &said);
    else
        strbuf_addstr(&said, drawing_chart(d, other)->label);
    strbuf_addf(&said, " %s ", glyph_text(&g->view.app->ui.screen, GLYPH_DOT));
    add_strokes(p->edge[g->picked].strokes, &said);
    app_say(g->view.app, "%s", said.buf);
    strbuf_release(&said);
}

void graph_view_pick(struct graph_view *g, int direction)
{
    struct drawing *d = g->drawing;
    uint32_t node = graph_view_cursor(g);
    uint32_t count = node == PICTURE_NONE ? 0 : edge_count(d, node);
    if (count == 0) {
        app_say(g->view.app, "it has no edge here");
        return;
    }
    uint32_t rank = g->picked == PICTURE_NONE
                        ? (direction > 0 ? 0 : count - 1)
                        : (rank_of(d, node, g->picked) + count + (uint32_t)direction) % count;
    for (uint32_t i = 0; i < count; i++)
        if (rank_of(d, node, edge_of(d, node, i)) == rank) {
            g->picked = edge_of(d, node, i);
            break;
        }
    uint32_t other = other_end(&d->chart.picture, g->picked, node);
    if (drawing_leads_on(d, g->picked, node))
        d->moves.last_after[node] = other;
    else
        d->moves.last_before[node] = other;
    say_picked(g, node, rank, count);
}
