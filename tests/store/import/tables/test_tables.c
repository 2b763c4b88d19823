/* The reader of tables: times, a SELECT that takes for ever, one transaction for all SELECTs, and reports that are
 * counted. */
#include <sqlite3.h>
#include "model/base/alloc.h"
#include "store/import/tables/tables_internal.h"
#include "store/open.h"
#include "tests/support/kernle_fixture.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

TEST(test_times)
{
    static const struct {
        double number;
        int64_t ms;
    } numbers[] = {
        {0, 0},
        {1782000000, 1782000000000},
        {1782000000.25, 1782000000250},
        {1782000000250, 1782000000250},
        {1782000000250e3, 1782000000250},
        {1782000000250e6, 1782000000250},
        {-1, -1000},
    };
    int64_t ms;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        assert_true(table_time_of_number(numbers[i].number, &ms));
        assert_int_equal(ms, numbers[i].ms);
    }
    assert_true(table_time_of_text("1782000000", 10, &ms) && ms == 1782000000000);
    assert_true(table_time_of_text("2026-06-21 00:00:00", 19, &ms) && ms == 1782000000000);
    assert_false(table_time_of_text("", 0, &ms) || table_time_of_text("soon", 4, &ms) ||
                 table_time_of_text("nan", 3, &ms) || table_time_of_text("1\0", 2, &ms));
    assert_false(table_time_of_number(1e300, &ms) || table_time_of_number(-1e300, &ms));
}

/* ---- imports ---- */

struct run {
    struct import_options options;
    struct import_summary summary;
    struct error e;
    struct strbuf lines;
    char *source;
    int asked;
    int (*on_report)(struct run *run);
};

static void note_line(void *arg, const char *line)
{
    struct run *run = arg;
    strbuf_addf(&run->lines, "%s\n", line);
    if (run->on_report)
        run->on_report(run);
}

static int stop(void *arg, int64_t done, int64_t total)
{
    struct run *run = arg;
    return ++run->asked > 1;
}

/* Imports a database made by `sql` with one SELECT for each of its tables `a` and `b`. */
static int import(struct run *run, const char *sql, const char *of_a, const char *of_b)
{
    const struct table_select selects[] = {{"a", of_a}, {"b", of_b}};
    const struct table_map map = {.selects = selects, .count = of_b ? 2 : 1};
    const struct import_format format = TABLE_FORMAT(&map, .name = "own", .title = "own");
    AUTO_FREE char *store = scratch_path("store.db");
    run->source = scratch_path("source.db");
    run->lines = (struct strbuf)STRBUF_INIT;
    run->options.report = note_line;
    run->options.arg = run;
    kernle_sql(run->source, sql);
    struct store *s = kernle_target(store);
    int result = import_tables(&format, s, run->source, &run->options, &run->summary, &run->e);
    store_close(s);
    return result;
}

static void run_release(struct run *run)
{
    strbuf_release(&run->lines);
    free(run->source);
}

/* Before its first row no row can ask whether to stop. */
TEST(test_an_endless_select_can_be_stopped)
{
    struct run run = {.options = {.progress = stop}};
    assert_int_equal(import(&run, "CREATE TABLE a(x)",
                            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                            " SELECT 'note:' || max(i) AS ref FROM n",
                            NULL),
                     -1);
    assert_int_equal(run.e.code, ERROR_INTERRUPTED);
    run_release(&run);
}

/* Another program deletes the rows of `b` while those of `a` are read. */
static int delete_b(struct run *run)
{
    kernle_sql(run->source, "DELETE FROM b");
    return 0;
}

TEST(test_all_selects_see_one_state)
{
    struct run run = {.on_report = delete_b};
    assert_int_equal(import(&run,
                            "PRAGMA journal_mode = WAL; CREATE TABLE a(x); CREATE TABLE b(x);"
                            "INSERT INTO a VALUES (NULL); INSERT INTO b VALUES (1), (2)",
                            "SELECT 'note:' || x AS ref FROM a",
                            "SELECT 'note:' || x AS ref FROM b"),
                     0);
    assert_int_equal(run.summary.added, 2);
    assert_int_equal(run.summary.not_understood, 1);
    /* and they were deleted indeed */
    kernle_sql(run.source, "CREATE TABLE c(n CHECK (n = 0)); INSERT INTO c SELECT count(*) FROM b");
    run_release(&run);
}

TEST(test_many_reports_are_counted)
{
    struct run run = {.source = NULL};
    assert_int_equal(
        import(&run,
               "CREATE TABLE a(x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
               " WHERE i < 1000) INSERT INTO a SELECT i FROM n",
               "SELECT x AS ref FROM a", NULL),
        0);
    assert_int_equal(run.summary.not_understood, 1000);
    assert_non_null(strstr(run.lines.buf, "980 more of these\n"));
    assert_non_null(strstr(run.lines.buf, "a, row 20: "));
    assert_null(strstr(run.lines.buf, "a, row 21: "));
    run_release(&run);
}
