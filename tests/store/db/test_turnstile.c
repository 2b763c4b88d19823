/* The turnstile: who waits at it, who holds it up, and the standstill of a process that passes it. */
#include "tests/support/scratch.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>
#include "store/db/standstill.h"
#include "store/db/turnstile.h"

static void it_gives_up_in_time(void **state)
{
    const char *path = *state;
    struct error e;
    struct turnstile a = TURNSTILE_INIT, b = TURNSTILE_INIT;
    assert_int_equal(turnstile_open(&a, path, &e), 0);
    assert_int_equal(turnstile_open(&b, path, &e), 0);
    assert_int_equal(turnstile_enter(&a, 0, &e), 0);
    assert_int_equal(turnstile_enter(&b, 5, &e), -1);
    assert_int_equal(e.code, ERROR_BUSY);
    /* It did not keep `next`: another may queue. */
    assert_int_equal(flock(b.next, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(flock(b.next, LOCK_UN), 0);
    turnstile_leave(&a);
    assert_int_equal(turnstile_enter(&b, 0, &e), 0);
    turnstile_leave(&b);
    turnstile_close(&a);
    turnstile_close(&b);
}

static void end(pid_t pid)
{
    int status;
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void who_holds_it_is_named(void **state)
{
    const char *path = *state;
    struct error e;
    struct turnstile t = TURNSTILE_INIT;
    char who[32], continues[32], byte;
    int told[2], status;
    assert_int_equal(turnstile_open(&t, path, &e), 0);
    assert_int_equal(pipe(told), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct turnstile its = TURNSTILE_INIT;
        if (turnstile_open(&its, path, &e) || turnstile_enter(&its, 0, &e) ||
            write(told[1], "", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(told[0], &byte, 1), 1);
    snprintf(who, sizeof(who), "process %d ", (int)pid);
    assert_int_equal(turnstile_enter(&t, 5, &e), -1);
    assert_ptr_equal(strstr(e.what, who), e.what);
    assert_non_null(strstr(e.what, "has been writing"));
    kill(pid, SIGSTOP);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    snprintf(who, sizeof(who), "process %d, which is stopped", (int)pid);
    snprintf(continues, sizeof(continues), "kill -CONT %d", (int)pid);
    assert_int_equal(turnstile_enter(&t, 5, &e), -1);
    assert_int_equal(e.code, ERROR_BUSY);
    assert_non_null(strstr(e.what, who));
    assert_non_null(strstr(e.todo, continues));
    end(pid);
    turnstile_close(&t);
    close(told[0]);
    close(told[1]);
}

static void *enter(void *arg)
{
    struct error e;
    struct turnstile *t = arg;
    return turnstile_enter(t, TURNSTILE_WAIT_MS, &e) ? t : NULL;
}

static struct turnstile other;
static atomic_int stood;

/* As another process would see it. */
static bool is_next_free(void)
{
    bool got = flock(other.next, LOCK_EX | LOCK_NB) == 0;
    if (got)
        flock(other.next, LOCK_UN);
    return got;
}

static void stand(void)
{
    atomic_store(&stood, is_next_free() ? 1 : -1);
}

/* Nobody who waits holds up others meanwhile, nor does who writes. */
static void a_standstill_waits_until_nobody_is_within(void **state)
{
    const char *path = *state;
    struct error e;
    struct turnstile t = TURNSTILE_INIT, another = TURNSTILE_INIT;
    pthread_t waits;
    void *failed;
    other = (struct turnstile)TURNSTILE_INIT;
    assert_int_equal(turnstile_open(&other, path, &e), 0);
    assert_int_equal(turnstile_open(&t, path, &e), 0);
    assert_int_equal(turnstile_open(&another, path, &e), 0);
    assert_int_equal(flock(other.write, LOCK_EX), 0);
    assert_int_equal(pthread_create(&waits, NULL, enter, &t), 0);
    while (is_next_free())
        sched_yield();
    standstill(stand);
    assert_int_equal(stood, 1);
    assert_int_equal(flock(other.write, LOCK_UN), 0);
    assert_int_equal(pthread_join(waits, &failed), 0);
    assert_null(failed);
    stood = 0;
    standstill_want(stand);
    assert_int_equal(stood, 0);
    assert_true(standstill_wanted());
    turnstile_leave(&t);
    assert_int_equal(stood, 1);
    assert_false(standstill_wanted());
    assert_int_equal(turnstile_enter(&another, 0, &e), 0);
    stood = 0;
    standstill_want(stand);
    standstill_unwant();
    turnstile_close(&another); /* leaves it too */
    assert_int_equal(stood, 0);
    standstill_want(stand);
    assert_int_equal(stood, 1);
    turnstile_close(&t);
    turnstile_close(&other);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, scratch_set_up_path, scratch_tear_down_path)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_gives_up_in_time),
        TEST(who_holds_it_is_named),
        TEST(a_standstill_waits_until_nobody_is_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
