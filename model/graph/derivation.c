/* The strongest derivations of a memory. */
#include "model/graph/derivation.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/graph/fold.h"
#include "model/graph/walk.h"
#include "model/base/map.h"
#include "model/graph/assignment.h"

#define STEPS_MOST                                                                                 \
    1000000000u /* a shared memory is counted where it is used, which may double each time */

/* Of the ancestors, by their number in the walk. */
struct search {
    const struct graph *g;
    const struct labels *labels;
    struct row_index reached;
    double *strength;
    struct map met; /* of a justification of several: how many of its antecedents are known */
    uint32_t *steps, *by,
        *place; /* by: the justification; place: when it became known, from 1; 0: not known */
    struct candidates open;
    uint32_t known;
};

/* What the justification gives, if all of its antecedents are known. */
static bool just_gives(const struct search *s, uint32_t just, struct candidate *out)
{
    const struct graph *g = s->g;
    *out = (struct candidate){.strength = 1, .steps = 1, .just = just};
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++) {
        size_t number = row_index_find(&s->reached, g->link_to[i]);
        if (number == ROW_NONE || !s->place[number])
            return false;
        out->strength *= s->strength[number];
        out->steps +=
            s->steps[number] < STEPS_MOST - out->steps ? s->steps[number] : STEPS_MOST - out->steps;
    }
    return true;
}

/* Offers what the known memory makes possible. The target hands nothing on, so nothing is derived from itself. */
static void hand_on(struct search *s, uint32_t node)
{
    const struct graph *g = s->g;
    for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++) {
        uint32_t just = g->use_just[i];
        size_t user = row_index_find(&s->reached, g->just_node[just]);
        struct candidate c;
        uint32_t size = g->link_first[just + 1] - g->link_first[just];
        if (user == ROW_NONE || user == 0 || s->place[user] || s->labels->broken[just])
            continue;
        if ((size > 1 && ++*map_at(&s->met, just) < size) || !just_gives(s, just, &c))
            continue;
        c.number = (uint32_t)user;
        candidates_push(&s->open, c);
    }
}

static void find_all(struct search *s, const double *weight)
{
    for (uint32_t n = 1; n < s->reached.count; n++) {
        uint32_t node = reached_node(&s->reached, n);
        if (fold_is_leaf(s->g, s->labels, node))
            candidates_push(&s->open, (struct candidate){weight[node], 1, n, NODE_NONE});
    }
    while (s->open.count) {
        struct candidate c = candidates_pop(&s->open);
        uint32_t node = reached_node(&s->reached, c.number);
        if (graph_gives_up(s->g, 8 + s->g->use_first[node + 1] -
                                     s->g->use_first[node])) /* a pop is log n steps */
            return;
        if (s->place[c.number] || !s->labels->stands[node])
            continue;
        s->place[c.number] = ++s->known;
        s->strength[c.number] = c.strength;
        s->steps[c.number] = c.steps;
        s->by[c.number] = c.just;
        hand_on(s, node);
    }
}

/* ---- the steps of one ---- */

struct gathering {
    const struct search *search;
    struct row_index seen; /* numbers of the walk */
    uint32_t *used;        /* by place in `seen` */
    size_t alloc;
};

static void add_antecedents(struct gathering *t, uint32_t just)
{
    const struct graph *g = t->search->g;
    for (uint32_t i = just == NODE_NONE ? 0 : g->link_first[just];
         just != NODE_NONE && i < g->link_first[just + 1]; i++) {
        size_t before = t->seen.count;
        size_t number = row_index_find(&t->search->reached, g->link_to[i]);
        if (row_index_add(&t->seen, (int64_t)number) == before)
            *ARRAY_ADD(t->used, before, t->alloc) = just;
    }
}

struct placed {
    uint32_t place;
    struct derivation_step step;
};

static int by_place(const void *a, const void *b)
{
    return COMPARE(((const struct placed *)a)->place, ((const struct placed *)b)->place);
}

static void gather(const struct search *s, uint32_t target, struct derivation *d)
{
    struct gathering t = {.search = s, .seen = ROW_INDEX_INIT};
    add_antecedents(&t, d->just);
    for (size_t i = 0; i < t.seen.count; i++)
        add_antecedents(&t, s->by[t.seen.row[i]]);
    AUTO_FREE struct placed *order = xmalloc((t.seen.count + 1) * sizeof(*order));
    for (size_t i = 0; i < t.seen.count; i++)
        order[i] = (struct placed){s->place[t.seen.row[i]],
                                   {reached_node(&s->reached, (size_t)t.seen.row[i]), t.used[i]}};
    SORT(order, t.seen.count, by_place);
    d->step = xmalloc((t.seen.count + 1) * sizeof(*d->step));
    for (size_t i = 0; i < t.seen.count; i++)
        d->step[i] = order[i].step;
    d->step[t.seen.count] = (struct derivation_step){target, NODE_NONE};
    d->count = t.seen.count + 1;
    free(t.used);
    row_index_release(&t.seen);
}

