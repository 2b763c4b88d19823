#include "model/graph/fold.h"

#include <math.h>
#include "model/base/alloc.h"
#include "model/graph/walk.h"

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

const struct semiring fold_supported = {"supported", 0, 1, greater, less, false};
const struct semiring fold_weakest = {"weakest", 0, INFINITY, greater, less, false};
const struct semiring fold_best = {"best", 0, 1, greater, product, false};
const struct semiring fold_count = {"count", 0, 1, sum, product, true};
const struct semiring fold_rank = {"rank", -INFINITY, INFINITY, greater, less, false};
const struct semiring fold_oldest = {"oldest", INFINITY, -INFINITY, less, greater, false};

/* ---- the pass ---- */

struct fold {
    const struct graph *g;
    const struct labels *labels;
    const struct semiring *s;
    const double *own;
    double *value;
};

static double value_of(const struct fold *f, uint32_t node)
{
    const struct graph *g = f->g;
    double result = f->s->zero;
    if (g->just_first[node] == g->just_first[node + 1])
        return f->own[node];
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++) {
        uint32_t from = g->link_first[j], to = g->link_first[j + 1];
        if (f->labels->broken[j] > 0)
            continue;
        double all = f->s->one;
        for (uint32_t i = from; i < to; i++)
            all = f->s->times(all, f->value[g->link_to[i]]);
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
            if (graph_gives_up(f->g, 1 + f->g->just_first[node[i] + 1] - f->g->just_first[node[i]]))
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
    const struct graph *g = f->g;
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++)
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            if (f->labels->broken[j] == 0 && g->link_to[i] == node)
                return true;
    return false;
}

void fold_compute(double *value, const struct graph *g, const struct labels *labels,
                  const struct semiring *s, const double *own)
{
    struct fold f = {g, labels, s, own, value};
    struct support_order order;
    support_order_make(&order, g, labels);
    for (uint32_t v = 0; v < g->nodes; v++)
        value[v] = s->zero;
    for (size_t c = 0; c < order.components && !graph_gives_up(g, 1); c++) {
        const uint32_t *node = &order.node[order.first[c]];
        uint32_t count = order.first[c + 1] - order.first[c];
        if (count > 1 || (s->counts && repeats_itself(&f, *node)))
            fold_circle(&f, node, count);
        else
            value[*node] = value_of(&f, *node);
    }
    support_order_release(&order);
}
