/*
 * Roots and independent derivations of one memory.
 *
 * First come paths along justifications with one antecedent, by maximum flow (Dinic 1970: many shortest
 * paths in each pass, as a memory may have 100,000 antecedents) over split vertices: a path may enter a
 * member once. Then it is asked whether more paths exist if of several antecedents one is enough. Each
 * derivation holds such a path whichever antecedent that is, so their number is a bound; it is low
 * with the antecedent that has most users. If there are no more, no derivation can be added.
 * Otherwise derivations are packed: the cheapest (Knuth 1977) first, without the members of those
 * before. Members that a packing used become dearer for the next try.
 */
#include "model/graph/roots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/graph/ancestry.h"

/* Derivations by the numbers of their members; see struct independence. */
struct packed {
    uint32_t *member;
    size_t *first; /* [count + 1], if count > 0 */
    size_t members, count, member_alloc, first_alloc;
};

static void packed_end(struct packed *d)
{
    ARRAY_ROOM(d->first, d->count, d->first_alloc, 2);
    d->first[0] = 0;
    d->first[++d->count] = d->members;
}

static void packed_clear(struct packed *d)
{
    d->members = d->count = 0;
}

static void packed_release(struct packed *d)
{
    free(d->member);
    free(d->first);
}

/* What is searched: the ancestry of the target, which is its last member. */
struct problem {
    struct ancestry a;
    uint32_t target;
};

static bool is_source(const struct problem *p, uint32_t member)
{
    return p->a.just_first[member] == p->a.just_first[member + 1];
}

/* ---- paths ---- */

/*
 * A state of the search is a member that was entered (2 m) or may be left (2 m + 1): one on a path can
 * be entered again only to undo the step to it.
 */
struct flow {
    const struct problem *p;
    bool relaxed;   /* one antecedent is enough: that with most users */
    uint32_t *uses; /* [members] */
    uint32_t *prev; /* [members] the one before it on its path; NODE_NONE if it is on none */
    uint32_t
        *level; /* [2 · members] steps from the target to a state; NODE_NONE: not seen, or done */
    uint32_t *next;  /* [members] the justification by which a pass goes on */
    uint32_t *queue; /* of states; then those of the path that is tried */
    size_t count;
    uint32_t paths;
};

static void flow_make(struct flow *f, const struct problem *p)
{
    size_t size = p->a.count * sizeof(uint32_t);
    *f = (struct flow){.p = p};
    f->uses = xcalloc(p->a.count, sizeof(*f->uses));
    f->prev = xmalloc(size);
    f->level = xmalloc(2 * size);
    f->next = xmalloc(size);
    f->queue = xmalloc(2 * size);
    memset(f->prev, 0xff, size);
    for (uint32_t i = 0; i < p->a.link_first[p->a.justs]; i++)
        f->uses[p->a.link[i]]++;
}

static void flow_release(struct flow *f)
{
    FREE_ALL(f->uses, f->prev, f->level, f->next, f->queue);
}

/* Where a justification of the member leads; NODE_NONE: nowhere. */
static uint32_t antecedent(const struct flow *f, uint32_t just)
{
    const struct ancestry *a = &f->p->a;
    uint32_t most = a->link[a->link_first[just]];
    for (uint32_t i = a->link_first[just] + 1; i < a->link_first[just + 1]; i++)
        most = f->uses[a->link[i]] > f->uses[most] ? a->link[i] : most;
    return f->relaxed || a->link_first[just + 1] - a->link_first[just] == 1 ? most : NODE_NONE;
}

/* The state that follows one in which a member was entered: it may be left, unless it is on a path. */
static uint32_t after_entering(const struct flow *f, uint32_t member)
{
    return 2 * (f->prev[member] == NODE_NONE ? member : f->prev[member]) + 1;
}

static void see(struct flow *f, uint32_t state, uint32_t level)
{
    if (f->level[state] != NODE_NONE)
        return;
    f->level[state] = level;
    f->queue[f->count++] = state;
}

static bool is_end(const struct flow *f, uint32_t state)
{
    return state % 2 == 1 && is_source(f->p, state / 2);
}

