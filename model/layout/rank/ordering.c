#include "model/layout/rank/ordering.h"

#include "model/layout/rank/ordering_piece.h"

/* ---- pieces: what is connected stands together ---- */

struct pieces {
    struct arena arena; /* holds them */
    /* [points] which one a point belongs to; they are numbered by their first points */
    uint32_t *piece;
    uint32_t *member; /* [points] by (piece, layer, place) */
    uint32_t *first;  /* [pieces + 1] */
    uint32_t *filled; /* [layers] points of each layer that have their place */
    uint32_t *number; /* [points] */
    uint32_t count;
};

static int pieces_init(struct pieces *w, const struct layered *g)
{
    *w = (struct pieces){.arena = ARENA_INIT};
    w->piece = arena_array(&w->arena, g->points, sizeof(*w->piece));
    w->member = arena_array(&w->arena, g->points, sizeof(*w->member));
    w->first = arena_array(&w->arena, (size_t)g->points + 1, sizeof(*w->first));
    w->filled = arena_array(&w->arena, g->layers, sizeof(*w->filled));
    w->number = arena_array(&w->arena, g->points, sizeof(*w->number));
    return w->piece && w->member && w->first && w->filled && w->number ? 0 : -1;
}

static uint32_t join(struct pieces *w, uint32_t queued, uint32_t p)
{
    if (w->piece[p] != PICTURE_NONE)
        return queued;
    w->piece[p] = w->count;
    w->member[queued] = p;
    return queued + 1;
}

/* Breadth first from each point that was not met; member[] is the queue. */
static void find_pieces(struct pieces *w, const struct layered *g)
{
    uint32_t queued = 0, done = 0;
    for (uint32_t p = 0; p < g->points; p++)
        w->piece[p] = PICTURE_NONE;
    for (uint32_t root = 0; root < g->points; root++) {
        if (w->piece[root] != PICTURE_NONE)
            continue;
        for (queued = join(w, queued, root); done < queued; done++) {
            uint32_t p = w->member[done];
            for (uint32_t i = g->up_first[p]; i < g->up_first[p + 1]; i++)
                queued = join(w, queued, g->segment[g->up_of[i]].upper);
            for (uint32_t i = g->down_first[p]; i < g->down_first[p + 1]; i++)
                queued = join(w, queued, g->segment[g->down_of[i]].lower);
        }
        w->first[++w->count] = queued;
    }
}

/* Members of each piece by layer, as they stand in the order. */
static void sort_members(struct pieces *w, const struct layered *g)
{
    uint32_t *filled = w->number;
    memcpy(filled, w->first, w->count * sizeof(*filled));
    for (uint32_t i = 0; i < g->points; i++)
        w->member[filled[w->piece[g->order[i]]]++] = g->order[i];
}

static void write_back(struct layered *g, struct pieces *w, const uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t l = g->layer[order[i]];
        g->order[g->first[l] + w->filled[l]++] = order[i];
    }
}

static int order_piece(struct layered *g, struct pieces *w, uint32_t *member, uint32_t count)
{
    struct piece o;
    int result = piece_make(&o, g, member, count, w->number);
    if (result == 0) {
        result = starts_find(&o);
    }
    if (result == 0)
        result = search_order(&o);
    if (result == 0)
        result = tidy_order(&o);
    for (uint32_t i = 0; result == 0 && i < count; i++)
        member[i] = o.named[o.order[i]];
    piece_release(&o);
    return result;
}

int ordering_find(struct layered *g)
{
    struct pieces w;
    int result = pieces_init(&w, g);
    if (result == 0) {
        find_pieces(&w, g);
        sort_members(&w, g);
    }
    for (uint32_t i = 0; result == 0 && i < w.count; i++) {
        uint32_t *member = w.member + w.first[i], count = w.first[i + 1] - w.first[i];
        if (count > 2)
            result = order_piece(g, &w, member, count);
    }
    for (uint32_t i = 0; result == 0 && i < w.count; i++)
        write_back(g, &w, w.member + w.first[i], w.first[i + 1] - w.first[i]);
    if (result == 0)
        layered_place(g);
    arena_release(&w.arena);
    return result;
}
