/*
 * What reading a store costs: bench_store PATH. Lists, counts, searches, the graph and what surrounds
 * a memory, warm, through one reader. What one thread does is measured by its processor time, so that
 * other programs do not count; the graph, which two threads load, by the clock, less the time for which
 * this one waited for a processor. Exit status 1 where a bar is missed.
 */
#include "model/graph/lineage.h"
#include "model/base/strbuf.h"
#include "store/query/list.h"
#include "store/lineage/orphans.h"
#include "store/search/search.h"
#include "store/lineage/subgraph.h"
#include "tests/bench/report.h"

#define PAGE 50

static struct reader *reader;
static struct error error;
static int missed;

static double now_ms(void)
{
    return bench_clock_ms(CLOCK_MONOTONIC) - bench_waited_ms();
}

static void report(const char *name, double bar, double measured, const char *unit)
{
    missed |= bench_report(name, bar, measured, unit);
}

static void check(int result)
{
    if (result >= 0)
        return;
    fprintf(stderr, "%s\n", error.what);
    exit(2);
}

/* This thread's own work. */
static double worked_ms(void)
{
    return bench_clock_ms(CLOCK_THREAD_CPUTIME_ID);
}

/* The best of a few. */
static double best_of(int rounds, void (*run)(const void *), const void *arg)
{
    double best = 1e9;
    for (int i = 0; i < rounds; i++) {
        double start = worked_ms();
        run(arg);
        double took = worked_ms() - start;
        best = took < best ? took : best;
    }
    return best;
}

