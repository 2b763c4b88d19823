#include "tui/chart/chart_reach.h"

#include <stdlib.h>
#include "model/base/alloc.h"

/* Where one step leads from each node: to[first[v] .. first[v + 1]]. */
struct steps {
    uint32_t *first, *to;
};

static int steps_make(struct steps *s, const struct scene *scene, enum direction side)
{
    s->first = xcalloc((size_t)scene->nodes + 2, sizeof(*s->first));
    s->to = xmalloc(((size_t)scene->edges + 1) * sizeof(*s->to));
    if (!s->first || !s->to)
        return -1;
    for (uint32_t e = 0; e < scene->edges; e++)
        s->first[(side == ANCESTORS ? scene->edge[e].from : scene->edge[e].to) + 2]++;
    for (uint32_t v = 0; v < scene->nodes; v++)
        s->first[v + 2] += s->first[v + 1];
    for (uint32_t e = 0; e < scene->edges; e++) {
        const struct scene_edge *edge = &scene->edge[e];
        uint32_t from = side == ANCESTORS ? edge->from : edge->to;
        s->to[s->first[from + 1]++] = side == ANCESTORS ? edge->to : edge->from;
    }
    return 0;
}

static void walk(const struct steps *s, uint32_t *depth, uint32_t *queue)
{
    uint32_t count = 0;
    depth[0] = 0;
    queue[count++] = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t at = s->first[queue[i]]; at < s->first[queue[i] + 1]; at++) {
            if (depth[s->to[at]] != PICTURE_NONE)
                continue;
            depth[s->to[at]] = depth[queue[i]] + 1;
            queue[count++] = s->to[at];
        }
}

int chart_depths(const struct chart *c, enum direction side, uint32_t *depth)
{
    struct steps s = {NULL, NULL};
    uint32_t nodes = c->scene.nodes;
    uint32_t *queue = xmalloc(((size_t)nodes + 1) * sizeof(*queue));
    int result = queue ? steps_make(&s, &c->scene, side) : -1;
    for (uint32_t v = 0; v < nodes; v++)
        depth[v] = PICTURE_NONE;
    if (!result && nodes)
        walk(&s, depth, queue);
    free(s.first);
    free(s.to);
    free(queue);
    return result;
}

size_t chart_reached(const struct chart *c, const uint32_t *depth)
{
    size_t count = 0;
    for (uint32_t v = 1; v < c->scene.nodes; v++)
        if (depth[v] != PICTURE_NONE && c->scene.node[v].sort != SCENE_MORE)
            count += c->scene.node[v].total;
    return count;
}
