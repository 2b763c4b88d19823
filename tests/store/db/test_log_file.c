/* The writer's log file, over a VFS that records its calls and can fail. */
#include "model/base/alloc.h"
#include "store/db/store_file.h"

#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define PAGES 40 /* the least number of pages that a commit here changes */

/* ---- the recording VFS ---- */

struct below {
    sqlite3_file file;
    sqlite3_file *own;
};

static sqlite3_vfs *system_vfs, telling_vfs;
static struct {
    int writes, largest, syncs;
    bool unsynced; /* written since the last sync */
    int fail_at;   /* the write or sync that will fail, counted from now; 0: none */
} told;

static bool fails(void)
{
    return told.fail_at > 0 && --told.fail_at == 0;
}

static sqlite3_file *own(sqlite3_file *file)
{
    return ((struct below *)file)->own;
}

/* A failing write writes half, as on a full disk. */
static int below_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    told.writes++;
    told.largest = len > told.largest ? len : told.largest;
    told.unsynced = true;
    if (!fails())
        return own(file)->pMethods->xWrite(own(file), bytes, len, at);
    own(file)->pMethods->xWrite(own(file), bytes, len / 2, at);
    return SQLITE_FULL;
}

static int below_sync(sqlite3_file *file, int flags)
{
    told.syncs++;
    if (fails())
        return SQLITE_IOERR_FSYNC;
    told.unsynced = false;
    return own(file)->pMethods->xSync(own(file), flags);
}

static int below_close(sqlite3_file *file)
{
    return own(file)->pMethods->xClose(own(file));
}

static int below_read(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
    return own(file)->pMethods->xRead(own(file), bytes, len, at);
}

static int below_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return own(file)->pMethods->xTruncate(own(file), size);
}

static int below_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return own(file)->pMethods->xFileSize(own(file), size);
}

static int below_control(sqlite3_file *file, int what, void *arg)
{
    return own(file)->pMethods->xFileControl(own(file), what, arg);
}

static int below_device(sqlite3_file *file)
{
    return own(file)->pMethods->xDeviceCharacteristics(own(file));
}

static const sqlite3_io_methods below_methods = {
    .iVersion = 1,
    .xClose = below_close,
    .xRead = below_read,
    .xWrite = below_write,
    .xTruncate = below_truncate,
    .xSync = below_sync,
    .xFileSize = below_size,
    .xFileControl = below_control,
    .xDeviceCharacteristics = below_device,
};

static int below_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got)
{
    if (!(flags & SQLITE_OPEN_WAL))
        return system_vfs->xOpen(system_vfs, name, file, flags, got);
    struct below *b = (struct below *)file;
    b->own = (sqlite3_file *)(b + 1);
    int code = system_vfs->xOpen(system_vfs, name, b->own, flags, got);
    b->file.pMethods = b->own->pMethods ? &below_methods : NULL;
    return code;
}

/* Must run before the log's VFS is registered, which uses this one. */
static void put_below(void)
{
    system_vfs = sqlite3_vfs_find(NULL);
    telling_vfs = *system_vfs;
    telling_vfs.zName = "telling";
    telling_vfs.szOsFile = (int)sizeof(struct below) + system_vfs->szOsFile;
    telling_vfs.xOpen = below_open;
    assert_int_equal(sqlite3_vfs_register(&telling_vfs, 1), SQLITE_OK);
}

/* ---- a database with a table ---- */

static char *path;
static sqlite3 *writer, *other; /* the other connection uses SQLite's own VFS */

static void run(sqlite3 *handle, const char *sql)
{
    char *why = NULL;
    if (sqlite3_exec(handle, sql, NULL, NULL, &why))
        fail_msg("%s: %s", sql, why);
}

static int64_t number(sqlite3 *handle, const char *sql)
{
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return value;
}

