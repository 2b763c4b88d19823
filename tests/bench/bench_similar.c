/* Duplicates and conflicts: of all memories, and of one, with a cache that has seen others. */
#include "tests/bench/bench.h"

#include <sys/resource.h>
#include "store/db/db.h"
#include "store/db/store.h"
#include "store/open.h"
#include "store/similar/similar.h"

#define ASKED 1000

static struct reader *reader;

static double resident_mb(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss / 1024;
}

static double ask(enum similar_question question, const int64_t *row, struct similar_sets *out)
{
    struct arena arena = ARENA_INIT;
    double start = bench_ms(CLOCK_THREAD_CPUTIME_ID);
    bench_check(similar_find(reader, &arena, question, row, row ? 1 : 0, out, &bench_error));
    double took = bench_ms(CLOCK_THREAD_CPUTIME_ID) - start;
    arena_release(&arena);
    return took;
}

static void ask_each(enum similar_question question, uint32_t rows, const char *what)
{
    double times[ASKED];
    struct similar_sets sets;
    size_t cut = 0;
    for (size_t i = 0; i < ASKED; i++) {
        int64_t row = 1 + bench_random(rows);
        times[i] = ask(question, &row, &sets);
        cut += sets.cut;
    }
    bench_report(1, bench_percentile(times, ASKED, 50), "ms", "%s of one, median", what);
    bench_report(0, bench_percentile(times, ASKED, 99), "ms", "  p99; %zu of %d compared in part",
                 cut, ASKED);
}

void bench_similar(char **argv)
{
    struct similar_sets sets;
    int64_t rows;
    struct store *s = bench_must(
        store_open(argv[0], &(struct store_options){.read_only = true}, NULL, &bench_error));
    reader = bench_must(reader_open(s, &bench_error));
    bench_check(
        db_int(reader_db(reader), &rows, 0, &bench_error, "SELECT max(id) FROM memory", ""));
    ask_each(SIMILAR_DUPLICATES, (uint32_t)rows, "duplicates");
    ask_each(SIMILAR_CONFLICTS, (uint32_t)rows, "conflicts");
    double before = resident_mb();
    double took = ask(SIMILAR_DUPLICATES, NULL, &sets);
    bench_report(20, took / 1e3, "s", "duplicates of all, %zu groups", sets.count);
    bench_report(250, resident_mb() - before, "MB", "  resident besides");
    took = ask(SIMILAR_CONFLICTS, NULL, &sets);
    bench_report(0, took / 1e3, "s", "conflicts of all, %zu pairs", sets.count);
    reader_close(reader);
    store_close(s);
}
