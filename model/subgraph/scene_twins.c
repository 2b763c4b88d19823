#include <stdlib.h>
#include <string.h>
#include "model/subgraph/scene_build.h"

/*
 * To stand as one hides what each of them says, so it has to save lines: each twin takes one for every memory that they
 * share. Where that is one memory, they are as easy to read as a list, until they are many.
 */
#define LEAST       3
#define LEAST_LEAF  8
#define LEAST_LINES 6

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

/* A memory with all its ties, and its group. */
struct twin {
    struct scene_build *b;
    struct likeness like;
};

static int compare_twins(const struct twin *x, const struct twin *y)
{
    uint32_t a = x->b->seen[x->like.v].group, b = y->b->seen[y->like.v].group;
    return a != b ? (a > b) - (a < b) : likeness_compare(x->b, &x->like, &y->like);
}

/* Twins side by side, later before earlier. */
static int by_likeness(const void *a, const void *b)
{
    const struct twin *x = a, *y = b;
    const struct scene_memory *m = &x->b->seen[x->like.v].memory,
                              *n = &y->b->seen[y->like.v].memory;
    int order = compare_twins(x, y);
    if (order)
        return order;
    return m->at != n->at ? (m->at < n->at) - (m->at > n->at) : strcmp(m->id, n->id);
}

static size_t run_of(const struct twin *t, size_t count)
{
    size_t run = 1;
    while (run < count && compare_twins(&t[0], &t[run]) == 0)
        run++;
    return run;
}

static bool is_still_twin(const struct scene_build *b, uint32_t v)
{
    return gather_may_stand(b, v, SCENE_TWINS);
}

/* Those of which `may` is true, those that are alike side by side; in the scratch arena. */
static struct twin *find_twins(struct scene_build *b,
                               bool (*may)(const struct scene_build *b, uint32_t v), size_t *count,
                               struct error *e)
{
    static const uint32_t all[2] = {SEEN_NONE, SEEN_NONE};
    arena_clear(&b->scratch);
    struct twin *t = arena_array(&b->scratch, b->count, sizeof(*t));
    *count = 0;
    if (!t)
        scene_no_memory(e);
    for (uint32_t v = 0; t && v < b->count; v++) {
        if (!may(b, v))
            continue;
        t[*count].b = b;
        if (likeness_find(b, v, all, &t[(*count)++].like, e))
            return NULL;
    }
    if (t && *count)
        qsort(t, *count, sizeof(*t), by_likeness);
    return t;
}

static bool is_worth_it(const struct twin *t, size_t count)
{
    if (t->like.ties < 2)
        return count >= LEAST_LEAF;
    return count >= LEAST && (count - 1) * t->like.ties >= LEAST_LINES;
}

int twins_mark(struct scene_build *b, struct error *e)
{
    size_t count;
    struct twin *t = find_twins(b, may_be_twin, &count, e);
    for (size_t i = 0, run; t && i < count; i += run) {
        run = run_of(t + i, count - i);
        if (!is_worth_it(t + i, run))
            continue;
        for (size_t k = i; k < i + run; k++) {
            b->seen[t[k].like.v].group = b->groups;
            b->seen[t[k].like.v].sort = SCENE_TWINS;
        }
        b->groups++;
    }
    return t ? 0 : -1;
}

/* Whatever came into view since, those that are still alike are twins. */
int twins_gather(struct scene_build *b, struct gathering *g, struct error *e)
{
    size_t count;
    struct twin *t = find_twins(b, is_still_twin, &count, e);
    for (size_t i = 0, run; t && i < count; i += run) {
        run = run_of(t + i, count - i);
        for (size_t k = i; run >= LEAST && k < i + run; k++)
            gather_member(g, SCENE_TWINS, t[k].like.v, k == i);
    }
    return t ? 0 : -1;
}
