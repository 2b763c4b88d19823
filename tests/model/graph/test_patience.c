/* Each algorithm ends soon after nobody waits for it any more, and what it leaves can be released. */
#include "model/base/alloc.h"
#include "model/graph/assignment.h"
#include "model/graph/blame.h"
#include "model/graph/derivation.h"
#include "model/graph/interval.h"
#include "model/graph/lineage.h"
#include "model/graph/roots.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define LAYERS 20
#define EACH   1000

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

/* Layers of memories, each based on some of the layer below and on one of the layer above, so in circles; all on the
 * sources of the lowest. The last is based on the highest layer. */
static void make_circles(struct graph *g)
{
    struct random r = {29};
    uint32_t top[EACH];
    graph_init(g);
    for (uint32_t v = 0; v < LAYERS * EACH; v++) {
        uint32_t layer = v / EACH, below = (layer - 1) * EACH, above = (layer + 1) * EACH;
        graph_add_node(g, layer ? KIND_BELIEF : KIND_RAW, STATUS_ACTIVE);
        for (uint32_t i = 0; layer > 0 && i < 2; i++)
            graph_add_group(
                g, all, i,
                (uint32_t[]){below + random_below(&r, EACH), below + random_below(&r, EACH)}, 2);
        if (layer > 0 && layer + 1 < LAYERS && v % 2)
            graph_add_group(g, any, 2, (uint32_t[]){above + random_below(&r, EACH)}, 1);
    }
    for (uint32_t i = 0; i < EACH; i++)
        top[i] = (LAYERS - 1) * EACH + i;
    graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
    graph_add_group(g, any, 0, top, EACH);
    graph_finish(g);
}

/* ---- the algorithms ---- */

struct asked {
    const struct graph *g;
    const struct labels *l;
    double *p;
};

static void ask_blame(const struct asked *a)
{
    struct blame out;
    blame_compute(&out, a->g, a->l, a->g->nodes - 1, BLAME_BUDGET);
    blame_release(&out);
}

static void ask_interval(const struct asked *a)
{
    struct interval out;
    interval_compute(&out, a->g, a->l, a->g->nodes - 1, a->p);
}

static void ask_independence(const struct asked *a)
{
    struct independence out;
    independence_compute(&out, a->g, a->l, a->g->nodes - 1);
    independence_release(&out);
}

static void ask_keystones(const struct asked *a)
{
    struct keystones out;
    keystones_compute(&out, a->g, a->l, KEYSTONES_BUDGET);
    keystones_release(&out);
}

static void ask_derivations(const struct asked *a)
{
    struct derivations out;
    derivations_best(&out, a->g, a->l, a->g->nodes - 1, a->p, SIZE_MAX);
    derivations_release(&out);
}

static void ask_fold(const struct asked *a)
{
    AUTO_FREE double *value = xmalloc(a->g->nodes * sizeof(*value));
    fold_compute(value, a->g, a->l, &fold_best, a->p);
}

static void ask_whatif(const struct asked *a)
{
    struct whatif out;
    uint32_t retracted[EACH];
    for (uint32_t i = 0; i < EACH; i++)
        retracted[i] = i;
    whatif_retract(&out, a->g, a->l, retracted, EACH);
    whatif_release(&out);
}

static void ask_table(const struct asked *a)
{
    const uint32_t *source;
    struct support_function *f = support_function_new(a->g, a->l, a->g->nodes - 1);
    AUTO_FREE uint64_t *word = xcalloc(support_sources(f, &source) + 1, sizeof(*word));
    for (int i = 0; i < 100; i++)
        support_evaluate(f, word);
    support_function_free(f);
}

static void (*const algorithms[])(const struct asked *a) = {
    ask_blame,       ask_interval, ask_independence, ask_keystones,
    ask_derivations, ask_fold,     ask_whatif,       ask_table,
};

/* ---- who waits ---- */

static bool has_left(void *arg)
{
    size_t *times = arg; /* to be asked before nobody waits any more */
    return *times == 0 || --*times == 0;
}

static bool waits(void *arg)
{
    ++*(size_t *)arg;
    return false;
}

/* The callback is asked again and again, and after it said so little more is done. */
TEST(each_algorithm_ends_soon_after_nobody_waits)
{
    struct graph g;
    struct labels l;
    make_circles(&g);
    labels_compute(&l, &g);
    struct asked a = {&g, &l, xmalloc(g.nodes * sizeof(double))};
    for (uint32_t v = 0; v < g.nodes; v++)
        a.p[v] = 0.9;
    for (size_t i = 0; i < sizeof(algorithms) / sizeof(*algorithms); i++) {
        size_t times = 0, at[] = {1, 2, 3};
        struct patience whole = {.is_over = waits, .arg = &times};
        g.patience = &whole;
        algorithms[i](&a);
        assert_true(times > 0 && whole.steps > 0 && !whole.over);
        for (size_t k = 0; k < 3 && at[k] <= times; k++) {
            size_t left = at[k];
            struct patience p = {.is_over = has_left, .arg = &left};
            g.patience = &p;
            algorithms[i](&a);
            assert_true(p.over);
            /* up to there, and then no more than a few passes over what is at hand */
            assert_true(p.steps <= (k + 2) * PATIENCE_STEPS + 4 * ((uint64_t)g.nodes + g.links));
        }
    }
    free(a.p);
    labels_release(&l);
    graph_release(&g);
}
