/* The labels of all rows, once they were computed, are those of the whole graph, whatever was written since, and
 * whoever closes the store or writes to it while they are computed. */
#include "store/lineage/all_labels.h"

#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>
#include "model/base/strbuf.h"
#include "store/lineage/kept_labels.h"
#include "store/lineage/kept_links.h"
#include "store/db/monotonic.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "tests/support/random.h"
#include "tests/support/store_fixture.h"

#define NAMES    60 /* of the memories that are written and written again */
#define ROWS_MAX 400
#define STEPS    300

/* One that was there or not, with links to others that were or not: it fills stubs, closes circles, dies or lives
 * again. */
static void put_random(struct fixture *f, struct random *random)
{
    static const char *const readings[] = {"any", "all"};
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "{\"ref\":\"belief:n%u\",\"text\":\"t%u\",\"status\":\"%s\"",
                (unsigned)random_below(random, NAMES), (unsigned)random_below(random, 1000),
                random_chance(random, 15) ? "retracted" : "active");
    if (!random_chance(random, 20))
        strbuf_addf(&line, ",\"derived_from\":[\"belief:n%u\",\"raw:s%u\"],\"derivation\":\"%s\"",
                    (unsigned)random_below(random, NAMES), (unsigned)random_below(random, 8),
                    readings[random_below(random, 2)]);
    strbuf_addstr(&line, "}");
    fixture_put(f, line.buf, NULL);
    strbuf_release(&line);
}

/* One that nobody named. */
static void put_new(struct fixture *f, unsigned number)
{
    char line[160];
    snprintf(line, sizeof(line),
             "{\"ref\":\"note:new%u\",\"text\":\"t\",\"derived_from\":[\"belief:n%u\"]}", number,
             number % NAMES);
    fixture_put(f, line, NULL);
}

static void put_sources(struct fixture *f)
{
    for (unsigned i = 0; i < 6; i++) { /* two of eight stay unwritten */
        char line[80];
        snprintf(line, sizeof(line), "{\"ref\":\"raw:s%u\",\"text\":\"t\"}", i);
        fixture_put(f, line, NULL);
    }
}

static uint32_t count_rows(struct reader *r)
{
    struct error e;
    struct links_walk w;
    assert_int_equal(links_begin(&w, r, &e), 0);
    uint32_t rows = (uint32_t)w.rows;
    links_end(&w);
    return rows;
}

/* How many of the rows from `first` on have a label that nobody needs to look for. */
static uint32_t count_known(struct reader *r, uint32_t first)
{
    struct error e;
    struct links_walk w;
    uint32_t known = 0;
    int result = links_begin(&w, r, &e);
    for (int64_t row = first; row <= w.rows && result == 0; row++) {
        int label;
        result = links_label(&w, row, &label, &e);
        known += label >= 0;
    }
    assert_int_equal(result, 0);
    links_end(&w);
    return known;
}

static bool are_known(struct reader *r)
{
    struct error e;
    assert_int_equal(reader_begin(r, &e), 0);
    bool known = count_known(r, 1) == count_rows(r);
    reader_end(r);
    return known;
}

/* In threads other than the first nothing is asserted. */
static bool are_exact(struct reader *r)
{
    struct error e;
    struct graph g = {.nodes = 0};
    struct labels l = {.label = NULL};
    enum label label[ROWS_MAX];
    int64_t rows[ROWS_MAX];
    if (reader_begin(r, &e))
        return false;
    bool exact = graph_load(r, &g, &e) == 0 && labels_compute(&l, &g) == 0 && g.nodes <= ROWS_MAX;
    for (uint32_t i = 0; exact && i < g.nodes; i++)
        rows[i] = (int64_t)i + 1;
    exact = exact && kept_labels_of_rows(r, rows, g.nodes, label, &e) == 0;
    for (uint32_t i = 0; exact && i < g.nodes; i++)
        exact = label[i] == l.label[i];
    labels_release(&l);
    graph_release(&g);
    reader_end(r);
    return exact;
}