static int strongest_first(const void *a, const void *b)
{
    const struct derivation *x = a, *y = b;
    if (x->strength != y->strength)
        return COMPARE(y->strength, x->strength);
    return x->count != y->count ? COMPARE(x->count, y->count) : COMPARE(x->just, y->just);
}

void derivations_best(struct derivations *out, const struct graph *g, const struct labels *labels,
                      uint32_t target, const double *weight, size_t most)
{
    struct search s = {.g = g, .labels = labels, .reached = ROW_INDEX_INIT, .met = MAP_INIT};
    uint32_t from = g->just_first[target], to = g->just_first[target + 1];
    *out = (struct derivations){.item = xcalloc((size_t)(to - from) + 1, sizeof(*out->item))};
    if (!labels->stands[target])
        return;
    if (from == to) {
        out->item[out->total++] =
            (struct derivation){.strength = weight[target], .just = NODE_NONE};
        gather(&s, target, &out->item[out->count++]);
        return;
    }
    row_index_add(&s.reached, target);
    reached_walk(&s.reached, g, ANCESTORS, 0, NULL);
    s.strength = xcalloc(s.reached.count, sizeof(*s.strength));
    s.steps = xcalloc(s.reached.count, sizeof(*s.steps));
    s.by = xcalloc(s.reached.count, sizeof(*s.by));
    s.place = xcalloc(s.reached.count, sizeof(*s.place));
    find_all(&s, weight);
    for (uint32_t just = from; just < to; just++) {
        struct candidate c;
        bool empty = g->link_first[just] == g->link_first[just + 1];
        if (!labels->broken[just] && just_gives(&s, just, &c))
            out->item[out->total++] = (struct derivation){
                .strength = empty ? weight[target] : c.strength, .just = just, .count = c.steps};
    }
    SORT(out->item, out->total, strongest_first);
    while (out->count < out->total && out->count < most)
        gather(&s, target, &out->item[out->count++]);
    FREE_ALL(s.strength, s.steps, s.by, s.place);
    candidates_release(&s.open);
    map_release(&s.met);
    row_index_release(&s.reached);
}

void derivations_release(struct derivations *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->item[i].step);
    free(d->item);
}

/* ---- sources that cannot all be right ---- */

struct both {
    const struct nogood_of *of;
    struct support_function *f[2];
    size_t sources[2];
    size_t *at[2];   /* [sources] the place of each source in `source` */
    int64_t *source; /* [count] the rows of the sources of both, ascending */
    uint64_t *leaf;  /* [count] */
    size_t count;
};

static void both_make(struct both *b, const struct nogood_of *of)
{
    const uint32_t *node[2];
    size_t count = 0;
    *b = (struct both){.of = of};
    for (size_t k = 0; k < 2; k++) {
        b->f[k] = support_function_new(of[k].g, of[k].labels, of[k].node);
        b->sources[k] = support_sources(b->f[k], &node[k]);
        b->at[k] = xmalloc((b->sources[k] + 1) * sizeof(*b->at[k]));
    }
    b->source = xmalloc((b->sources[0] + b->sources[1] + 1) * sizeof(*b->source));
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < b->sources[k]; i++)
            b->source[count++] = graph_row(of[k].g, node[k][i]);
    SORT(b->source, count, row_compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || b->source[i] != b->source[b->count - 1])
            b->source[b->count++] = b->source[i];
    b->leaf = xcalloc(b->count + 1, sizeof(*b->leaf));
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < b->sources[k]; i++) {
            int64_t row = graph_row(of[k].g, node[k][i]),
                    *found = bsearch(&row, b->source, b->count, sizeof(row), row_compare);
            b->at[k][i] = (size_t)(found - b->source);
        }
}

static void both_release(struct both *b)
{
    for (size_t k = 0; k < 2; k++)
        support_function_free(b->f[k]);
    FREE_ALL(b->at[0], b->at[1], b->source, b->leaf);
}

