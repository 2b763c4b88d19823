#include "model/graph/fold.h"

#include <math.h>
#include "model/base/alloc.h"
#include "model/graph/ancestry.h"
#include "model/graph/walk.h"
#include <stdbool.h>
#include <stdlib.h>
#include "model/base/array.h"
#include <string.h>

bool fold_is_leaf(const struct graph *g, const struct labels *labels, uint32_t node)
{
    uint32_t from = g->just_first[node], to = g->just_first[node + 1];
    if (!labels->stands[node])
        return false;
    for (uint32_t j = from; j < to; j++)
        if (g->link_first[j] == g->link_first[j + 1])
            return true;
    return from == to;
}

/* The antecedents of the valid justifications of each node that stands. */
static uint32_t *valid_links(const struct graph *g, const struct labels *labels, uint32_t *first)
{
    uint32_t *to = xmalloc(((size_t)g->links + 1) * sizeof(*to)), count = 0;
    for (uint32_t v = 0; v < g->nodes; v++) {
        first[v] = count;
        if (!labels->stands[v])
            continue;
        for (uint32_t j = g->just_first[v]; j < g->just_first[v + 1]; j++) {
            if (labels->broken[j] > 0)
                continue;
            for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
                to[count++] = g->link_to[i];
        }
    }
    first[g->nodes] = count;
    return to;
}

void support_order_make(struct support_order *out, const struct graph *g,
                        const struct labels *labels)
{
    AUTO_FREE uint32_t *first = xmalloc(((size_t)g->nodes + 1) * sizeof(*first));
    AUTO_FREE uint32_t *to = valid_links(g, labels, first);
    strong_components(out, g->nodes, first, to, labels->stands);
}

/* ---- semirings ---- */

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static double less(double a, double b)
{
    return a < b ? a : b;
}

static double sum(double a, double b)
{
    return a + b;
}

/* 0 · INFINITY is 0: none of endlessly many ways on, if there is no way here. */
static double product(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

const struct semiring fold_weakest = {"weakest", 0, INFINITY, greater, less, false};
const struct semiring fold_best = {"best", 0, 1, greater, product, false};
const struct semiring fold_count = {"count", 0, 1, sum, product, true};
const struct semiring fold_oldest = {"oldest", INFINITY, -INFINITY, less, greater, false};

/* ---- the pass ---- */

/* Over the graph, or over an ancestry, whose justifications are all valid. */
struct fold {
    const struct semiring *s;
    const uint32_t *just_first, *link_first, *link;
    const uint32_t *broken; /* NULL: none is */
    const double *own;
    double *value;
    struct patience *patience;
};

static bool is_valid(const struct fold *f, uint32_t just)
{
    return !f->broken || f->broken[just] == 0;
}

static double value_of(const struct fold *f, uint32_t node)
{
    double result = f->s->zero;
    if (f->just_first[node] == f->just_first[node + 1])
        return f->own[node];
    for (uint32_t j = f->just_first[node]; j < f->just_first[node + 1]; j++) {
        if (!is_valid(f, j))
            continue;
        double all = f->s->one;
        for (uint32_t i = f->link_first[j]; i < f->link_first[j + 1]; i++)
            all = f->s->times(all, f->value[f->link[i]]);
        result = f->s->plus(result, all);
    }
    return f->s->times(f->own[node], result);
}

/*
 * The members of a circle. Where plus takes the better of two, the best derivation repeats no
 * member, so one round for each is enough. Where it counts, each member that gets anything gets it
 * again and again.
 */
static void fold_circle(struct fold *f, const uint32_t *node, uint32_t count)
{
    bool changed = true;
    for (uint32_t round = 0; changed && round <= count; round++) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            double *old = &f->value[node[i]], value = value_of(f, node[i]);
            if (patience_is_over(f->patience,
                                 1 + f->just_first[node[i] + 1] - f->just_first[node[i]]))
                return;
            if (value == *old || (f->s->counts && *old != f->s->zero))
                continue;
            *old = f->s->counts ? INFINITY : value;
            changed = true;
        }
    }
}

/* Is the node based on itself through a valid justification? */
static bool repeats_itself(const struct fold *f, uint32_t node)
{
    for (uint32_t j = f->just_first[node]; j < f->just_first[node + 1]; j++)
        for (uint32_t i = f->link_first[j]; i < f->link_first[j + 1]; i++)
            if (is_valid(f, j) && f->link[i] == node)
                return true;
    return false;
}

/* What each of these is based on, besides each other, is known. */
static void fold_component(struct fold *f, const uint32_t *node, uint32_t count)
{
    if (count > 1 || (f->s->counts && repeats_itself(f, *node)))
        fold_circle(f, node, count);
    else
        f->value[*node] = value_of(f, *node);
}

