/* Finds chains (each memory replaced by the next) and groups of memories with the same
 * neighbours. Each is drawn as one node. */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/subgraph/subgraph_build.h"

/* The ties of a memory, with other end, side and strokes; one tie on each side may be left out. */
struct signature {
    uint32_t v;
    uint64_t *tie; /* [ties] sorted; in the scratch arena */
    size_t ties;
};

/* Must the memory be drawn as itself, for example since it has a node for hidden neighbours? */
static bool is_single(const struct subgraph_build *b, uint32_t v)
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

/* Are all its neighbours in the lineage in view? Otherwise it cannot be compared with others. */
static bool gather_is_whole(const struct seen *s)
{
    for (int side = 0; side < 2; side++)
        if (s->side[side].depth != NOT_WALKED &&
            (s->side[side].bounded || s->side[side].total > s->side[side].shown))
            return false;
    return true;
}

/* Was it in a group of this type, and not opened since? */
static bool gather_may_stand(const struct subgraph_build *b, uint32_t v,
                             enum subgraph_node_type type)
{
    const struct seen *s = &b->seen[v];
    bool opened = s->apart || s->side[ANCESTORS].expanded || s->side[DESCENDANTS].expanded;
    return s->group != SEEN_NONE && s->type == type && !opened && !is_single(b, v);
}

/* Adds a member to the last group, or starts a new group with it. */
static void gather_member(struct gathering *g, enum subgraph_node_type type, uint32_t v, bool first)
{
    if (first)
        g->group[g->groups++] = (struct gathered){type, g->members, 0};
    g->group[g->groups - 1].count++;
    g->member[g->members++] = v;
    g->of[v] = (uint32_t)g->groups - 1;
}

