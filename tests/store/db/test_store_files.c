/* The write-ahead log or its index is removed while the store is open. No acknowledged change may
 * be lost, and no change that would be lost may be acknowledged. */
#include "tests/support/scratch.h"

#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/format/memory_json.h"
#include "store/db/db.h"
#include "store/open.h"
#include "store/record/put.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

static const char removed[] = "was removed or replaced while it was open";

static char *path, *log_path, *index_path;
static struct store *s;

static int set_up(void **state)
{
    path = scratch_path("held.db");
    log_path = xformat("%s-wal", path);
    index_path = xformat("%s-shm", path);
    s = scratch_store(path);
    return 0;
}

static int tear_down(void **state)
{
    store_close(s);
    free(path);
    free(log_path);
    free(index_path);
    return 0;
}

/* Checks the store after all have closed it. */
static void assert_holds(int64_t memories)
{
    struct error e;
    store_close(s);
    s = scratch_store(path);
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    assert_int_equal(expect_sound(r).memories, memories);
    reader_close(r);
}

static void assert_refused(const char *line, const char *what)
{
    struct error e;
    assert_int_equal(scratch_try(s, line, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    if (!strstr(e.what, what) || !strstr(e.what, removed))
        fail_msg("%s", e.what);
}

FIXTURE(set_up, tear_down);

TEST(test_writes_without_the_log_are_refused)
{
    scratch_put(s, "{\"ref\":\"note:before\",\"text\":\"acknowledged\"}");
    assert_int_equal(unlink(log_path), 0);
    assert_refused("{\"ref\":\"note:after\",\"text\":\"refused\"}", "the -wal of ");
    assert_refused("{\"ref\":\"note:after\",\"text\":\"refused\"}", "the -wal of ");
    assert_holds(1);
    scratch_put(s, "{\"ref\":\"note:after\",\"text\":\"acknowledged\"}");
    assert_holds(2);
}

TEST(test_closing_without_the_log_loses_nothing)
{
    scratch_put(s, "{\"ref\":\"note:before\",\"text\":\"acknowledged\"}");
    assert_int_equal(unlink(log_path), 0);
    assert_holds(1);
}

/* The same file was moved back. */
TEST(test_writes_continue_when_the_log_is_back)
{
    AUTO_FREE char *away = xformat("%s.away", log_path);
    scratch_put(s, "{\"ref\":\"note:before\",\"text\":\"acknowledged\"}");
    assert_int_equal(rename(log_path, away), 0);
    assert_refused("{\"ref\":\"note:after\",\"text\":\"refused\"}", "the -wal of ");
    assert_int_equal(rename(away, log_path), 0);
    scratch_put(s, "{\"ref\":\"note:after\",\"text\":\"acknowledged\"}");
    assert_holds(2);
}

TEST(test_writes_without_the_index_are_refused)
{
    scratch_put(s, "{\"ref\":\"note:before\",\"text\":\"acknowledged\"}");
    assert_int_equal(unlink(index_path), 0);
    assert_refused("{\"ref\":\"note:after\",\"text\":\"refused\"}", "the -shm of ");
    assert_holds(1);
}

/* ---- within a transaction ---- */

struct taking {
    const char *bytes; /* written to the log's place; NULL: the log is removed */
};

static int put_and_take(struct txn *t, void *arg, struct error *e)
{
    static const char line[] = "{\"ref\":\"note:then\",\"text\":\"answered later\"}";
    const struct taking *taking = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int result = memory_json_read(&m, &arena, line, strlen(line), "ash", 0, NULL, e);
    if (result == 0)
        result = txn_put(t, &scratch_actor, "add", NULL, &m, NULL, e);
    assert_int_equal(unlink(log_path), 0);
    if (taking->bytes)
        scratch_write(log_path, taking->bytes, strlen(taking->bytes));
    return result;
}

TEST(test_acknowledged_commits_survive)
{
    struct taking taking = {NULL};
    struct error e;
    scratch_put(s, "{\"ref\":\"note:before\",\"text\":\"acknowledged\"}");
    assert_int_equal(store_run(s, put_and_take, &taking, &e), 0);
    assert_refused("{\"ref\":\"note:after\",\"text\":\"refused\"}", "the -wal of ");
    assert_holds(2);
}

/* Another program may have written to the new log, so nothing of it is moved into the file. */
TEST(test_another_log_is_not_moved_into_the_file)
{
    struct taking taking = {"another"};
    struct error e;
    scratch_put(s, "{\"ref\":\"note:before\",\"text\":\"acknowledged\"}");
    size_t len, later;
    AUTO_FREE char *before = scratch_read(path, &len);
    assert_int_equal(store_run(s, put_and_take, &taking, &e), -1);
    assert_non_null(strstr(e.what, removed));
    store_close(s);
    AUTO_FREE char *after = scratch_read(path, &later);
    assert_int_equal(len, later);
    assert_memory_equal(before, after, len);
    s = scratch_store(path);
}

/* ---- other programs ---- */

/* The disk is not at fault. */
TEST(test_another_process_gets_the_reason)
{
    struct error e;
    scratch_put(s, "{\"ref\":\"note:before\",\"text\":\"acknowledged\"}");
    assert_int_equal(unlink(log_path), 0);
    struct db *db = db_open(path, DB_READ, &e);
    int64_t count;
    int result = db ? db_int(db, &count, 0, &e, "SELECT count(*) FROM memory", "") : -1;
    db_close(db);
    assert_int_equal(result, -1);
    assert_non_null(strstr(e.what, "the -wal next to it was removed"));
    assert_holds(1);
}

/* Closes the last connection, as another program does. */
static void remove_log(void)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "SELECT max(id) FROM memory", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(access(log_path, F_OK), -1);
}

/* SQLite removes the log with the last connection and creates another with the next. */
TEST(test_a_removed_log_that_is_not_needed_is_no_error)
{
    struct error e;
    for (int i = 0; i < 2; i++) {
        struct reader *r = reader_open(s, &e);
        assert_non_null(r);
        assert_int_equal(store_check_file(s, &e), 0);
        reader_close(r);
        remove_log();
        assert_int_equal(store_check_file(s, &e), 0);
    }
    scratch_put(s, "{\"ref\":\"note:after\",\"text\":\"acknowledged\"}");
    assert_holds(1);
}

/* A store that somebody sends may hold texts of a gigabyte, and pages whose cells overlap. */
TEST(lengths_and_cells_are_limited_in_every_mode)
{
    static const enum db_mode modes[] = {DB_READ, DB_SHARED, DB_LARGE, DB_WRITE, DB_FOREIGN};
    struct error e;
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        int64_t checked;
        struct db *db = db_open(path, modes[i], &e);
        assert_non_null(db);
        assert_in_range(sqlite3_limit(db_handle(db), SQLITE_LIMIT_LENGTH, -1), 1, 256 << 20);
        assert_int_equal(db_int(db, &checked, 0, &e, "PRAGMA cell_size_check", ""), 0);
        assert_int_equal(checked, 1);
        db_close(db);
    }
}
