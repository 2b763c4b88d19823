/* Another thread interrupts a reader again and again at random times. The question must end with
 * ERROR_INTERRUPTED or with the right answer, and the reader must work afterwards. */
#include "store/db/store.h"

#include <pthread.h>
#include <stdatomic.h>
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/lineage/orphans.h"
#include "store/search/search.h"
#include "store/lineage/subgraph.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static struct fixture fixture;
static atomic_bool done;

static int set_up(void **state)
{
    fixture_open(&fixture);
    fixture_put(&fixture, "{\"ref\":\"raw:0\",\"text\":\"t\"}", NULL);
    fixture_sql(&fixture,
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)"
                " INSERT INTO memory(id, kind, name, status, agent, source_type, created_at,"
                " updated_at, confidence, version, event, text)"
                " SELECT i, 2, i, 0, 1, 0, i % 100, i, 0.5, 1, 1, 'some words ' || i FROM n;"
                "INSERT INTO memory_fts(rowid, text)"
                " SELECT id, text || char(10) || char(10) FROM memory WHERE id > 69000;"
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)"
                " INSERT INTO link(memory, number, position, target, shape, at)"
                " SELECT i, 0, 0, i - 1, 0, 1 FROM n");
    return 0;
}

static int tear_down(void **state)
{
    fixture_close(&fixture);
    return 0;
}

static void *interrupt_often(void *arg)
{
    unsigned seed = 1;
    while (!atomic_load(&done)) {
        seed = seed * 1664525u + 1013904223u;
        struct timespec pause = {0, (seed >> 8) % 400000};
        nanosleep(&pause, NULL);
        reader_interrupt(fixture.reader);
    }
    return NULL;
}

static int count_ids(void *arg, const int64_t *nodes, size_t count)
{
    *(size_t *)arg += count;
    return 0;
}

static int count_hits(void *arg, int64_t node, bool exact)
{
    ++*(size_t *)arg;
    return 0;
}

static int count_orphans(void *arg, const struct orphan *orphan)
{
    ++*(size_t *)arg;
    return 0;
}

static int run_list(size_t *count, struct error *e)
{
    return list_ids(fixture.reader, &(struct list_query){0}, count_ids, count, e);
}

static int run_search(size_t *count, struct error *e)
{
    return search_run(fixture.reader, &(struct search_query){.words = "words 699"}, count_hits,
                      count, e);
}

static int run_graph(size_t *count, struct error *e)
{
    struct graph g;
    int result = graph_load(fixture.reader, &g, e);
    *count = g.nodes;
    graph_release(&g);
    return result;
}

static int run_around(size_t *count, struct error *e)
{
    struct graph g;
    bool bounded;
    int64_t row = 2000;
    int result = graph_load_surroundings(fixture.reader, &g, &row, 1, ANCESTORS, 0, &bounded, e);
    *count = g.nodes;
    graph_release(&g);
    return result;
}

static int run_orphans(size_t *count, struct error *e)
{
    return orphans_find(fixture.reader, &(struct orphan_query){0}, count_orphans, count, e);
}

static int run_read(size_t *count, struct error *e)
{
    struct memory m;
    AUTO_ARENA a = ARENA_INIT;
    int result = memory_read(fixture.reader, &a, 5, &m, e);
    *count = result ? 0 : m.justification_count;
    return result;
}

static int (*const runs[])(size_t *count, struct error *e) = {run_list,   run_search,  run_graph,
                                                              run_around, run_orphans, run_read};

#define RUNS (sizeof(runs) / sizeof(*runs))

GROUP(set_up, tear_down);

TEST(test_interrupt_at_any_time)
{
    pthread_t thread;
    size_t whole[RUNS] = {0};
    struct error e = {0};
    for (size_t i = 0; i < RUNS; i++)
        assert_int_equal(runs[i](&whole[i], &e), 0);
    assert_int_equal(whole[0], 70000);
    assert_int_equal(whole[1], 101);
    assert_int_equal(pthread_create(&thread, NULL, interrupt_often, NULL), 0);
    for (int round = 0; round < 120; round++) {
        size_t i = (size_t)round % RUNS, count = 0;
        if (runs[i](&count, &e) == 0)
            assert_int_equal(count, whole[i]);
        else
            assert_int_equal(e.code, ERROR_INTERRUPTED);
    }
    atomic_store(&done, true);
    pthread_join(thread, NULL);
    for (size_t i = 0; i < RUNS; i++) {
        size_t count = 0;
        if (runs[i](&count, &e))
            fail_msg("%s", e.what);
        assert_int_equal(count, whole[i]);
    }
    /* An interrupted question leaves no snapshot open. */
    fixture_put(&fixture, "{\"ref\":\"note:after\",\"text\":\"t\"}", NULL);
    size_t count = 0;
    assert_int_equal(run_list(&count, &e), 0);
    assert_int_equal(count, 70001);
}