static int by_tie(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void signature_find(struct subgraph_build *b, uint32_t v, const uint32_t *but,
                           struct signature *out)
{
    const struct seen *s = &b->seen[v];
    size_t most = s->side[0].shown + s->side[1].shown;
    *out = (struct signature){v, arena_array(&b->scratch, most, sizeof(*out->tie)), 0};
    for (int side = 0; side < 2; side++)
        for (uint32_t t = s->side[side].first; t != SEEN_NONE; t = b->tie[t].next[side])
            if (t != but[side])
                out->tie[out->ties++] = (uint64_t)tie_other(&b->tie[t], (enum direction)side) << 8 |
                                        (unsigned)side << 7 | b->tie[t].strokes;
    SORT(out->tie, out->ties, by_tie);
}

static int order(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

/* Returns 0 if both have the same kind, status and ties; otherwise an order. */
static int signature_compare(const struct subgraph_build *b, const struct signature *x,
                             const struct signature *y)
{
    const struct subgraph_memory *a = &b->seen[x->v].memory, *c = &b->seen[y->v].memory;
    int result = order(a->kind, c->kind);
    result = result ? result : order(a->status, c->status);
    result = result ? result : order((int64_t)x->ties, (int64_t)y->ties);
    return result || !x->ties ? result : memcmp(x->tie, y->tie, x->ties * sizeof(*x->tie));
}

/*
 * An inner memory of a chain has one neighbour before and one after it, with the same strokes; so
 * the ends of a chain do not depend on where the search begins. It has no other neighbours. Or it
 * is superseded by the one and supersedes the other, and all its other links are the same for all
 * members: a new version inherits the episodes of the old one.
 */

#define LEAST_SUPERSEDED 3 /* people rarely look for old versions */
#define LEAST            6 /* each of the others has its own content */

static size_t least_of(const struct subgraph_build *b, uint32_t v)
{
    return b->seen[v].memory.status == STATUS_SUPERSEDED ? LEAST_SUPERSEDED : LEAST;
}

struct member {
    uint32_t through[2]; /* its ties to the neighbouring members, or ends */
    struct signature rest;
    bool inner;
};

/* The only tie on that side, or with `only` false the only tie that supersedes. SEEN_NONE if
 * there are none or several. */
static uint32_t find_through(const struct subgraph_build *b, uint32_t v, enum direction side,
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

static void describe(struct subgraph_build *b, uint32_t v, struct member *m)
{
    const struct seen *s = &b->seen[v];
    bool only = s->side[ANCESTORS].shown == 1 && s->side[DESCENDANTS].shown == 1;
    *m = (struct member){.inner = false};
    for (int side = 0; side < 2; side++)
        m->through[side] = find_through(b, v, (enum direction)side, only);
    m->inner = m->through[0] != SEEN_NONE && m->through[1] != SEEN_NONE &&
               b->tie[m->through[0]].strokes == b->tie[m->through[1]].strokes && !is_single(b, v) &&
               gather_is_whole(s);
    if (m->inner)
        signature_find(b, v, m->through, &m->rest);
}

/* Describes all memories in view, in the scratch arena. */
static struct member *describe_all(struct subgraph_build *b)
{
    arena_clear(&b->scratch);
    struct member *m = arena_array(&b->scratch, b->count, sizeof(*m));
    for (uint32_t v = 0; v < b->count; v++)
        describe(b, v, &m[v]);
    return m;
}

/* The next member of the chain on that side, or SEEN_NONE at its end. */
static uint32_t next_in_chain(const struct subgraph_build *b, const struct member *m, uint32_t v,
                              enum direction side)
{
    uint32_t other = tie_other(&b->tie[m[v].through[side]], side);
    bool same = m[other].inner && m[other].through[subgraph_opposite(side)] == m[v].through[side] &&
                signature_compare(b, &m[v].rest, &m[other].rest) == 0;
    return same ? other : SEEN_NONE;
}

static bool is_first(const struct subgraph_build *b, const struct member *m, uint32_t v)
{
    return m[v].inner && next_in_chain(b, m, v, DESCENDANTS) == SEEN_NONE;
}

/* All its links are in view, so it stays in its chain whatever else comes into view. */
static bool is_settled(const struct seen *s)
{
    return s->side[ANCESTORS].total == s->side[ANCESTORS].shown && !s->side[ANCESTORS].bounded &&
           s->side[DESCENDANTS].total == s->side[DESCENDANTS].shown &&
           !s->side[DESCENDANTS].bounded;
}

/* The nodes that the chain from `v` saves, for each run of settled members that is long enough. */
static size_t saved_by(const struct subgraph_build *b, const struct member *m, uint32_t v)
{
    size_t saved = 0, least = least_of(b, v);
    while (v != SEEN_NONE) {
        size_t run = 0;
        for (; v != SEEN_NONE && is_settled(&b->seen[v]); v = next_in_chain(b, m, v, ANCESTORS))
            run++;
        saved += run >= least ? run - 1 : 0;
        v = v == SEEN_NONE ? v : next_in_chain(b, m, v, ANCESTORS);
    }
    return saved;
}

size_t chains_saving(struct subgraph_build *b)
{
    size_t saved = 0;
    const struct member *m = describe_all(b);
    for (uint32_t v = 0; v < b->count; v++)
        if (is_first(b, m, v))
            saved += saved_by(b, m, v);
    return saved;
}

static void mark(struct subgraph_build *b, const struct member *m, uint32_t first)
{
    uint32_t place = 0;
    for (uint32_t v = first; v != SEEN_NONE; v = next_in_chain(b, m, v, ANCESTORS)) {
        struct seen *s = &b->seen[v];
        s->group = b->groups;
        s->type = SUBGRAPH_CHAIN;
        s->place = place++;
        for (int side = 0; side < 2; side++)
            s->marked[side] = s->side[side].shown;
    }
    b->groups++;
}

static void chains_mark(struct subgraph_build *b)
{
    const struct member *m = describe_all(b);
    for (uint32_t v = 0; v < b->count; v++) {
        size_t length = 0;
        for (uint32_t k = is_first(b, m, v) ? v : SEEN_NONE; k != SEEN_NONE;
             k = next_in_chain(b, m, k, ANCESTORS))
            length++;
        if (length >= least_of(b, v))
            mark(b, m, v);
    }
}

/* ---- after all expansions ---- */

static int by_place(const void *a, const void *b)
{
    const struct seen *x = *(const struct seen *const *)a, *y = *(const struct seen *const *)b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* It got no new links in view, so it still equals the neighbouring members. */
static bool is_still_member(const struct subgraph_build *b, uint32_t v)
{
    const struct seen *s = &b->seen[v];
    return gather_may_stand(b, v, SUBGRAPH_CHAIN) && s->side[0].shown <= s->marked[0] &&
           s->side[1].shown <= s->marked[1];
}

/* Gathers runs of members that are still next to each other, if there are enough of them. */
static void chains_gather(struct subgraph_build *b, struct gathering *g)
{
    arena_clear(&b->scratch);
    const struct seen **member = arena_array(&b->scratch, b->count, sizeof(*member));
    size_t count = 0;
    for (uint32_t v = 0; v < b->count; v++)
        if (is_still_member(b, v))
            member[count++] = &b->seen[v];
    SORT(member, count, by_place);
    for (size_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && member[i + run]->group == member[i]->group &&
                      member[i + run]->place == member[i]->place + run;)
            run++;
        size_t least = least_of(b, (uint32_t)(member[i] - b->seen));
        for (size_t k = i; run >= least && k < i + run; k++)
            gather_member(g, SUBGRAPH_CHAIN, (uint32_t)(member[k] - b->seen), k == i);
    }
}

/*
 * A group hides the texts of its members, so it must save lines: each member takes a line for every
 * neighbour that they share. If they share only one, they are as easy to read as a list, unless
 * there are many.
 */
#define EQUIVALENT_LEAST 3
#define LEAST_LEAF       8
#define LEAST_LINES      6

/* Is it one of the first of its kind, with more of them hidden? These are shown so that a person
 * can read them. */
static bool is_of_a_fan(const struct subgraph_build *b, uint32_t v)
{
    const struct seen *s = &b->seen[v];
    for (int side = 0; side < 2; side++)
        for (uint32_t t = s->side[side].first; t != SEEN_NONE; t = b->tie[t].next[side]) {
            const struct seen *other = &b->seen[tie_other(&b->tie[t], (enum direction)side)];
            if (view_has_rest(&other->side[subgraph_opposite((enum direction)side)],
                              s->memory.kind))
                return true;
        }
    return false;
}

static bool may_be_equivalent(const struct subgraph_build *b, uint32_t v)
{
    return b->seen[v].group == SEEN_NONE && !is_single(b, v) && gather_is_whole(&b->seen[v]) &&
           !is_of_a_fan(b, v) && row_index_find(&b->first, b->seen[v].row) == ROW_NONE;
}

/* A memory with all its ties. */
struct equivalent {
    struct subgraph_build *b;
    struct signature like;
};

static int compare_equivalents(const struct equivalent *x, const struct equivalent *y)
{
    uint32_t a = x->b->seen[x->like.v].group, b = y->b->seen[y->like.v].group;
    return a != b ? (a > b) - (a < b) : signature_compare(x->b, &x->like, &y->like);
}

/* Makes equivalent nodes neighbours, newest first. */
static int by_signature(const void *a, const void *b)
{
    const struct equivalent *x = a, *y = b;
    const struct subgraph_memory *m = &x->b->seen[x->like.v].memory,
                                 *n = &y->b->seen[y->like.v].memory;
    int order = compare_equivalents(x, y);
    if (order)
        return order;
    return m->at != n->at ? (m->at < n->at) - (m->at > n->at) : strcmp(m->id, n->id);
}

static size_t run_of_equivalents(const struct equivalent *t, size_t count)
{
    size_t run = 1;
    while (run < count && compare_equivalents(&t[0], &t[run]) == 0)
        run++;
    return run;
}

static bool is_still_equivalent(const struct subgraph_build *b, uint32_t v)
{
    return gather_may_stand(b, v, SUBGRAPH_EQUIVALENT);
}

/* The memories that `may` accepts, sorted so that equivalent ones are neighbours, in the scratch
 * arena. */
static struct equivalent *find_equivalents(struct subgraph_build *b,
                                           bool (*may)(const struct subgraph_build *b, uint32_t v),
                                           size_t *count)
{
    static const uint32_t all[2] = {SEEN_NONE, SEEN_NONE};
    arena_clear(&b->scratch);
    struct equivalent *t = arena_array(&b->scratch, b->count, sizeof(*t));
    *count = 0;
    for (uint32_t v = 0; v < b->count; v++) {
        if (!may(b, v))
            continue;
        t[*count].b = b;
        signature_find(b, v, all, &t[(*count)++].like);
    }
    SORT(t, *count, by_signature);
    return t;
}

static bool saves_lines(const struct equivalent *t, size_t count)
{
    if (t->like.ties < 2)
        return count >= LEAST_LEAF;
    return count >= EQUIVALENT_LEAST && (count - 1) * t->like.ties >= LEAST_LINES;
}

static void equivalents_mark(struct subgraph_build *b)
{
    size_t count;
    struct equivalent *t = find_equivalents(b, may_be_equivalent, &count);
    for (size_t i = 0, run; i < count; i += run) {
        run = run_of_equivalents(t + i, count - i);
        if (!saves_lines(t + i, run))
            continue;
        for (size_t k = i; k < i + run; k++) {
            b->seen[t[k].like.v].group = b->groups;
            b->seen[t[k].like.v].type = SUBGRAPH_EQUIVALENT;
        }
        b->groups++;
    }
}

/* Gathers the members that are still equivalent after the expansions. */
static void equivalents_gather(struct subgraph_build *b, struct gathering *g)
{
    size_t count;
    struct equivalent *t = find_equivalents(b, is_still_equivalent, &count);
    for (size_t i = 0, run; i < count; i += run) {
        run = run_of_equivalents(t + i, count - i);
        for (size_t k = i; run >= EQUIVALENT_LEAST && k < i + run; k++)
            gather_member(g, SUBGRAPH_EQUIVALENT, t[k].like.v, k == i);
    }
}

void gather_mark(struct subgraph_build *b)
{
    if (!b->request->gather)
        return;
    chains_mark(b);
    equivalents_mark(b);
}

static void mark_apart(struct subgraph_build *b)
{
    for (size_t i = 0; i < b->request->apart_count; i++) {
        uint32_t v = view_find(b, b->request->apart[i]);
        if (v != SEEN_NONE)
            b->seen[v].apart = true;
    }
}

void gather_all(struct subgraph_build *b, struct gathering *g)
{
    *g = (struct gathering){.of = arena_array(b->arena, b->count, sizeof(*g->of)),
                            .group = arena_array(b->arena, b->count, sizeof(*g->group)),
                            .member = arena_array(b->arena, b->count, sizeof(*g->member))};
    for (uint32_t v = 0; v < b->count; v++)
        g->of[v] = SEEN_NONE;
    mark_apart(b);
    chains_gather(b, g);
    equivalents_gather(b, g);
}
