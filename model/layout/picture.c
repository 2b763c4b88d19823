#include "model/layout/picture.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"

static const char *const stroke_names[STROKE_COUNT] = {
    [STROKE_GUESSED] = "guessed",
    [STROKE_EVIDENCE] = "evidence",
    [STROKE_REINFORCED] = "reinforced",
    [STROKE_DERIVED] = "derived",
    [STROKE_ALL] = "all",
    [STROKE_SUPERSEDES] = "supersedes",
};

const char *stroke_name(enum stroke stroke)
{
    return stroke_names[stroke];
}

int stroke_from_name(const char *name)
{
    for (int i = 0; i < STROKE_COUNT; i++)
        if (strcmp(stroke_names[i], name) == 0)
            return i;
    return -1;
}

void picture_release(struct picture *p)
{
    free(p->node);
    free(p->edge);
    free(p->place);
    *p = (struct picture)PICTURE_INIT;
}

int picture_add_node(struct picture *p, struct picture_node node)
{
    void *nodes = p->node;
    if (p->nodes == PICTURE_NONE - 1 ||
        !array_grow(&nodes, &p->node_alloc, p->nodes, sizeof(*p->node)))
        return -1;
    p->node = nodes;
    node.added = p->nodes;
    p->node[p->nodes++] = node;
    return 0;
}

int picture_add_edge(struct picture *p, uint32_t from, uint32_t to, enum stroke stroke)
{
    if (from == to) {
        p->node[from].loop = true;
        return 0;
    }
    void *edges = p->edge;
    if (p->edges == PICTURE_NONE - 1 ||
        !array_grow(&edges, &p->edge_alloc, p->edges, sizeof(*p->edge)))
        return -1;
    p->edge = edges;
    p->edge[p->edges++] = (struct picture_edge){
        .from = from, .to = to, .strokes = (uint8_t)(1u << stroke), .stroke = (uint8_t)stroke};
    return 0;
}

/* Ids are distinct, so `added` decides only where a caller broke that. */
static int compare_nodes(const void *a, const void *b)
{
    const struct picture_node *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    int ids = strcmp(x->id, y->id);
    return ids ? ids : (x->added > y->added) - (x->added < y->added);
}

static int compare_edges(const void *a, const void *b)
{
    const struct picture_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Edges that are sorted: those between the same two, in the same direction, become one. */
static void merge_edges(struct picture *p)
{
    uint32_t kept = 0;
    for (uint32_t e = 0; e < p->edges; e++) {
        struct picture_edge *last = &p->edge[kept ? kept - 1 : 0], one = p->edge[e];
        if (kept == 0 || last->from != one.from || last->to != one.to) {
            p->edge[kept++] = one;
            continue;
        }
        last->strokes |= one.strokes;
        if (one.stroke > last->stroke)
            last->stroke = one.stroke;
    }
    p->edges = kept;
}

int picture_finish(struct picture *p)
{
    p->place = xmalloc((p->nodes + (size_t)1) * sizeof(*p->place));
    if (!p->place)
        return -1;
    if (p->nodes)
        qsort(p->node, p->nodes, sizeof(*p->node), compare_nodes);
    for (uint32_t i = 0; i < p->nodes; i++)
        p->place[p->node[i].added] = i;
    for (uint32_t e = 0; e < p->edges; e++) {
        p->edge[e].from = p->place[p->edge[e].from];
        p->edge[e].to = p->place[p->edge[e].to];
    }
    if (p->edges)
        qsort(p->edge, p->edges, sizeof(*p->edge), compare_edges);
    merge_edges(p);
    return 0;
}
