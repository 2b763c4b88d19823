#include "model/graph/ancestry.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/graph/walk.h"

/* The members in the order of reaching, the target first. */
struct gathering {
    const struct graph *g;
    const struct labels *labels;
    struct row_index reached;
    uint32_t *first; /* [reached.count + 1] ranges of `to` */
    uint32_t *to;    /* antecedents */
    size_t first_alloc, links, links_alloc, justs, sources;
};

/* Does the justification belong to the ancestry, given that its node does? */
static bool is_valid(const struct gathering *w, uint32_t just)
{
    return w->labels->broken[just] == 0;
}

static bool is_open(const struct gathering *w, uint32_t node)
{
    return w->labels->stands[node] && !fold_is_leaf(w->g, w->labels, node);
}

static void gather_node(struct gathering *w, uint32_t node)
{
    const struct graph *g = w->g;
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++) {
        if (!is_valid(w, j))
            continue;
        w->justs++;
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            *ARRAY_ADD(w->to, w->links, w->links_alloc) =
                (uint32_t)row_index_add(&w->reached, g->link_to[i]);
    }
}

static void gather(struct gathering *w, uint32_t target)
{
    row_index_add(&w->reached, target);
    for (size_t at = 0; at < w->reached.count; at++) {
        uint32_t node = reached_node(&w->reached, at);
        ARRAY_ROOM(w->first, at, w->first_alloc, 2);
        w->first[at] = (uint32_t)w->links;
        w->sources += fold_is_leaf(w->g, w->labels, node);
        if (is_open(w, node))
            gather_node(w, node);
        w->first[at + 1] = (uint32_t)w->links;
    }
}

/* `place` [members] is the member that each number of the gathering becomes. */
static void fill(struct ancestry *a, const struct gathering *w, const struct support_order *order,
                 const uint32_t *place)
{
    uint32_t links = 0;
    for (uint32_t m = 0; m < a->count; m++) {
        uint32_t number = order->node[m], node = reached_node(&w->reached, number);
        uint32_t next = w->first[number];
        uint32_t end = w->g->just_first[node + is_open(w, node)];
        a->node[m] = node;
        a->just_first[m] = a->justs;
        for (uint32_t j = w->g->just_first[node]; j < end; j++) {
            if (!is_valid(w, j))
                continue;
            a->just[a->justs] = j;
            a->link_first[a->justs++] = links;
            for (uint32_t i = w->g->link_first[j]; i < w->g->link_first[j + 1]; i++)
                a->link[links++] = place[w->to[next++]];
        }
        if (fold_is_leaf(w->g, w->labels, node))
            a->source[a->source_count++] = m;
    }
    a->just_first[a->count] = a->justs;
    a->link_first[a->justs] = links;
}

static int compare_u64(const void *a, const void *b)
{
    return COMPARE(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* `source` has the members so far. */
static void sort_sources(struct ancestry *a)
{
    AUTO_FREE uint64_t *by_node = xmalloc((a->source_count + 1) * sizeof(*by_node));
    for (size_t i = 0; i < a->source_count; i++)
        by_node[i] = (uint64_t)a->node[a->source[i]] << 32 | a->source[i];
    qsort(by_node, a->source_count, sizeof(*by_node), compare_u64);
    for (size_t i = 0; i < a->source_count; i++) {
        a->source[i] = (uint32_t)(by_node[i] >> 32);
        a->source_member[i] = (uint32_t)by_node[i];
    }
}

void ancestry_make(struct ancestry *a, const struct graph *g, const struct labels *labels,
                   uint32_t target)
{
    struct gathering w = {.g = g, .labels = labels, .reached = ROW_INDEX_INIT};
    struct support_order order;
    gather(&w, target);
    size_t count = w.reached.count;
    strong_components(&order, (uint32_t)count, w.first, w.to, NULL);
    *a = (struct ancestry){
        .count = (uint32_t)count,
        .components = (uint32_t)order.components,
        .node = xmalloc(count * sizeof(*a->node)),
        .just_first = xmalloc((count + 1) * sizeof(*a->just_first)),
        .just = xmalloc((w.justs + 1) * sizeof(*a->just)),
        .link_first = xmalloc((w.justs + 1) * sizeof(*a->link_first)),
        .link = xmalloc((w.links + 1) * sizeof(*a->link)),
        .component_first = order.first,
        .source = xmalloc((w.sources + 1) * sizeof(*a->source)),
        .source_member = xmalloc((w.sources + 1) * sizeof(*a->source_member)),
    };
    AUTO_FREE uint32_t *place = xmalloc(count * sizeof(*place));
    for (uint32_t m = 0; m < a->count; m++)
        place[order.node[m]] = m;
    fill(a, &w, &order, place);
    sort_sources(a);
    order.first = NULL; /* it is the ancestry's now */
    support_order_release(&order);
    row_index_release(&w.reached);
    free(w.first);
    free(w.to);
}

void ancestry_release(struct ancestry *a)
{
    free(a->node);
    free(a->just_first);
    free(a->just);
    free(a->link_first);
    free(a->link);
    free(a->component_first);
    free(a->source);
    free(a->source_member);
    *a = (struct ancestry){.count = 0};
}