static void find_now(struct fixture *f)
{
    struct error e;
    assert_int_equal(all_labels_find(f->reader, &e), 1);
    assert_true(are_known(f->reader));
}

static void wait_ms(unsigned ms)
{
    nanosleep(&(struct timespec){0, (long)ms * 1000000}, NULL);
}

/* ---- what holds ---- */

static void they_are_what_is_found_anew(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {61};
    fixture_open(&f);
    put_sources(&f);
    for (unsigned step = 0; step < STEPS; step++) {
        if (step % 30 == 0)
            find_now(&f);
        if (random_chance(&random, 30))
            put_new(&f, step);
        else
            put_random(&f, &random);
        assert_true(are_exact(f.reader));
    }
    fixture_close(&f);
}

static void they_outlive_additions_alone(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    fixture_open(&f);
    put_sources(&f);
    put_new(&f, 1); /* it names what is not there */
    find_now(&f);
    uint32_t before = count_rows(f.reader);
    put_new(&f, 1 + NAMES);
    assert_int_equal(reader_begin(f.reader, &e), 0);
    assert_int_equal(count_known(f.reader, 1), before);
    reader_end(f.reader);
    assert_true(are_exact(f.reader)); /* which finds the new one's */
    assert_true(are_known(f.reader));
    fixture_close(&f);
}

static bool is_known(struct fixture *f, const char *ref)
{
    struct error e;
    struct links_walk w;
    int label = -1;
    int64_t row = fixture_row(f, ref);
    assert_int_equal(reader_begin(f->reader, &e), 0);
    int result = links_begin(&w, f->reader, &e) || links_label(&w, row, &label, &e);
    links_end(&w);
    reader_end(f->reader);
    assert_int_equal(result, 0);
    return label >= 0;
}

/* a <- b <- c, d, and e comes to rest on c. */
static void an_event_takes_those_that_rest_on_it(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    fixture_put(&f, "{\"ref\":\"note:a\",\"text\":\"t\"}",
                "{\"ref\":\"note:b\",\"text\":\"t\",\"derived_from\":[\"note:a\"]}",
                "{\"ref\":\"note:c\",\"text\":\"t\",\"derived_from\":[\"note:b\"]}",
                "{\"ref\":\"note:d\",\"text\":\"t\"}", "{\"ref\":\"note:e\",\"text\":\"t\"}", NULL);
    find_now(&f);
    fixture_put(&f, "{\"ref\":\"note:b\",\"text\":\"u\",\"derived_from\":[\"note:a\"]}", NULL);
    assert_true(is_known(&f, "note:a") && is_known(&f, "note:d") && is_known(&f, "note:e"));
    assert_false(is_known(&f, "note:b") || is_known(&f, "note:c"));
    fixture_put(&f, "{\"ref\":\"note:e\",\"text\":\"t\",\"derived_from\":[\"note:c\"]}", NULL);
    assert_true(is_known(&f, "note:a") && is_known(&f, "note:d"));
    assert_false(is_known(&f, "note:e"));
    assert_true(are_exact(f.reader));
    find_now(&f);
    fixture_put(&f, "{\"ref\":\"note:a\",\"text\":\"t\",\"status\":\"retracted\"}", NULL);
    assert_true(is_known(&f, "note:d"));
    assert_false(is_known(&f, "note:a") || is_known(&f, "note:e"));
    assert_true(are_exact(f.reader));
    fixture_close(&f);
}

/* ---- while they are computed ---- */

struct meanwhile {
    struct fixture *f;
    struct reader *other;
    const char *line; /* NULL: nothing is written any more */
};

/* Written and seen by another reader after the graph's moment. */
static void write_meanwhile(void *arg, int64_t done, int64_t total)
{
    struct meanwhile *m = arg;
    (void)done;
    (void)total;
    if (!m->line)
        return;
    fixture_put(m->f, m->line, NULL);
    m->line = NULL;
    assert_true(are_exact(m->other));
}

