/*
 * What is done to entries with each write made to fail in turn: it says so and nothing of it
 * is there, or it is done and whole. And kill -9 between puts: what was acknowledged is there.
 */
#include "tests/support/scratch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/import/import.h"
#include "store/journal/journal.h"
#include "tests/support/entries.h"
#include "tests/support/faults.h"

static const struct namespace_policy few = {.max_items = 3, .evict_oldest = true};
static const struct namespace_policy full = {.max_items = 3};

static int setup(void **state)
{
    entries_set_up(state);
    entries_put("n", "a", "\"one\"", -1, NULL, NULL);
    entries_now++;
    entries_put("n", "b/jane@example.com", "2", -1, NULL, NULL);
    entries_put("n", "c", "{\"v\":3}", 1, NULL, NULL);
    entries_put("n", "d", "4", -1, NULL, NULL);
    return 0;
}

/* ---- what is tried: an error's code ---- */

static int put_another(void)
{
    return entries_put("n", "e/jane@example.com", "[5,6]", 60, NULL, NULL);
}

static int put_in_another(void)
{
    return entries_put("m", "e", "[5,6]", -1, NULL, NULL);
}

static int put_over(void)
{
    return entries_put("n", "a", "\"two\"", -1, NULL, NULL);
}

static int put_where_others_give_way(void)
{
    return entries_put("n", "e", "5", -1, &few, NULL);
}

static int put_where_it_is_full(void)
{
    return entries_put("n", "e", "5", -1, &full, NULL) == ERROR_QUOTA ? ERROR_NONE : ERROR_STORE;
}

static int delete_one(void)
{
    return entries_delete("n", "a");
}

static int run_sweep(struct txn *t, void *arg, struct error *e)
{
    return entry_sweep(t, &entries_agent, 3, arg, e);
}

static int sweep(void)
{
    struct error e = {.code = ERROR_NONE};
    bool left;
    return store_run(entries_store, run_sweep, &left, &e) ? (int)e.code : ERROR_NONE;
}

/* ---- each write ---- */

static int add_line(void *arg, const char *line, size_t len)
{
    strbuf_add(arg, line, len);
    return 0;
}

/* All memories, and how much stands in the journal. */
static char *everything(void)
{
    struct error e;
    struct strbuf all = STRBUF_INIT;
    if (export_jsonl(entries_reader, add_line, &all, NULL, &e))
        fail_msg("%s", e.what);
    strbuf_addf(&all, "%lld", (long long)journal_last(entries_reader, &e));
    return strbuf_detach(&all, NULL);
}

static void expect_unchanged(const char *before)
{
    char *now = everything();
    assert_string_equal(now, before);
    free(now);
}

static void try_one(int (*tried)(void), enum fault fault, bool all)
{
    char *before = everything();
    for (long nth = 0;; nth += all ? 5 : 1) {
        assert_true(nth < 20000);
        fault_begin(fault, nth, all);
        int code = tried();
        long failed = faulty_disk_mend();
        if (code != ERROR_NONE) {
            assert_true(failed > 0);
            if (nth % 8 == 0)
                expect_unchanged(before);
            continue;
        }
        break; /* all was there that it needs, or it found another way */
    }
    free(before);
    entries_check();
}

static void try_everywhere(int (*tried)(void))
{
    for (enum fault fault = 0; fault < FAULTS; fault++)
        for (int all = 0; all < 2; all++) {
            entries_tear_down(NULL);
            setup(NULL);
            entries_now += 1000;
            try_one(tried, fault, all != 0);
            entries_reopen();
            entries_check();
        }
}

static void each_write_fails(void **state)
{
    (void)state;
    static int (*const all[])(void) = {
        put_another,          put_in_another, put_over, put_where_others_give_way,
        put_where_it_is_full, delete_one,     sweep,
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        try_everywhere(all[i]);
}

/* ---- kill -9 ---- */

#define ROUNDS 12
#define NAME   32 /* bytes that acknowledge one */

static void put_on_and_on(int out, int round)
{
    char key[NAME] = {0};
    for (int i = 0;; i++) {
        snprintf(key, sizeof(key), "key-%d-%d", round, i);
        if (entries_put("k", key, "\"some value\"", i % 3 ? -1 : 0, NULL, NULL) ||
            write(out, key, sizeof(key)) != sizeof(key))
            _exit(1);
        if (i % 5 == 0)
            sweep();
    }
}

static void kill_one(int round, struct strbuf *acknowledged)
{
    int out[2], status;
    char bytes[65536];
    ssize_t len;
    assert_int_equal(pipe(out), 0);
    entries_end();
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(out[0]);
        entries_begin();
        put_on_and_on(out[1], round);
    }
    close(out[1]);
    for (int left = 1 + round * 5 % 17; left > 0; left--) {
        assert_int_equal(read(out[0], bytes, NAME), NAME);
        strbuf_add(acknowledged, bytes, NAME);
    }
    assert_int_equal(kill(pid, SIGKILL), 0);
    while ((len = read(out[0], bytes, sizeof(bytes))) > 0)
        strbuf_add(acknowledged, bytes, (size_t)len);
    close(out[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status)); /* it was writing */
}

static void what_was_acknowledged_outlives_a_kill(void **state)
{
    (void)state;
    struct strbuf acknowledged = STRBUF_INIT;
    for (int round = 0; round < ROUNDS; round++) {
        kill_one(round, &acknowledged);
        entries_begin();
        entries_check();
        size_t at = acknowledged.len;
        for (size_t i = 0; i < at; i += NAME) {
            long number = strtol(strrchr(acknowledged.buf + i, '-') + 1, NULL, 10);
            bool there = entries_value("k", acknowledged.buf + i) != NULL;
            assert_int_equal(there, number % 3 != 0);
        }
    }
    assert_true(acknowledged.len / NAME > ROUNDS);
    strbuf_release(&acknowledged);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, entries_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(each_write_fails),
        TEST(what_was_acknowledged_outlives_a_kill),
    };
    faulty_disk_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
