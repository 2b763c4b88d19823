#include "model/subgraph/scene_build.h"

bool gather_alone(const struct scene_build *b, uint32_t v)
{
    const struct seen *s = &b->seen[v];
    if (v == 0 || s->loop || s->memory.status == STATUS_MISSING)
        return true;
    for (int side = 0; side < 2; side++)
        for (int kind = 0; s->side[side].rest && kind < KIND_COUNT; kind++)
            if (view_has_rest(&s->side[side], (enum kind)kind))
                return true;
    return false;
}

bool gather_is_whole(const struct seen *s)
{
    for (int side = 0; side < 2; side++)
        if (s->side[side].depth != NOT_WALKED &&
            (s->side[side].bounded || s->side[side].total > s->side[side].shown))
            return false;
    return true;
}

bool gather_may_stand(const struct scene_build *b, uint32_t v, enum scene_sort sort)
{
    const struct seen *s = &b->seen[v];
    bool opened = s->apart || s->side[ANCESTORS].wished || s->side[DESCENDANTS].wished;
    return s->group != SEEN_NONE && s->sort == sort && !opened && !gather_alone(b, v);
}

void gather_member(struct gathering *g, enum scene_sort sort, uint32_t v, bool first)
{
    if (first)
        g->group[g->groups++] = (struct gathered){sort, g->members, 0};
    g->group[g->groups - 1].count++;
    g->member[g->members++] = v;
    g->of[v] = (uint32_t)g->groups - 1;
}

int gather_mark(struct scene_build *b, struct error *e)
{
    if (!b->wishes->gather)
        return 0;
    return chains_mark(b, e) || twins_mark(b, e) ? -1 : 0;
}

static void mark_apart(struct scene_build *b)
{
    for (size_t i = 0; i < b->wishes->apart_count; i++) {
        uint32_t v = view_find(b, b->wishes->apart[i]);
        if (v != SEEN_NONE)
            b->seen[v].apart = true;
    }
}

int gather_all(struct scene_build *b, struct gathering *g, struct error *e)
{
    *g = (struct gathering){.of = arena_array(b->arena, b->count, sizeof(*g->of)),
                            .group = arena_array(b->arena, b->count, sizeof(*g->group)),
                            .member = arena_array(b->arena, b->count, sizeof(*g->member))};
    if (!g->of || !g->group || !g->member)
        return scene_no_memory(e);
    for (uint32_t v = 0; v < b->count; v++)
        g->of[v] = SEEN_NONE;
    mark_apart(b);
    return chains_gather(b, g, e) || twins_gather(b, g, e) ? -1 : 0;
}
