/* Duplicates and conflicts: of one memory, of all, then of one again and after writes. The store is written to. */
#include "tests/bench/bench.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include "store/db/db.h"
#include "store/db/store.h"
#include "store/open.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/similar/similar.h"
#include "store/txn/writer.h"

#define ASKED 1000
#define SET   2000 /* memories of a list whose groups are asked for */

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

/* Gives a memory the text of another, with a word more. */
struct copied {
    int64_t row, from;
};

static int copy_text(struct txn *t, void *arg, struct error *e)
{
    static const struct actor actor = {.class = ACTOR_PERSON, .name = "bench", .origin = "bench"};
    const struct copied *c = arg;
    struct memory before, after, from;
    AUTO_ARENA arena = ARENA_INIT;
    if (memory_read_db(txn_db(t), &arena, c->row, &before, e) ||
        memory_read_db(txn_db(t), &arena, c->from, &from, e))
        return -1;
    if (before.status || !from.text)
        return 0;
    after = before;
    after.text = arena_format(&arena, "%s again", from.text);
    return txn_put(t, &actor, "edit", &before, &after, NULL, e);
}

/* The first answer about a memory that was just written: what is kept is brought to that event, and looked at. */
static void ask_written(struct store *s, uint32_t rows)
{
    double times[ASKED];
    struct similar_sets sets;
    for (size_t i = 0; i < ASKED; i++) {
        struct copied c = {1 + bench_random(rows), 1 + bench_random(rows)};
        bench_check(store_run(s, copy_text, &c, &bench_error));
        times[i] = ask(SIMILAR_DUPLICATES, &c.row, &sets);
    }
    bench_report(1, bench_percentile(times, ASKED, 50), "ms", "  of one just written, median");
    bench_report(0, bench_percentile(times, ASKED, 99), "ms", "  p99");
}

static void ask_among(uint32_t rows)
{
    struct arena arena = ARENA_INIT;
    struct similar_sets sets;
    int64_t row[SET];
    for (size_t i = 0; i < SET; i++)
        row[i] = 1 + bench_random(rows);
    double start = bench_ms(CLOCK_THREAD_CPUTIME_ID);
    bench_check(similar_among(reader, &arena, row, SET, &sets, &bench_error));
    bench_report(0, bench_ms(CLOCK_THREAD_CPUTIME_ID) - start, "ms", "duplicates among %d", SET);
    arena_release(&arena);
}

void bench_similar(char **argv)
{
    struct similar_sets sets;
    int64_t rows;
    struct store *s =
        bench_must(store_open(argv[0], &(struct store_options){0}, NULL, &bench_error));
    reader = bench_must(reader_open(s, &bench_error));
    bench_check(
        db_int(reader_db(reader), &rows, 0, &bench_error, "SELECT max(id) FROM memory", ""));
    ask_each(SIMILAR_DUPLICATES, (uint32_t)rows, "before all: duplicates");
    ask_each(SIMILAR_CONFLICTS, (uint32_t)rows, "before all: conflicts");
    ask_among((uint32_t)rows);
    double took = ask(SIMILAR_DUPLICATES, NULL, &sets);
    bench_report(20, took / 1e3, "s", "duplicates of all, %zu groups", sets.count);
    bench_report(250, resident_mb(), "MB", "  resident, the whole process");
    took = ask(SIMILAR_DUPLICATES, NULL, &sets);
    bench_report(0, took, "ms", "  of all again");
    ask_each(SIMILAR_DUPLICATES, (uint32_t)rows, "duplicates");
    ask_each(SIMILAR_CONFLICTS, (uint32_t)rows, "conflicts");
    ask_written(s, (uint32_t)rows);
    took = ask(SIMILAR_CONFLICTS, NULL, &sets);
    bench_report(0, took / 1e3, "s", "conflicts of all, %zu pairs", sets.count);
    reader_close(reader);
    store_close(s);
}
