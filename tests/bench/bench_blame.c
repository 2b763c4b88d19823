/* Whom to blame: how long the answer takes in a store, and what it is for a lineage that is given as text. */
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/graph/blame.h"
#include "model/graph/fold.h"

#define TARGETS 500

/* A memory that is based on others and stands, not asked for before. */
static uint32_t next_target(const struct graph *g, const struct labels *l, bool *asked)
{
    uint32_t target;
    do
        target = bench_random(g->nodes);
    while (asked[target] || !l->stands[target] || fold_is_leaf(g, l, target));
    asked[target] = true;
    return target;
}

void bench_blame(const struct graph *g, const struct labels *l)
{
    double times[TARGETS], complete[TARGETS] = {0}, sources[TARGETS], least[TARGETS];
    size_t whole = 0, three = 0, greedy = 0, sampled = 0;
    AUTO_FREE bool *asked = xcalloc(g->nodes, sizeof(*asked));
    for (size_t i = 0; i < TARGETS; i++) {
        struct blame b;
        uint32_t target = next_target(g, l, asked);
        double start = bench_ms(CLOCK_THREAD_CPUTIME_ID);
        blame_compute(&b, g, l, target, BLAME_BUDGET);
        times[i] = bench_ms(CLOCK_THREAD_CPUTIME_ID) - start;
        if (b.exact_to == SIZE_MAX)
            complete[whole++] = times[i];
        three += b.exact_to >= 3;
        greedy += b.greedy;
        sampled += b.sampled;
        sources[i] = (double)b.source_count;
        least[i] = (double)b.first[1];
        blame_release(&b);
    }
    bench_report(5, bench_percentile(times, TARGETS, 50), "ms",
                 "blame, median of %d memories with a basis", TARGETS);
    bench_report(0, bench_percentile(times, TARGETS, 95), "ms", "  p95");
    bench_report(0, bench_percentile(times, TARGETS, 100), "ms", "  slowest");
    bench_report(200, bench_percentile(complete, whole, 100), "ms",
                 "  slowest of %zu with all sets", whole);
    bench_report(0, (double)three * 100 / TARGETS, "%", "  all sets up to size 3");
    bench_report(0, (double)greedy * 100 / TARGETS, "%", "  one greedy set, not proven minimal");
    bench_report(0, (double)sampled * 100 / TARGETS, "%", "  shares sampled");
    bench_report(0, bench_percentile(sources, TARGETS, 50), "", "  sources, median; %.0f at most",
                 bench_percentile(sources, TARGETS, 100));
    bench_report(0, bench_percentile(least, TARGETS, 50), "",
                 "  sources in the smallest set, median; %.0f at most",
                 bench_percentile(least, TARGETS, 100));
}

/* ---- a lineage as text ---- */

/* Adds the groups of a line: "all 1 2 | any 3 4", or nothing for a source. */
static void read_memory(struct graph *g, char *line)
{
    unsigned group = 0;
    graph_add_node(g, *line == '\n' ? KIND_RAW : KIND_BELIEF, STATUS_ACTIVE);
    while (strncmp(line, "all", 3) == 0 || strncmp(line, "any", 3) == 0) {
        enum reading reading = line[1] == 'l' ? READING_ALL : READING_ANY;
        uint32_t antecedent[4096];
        size_t count = 0;
        char *end = line += 3;
        for (;; line = end) {
            uint32_t number = (uint32_t)strtoul(line, &end, 10);
            if (end == line)
                break;
            if (count < sizeof(antecedent) / sizeof(*antecedent))
                antecedent[count++] = number;
        }
        graph_add_group(g, GRAPH_SHAPE(ROLE_DERIVED_FROM, reading, RECORDED), group++, antecedent,
                        count);
        line += strspn(line, " |");
    }
}

/* "NODE exact_to greedy ms sources" (exact_to is "all" for all), then each set after a tab. */
static void answer(const struct graph *g, const struct labels *l, uint32_t target)
{
    struct blame b;
    double start = bench_ms(CLOCK_THREAD_CPUTIME_ID);
    blame_compute(&b, g, l, target, BLAME_BUDGET);
    printf("%u ", target);
    if (b.exact_to == SIZE_MAX)
        printf("all");
    else
        printf("%zu", b.exact_to);
    printf(" %d %.3f %zu", b.greedy, bench_ms(CLOCK_THREAD_CPUTIME_ID) - start, b.source_count);
    for (size_t i = 0; i < b.set_count; i++)
        for (size_t k = b.first[i]; k < b.first[i + 1]; k++)
            printf("%c%u", k == b.first[i] ? '\t' : ' ', b.member[k]);
    printf("\n");
    blame_release(&b);
}

/* Standard input has a line for each memory, then a line "?" and the numbers of those to ask for. */
void bench_lineage(char **argv)
{
    struct graph g;
    struct labels l = {0};
    char *line = NULL;
    size_t alloc = 0;
    graph_init(&g);
    bool asking = false;
    while (getline(&line, &alloc, stdin) > 0) {
        if (asking) {
            answer(&g, &l, (uint32_t)strtoul(line, NULL, 10));
        } else if (*line == '?') {
            graph_finish(&g);
            labels_compute(&l, &g);
            asking = true;
        } else {
            read_memory(&g, line);
        }
    }
    free(line);
    labels_release(&l);
    graph_release(&g);
}
