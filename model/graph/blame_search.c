/*
 * Minimal blame sets, by a hitting-set tree over derivations (Reiter, "A theory of diagnosis from
 * first principles", 1987).
 *
 * A set takes the support away if it has a source of every derivation of the target. A branch of the
 * tree is a set of removed sources. If the target has a derivation without these, one of its sources
 * must go too: child i removes source i of the derivation and keeps those before it, so that no two
 * branches can find the same set (Murakami and Uno 2014, for hypergraphs). A derivation with a single
 * source leaves no choice: all such sources go at once. Branches are taken by size, so that the sets
 * of a size are complete when the next size begins.
 *
 * All work is done on a copy of what the target is based on, never on the whole graph.
 */
#include "model/graph/blame_internal.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/graph/assignment.h"

#define WORD 64 /* assignments that are evaluated at once */
#define CACHED                                                                                     \
    40000 /* a pass over more than this misses the caches: a step takes three times as long */

/* ---- the search ---- */

enum belief {
    FREE = 0,
    REMOVED,
    KEPT, /* not in any set of this branch */
};

#define COSTS 64 /* derivations with more sources are not told apart */

/* Removes `pool[choice]`, keeps pool[first..choice), then removes pool[forced..forced_end). */
struct branch {
    uint32_t parent; /* NODE_NONE at the root */
    uint32_t first, choice, end;
    uint32_t forced, forced_end;
    uint32_t size; /* of what the branch removes, with its ancestors */
    uint32_t next; /* of the same size */
};

struct search {
    const struct graph *g;
    struct support_function *function;
    uint32_t *source; /* as those of `function` */
    size_t sources;
    uint32_t *place; /* [nodes] of a source in `source` */
    uint64_t *word;  /* [sources] for support_evaluate */
    uint8_t *belief; /* [nodes] enum belief of each source */
    uint32_t *removed;
    size_t removed_count;
    /* one derivation */
    uint32_t *cost;   /* [nodes] free sources of its derivation; UINT32_MAX if there is none */
    uint32_t *choice; /* [nodes] the first justification of its derivation */
    uint8_t *done;    /* [nodes] */
    uint32_t *missing, *sum;       /* [justs] antecedents not done; cost of those done */
    uint32_t *queued, *queue_next; /* [sources + justs] nodes of a cost, as lists */
    uint32_t queue[COSTS], queue_count;
    uint32_t *stack; /* [nodes] */
    /* the tree */
    struct branch *branch;
    size_t branches, branch_alloc;
    uint32_t *pool;
    size_t pool_count, pool_alloc;
    uint32_t *head, *tail; /* [sources + 1] branches of a size; NODE_NONE: there are none */
    uint64_t pass;         /* steps of a pass over the part */
    uint64_t scale;        /* by which steps count */
    uint64_t steps, budget;
    size_t enough;
    bool cut; /* the budget was spent within a branch, some of whose sets may be missing */
    struct blame_sets *out;
};

static void search_init(struct search *s, const struct part *p)
{
    const struct graph *g = &p->g;
    size_t nodes = g->nodes, justs = (size_t)g->justs + 1;
    *s = (struct search){.g = g, .pass = nodes + justs + g->links, .scale = 1};
    if (s->pass > CACHED)
        s->scale = 3;
    s->source = xmalloc(nodes * sizeof(*s->source));
    s->place = xmalloc(nodes * sizeof(*s->place));
    for (; s->sources < p->a.source_count; s->sources++) {
        s->source[s->sources] = p->a.count - 1 - p->a.source_member[s->sources];
        s->place[s->source[s->sources]] = (uint32_t)s->sources;
    }
    s->word = xmalloc(s->sources * sizeof(*s->word));
    s->belief = xcalloc(nodes, 1);
    s->removed = xmalloc(s->sources * sizeof(*s->removed));
    s->cost = xmalloc(nodes * sizeof(*s->cost));
    s->choice = xmalloc(nodes * sizeof(*s->choice));
    s->done = xmalloc(nodes);
    s->missing = xmalloc(justs * sizeof(*s->missing));
    s->sum = xmalloc(justs * sizeof(*s->sum));
    s->queued = xmalloc((s->sources + justs) * sizeof(*s->queued));
    s->queue_next = xmalloc((s->sources + justs) * sizeof(*s->queue_next));
    s->stack = xmalloc(nodes * sizeof(*s->stack));
    s->head = xmalloc((s->sources + 1) * sizeof(*s->head));
    s->tail = xmalloc((s->sources + 1) * sizeof(*s->tail));
    memset(s->head, 0xff, (s->sources + 1) * sizeof(*s->head));
}

