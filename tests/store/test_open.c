/*
 * Opening a store: a reader changes no byte, in whatever state the file was left; and files that
 * are no store are refused.
 */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/guard/guard.h"
#include "store/open.h"
#include "tests/support/test.h"

/* ---- files of other programs ---- */

static void run_sql(sqlite3 *db, const char *sql)
{
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why))
        fail_msg("%s: %s", sql, why);
}

/* A Kernle-like store in that journal mode with one row, closed as its program would. */
static char *foreign(const char *mode)
{
    char *path = scratch_path("foreign.db");
    AUTO_STRBUF sql = STRBUF_INIT;
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    strbuf_addf(&sql,
                "PRAGMA journal_mode = %s; CREATE TABLE raw_entries(id TEXT);"
                "INSERT INTO raw_entries VALUES ('one')",
                mode);
    run_sql(db, sql.buf);
    sqlite3_close(db);
    return path;
}

/* A copy of it with a second row that only the write-ahead log has, as after a crash. */
static char *with_log(void)
{
    char *path = foreign("WAL"), *copy = scratch_path("crashed.db");
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run_sql(db, "PRAGMA wal_autocheckpoint = 0; INSERT INTO raw_entries VALUES ('two')");
    scratch_copy(path, copy);
    sqlite3_close(db);
    free(path);
    return copy;
}

/* A copy with a rollback journal that reverts a half-done change. */
static char *with_hot_journal(void)
{
    char *path = foreign("DELETE"), *copy = scratch_path("crashed.db");
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run_sql(db, "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; CREATE TABLE more(a);"
                "INSERT INTO more VALUES (zeroblob(200000)); BEGIN;"
                "UPDATE raw_entries SET id = 'half'; UPDATE more SET a = randomblob(200000);"
                "INSERT INTO more VALUES (randomblob(200000))");
    scratch_copy(path, copy);
    run_sql(db, "ROLLBACK");
    sqlite3_close(db);
    free(path);
    return copy;
}

/* ---- comparing directories ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the name, mode and bytes of each file next to `path`. */
static char *all_companions(const char *path)
{
    struct strbuf all = STRBUF_INIT, name = STRBUF_INIT;
    char *names[64], *directory = strdup(path);
    size_t count = 0;
    *strrchr(directory, '/') = '\0';
    DIR *dir = opendir(directory);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            names[count++] = strdup(entry->d_name);
    closedir(dir);
    qsort(names, count, sizeof(*names), by_name);
    for (size_t i = 0; i < count; i++) {
        size_t len;
        strbuf_clear(&name);
        strbuf_addf(&name, "%s/%s", directory, names[i]);
        AUTO_FREE char *bytes = scratch_read(name.buf, &len);
        assert_non_null(bytes);
        strbuf_addf(&all, "%s %zu ", names[i], len);
        for (size_t k = 0; k < len; k++)
            strbuf_addf(&all, "%02x", (unsigned char)bytes[k]);
        strbuf_addch(&all, '\n');
        free(names[i]);
    }
    strbuf_release(&name);
    free(directory);
    return strbuf_detach(&all, NULL);
}

static int64_t count_rows(const char *path, enum db_mode mode)
{
    struct error e = {0};
    int64_t count;
    struct db *db = db_open(path, mode, &e);
    if (!db)
        fail_msg("%s", e.what);
    if (db_int(db, &count, -1, &e, "SELECT count(*) FROM raw_entries", ""))
        fail_msg("%s", e.what);
    db_close(db);
    return count;
}

/* Reads the store and checks that it left no trace. */
static void check_untouched(char *path, enum db_mode mode, int64_t rows)
{
    AUTO_FREE char *before = all_companions(path);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(count_rows(path, mode), rows);
        AUTO_FREE char *after = all_companions(path);
        if (strcmp(before, after))
            fail_msg("%s was changed by reading it:\n%.300s\n%.300s", path, before, after);
    }
    free(path);
}

