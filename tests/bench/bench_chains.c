/*
 * What chains of thought cost to read: bench_chains PATH, a store of bench_generate_chains. Opening
 * chains, the large one and any, in a store that is warm and with a reader that has read nothing;
 * who used a document that 100,000 steps used, be it always the same or another each time; the page
 * of a list of chains; a step that is added to a long chain. By the clock, less the time for which
 * this thread waited for a processor. Exit status 1 where a bar is missed.
 *
 * The last of it changes the store: it is given a copy.
 */
#include "model/base/strbuf.h"
#include "store/reasoning/chain.h"
#include "store/db/db.h"
#include "store/reasoning/document.h"
#include "store/reasoning/reasoning.h"
#include "tests/bench/report.h"

#define OPENING 20.0 /* ms */
#define WHO     10.0
#define FRAME   16.0
#define TIMES   40
#define PAGE    50

static struct store *store;
static struct reader *reader;
static struct error error;
static struct arena arena;
static double took[TIMES];
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

static void report(const char *name, double bar, double measured)
{
    missed |= bench_report(name, bar, measured, "ms");
}

static uint64_t next_random(void)
{
    static uint64_t state = 20260203;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 33;
}

static int64_t number(const char *sql)
{
    int64_t found;
    check(db_int(reader_db(reader), &found, 0, &error, sql, ""));
    return found;
}

static int64_t row_of(const char *ref)
{
    int64_t row = ref_resolve(reader, ref, &error);
    check(row > 0 ? 0 : -1);
    return row;
}

/* What 95 of 100 times do not exceed. */
static void measure(const char *what, double bar, void (*act)(int64_t row), int64_t row)
{
    for (size_t i = 0; i < TIMES; i++) {
        double from = now_ms();
        act(row);
        took[i] = now_ms() - from;
        arena_clear(&arena);
    }
    report(what, bar, bench_percentile(took, TIMES, 95));
}

/* ---- opening ---- */

static void open_chain(int64_t row)
{
    struct chain c;
    check(chain_read(reader, &arena, row, &c, &error));
}

static void open_with_another_reader(int64_t row)
{
    struct reader *was = reader;
    reader = reader_open(store, &error);
    check(reader ? 0 : -1);
    open_chain(row);
    reader_close(reader);
    reader = was;
}

static int64_t *chain; /* all of them */
static size_t chain_count;

static void find_chains(void)
{
    struct db *db = reader_db(reader);
    chain = malloc(sizeof(*chain) *
                   (size_t)(1 + number("SELECT count(*) FROM memory INDEXED BY memory_created"
                                       " WHERE kind = 11 AND status < 7")));
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT id FROM memory INDEXED BY memory_created WHERE kind = 11 AND status < 7",
        &error);
    check(stmt && chain ? 0 : -1);
    for (int more = db_step(db, stmt, &error); more > 0; more = db_step(db, stmt, &error))
        chain[chain_count++] = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
}

static void open_any(int64_t row)
{
    (void)row;
    open_chain(chain[next_random() % chain_count]);
}

static void write_chain(int64_t row)
{
    struct strbuf out = STRBUF_INIT;
    check(chain_write(reader, row, true, &out, &error));
    strbuf_release(&out);
}

static void same_question(int64_t row)
{
    int64_t *rows;
    size_t count;
    bool more;
    check(chains_on_question(reader, &arena, row, PAGE, &rows, &count, &more, &error));
}

/* As the page of a list, the newest first. */
static void page_of_chains(int64_t row)
{
    (void)row;
    for (size_t i = 0; i < PAGE && i < chain_count; i++) {
        struct chain_brief b;
        check(chain_brief_read(reader, &arena, chain[chain_count - 1 - i], &b, &error));
    }
}

/* ---- who used it ---- */

static void uses(int64_t row)
{
    struct document_use *list;
    size_t count;
    bool more;
    check(document_uses(reader, &arena, row, 0, INT64_MAX, PAGE, &list, &count, &more, &error));
}