static void search_release(struct search *s)
{
    void *arrays[] = {s->place, s->word,    s->belief, s->removed, s->cost,  s->choice,
                      s->done,  s->missing, s->sum,    s->queued,  s->stack, s->queue_next,
                      s->head,  s->source,  s->tail,   s->pool,    s->branch};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
        free(arrays[i]);
    support_function_free(s->function);
}

static void count_steps(struct search *s, uint64_t steps)
{
    s->steps += steps * s->scale;
    graph_gives_up(s->g, steps);
}

static void remove_source(struct search *s, uint32_t source)
{
    s->belief[source] = REMOVED;
    s->removed[s->removed_count++] = source;
}

static void offer(struct search *s, uint32_t node, uint32_t just, uint32_t cost)
{
    if (s->done[node] || cost >= s->cost[node])
        return;
    uint32_t *queue = &s->queue[cost < COSTS ? cost : COSTS - 1];
    s->cost[node] = cost;
    s->choice[node] = just;
    s->queued[s->queue_count] = node;
    s->queue_next[s->queue_count] = *queue;
    *queue = s->queue_count++;
}

static void hand_on(struct search *s, uint32_t node)
{
    const struct graph *g = s->g;
    uint32_t cost = s->cost[node];
    for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++) {
        uint32_t j = g->use_just[i];
        s->sum[j] = s->sum[j] + cost < INT32_MAX ? s->sum[j] + cost : INT32_MAX;
        if (--s->missing[j] == 0)
            offer(s, g->just_node[j], j, s->sum[j]);
    }
}

/*
 * Finds a derivation of the target with few free sources and returns their number, in which a source
 * that is used twice may count twice; UINT32_MAX if there is none (Knuth, "A generalization of
 * Dijkstra's algorithm", 1977). A removed source gives nothing, a kept one is free of charge. All
 * costs up to that of the target are final.
 */
static uint32_t derive(struct search *s)
{
    const struct graph *g = s->g;
    memset(s->cost, 0xff, g->nodes * sizeof(*s->cost));
    memset(s->done, 0, g->nodes);
    memset(s->queue, 0xff, sizeof(s->queue));
    s->queue_count = 0;
    for (uint32_t j = 0; j < g->justs; j++) {
        s->missing[j] = g->link_first[j + 1] - g->link_first[j];
        s->sum[j] = 0;
    }
    for (size_t i = 0; i < s->sources; i++)
        if (s->belief[s->source[i]] != REMOVED)
            offer(s, s->source[i], NODE_NONE, s->belief[s->source[i]] == FREE);
    for (uint32_t cost = 0; cost < COSTS && !s->done[0]; cost++)
        while (s->queue[cost] != NODE_NONE) {
            uint32_t node = s->queued[s->queue[cost]];
            s->queue[cost] = s->queue_next[s->queue[cost]];
            if (s->done[node])
                continue;
            s->done[node] = 1;
            hand_on(s, node);
        }
    count_steps(s, s->pass);
    return s->cost[0];
}

static void add_to_pool(struct search *s, uint32_t source)
{
    *ARRAY_ADD(s->pool, s->pool_count, s->pool_alloc) = source;
}

/* Adds the free sources of the derivation that was found to the pool. `done` marks what was seen. */
static void add_derivation(struct search *s)
{
    size_t count = 0;
    s->stack[count++] = 0;
    s->done[0] = 2;
    while (count > 0) {
        uint32_t v = s->stack[--count], j = s->choice[v];
        if (j == NODE_NONE) {
            if (s->belief[v] == FREE)
                add_to_pool(s, v);
            continue;
        }
        for (uint32_t i = s->g->link_first[j]; i < s->g->link_first[j + 1]; i++) {
            uint32_t to = s->g->link_to[i];
            if (s->done[to] == 2)
                continue;
            s->done[to] = 2;
            s->stack[count++] = to;
        }
    }
}

/*
 * The target costs 1: adds every source that supports it without another free one to the pool. The
 * derivations of cost 1 are paths, on which every justification costs 1.
 */
static void add_forced(struct search *s)
{
    const struct graph *g = s->g;
    size_t count = 0;
    s->stack[count++] = 0;
    s->done[0] = 2;
    while (count > 0) {
        uint32_t v = s->stack[--count];
        if (s->choice[v] == NODE_NONE)
            add_to_pool(s, v);
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
            if (s->missing[j] > 0 || s->sum[j] != 1)
                continue;
            for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++) {
                uint32_t to = g->link_to[i];
                if (s->cost[to] == 0 || s->done[to] == 2)
                    continue;
                s->done[to] = 2;
                s->stack[count++] = to;
            }
        }
    }
}

/* Each bit of `word` is a set: all sources but the removed ones. The caller takes single bits away or
 * adds them. */
static void fill_words(struct search *s)
{
    for (size_t i = 0; i < s->sources; i++)
        s->word[i] = s->belief[s->source[i]] == REMOVED ? 0 : UINT64_MAX;
}