void fold_compute(double *value, const struct graph *g, const struct labels *labels,
                  const struct semiring *s, const double *own)
{
    struct fold f = {s,   g->just_first, g->link_first, g->link_to, labels->broken,
                     own, value,         g->patience};
    struct support_order order;
    support_order_make(&order, g, labels);
    for (uint32_t v = 0; v < g->nodes; v++)
        value[v] = s->zero;
    for (size_t c = 0; c < order.components && !graph_gives_up(g, 1); c++)
        fold_component(&f, &order.node[order.first[c]], order.first[c + 1] - order.first[c]);
    support_order_release(&order);
}

double fold_one(const struct graph *g, const struct labels *labels, uint32_t node,
                const struct semiring *s, const double *own)
{
    struct ancestry a;
    if (!labels->stands[node])
        return s->zero;
    ancestry_make(&a, g, labels, node);
    AUTO_FREE double *value = xmalloc(((size_t)a.count + 1) * sizeof(*value));
    AUTO_FREE double *given = xmalloc(((size_t)a.count + 1) * sizeof(*given));
    AUTO_FREE uint32_t *member = xmalloc(((size_t)a.count + 1) * sizeof(*member));
    struct fold f = {s, a.just_first, a.link_first, a.link, NULL, given, value, a.patience};
    for (uint32_t m = 0; m < a.count; m++) {
        bool leaf = a.just_first[m] == a.just_first[m + 1];
        given[m] = leaf ? own[a.node[m]] : s->one;
        value[m] = s->zero;
        member[m] = m;
    }
    for (uint32_t c = 0; c < a.components; c++)
        fold_component(&f, &member[a.component_first[c]],
                       a.component_first[c + 1] - a.component_first[c]);
    double result = a.count ? value[a.count - 1] : s->zero;
    ancestry_release(&a);
    return result;
}

/* ---- the best candidate ---- */

static bool is_before(const struct candidate *a, const struct candidate *b)
{
    if (a->strength != b->strength)
        return a->strength > b->strength;
    return a->steps != b->steps ? a->steps < b->steps : a->number < b->number;
}

void candidates_push(struct candidates *s, struct candidate c)
{
    size_t at = s->count;
    *ARRAY_ADD(s->heap, s->count, s->alloc) = c;
    for (size_t up; at && is_before(&c, &s->heap[up = (at - 1) / 2]); at = up)
        s->heap[at] = s->heap[up];
    s->heap[at] = c;
}

struct candidate candidates_pop(struct candidates *s)
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

void candidates_release(struct candidates *s)
{
    free(s->heap);
    *s = CANDIDATES_INIT;
}

/* ---- trust ---- */

/* Is the trust of the justification's memory that of its worst antecedent? */
static bool gives_trust(const struct graph *g, const double *trust, uint32_t just)
{
    for (uint32_t i = g->link_first[just]; i < g->link_first[just + 1]; i++)
        if (trust[g->link_to[i]] < trust[g->just_node[just]])
            return false;
    return true;
}

/* From the memories whose own weight is their trust to those that have it from them, breadth first. */
static void find_weakest(uint32_t *weakest, const struct graph *g, const struct labels *labels,
                         const double *weight, const double *trust)
{
    AUTO_FREE uint32_t *queue = xmalloc(((size_t)g->nodes + 1) * sizeof(*queue));
    size_t count = 0;
    memset(weakest, 0xff, g->nodes * sizeof(*weakest));
    for (uint32_t v = 0; v < g->nodes; v++)
        if (labels->stands[v] && weight[v] <= trust[v])
            weakest[queue[count++] = v] = v;
    for (size_t at = 0; at < count; at++) {
        uint32_t v = queue[at];
        for (uint32_t i = g->use_first[v]; i < g->use_first[v + 1]; i++) {
            uint32_t j = g->use_just[i], user = g->just_node[j];
            if (weakest[user] != NODE_NONE || !labels->stands[user] || labels->broken[j] > 0 ||
                trust[user] != trust[v] || !gives_trust(g, trust, j))
                continue;
            weakest[user] = weakest[v];
            queue[count++] = user;
        }
    }
}

void trust_compute(double *trust, uint32_t *weakest, const struct graph *g, const double *weight)
{
    struct labels labels;
    labels_compute(&labels, g);
    fold_compute(trust, g, &labels, &fold_weakest, weight);
    if (weakest)
        find_weakest(weakest, g, &labels, weight, trust);
    labels_release(&labels);
}
