/* Batches, savepoints, and writes that fail. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/format/memory_json.h"
#include "store/db/db.h"
#include "store/open.h"
#include "store/record/put.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

static char *path;
static struct store *s;

static int setup(void **state)
{
    path = scratch_path("written.db");
    s = scratch_store(path);
    return 0;
}

static int teardown(void **state)
{
    store_close(s);
    free(path);
    return 0;
}

/* Asks a number of the store through a separate connection. */
static int64_t number(const char *sql)
{
    struct error e;
    int64_t value;
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    assert_int_equal(db_int(reader_db(r), &value, -1, &e, sql, ""), 0);
    reader_close(r);
    return value;
}

/* ---- many jobs at once ---- */

static int put_line(struct txn *t, const char *line, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int result = memory_json_read(&m, &arena, line, strlen(line), "ash", 0, NULL, e);
    if (result == 0)
        result = txn_put(t, &scratch_actor, "add", NULL, &m, NULL, e);
    return result;
}

/* Counts answers. The caller waits until `count` have come. */
struct answers {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int done, failed;
};
#define ANSWERS_INIT                                                                               \
    {                                                                                              \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0                                  \
    }

struct job {
    struct answers *answers;
    int number;
    enum {
        GOOD,
        TAKEN,
        GIVES_UP
    } how;
    int64_t seen; /* rows that another connection saw when the job was answered */
};

static int run_job(struct txn *t, void *arg, struct error *e)
{
    const struct job *j = arg;
    char line[160];
    snprintf(line, sizeof(line),
             "{\"ref\":\"note:job-%d\",\"text\":\"t\",\"derived_from\":[\"raw:of-%d\"]}", j->number,
             j->number);
    if (put_line(t, line, e))
        return -1;
    if (j->how == TAKEN) /* the same line again */
        return put_line(t, line, e);
    if (j->how == GIVES_UP)
        return error_set(e, ERROR_REFUSED, "", "job %d gives up", j->number);
    return 0;
}

static void answer(void *arg, const struct error *e)
{
    struct job *j = arg;
    char sql[100];
    snprintf(sql, sizeof(sql), "SELECT count(*) FROM memory WHERE name = 'job-%d'", j->number);
    j->seen = number(sql);
    enum error_code expected[] = {ERROR_NONE, ERROR_CONFLICT, ERROR_REFUSED};
    pthread_mutex_lock(&j->answers->lock);
    j->answers->done++;
    j->answers->failed += e->code != expected[j->how];
    pthread_cond_signal(&j->answers->wake);
    pthread_mutex_unlock(&j->answers->lock);
}

#define JOBS 300
GROUP(setup, teardown);

TEST(failing_jobs_do_not_affect_others)
{
    static struct job jobs[JOBS];
    struct answers answers = ANSWERS_INIT;
    struct error e;
    for (int i = 0; i < JOBS; i++) {
        jobs[i] = (struct job){&answers, i,
                               i % 10 == 3   ? TAKEN
                               : i % 10 == 7 ? GIVES_UP
                                             : GOOD,
                               -1};
        assert_int_equal(store_submit(s, run_job, answer, &jobs[i], &e), 0);
    }
    pthread_mutex_lock(&answers.lock);
    while (answers.done < JOBS)
        pthread_cond_wait(&answers.wake, &answers.lock);
    pthread_mutex_unlock(&answers.lock);
    assert_int_equal(answers.failed, 0);
    /* Jobs are answered after the commit: another connection sees the rows, or the job failed. */
    for (int i = 0; i < JOBS; i++)
        assert_int_equal(jobs[i].seen, jobs[i].how == GOOD);
    assert_int_equal(number("SELECT count(*) FROM memory WHERE kind = 3"), JOBS * 8 / 10);
    /* Failed jobs leave no stub and no row number. */
    assert_int_equal(number("SELECT count(*) FROM memory WHERE status = 7"), JOBS * 8 / 10);
    assert_int_equal(number("SELECT max(id) = count(*) FROM memory"), 1);
    assert_int_equal(number("SELECT max(seq) = count(*) FROM event"), 1);
    expect_sound_store(s);
}

static int count_run(struct txn *t, void *arg, struct error *e)
{
    (void)t, (void)e;
    ++*(int *)arg;
    return 0;
}

TEST(closing_waits_for_submitted_jobs)
{
    struct error e;
    AUTO_FREE char *other = scratch_path("closing.db");
    struct store *closing = scratch_store(other);
    int runs = 0;
    for (int i = 0; i < 500; i++)
        assert_int_equal(store_submit(closing, count_run, NULL, &runs, &e), 0);
    store_close(closing);
    assert_int_equal(runs, 500);
}

