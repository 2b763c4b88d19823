/*
 * What the past costs: bench_past PATH. Changes 10,000 memories of that store, all over it, and
 * adds 10,000: it is given a copy. Then one memory as it was, a reader of the moment before with
 * the first page of a list, and the pages after it; all by the clock, less the time for which this
 * thread waited for a processor. Exit status 1 where a bar is missed.
 */
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "store/query/list.h"
#include "store/lineage/orphans.h"
#include "store/history/past.h"
#include "store/search/search.h"
#include "store/lineage/subgraph.h"
#include "store/txn/writer.h"
#include "tests/bench/report.h"

#define CHANGES 10000
#define SLICE   1000 /* changes in a transaction */
#define PAGE    50
#define FRAME   16.0 /* ms */

static struct store *store;
static struct error error;
static int missed;

static void check(int result)
{
    if (result >= 0)
        return;
    fprintf(stderr, "%s\n", error.what);
    exit(2);
}

static double now_ms(void)
{
    return bench_clock_ms(CLOCK_MONOTONIC) - bench_waited_ms();
}

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

/* ---- what happened since ---- */

static const struct actor actor = {.class = ACTOR_PERSON, .name = "bench", .origin = "command"};

struct slice {
    int64_t *row; /* what is changed; NULL: additions */
    size_t count;
};

/* Another confidence, as a reinforcement leaves it, another text and one more justification. */
static int change_one(struct txn *t, struct arena *a, int64_t row, struct error *e)
{
    struct memory before, after;
    if (memory_read_db(txn_db(t), a, row, &before, e))
        return -1;
    if (before.status == STATUS_MISSING)
        return 0;
    after = before;
    struct history_entry *history = arena_array(a, before.history_count + 1, sizeof(*history));
    struct justification *just = arena_array(a, before.justification_count + 1, sizeof(*just));
    if (before.history_count)
        memcpy(history, before.history, before.history_count * sizeof(*history));
    if (before.justification_count)
        memcpy(just, before.justifications, before.justification_count * sizeof(*just));
    after.confidence = before.confidence / 2;
    history[after.history_count++] = (struct history_entry){
        .at = txn_now(t), .old = before.confidence, .new_ = after.confidence, .reason = "bench"};
    just[after.justification_count++] =
        (struct justification){.role = ROLE_EVIDENCE, .at = txn_now(t)};
    after.history = history;
    after.justifications = just;
    after.text = "This is what it says now, and nothing of what it said.";
    after.updated_at = txn_now(t);
    after.form = NULL;
    return txn_put(t, &actor, "edit", &before, &after, "bench", e);
}

static int add_one(struct txn *t, struct arena *a, struct error *e)
{
    char id[37];
    struct memory m;
    store_make_id(store, id);
    memory_init(&m, (struct ref){KIND_BELIEF, arena_strdup(a, id)});
    m.agent_id = "ash";
    m.text = "Something that was said later";
    m.source_type = "inference";
    m.created_at = m.updated_at = txn_now(t);
    return txn_put(t, &actor, "add", NULL, &m, NULL, e);
}

static int happen(struct txn *t, void *arg, struct error *e)
{
    const struct slice *s = arg;
    struct arena a = ARENA_INIT;
    int result = 0;
    for (size_t i = 0; i < s->count && result == 0; i++) {
        arena_clear(&a);
        result = s->row ? change_one(t, &a, s->row[i], e) : add_one(t, &a, e);
    }
    arena_release(&a);
    return result;
}

static void make_history(int64_t rows, int64_t *changed)
{
    for (size_t i = 0; i < CHANGES; i++)
        changed[i] = 1 + (int64_t)(next_random() % (uint64_t)rows);
    for (size_t i = 0; i < CHANGES; i += SLICE) {
        check(store_run(store, happen, &(struct slice){changed + i, SLICE}, &error));
        check(store_run(store, happen, &(struct slice){NULL, SLICE}, &error));
    }
}

/* ---- asking ---- */

