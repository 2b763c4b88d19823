#include "tui/chart/chart_seed.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/layout/ordering.h"

struct known {
    const struct scene_node *node;
    int32_t seed;
};

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const struct known *)a)->node->id, ((const struct known *)b)->node->id);
}

/* What a SCENE_MORE is the rest of. */
static int compare_rests(const void *a, const void *b)
{
    const struct scene_node *x = ((const struct known *)a)->node;
    const struct scene_node *y = ((const struct known *)b)->node;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->side != y->side)
        return x->side < y->side ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

/* Those that stood for themselves or for several of their own, by their ids. */
static void seed_known(const struct chart *c, struct known *known, uint32_t count, int32_t *seed)
{
    qsort(known, count, sizeof(*known), compare_ids);
    for (uint32_t i = 0; i < c->scene.nodes; i++) {
        struct known key = {.node = &c->scene.node[i]};
        const struct known *found =
            count ? bsearch(&key, known, count, sizeof(*known), compare_ids) : NULL;
        seed[i] = found ? found->seed : SEED_NONE;
    }
}

/* A new node beside the one that the rest hung on, and of its kind, was among that rest. */
static void seed_beside(const struct chart *c, const struct known *rest, uint32_t rests,
                        const struct scene_edge *edge, enum direction side, int32_t *seed)
{
    uint32_t at = side == ANCESTORS ? edge->from : edge->to;
    uint32_t other = side == ANCESTORS ? edge->to : edge->from;
    const struct scene_node *hub = &c->scene.node[at], *n = &c->scene.node[other];
    if (seed[other] != SEED_NONE || n->sort == SCENE_MORE || hub->sort != SCENE_MEMORY)
        return;
    struct scene_node wanted = {.row = hub->row, .side = side, .kind = n->kind};
    struct known key = {.node = &wanted};
    const struct known *found = bsearch(&key, rest, rests, sizeof(*rest), compare_rests);
    if (found)
        seed[other] = found->seed;
}

static void seed_opened(const struct chart *c, struct known *known, uint32_t count, int32_t *seed)
{
    uint32_t rests = 0;
    for (uint32_t i = 0; i < count; i++)
        if (known[i].node->sort == SCENE_MORE)
            known[rests++] = known[i];
    if (!rests)
        return;
    qsort(known, rests, sizeof(*known), compare_rests);
    for (uint32_t i = 0; i < c->scene.edges; i++)
        for (int side = 0; side < 2; side++)
            seed_beside(c, known, rests, &c->scene.edge[i], (enum direction)side, seed);
}

int chart_find_seeds(const struct chart *c, const struct chart *before, int32_t **seed)
{
    *seed = NULL;
    if (!before || before->style == CHART_OUTLINE || !before->layout.node || !c->scene.nodes)
        return 0;
    uint32_t count = before->scene.nodes;
    struct known *known = xmalloc((count ? count : 1) * sizeof(*known));
    *seed = xcalloc(c->scene.nodes, sizeof(**seed));
    if (!known || !*seed) {
        free(known);
        return -1;
    }
    for (uint32_t i = 0; i < count; i++)
        known[i] = (struct known){&before->scene.node[i],
                                  before->layout.node[chart_drawn(before, i)].seed};
    seed_known(c, known, count, *seed);
    seed_opened(c, known, count, *seed);
    free(known);
    return 0;
}
