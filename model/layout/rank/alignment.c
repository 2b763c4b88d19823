#include "model/layout/rank/alignment.h"

#include <stdlib.h>
#include "model/base/alloc.h"

void alignment_release(struct alignment *a)
{
    free(a->up);
    free(a->down);
    free(a->inner_up);
    free(a->inner_down);
    free(a->gives_way);
    *a = (struct alignment){.g = NULL};
}

/* ---- neighbours by place ---- */

/* Each point, by layer and place, joins the rows of its neighbours. */
static int sort_neighbours(struct alignment *a)
{
    const struct layered *g = a->g;
    uint32_t *filled = xcalloc(g->points * (size_t)2 + 1, sizeof(*filled));
    if (!filled)
        return -1;
    uint32_t *up_filled = filled, *down_filled = filled + g->points;
    for (uint32_t i = 0; i < g->points; i++) {
        uint32_t p = g->order[i];
        for (uint32_t k = g->down_first[p]; k < g->down_first[p + 1]; k++) {
            uint32_t s = g->down_of[k], q = g->segment[s].lower;
            a->up[g->up_first[q] + up_filled[q]++] = s;
        }
        for (uint32_t k = g->up_first[p]; k < g->up_first[p + 1]; k++) {
            uint32_t s = g->up_of[k], q = g->segment[s].upper;
            a->down[g->down_first[q] + down_filled[q]++] = s;
        }
    }
    free(filled);
    return 0;
}

/* ---- what gives way to the inside of a long edge ---- */

static void find_inner(struct alignment *a)
{
    const struct layered *g = a->g;
    for (uint32_t i = 0; i < g->points; i++)
        a->inner_up[i] = a->inner_down[i] = PICTURE_NONE;
    for (uint32_t i = 0; i < g->segments; i++) {
        const struct segment *s = &g->segment[i];
        if (s->upper < g->picture->nodes || s->lower < g->picture->nodes)
            continue;
        a->inner_down[s->upper] = i;
        a->inner_up[s->lower] = i;
    }
}

/* Of the inner segments that end before each place in a layer (or beyond it), the last (or first)
 * place where one begins. */
struct bounds {
    int64_t *most_before, *least_beyond; /* [widest layer] */
};

static int64_t inner_from(const struct alignment *a, uint32_t point)
{
    uint32_t inner = a->inner_up[point];
    return inner == PICTURE_NONE ? -1 : (int64_t)a->g->place[a->g->segment[inner].upper];
}

static void bound_layer(const struct alignment *a, uint32_t layer, struct bounds *b)
{
    const struct layered *g = a->g;
    const uint32_t *order = g->order + g->first[layer];
    uint32_t count = g->first[layer + 1] - g->first[layer];
    int64_t most = -1, least = INT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        b->most_before[i] = most;
        int64_t from = inner_from(a, order[i]);
        if (from > most)
            most = from;
    }
    for (uint32_t i = count; i > 0; i--) {
        b->least_beyond[i - 1] = least;
        int64_t from = inner_from(a, order[i - 1]);
        if (from >= 0 && from < least)
            least = from;
    }
}

static bool gives_way(const struct alignment *a, uint32_t segment, const struct bounds *b)
{
    const struct segment *s = &a->g->segment[segment];
    int64_t from = a->g->place[s->upper];
    uint32_t to = a->g->place[s->lower];
    if (a->inner_up[s->lower] == segment)
        return false;
    return a->inner_up[s->lower] != PICTURE_NONE || a->inner_down[s->upper] != PICTURE_NONE ||
           b->most_before[to] > from || b->least_beyond[to] < from;
}

static int find_what_gives_way(struct alignment *a)
{
    const struct layered *g = a->g;
    uint32_t s = 0, widest = 0;
    for (uint32_t l = 0; l < g->layers; l++)
        if (g->first[l + 1] - g->first[l] > widest)
            widest = g->first[l + 1] - g->first[l];
    int64_t *room = xmalloc((widest * (size_t)2 + 1) * sizeof(*room));
    if (!room)
        return -1;
    struct bounds b = {room, room + widest};
    for (uint32_t l = 1; l < g->layers; l++) {
        bound_layer(a, l, &b);
        for (; s < g->segments && g->layer[g->segment[s].lower] == l; s++)
            a->gives_way[s] = gives_way(a, s, &b);
    }
    free(room);
    return 0;
}

int alignment_make(struct alignment *a, const struct layered *g)
{
    *a = (struct alignment){.g = g};
    a->up = xmalloc((g->segments + (size_t)1) * sizeof(*a->up));
    a->down = xmalloc((g->segments + (size_t)1) * sizeof(*a->down));
    a->inner_up = xmalloc((g->points + (size_t)1) * sizeof(*a->inner_up));
    a->inner_down = xmalloc((g->points + (size_t)1) * sizeof(*a->inner_down));
    a->gives_way = xmalloc(g->segments + (size_t)1);
    if (!a->up || !a->down || !a->inner_up || !a->inner_down || !a->gives_way || sort_neighbours(a))
        return -1;
    find_inner(a);
    return find_what_gives_way(a);
}

/* ---- blocks ---- */

/* One way to go. `taken` is the place in the layer before that was taken last, or -1. */
struct way {
    const struct alignment *a;
    bool down, forward;
    uint32_t *root, *next;
    int64_t taken;
};

static bool try_segment(struct way *w, uint32_t point, uint32_t segment)
{
    const struct layered *g = w->a->g;
    uint32_t before = w->down ? g->segment[segment].upper : g->segment[segment].lower;
    int64_t place = g->place[before];
    if (w->a->gives_way[segment] ||
        (w->taken >= 0 && (w->forward ? place <= w->taken : place >= w->taken)))
        return false;
    w->root[point] = w->root[before];
    w->next[before] = point;
    w->taken = place;
    return true;
}

/* Of an even number of neighbours there are two medians; which is tried first depends on the
 * way. */
static void align_point(struct way *w, uint32_t point)
{
    const struct layered *g = w->a->g;
    const uint32_t *first = w->down ? g->up_first : g->down_first;
    const uint32_t *row = (w->down ? w->a->up : w->a->down) + first[point];
    uint32_t count = first[point + 1] - first[point];
    uint32_t inner = w->down ? w->a->inner_up[point] : w->a->inner_down[point];
    if (inner != PICTURE_NONE)
        try_segment(w, point, inner);
    if (inner != PICTURE_NONE || !count)
        return;
    uint32_t low = (count - 1) / 2, high = count / 2;
    if (!try_segment(w, point, row[w->forward ? low : high]) && low != high)
        try_segment(w, point, row[w->forward ? high : low]);
}

static void align_layer(struct way *w, uint32_t layer)
{
    const struct layered *g = w->a->g;
    uint32_t from = g->first[layer], to = g->first[layer + 1];
    w->taken = -1;
    for (uint32_t i = from; i < to; i++)
        align_point(w, g->order[w->forward ? i : to - 1 - (i - from)]);
}

void alignment_find(const struct alignment *a, bool down, bool forward, uint32_t *root,
                    uint32_t *next)
{
    struct way w = {a, down, forward, root, next, -1};
    uint32_t layers = a->g->layers;
    for (uint32_t i = 0; i < a->g->points; i++) {
        root[i] = i;
        next[i] = PICTURE_NONE;
    }
    for (uint32_t l = 1; l < layers; l++)
        align_layer(&w, down ? l : layers - 1 - l);
}