/* Finds the levels of all states up to that of the nearest leaf. Returns whether there is one. */
static bool find_levels(struct flow *f)
{
    const struct ancestry *a = &f->p->a;
    memset(f->level, 0xff, 2 * a->count * sizeof(*f->level));
    memcpy(f->next, a->just_first, a->count * sizeof(*f->next));
    f->count = 0;
    see(f, 2 * f->p->target + 1, 0);
    for (size_t at = 0; at < f->count; at++) {
        uint32_t state = f->queue[at], m = state / 2, level = f->level[state] + 1;
        if (is_end(f, state))
            return true;
        if (state % 2 == 0) {
            see(f, after_entering(f, m), level);
            continue;
        }
        for (uint32_t j = a->just_first[m]; j < a->just_first[m + 1]; j++)
            if (antecedent(f, j) != NODE_NONE)
                see(f, 2 * antecedent(f, j), level);
        if (m != f->p->target && f->prev[m] != NODE_NONE)
            see(f, 2 * m, level);
    }
    return false;
}

/* A state of the next level that was not tried yet, or NODE_NONE. */
static uint32_t next_state(struct flow *f, uint32_t state)
{
    const struct ancestry *a = &f->p->a;
    uint32_t m = state / 2, level = f->level[state] + 1, to;
    if (state % 2 == 0)
        return f->level[to = after_entering(f, m)] == level ? to : NODE_NONE;
    while (f->next[m] < a->just_first[m + 1])
        if ((to = antecedent(f, f->next[m]++)) != NODE_NONE && f->level[2 * to] == level)
            return 2 * to;
    bool undoes = m != f->p->target && f->prev[m] != NODE_NONE && f->level[2 * m] == level;
    return undoes ? 2 * m : NODE_NONE;
}

/* Adds the path of the states in the queue. */
static void add_path(struct flow *f)
{
    const uint32_t *state = f->queue;
    for (size_t i = 1; i < f->count; i++) /* undo the steps that it goes back */
        if (state[i] % 2 == 1 && state[i] / 2 != state[i - 1] / 2)
            f->prev[state[i - 1] / 2] = NODE_NONE;
    for (size_t i = 1; i < f->count; i++)
        if (state[i] % 2 == 0 && state[i] / 2 != state[i - 1] / 2)
            f->prev[state[i] / 2] = state[i - 1] / 2;
    f->paths++;
}

/*
 * Adds shortest paths until each other one shares a state with them, each state tried once: O(members
 * and links). Returns whether there was one.
 */
static bool augment(struct flow *f)
{
    const uint32_t start = 2 * f->p->target + 1;
    const struct ancestry *a = &f->p->a;
    if (patience_is_over(a->patience, (uint64_t)a->count + ancestry_links(a)) || !find_levels(f))
        return false;
    f->queue[0] = start;
    for (f->count = 1; f->count > 0;) {
        uint32_t state = f->queue[f->count - 1], to = next_state(f, state);
        if (to == NODE_NONE) {
            f->level[state] = NODE_NONE;
            f->count--;
            continue;
        }
        f->queue[f->count++] = to;
        if (!is_end(f, to))
            continue;
        add_path(f);
        while (f->count > 1)
            f->level[f->queue[--f->count]] = NODE_NONE;
    }
    return true;
}

static void list_paths(const struct flow *f, struct packed *out)
{
    for (uint32_t m = 0; m < f->p->target; m++) {
        if (!is_source(f->p, m) || f->prev[m] == NODE_NONE)
            continue;
        for (uint32_t v = m; v != f->p->target; v = f->prev[v])
            *ARRAY_ADD(out->member, out->members, out->member_alloc) = v;
        packed_end(out);
    }
}

/* ---- packing ---- */

#define ROUNDS 5 /* of packing */
#define STEPS                                                                                      \
    1000000       /* links to follow in all rounds; at least one derivation is found in any case */
#define DEAR 1e15 /* sums end here, where a double still counts by ones */

struct packing {
    const struct problem *p;
    double *price;  /* [members] */
    double *cost;   /* [members] of the cheapest derivation found, with the member itself */
    uint32_t *best; /* [members] its justification */
    uint8_t *taken; /* [members] by a derivation of this packing */
    int64_t steps;
    uint64_t *without, *own; /* [members] for is_keystone_among */
};

/* A pass over the ancestry begins. Returns false if the computation is to be given up. */
static bool count_pass(struct packing *k)
{
    const struct ancestry *a = &k->p->a;
    uint64_t steps = (uint64_t)a->count + ancestry_links(a);
    k->steps -= (int64_t)steps;
    return !patience_is_over(a->patience, steps);
}

/*
 * The sum of the costs of the antecedents, which counts a shared one several times. It is
 * always more than each of them, so that no derivation goes in a circle: above DEAR too.
 */
