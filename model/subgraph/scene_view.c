#include <string.h>
#include "model/base/alloc.h"
#include "model/subgraph/scene_build.h"

int scene_no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Show less of it, or close something else.",
                     "memory ran out while drawing the lineage");
}

uint32_t view_find(const struct scene_build *b, int64_t row)
{
    size_t number = row_index_find(&b->rows, row);
    return number == ROW_NONE ? SEEN_NONE : (uint32_t)number;
}

static const struct seen_side NO_SIDE = {.depth = NOT_WALKED, .first = SEEN_NONE};

uint32_t view_add(struct scene_build *b, int64_t row, const struct scene_memory *m, struct error *e)
{
    void *moved = b->seen;
    const char *id = arena_strdup(b->arena, m->id);
    if (!id || b->count == SEEN_NONE - 1 ||
        !array_grow(&moved, &b->alloc, b->count, sizeof(*b->seen)) ||
        row_index_add(&b->rows, row) == ROW_NONE) {
        b->seen = moved;
        scene_no_memory(e);
        return SEEN_NONE;
    }
    b->seen = moved;
    struct seen *s = &b->seen[b->count];
    *s = (struct seen){.row = row, .memory = *m, .side = {NO_SIDE, NO_SIDE}, .group = SEEN_NONE};
    s->memory.id = id;
    return b->count++;
}

/* ---- ties ---- */

static void count_shown(struct scene_build *b, uint32_t v, enum direction side, uint32_t other)
{
    struct seen_side *s = &b->seen[v].side[side];
    s->shown++;
    if (s->counts)
        s->counts->shown[b->seen[other].memory.kind]++;
}

static int add_tie(struct scene_build *b, uint32_t from, uint32_t to, unsigned strokes,
                   struct error *e)
{
    void *moved = b->tie;
    if (b->ties == SEEN_NONE - 1 || !array_grow(&moved, &b->tie_alloc, b->ties, sizeof(*b->tie)))
        return scene_no_memory(e);
    b->tie = moved;
    uint32_t *above = &b->seen[from].side[ANCESTORS].first;
    uint32_t *below = &b->seen[to].side[DESCENDANTS].first;
    struct tie *t = &b->tie[b->ties];
    *t = (struct tie){.strokes = strokes};
    t->end[ANCESTORS] = to;
    t->end[DESCENDANTS] = from;
    t->next[ANCESTORS] = *above;
    t->next[DESCENDANTS] = *below;
    *above = *below = b->ties++;
    count_shown(b, from, ANCESTORS, to);
    count_shown(b, to, DESCENDANTS, from);
    return 0;
}

/* Its ties to the first `count` of those in view. */
static int link_side(struct scene_build *b, uint32_t v, enum direction side, uint32_t count,
                     struct error *e)
{
    struct scene_ties ties;
    arena_clear(&b->scratch);
    if (b->source->among(b->source->of, &b->scratch, b->seen[v].row, side, &b->rows, count, &ties,
                         e))
        return -1;
    for (size_t i = 0; i < ties.count; i++) {
        uint32_t other = view_find(b, ties.tie[i].row);
        uint32_t from = side == ANCESTORS ? v : other, to = side == ANCESTORS ? other : v;
        if (add_tie(b, from, to, ties.tie[i].strokes, e))
            return -1;
    }
    b->seen[v].side[side].total = ties.total;
    b->seen[v].side[side].bounded = ties.bounded;
    b->seen[v].loop |= ties.loop;
    return 0;
}

/* Among those that came since each tie is met from above; those that were there are met from below as well. */
int view_link(struct scene_build *b, struct error *e)
{
    for (uint32_t v = b->linked; v < b->count; v++)
        if (link_side(b, v, ANCESTORS, b->count, e) || link_side(b, v, DESCENDANTS, b->linked, e))
            return -1;
    b->linked = b->count;
    return 0;
}

/* ---- kinds ---- */

size_t view_unseen(const struct seen_side *s, enum kind kind)
{
    const struct seen_counts *c = s->counts;
    return c && c->total[kind] > c->shown[kind] ? c->total[kind] - c->shown[kind] : 0;
}

bool view_has_rest(const struct seen_side *s, enum kind kind)
{
    return s->rest & KIND_BIT(kind) && view_unseen(s, kind) > 1;
}

static struct seen_counts *counts_of(struct scene_build *b, uint32_t v, enum direction side,
                                     struct error *e)
{
    struct seen_side *s = &b->seen[v].side[side];
    if (s->counts)
        return s->counts;
    s->counts = arena_alloc(b->arena, sizeof(*s->counts));
    if (!s->counts)
        scene_no_memory(e);
    for (uint32_t t = s->first; s->counts && t != SEEN_NONE; t = b->tie[t].next[side])
        s->counts->shown[b->seen[tie_other(&b->tie[t], side)].memory.kind]++;
    return s->counts;
}

int view_links(struct scene_build *b, uint32_t v, enum direction side, size_t most,
               struct scene_links *out, struct error *e)
{
    struct seen_counts *counts = counts_of(b, v, side, e);
    if (!counts || b->source->links(b->source->of, &b->scratch, b->seen[v].row, side, most, out, e))
        return -1;
    if (most >= counts->asked) {
        memcpy(counts->total, out->total, sizeof(out->total));
        counts->bounded = out->bounded;
        counts->asked = most;
    }
    return 0;
}

/* ---- what goes ---- */

static int keep_ties(struct scene_build *b, const uint32_t *now, struct error *e)
{
    uint32_t ties = b->ties;
    b->ties = 0;
    for (uint32_t t = 0; t < ties; t++) {
        struct tie was = b->tie[t];
        uint32_t from = now[was.end[DESCENDANTS]], to = now[was.end[ANCESTORS]];
        if (from != SEEN_NONE && to != SEEN_NONE && add_tie(b, from, to, was.strokes, e))
            return -1;
    }
    return 0;
}

static void forget_ties(struct seen *s)
{
    for (int side = 0; side < 2; side++) {
        s->side[side].first = SEEN_NONE;
        s->side[side].shown = 0;
        if (s->side[side].counts)
            memset(s->side[side].counts->shown, 0, sizeof(s->side[side].counts->shown));
    }
}

int view_keep(struct scene_build *b, const bool *keep, struct error *e)
{
    uint32_t *now = arena_array(&b->scratch, b->count, sizeof(*now)), kept = 0;
    if (!now)
        return scene_no_memory(e);
    row_index_clear(&b->rows);
    for (uint32_t v = 0; v < b->count; v++) {
        now[v] = keep[v] ? kept : SEEN_NONE;
        if (!keep[v])
            continue;
        b->seen[kept] = b->seen[v];
        forget_ties(&b->seen[kept]);
        row_index_add(&b->rows, b->seen[kept++].row); /* there is room for more */
    }
    b->count = b->linked = kept;
    return keep_ties(b, now, e);
}
