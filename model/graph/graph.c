#include "model/graph/graph.h"

#include "model/base/alloc.h"
#include "model/base/array.h"

/* A group with more antecedents than this is sorted to find duplicates. */
#define FEW 16

void graph_init(struct graph *g)
{
    *g = (struct graph){.nodes = 0};
}

void graph_release(struct graph *g)
{
    FREE_ALL(g->status, g->kind, g->just_first, g->link_first, g->link_to, g->just_node,
             g->just_group, g->just_shape, g->use_first, g->use_just, g->row);
    graph_init(g);
}

/* Several arrays share one capacity; this resizes one of them. */
#define RESIZE(array, count) ((array) = xrealloc((array), (count) * sizeof(*(array))))

/* The next capacity. Numbers of nodes, justifications and links have 32 bits. */
static size_t larger(size_t alloc)
{
    if (alloc > UINT32_MAX / 2)
        alloc_fail();
    return alloc ? alloc * 2 : 64;
}

static void make_nodes(struct graph *g, size_t alloc)
{
    g->node_alloc = alloc;
    RESIZE(g->status, alloc);
    RESIZE(g->kind, alloc);
    RESIZE(g->just_first, alloc + 1);
}

static void make_justs(struct graph *g, size_t alloc)
{
    g->just_alloc = alloc;
    RESIZE(g->link_first, alloc + 1);
    RESIZE(g->just_node, alloc);
    RESIZE(g->just_group, alloc);
    RESIZE(g->just_shape, alloc);
}

void graph_reserve(struct graph *g, size_t nodes, size_t justs, size_t links)
{
    if (nodes >= NODE_NONE || justs >= UINT32_MAX || links >= UINT32_MAX)
        alloc_fail();
    make_nodes(g, nodes + 1);
    make_justs(g, justs + 1);
    RESIZE(g->link_to, g->link_alloc = links + 1);
}

void graph_add_node(struct graph *g, enum kind kind, enum status status)
{
    if (g->nodes == g->node_alloc)
        make_nodes(g, larger(g->node_alloc));
    g->status[g->nodes] = (uint8_t)status;
    g->kind[g->nodes] = (uint8_t)kind;
    g->just_first[g->nodes++] = g->justs;
}

/* Adds a justification to the last node. The caller adds the antecedents. */
static void add_just(struct graph *g, unsigned shape, unsigned group)
{
    if (g->justs == g->just_alloc)
        make_justs(g, larger(g->just_alloc));
    g->link_first[g->justs] = g->links;
    g->just_node[g->justs] = g->nodes - 1;
    g->just_group[g->justs] = group;
    g->just_shape[g->justs++] = (uint8_t)shape;
}

static void add_link(struct graph *g, uint32_t antecedent)
{
    if (g->links == g->link_alloc)
        RESIZE(g->link_to, g->link_alloc = larger(g->link_alloc));
    g->link_to[g->links++] = antecedent;
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/*
 * Marks in `repeated` each antecedent that occurs earlier in its group. Compares all pairs of a
 * small group and sorts a large one by node and place.
 */
static void find_repeated(const uint32_t *antecedents, size_t count, bool *repeated)
{
    if (count <= FEW) {
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < i; k++)
                repeated[i] |= antecedents[k] == antecedents[i];
        return;
    }
    AUTO_FREE uint64_t *order = xmalloc(count * sizeof(*order));
    for (size_t i = 0; i < count; i++)
        order[i] = (uint64_t)antecedents[i] << 32 | (uint32_t)i;
    SORT(order, count, compare_u64);
    for (size_t i = 1; i < count; i++)
        repeated[(uint32_t)order[i]] = order[i] >> 32 == order[i - 1] >> 32;
}

