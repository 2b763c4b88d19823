#include "model/layout/picture.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/alloc.h"
#include "model/layout/rows.h"

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

void picture_release(struct picture *p)
{
    FREE_ALL(p->node, p->edge, p->place);
    *p = (struct picture)PICTURE_INIT;
}

int picture_add_node(struct picture *p, struct picture_node node)
{
    if (p->nodes == PICTURE_NONE - 1)
        return -1;
    ARRAY_ROOM(p->node, p->nodes, p->node_alloc, 1);
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
    if (p->edges == PICTURE_NONE - 1)
        return -1;
    *ARRAY_ADD(p->edge, p->edges, p->edge_alloc) = (struct picture_edge){
        .from = from, .to = to, .strokes = (uint8_t)(1u << stroke), .stroke = (uint8_t)stroke};
    return 0;
}

/* Ids must be unique. `added` decides if a caller breaks that rule. */
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
    return x->from != y->from ? COMPARE(x->from, y->from) : COMPARE(x->to, y->to);
}

/* Merges edges between the same nodes in the same direction. They must be sorted. */
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

void picture_finish(struct picture *p)
{
    p->place = xmalloc((p->nodes + (size_t)1) * sizeof(*p->place));
    SORT(p->node, p->nodes, compare_nodes);
    for (uint32_t i = 0; i < p->nodes; i++)
        p->place[p->node[i].added] = i;
    for (uint32_t e = 0; e < p->edges; e++) {
        p->edge[e].from = p->place[p->edge[e].from];
        p->edge[e].to = p->place[p->edge[e].to];
    }
    SORT(p->edge, p->edges, compare_edges);
    merge_edges(p);
}

/* ---- the outline ---- */

struct writing {
    const struct picture *p;
    struct picture_outline *out;
    bool down;
    struct rows lead;  /* the edges by the node that they leave, in the direction of the outline */
    uint32_t *next;    /* [nodes] the next item in `lead` of a node */
    uint32_t *path;    /* [nodes] the path from the root to the current node */
    uint32_t length;   /* of the path */
    uint32_t *at;      /* [nodes] its first line, or PICTURE_NONE */
    uint8_t *on_path;  /* [nodes] */
    uint32_t *parents; /* [nodes] */
};

static uint32_t end_of(const struct writing *w, uint32_t edge)
{
    return w->down ? w->p->edge[edge].to : w->p->edge[edge].from;
}

/* Points to the `to` or the `from` of the first edge, for rows_make. */
static const uint32_t *edge_ends(const struct picture *p, bool to)
{
    return p->edges == 0 ? NULL : to ? &p->edge->to : &p->edge->from;
}

static bool has_more(const struct writing *w, uint32_t node)
{
    return w->next[node] < w->lead.first[node + 1];
}

/* Appends a line for the node below the end of the path. Adds the node to the path if it had no
 * line yet. */
static void write_line(struct writing *w, uint32_t node, uint32_t edge)
{
    uint32_t number = (uint32_t)w->out->count++;
    bool again = w->at[node] != PICTURE_NONE;
    uint32_t above = w->length > 0 ? w->path[w->length - 1] : PICTURE_NONE;
    w->out->line[number] = (struct picture_line){
        .node = node,
        .edge = edge,
        .parent = above == PICTURE_NONE ? PICTURE_NONE : w->at[above],
        .depth = w->length,
        .first = again ? w->at[node] : number,
        .parents = w->parents[node],
        .again = again,
        .circle = again && w->on_path[node],
        .last = above == PICTURE_NONE || !has_more(w, above),
    };
    if (again)
        return;
    w->at[node] = number;
    w->on_path[node] = 1;
    w->path[w->length++] = node;
}

static void write_tree(struct writing *w, uint32_t root)
{
    if (w->at[root] != PICTURE_NONE)
        return;
    write_line(w, root, PICTURE_NONE);
    while (w->length > 0) {
        uint32_t v = w->path[w->length - 1];
        if (has_more(w, v)) {
            uint32_t edge = w->lead.item[w->next[v]++];
            write_line(w, end_of(w, edge), edge);
        } else {
            w->out->line[w->at[v]].below = (uint32_t)w->out->count - w->at[v] - 1;
            w->on_path[v] = 0;
            w->length--;
        }
    }
}

/* Writes the cycles that no edge enters from outside. `entered` is by the number of a cycle (strongly
 * connected component) in `circle`. */
static void write_cycles(struct writing *w)
{
    const struct picture *p = w->p;
    AUTO_FREE uint32_t *circle = xcalloc(p->nodes, sizeof(*circle));
    AUTO_FREE uint8_t *entered = xcalloc(p->nodes, 1);
    components_find(p->nodes, &w->lead, edge_ends(p, w->down), sizeof(*p->edge), circle);
    for (uint32_t e = 0; e < p->edges; e++)
        if (circle[p->edge[e].from] != circle[p->edge[e].to])
            entered[circle[end_of(w, e)]] = 1;
    for (uint32_t v = 0; v < p->nodes; v++)
        if (!entered[circle[v]])
            write_tree(w, v);
}

/* Writes the tree of `root`; then those of nodes that nothing leads to, and of cycles that
 * cannot be reached from outside. All other nodes are below these. */
static void write_all(struct writing *w, uint32_t root)
{
    struct picture_line *line = w->out->line;
    if (root < w->p->nodes)
        write_tree(w, root);
    for (uint32_t v = 0; v < w->p->nodes; v++)
        if (w->parents[v] == 0)
            write_tree(w, v);
    write_cycles(w);
    for (size_t i = 0; i < w->out->count; i++)
        if (line[i].again)
            line[i].below = line[line[i].first].below;
}

int picture_outline_make(struct picture_outline *o, const struct picture *p, uint32_t root,
                         bool down)
{
    size_t nodes = p->nodes, lines = nodes + p->edges;
    *o = (struct picture_outline){.line = NULL};
    if (lines >= PICTURE_NONE)
        return -1;
    AUTO_ARENA arena = ARENA_INIT;
    uint32_t *room = arena_array(&arena, 5 * nodes + 1, sizeof(*room));
    struct writing w = {.p = p, .out = o, .down = down, .next = room, .path = room + nodes};
    w.at = w.path + nodes;
    w.parents = w.at + nodes;
    w.on_path = (uint8_t *)(w.parents + nodes);
    o->line = xcalloc(lines + 1, sizeof(*o->line));
    /* The edges of a picture are sorted by (from, to), so in either direction those of a node
     * come out in order. */
    rows_make(&w.lead, &arena, p->nodes, p->edges, edge_ends(p, !down), sizeof(*p->edge));
    for (size_t v = 0; v < nodes; v++) {
        w.at[v] = PICTURE_NONE;
        w.next[v] = w.lead.first[v];
    }
    for (uint32_t e = 0; e < p->edges; e++)
        w.parents[end_of(&w, e)]++;
    write_all(&w, root);
    return 0;
}

void picture_outline_release(struct picture_outline *o)
{
    free(o->line);
    *o = (struct picture_outline){.line = NULL};
}
