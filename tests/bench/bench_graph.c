/*
 * What the graph of support answers (model/graph), on a graph in memory of the shape of made.days:
 * raw entries become episodes and notes, and these beliefs; about three links for each memory, some
 * circles, and chains of beliefs that are 5,000 deep. One raw entry in a hundred is retracted.
 */
#include "tests/bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/graph/assignment.h"
#include "model/graph/fold.h"
#include "model/graph/interval.h"

#define NODES     1000000
#define NEAR      40   /* of a kind, the memories of which one is based on some */
#define CHAIN     5000 /* beliefs of a chain … */
#define EACH      100000
#define QUESTIONS 3000

static double worked_ms(void)
{
    return bench_ms(CLOCK_THREAD_CPUTIME_ID);
}

/* ---- the graph ---- */

static const char kinds[] = "rrrrerrbrnerrbebbneb"; /* raw, episode, belief, note */

/* The last memories of a kind. */
struct past {
    uint32_t node[NEAR];
    size_t count;
};

static struct past past[128];

static uint32_t last(const struct past *of, size_t back)
{
    return of->node[(of->count - 1 - back) % NEAR];
}

/* Adds a group of `from` to `to` near memories of a kind; each is another one. */
static void add_near(struct graph *g, char kind, enum reading reading, uint32_t group,
                     uint32_t from, uint32_t to)
{
    const struct past *of = &past[(unsigned char)kind];
    uint32_t antecedent[8], most = from + bench_random(to - from + 1), count = 0;
    for (size_t back = 0; back < most * 3 && back < of->count && back < NEAR; back++)
        if (count < most && bench_random(2) == 0)
            antecedent[count++] = last(of, back);
    if (count > 0)
        graph_add_group(g, GRAPH_SHAPE(ROLE_DERIVED_FROM, reading, RECORDED), group, antecedent,
                        count);
}

static void add_belief(struct graph *g, uint32_t node, uint32_t all)
{
    static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
    const struct past *beliefs = &past['b'];
    uint32_t group = 0;
    add_near(g, bench_random(3) ? 'e' : 'n', bench_random(all) ? READING_ANY : READING_ALL, group++,
             2, 4);
    for (uint32_t count = 2 + bench_random(3); count > 0; count--)
        add_near(g, 'e', READING_ANY, group++, 1, 1);
    bool chained = node % EACH < 4 * CHAIN || bench_random(100) < 6;
    if (beliefs->count > 0 && chained)
        graph_add_group(g, any, group++, (uint32_t[]){last(beliefs, 0)}, 1);
    if (node % 5000 == 3007 && node + 20 < NODES)
        graph_add_group(g, any, group++, (uint32_t[]){node + 20}, 1);
    if (node % 5000 == 3027)
        graph_add_group(g, any, group++, (uint32_t[]){node - 20}, 1);
}

void bench_make_graph(struct graph *g, uint32_t all)
{
    static const enum kind of[128] = {
        ['r'] = KIND_RAW, ['e'] = KIND_EPISODE, ['b'] = KIND_BELIEF, ['n'] = KIND_NOTE};
    graph_init(g);
    for (uint32_t node = 0; node < NODES; node++) {
        char kind = kinds[node % (sizeof(kinds) - 1)];
        struct past *p = &past[(unsigned char)kind];
        graph_add_node(g, of[(unsigned char)kind],
                       kind != 'r' || bench_random(100) ? STATUS_ACTIVE : STATUS_RETRACTED);
        if (kind == 'b')
            add_belief(g, node, all);
        else if (kind != 'r')
            add_near(g, 'r', READING_ANY, 0, 4, 6);
        p->node[p->count++ % NEAR] = node;
    }
    graph_finish(g);
}

/* ---- all memories ---- */

