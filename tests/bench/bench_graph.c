/*
 * Answers about graphs of a million memories and three million links, without a store: roots,
 * independence and keystones. Work is measured in processor time of this thread.
 */
#include "tests/bench/bench.h"

#include <stdlib.h>
#include "model/graph/roots.h"

#define NODES 1000000
#define LONG  100000 /* a chain, and the users of a hub */
#define ROWS  2000

static double worked_ms(void)
{
    return bench_ms(CLOCK_THREAD_CPUTIME_ID);
}

static const unsigned any = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ANY, RECORDED);
static const unsigned all = GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED);

/* The last memories of a kind. */
struct past {
    uint32_t node[40];
    uint32_t count;
};

static void remember(struct past *p, uint32_t node)
{
    p->node[p->count++ % 40] = node;
}

/* Adds a group of up to `most` different ones among the last of a kind. */
static void add_earlier(struct graph *g, unsigned shape, unsigned number, const struct past *p,
                        uint32_t most)
{
    uint32_t antecedent[8], near = p->count < most * 3 ? p->count : most * 3, count = 0;
    for (uint32_t back = 1; back <= near && count < most; back++)
        if (bench_random(near - back + 1) < most - count)
            antecedent[count++] = p->node[(p->count - back) % 40];
    if (count > 0)
        graph_add_group(g, shape, number, antecedent, count);
}

/* As days() of made.py: raw entries, episodes and notes based on them, and beliefs, of which one in `all_of` groups
 * needs all; circles, and chains of beliefs. */
static void make_days(struct graph *g, uint32_t all_of)
{
    static const char kinds[] = "rrrrerrbrnerrbebbneb";
    struct past raw = {.count = 0}, episode = raw, note = raw, belief = raw;
    graph_init(g);
    for (uint32_t v = 0; v < NODES; v++) {
        char kind = kinds[v % 20];
        graph_add_node(g, kind == 'r' ? KIND_RAW : KIND_BELIEF, STATUS_ACTIVE);
        if (kind == 'r') {
            remember(&raw, v);
        } else if (kind != 'b') {
            add_earlier(g, any, 0, &raw, 4 + bench_random(3));
            remember(kind == 'e' ? &episode : &note, v);
        } else {
            unsigned shape = bench_random(all_of) == 0 ? all : any;
            add_earlier(g, shape, 0, bench_random(3) ? &episode : &note, 2 + bench_random(3));
            for (uint32_t n = 2 + bench_random(3); n > 0; n--)
                add_earlier(g, any, n, &episode, 1);
            if (belief.count > 0 && (v % 100000 < 20000 || bench_random(100) < 6))
                graph_add_group(g, any, 5, &belief.node[(belief.count - 1) % 40], 1);
            if (v % 5000 == 3007)
                graph_add_group(g, any, 6, &(uint32_t){v + 20}, 1);
            if (v % 5000 == 3027)
                graph_add_group(g, any, 6, &(uint32_t){v - 20}, 1);
            remember(&belief, v);
        }
    }
    graph_finish(g);
}

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

static void bench_rows(const struct graph *g, const struct labels *l)
{
    double *times = malloc(ROWS * sizeof(*times));
    uint32_t proven = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        struct independence of;
        double start = worked_ms();
        independence_compute(&of, g, l, bench_random(g->nodes));
        times[i] = worked_ms() - start;
        proven += of.proven;
        independence_release(&of);
    }
    double median = bench_percentile(times, ROWS, 50), p99 = bench_percentile(times, ROWS, 99);
    bench_report(5, median, "ms", "  roots and independence of one, median");
    bench_report(0, p99, "ms", "    p99; %.1f %% are proven", proven * 100.0 / ROWS);
    bench_report(0, times[ROWS - 1], "ms", "    slowest of %d", ROWS);
    free(times);
}

static void bench_shape(const char *name, struct graph *g)
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
    bench_rows(g, &l);
    labels_release(&l);
    graph_release(g);
}

void bench_graph(char **argv)
{
    struct graph g;
    (void)argv;
    make_days(&g, 10);
    bench_shape("days of agents", &g);
    make_days(&g, 1);
    bench_shape("days, all with `all` groups", &g);
    make_hub(&g);
    bench_shape("a hub and a chain", &g);
}
