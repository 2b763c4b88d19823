#include "tui/view/graph/graph_drawing.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"

static int too_large(struct error *e)
{
    return error_set(e, ERROR_INVALID, "Ask for less.", "no drawing is that large");
}

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
    free(d->out_first);
    free(d->in_first);
    free(d->edge_in);
    free(d->line);
    free(d);
}

/* ---- making ---- */

/* The picture's edges are in the order of where they come from; where they go to is counted. */
static void index_edges(struct drawing *d)
{
    const struct picture *p = &d->chart.picture;
    d->out_first = xcalloc(p->nodes + 1, sizeof(*d->out_first));
    d->in_first = xcalloc(p->nodes + 2, sizeof(*d->in_first));
    d->edge_in = xmalloc((p->edges ? p->edges : 1) * sizeof(*d->edge_in));
    for (uint32_t i = 0; i < p->edges; i++) {
        d->out_first[p->edge[i].from + 1]++;
        d->in_first[p->edge[i].to + 2]++;
    }
    for (uint32_t n = 0; n < p->nodes; n++) {
        d->out_first[n + 1] += d->out_first[n];
        d->in_first[n + 2] += d->in_first[n + 1];
    }
    for (uint32_t i = 0; i < p->edges; i++)
        d->edge_in[d->in_first[p->edge[i].to + 1]++] = i;
}

static void index_lines(struct drawing *d)
{
    const struct layout *l = &d->chart.layout;
    uint32_t nodes = d->chart.picture.nodes;
    d->line = xmalloc((nodes ? nodes : 1) * sizeof(*d->line));
    for (uint32_t i = 0; i < nodes; i++)
        d->line[l->layer_node[i]] = i;
}

/* How many segments would cross if nothing had to keep its place. */
static int count_fresh(struct drawing *d)
{
    struct layout fresh = {0};
    struct layout_options options = d->chart.layout.options;
    options.seed = NULL;
    int result = layout_make(&fresh, &d->chart.picture, &options);
    d->fresh = fresh.segment_crossings;
    layout_release(&fresh);
    return result;
}

/* In the order of the picture, so that their numbers are the same. */
static void make_small_picture(const struct picture *from, struct picture *to)
{
    for (uint32_t i = 0; i < from->nodes; i++) {
        struct picture_node node = from->node[i];
        node.columns = 1;
        picture_add_node(to, node);
    }
    for (uint32_t i = 0; i < from->edges; i++)
        picture_add_edge(to, from->edge[i].from, from->edge[i].to, STROKE_DERIVED);
    picture_finish(to);
}

int drawing_make_small(const struct drawing *d, struct picture *picture, struct layout *layout,
                       struct error *e)
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
    make_small_picture(&d->chart.picture, picture);
    int result = layout_make(layout, picture, &options) ? too_large(e) : 0;
    free(seed);
    return result;
}

static int finish(struct drawing *d, const struct chart_options *o, bool small, struct error *e)
{
    index_edges(d);
    index_lines(d);
    moves_init(&d->moves, &d->chart.layout);
    d->seeded = o->before != NULL;
    if (d->seeded && count_fresh(d))
        return too_large(e);
    d->has_small = small;
    return small ? drawing_make_small(d, &d->small_picture, &d->small, e) : 0;
}

struct drawing *drawing_make(struct reader *r, const struct scene_wishes *w,
                             const struct chart_options *o, bool small, struct error *e)
{
    struct drawing *d = xcalloc(1, sizeof(*d));
    d->references = 1;
    d->small_picture = (struct picture)PICTURE_INIT;
    if (!chart_load(&d->chart, r, w, o, e) && (!drawing_is_drawn(d) || !finish(d, o, small, e)))
        return d;
    drawing_drop(d);
    return NULL;
}

/* ---- the same node in another drawing ---- */

/* Ids differ, so their numbers are those of the nodes. */
static uint32_t node_named(const struct key_index *ids, const struct picture_node *was,
                           uint32_t node)
{
    size_t found =
        node == PICTURE_NONE ? ROW_NONE : key_index_find(ids, was[node].id, strlen(was[node].id));
    return found == ROW_NONE ? PICTURE_NONE : (uint32_t)found;
}

static bool beside(const uint32_t *first, const uint32_t *other, uint32_t node, uint32_t wanted)
{
    for (uint32_t i = first[node]; i < first[node + 1]; i++)
        if (other[i] == wanted)
            return true;
    return false;
}

void drawing_keep_way(struct drawing *to, const struct drawing *from)
{
    const struct picture_node *was = from->chart.picture.node, *is = to->chart.picture.node;
    const struct moves *m = &to->moves;
    struct key_index ids = KEY_INDEX_INIT;
    for (uint32_t i = 0; i < to->chart.picture.nodes; i++)
        key_index_add(&ids, is[i].id, strlen(is[i].id));
    for (uint32_t i = 0; i < from->chart.picture.nodes; i++) {
        uint32_t now = node_named(&ids, was, i);
        uint32_t after = node_named(&ids, was, from->moves.last_after[i]);
        uint32_t before = node_named(&ids, was, from->moves.last_before[i]);
        if (now == PICTURE_NONE)
            continue;
        if (after != PICTURE_NONE && beside(m->after_first, m->after_to, now, after))
            m->last_after[now] = after;
        if (before != PICTURE_NONE && beside(m->before_first, m->before_to, now, before))
            m->last_before[now] = before;
    }
    key_index_release(&ids);
}

/* ---- finding ---- */

static bool stands_for(const struct scene_node *n, int64_t row)
{
    if (n->sort == SCENE_MEMORY || n->sort == SCENE_GHOST)
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
        if (!stands_for(drawing_scene(d, i), row))
            continue;
        if (drawing_scene(d, i)->sort != SCENE_MORE)
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

bool drawing_leads_on(const struct drawing *d, uint32_t edge, uint32_t node)
{
    return (d->chart.picture.edge[edge].from == node) != (d->chart.layout.edge_reversed[edge] != 0);
}

/* ---- lit edges ---- */

/* Lights all edges that can be reached: along them, or against them. */
static void light_way(const struct drawing *d, uint32_t node, bool along, uint32_t *queue,
                      uint8_t *seen, uint8_t *lit)
{
    const struct picture *p = &d->chart.picture;
    const uint32_t *first = along ? d->out_first : d->in_first;
    uint32_t head = 0, tail = 0;
    memset(seen, 0, p->nodes);
    seen[node] = 1;
    queue[tail++] = node;
    while (head < tail) {
        uint32_t at = queue[head++];
        for (uint32_t i = first[at]; i < first[at + 1]; i++) {
            uint32_t edge = along ? i : d->edge_in[i];
            uint32_t next = along ? p->edge[edge].to : p->edge[edge].from;
            lit[edge] = 1;
            if (!seen[next])
                queue[tail++] = next;
            seen[next] = 1;
        }
    }
}

void drawing_light(const struct drawing *d, uint32_t node, uint8_t *lit)
{
    uint32_t nodes = d->chart.picture.nodes;
    uint32_t *queue = xmalloc((nodes ? nodes : 1) * sizeof(*queue));
    uint8_t *seen = xmalloc(nodes ? nodes : 1);
    memset(lit, 0, d->chart.picture.edges);
    if (node < nodes) {
        light_way(d, node, true, queue, seen, lit);
        light_way(d, node, false, queue, seen, lit);
    }
    free(queue);
    free(seen);
}
