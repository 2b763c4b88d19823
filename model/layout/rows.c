#include "model/layout/rows.h"

#include "model/base/alloc.h"

static uint32_t number_at(const uint32_t *first, size_t stride, uint32_t i)
{
    return *(const uint32_t *)(const void *)((const char *)first + i * stride);
}

void rows_make(struct rows *r, struct arena *a, uint32_t keys, uint32_t items, const uint32_t *key,
               size_t stride)
{
    r->first = arena_array(a, keys + (size_t)2, sizeof(*r->first));
    r->item = arena_array(a, items + (size_t)1, sizeof(*r->item));
    /* Counting sort. Counts are stored two places further on, so that first[k + 1] is the begin
     * of row k first, and its end once the row is filled. */
    for (uint32_t i = 0; i < items; i++)
        r->first[number_at(key, stride, i) + 2]++;
    for (uint32_t k = 0; k < keys; k++)
        r->first[k + 2] += r->first[k + 1];
    for (uint32_t i = 0; i < items; i++)
        r->item[r->first[number_at(key, stride, i) + 1]++] = i;
}

struct search {
    uint32_t *seen;      /* [nodes] Tarjan's index, from 1 */
    uint32_t *low;       /* [nodes] Tarjan's lowlink */
    uint32_t *next;      /* [nodes] the next edge to follow */
    uint32_t *open;      /* [nodes] stack of nodes reached, but not in a component yet */
    uint32_t *path;      /* [nodes] stack: the path to the current node */
    uint32_t *component; /* [nodes] UINT32_MAX if in none yet */
    uint32_t opened, length, clock, components;
};

static void enter(struct search *s, const struct rows *out, uint32_t node)
{
    s->seen[node] = s->low[node] = ++s->clock;
    s->next[node] = out->first[node];
    s->open[s->opened++] = node;
    s->path[s->length++] = node;
}

/* Leaves the last node of the path, whose edges are all searched. */
static void leave(struct search *s)
{
    uint32_t node = s->path[--s->length], member;
    if (s->length > 0 && s->low[node] < s->low[s->path[s->length - 1]])
        s->low[s->path[s->length - 1]] = s->low[node];
    if (s->low[node] != s->seen[node])
        return;
    do {
        member = s->open[--s->opened];
        s->component[member] = s->components;
    } while (member != node);
    s->components++;
}

void components_find(uint32_t nodes, const struct rows *out, const uint32_t *to, size_t stride,
                     uint32_t *component)
{
    AUTO_FREE uint32_t *room = xcalloc(5 * (size_t)nodes, sizeof(*room));
    struct search s = {.seen = room, .low = room + nodes, .component = component};
    s.next = s.low + nodes;
    s.open = s.next + nodes;
    s.path = s.open + nodes;
    for (uint32_t v = 0; v < nodes; v++)
        component[v] = UINT32_MAX;
    for (uint32_t root = 0; root < nodes; root++) {
        if (s.seen[root])
            continue;
        for (enter(&s, out, root); s.length > 0;) {
            uint32_t v = s.path[s.length - 1];
            if (s.next[v] == out->first[v + 1]) {
                leave(&s);
                continue;
            }
            uint32_t end = number_at(to, stride, out->item[s.next[v]++]);
            if (!s.seen[end])
                enter(&s, out, end);
            else if (component[end] == UINT32_MAX && s.seen[end] < s.low[v])
                s.low[v] = s.seen[end];
        }
    }
}