TEST(a_file_without_a_log_is_left_as_it_is)
{
    check_untouched(foreign("DELETE"), DB_FOREIGN, 1);
    check_untouched(foreign("TRUNCATE"), DB_FOREIGN, 1);
    check_untouched(foreign("PERSIST"), DB_FOREIGN, 1);
    check_untouched(foreign("WAL"), DB_FOREIGN, 1);
    check_untouched(foreign("WAL"), DB_READ, 1);
}

TEST(a_log_with_content_is_read_and_left_as_it_is)
{
    check_untouched(with_log(), DB_FOREIGN, 2);
}

TEST(a_log_without_its_index_is_read_and_left)
{
    char *path = with_log(), name[4096];
    snprintf(name, sizeof(name), "%s-shm", path);
    unlink(name);
    size_t len, log_len, after_len;
    snprintf(name, sizeof(name), "%s-wal", path);
    AUTO_FREE char *before = scratch_read(path, &len), *log = scratch_read(name, &log_len);
    assert_int_equal(count_rows(path, DB_FOREIGN), 2);
    char *after = scratch_read(path, &after_len);
    assert_int_equal(len, after_len);
    assert_memory_equal(before, after, len);
    free(after);
    after = scratch_read(name, &after_len);
    assert_non_null(after);
    assert_int_equal(log_len, after_len);
    assert_memory_equal(log, after, log_len);
    free(after);
    free(path);
}

TEST(an_empty_log_is_not_removed)
{
    char *path = foreign("WAL"), name[4096];
    snprintf(name, sizeof(name), "%s-wal", path);
    scratch_write(name, "", 0);
    assert_int_equal(count_rows(path, DB_FOREIGN), 1);
    struct stat file;
    assert_int_equal(stat(name, &file), 0);
    assert_int_equal(file.st_size, 0);
    free(path);
}

TEST(a_rollback_journal_is_not_replayed_into_the_file)
{
    char *path = with_hot_journal();
    struct error e;
    int64_t half;
    struct db *db = db_open(path, DB_FOREIGN, &e);
    assert_non_null(db);
    assert_int_equal(
        db_int(db, &half, -1, &e, "SELECT count(*) FROM raw_entries WHERE id = 'half'", ""), 0);
    assert_int_equal(half, 0);
    db_close(db);
    check_untouched(path, DB_FOREIGN, 1);
}

/* ---- while another program runs ---- */

/* A process with its own connection, which writes while we read. */
TEST(an_open_store_of_another_program_is_read)
{
    AUTO_FREE char *path = foreign("WAL");
    int up[2], down[2];
    char byte;
    assert_int_equal(pipe(up), 0);
    assert_int_equal(pipe(down), 0);
    pid_t pid = fork();
    if (pid == 0) {
        sqlite3 *db;
        sqlite3_open(path, &db);
        sqlite3_exec(db, "PRAGMA wal_autocheckpoint = 0; INSERT INTO raw_entries VALUES ('two')",
                     NULL, NULL, NULL);
        (void)!write(up[1], "1", 1);
        (void)!read(down[0], &byte, 1);
        int code = sqlite3_exec(db, "INSERT INTO raw_entries VALUES ('three')", NULL, NULL, NULL);
        (void)!write(up[1], code ? "x" : "2", 1);
        (void)!read(down[0], &byte, 1);
        _exit(0);
    }
    assert_int_equal(read(up[0], &byte, 1), 1);
    assert_int_equal(count_rows(path, DB_FOREIGN), 2);
    struct error e;
    int64_t count;
    struct db *db = db_open(path, DB_FOREIGN, &e);
    assert_non_null(db);
    assert_int_equal(write(down[1], "g", 1), 1);
    assert_int_equal(read(up[0], &byte, 1), 1);
    assert_int_equal(byte, '2'); /* our read does not make it wait */
    assert_int_equal(db_int(db, &count, -1, &e, "SELECT count(*) FROM raw_entries", ""), 0);
    assert_int_equal(count, 3);
    db_close(db);
    assert_int_equal(write(down[1], "g", 1), 1);
    int status;
    waitpid(pid, &status, 0);
    assert_int_equal(count_rows(path, DB_FOREIGN), 3);
}

