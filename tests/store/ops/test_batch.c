/* Several jobs in one transaction, with and without savepoints. A job that fails leaves nothing
 * behind, not even words in the text index, and does not affect the others. */
#include "tests/support/scratch.h"

#include <pthread.h>
#include "model/format/memory_json.h"
#include "model/base/strbuf.h"
#include "store/open.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/search/search.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

static char *path;
static struct store *s;

static int setup(void **state)
{
    path = scratch_path("words.db");
    s = scratch_store(path);
    return 0;
}

static int teardown(void **state)
{
    store_close(s);
    free(path);
    return 0;
}

/* ---- jobs in one batch ---- */

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool held, open; /* held: the writer waits at the gate; open: it may continue */
    size_t waiting, wrong;
};

struct job {
    struct gate *gate;
    const char *const *lines; /* NULL-terminated; a line replaces a memory with its ref */
    bool fails;
    struct store_job place;
    struct error error;
    int runs;
};

static int hold(struct txn *t, void *arg, struct error *e)
{
    struct gate *g = ((struct job *)arg)->gate;
    pthread_mutex_lock(&g->lock);
    g->held = true;
    pthread_cond_broadcast(&g->wake);
    while (!g->open)
        pthread_cond_wait(&g->wake, &g->lock);
    pthread_mutex_unlock(&g->lock);
    return 0;
}

static int put_line(struct txn *t, const char *line, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory before, after;
    int result = memory_json_read(&after, &arena, line, strlen(line), "ash", 0, NULL, e);
    int64_t node = result ? -1 : ref_find(txn_db(t), after.ref, e);
    if (node > 0)
        result = memory_read_db(txn_db(t), &arena, node, &before, e);
    if (result == 0)
        result = txn_put(t, &scratch_actor, node > 0 ? "edit" : "add", node > 0 ? &before : NULL,
                         &after, NULL, e);
    return result;
}

static int run_lines(struct txn *t, void *arg, struct error *e)
{
    struct job *j = arg;
    j->runs++;
    for (const char *const *line = j->lines; *line; line++)
        if (put_line(t, *line, e))
            return -1;
    return j->fails ? error_set(e, ERROR_REFUSED, "", "it is meant to") : 0;
}

static void answered(void *arg, const struct error *e)
{
    const struct job *j = arg;
    enum error_code expected = j->fails ? ERROR_REFUSED : ERROR_NONE;
    if (e->code != expected)
        print_error("%s\n", e->what);
    pthread_mutex_lock(&j->gate->lock);
    j->gate->wrong += e->code != expected;
    j->gate->waiting--;
    pthread_cond_broadcast(&j->gate->wake);
    pthread_mutex_unlock(&j->gate->lock);
}