static uint64_t evaluate(struct search *s)
{
    uint64_t before = support_steps(s->function), stands = support_evaluate(s->function, s->word);
    count_steps(s, support_steps(s->function) - before);
    return stands;
}

static uint64_t low_bits(size_t count)
{
    return count < WORD ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* Sets above `enough` are looked for with an eighth of the budget, unless none was found. `size`: of the branch. */
static bool is_spent(const struct search *s, size_t size)
{
    return s->steps > (size >= s->enough && s->out->ends > 0 ? s->budget / 8 : s->budget) ||
           graph_gives_up(s->g, 0);
}

/* Is each of the first `unproven` removed sources needed? All removed ones take the support away together,
 * and the others are needed. Also false if the budget was spent before that was known. */
static bool is_minimal(struct search *s, size_t unproven, size_t size)
{
    for (size_t from = 0; from < unproven; from += WORD) {
        if ((s->cut = is_spent(s, size)))
            return false;
        size_t count = unproven - from < WORD ? unproven - from : WORD;
        fill_words(s);
        for (size_t i = 0; i < count; i++)
            s->word[s->place[s->removed[from + i]]] = UINT64_C(1) << i;
        if ((evaluate(s) & low_bits(count)) != low_bits(count))
            return false;
    }
    return true;
}

static void add_set(struct search *s)
{
    struct blame_sets *out = s->out;
    for (size_t i = 0; i < s->removed_count; i++)
        *ARRAY_ADD(out->member, out->members, out->member_alloc) = s->removed[i];
    *ARRAY_ADD(out->end, out->ends, out->end_alloc) = out->members;
}

/* ---- the tree ---- */

static void enqueue(struct search *s, struct branch b)
{
    uint32_t number = (uint32_t)s->branches;
    b.next = NODE_NONE;
    *ARRAY_ADD(s->branch, s->branches, s->branch_alloc) = b;
    if (s->head[b.size] == NODE_NONE)
        s->head[b.size] = number;
    else
        s->branch[s->tail[b.size]].next = number;
    s->tail[b.size] = number;
}

static void load_branch(struct search *s, uint32_t number)
{
    memset(s->belief, FREE, s->g->nodes);
    s->removed_count = 0;
    for (; number != NODE_NONE; number = s->branch[number].parent) {
        const struct branch *b = &s->branch[number];
        for (uint32_t i = b->first; i < b->choice; i++)
            s->belief[s->pool[i]] = KEPT;
        if (b->choice < b->end)
            remove_source(s, s->pool[b->choice]);
        for (uint32_t i = b->forced; i < b->forced_end; i++)
            remove_source(s, s->pool[i]);
    }
}

/* Which of up to 64 sources take the support away, each together with the removed ones? */
static uint64_t that_complete(struct search *s, const uint32_t *source, size_t count)
{
    fill_words(s);
    for (size_t i = 0; i < count; i++)
        s->word[s->place[source[i]]] = ~(UINT64_C(1) << i);
    return ~evaluate(s) & low_bits(count);
}

/* Takes the sources pool[first..] that complete a set, to the front of the others. All branches keep
 * them, since a set with one more is not minimal. Returns the place of the first other. */
static uint32_t take_complete(struct search *s, uint32_t first)
{
    uint32_t others = first;
    size_t size = s->removed_count;
    for (uint32_t from = first; from < s->pool_count && !s->cut; from += WORD) {
        size_t count = s->pool_count - from < WORD ? s->pool_count - from : WORD;
        uint64_t complete = that_complete(s, s->pool + from, count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t source = s->pool[from + i];
            if (!(complete >> i & 1))
                continue;
            s->pool[from + i] = s->pool[others];
            s->pool[others++] = source;
            remove_source(s, source);
            if (is_minimal(s, s->removed_count - 1, size))
                add_set(s);
            s->belief[source] = FREE;
            s->removed_count--;
        }
        s->cut = s->cut || (from + WORD < s->pool_count && is_spent(s, size));
    }
    return others;
}

/* Removes what this branch must remove. The branch comes back in its new size, unless that is a set. */
static void take_forced(struct search *s, uint32_t number)
{
    struct branch b = s->branch[number];
    size_t size = b.size;
    b.forced = (uint32_t)s->pool_count;
    add_forced(s);
    b.forced_end = (uint32_t)s->pool_count;
    for (uint32_t i = b.forced; i < b.forced_end; i++)
        remove_source(s, s->pool[i]);
    b.size = (uint32_t)s->removed_count;
    if (derive(s) != UINT32_MAX)
        enqueue(s, b);
    else if (is_minimal(s, s->removed_count, size))
        add_set(s);
}

static void open_branch(struct search *s, uint32_t number)
{
    load_branch(s, number);
    uint32_t cost = derive(s), first = (uint32_t)s->pool_count;
    if (cost == 0)
        return; /* what is kept supports the target */
    if (cost == 1) {
        take_forced(s, number);
        return;
    }
    add_derivation(s);
    uint32_t others = take_complete(s, first), end = (uint32_t)s->pool_count;
    if (others < end)
        enqueue(s, (struct branch){.parent = number,
                                   .first = first,
                                   .choice = others,
                                   .end = end,
                                   .size = (uint32_t)s->removed_count + 1});
}

/* Returns up to which size all sets were found. Sets of a size are found before its branches are
 * opened. */
static size_t open_branches(struct search *s)
{
    enqueue(s, (struct branch){.parent = NODE_NONE});
    for (uint32_t size = 0; size <= s->sources; size++)
        while (s->head[size] != NODE_NONE) {
            uint32_t number = s->head[size];
            struct branch sibling = s->branch[number];
            if (is_spent(s, size))
                return size;
            s->head[size] = sibling.next;
            if (sibling.forced == sibling.forced_end && ++sibling.choice < sibling.end)
                enqueue(s, sibling);
            open_branch(s, number);
            if (s->cut)
                return size;
        }
    return SIZE_MAX;
}

/* ---- if the search finds nothing ---- */

/* About how many sources must go until a node loses its support: one antecedent of each justification.
 * Antecedents mostly have higher numbers. */
static void estimate(struct search *s)
{
    const struct graph *g = s->g;
    for (uint32_t v = 0; v < g->nodes; v++)
        s->cost[v] = 1;
    for (uint32_t v = g->nodes; v-- > 0;) {
        uint64_t cost = g->just_first[v] == g->just_first[v + 1];
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
            uint32_t least = UINT32_MAX;
            for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
                least = s->cost[g->link_to[i]] < least ? s->cost[g->link_to[i]] : least;
            cost += least;
        }
        s->cost[v] = cost < INT32_MAX ? (uint32_t)cost : INT32_MAX;
    }
}