void graph_add_group(struct graph *g, unsigned shape, unsigned group, const uint32_t *antecedents,
                     size_t count)
{
    bool few[FEW] = {false}, each = SHAPE_READING(shape) == READING_ANY;
    bool *repeated = count <= FEW ? few : xcalloc(count, sizeof(*repeated));
    find_repeated(antecedents, count, repeated);
    if (!each || count == 0)
        add_just(g, shape, group);
    for (size_t i = 0; i < count; i++) {
        if (repeated[i])
            continue;
        if (each)
            add_just(g, shape, group);
        add_link(g, antecedents[i]);
    }
    if (repeated != few)
        free(repeated);
}

/*
 * Builds the uses of each node by counting sort. Counts are stored two places further on: after the
 * prefix sums, place v + 1 is the begin of row v, and is its end once the row is filled.
 */
static void index_uses(struct graph *g)
{
    for (uint32_t i = 0; i < g->links; i++)
        g->use_first[g->link_to[i] + 2]++;
    for (uint32_t v = 0; v < g->nodes; v++)
        g->use_first[v + 2] += g->use_first[v + 1];
    for (uint32_t j = 0; j < g->justs; j++)
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            g->use_just[g->use_first[g->link_to[i] + 1]++] = j;
}

static void make_uses(struct graph *g)
{
    free(g->use_first);
    free(g->use_just);
    g->use_first = xcalloc((size_t)g->nodes + 2, sizeof(*g->use_first));
    g->use_just = xmalloc(((size_t)g->links + 1) * sizeof(*g->use_just));
    index_uses(g);
}

void graph_finish(struct graph *g)
{
    if (g->node_alloc == 0)
        make_nodes(g, larger(g->node_alloc));
    if (g->just_alloc == 0)
        make_justs(g, larger(g->just_alloc));
    g->just_first[g->nodes] = g->justs;
    g->link_first[g->justs] = g->links;
    make_uses(g);
}

/* Moves a justification to its new place with the antecedents that are seen at least as `least`. Returns false if none
 * are left. */
static bool thin_just(struct graph *g, uint32_t from, uint32_t first, uint32_t end, uint32_t to,
                      const uint8_t *view, uint8_t least)
{
    uint32_t links = g->links;
    for (uint32_t i = first; i < end; i++)
        if (view[g->link_to[i]] >= least)
            g->link_to[g->links++] = g->link_to[i];
    if (links == g->links && (first < end || least == VIEW_WHOLE))
        return false;
    g->just_node[to] = g->just_node[from];
    g->just_group[to] = g->just_group[from];
    g->just_shape[to] = g->just_shape[from];
    g->link_first[to] = links;
    return true;
}

/* Adds an empty justification in place of a removed one. */
static void put_empty(struct graph *g, uint32_t node, uint32_t to)
{
    g->just_node[to] = node;
    g->just_group[to] = NODE_NONE;
    g->just_shape[to] = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);
    g->link_first[to] = g->links;
}

/* Renumbers the groups of these justifications from 0 without gaps. */
static void number_groups(struct graph *g, uint32_t begin, uint32_t end)
{
    uint32_t last = NODE_NONE, number = 0;
    for (uint32_t j = begin; j < end; j++) {
        uint32_t stored = g->just_group[j];
        number += j > begin && stored != last;
        g->just_group[j] = number;
        last = stored;
    }
}

/* Works in place: the write position never passes the read position. */
void graph_thin(struct graph *g, const uint8_t *view, bool users)
{
    uint32_t just = 0, first = g->nodes ? g->link_first[0] : 0;
    uint32_t count = 0;
    g->links = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        uint32_t end_just = g->just_first[v + 1], kept = count;
        if (view[v] == VIEW_WITH_PREMISE)
            put_empty(g, v, count++);
        for (; just < end_just; just++) {
            uint32_t end = g->link_first[just + 1];
            if (view[v] >= VIEW_WHOLE)
                count += thin_just(g, just, first, end, count, view, VIEW_REF);
            else if (view[v] == VIEW_REF && users)
                count += thin_just(g, just, first, end, count, view, VIEW_WHOLE);
            first = end;
        }
        number_groups(g, kept, count);
        g->just_first[v] = kept;
    }
    g->justs = count;
    g->just_first[g->nodes] = count;
    g->link_first[count] = g->links;
    make_uses(g);
}
