#include "model/layout/picture.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
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

void picture_release(struct picture *p)
{
    free(p->node);
    free(p->edge);
    free(p->place);
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

void picture_finish(struct picture *p)
{
    p->place = xmalloc((p->nodes + (size_t)1) * sizeof(*p->place));
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
}

/* What a depth first search needs of every node. All arrays are one allocation. */
struct search {
    const struct picture *p;
    bool down;
    /* The edges that lead on from node v are lead[first[v] .. first[v + 1]], by where they lead. */
    uint32_t *first; /* [nodes + 1] */
    uint32_t *lead;  /* [edges] */
    uint32_t *next;  /* [nodes] where in `lead` the search of a node goes on */
    uint32_t *path;  /* [nodes] the nodes from the root to where the search is */
    uint32_t length; /* of the path */
    uint32_t *group; /* [nodes] each node's circle: nodes that reach each other have the same */
    uint8_t *fed;    /* [nodes] of a group: an edge leads into it from another */
};

static uint32_t start_of(const struct search *s, uint32_t edge)
{
    return s->down ? s->p->edge[edge].from : s->p->edge[edge].to;
}

static uint32_t end_of(const struct search *s, uint32_t edge)
{
    return s->down ? s->p->edge[edge].to : s->p->edge[edge].from;
}

static void search_init(struct search *s, const struct picture *p, bool down)
{
    size_t nodes = p->nodes, edges = p->edges;
    uint32_t *room = xcalloc(5 * nodes + edges + 1, sizeof(*room));
    *s = (struct search){.p = p, .down = down, .first = room};
    s->lead = room + nodes + 1;
    s->next = s->lead + edges;
    s->path = s->next + nodes;
    s->group = s->path + nodes;
    s->fed = (uint8_t *)(s->group + nodes);
}

/* The picture has its edges by (from, to), so that either way those of a node come out in order. */
static void search_fill(struct search *s)
{
    uint32_t nodes = s->p->nodes, edges = s->p->edges;
    for (uint32_t e = 0; e < edges; e++)
        s->first[start_of(s, e) + 1]++;
    for (uint32_t v = 0; v < nodes; v++)
        s->first[v + 1] += s->first[v];
    for (uint32_t v = 0; v < nodes; v++)
        s->next[v] = s->first[v];
    for (uint32_t e = 0; e < edges; e++)
        s->lead[s->next[start_of(s, e)]++] = e;
}

static void search_rewind(struct search *s)
{
    for (uint32_t v = 0; v < s->p->nodes; v++)
        s->next[v] = s->first[v];
}

static void search_release(struct search *s)
{
    free(s->first);
}

/* ---- circles: strongly connected components (Tarjan 1972) ---- */

struct circles {
    struct search *s;
    uint32_t *seen; /* [nodes] when it was reached, from 1 */
    uint32_t *low;  /* [nodes] the earliest that is reached from it, among the open ones */
    uint32_t *open; /* [nodes] reached, and in no group yet */
    uint32_t opened, clock, groups;
};

static void circles_enter(struct circles *c, uint32_t v)
{
    c->seen[v] = c->low[v] = ++c->clock;
    c->open[c->opened++] = v;
    c->s->path[c->s->length++] = v;
    c->s->group[v] = PICTURE_NONE;
}

/* All that leads on from the node was searched. */
static void circles_leave(struct circles *c, uint32_t v)
{
    struct search *s = c->s;
    s->length--;
    if (s->length > 0 && c->low[v] < c->low[s->path[s->length - 1]])
        c->low[s->path[s->length - 1]] = c->low[v];
    if (c->low[v] != c->seen[v])
        return;
    uint32_t member;
    do {
        member = c->open[--c->opened];
        s->group[member] = c->groups;
    } while (member != v);
    c->groups++;
}

static void circles_search(struct circles *c, uint32_t root)
{
    struct search *s = c->s;
    circles_enter(c, root);
    while (s->length > 0) {
        uint32_t v = s->path[s->length - 1];
        if (s->next[v] == s->first[v + 1]) {
            circles_leave(c, v);
            continue;
        }
        uint32_t to = end_of(s, s->lead[s->next[v]++]);
        if (c->seen[to] == 0)
            circles_enter(c, to);
        else if (s->group[to] == PICTURE_NONE && c->seen[to] < c->low[v])
            c->low[v] = c->seen[to];
    }
}

/* Fills `group` and `fed`. */
static void circles_find(struct search *s)
{
    size_t nodes = s->p->nodes;
    uint32_t *room = xcalloc(3 * nodes + 1, sizeof(*room));
    struct circles c = {.s = s, .seen = room, .low = room + nodes, .open = room + 2 * nodes};
    search_rewind(s);
    for (uint32_t v = 0; v < nodes; v++)
        if (c.seen[v] == 0)
            circles_search(&c, v);
    for (uint32_t e = 0; e < s->p->edges; e++)
        if (s->group[start_of(s, e)] != s->group[end_of(s, e)])
            s->fed[s->group[end_of(s, e)]] = 1;
    free(room);
}

/* ---- lines ---- */

struct writing {
    struct search *s;
    struct picture_outline *out;
    uint32_t *at;      /* [nodes] the line where it stands; PICTURE_NONE */
    uint8_t *on_path;  /* [nodes] */
    uint32_t *parents; /* [nodes] */
};

static uint32_t parent_line(const struct writing *w)
{
    const struct search *s = w->s;
    return s->length > 0 ? w->at[s->path[s->length - 1]] : PICTURE_NONE;
}

/* Appends the node's line below the path's end, and goes on from it where it was not there yet. */
static void write_line(struct writing *w, uint32_t node, uint32_t edge)
{
    struct search *s = w->s;
    uint32_t number = (uint32_t)w->out->count++;
    bool again = w->at[node] != PICTURE_NONE;
    w->out->line[number] = (struct picture_line){
        .node = node,
        .edge = edge,
        .parent = parent_line(w),
        .depth = s->length,
        .first = again ? w->at[node] : number,
        .parents = w->parents[node],
        .again = again,
        .circle = again && w->on_path[node],
        .last = s->length == 0 ||
                s->next[s->path[s->length - 1]] == s->first[s->path[s->length - 1] + 1],
    };
    if (again)
        return;
    w->at[node] = number;
    w->on_path[node] = 1;
    s->path[s->length++] = node;
}

static void write_tree(struct writing *w, uint32_t root)
{
    struct search *s = w->s;
    if (w->at[root] != PICTURE_NONE)
        return;
    write_line(w, root, PICTURE_NONE);
    while (s->length > 0) {
        uint32_t v = s->path[s->length - 1];
        if (s->next[v] < s->first[v + 1]) {
            uint32_t edge = s->lead[s->next[v]++];
            write_line(w, end_of(s, edge), edge);
        } else {
            w->out->line[w->at[v]].below = (uint32_t)w->out->count - w->at[v] - 1;
            w->on_path[v] = 0;
            s->length--;
        }
    }
}

/*
 * What nothing leads to stands first, then circles that nothing leads into: all else hangs on
 * these.
 */
static void write_all(struct writing *w, uint32_t root)
{
    struct search *s = w->s;
    if (root < s->p->nodes)
        write_tree(w, root);
    for (uint32_t v = 0; v < s->p->nodes; v++)
        if (w->parents[v] == 0)
            write_tree(w, v);
    for (uint32_t v = 0; v < s->p->nodes; v++)
        if (!s->fed[s->group[v]])
            write_tree(w, v);
    for (size_t i = 0; i < w->out->count; i++)
        if (w->out->line[i].again)
            w->out->line[i].below = w->out->line[w->out->line[i].first].below;
}

static int write_outline(struct search *s, struct picture_outline *o, uint32_t root)
{
    size_t nodes = s->p->nodes, lines = nodes + s->p->edges;
    if (lines >= PICTURE_NONE)
        return -1;
    uint32_t *room = xcalloc(3 * nodes + 1, sizeof(*room));
    o->line = xcalloc(lines + 1, sizeof(*o->line));
    struct writing w = {.s = s,
                        .out = o,
                        .at = room,
                        .parents = room + nodes,
                        .on_path = (uint8_t *)(room + 2 * nodes)};
    for (size_t v = 0; v < nodes; v++)
        w.at[v] = PICTURE_NONE;
    for (uint32_t e = 0; e < s->p->edges; e++)
        w.parents[end_of(s, e)]++;
    search_rewind(s);
    write_all(&w, root);
    free(room);
    return 0;
}

int picture_outline_make(struct picture_outline *o, const struct picture *p, uint32_t root,
                         bool down)
{
    struct search s;
    *o = (struct picture_outline){.line = NULL};
    search_init(&s, p, down);
    search_fill(&s);
    circles_find(&s);
    int result = write_outline(&s, o, root);
    search_release(&s);
    return result;
}

void picture_outline_release(struct picture_outline *o)
{
    free(o->line);
    *o = (struct picture_outline){.line = NULL};
}