static int find_while(struct fixture *f, const char *line)
{
    struct error e;
    struct meanwhile m = {f, reader_open(f->store, &e), line};
    assert_non_null(m.other);
    reader_on_progress(f->reader, write_meanwhile, &m);
    int result = all_labels_find(f->reader, &e);
    reader_on_progress(f->reader, NULL, NULL);
    assert_null(m.line);
    reader_close(m.other);
    return result;
}

static void what_changes_meanwhile_makes_them_useless(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    put_sources(&f);
    put_new(&f, 1);
    static const char changed[] = "{\"ref\":\"raw:s1\",\"text\":\"t\",\"status\":\"retracted\"}";
    static const char filled[] = "{\"ref\":\"belief:n1\",\"text\":\"t\"}";
    static const char added[] =
        "{\"ref\":\"note:added\",\"text\":\"t\",\"derived_from\":[\"raw:s2\"]}";
    assert_int_equal(find_while(&f, changed), 0);
    assert_true(are_exact(f.reader));
    assert_int_equal(find_while(&f, filled), 0);
    assert_true(are_exact(f.reader));
    assert_int_equal(find_while(&f, added), 1);
    assert_true(are_exact(f.reader));
    fixture_close(&f);
}

struct asking {
    struct store *store;
    atomic_bool *done;
    bool exact;
    pthread_t thread;
};

static void *ask(void *arg)
{
    struct asking *a = arg;
    struct error e;
    struct reader *r = reader_open(a->store, &e);
    a->exact = r != NULL;
    while (a->exact && !atomic_load(a->done)) {
        all_labels_want(a->store->all_labels);
        a->exact = are_exact(r);
    }
    reader_close(r);
    return NULL;
}

static void readers_at_once_find_the_same(void **state)
{
    (void)state;
    struct fixture f;
    struct random random = {67};
    atomic_bool done = false;
    fixture_open(&f);
    put_sources(&f);
    struct asking asking[2] = {{.store = f.store, .done = &done},
                               {.store = f.store, .done = &done}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&asking[i].thread, NULL, ask, &asking[i]), 0);
    for (unsigned step = 0; step < STEPS; step++) {
        if (random_chance(&random, 50))
            put_new(&f, step);
        else
            put_random(&f, &random);
        wait_ms(step % 8 == 0 ? 10 : 0);
    }
    atomic_store(&done, true);
    for (int i = 0; i < 2; i++) {
        pthread_join(asking[i].thread, NULL);
        assert_true(asking[i].exact);
    }
    fixture_close(&f);
}

/* ---- by itself ---- */

#define MANY 6000 /* far more rows than stand in as many pages as are read before it begins */

static void fill(struct fixture *f)
{
    char **lines = calloc(MANY, sizeof(*lines));
    struct strbuf line = STRBUF_INIT;
    for (unsigned i = 0; i < MANY; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line, "{\"ref\":\"note:m%u\",\"text\":\"t\",\"derived_from\":[\"note:m%u\"]}",
                    i, i / 2);
        lines[i] = strbuf_detach(&line, NULL);
    }
    fixture_put_lines(f, (const char *const *)lines, MANY);
    for (unsigned i = 0; i < MANY; i++)
        free(lines[i]);
    free(lines);
    strbuf_release(&line);
}

static void ask_for(struct reader *r, int64_t row)
{
    struct error e;
    enum label label;
    assert_int_equal(reader_begin(r, &e), 0);
    assert_int_equal(kept_labels_of_rows(r, &row, 1, &label, &e), 0);
    reader_end(r);
}

static void who_asks_for_many_has_all(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    fill(&f);
    for (int i = 0; i < 1000; i++)
        ask_for(f.reader, 1 + i % 100);
    wait_ms(20);
    assert_false(are_known(f.reader));
    for (int64_t row = MANY; row > 1; row -= 31)
        ask_for(f.reader, row);
    for (int i = 0; i < 3000 && !are_known(f.reader); i++)
        wait_ms(10);
    assert_true(are_known(f.reader));
    fixture_close(&f);
}

