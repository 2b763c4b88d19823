#include <stdlib.h>
#include "scene_build.h"

/*
 * A memory inside of a chain has one before it and one after it, both by the same strokes, so that where a chain is cut
 * does not depend on where one begins to look.
 */
#define LEAST 3

static uint32_t beside(const struct scene_build *b, uint32_t v, enum direction side)
{
    return tie_other(&b->tie[b->seen[v].side[side].first], side);
}

static bool is_inner(const struct scene_build *b, uint32_t v)
{
    const struct seen *s = &b->seen[v];
    const struct seen_side *above = &s->side[DESCENDANTS], *below = &s->side[ANCESTORS];
    return above->shown == 1 && below->shown == 1 &&
           b->tie[above->first].strokes == b->tie[below->first].strokes && !gather_alone(b, v) &&
           gather_is_whole(s);
}

static bool alike(const struct seen *a, const struct seen *b)
{
    return a->memory.kind == b->memory.kind && a->memory.status == b->memory.status;
}

/* The next member of the chain below; SEEN_NONE at its end. */
static uint32_t next_inner(const struct scene_build *b, uint32_t v)
{
    uint32_t next = beside(b, v, ANCESTORS);
    return alike(&b->seen[v], &b->seen[next]) && is_inner(b, next) ? next : SEEN_NONE;
}

static bool begins_chain(const struct scene_build *b, uint32_t v)
{
    if (!is_inner(b, v))
        return false;
    uint32_t before = beside(b, v, DESCENDANTS);
    return !alike(&b->seen[before], &b->seen[v]) || !is_inner(b, before);
}

static size_t chain_length(const struct scene_build *b, uint32_t v)
{
    size_t length = 0;
    for (; v != SEEN_NONE; v = next_inner(b, v))
        length++;
    return length;
}

/* Whatever else comes into view, it stays in its chain. */
static bool is_settled(const struct seen *s)
{
    return s->side[ANCESTORS].total == 1 && s->side[DESCENDANTS].total == 1;
}

size_t chains_save(const struct scene_build *b)
{
    size_t saved = 0;
    for (uint32_t v = 0; b->wishes->gather && v < b->count; v++) {
        if (!begins_chain(b, v))
            continue;
        for (uint32_t m = v; m != SEEN_NONE;) {
            size_t run = 0;
            for (; m != SEEN_NONE && is_settled(&b->seen[m]); m = next_inner(b, m))
                run++;
            saved += run >= LEAST ? run - 1 : 0;
            if (m != SEEN_NONE)
                m = next_inner(b, m);
        }
    }
    return saved;
}

void chains_mark(struct scene_build *b)
{
    for (uint32_t v = 0; v < b->count; v++) {
        if (!begins_chain(b, v) || chain_length(b, v) < LEAST)
            continue;
        uint32_t place = 0;
        for (uint32_t m = v; m != SEEN_NONE; m = next_inner(b, m)) {
            b->seen[m].group = b->groups;
            b->seen[m].sort = SCENE_CHAIN;
            b->seen[m].place = place++;
        }
        b->groups++;
    }
}

/* ---- once everything is in view ---- */

/* Whatever came into view since, it still has only those two. */
static bool is_still_inner(const struct seen *s)
{
    return s->group != SEEN_NONE && s->sort == SCENE_CHAIN && s->side[ANCESTORS].shown == 1 &&
           s->side[DESCENDANTS].shown == 1 && !gather_is_opened(s);
}

struct place {
    uint32_t group, place, v;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static size_t run_of(const struct place *p, size_t count)
{
    size_t run = 1;
    while (run < count && p[run].group == p->group && p[run].place == p->place + run)
        run++;
    return run;
}

int chains_gather(struct scene_build *b, struct gathering *g, struct error *e)
{
    arena_clear(&b->scratch);
    struct place *p = arena_array(&b->scratch, b->count, sizeof(*p));
    size_t count = 0;
    if (!p)
        return scene_no_memory(e);
    for (uint32_t v = 0; v < b->count; v++)
        if (is_still_inner(&b->seen[v]) && !gather_alone(b, v))
            p[count++] = (struct place){b->seen[v].group, b->seen[v].place, v};
    if (count)
        qsort(p, count, sizeof(*p), by_place);
    for (size_t i = 0, run; i < count; i += run) {
        run = run_of(p + i, count - i);
        for (size_t k = i; run >= LEAST && k < i + run; k++)
            gather_member(g, SCENE_CHAIN, p[k].v, k == i);
    }
    return 0;
}