static void bench_folds(const struct graph *g, const struct labels *l, const double *leaf)
{
    static const struct semiring *const semirings[] = {&fold_weakest, &fold_best, &fold_count,
                                                       &fold_oldest};
    AUTO_FREE double *value = xmalloc(g->nodes * sizeof(*value));
    struct support_order order;
    double start = worked_ms();
    support_order_make(&order, g, l);
    bench_report(0, worked_ms() - start, "ms", "order of support, %zu components",
                 order.components);
    support_order_release(&order);
    for (size_t i = 0; i < sizeof(semirings) / sizeof(*semirings); i++) {
        start = worked_ms();
        fold_compute(value, g, l, semirings[i], leaf);
        bench_report(1000, worked_ms() - start, "ms", "fold of all, %s", semirings[i]->name);
    }
    start = worked_ms();
    trust_compute(value, NULL, g, leaf);
    bench_report(0, worked_ms() - start, "ms", "trust of all");
}

/* ---- one memory ---- */

static void bench_intervals(const struct graph *g, const struct labels *l, const double *leaf)
{
    static double times[QUESTIONS], written[QUESTIONS];
    size_t exact = 0, roots = 0;
    AUTO_STRBUF low = STRBUF_INIT;
    AUTO_STRBUF high = STRBUF_INIT;
    for (size_t i = 0; i < QUESTIONS; i++) {
        struct interval interval;
        uint32_t node = bench_random(g->nodes / 20) * 20 + 19; /* a belief */
        double start = worked_ms();
        interval_compute(&interval, g, l, node, leaf);
        times[i] = worked_ms() - start;
        start = worked_ms();
        interval_explain(&interval, &low, &high, g, l, node, leaf, 1000);
        written[i] = worked_ms() - start;
        strbuf_clear(&low);
        strbuf_clear(&high);
        exact += !isnan(interval.exact);
        roots = interval.roots > roots ? interval.roots : roots;
    }
    bench_report(5, bench_percentile(times, QUESTIONS, 50), "ms",
                 "interval of a belief, median of %d, %zu exact", QUESTIONS, exact);
    bench_report(0, bench_percentile(times, QUESTIONS, 90), "ms", "  p90");
    bench_report(0, bench_percentile(times, QUESTIONS, 100), "ms", "  slowest, up to %zu roots",
                 roots);
    bench_report(5, bench_percentile(written, QUESTIONS, 50), "ms", "  its arithmetic, median");
    bench_report(0, bench_percentile(written, QUESTIONS, 100), "ms", "  slowest");
}

/* The greatest table: 20 sources below several layers of inferences. */
static void bench_table(void)
{
    enum {
        LAYERS = 8,
        EACH_LAYER = 20
    };
    struct graph g;
    struct labels l;
    double p[EXACT_SOURCES];
    graph_init(&g);
    for (uint32_t v = 0; v < (LAYERS + 1) * EACH_LAYER + 1; v++) {
        uint32_t layer = v / EACH_LAYER, below = (layer - 1) * EACH_LAYER;
        graph_add_node(&g, layer ? KIND_BELIEF : KIND_RAW, STATUS_ACTIVE);
        for (uint32_t i = 0; layer > 0 && i < 3; i++)
            graph_add_group(
                &g, GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED), i,
                (uint32_t[]){below + (v + i) % EACH_LAYER, below + (v + 5 * i + 7) % EACH_LAYER},
                2);
    }
    graph_finish(&g);
    labels_compute(&l, &g);
    for (size_t i = 0; i < EXACT_SOURCES; i++)
        p[i] = 0.9;
    struct support_function *f = support_function_new(&g, &l, g.nodes - 1);
    const uint32_t *source;
    size_t count = support_sources(f, &source);
    double start = worked_ms(), exact = support_probability(f, p);
    bench_report(200, worked_ms() - start, "ms", "exact probability, %zu sources, %u links (%.3f)",
                 count, g.links, exact);
    support_function_free(f);
    labels_release(&l);
    graph_release(&g);
}

void bench_graph(char **argv)
{
    struct graph g;
    struct labels l;
    AUTO_FREE double *leaf = xmalloc(NODES * sizeof(*leaf));
    bench_make_graph(&g, 10);
    for (uint32_t v = 0; v < NODES; v++)
        leaf[v] = 0.5 + bench_random(50) / 100.0;
    double start = worked_ms();
    labels_compute(&l, &g);
    bench_report(100, worked_ms() - start, "ms", "labels of %u memories, %u links", g.nodes,
                 g.links);
    bench_folds(&g, &l, leaf);
    bench_intervals(&g, &l, leaf);
    bench_table();
    labels_release(&l);
    graph_release(&g);
}