static void *write_some(void *arg)
{
    for (int i = 0; i < 50; i++) {
        char line[100];
        snprintf(line, sizeof(line), "{\"ref\":\"value:%d-%d\",\"text\":\"t\"}", *(int *)arg, i);
        scratch_put(s, line);
    }
    return NULL;
}

TEST(threads_write_at_once)
{
    pthread_t threads[8];
    int numbers[8];
    for (int i = 0; i < 8; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, write_some, &numbers[i]), 0);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(number("SELECT count(*) FROM memory WHERE kind = 4"), 400);
    expect_sound_store(s);
}

/* ---- a write that fails in the middle ---- */

static int forget_an_error(struct txn *t, void *arg, struct error *e)
{
    struct error own;
    /* The trigger makes the second half of a put fail. The savepoint removes it. */
    if (db_exec(txn_db(t), "ALTER TABLE mark RENAME TO elsewhere", e))
        return -1;
    assert_int_equal(
        put_line(t, "{\"ref\":\"goal:half\",\"text\":\"t\",\"marks\":[{\"mark\":\"m\"}]}", &own),
        -1);
    return 0;
}

TEST(a_half_written_row_is_not_committed)
{
    struct error e;
    assert_int_equal(store_run(s, forget_an_error, NULL, &e), -1);
    assert_int_equal(number("SELECT count(*) FROM memory WHERE name = 'half'"), 0);
    scratch_put(s, "{\"ref\":\"goal:half\",\"text\":\"t\",\"marks\":[{\"mark\":\"m\"}]}");
    expect_sound_store(s);
}

static int roll_back_and_say_nothing(struct txn *t, void *arg, struct error *e)
{
    if (put_line(t, "{\"ref\":\"goal:lost\",\"text\":\"t\"}", e))
        return -1;
    sqlite3_exec(db_handle(txn_db(t)), "ROLLBACK", NULL, NULL, NULL);
    return 0;
}

static int fail_and_say_nothing(struct txn *t, void *arg, struct error *e)
{
    (void)arg, (void)e;
    struct error own;
    put_line(t, "{\"ref\":\"goal:silent\",\"text\":\"t\"}", &own);
    return -1;
}

static int get_over_it(struct txn *t, void *arg, struct error *e)
{
    if (put_line(t, "{\"ref\":\"goal:once\",\"text\":\"t\"}", e))
        return -1;
    return put_line(t, "{\"ref\":\"goal:once\",\"text\":\"t\"}", e) ? 0 : -1; /* already used */
}

TEST(a_job_can_continue_after_a_refusal)
{
    struct error e = {0};
    assert_int_equal(store_run(s, get_over_it, NULL, &e), 0);
    assert_int_equal(e.code, ERROR_NONE);
    assert_int_equal(number("SELECT count(*) FROM memory WHERE name = 'once'"), 1);
    expect_sound_store(s);
}

