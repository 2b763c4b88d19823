/* Several processes create one store at once. Then two processes with two threads each write 1,000
 * memories per thread, each in its own commit. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/fsck/fsck.h"
#include "store/ops/add.h"
#include "store/db/db.h"
#include "store/journal/journal.h"
#include "store/open.h"
#include "store/platform/platform.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

#define THREADS    4
#define PER_THREAD 250
#define ALL        (2 * THREADS * PER_THREAD)

static const char *program;

/* The time for which a process that takes the lock may be behind the others: SQLite takes a lock before each read. */
static unsigned rests;

#ifndef __SANITIZE_THREAD__ /* which has its own */
int fcntl64(int fd, int command, ...)
{
    va_list args;
    va_start(args, command);
    void *argument = va_arg(args, void *);
    va_end(args);
    if (rests && (rests = rests * 1664525 + 1013904223) >> 30 == 0)
        usleep((rests >> 8) % 4000);
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

int fcntl(int fd, int command, ...) __attribute__((alias("fcntl64")));
#endif

/* ---- in the child ---- */

struct hand {
    struct store *s;
    struct actor actor;
    int number;
    bool failed;
};

static void *write_all(void *arg)
{
    struct hand *h = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct added added;
    struct error e;
    char text[64], from[64];
    const char *refs[] = {from};
    for (int i = 0; i < PER_THREAD && !h->failed; i++) {
        snprintf(text, sizeof(text), "%s %d %d", h->actor.name, h->number, i);
        snprintf(from, sizeof(from), "raw:shared-%d", i); /* stubs that all of them name */
        struct add_request request = {.kind = KIND_NOTE,
                                      .text = text,
                                      .confidence = NAN,
                                      .derived_from = refs,
                                      .derived_count = 1};
        h->failed = store_add(h->s, &h->actor, &request, strlen(text), &arena, &added, &e) != 0;
        if (h->failed)
            fprintf(stderr, "%s\n", e.what);
        arena_clear(&arena);
    }
    return NULL;
}

static int child(const char *path, const char *name)
{
    struct error e;
    char go;
    struct store *s = store_open(path, &(struct store_options){.create = true}, NULL, &e);
    if (!s) {
        fprintf(stderr, "%s\n", e.what);
        return 1;
    }
    /* Both start when the parent says so. */
    if (write(STDOUT_FILENO, "r", 1) != 1 || read(STDIN_FILENO, &go, 1) < 0)
        return 1;
    struct hand hands[THREADS];
    pthread_t threads[THREADS];
    int failed = 0;
    for (int i = 0; i < THREADS; i++) {
        hands[i] = (struct hand){s, {.name = name, .origin = "command"}, i, false};
        pthread_create(&threads[i], NULL, write_all, &hands[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        failed |= hands[i].failed;
    }
    store_close(s);
    return failed;
}

/* ---- in the parent ---- */

struct process {
    pid_t pid;
    int in, out;
};

static struct process start(const char *path, const char *name)
{
    int in[2], out[2];
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        execl(program, program, path, name, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    return (struct process){pid, in[1], out[0]};
}

static void finish(struct process *p)
{
    int status;
    close(p->out);
    assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void check_all_there(struct reader *r)
{
    struct error e;
    int64_t count;
    assert_int_equal(db_int(reader_db(r), &count, 0, &e,
                            "SELECT count(DISTINCT text) FROM memory WHERE kind = ?", "i",
                            (int64_t)KIND_NOTE),
                     0);
    assert_int_equal(count, ALL);
    assert_int_equal(
        db_int(reader_db(r), &count, 0, &e, "SELECT count(*) FROM memory WHERE status = 7", ""), 0);
    assert_int_equal(count, PER_THREAD);
    struct fsck_summary summary = expect_sound(r);
    assert_int_equal(summary.events, ALL);
    assert_true(summary.head_found);
}

/*
 * While both had something to write they took turns: how long one waits is told by how many events
 * of the other stand in a row. A batch has at most one of each thread; without turns thousands stand
 * in a row. In the mean, since a process that has no processor does not wait for its turn.
 */
static void check_turns(struct reader *r)
{
    struct error e;
    AUTO_ARENA arena = ARENA_INIT;
    struct event *events;
    size_t count, last[2] = {0, 0}, turns = 0;
    assert_int_equal(journal_read(r, &arena, 0, ALL, &events, &count, &e), 0);
    assert_int_equal(count, ALL);
    for (size_t i = 0; i < count; i++)
        last[events[i].actor[0] == 'b'] = i;
    size_t both = last[0] < last[1] ? last[0] : last[1];
    for (size_t i = 1; i < both; i++)
        turns += strcmp(events[i].actor, events[i - 1].actor) != 0;
    if (platform_has_locks()) /* otherwise SQLite's busy handler decides */
        assert_true(turns >= both / 20);
}

TEST(two_processes_write_at_once)
{
    AUTO_FREE char *path = scratch_path("shared.db");
    char ready;
    struct process a = start(path, "a"), b = start(path, "b");
    assert_int_equal(read(a.out, &ready, 1), 1);
    assert_int_equal(read(b.out, &ready, 1), 1);
    close(a.in);
    close(b.in);
    finish(&a);
    finish(&b);

    struct error e;
    struct store *s = scratch_store_with(path, &(struct store_options){.read_only = true});
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    check_all_there(r);
    check_turns(r);
    reader_close(r);
    store_close(s);
}

/* Each process may find an empty file, a store in the making, or a store. */
TEST(several_processes_create_one_store)
{
    for (int round = 0; round < 60; round++) {
        AUTO_FREE char *path = scratch_path("made.db");
        pid_t pid[4];
        for (size_t i = 0; i < 4; i++) {
            pid[i] = fork();
            assert_true(pid[i] >= 0);
            if (pid[i] == 0) {
                rests = (unsigned)(4 * round) + (unsigned)i + 1;
                struct error e;
                struct store *s =
                    store_open(path, &(struct store_options){.create = true}, NULL, &e);
                if (!s)
                    fprintf(stderr, "%s\n", e.what);
                store_close(s);
                _exit(!s);
            }
        }
        for (size_t i = 0; i < 4; i++) {
            int status;
            assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
            assert_int_equal(status, 0);
        }
    }
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc == 3)
        return child(argv[1], argv[2]);
    return tests_run();
}
