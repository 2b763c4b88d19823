#include "model/base/alloc.h"
#include "model/layout/rank/ordering.h"

#include <stdlib.h>
#include "model/layout/rank/ordering_counter.h"

/* Layers up to this wide are counted without asking for memory. */
#define WIDTH_SMALL 512

/*
 * Segments below layer l from left to right: each crosses those before it that end beyond its end (Barth, Jünger,
 * Mutzel 2002). All of a point are asked before they are counted, for they meet.
 */
static uint64_t crossings_below(const struct layered *g, uint32_t l, uint32_t *tree)
{
    uint32_t width = g->first[l + 2] - g->first[l + 1];
    uint64_t crossings = 0, before = 0;
    memset(tree, 0, ((size_t)width + 1) * sizeof(*tree));
    for (uint32_t i = g->first[l]; i < g->first[l + 1]; i++) {
        uint32_t p = g->order[i], from = g->down_first[p], to = g->down_first[p + 1];
        for (uint32_t s = from; s < to; s++)
            crossings += before - counter_until(tree, g->place[g->segment[g->down_of[s]].lower]);
        for (uint32_t s = from; s < to; s++)
            counter_add(tree, width, g->place[g->segment[g->down_of[s]].lower]);
        before += to - from;
    }
    return crossings;
}

/* The same pair by pair, where there is no memory for a tree. */
static uint64_t crossings_by_pairs(const struct layered *g, uint32_t from, uint32_t to)
{
    uint64_t crossings = 0;
    for (uint32_t i = from; i < to; i++)
        for (uint32_t j = from; j < i; j++) {
            const struct segment *s = &g->segment[i], *t = &g->segment[j];
            crossings += (g->place[s->upper] < g->place[t->upper] &&
                          g->place[s->lower] > g->place[t->lower]) ||
                         (g->place[s->upper] > g->place[t->upper] &&
                          g->place[s->lower] < g->place[t->lower]);
        }
    return crossings;
}

static uint64_t all_by_pairs(const struct layered *g)
{
    uint64_t crossings = 0;
    for (uint32_t from = 0, to; from < g->segments; from = to) {
        uint32_t layer = g->layer[g->segment[from].upper];
        for (to = from; to < g->segments && g->layer[g->segment[to].upper] == layer; to++)
            ;
        crossings += crossings_by_pairs(g, from, to);
    }
    return crossings;
}

uint64_t ordering_crossings(const struct layered *g)
{
    uint32_t small[WIDTH_SMALL + 1], *tree = small, width = 0;
    uint64_t crossings = 0;
    for (uint32_t l = 0; l < g->layers; l++)
        if (g->first[l + 1] - g->first[l] > width)
            width = g->first[l + 1] - g->first[l];
    if (width > WIDTH_SMALL && !(tree = xmalloc(((size_t)width + 1) * sizeof(*tree))))
        return all_by_pairs(g);
    for (uint32_t l = 0; l + 1 < g->layers; l++)
        crossings += crossings_below(g, l, tree);
    if (tree != small)
        free(tree);
    return crossings;
}