/* Do both stand when bit b of leaf[i] says whether source i is believed? */
static uint64_t both_stand(struct both *b)
{
    AUTO_FREE uint64_t *own = xmalloc((b->count + 1) * sizeof(*own));
    uint64_t result = UINT64_MAX;
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < b->sources[k]; i++)
            own[i] = b->leaf[b->at[k][i]];
        result &= support_evaluate(b->f[k], own);
    }
    return result;
}

static void add_member(struct nogoods *out, size_t *members, size_t *alloc, int64_t source)
{
    *ARRAY_ADD(out->member, *members, *alloc) = source;
    out->first[out->count + 1] = *members;
}

/* Of each assignment a bit, in words as support_truth_table: both stand, and with none of its sources less. */
static uint64_t *find_minimal(struct both *b, size_t words)
{
    uint64_t *stand = xmalloc(words * sizeof(*stand)), *minimal = xmalloc(words * sizeof(*minimal));
    for (size_t word = 0; word < words; word++) {
        for (size_t i = 0; i < b->count; i++)
            b->leaf[i] = support_assigned(i, word);
        stand[word] = both_stand(b);
    }
    for (size_t word = 0; word < words; word++) {
        uint64_t with_less = 0;
        for (size_t i = 0; i < b->count && i < 6; i++)
            with_less |= (stand[word] & ~support_assigned(i, word)) << (1u << i);
        for (size_t i = 6; i < b->count; i++)
            if (word >> (i - 6) & 1)
                with_less |= stand[word ^ (size_t)1 << (i - 6)];
        minimal[word] = stand[word] & ~with_less;
    }
    free(stand);
    if (b->count < 6)
        minimal[0] &= (UINT64_C(1) << (1u << b->count)) - 1;
    return minimal;
}

static void list_all(struct nogoods *out, struct both *b)
{
    size_t words = b->count > 6 ? (size_t)1 << (b->count - 6) : 1, members = 0, alloc = 0;
    AUTO_FREE uint64_t *minimal = find_minimal(b, words);
    out->all = true;
    for (int size = 1; size <= (int)b->count; size++)
        for (size_t a = 0; a < 64 * words; a++) {
            if (!minimal[a / 64])
                a += 63 - a % 64;
            if (!(minimal[a / 64] >> (a % 64) & 1) || __builtin_popcountll(a) != size)
                continue;
            if (out->count == NOGOODS_MOST) {
                out->all = false;
                return;
            }
            for (size_t i = 0; i < b->count; i++)
                if (a >> i & 1)
                    add_member(out, &members, &alloc, b->source[i]);
            out->count++;
        }
}

/* Believes the leaves of the shortest derivation of one. */
static void believe(struct both *b, const struct nogood_of *of)
{
    struct derivations best;
    AUTO_FREE double *weight = xmalloc(((size_t)of->g->nodes + 1) * sizeof(*weight));
    for (uint32_t v = 0; v < of->g->nodes; v++)
        weight[v] = 1;
    derivations_best(&best, of->g, of->labels, of->node, weight, 1);
    for (size_t i = 0; best.count && i < best.item[0].count; i++) {
        int64_t row = graph_row(of->g, best.item[0].step[i].node),
                *found = bsearch(&row, b->source, b->count, sizeof(row), row_compare);
        if (found)
            b->leaf[found - b->source] = UINT64_MAX;
    }
    derivations_release(&best);
}

static void list_one(struct nogoods *out, struct both *b)
{
    size_t members = 0, alloc = 0;
    believe(b, &b->of[0]);
    believe(b, &b->of[1]);
    for (size_t i = 0; i < b->count; i++) {
        if (!b->leaf[i])
            continue;
        b->leaf[i] = 0;
        if (both_stand(b))
            continue; /* the others are enough */
        b->leaf[i] = UINT64_MAX;
        add_member(out, &members, &alloc, b->source[i]);
    }
    out->count = 1;
    out->all = false;
}

void nogoods_compute(struct nogoods *out, const struct nogood_of of[2])
{
    struct both both;
    *out = (struct nogoods){.first = xcalloc(NOGOODS_MOST + 1, sizeof(*out->first)), .all = true};
    if (!of[0].labels->stands[of[0].node] || !of[1].labels->stands[of[1].node])
        return;
    both_make(&both, of);
    if (both.count <= EXACT_SOURCES)
        list_all(out, &both);
    else
        list_one(out, &both);
    both_release(&both);
}

void nogoods_release(struct nogoods *n)
{
    free(n->member);
    free(n->first);
}