static int set_up(void **state)
{
    path = scratch_path("log.db");
    assert_int_equal(
        sqlite3_open_v2(path, &writer, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, log_file_vfs()),
        SQLITE_OK);
    run(writer, "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                "PRAGMA wal_autocheckpoint = 0; CREATE TABLE t(id INTEGER PRIMARY KEY, by, text)");
    assert_int_equal(sqlite3_open_v2(path, &other, SQLITE_OPEN_READWRITE, system_vfs->zName),
                     SQLITE_OK);
    memset(&told, 0, sizeof(told));
    return 0;
}

static int tear_down(void **state)
{
    sqlite3_close(other);
    sqlite3_close(writer);
    free(path);
    return 0;
}

/* Commits as txn_commit does. */
static int commit(sqlite3 *handle)
{
    log_file_begin_commit(handle);
    int code = sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL);
    int late = log_file_end_commit(handle, code == SQLITE_OK);
    return code ? code : late;
}

static void insert_pages(sqlite3 *handle, const char *by)
{
    char sql[200];
    snprintf(sql, sizeof(sql),
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
             " INSERT INTO t(by, text) SELECT '%s', hex(randomblob(7000)) FROM n",
             PAGES, by);
    run(handle, sql);
}

static int64_t rows_by(sqlite3 *handle, const char *by)
{
    char sql[100];
    snprintf(sql, sizeof(sql), "SELECT count(*) FROM t WHERE by = '%s'", by);
    return number(handle, sql);
}

/* Checks what a crash at this moment would leave. */
static void check_copy(int64_t rows)
{
    AUTO_FREE char *copy = scratch_path("copy.db");
    AUTO_FREE char *log = scratch_path("copy.db-wal"), *index = scratch_path("copy.db-shm");
    sqlite3 *found;
    remove(index);
    remove(log);
    scratch_copy(path, copy);
    remove(index); /* rebuilt from the log, as after a start */
    assert_int_equal(sqlite3_open(copy, &found), SQLITE_OK);
    assert_int_equal(number(found, "SELECT count(*) FROM t"), rows);
    assert_int_equal(number(found, "SELECT count(*) FROM pragma_integrity_check"
                                   " WHERE integrity_check = 'ok'"),
                     1);
    sqlite3_close(found);
}

/* ---- tests ---- */

FIXTURE(set_up, tear_down);

TEST(a_commit_is_few_writes_and_a_sync)
{
    run(writer, "BEGIN IMMEDIATE");
    insert_pages(writer, "us");
    assert_int_equal(told.writes, 0);
    assert_int_equal(commit(writer), SQLITE_OK);
    assert_in_range(told.writes, 1, PAGES / 4);
    assert_true(told.largest < 1 << 17);
    assert_false(told.unsynced);
    assert_true(told.syncs > 0);
    assert_int_equal(rows_by(other, "us"), PAGES);
    check_copy(PAGES);
}

/* Adds rows and changes each page in turn, back and forth, a little more each time. */
static void change_much(sqlite3 *handle)
{
    char sql[200];
    run(handle,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
        " INSERT INTO t(by, text) SELECT 'us', replace(hex(zeroblob(2000)), '0', i) FROM n");
    for (int i = 0; i < 60; i++) {
        snprintf(sql, sizeof(sql), "UPDATE t SET text = text || %d WHERE id = %d", i,
                 1 + i * 23 % 40);
        run(handle, sql);
    }
}