static double cost_of(const struct packing *k, uint32_t just)
{
    const struct ancestry *a = &k->p->a;
    double sum = 0, most = 0;
    for (uint32_t i = a->link_first[just]; i < a->link_first[just + 1]; i++) {
        double cost = k->cost[a->link[i]];
        sum += cost;
        most = cost > most ? cost : most;
    }
    return sum <= DEAR || isinf(most) ? sum : most > DEAR ? most : DEAR;
}

static bool improve(struct packing *k, uint32_t member)
{
    const struct ancestry *a = &k->p->a;
    double before = k->cost[member];
    for (uint32_t j = a->just_first[member]; j < a->just_first[member + 1]; j++) {
        double cost = cost_of(k, j) + k->price[member];
        if (cost >= k->cost[member])
            continue;
        k->cost[member] = cost;
        k->best[member] = j;
    }
    return k->cost[member] < before;
}

/*
 * Finds the cheapest derivation of each member from those that are not taken. Members come after what
 * they are based on, so one pass is enough without circles. With them passes are repeated; after
 * some the derivation may not be the cheapest.
 */
static bool find_cheapest(struct packing *k)
{
    const struct ancestry *a = &k->p->a;
    bool changed = true;
    for (uint32_t m = 0; m < a->count; m++)
        k->cost[m] = is_source(k->p, m) && !k->taken[m] ? k->price[m] : INFINITY;
    for (int pass = 0; changed && (pass < 8 || isinf(k->cost[k->p->target])); pass++) {
        changed = false;
        if (!count_pass(k))
            return false;
        for (uint32_t m = 0; m < a->count; m++)
            if (!k->taken[m] && improve(k, m))
                changed = a->components < a->count;
    }
    return !isinf(k->cost[k->p->target]);
}

struct costly {
    double cost;
    uint32_t member;
};

static int compare_costly(const void *a, const void *b)
{
    const struct costly *x = a, *y = b;
    return x->cost != y->cost ? COMPARE(x->cost, y->cost) : COMPARE(x->member, y->member);
}

/* Takes the members of the derivation that was found, and lists them. */
static void take(struct packing *k, struct packed *out)
{
    const struct ancestry *a = &k->p->a;
    size_t count = 1, done = 0;
    AUTO_FREE uint32_t *queue = xmalloc(((size_t)a->count + 1) * sizeof(*queue));
    AUTO_FREE struct costly *member = xmalloc(((size_t)a->count + 1) * sizeof(*member));
    for (queue[0] = k->p->target; done < count; done++) {
        uint32_t m = queue[done], j = k->best[m];
        member[done] = (struct costly){k->cost[m], m};
        if (is_source(k->p, m))
            continue;
        for (uint32_t i = a->link_first[j]; i < a->link_first[j + 1]; i++)
            if (!k->taken[a->link[i]]) {
                k->taken[a->link[i]] = 1;
                queue[count++] = a->link[i];
            }
    }
    qsort(member + 1, count - 1, sizeof(*member), compare_costly);
    for (size_t i = 1; i < count; i++)
        *ARRAY_ADD(out->member, out->members, out->member_alloc) = member[i].member;
    packed_end(out);
}

/* Would the target lose all support without one of up to 64 members? */
static bool is_keystone_among(struct packing *k, const uint32_t *member, size_t count)
{
    const struct ancestry *a = &k->p->a;
    bool changed = true;
    memset(k->without, 0, a->count * sizeof(*k->without));
    memset(k->own, 0, a->count * sizeof(*k->own));
    for (size_t i = 0; i < count; i++)
        k->own[member[i]] = UINT64_C(1) << i;
    while (changed && count_pass(k)) { /* without[m]: for each, does m stand without it? */
        changed = false;
        for (uint32_t m = 0; m < a->count; m++) {
            uint64_t stands = is_source(k->p, m) ? UINT64_MAX : 0, before = k->without[m];
            for (uint32_t j = a->just_first[m]; j < a->just_first[m + 1]; j++) {
                uint64_t valid = UINT64_MAX;
                for (uint32_t i = a->link_first[j]; i < a->link_first[j + 1]; i++)
                    valid &= k->without[a->link[i]];
                stands |= valid;
            }
            k->without[m] = stands & ~k->own[m];
            changed |= k->without[m] != before && a->components < a->count;
        }
    }
    return k->without[k->p->target] << (64 - count) != UINT64_MAX << (64 - count);
}