/* One antecedent that must lose its support, so that the justification does; NODE_NONE if one does. */
static uint32_t weakest_antecedent(const struct search *s, uint32_t j)
{
    const struct graph *g = s->g;
    uint32_t least = g->link_to[g->link_first[j]];
    for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++) {
        if (s->done[g->link_to[i]])
            return NODE_NONE;
        if (s->cost[g->link_to[i]] < s->cost[least])
            least = g->link_to[i];
    }
    return least;
}

/* Removes sources that take the support away: from the target on, one antecedent of each
 * justification loses its support, whichever needs the fewest sources. */
static void remove_greedily(struct search *s)
{
    const struct graph *g = s->g;
    size_t count = 0;
    estimate(s);
    memset(s->done, 0, g->nodes);
    memset(s->belief, FREE, g->nodes);
    s->removed_count = 0;
    s->stack[count++] = 0;
    s->done[0] = 1;
    while (count > 0) {
        uint32_t v = s->stack[--count];
        if (g->just_first[v] == g->just_first[v + 1])
            remove_source(s, v);
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
            uint32_t to = weakest_antecedent(s, j);
            if (to == NODE_NONE)
                continue;
            s->done[to] = 1;
            s->stack[count++] = to;
        }
    }
}

/* Finds one set, and gives back what it does not need. Returns false if it is not proven minimal,
 * since that would take too many steps. */
static bool search_greedily(struct search *s)
{
    remove_greedily(s);
    s->steps = 0;
    size_t kept = 0, at = 0;
    for (; at < s->removed_count && s->steps < s->budget / 4 && !graph_gives_up(s->g, 0); at++) {
        uint32_t source = s->removed[at];
        s->belief[source] = FREE;
        if (derive(s) != UINT32_MAX) {
            s->belief[source] = REMOVED;
            s->removed[kept++] = source;
        }
    }
    bool minimal = at == s->removed_count;
    while (at < s->removed_count)
        s->removed[kept++] = s->removed[at++];
    s->removed_count = kept;
    add_set(s);
    return minimal;
}

size_t blame_search(struct blame_sets *out, const struct part *p, size_t enough, uint64_t budget,
                    bool *greedy)
{
    struct search s;
    search_init(&s, p);
    s.function = support_function_of(&p->a);
    s.out = out;
    s.budget = budget;
    s.enough = enough;
    size_t exact_to = open_branches(&s);
    *greedy = out->ends == 0 && !search_greedily(&s);
    search_release(&s);
    return exact_to;
}

size_t blame_forced(uint32_t **forced, const struct part *p)
{
    struct search s;
    search_init(&s, p);
    if (derive(&s) == 1)
        add_forced(&s);
    size_t count = s.pool_count;
    *forced = s.pool;
    s.pool = NULL;
    search_release(&s);
    return count;
}
