#include <stdlib.h>
#include <string.h>
#include "scene_build.h"

/* Where several memories are shared each twin takes a line for each of them; where it is one, only many are too many. */
#define LEAST      3
#define LEAST_LEAF 8

/* A memory with all its ties, which are what makes another its twin. */
struct likeness {
    const struct seen *seen;
    uint32_t v;
    uint64_t *tie; /* [ties] the other end, the side and the strokes */
    size_t ties;
};

static int by_tie(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int compare(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

static int compare_likeness(const struct likeness *x, const struct likeness *y)
{
    int order = compare(x->seen->group, y->seen->group);
    order = order ? order : compare(x->seen->memory.kind, y->seen->memory.kind);
    order = order ? order : compare(x->seen->memory.status, y->seen->memory.status);
    order = order ? order : compare((int64_t)x->ties, (int64_t)y->ties);
    return order || !x->ties ? order : memcmp(x->tie, y->tie, x->ties * sizeof(*x->tie));
}

/* Twins side by side, later before earlier. */
static int by_likeness(const void *a, const void *b)
{
    const struct likeness *x = a, *y = b;
    int order = compare_likeness(x, y);
    order = order ? order : compare(y->seen->memory.at, x->seen->memory.at);
    return order ? order : strcmp(x->seen->memory.id, y->seen->memory.id);
}

static int describe(struct scene_build *b, uint32_t v, struct likeness *out, struct error *e)
{
    const struct seen *s = &b->seen[v];
    size_t most = s->side[0].shown + s->side[1].shown, count = 0;
    *out = (struct likeness){s, v, arena_array(&b->scratch, most, sizeof(*out->tie)), most};
    if (!out->tie)
        return scene_no_memory(e);
    for (int side = 0; side < 2; side++)
        for (uint32_t t = s->side[side].first; t != SEEN_NONE; t = b->tie[t].next[side])
            out->tie[count++] = (uint64_t)tie_other(&b->tie[t], (enum direction)side) << 8 |
                                (unsigned)side << 7 | b->tie[t].strokes;
    qsort(out->tie, count, sizeof(*out->tie), by_tie);
    return 0;
}

/* The first ones of a kind of which there are more are in view to be looked at. */
static bool is_of_a_fan(const struct scene_build *b, uint32_t v)
{
    const struct seen *s = &b->seen[v];
    for (int side = 0; side < 2; side++)
        for (uint32_t t = s->side[side].first; t != SEEN_NONE; t = b->tie[t].next[side]) {
            const struct seen *other = &b->seen[tie_other(&b->tie[t], (enum direction)side)];
            if (view_has_rest(&other->side[scene_across((enum direction)side)], s->memory.kind))
                return true;
        }
    return false;
}

static bool may_be_twin(const struct scene_build *b, uint32_t v)
{
    return b->seen[v].group == SEEN_NONE && !gather_alone(b, v) && gather_is_whole(&b->seen[v]) &&
           !is_of_a_fan(b, v);
}

static size_t run_of(const struct likeness *l, size_t count)
{
    size_t run = 1;
    while (run < count && compare_likeness(&l[0], &l[run]) == 0)
        run++;
    return run;
}

/* Those among `of` that are alike, side by side; in the scratch arena. */
static struct likeness *find_likeness(struct scene_build *b,
                                      bool (*of)(const struct scene_build *b, uint32_t v),
                                      size_t *count, struct error *e)
{
    arena_clear(&b->scratch);
    struct likeness *l = arena_array(&b->scratch, b->count, sizeof(*l));
    *count = 0;
    if (!l) {
        scene_no_memory(e);
        return NULL;
    }
    for (uint32_t v = 0; v < b->count; v++)
        if (of(b, v) && describe(b, v, &l[(*count)++], e))
            return NULL;
    if (*count)
        qsort(l, *count, sizeof(*l), by_likeness);
    return l;
}

int twins_mark(struct scene_build *b, struct error *e)
{
    size_t count;
    struct likeness *l = find_likeness(b, may_be_twin, &count, e);
    if (!l)
        return -1;
    for (size_t i = 0, run; i < count; i += run) {
        uint32_t least = l[i].ties > 1 ? LEAST : LEAST_LEAF;
        run = run_of(l + i, count - i);
        if (run < least)
            continue;
        for (size_t k = i; k < i + run; k++) {
            b->seen[l[k].v].group = b->groups;
            b->seen[l[k].v].sort = SCENE_TWINS;
        }
        b->groups++;
    }
    return 0;
}

/* Whatever came into view since, those that are still alike are twins. */
static bool is_still_twin(const struct scene_build *b, uint32_t v)
{
    const struct seen *s = &b->seen[v];
    return s->group != SEEN_NONE && s->sort == SCENE_TWINS && !gather_is_opened(s) &&
           !gather_alone(b, v);
}

int twins_gather(struct scene_build *b, struct gathering *g, struct error *e)
{
    size_t count;
    struct likeness *l = find_likeness(b, is_still_twin, &count, e);
    if (!l)
        return -1;
    for (size_t i = 0, run; i < count; i += run) {
        run = run_of(l + i, count - i);
        for (size_t k = i; run >= LEAST && k < i + run; k++)
            gather_member(g, SCENE_TWINS, l[k].v, k == i);
    }
    return 0;
}