static uint32_t next_random(void)
{
    static uint64_t state = 20260201;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

/* ---- lists ---- */

static size_t read_page(const struct list_query *q, struct strbuf *cursor)
{
    struct list *l = list_open(reader, q, cursor->len ? cursor->buf : NULL, &error);
    check(l ? 0 : -1);
    int64_t node;
    size_t count = 0;
    while (count < PAGE && list_next(l, &node, &error) > 0)
        count++;
    strbuf_clear(cursor);
    list_cursor(l, cursor);
    list_close(l);
    return count;
}

/* Pages from the first one on. */
static void bench_pages(const struct list_query *q, const char *what)
{
    double times[500];
    size_t pages = 0;
    char name[80];
    struct strbuf cursor = STRBUF_INIT;
    read_page(q, &cursor); /* prepares the statements */
    strbuf_clear(&cursor);
    while (pages < 500) {
        double start = worked_ms();
        size_t count = read_page(q, &cursor);
        times[pages++] = worked_ms() - start;
        if (count < PAGE)
            break;
    }
    strbuf_release(&cursor);
    snprintf(name, sizeof(name), "page of 50, %s%s, %s, p99", order_name(q->order),
             q->reverse ? " reversed" : "", what);
    report(name, 1, bench_percentile(times, pages, 99), "ms");
}

static int ignore_ids(void *arg, const int64_t *nodes, size_t count)
{
    (void)nodes;
    *(size_t *)arg += count;
    return 0;
}

static void walk_ids(const void *query)
{
    size_t count = 0;
    check(list_ids(reader, query, ignore_ids, &count, &error));
}

static void count_list(const void *query)
{
    int64_t count;
    check(list_count(reader, query, &count, &error));
}

static void find_no_page(const void *query)
{
    struct strbuf cursor = STRBUF_INIT;
    read_page(query, &cursor);
    strbuf_release(&cursor);
}

static void read_agents(const void *unused)
{
    (void)unused;
    struct arena a = ARENA_INIT;
    struct agent_count *agents;
    size_t count;
    check(list_agents(reader, &a, &agents, &count, &error));
    arena_release(&a);
}

static void bench_lists(void)
{
    char name[80];
    for (int order = 0; order < ORDER_COUNT; order++)
        for (int reverse = 0; reverse < 2; reverse++) {
            struct list_query q = {.order = (enum list_order)order, .reverse = reverse};
            bench_pages(&q, "every kind");
        }
    bench_pages(&(struct list_query){.kinds = KIND_BIT(KIND_BELIEF)}, "beliefs");
    for (int order = 0; order < ORDER_COUNT; order++) {
        struct list_query q = {.order = (enum list_order)order};
        snprintf(name, sizeof(name), "all ids by %s", order_name(q.order));
        report(name, 250, best_of(3, walk_ids, &q), "ms");
    }
    report("count of one agent", 150, best_of(3, count_list, &(struct list_query){.agent = "sam"}),
           "ms");
    report("count by agent, status and source type", 150,
           best_of(3, count_list,
                   &(struct list_query){.agent = "sam", .statuses = 2, .source_type = "seed"}),
           "ms");
    report("a page that nothing matches", 150,
           best_of(3, find_no_page,
                   &(struct list_query){.agent = "sam", .statuses = 8, .source_type = "seed"}),
           "ms");
    report("agents with their counts", 150, best_of(3, read_agents, NULL), "ms");
}

/* ---- searches ---- */

static int take_page(void *arg, int64_t node, bool exact)
{
    (void)node;
    (void)exact;
    return ++*(size_t *)arg >= PAGE;
}

static void search_page(const void *words)
{
    size_t count = 0;
    check(search_run(reader, &(struct search_query){.words = words}, take_page, &count, &error));
}

static void bench_searches(void)
{
    report("search, first page, a rare word", 50, best_of(5, search_page, "zyxwvut"), "ms");
    report("search, first page, a word that is nowhere", 50, best_of(5, search_page, "qqqqq"),
           "ms");
    report("search, first page, a common word", 0, best_of(3, search_page, "deploy"), "ms");
    report("search, first page, two words", 0, best_of(3, search_page, "rollback staging"), "ms");
    report("search, first page, a part of many words", 0, best_of(2, search_page, "eplo"), "ms");
    report("search, first page, two characters (確認)", 0, best_of(3, search_page, "確認"), "ms");
    report("search, first page, one character (x)", 0, best_of(1, search_page, "x"), "ms");
}

/* ---- memories ---- */

static void bench_rows(uint32_t rows)
{
    struct arena a = ARENA_INIT;
    double row_times[500], whole_times[500];
    for (size_t i = 0; i < 500; i++) {
        struct memory_row row;
        struct memory m;
        int64_t node = next_random() % rows + 1;
        arena_clear(&a);
        double start = worked_ms();
        check(memory_row_read(reader, &a, node, &row, &error));
        row_times[i] = (worked_ms() - start) * 1e3;
        start = worked_ms();
        check(memory_read(reader, &a, node, &m, &error));
        whole_times[i] = (worked_ms() - start) * 1e3;
    }
    report("a row of a list, median", 0, bench_percentile(row_times, 500, 50), "us");
    report("a memory whole, median", 0, bench_percentile(whole_times, 500, 50), "us");
    arena_release(&a);
}

static void bench_around(const struct graph *whole)
{
    double times[2][200], labels[50];
    size_t count[2] = {0, 0}, nodes[2] = {0, 0};
    for (int i = 0; i < 4000; i++) {
        int direction = i & 1;
        int64_t row = next_random() % whole->nodes + 1;
        struct graph g;
        bool bounded;
        double start = worked_ms();
        check(graph_load_around(reader, &g, &row, 1, (enum direction)direction, 1000, &bounded,
                                &error));
        double took = worked_ms() - start;
        if (!bounded && count[direction] < 200 && g.nodes > 1 && g.nodes <= 100) {
            times[direction][count[direction]++] = took;
            nodes[direction] = g.nodes > nodes[direction] ? g.nodes : nodes[direction];
        }
        graph_release(&g);
    }
    char name[80];
    for (int d = 0; d < 2; d++) {
        if (count[d] == 0)
            continue;
        snprintf(name, sizeof(name), "what %s, by the indexes, up to %zu memories, p90",
                 d ? "it carries" : "it rests on", nodes[d]);
        report(name, 0, bench_percentile(times[d], count[d], 90), "ms");
    }
    for (size_t i = 0; i < 50; i++) {
        int64_t rows[40];
        struct row_label out[40];
        int64_t first = next_random() % (whole->nodes - 40) + 1;
        for (int k = 0; k < 40; k++)
            rows[k] = first + k;
        double start = worked_ms();
        check(labels_of_rows(reader, rows, 40, out, &error));
        labels[i] = worked_ms() - start;
    }
    report("labels of 40 rows, median", 0, bench_percentile(labels, 50, 50), "ms");
    report("labels of 40 rows, p90", 0, bench_percentile(labels, 50, 90), "ms");
}

/* ---- the whole graph ---- */

static long resident_kb(void)
{
    char line[200];
    long kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof(line), f))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kb = strtol(line + 6, NULL, 10);
    if (f)
        fclose(f);
    return kb;
}