static void uses_in_the_middle(int64_t row)
{
    struct document_use *list;
    size_t count;
    bool more;
    int64_t middle = number("SELECT max(id) / 2 FROM memory");
    check(document_uses(reader, &arena, row, 0, middle, PAGE, &list, &count, &more, &error));
}

static void count_uses(int64_t row)
{
    struct document_counts counts;
    check(document_count(reader, row, 1000, &counts, &error));
}

static void versions(int64_t row)
{
    struct document_version *list;
    size_t count;
    bool more;
    check(document_versions(reader, &arena, row, PAGE, &list, &count, &more, &error));
}

static void document(const char *ref, const char *what)
{
    char name[120];
    int64_t row = row_of(ref);
    snprintf(name, sizeof(name), "who used %s", what);
    measure(name, WHO, uses, row);
    snprintf(name, sizeof(name), "older uses of %s", what);
    measure(name, WHO, uses_in_the_middle, row);
    snprintf(name, sizeof(name), "counting the uses of %s, to 1,000", what);
    measure(name, WHO, count_uses, row);
    snprintf(name, sizeof(name), "50 versions of %s", what);
    measure(name, 0, versions, row);
}

/* ---- growing ---- */

struct growth {
    int64_t chain;
    struct step_given step;
};

static const struct actor actor = {ACTOR_AGENT, "ash", "ash", "mcp", NULL, 0};

static int begin(struct txn *t, void *arg, struct error *e)
{
    struct growth *g = arg;
    struct added added;
    struct chain_start start = {.question = "growing", .question_len = 7, .agent_id = "ash"};
    int result = chain_begin(t, &actor, &start, &arena, &added, e);
    g->chain = added.node;
    return result;
}

static int grow(struct txn *t, void *arg, struct error *e)
{
    struct growth *g = arg;
    struct step_added added;
    return chain_add_step(t, &actor, g->chain, &g->step, &arena, &added, e);
}

static void measure_growth(void)
{
    static const char results[] =
        "[{\"document_id\":\"handbook0\",\"score\":0.5,\"content\":\"x\"},"
        "{\"document_id\":\"grown\",\"score\":0.7,\"content\":\"y\"}]";
    struct growth g = {.step = {.question = "and now?",
                                .question_len = 8,
                                .answer = "so",
                                .answer_len = 2,
                                .confidence = NAN,
                                .execution_time = NAN,
                                .results = {results, sizeof(results) - 1}}};
    check(store_run(store, begin, &g, &error));
    for (int64_t i = 1; i <= 260; i++) {
        double from = now_ms();
        g.step.number = i;
        check(store_run(store, grow, &g, &error));
        took[i % TIMES] = now_ms() - from;
        arena_clear(&arena);
    }
    report("a step added to a chain of 200, with its commit", 0, bench_percentile(took, TIMES, 50));
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench_chains PATH\n");
        return 2;
    }
    store = store_open(argv[1], &(struct store_options){.create = false}, NULL, &error);
    check(store ? 0 : -1);
    reader = reader_open(store, &error);
    check(reader ? 0 : -1);
    find_chains();
    int64_t large = number("SELECT min(id) FROM memory WHERE kind = 11 AND status < 7");
    measure("200 steps with 2,000 sources opened", OPENING, open_chain, large);
    measure("the same by a reader that has read nothing", OPENING, open_with_another_reader, large);
    measure("any of 100,000 chains opened", OPENING, open_any, 0);
    measure("200 steps with 2,000 sources as JSON", 0, write_chain, large);
    measure("a page of 50 chains, in brief", FRAME, page_of_chains, 0);
    measure("chains on the same question", WHO, same_question, chain[chain_count - 1]);
    document("document:handbook0", "what never changes");
    document("document:frontpage0", "what always changes");
    measure_growth();
    reader_close(reader);
    store_close(store);
    arena_release(&arena);
    free(chain);
    return missed;
}
