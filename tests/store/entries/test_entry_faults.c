/* kill -9 between puts of entries: every acknowledged put is stored. */
#include "tests/support/scratch.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "tests/support/entries.h"
#include "tests/support/test.h"

static int run_sweep(struct txn *t, void *arg, struct error *e)
{
    return entry_sweep(t, &entries_agent, 3, arg, e);
}

static void sweep(void)
{
    struct error e;
    bool left;
    if (store_run(entries_store, run_sweep, &left, &e))
        _exit(1);
}

#define ROUNDS 12
#define NAME   32 /* bytes that acknowledge one put */

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
    assert_true(WIFSIGNALED(status)); /* it was killed while writing */
}

FIXTURE(entries_set_up, entries_tear_down);

TEST(acknowledged_puts_survive_a_kill)
{
    AUTO_STRBUF acknowledged = STRBUF_INIT;
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
}