/* Runs all jobs in one transaction. */
static void run_together(struct job *jobs, size_t count, bool again)
{
    struct gate gate = {
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false, count + 1, 0};
    struct job first = {.gate = &gate};
    struct error e;
    assert_int_equal(store_submit(s, hold, answered, &first, &e), 0);
    pthread_mutex_lock(&gate.lock);
    while (!gate.held)
        pthread_cond_wait(&gate.wake, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
    for (size_t i = 0; i < count; i++) {
        jobs[i].gate = &gate;
        jobs[i].place = (struct store_job){.run = run_lines,
                                           .done = answered,
                                           .arg = &jobs[i],
                                           .error = &jobs[i].error,
                                           .again = again,
                                           .next = i + 1 < count ? &jobs[i + 1].place : NULL};
    }
    assert_int_equal(store_submit_list(s, &jobs[0].place, &e), 0);
    pthread_mutex_lock(&gate.lock);
    gate.open = true;
    pthread_cond_broadcast(&gate.wake);
    while (gate.waiting > 0)
        pthread_cond_wait(&gate.wake, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
    assert_int_equal(gate.wrong, 0);
}

static void submit_one(struct job *j, job_run run)
{
    struct error e;
    j->place = (struct store_job){.run = run,
                                  .done = answered,
                                  .arg = j,
                                  .error = &j->error,
                                  .again = true,
                                  .group = j->gate};
    assert_int_equal(store_submit_list(s, &j->place, &e), 0);
}

/* Runs one job, and another one that arrives while it runs. */
static void run_after(struct job *first, struct job *second)
{
    struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false, 2, 0};
    first->gate = second->gate = &gate;
    submit_one(first, hold);
    pthread_mutex_lock(&gate.lock);
    while (!gate.held)
        pthread_cond_wait(&gate.wake, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
    submit_one(second, run_lines);
    pthread_mutex_lock(&gate.lock);
    gate.open = true;
    pthread_cond_broadcast(&gate.wake);
    while (gate.waiting > 0)
        pthread_cond_wait(&gate.wake, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
    assert_int_equal(gate.wrong, 0);
}

/* ---- searching ---- */

static int count_one(void *arg, int64_t node, bool exact)
{
    ++*(size_t *)arg;
    return 0;
}

static void finds(const char *words, size_t expected)
{
    struct error e;
    size_t count = 0;
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    assert_int_equal(search_run(r, &(struct search_query){.words = words}, count_one, &count, &e),
                     0);
    assert_int_equal(count, expected);
    reader_close(r);
}

#define LINES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static void write_the_same_row(bool again)
{
    struct job jobs[] = {
        {.lines = LINES("{\"ref\":\"note:1\",\"text\":\"apples\"}")},
        {.lines = LINES("{\"ref\":\"note:1\",\"text\":\"bananas\",\"version\":2}")},
        {.lines = LINES("{\"ref\":\"note:1\",\"text\":\"cherries\",\"version\":3}"), .fails = true},
        {.lines = LINES("{\"ref\":\"note:2\",\"text\":\"damsons\"}")},
        {.lines = LINES("{\"ref\":\"note:1\",\"text\":\"elderberries\",\"version\":3}")},
        {.lines = LINES("{\"ref\":\"note:3\",\"text\":\"figs\"}"), .fails = true},
    };
    run_together(jobs, sizeof(jobs) / sizeof(*jobs), again);
    assert_int_equal(jobs[0].runs, again ? 2 : 1);
    assert_int_equal(jobs[5].runs, 1);
    finds("apples", 0);
    finds("bananas", 0);
    finds("cherries", 0);
    finds("damsons", 1);
    finds("elderberries", 1);
    finds("figs", 0);
    expect_sound_store(s);
}

FIXTURE(setup, teardown);

TEST(test_jobs_that_write_the_same_row_keep_their_order)
{
    write_the_same_row(false);
}

TEST(test_the_order_holds_without_savepoints)
{
    write_the_same_row(true);
}

/* A job that fails before writing must not restart the batch. */
TEST(test_an_early_failure_does_not_restart_the_batch)
{
    struct job jobs[] = {
        {.lines = LINES("{\"ref\":\"note:1\",\"text\":\"apples\"}")},
        {.lines = LINES(NULL), .fails = true},
        {.lines = LINES("{\"ref\":\"note:2\",\"text\":\"bananas\"}")},
    };
    run_together(jobs, sizeof(jobs) / sizeof(*jobs), true);
    for (int i = 0; i < 3; i++)
        assert_int_equal(jobs[i].runs, 1);
    finds("apples", 1);
    finds("bananas", 1);
    expect_sound_store(s);
}

TEST(test_a_later_job_has_its_own_commit)
{
    struct job first = {.lines = NULL};
    struct job second = {.lines = LINES("{\"ref\":\"note:1\",\"text\":\"apples\"}")};
    run_after(&first, &second);
    assert_true(first.place.last);
    assert_true(second.place.last);
    finds("apples", 1);
}

/* Texts of 20 MB, more than the writer buffers: eight lines of one note. */
static char *big[9];

static void make_big(const char *word)
{
    for (int i = 0; i < 8; i++) {
        struct strbuf line = STRBUF_INIT;
        strbuf_addf(&line, "{\"ref\":\"note:big-%s-%d\",\"text\":\"%s ", word, i, word);
        for (int k = 0; k < 250000; k++)
            strbuf_addstr(&line, "aaaa bbbb ");
        strbuf_addstr(&line, "\"}");
        big[i] = strbuf_detach(&line, NULL);
        assert_non_null(big[i]);
    }
}

static void free_big(void)
{
    for (int i = 0; i < 8; i++)
        free(big[i]);
}

static void write_next_to_big(const char *word, bool fails, bool again)
{
    make_big(word);
    struct job jobs[] = {
        {.lines = LINES("{\"ref\":\"note:4\",\"text\":\"grapes\"}",
                        "{\"ref\":\"note:2\",\"text\":\"hazelnuts\",\"version\":2}")},
        {.lines = (const char *const *)big, .fails = fails},
        {.lines = LINES("{\"ref\":\"note:4\",\"text\":\"juniper\",\"version\":2}")},
    };
    scratch_put(s, "{\"ref\":\"note:2\",\"text\":\"damsons\"}");
    run_together(jobs, sizeof(jobs) / sizeof(*jobs), again);
    finds(word, fails ? 0 : 8);
    finds("grapes", 0);
    finds("damsons", 0);
    finds("hazelnuts", 1);
    finds("juniper", 1);
    expect_sound_store(s);
    free_big();
}

TEST(test_a_failing_job_with_many_words_leaves_none)
{
    write_next_to_big("failing", true, false);
}

TEST(test_a_failing_job_leaves_none_without_savepoints)
{
    write_next_to_big("trying", true, true);
}

TEST(test_a_job_with_many_words_is_found)
{
    write_next_to_big("passing", false, true);
}