static char *all_text(sqlite3 *handle)
{
    sqlite3_stmt *stmt;
    assert_int_equal(
        sqlite3_prepare_v2(handle, "SELECT group_concat(id || by || text) FROM t", -1, &stmt, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    char *text = strdup((const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    return text;
}

static void check_same(sqlite3 *handle, sqlite3 *as)
{
    AUTO_FREE char *text = all_text(handle), *expected = all_text(as);
    assert_true(strcmp(text, expected) == 0);
}

/*
 * Pages that do not fit in the cache are written to the log before the commit, and again at the
 * commit. This includes pages that the text index changes during the commit.
 */
static void read_back(bool gathering)
{
    sqlite3 *memory;
    assert_int_equal(sqlite3_open(":memory:", &memory), SQLITE_OK);
    run(memory, "CREATE TABLE t(id INTEGER PRIMARY KEY, by, text)");
    run(writer, "PRAGMA cache_size = 2");
    run(writer, "BEGIN IMMEDIATE");
    if (gathering)
        log_file_begin_commit(writer);
    for (int i = 0; i < 5; i++) {
        change_much(memory);
        change_much(writer);
        check_same(writer, memory);
    }
    assert_true(told.writes > PAGES / 2);
    assert_int_equal(rows_by(other, "us"), 0);
    assert_int_equal(commit(writer), SQLITE_OK);
    assert_false(told.unsynced);
    check_same(other, memory);
    check_copy(5 * 40);
    sqlite3_close(memory);
}

TEST(a_long_transaction_reads_its_own_writes)
{
    read_back(false);
}

TEST(buffered_writes_are_read_back)
{
    read_back(true);
}

TEST(the_log_restarts_after_a_checkpoint)
{
    for (int i = 1; i <= 4; i++) {
        run(writer, "BEGIN IMMEDIATE");
        insert_pages(writer, "us");
        assert_int_equal(commit(writer), SQLITE_OK);
        check_copy(PAGES * i);
        assert_int_equal(sqlite3_wal_checkpoint_v2(writer, "main",
                                                   i % 2 ? SQLITE_CHECKPOINT_PASSIVE
                                                         : SQLITE_CHECKPOINT_TRUNCATE,
                                                   NULL, NULL),
                         SQLITE_OK);
    }
    assert_int_equal(rows_by(other, "us"), 4 * PAGES);
    check_copy(4 * PAGES);
}

TEST(rolled_back_pages_are_never_written)
{
    run(writer, "BEGIN IMMEDIATE");
    insert_pages(writer, "lost");
    run(writer, "ROLLBACK");
    run(other, "BEGIN IMMEDIATE");
    insert_pages(other, "them");
    run(other, "COMMIT");
    run(writer, "BEGIN IMMEDIATE");
    insert_pages(writer, "us");
    assert_int_equal(commit(writer), SQLITE_OK);
    assert_int_equal(rows_by(other, "lost"), 0);
    check_copy(2 * PAGES);
}

/* Runs a commit in which the `n`th write or sync fails. Returns whether it failed. */
static bool fail_once(int n)
{
    told.fail_at = n;
    run(writer, "BEGIN IMMEDIATE");
    insert_pages(writer, "ours");
    int code = commit(writer);
    bool failed = told.fail_at == 0;
    told.fail_at = 0;
    assert_int_equal(code != SQLITE_OK, failed);
    if (!sqlite3_get_autocommit(writer))
        run(writer, "ROLLBACK");
    return failed;
}

/* The next commit overwrites the rest of the failed one, and none of it reappears. */
TEST(a_failing_write_fails_only_its_commit)
{
    int64_t rows = 0;
    int n = 1;
    for (; fail_once(n); n++) {
        assert_int_equal(rows_by(writer, "ours"), 0);
        assert_int_equal(rows_by(other, "ours"), 0);
        run(other, "INSERT INTO t(by, text) VALUES ('them', hex(randomblob(50000)))");
        check_copy(++rows);
        run(writer, "BEGIN IMMEDIATE; INSERT INTO t(by) VALUES ('us')");
        assert_int_equal(commit(writer), SQLITE_OK);
        assert_int_equal(number(other, "SELECT count(*) FROM t"), ++rows);
        check_copy(rows);
    }
    assert_true(n > 4);
    check_copy(rows + PAGES);
}

TEST(other_files_and_connections_are_left_alone)
{
    sqlite3 *memory;
    assert_int_equal(sqlite3_open_v2(":memory:", &memory,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, log_file_vfs()),
                     SQLITE_OK);
    run(memory, "BEGIN IMMEDIATE; CREATE TABLE t(id INTEGER PRIMARY KEY, by, text)");
    insert_pages(memory, "us");
    assert_int_equal(commit(memory), SQLITE_OK);
    assert_int_equal(rows_by(memory, "us"), PAGES);
    sqlite3_close(memory);
    run(other, "BEGIN IMMEDIATE");
    insert_pages(other, "them");
    assert_int_equal(commit(other), SQLITE_OK);
    assert_int_equal(rows_by(writer, "them"), PAGES);
}

int main(void)
{
    put_below();
    return tests_run();
}