/* Beyond some thousand rows nothing is looked for any more. */
static void what_much_rests_on_takes_all(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    fill(&f);
    find_now(&f);
    fixture_put(&f, "{\"ref\":\"note:m2000\",\"text\":\"t\"}", NULL);
    assert_true(is_known(&f, "note:m1") && is_known(&f, "note:m5999"));
    assert_false(is_known(&f, "note:m2000") || is_known(&f, "note:m4001"));
    fixture_put(&f, "{\"ref\":\"note:m2\",\"text\":\"t\"}", NULL);
    assert_false(is_known(&f, "note:m3") || is_known(&f, "note:m5"));
    fixture_close(&f);
}

/* How long it took until they were known, in us. */
static int64_t await(struct fixture *f)
{
    int64_t began = monotonic_us();
    do
        all_labels_want(f->store->all_labels);
    while (!are_known(f->reader) && monotonic_us() - began < 60000000);
    assert_true(are_known(f->reader));
    return monotonic_us() - began;
}

static void it_rests_for_longer_than_it_works(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    fill(&f);
    int64_t took = await(&f);
    fixture_put(&f, "{\"ref\":\"note:m1\",\"text\":\"t\"}", NULL);
    assert_true(await(&f) > 3 * took);
    fixture_close(&f);
}

static size_t count_threads(void)
{
    size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    while (readdir(tasks))
        count++;
    closedir(tasks);
    return count;
}

static void note_threads(void *arg, int64_t done, int64_t total)
{
    size_t *most = arg, now = count_threads();
    (void)done;
    (void)total;
    *most = now > *most ? now : *most;
}

/* What is computed behind the reads leaves them a processor. */
static void who_reads_behind_takes_no_second_thread(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    struct graph g;
    size_t before, most = 0;
    fixture_open(&f);
    fixture_put(&f, "{\"ref\":\"raw:0\",\"text\":\"t\"}", NULL);
    fixture_sql(&f,
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)"
                " INSERT INTO memory(id, kind, name, status, agent, source_type, created_at,"
                " updated_at, confidence, version, event, text)"
                " SELECT i, 2, i, 0, 1, 0, i, i, 0.5, 1, 1, 't' FROM n");
    reader_on_progress(f.reader, note_threads, &most);
    reader_stay_behind(f.reader);
    before = count_threads();
    assert_int_equal(graph_load(f.reader, &g, &e), 0);
    assert_int_equal(most, before);
    graph_release(&g);
    fixture_close(&f);
}

static void a_store_is_closed_at_any_moment(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    fixture_open(&f);
    fill(&f);
    int64_t began = monotonic_us();
    await(&f);
    int64_t took = monotonic_us() - began;
    for (long i = 0; i < 30; i++) {
        struct store *s = store_open(f.path, &(struct store_options){.read_only = true}, NULL, &e);
        assert_non_null(s);
        all_labels_want(s->all_labels);
        nanosleep(&(struct timespec){0, (long)took * 1000 / 30 * i % 1000000000}, NULL);
        store_close(s);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_what_is_found_anew),
        cmocka_unit_test(they_outlive_additions_alone),
        cmocka_unit_test(an_event_takes_those_that_rest_on_it),
        cmocka_unit_test(what_changes_meanwhile_makes_them_useless),
        cmocka_unit_test(readers_at_once_find_the_same),
        cmocka_unit_test(who_asks_for_many_has_all),
        cmocka_unit_test(what_much_rests_on_takes_all),
        cmocka_unit_test(it_rests_for_longer_than_it_works),
        cmocka_unit_test(who_reads_behind_takes_no_second_thread),
        cmocka_unit_test(a_store_is_closed_at_any_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
