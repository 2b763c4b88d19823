/*
 * A memory inside of a chain has one before it and one after it, both by the same strokes, so that where a chain is cut
 * does not depend on where one begins to look. Those two are all that it has; or it is superseded by the one and supersedes the
 * other, and all else is common to the members: a new version inherits the episodes of the old one.
 */
#include <stdlib.h>
#include "model/subgraph/scene_build.h"

#define LEAST_SUPERSEDED 3 /* old versions are rarely what is looked for */
#define LEAST            6 /* others say something each */

static size_t least_of(const struct scene_build *b, uint32_t v)
{
    return b->seen[v].memory.status == STATUS_SUPERSEDED ? LEAST_SUPERSEDED : LEAST;
}

struct member {
    uint32_t through[2]; /* its ties to the members beside it, or the ends */
    struct likeness rest;
    bool inner;
};

/* The one tie on that side, or the one of them that supersedes; SEEN_NONE: there are none, or several. */
static uint32_t find_through(const struct scene_build *b, uint32_t v, enum direction side,
                             bool only)
{
    uint32_t found = SEEN_NONE;
    for (uint32_t t = b->seen[v].side[side].first; t != SEEN_NONE; t = b->tie[t].next[side]) {
        if (!only && !(b->tie[t].strokes & 1u << STROKE_SUPERSEDES))
            continue;
        if (found != SEEN_NONE)
            return SEEN_NONE;
        found = t;
    }
    return found;
}

static int describe(struct scene_build *b, uint32_t v, struct member *m, struct error *e)
{
    const struct seen *s = &b->seen[v];
    bool only = s->side[ANCESTORS].shown == 1 && s->side[DESCENDANTS].shown == 1;
    *m = (struct member){.inner = false};
    for (int side = 0; side < 2; side++)
        m->through[side] = find_through(b, v, (enum direction)side, only);
    m->inner = m->through[0] != SEEN_NONE && m->through[1] != SEEN_NONE &&
               b->tie[m->through[0]].strokes == b->tie[m->through[1]].strokes &&
               !gather_alone(b, v) && gather_is_whole(s);
    return m->inner ? likeness_find(b, v, m->through, &m->rest, e) : 0;
}

/* Of all in view; in the scratch arena. NULL with an error. */
static struct member *describe_all(struct scene_build *b, struct error *e)
{
    arena_clear(&b->scratch);
    struct member *m = arena_array(&b->scratch, b->count, sizeof(*m));
    if (!m)
        scene_no_memory(e);
    for (uint32_t v = 0; m && v < b->count; v++)
        if (describe(b, v, &m[v], e))
            return NULL;
    return m;
}

/* The member of the same chain beside it on that side; SEEN_NONE at its end. */
static uint32_t beside(const struct scene_build *b, const struct member *m, uint32_t v,
                       enum direction side)
{
    uint32_t other = tie_other(&b->tie[m[v].through[side]], side);
    bool same = m[other].inner && m[other].through[scene_across(side)] == m[v].through[side] &&
                likeness_compare(b, &m[v].rest, &m[other].rest) == 0;
    return same ? other : SEEN_NONE;
}

static bool is_first(const struct scene_build *b, const struct member *m, uint32_t v)
{
    return m[v].inner && beside(b, m, v, DESCENDANTS) == SEEN_NONE;
}

/* All that it has is in view: whatever else comes, it stays in its chain. */
static bool is_settled(const struct seen *s)
{
    return s->side[ANCESTORS].total == s->side[ANCESTORS].shown && !s->side[ANCESTORS].bounded &&
           s->side[DESCENDANTS].total == s->side[DESCENDANTS].shown &&
           !s->side[DESCENDANTS].bounded;
}

static size_t save_in(const struct scene_build *b, const struct member *m, uint32_t v)
{
    size_t saved = 0, least = least_of(b, v);
    while (v != SEEN_NONE) {
        size_t run = 0;
        for (; v != SEEN_NONE && is_settled(&b->seen[v]); v = beside(b, m, v, ANCESTORS))
            run++;
        saved += run >= least ? run - 1 : 0;
        v = v == SEEN_NONE ? v : beside(b, m, v, ANCESTORS);
    }
    return saved;
}

int chains_save(struct scene_build *b, size_t *saved, struct error *e)
{
    *saved = 0;
    const struct member *m = describe_all(b, e);
    for (uint32_t v = 0; m && v < b->count; v++)
        if (is_first(b, m, v))
            *saved += save_in(b, m, v);
    return m ? 0 : -1;
}

static void mark(struct scene_build *b, const struct member *m, uint32_t first)
{
    uint32_t place = 0;
    for (uint32_t v = first; v != SEEN_NONE; v = beside(b, m, v, ANCESTORS)) {
        struct seen *s = &b->seen[v];
        s->group = b->groups;
        s->sort = SCENE_CHAIN;
        s->place = place++;
        for (int side = 0; side < 2; side++)
            s->beside[side] =
                b->seen[tie_other(&b->tie[m[v].through[side]], (enum direction)side)].row;
    }
    b->groups++;
}

int chains_mark(struct scene_build *b, struct error *e)
{
    const struct member *m = describe_all(b, e);
    for (uint32_t v = 0; m && v < b->count; v++) {
        size_t length = 0;
        for (uint32_t k = is_first(b, m, v) ? v : SEEN_NONE; k != SEEN_NONE;
             k = beside(b, m, k, ANCESTORS))
            length++;
        if (length >= least_of(b, v))
            mark(b, m, v);
    }
    return m ? 0 : -1;
}

/* ---- once everything is in view ---- */

struct place {
    uint32_t group, place;
    struct likeness rest;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* What it has besides the two that it had beside it. */
static int describe_again(struct scene_build *b, uint32_t v, struct place *p, struct error *e)
{
    const struct seen *s = &b->seen[v];
    uint32_t through[2] = {SEEN_NONE, SEEN_NONE};
    for (int side = 0; side < 2; side++)
        for (uint32_t t = s->side[side].first; t != SEEN_NONE; t = b->tie[t].next[side])
            if (b->seen[tie_other(&b->tie[t], (enum direction)side)].row == s->beside[side])
                through[side] = t;
    p->group = s->group;
    p->place = s->place;
    return likeness_find(b, v, through, &p->rest, e);
}

static size_t run_of(const struct scene_build *b, const struct place *p, size_t count)
{
    size_t run = 1;
    while (run < count && p[run].group == p->group && p[run].place == p->place + run &&
           likeness_compare(b, &p->rest, &p[run].rest) == 0)
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
        if (gather_may_stand(b, v, SCENE_CHAIN) && describe_again(b, v, &p[count++], e))
            return -1;
    if (count)
        qsort(p, count, sizeof(*p), by_place);
    for (size_t i = 0, run; i < count; i += run) {
        run = run_of(b, p + i, count - i);
        for (size_t k = i; run >= least_of(b, p[i].rest.v) && k < i + run; k++)
            gather_member(g, SCENE_CHAIN, p[k].rest.v, k == i);
    }
    return 0;
}
