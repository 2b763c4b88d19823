/*
 * Reading a store: lists, searches, the graph and the surroundings of a memory, with a warm cache
 * and one reader. Work of one thread is measured in processor time, so that other programs do not
 * count. The graph, which two threads load, is measured by the clock, without the time in which
 * this thread waited for a processor.
 */
#include "tests/bench/bench.h"

#include "model/graph/lineage.h"
#include "model/graph/roots.h"
#include "model/base/strbuf.h"
#include "store/query/list.h"
#include "store/lineage/orphans.h"
#include "store/search/search.h"
#include "store/lineage/subgraph.h"
#include "store/open.h"

#define PAGE  50
#define PAGES 500

static struct reader *reader;

/* This thread's own work. */
static double worked_ms(void)
{
    return bench_ms(CLOCK_THREAD_CPUTIME_ID);
}

/* ---- lists and searches ---- */

static size_t read_page(const struct list_query *q, struct strbuf *cursor)
{
    struct list *l =
        bench_must(list_open(reader, q, cursor->len ? cursor->buf : NULL, &bench_error));
    int64_t node;
    size_t count = 0;
    while (count < PAGE && list_next(l, &node, &bench_error) > 0)
        count++;
    strbuf_clear(cursor);
    list_cursor(l, cursor);
    list_close(l);
    return count;
}

/* Reads pages from the first one on, each once. */
static void bench_pages(const struct list_query *q, const char *what)
{
    double times[PAGES];
    size_t pages = 0, count = PAGE;
    struct strbuf cursor = STRBUF_INIT;
    while (pages < PAGES && count == PAGE) {
        double start = worked_ms();
        count = read_page(q, &cursor);
        times[pages++] = worked_ms() - start;
    }
    strbuf_release(&cursor);
    bench_report(0, times[0], "ms", "first page of 50 by %s%s, %s", order_name(q->order),
                 q->reverse ? " reversed" : "", what);
    bench_report(1, bench_percentile(times, pages, 99), "ms", "  the pages after it, p99");
}

static void bench_lists(void)
{
    struct arena a = ARENA_INIT;
    struct agent_count *agents;
    size_t count;
    for (int i = 0; i < ORDER_COUNT * 2; i++)
        bench_pages(&(struct list_query){.order = (enum list_order)(i / 2), .reverse = i % 2},
                    "every kind");
    bench_pages(&(struct list_query){.kinds = KIND_BIT(KIND_BELIEF)}, "beliefs");
    double start = worked_ms();
    bench_check(list_agents(reader, &a, &agents, &count, &bench_error));
    bench_report(150, worked_ms() - start, "ms", "agents with their counts");
    arena_release(&a);
}

static int take_page(void *arg, int64_t node, bool exact)
{
    (void)node, (void)exact;
    return ++*(size_t *)arg >= PAGE;
}

static void bench_searches(void)
{
    static const struct {
        const char *words, *what;
        double bar;
    } searches[] = {
        {"zyxwvut", "a rare word", 50},      {"qqqqq", "a word that is nowhere", 50},
        {"deploy", "a common word", 0},      {"rollback staging", "two words", 0},
        {"eplo", "a part of many words", 0}, {"確認", "two characters", 0},
        {"x", "one character", 0},
    };
    for (size_t i = 0; i < sizeof(searches) / sizeof(*searches); i++) {
        size_t count = 0;
        double start = worked_ms();
        bench_check(search_run(reader, &(struct search_query){.words = searches[i].words},
                               take_page, &count, &bench_error));
        bench_report(searches[i].bar, worked_ms() - start, "ms", "search, first page, %s",
                     searches[i].what);
    }
}

/* ---- the whole graph ---- */

/* The slowest of the memories that reach up to 1,000 others. */
static void bench_questions(const struct graph *g, const struct labels *l)
{
    static const char *const names[] = {"trace", "reverse", "what if"};
    double slowest[3] = {0, 0, 0};
    for (int i = 0; i < 3000; i++) {
        int question = i % 3;
        uint32_t root = bench_random(g->nodes);
        struct lineage walk = {0};
        struct whatif w = {0};
        double start = worked_ms();
        if (question < 2)
            lineage_walk(&walk, g, root, (enum direction)question, DEPTH_UNLIMITED);
        else
            whatif_retract(&w, g, l, &root, 1);
        double took = worked_ms() - start;
        if (walk.count + w.unsupported_count + w.weakened_count + w.descending_count <= 1000 &&
            took > slowest[question])
            slowest[question] = took;
        lineage_release(&walk);
        whatif_release(&w);
    }
    for (int question = 0; question < 3; question++)
        bench_report(2, slowest[question], "ms", "%s, slowest of up to 1,000 memories, loaded",
                     names[question]);
}

/* The surroundings of memories that were not read before. */
static void bench_around(uint32_t nodes)
{
    double labels[PAGE];
    for (size_t i = 0; i < PAGE; i++) {
        int64_t rows[40];
        struct row_label out[40];
        int64_t first = bench_random(nodes - 40) + 1;
        for (int k = 0; k < 40; k++)
            rows[k] = first + k;
        double start = worked_ms();
        bench_check(labels_of_rows(reader, rows, 40, out, &bench_error));
        labels[i] = worked_ms() - start;
    }
    bench_report(0, bench_percentile(labels, PAGE, 90), "ms", "labels of 40 rows, p90");
}

static int ignore_orphan(void *arg, const struct orphan *orphan)
{
    ++*(size_t *)arg;
    return 0;
}

static void bench_whole_graph(void)
{
    struct graph g = {0};
    struct labels l = {0};
    double loads[5], labelled[5];
    for (int i = 0; i < 5; i++) {
        labels_release(&l);
        graph_release(&g);
        double start = bench_now();
        bench_check(graph_load(reader, &g, &bench_error));
        loads[i] = bench_now() - start;
        start = worked_ms();
        labels_compute(&l, &g);
        labelled[i] = worked_ms() - start;
    }
    bench_report(400, bench_percentile(loads, 5, 0), "ms", "graph load, %u memories, %u links",
                 g.nodes, g.links);
    bench_report(100, bench_percentile(labelled, 5, 0), "ms", "labels of all");
    struct keystones k;
    double before = worked_ms();
    keystones_compute(&k, &g, &l, KEYSTONES_BUDGET);
    bench_report(1000, worked_ms() - before, "ms", "keystones and independence of all");
    keystones_release(&k);
    bench_questions(&g, &l);
    bench_blame(&g, &l);
    bench_around(g.nodes);
    labels_release(&l);
    graph_release(&g);
    size_t count = 0;
    double start = worked_ms();
    bench_check(
        orphans_find(reader, &(struct orphan_query){0}, ignore_orphan, &count, &bench_error));
    bench_report(650, worked_ms() - start, "ms", "orphans, %zu found", count);
}

void bench_store(char **argv)
{
    struct store *s = bench_must(
        store_open(argv[0], &(struct store_options){.read_only = true}, NULL, &bench_error));
    reader = bench_must(reader_open(s, &bench_error));
    bench_lists();
    bench_searches();
    bench_whole_graph();
    reader_close(reader);
    store_close(s);
}
