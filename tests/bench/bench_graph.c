/*
 * The bars of the graph and of the exchange form: a line for each, "name  bar  measured". A bar that is
 * missed ends with "MISSED" and makes the exit status 1. All of it is computing, so the time is that of the
 * processor: what else runs on the machine does not count.
 */
#include "model/format/exchange.h"
#include "model/graph/lineage.h"
#include "tests/bench/report.h"

static int missed;

static double now_ms(void)
{
    return bench_clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

/* `bar` 0: there is none. */
static void report(const char *name, double bar, double measured, const char *unit)
{
    missed |= bench_report(name, bar, measured, unit);
}

static uint32_t next_random(void)
{
    static uint64_t state = 20260201;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

/* How far before itself a memory of the shape looks for what it rests on. */
enum shape {
    LOCAL,
    SCATTERED
};

/*
 * Three links a memory: each fifth is raw, the others rest on 3 or 4; one in a hundred rests on a later one,
 * so that there are circles; one in fifty is dead. LOCAL: on what is near, as an agent's days are, so that
 * a trace has some hundreds of memories. SCATTERED: anywhere before, the worst for a cache.
 */
#define ERA 1200

static void make(struct graph *g, uint32_t nodes, enum shape shape)
{
    graph_init(g);
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t antecedents[4], count = v % 5 ? 3 + (v % 4 != 1) : 0;
        enum status status = next_random() % 50 ? STATUS_ACTIVE : STATUS_DELETED;
        uint32_t era = v / ERA * ERA, reach = shape == LOCAL ? v - era + 1 : v + 1;
        if (graph_add_node(g, count ? KIND_BELIEF : KIND_RAW, status))
            exit(1);
        for (uint32_t i = 0; i < count; i++) {
            antecedents[i] = v - next_random() % reach;
            if (next_random() % 100 == 0)
                antecedents[i] = shape == LOCAL ? era + next_random() % ERA : next_random();
            antecedents[i] %= nodes;
        }
        unsigned group =
            GRAPH_SHAPE(ROLE_DERIVED_FROM, v % 3 ? READING_ANY : READING_ALL, RECORDED);
        if (count && graph_add_group(g, group, 0, antecedents, count))
            exit(1);
    }
    if (graph_finish(g))
        exit(1);
}

static double median(double *times, size_t count)
{
    return bench_percentile(times, count, 50);
}

#define ROUNDS 101

/* Traces and what-ifs from memories all over the graph; the slowest that reached up to 1,000 counts. */
static void bench_questions(const struct graph *g, const struct labels *labels, const char *size)
{
    double slowest[2] = {0, 0}, what_if = 0;
    size_t most[2] = {0, 0}, most_whatif = 0;
    for (int round = 0; round < ROUNDS * 10; round++) {
        uint32_t root = next_random() % g->nodes;
        for (int direction = 0; direction < 2; direction++) {
            struct lineage l;
            double start = now_ms();
            if (lineage_walk(&l, g, root, (enum direction)direction, DEPTH_UNLIMITED))
                exit(1);
            double took = now_ms() - start;
            if (l.count <= 1000) {
                slowest[direction] = took > slowest[direction] ? took : slowest[direction];
                most[direction] = l.count > most[direction] ? l.count : most[direction];
            }
            lineage_release(&l);
        }
        struct whatif w;
        double start = now_ms();
        if (whatif_retract(&w, g, labels, &root, 1))
            exit(1);
        double took = now_ms() - start;
        size_t touched = w.fall_count + w.weakened_count + w.descends;
        if (touched <= 1000) {
            what_if = took > what_if ? took : what_if;
            most_whatif = touched > most_whatif ? touched : most_whatif;
        }
        whatif_release(&w);
    }
    char name[80];
    snprintf(name, sizeof(name), "trace, slowest of up to %zu memories of %s", most[0], size);
    report(name, 2, slowest[0], "ms");
    snprintf(name, sizeof(name), "reverse, slowest of up to %zu memories of %s", most[1], size);
    report(name, 2, slowest[1], "ms");
    snprintf(name, sizeof(name), "what if, slowest of up to %zu memories of %s", most_whatif, size);
    report(name, 2, what_if, "ms");
}

static void bench_graph(uint32_t nodes, enum shape shape)
{
    char size[32], name[80];
    struct graph g;
    double times[9];
    struct labels labels = {.label = NULL};
    snprintf(size, sizeof(size), "%u%s", nodes, shape == SCATTERED ? " scattered" : "");
    double start = now_ms();
    make(&g, nodes, shape);
    snprintf(name, sizeof(name), "build of %s with %u links", size, g.links);
    report(name, 0, now_ms() - start, "ms");
    for (size_t i = 0; i < 9; i++) {
        labels_release(&labels);
        start = now_ms();
        if (labels_compute(&labels, &g))
            exit(1);
        times[i] = now_ms() - start;
    }
    snprintf(name, sizeof(name), "labels of all of %s", size);
    report(name, nodes == 1000000 ? 250 : 0, median(times, 9), "ms");
    if (shape == LOCAL)
        bench_questions(&g, &labels, size);
    labels_release(&labels);
    graph_release(&g);
}

static const char typical[] =
    "{\"ref\":\"belief:54c5e111-0000-4000-8000-000000000000\",\"agent_id\":\"ash\",\"text\":\"The "
    "migration must "
    "keep the old column until every reader has moved; otherwise the nightly report is wrong for a "
    "day.\",\"created_at\":1769907339130,\"updated_at\":1769907339130,\"confidence\":0.8,"
    "\"source_type\":\"inference\",\"source\":\"raw-processing\",\"status\":\"active\",\"tags\":["
    "\"promoted\","
    "\"database\"],\"context\":\"project:atlas\",\"annotations\":[\"context:raw-processing\"],"
    "\"version\":3,"
    "\"detail\":{\"belief_type\":\"fact\",\"foundational\":false,\"times_reinforced\":2},"
    "\"justifications\":["
    "{\"role\":\"derived_from\",\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":1769907339130,"
    "\"antecedents\":[{\"ref\":\"raw:deadbeef-0000-4000-8000-000000000000\"},"
    "{\"ref\":\"raw:deadbeef-0000-4000-8000-000000000001\"}]},{\"role\":\"evidence\",\"reading\":"
    "\"any\","
    "\"recorded\":\"recorded\",\"at\":1769907339130,\"antecedents\":["
    "{\"ref\":\"episode:deadbeef-0000-4000-8000-000000000000\"}]}],\"history\":[{\"at\":"
    "1769907339130,"
    "\"old\":0.7,\"new\":0.713,\"reason\":\"confirmed again\"}]}";

static void bench_exchange(void)
{
    enum {
        LINES = 20000
    };
    struct arena arena = ARENA_INIT;
    struct strbuf out = STRBUF_INIT;
    struct memory m;
    struct error e;
    double reading[9], writing[9];
    for (size_t round = 0; round < 9; round++) {
        double start = now_ms();
        for (int i = 0; i < LINES; i++) {
            arena_clear(&arena);
            if (exchange_read(&m, &arena, typical, sizeof(typical) - 1, "ash", 0, NULL, &e))
                exit(1);
        }
        reading[round] = (now_ms() - start) * 1e3 / LINES;
        start = now_ms();
        for (int i = 0; i < LINES; i++) {
            strbuf_clear(&out);
            exchange_write(&out, &m, NULL);
        }
        writing[round] = (now_ms() - start) * 1e3 / LINES;
    }
    if (out.len != sizeof(typical) - 1 || memcmp(out.buf, typical, out.len) != 0)
        exit(1); /* or what was measured is not what it says */
    report("reading a typical line of the exchange form", 8, median(reading, 9), "us");
    report("writing it", 3, median(writing, 9), "us");
    strbuf_release(&out);
    arena_release(&arena);
}

int main(void)
{
    bench_graph(1000, LOCAL);
    bench_graph(100000, LOCAL);
    bench_graph(1000000, LOCAL);
    bench_graph(1000000, SCATTERED);
    bench_exchange();
    return missed;
}