/* ---- directories that we may not write to ---- */

/* Runs `check` in a process that may not write to the directory. If the test runs as root, the
 * process takes another user. */
static void as_nobody(const char *path, void (*check)(const char *path))
{
    const char *parent = getenv("STEMMA_TEST_DIR");
    AUTO_FREE char *directory = strdup(path);
    *strrchr(directory, '/') = '\0';
    assert_int_equal(chmod(directory, 0555), 0);
    assert_int_equal(parent ? chmod(parent, 0711) : 0, 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
            _exit(2);
        check(path);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(chmod(directory, 0755), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static char *copies; /* the directory for private copies */

static size_t copies_left(void)
{
    size_t count = 0;
    DIR *dir = opendir(copies);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void check_read(const char *path, int64_t rows, size_t copied)
{
    struct error e = {0};
    int64_t count;
    struct db *db = db_open(path, DB_FOREIGN, &e);
    if (!db)
        fprintf(stderr, "%s\n", e.what);
    MUST(db);
    MUST(copies_left() == copied);
    MUST(db_int(db, &count, -1, &e, "SELECT count(*) FROM raw_entries", "") == 0);
    MUST(count == rows);
    db_close(db);
    MUST(copies_left() == 0);
}

static void read_in_place(const char *path)
{
    check_read(path, 1, 0);
}

static void read_log_in_place(const char *path)
{
    check_read(path, 2, 0);
}

static void read_log_as_a_copy(const char *path)
{
    check_read(path, 2, 1);
}

static void read_journal_as_a_copy(const char *path)
{
    check_read(path, 1, 1);
}

static void check_as_nobody(char *path, void (*check)(const char *path))
{
    AUTO_FREE char *before = all_companions(path);
    as_nobody(path, check);
    AUTO_FREE char *after = all_companions(path);
    assert_string_equal(before, after);
    free(path);
}

static void open_to_all(const char *path, const char *suffix, mode_t mode)
{
    char name[4096];
    snprintf(name, sizeof(name), "%s%s", path, suffix);
    assert_int_equal(chmod(name, mode), 0);
}

TEST(reading_in_an_unwritable_directory_writes_nothing)
{
    AUTO_FREE char *scratch = scratch_path("");
    copies = scratch;
    assert_int_equal(chmod(scratch, 0777), 0);
    /* Other users must be able to reach the directory. */
    AUTO_FREE char *parent = strdup(scratch);
    parent[strlen(parent) - 1] = '\0';
    setenv("TMPDIR", parent, 1);

    check_as_nobody(foreign("DELETE"), read_in_place);
    check_as_nobody(foreign("WAL"), read_in_place);
    char *path = with_log();
    open_to_all(path, "-wal", 0644);
    open_to_all(path, "-shm", 0644);
    check_as_nobody(path, read_log_in_place);
    path = with_log();
    char name[4096];
    snprintf(name, sizeof(name), "%s-shm", path);
    unlink(name);
    check_as_nobody(path, read_log_as_a_copy);
    check_as_nobody(with_hot_journal(), read_journal_as_a_copy);
    unsetenv("TMPDIR");
}

static void read_own_store(const char *path)
{
    struct error e = {0}, warning;
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    struct store *s = store_open(path, &(struct store_options){.create = true}, &warning, &e);
    if (!s)
        fprintf(stderr, "%s\n", e.what);
    MUST(s);
    struct reader *r = reader_open(s, &e);
    MUST(r);
    MUST(memory_read(r, &arena, 1, &m, &e) == 0);
    MUST(scratch_try(s, "{\"ref\":\"raw:b\",\"text\":\"t\"}", &e) == -1);
    MUST(e.code == ERROR_REFUSED);
    reader_close(r);
    store_close(s);
}

TEST(a_stemma_store_in_an_unwritable_directory_is_read)
{
    AUTO_FREE char *path = scratch_path("own.db");
    copies = path;
    struct store *s = scratch_store(path);
    scratch_put(s, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    store_close(s);
    static const char *const suffixes[] = {""};
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
        open_to_all(path, suffixes[i], 0444);
    as_nobody(path, read_own_store);
}

/* ---- views and huge texts ---- */

TEST(views_and_writes_are_refused)
{
    struct error e;
    int64_t count;
    AUTO_FREE char *path = foreign("WAL");
    sqlite3 *other;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    run_sql(other, "CREATE VIEW beliefs AS SELECT * FROM raw_entries");
    sqlite3_close(other);
    struct db *db = db_open(path, DB_FOREIGN, &e);
    assert_non_null(db);
    assert_int_equal(db_int(db, &count, 0, &e, "SELECT count(*) FROM beliefs", ""), -1);
    assert_int_equal(db_exec(db, "DELETE FROM raw_entries", &e), -1);
    assert_int_equal(db_exec(db, "ATTACH ':memory:' AS more", &e), -1);
    db_close(db);
}

/* ---- files that are no store ---- */

static void refused(const char *path, enum error_code code, const char *recognised)
{
    struct error e = {0};
    struct store *s = store_open(path, &(struct store_options){.read_only = true}, NULL, &e);
    assert_null(s);
    if (e.code != code)
        fail_msg("%s: %d %s", path, e.code, e.what);
    assert_true(e.what[0] && e.hint[0]);
    assert_string_equal(store_recognise(path), recognised);
}

/* A literal with its length, since it may have NULs. */
#define WRITE(path, literal) scratch_write(path, literal, sizeof(literal) - 1)

TEST(a_file_that_is_no_store_is_refused_with_the_reason)
{
    char *path = scratch_path("nothing");
    refused(path, ERROR_NOT_FOUND, "none");
    WRITE(path, "");
    refused(path, ERROR_INVALID, "other");
    WRITE(path, "this is no database, but it is long enough to be one ..........");
    refused(path, ERROR_STORE, "other");
    WRITE(path, "\n {\"ref\":\"raw:a\",\"text\":\"t\"}\n{");
    refused(path, ERROR_STORE, "jsonl");
    WRITE(path, "{\"text\":\"t\"}\n{\"ref\":\"raw:a\"}");
    refused(path, ERROR_STORE, "other");
    WRITE(path, "SQLite format 3\0 and then garbage");
    refused(path, ERROR_STORE, "other");
    *strrchr(path, '/') = '\0';
    refused(path, ERROR_STORE, "other");
    free(path);
    path = foreign("WAL");
    refused(path, ERROR_INVALID, "kernle");
    free(path);
}

/* ---- creating a store ---- */

static void check_mode(const char *path, const char *suffix, mode_t mode)
{
    char name[4096];
    struct stat file;
    snprintf(name, sizeof(name), "%s%s", path, suffix);
    if (stat(name, &file))
        fail_msg("no %s", name);
    assert_int_equal(file.st_mode & 0777, mode);
}

TEST(a_new_store_belongs_to_its_owner_alone)
{
    umask(0);
    char *base = scratch_path("some"), path[4096];
    snprintf(path, sizeof(path), "%s/where/new.db", base);
    struct store *s = scratch_store(path);
    scratch_put(s, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
        check_mode(path, suffixes[i], 0600);
    store_close(s);
    char head[4096];
    scratch_head(head, sizeof(head), path);
    check_mode(head, "", 0600);
    check_mode(base, "", 0700);
    check_mode(base, "/where", 0700);
    AUTO_FREE char *empty = scratch_path("empty.db");
    scratch_write(empty, "", 0);
    check_mode(empty, "", 0666);
    store_close(scratch_store(empty));
    check_mode(empty, "", 0600);
    umask(022);
    /* The kind of file is in the file itself, though closing made no checkpoint. */
    assert_string_equal(store_recognise(path), "stemma");
    free(base);
}