static size_t read_page(struct reader *r, const struct list_query *q, struct strbuf *cursor)
{
    struct list *l = list_open(r, q, cursor->len ? cursor->buf : NULL, &error);
    struct arena a = ARENA_INIT;
    size_t count = 0;
    int64_t node;
    check(l ? 0 : -1);
    while (count < PAGE && list_next(l, &node, &error) > 0) {
        struct memory_row row;
        check(memory_row_read(r, &a, node, &row, &error));
        count++;
    }
    strbuf_clear(cursor);
    list_cursor(l, cursor);
    list_close(l);
    arena_release(&a);
    return count;
}

static void bench_one(const int64_t *changed, int64_t seq)
{
    double took[1000];
    struct reader *r = reader_open(store, &error);
    struct arena a = ARENA_INIT;
    check(r ? 0 : -1);
    for (size_t i = 0; i < 1000; i++) {
        struct memory m;
        arena_clear(&a);
        double start = now_ms();
        check(memory_read_past(r, &a, changed[i * 7 % CHANGES], seq, &m, &error));
        took[i] = now_ms() - start;
    }
    report("one memory as it was before, median", 1, bench_percentile(took, 1000, 50), "ms");
    report("one memory as it was before, p99", 1, bench_percentile(took, 1000, 99), "ms");
    arena_release(&a);
    reader_close(r);
}

static void bench_pages(struct reader *r, enum list_order order, struct strbuf *cursor)
{
    double took[100];
    char name[80];
    struct list_query q = {.order = order};
    size_t count = 0;
    for (size_t rows = PAGE; rows == PAGE && count < 100; count++) {
        double start = now_ms();
        rows = read_page(r, &q, cursor);
        took[count] = now_ms() - start;
    }
    snprintf(name, sizeof(name), "  its next pages of %d by %s, p99", PAGE, order_name(order));
    report(name, FRAME, bench_percentile(took, count, 99), "ms");
}

static int no_more(void *arg, int64_t node, bool exact)
{
    (void)node, (void)exact;
    return ++*(int *)arg >= PAGE;
}

static void bench_search(struct reader *r, const char *words)
{
    char name[80];
    int found = 0;
    double start = now_ms();
    check(search_run(r, &(struct search_query){.words = words}, no_more, &found, &error));
    snprintf(name, sizeof(name), "  its first %d matches of \"%s\"", PAGE, words);
    report(name, 0, now_ms() - start, "ms");
}

static void bench_graph(struct reader *r)
{
    struct graph g;
    double start = now_ms();
    check(graph_load(r, &g, &error));
    report("  its graph, loaded by one thread", 0, now_ms() - start, "ms");
    graph_release(&g);
    int64_t count;
    start = now_ms();
    check(list_count(r, &(struct list_query){0}, &count, &error));
    report("  how many are listed", 0, now_ms() - start, "ms");
}

static void bench_moment(const char *name, int64_t seq, bool more)
{
    struct strbuf cursor = STRBUF_INIT;
    double start = now_ms(), opened;
    struct reader *r = reader_open_past(store, seq, NULL, NULL, &error);
    check(r ? 0 : -1);
    opened = now_ms() - start;
    check(read_page(r, &(struct list_query){0}, &cursor) ? 0 : -1);
    report(name, 500, now_ms() - start, "ms");
    report("  of which its reader took", 0, opened, "ms");
    for (int order = 0; more && order < ORDER_COUNT; order++) {
        strbuf_clear(&cursor);
        read_page(r, &(struct list_query){.order = (enum list_order)order}, &cursor);
        bench_pages(r, (enum list_order)order, &cursor);
    }
    if (more) {
        bench_search(r, "staging deploy");
        bench_search(r, "nothing of what");
        bench_graph(r);
    }
    strbuf_release(&cursor);
    reader_close(r);
}

int main(int argc, char **argv)
{
    static int64_t changed[CHANGES];
    if (argc != 2)
        return 2;
    store = store_open(argv[1], &(struct store_options){0}, NULL, &error);
    check(store ? 0 : -1);
    struct reader *r = reader_open(store, &error);
    check(r ? 0 : -1);
    int64_t last = journal_last(r, &error);
    reader_close(r);
    int64_t week = last > 10080 ? last - 10080 : last / 2; /* a memory a minute */
    bench_moment("as of last week: the first list", week, false);
    make_history(last, changed);
    bench_one(changed, last);
    bench_moment("as of before 10,000 changes and additions: the first list", last, true);
    bench_moment("as of the middle: the first list", last / 2, false);
    store_close(store);
    return missed;
}