TEST(lost_writes_are_never_acknowledged)
{
    struct error e = {0};
    assert_int_equal(store_run(s, roll_back_and_say_nothing, NULL, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    assert_int_equal(store_run(s, fail_and_say_nothing, NULL, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    assert_int_equal(number("SELECT count(*) FROM memory WHERE name IN ('lost', 'silent')"), 0);
    scratch_put(s, "{\"ref\":\"goal:lost\",\"text\":\"t\"}");
    expect_sound_store(s);
}

/* ---- a full disk ---- */

static int fill_the_disk(struct txn *t, void *arg, struct error *e)
{
    char sql[64];
    int64_t pages;
    if (db_int(txn_db(t), &pages, 0, e, "PRAGMA page_count", ""))
        return -1;
    snprintf(sql, sizeof(sql), "PRAGMA max_page_count = %d",
             *(bool *)arg ? (int)pages + 10 : 1 << 30);
    if (db_exec(txn_db(t), sql, e) || !*(bool *)arg)
        return e->code ? -1 : 0;
    for (int i = 0; i < 10000; i++) {
        char line[200];
        snprintf(line, sizeof(line), "{\"ref\":\"drive:full-%d\",\"text\":\"a longer text %d\"}", i,
                 i);
        if (put_line(t, line, e))
            return -1;
    }
    return 0;
}

TEST(a_full_disk_is_reported_and_loses_nothing)
{
    struct error e = {0};
    bool full = true;
    assert_int_equal(store_run(s, fill_the_disk, &full, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    assert_non_null(strstr(e.what, "disk is full"));
    assert_int_equal(number("SELECT count(*) FROM memory WHERE kind = 6"), 0);
    full = false;
    e.code = ERROR_NONE;
    assert_int_equal(store_run(s, fill_the_disk, &full, &e), 0);
    scratch_put(s, "{\"ref\":\"drive:room\",\"text\":\"room again\"}");
    expect_sound_store(s);
}

/* ---- a store locked by another program ---- */

static int wait_briefly(struct txn *t, void *arg, struct error *e)
{
    (void)arg, (void)e;
    sqlite3_busy_timeout(db_handle(txn_db(t)), 20);
    return 0;
}

TEST(a_store_that_another_program_locked_is_busy)
{
    struct error e;
    sqlite3 *other;
    assert_int_equal(store_run(s, wait_briefly, NULL, &e), 0);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(scratch_try(s, "{\"ref\":\"raw:busy\",\"text\":\"t\"}", &e), -1);
    assert_int_equal(e.code, ERROR_BUSY);
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_int_equal(scratch_try(s, "{\"ref\":\"raw:busy\",\"text\":\"t\"}", &e), 0);
}

/* ---- a removed or altered file ---- */

TEST(a_removed_store_is_not_written)
{
    struct error e;
    AUTO_FREE char *gone = scratch_path("gone.db"), *moved = scratch_path("moved.db");
    struct store *store = scratch_store(gone);
    scratch_put(store, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    assert_int_equal(rename(gone, moved), 0);
    assert_int_equal(scratch_try(store, "{\"ref\":\"raw:b\",\"text\":\"t\"}", &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    assert_int_equal(access(gone, F_OK), -1); /* nor created again */
    scratch_write(gone, "", 0);
    assert_int_equal(scratch_try(store, "{\"ref\":\"raw:b\",\"text\":\"t\"}", &e), -1);
    assert_int_equal(rename(moved, gone), 0);
    assert_int_equal(scratch_try(store, "{\"ref\":\"raw:b\",\"text\":\"t\"}", &e), 0);
    store_close(store);
}

static int make_newer(struct txn *t, void *arg, struct error *e)
{
    return db_exec(txn_db(t), "PRAGMA user_version = 99", e);
}

TEST(a_newer_version_of_the_store_is_not_written)
{
    struct error e;
    AUTO_FREE char *newer = scratch_path("newer.db");
    struct store *a = scratch_store(newer), *b = scratch_store(newer);
    scratch_put(a, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    assert_int_equal(store_run(b, make_newer, NULL, &e), 0);
    assert_int_equal(scratch_try(a, "{\"ref\":\"raw:b\",\"text\":\"t\"}", &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    store_close(a);
    store_close(b);
}

static int drop_indexes(struct txn *t, void *arg, struct error *e)
{
    return db_exec(txn_db(t), "DROP INDEX memory_created; DROP INDEX link_target", e);
}

TEST(the_next_writer_creates_missing_indexes)
{
    struct error e;
    AUTO_FREE char *bulk = scratch_path("bulk.db");
    struct store *store = scratch_store(bulk);
    assert_int_equal(store_run_alone(store, drop_indexes, NULL, &e), 0);
    store_close(store);
    store = scratch_store(bulk);
    scratch_put(store, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    struct store *kept = s;
    s = store;
    expect_sound_store(s);
    s = kept;
    store_close(store);
}

static int grow(struct txn *t, void *arg, struct error *e)
{
    return db_exec(txn_db(t),
                   "CREATE TABLE IF NOT EXISTS big(b); INSERT INTO big VALUES(zeroblob(9000000))",
                   e);
}

static off_t log_size(const char *store_path)
{
    char name[4096];
    struct stat file;
    snprintf(name, sizeof(name), "%s-wal", store_path);
    return stat(name, &file) == 0 ? file.st_size : 0;
}

TEST(the_log_is_checkpointed_between_batches)
{
    struct error e;
    AUTO_FREE char *grown = scratch_path("grown.db");
    struct store *store = scratch_store(grown);
    for (int i = 0; i < 12; i++)
        assert_int_equal(store_run(store, grow, NULL, &e), 0);
    scratch_put(store, "{\"ref\":\"raw:small\",\"text\":\"t\"}");
    assert_true(log_size(grown) <= 24 << 20); /* though 108 MB were written */
    store_close(store);
}

TEST(a_read_only_store_refuses_writes)
{
    struct error e;
    struct store *reading = scratch_store_with(path, &(struct store_options){.read_only = true});
    assert_true(store_is_read_only(reading));
    assert_int_equal(scratch_try(reading, "{\"ref\":\"raw:x\",\"text\":\"t\"}", &e), -1);
    assert_int_equal(e.code, ERROR_REFUSED);
    store_close(reading);
}

/* ---- a crash ---- */

static int crash(struct txn *t, void *arg, struct error *e)
{
    (void)t, (void)arg, (void)e;
    return raise(SIGSEGV);
}

/* What cmocka would catch here is lost: see tests/support/crash.c. */
TEST(a_crash_in_the_writers_thread_ends_the_program)
{
    struct error e;
    int status;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* their signal() comes before that of the tests */
#endif
    AUTO_FREE char *other = scratch_path("crashed.db");
    pid_t child = fork();
    if (child == 0) {
        store_run(scratch_store(other), crash, NULL, &e);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
}
