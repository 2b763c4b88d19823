#include "tui/view/graph/graph_drawing.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

struct drawing *drawing_hold(struct drawing *d)
{
    d->references++;
    return d;
}

void drawing_drop(struct drawing *d)
{
    if (!d || --d->references > 0)
        return;
    moves_release(&d->moves);
    layout_release(&d->small);
    picture_release(&d->small_picture);
    chart_release(&d->chart);
    free(d);
}

/* ---- making ---- */

/* Adds nodes in the order of the picture, so that the numbers are equal. */
static void make_small_picture(const struct picture *from, struct picture *to)
{
    for (uint32_t i = 0; i < from->nodes; i++) {
        struct picture_node node = from->node[i];
        node.columns = 1;
        node.lines = 1;
        picture_add_node(to, node);
    }
    for (uint32_t i = 0; i < from->edges; i++)
        picture_add_edge(to, from->edge[i].from, from->edge[i].to, STROKE_DERIVED);
    picture_finish(to);
}

static int make_small(struct drawing *d, struct error *e)
{
    const struct layout *l = &d->chart.layout;
    uint32_t nodes = d->chart.picture.nodes;
    int32_t *seed = xmalloc((nodes ? nodes : 1) * sizeof(*seed));
    struct layout_options options = l->options;
    for (uint32_t i = 0; i < nodes; i++)
        seed[i] = l->node[i].seed;
    options.boxed = false;
    options.bundle = true;
    options.seed = seed;
    make_small_picture(&d->chart.picture, &d->small_picture);
    int result = layout_make(&d->small, &d->small_picture, &options);
    free(seed);
    return result ? error_set(e, ERROR_INVALID, "Ask for less.", "the drawing would be too large")
                  : 0;
}

struct drawing *drawing_make(struct reader *r, struct subgraph_request *w,
                             const struct chart_options *o, struct error *e)
{
    struct drawing *d = xcalloc(1, sizeof(*d));
    d->references = 1;
    d->small_picture = (struct picture)PICTURE_INIT;
    bool first = !o->before && w->count == 0;
    int result =
        first ? chart_load_fitting(&d->chart, r, w, o, e) : chart_load(&d->chart, r, w, o, e);
    if (!result && w->count && d->chart.large) { /* the person asked for so many */
        struct chart_options drawn = *o;
        drawn.style = CHART_LR;
        result = chart_lay_out(&d->chart, &drawn, e);
    }
    if (!result && drawing_is_drawn(d)) {
        moves_init(&d->moves, &d->chart.layout);
        result = make_small(d, e);
    }
    if (!result)
        return d;
    drawing_drop(d);
    return NULL;
}

/* ---- finding ---- */

static bool stands_for(const struct subgraph_node *n, int64_t row)
{
    if (subgraph_is_single(n))
        return n->row == row;
    for (size_t i = 0; i < n->members; i++)
        if (n->member[i] == row)
            return true;
    return false;
}

uint32_t drawing_find_row(const struct drawing *d, int64_t row)
{
    uint32_t rest = PICTURE_NONE;
    for (uint32_t i = 0; i < d->chart.picture.nodes; i++) {
        if (!stands_for(drawing_subgraph(d, i), row))
            continue;
        if (drawing_subgraph(d, i)->type != SUBGRAPH_MORE)
            return i;
        rest = i;
    }
    return rest;
}

uint32_t drawing_find(const struct drawing *d, const char *id)
{
    uint32_t found = chart_find(&d->chart, id);
    return found == PICTURE_NONE ? PICTURE_NONE : chart_drawn(&d->chart, found);
}

/* ---- highlighted edges ---- */

/* Highlights all edges that are reachable along or against their direction. */
static void light_way(const struct drawing *d, uint32_t node, bool along, uint32_t *queue,
                      uint8_t *seen, uint8_t *lit)
{
    const struct picture *p = &d->chart.picture;
    const struct moves *m = &d->moves;
    uint32_t end = 0;
    memset(seen, 0, p->nodes);
    seen[node] = 1;
    queue[end++] = node;
    for (uint32_t head = 0; head < end; head++)
        for (int side = 0; side < MOVES_SIDES; side++)
            for (uint32_t i = m->first[side][queue[head]]; i < m->first[side][queue[head] + 1];
                 i++) {
                uint32_t edge = m->edge[side][i], next = moves_other(m, edge, queue[head]);
                if (next != (along ? p->edge[edge].to : p->edge[edge].from))
                    continue;
                lit[edge] = 1;
                if (!seen[next])
                    queue[end++] = next;
                seen[next] = 1;
            }
}

void drawing_light(const struct drawing *d, uint32_t node, uint8_t *lit)
{
    uint32_t nodes = d->chart.picture.nodes;
    AUTO_FREE uint32_t *queue = xmalloc((nodes ? nodes : 1) * sizeof(*queue));
    AUTO_FREE uint8_t *seen = xmalloc(nodes ? nodes : 1);
    memset(lit, 0, d->chart.picture.edges);
    if (node < nodes) {
        light_way(d, node, true, queue, seen, lit);
        light_way(d, node, false, queue, seen, lit);
    }
}
