/* The strongest derivations of a memory. */
#include "model/graph/derivation.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/graph/fold.h"
#include "model/graph/walk.h"

#define STEPS_MOST                                                                                 \
    1000000000u /* a shared memory is counted where it is used, which may double each time */

/* A memory that can be derived, by how strongly. */
struct candidate {
    double strength;
    uint32_t steps; /* how many there are at least; breaks ties, so that short derivations win */
    uint32_t number;
    uint32_t just;
};

/* Of the ancestors, by their number in the walk. */
struct search {
    const struct graph *g;
    const struct labels *labels;
    struct row_index reached;
    double *strength;
    struct map met; /* of a justification of several: how many of its antecedents are known */
    uint32_t *steps, *by,
        *place; /* by: the justification; place: when it became known, from 1; 0: not known */
    struct candidate *heap;
    size_t count, alloc;
    uint32_t known;
};

static bool is_before(const struct candidate *a, const struct candidate *b)
{
    if (a->strength != b->strength)
        return a->strength > b->strength;
    return a->steps != b->steps ? a->steps < b->steps : a->number < b->number;
}

static void push(struct search *s, struct candidate c)
{
    size_t at = s->count;
    *ARRAY_ADD(s->heap, s->count, s->alloc) = c;
    for (size_t up; at && is_before(&c, &s->heap[up = (at - 1) / 2]); at = up)
        s->heap[at] = s->heap[up];
    s->heap[at] = c;
}

static struct candidate pop(struct search *s)
{
    struct candidate best = s->heap[0], last = s->heap[--s->count];
    size_t at = 0;
    for (size_t down; (down = 2 * at + 1) < s->count; at = down) {
        down += down + 1 < s->count && is_before(&s->heap[down + 1], &s->heap[down]);
        if (!is_before(&s->heap[down], &last))
            break;
        s->heap[at] = s->heap[down];
    }
    s->heap[at] = last;
    return best;
}

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
        push(s, c);
    }
}

static void find_all(struct search *s, const double *weight)
{
    for (uint32_t n = 1; n < s->reached.count; n++) {
        uint32_t node = reached_node(&s->reached, n);
        if (fold_is_leaf(s->g, s->labels, node))
            push(s, (struct candidate){weight[node], 1, n, NODE_NONE});
    }
    while (s->count) {
        struct candidate c = pop(s);
        uint32_t node = reached_node(&s->reached, c.number);
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
    qsort(order, t.seen.count, sizeof(*order), by_place);
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

static void add_derivation(struct derivations *out, const struct search *s, uint32_t target,
                           uint32_t just, double strength)
{
    struct derivation *d = &out->item[out->count++];
    *d = (struct derivation){.strength = strength, .just = just};
    gather(s, target, d);
}

void derivations_best(struct derivations *out, const struct graph *g, const struct labels *labels,
                      uint32_t target, const double *weight)
{
    struct search s = {.g = g, .labels = labels, .reached = ROW_INDEX_INIT, .met = MAP_INIT};
    uint32_t from = g->just_first[target], to = g->just_first[target + 1];
    *out = (struct derivations){.item = xcalloc((size_t)(to - from) + 1, sizeof(*out->item))};
    if (!labels->stands[target])
        return;
    if (from == to) {
        add_derivation(out, &s, target, NODE_NONE, weight[target]);
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
            add_derivation(out, &s, target, just, empty ? weight[target] : c.strength);
    }
    qsort(out->item, out->count, sizeof(*out->item), strongest_first);
    free(s.strength);
    free(s.steps);
    free(s.by);
    free(s.place);
    free(s.heap);
    map_release(&s.met);
    row_index_release(&s.reached);
}

void derivations_release(struct derivations *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->item[i].step);
    free(d->item);
}