/* The slowest of those that reach up to 1,000 memories. */
static void bench_questions(const struct graph *g, const struct labels *l)
{
    double slowest[3] = {0, 0, 0};
    size_t most[3] = {0, 0, 0};
    for (int i = 0; i < 1000; i++) {
        uint32_t root = next_random() % g->nodes;
        for (int question = 0; question < 3; question++) {
            struct lineage walk = {0};
            struct whatif w = {0};
            double start = worked_ms();
            check(question < 2
                      ? lineage_walk(&walk, g, root, (enum direction)question, DEPTH_UNLIMITED)
                      : whatif_retract(&w, g, l, &root, 1));
            double took = worked_ms() - start;
            size_t reached =
                question < 2 ? walk.count : w.fall_count + w.weakened_count + w.descends;
            if (reached <= 1000 && took > slowest[question])
                slowest[question] = took;
            if (reached <= 1000 && reached > most[question])
                most[question] = reached;
            lineage_release(&walk);
            whatif_release(&w);
        }
    }
    static const char *const names[] = {"trace", "reverse", "what if"};
    for (int question = 0; question < 3; question++) {
        char name[80];
        snprintf(name, sizeof(name), "%s, slowest of up to %zu memories, loaded", names[question],
                 most[question]);
        report(name, 2, slowest[question], "ms");
    }
}

static int ignore_orphan(void *arg, const struct orphan *orphan)
{
    (void)orphan;
    ++*(size_t *)arg;
    return 0;
}

static void bench_graph(void)
{
    struct graph g;
    struct labels l;
    double load = 1e9, work = 1e9, labelled = 1e9;
    for (int i = 0; i < 5; i++) {
        double start = now_ms(), began = bench_clock_ms(CLOCK_PROCESS_CPUTIME_ID);
        check(graph_load(reader, &g, &error));
        double took = now_ms() - start, worked = bench_clock_ms(CLOCK_PROCESS_CPUTIME_ID) - began;
        start = worked_ms();
        check(labels_compute(&l, &g));
        double labelling = worked_ms() - start;
        load = took < load ? took : load;
        work = worked < work ? worked : work;
        labelled = labelling < labelled ? labelling : labelled;
        if (i < 4) {
            labels_release(&l);
            graph_release(&g);
        }
    }
    char name[80];
    snprintf(name, sizeof(name), "graph load, %u memories, %u links", g.nodes, g.links);
    report(name, 400, load, "ms");
    report("its processor time, of both threads", 0, work, "ms");
    report("labels of all", 250, labelled, "ms");
    report("resident memory at most, all of the above and the graph", 200,
           (double)resident_kb() / 1024, "MB");
    bench_questions(&g, &l);
    bench_rows(g.nodes);
    bench_around(&g);
    labels_release(&l);
    graph_release(&g);
    size_t count = 0;
    double start = worked_ms();
    check(orphans_find(reader, NULL, ignore_orphan, &count, &error));
    snprintf(name, sizeof(name), "orphans, %zu found", count);
    report(name, 1000, worked_ms() - start, "ms");
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench_store PATH\n");
        return 2;
    }
    struct store *s = store_open(argv[1], &(struct store_options){.read_only = true}, NULL, &error);
    check(s ? 0 : -1);
    reader = reader_open(s, &error);
    check(reader ? 0 : -1);
    bench_lists();
    bench_searches();
    bench_graph();
    reader_close(reader);
    store_close(s);
    return missed;
}
