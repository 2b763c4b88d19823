/*
 * Roots, independence and keystones (model/graph/roots.h) of graphs of a million memories and three
 * million links in memory: the one of bench_graph.c, and a graph that is hard on them.
 */
#include "tests/bench/bench.h"

#include <stdlib.h>
#include "model/graph/roots.h"

#define NODES 1000000
#define LONG  100000 /* a chain, and the users of a hub */
#define ROWS  3000

static double worked_ms(void)
{
    return bench_ms(CLOCK_THREAD_CPUTIME_ID);
}

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

/* A hub with many users, a long chain, and memories that need both of two others, or the hub, or either end of the
 * chain. */
static void make_hub(struct graph *g)
{
    graph_init(g);
    for (uint32_t v = 0; v < NODES; v++) {
        graph_add_node(g, KIND_BELIEF, STATUS_ACTIVE);
        uint32_t user = LONG + 1 + bench_random(LONG);
        if (v > 0 && v < LONG)
            graph_add_group(g, any, 0, &(uint32_t){v - 1}, 1);
        else if (v > LONG && v <= 2 * LONG)
            graph_add_group(g, any, 0, &(uint32_t){LONG}, 1);
        else if (v % 3 == 0 && v > LONG)
            graph_add_group(g, all, 0, (uint32_t[]){LONG - 1, user, v - 1}, 3);
        else if (v % 3 == 1 && v > LONG)
            graph_add_group(g, any, 0, (uint32_t[]){0, LONG - 1, user, bench_random(v)}, 4);
        else if (v > LONG)
            graph_add_group(g, all, 0, (uint32_t[]){bench_random(v), bench_random(v)}, 2);
    }
    graph_finish(g);
}

/* Of memories that are based on others. */
static void bench_rows(const struct graph *g, const struct labels *l, double bar)
{
    double *times = malloc(ROWS * sizeof(*times));
    uint32_t proven = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        struct independence of;
        uint32_t node;
        do
            node = bench_random(g->nodes);
        while (l->valid[node] == 0);
        double start = worked_ms();
        independence_compute(&of, g, l, node);
        times[i] = worked_ms() - start;
        proven += of.proven;
        independence_release(&of);
    }
    double median = bench_percentile(times, ROWS, 50), p99 = bench_percentile(times, ROWS, 99);
    bench_report(bar, median, "ms", "  roots and independence of one, median");
    bench_report(0, p99, "ms", "    p99; %.1f %% are proven", proven * 100.0 / ROWS);
    bench_report(0, times[ROWS - 1], "ms", "    slowest of %d", ROWS);
    free(times);
}

/* `bar`: ms for one memory; the chain alone takes more. */
static void bench_shape(const char *name, struct graph *g, double bar)
{
    struct labels l;
    struct keystones k;
    uint32_t bounds = 0, unproven = 0;
    double best = 1e9;
    labels_compute(&l, g);
    for (int round = 0; round < 3; round++) {
        double start = worked_ms();
        keystones_compute(&k, g, &l, KEYSTONES_BUDGET);
        double took = worked_ms() - start;
        best = took < best ? took : best;
        for (uint32_t v = 0; round == 0 && v < g->nodes; v++) {
            bounds += k.at_least[v];
            unproven += k.independent[v] == RELIES_ON_MORE_UNPROVEN;
        }
        keystones_release(&k);
    }
    bench_report(1000, best, "ms", "%s: keystones of all", name);
    bench_report(0, g->links / 1e6, "million", "  links");
    bench_report(0, bounds, "", "  only bounds: keystones");
    bench_report(0, unproven, "", "  only bounds: independence");
    bench_rows(g, &l, bar);
    labels_release(&l);
    graph_release(g);
}

void bench_roots(char **argv)
{
    struct graph g;
    bench_make_graph(&g, 10);
    bench_shape("days of agents", &g, 5);
    bench_make_graph(&g, 1);
    bench_shape("days, all with `all` groups", &g, 5);
    make_hub(&g);
    bench_shape("a hub and a chain", &g, 0);
}