/* Is there a keystone? It would be in each derivation, so in the one that was found. */
static bool has_keystone(struct packing *k, const struct packed *found)
{
    for (size_t i = 0; i < found->members && k->steps > 0; i += 64)
        if (is_keystone_among(k, found->member + i,
                              found->members - i < 64 ? found->members - i : 64))
            return true;
    return false;
}

/* Packs derivations, at least one. */
static void pack(struct packing *k, struct packed *out)
{
    packed_clear(out);
    memset(k->taken, 0, k->p->a.count);
    while ((out->count == 0 || k->steps > 0) && find_cheapest(k))
        take(k, out);
    for (uint32_t m = 0; m < k->p->a.count; m++)
        k->price[m] *= k->taken[m] ? 2 : 1;
}

/* Looks for more derivations than `best` has; returns whether what it has at the end is proven to be the most. */
static bool pack_more(const struct problem *p, struct packed *best, uint32_t bound)
{
    struct packing k = {.p = p, .steps = STEPS};
    struct packed found = {.count = 0};
    size_t count = p->a.count;
    bool proven = false;
    k.price = xmalloc(count * sizeof(*k.price));
    k.cost = xmalloc(count * sizeof(*k.cost));
    k.best = xcalloc(count, sizeof(*k.best));
    k.taken = xcalloc(count, 1);
    k.without = xmalloc(count * sizeof(*k.without));
    k.own = xmalloc(count * sizeof(*k.own));
    for (size_t m = 0; m < count; m++)
        k.price[m] = 1;
    for (int round = 0; !proven && round < ROUNDS && (round == 0 || k.steps > 0); round++) {
        pack(&k, &found);
        if (found.count > best->count) {
            struct packed before = *best;
            *best = found;
            found = before;
        }
        proven = best->count == bound || (round == 0 && best->count == 1 && has_keystone(&k, best));
    }
    packed_release(&found);
    FREE_ALL(k.price, k.cost, k.best, k.taken, k.without, k.own);
    return proven;
}

/* ---- the answer ---- */

struct range {
    size_t from, length;
    uint32_t node; /* the first member */
};

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->length != y->length ? COMPARE(x->length, y->length) : COMPARE(x->node, y->node);
}

/* Copies the derivations, the shortest first. */
static void answer(struct independence *out, const struct packed *d, const uint32_t *node)
{
    AUTO_FREE struct range *range = xmalloc((d->count + 1) * sizeof(*range));
    for (size_t i = 0; i < d->count; i++)
        range[i] = (struct range){d->first[i], d->first[i + 1] - d->first[i],
                                  node[d->member[d->first[i]]]};
    SORT(range, d->count, compare_ranges);
    out->independent = (uint32_t)d->count;
    out->member = xmalloc((d->members + 1) * sizeof(*out->member));
    out->first = xcalloc(d->count + 1, sizeof(*out->first));
    for (size_t i = 0; i < d->count; i++) {
        for (size_t k = 0; k < range[i].length; k++)
            out->member[out->first[i] + k] = node[d->member[range[i].from + k]];
        out->first[i + 1] = out->first[i] + range[i].length;
    }
}

/* Returns whether the derivations found are proven to be the most. */
static bool find_derivations(const struct problem *p, struct packed *out)
{
    struct flow f;
    flow_make(&f, p);
    while (augment(&f))
        ;
    list_paths(&f, out);
    f.relaxed = true;
    while (augment(&f))
        ;
    bool proven = f.paths == out->count || pack_more(p, out, f.paths);
    flow_release(&f);
    return proven;
}

void independence_compute(struct independence *out, const struct graph *g,
                          const struct labels *labels, uint32_t node)
{
    struct problem p;
    AUTO(packed) found = {.count = 0};
    *out = (struct independence){.proven = true};
    if (labels->stands[node])
        out->supports = labels->valid[node];
    if (!labels->stands[node] || fold_is_leaf(g, labels, node))
        return;
    ancestry_make(&p.a, g, labels, node);
    p.target = p.a.count - 1;
    out->root_count = p.a.source_count;
    out->root = xmalloc((p.a.source_count + 1) * sizeof(*out->root));
    memcpy(out->root, p.a.source, p.a.source_count * sizeof(*out->root));
    out->proven = find_derivations(&p, &found);
    answer(out, &found, p.a.node);
    ancestry_release(&p.a);
}

void independence_release(struct independence *i)
{
    FREE_ALL(i->root, i->member, i->first);
    *i = (struct independence){.root = NULL};
}
