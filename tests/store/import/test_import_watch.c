/* Watching a source: reports its changes and nothing else. */
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "tests/support/scratch.h"
#include "tests/support/kernle_fixture.h"
#include "tests/support/test.h"

struct watched {
    char *source, *path;
    struct store *store;
    struct import_watch *watch;
};

static void make_source(const char *path)
{
    kernle_sql(path, "CREATE TABLE schema_version(version INTEGER PRIMARY KEY);"
                     "INSERT INTO schema_version VALUES (26);"
                     "CREATE TABLE notes(id, stack_id, content, created_at, local_updated_at)");
}

static void begin(struct watched *w)
{
    struct error e = {0};
    *w = (struct watched){.source = scratch_path("memories.db"), .path = scratch_path("store.db")};
    make_source(w->source);
    w->store = kernle_target(w->path);
    w->watch = import_watch_open(w->source, &e);
    assert_non_null(w->watch);
}

static void end(struct watched *w)
{
    import_watch_close(w->watch);
    store_close(w->store);
    free(w->source);
    free(w->path);
}

/* Returns true if a change is reported soon. */
static bool has_changes(struct watched *w)
{
    struct pollfd fd = {.fd = import_watch_fd(w->watch), .events = POLLIN};
    return poll(&fd, 1, 5000) == 1; /* at once, or within a second if files are polled */
}

TEST(test_changes_are_reported)
{
    struct watched w;
    begin(&w);
    assert_int_equal(import_watch_changed(w.watch), 0);
    kernle_sql(w.source, "INSERT INTO notes(id, stack_id, content, created_at, local_updated_at)"
                         " VALUES ('n', 'ash', 'a', '2026-01-01', '2026-01-01')");
    assert_true(has_changes(&w));
    assert_int_equal(import_watch_changed(w.watch), 1);
    assert_int_equal(import_watch_changed(w.watch), 0);
    end(&w);
}

/* In WAL mode the file itself changes only at a checkpoint. */
TEST(test_changes_in_the_log_are_reported)
{
    struct watched w;
    sqlite3 *db;
    begin(&w);
    assert_int_equal(sqlite3_open(w.source, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    import_watch_changed(w.watch);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            sqlite3_exec(db, "UPDATE schema_version SET version = version", NULL, NULL, NULL),
            SQLITE_OK);
        assert_true(has_changes(&w));
        assert_int_equal(import_watch_changed(w.watch), 1);
    }
    sqlite3_close(db);
    end(&w);
}

/* Importing must not count as a change, or it would never end. */
TEST(test_importing_is_no_change)
{
    struct watched w;
    struct imported import;
    sqlite3 *db;
    begin(&w);
    import_kernle_from(&import, w.store, w.source, NULL);
    imported_release(&import);
    assert_int_equal(import_watch_changed(w.watch), 0);
    assert_int_equal(sqlite3_open(w.source, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA journal_mode = WAL; UPDATE schema_version SET version = 26", NULL,
                 NULL, NULL);
    assert_int_equal(import_watch_changed(w.watch), 1);
    import_kernle_from(&import, w.store, w.source, NULL);
    imported_release(&import);
    assert_int_equal(import_watch_changed(w.watch), 0);
    sqlite3_close(db);
    /* Without other connections, SQLite creates and removes a log each time. */
    assert_int_equal(import_watch_changed(w.watch), 1);
    for (int i = 0; i < 3; i++) {
        import_kernle_from(&import, w.store, w.source, NULL);
        imported_release(&import);
        assert_int_equal(import_watch_changed(w.watch), 0);
    }
    end(&w);
}

TEST(test_other_files_are_ignored)
{
    struct watched w;
    AUTO_STRBUF other = STRBUF_INIT;
    begin(&w);
    strbuf_addf(&other, "%s.bak", w.source);
    scratch_write(other.buf, "x", 1);
    assert_int_equal(import_watch_changed(w.watch), 0);
    end(&w);
}

TEST(test_missing_and_restored)
{
    struct watched w;
    begin(&w);
    unlink(w.source);
    assert_true(has_changes(&w));
    assert_int_equal(import_watch_changed(w.watch), -1);
    assert_int_equal(import_watch_changed(w.watch), -1);
    make_source(w.source);
    assert_true(has_changes(&w));
    assert_int_equal(import_watch_changed(w.watch), 1);
    assert_int_equal(import_watch_changed(w.watch), 0);
    end(&w);
}

/* A folder is watched as deep as its format reads it. */
TEST(test_a_deep_file_is_reported)
{
    struct error e = {0};
    AUTO_FREE char *root = scratch_path("notes");
    AUTO_STRBUF path = STRBUF_INIT;
    strbuf_addstr(&path, root);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(mkdir(path.buf, 0700), 0);
        strbuf_addstr(&path, "/d");
    }
    scratch_write(path.buf, "x", 1);
    struct import_watch *watch = import_watch_open(root, &e);
    assert_non_null(watch);
    assert_int_equal(import_watch_changed(watch), 0);
    scratch_write(path.buf, "xy", 2);
    assert_int_equal(import_watch_changed(watch), 1);
    assert_int_equal(import_watch_changed(watch), 0);
    import_watch_close(watch);
}

/* How many watches of Linux a descriptor has; 0 if it is none of inotify. */
static int count_watches(int fd)
{
    char line[256];
    int count = 0;
    AUTO_ARENA arena = ARENA_INIT;
    FILE *info = fopen(arena_format(&arena, "/proc/self/fdinfo/%d", fd), "r");
    while (info && fgets(line, sizeof(line), info))
        count += strncmp(line, "inotify ", 8) == 0;
    if (info)
        fclose(info);
    return count;
}

/* Watches are limited, so a folder with many files takes one where that is enough. */
TEST(test_a_folder_takes_one_watch)
{
    struct error e = {0};
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_FREE char *root = scratch_path("notes");
    assert_int_equal(mkdir(root, 0700), 0);
    for (int i = 0; i < 9; i++)
        scratch_write(arena_format(&arena, "%s/%d.md", root, i), "x", 1);
    struct watched w = {.watch = import_watch_open(root, &e)};
    assert_non_null(w.watch);
    assert_true(count_watches(import_watch_fd(w.watch)) <= 1);
    for (int i = 0; i < 9; i++) {
        scratch_write(arena_format(&arena, "%s/%d.md", root, i), "xy", 2);
        assert_true(has_changes(&w));
        assert_int_equal(import_watch_changed(w.watch), 1);
    }
    import_watch_close(w.watch);
}

/* What is in .git is not listed, but a commit is history of the notes. */
TEST(test_a_commit_is_reported)
{
    struct error e = {0};
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_FREE char *root = scratch_path("notes");
    static const char *const folders[] = {"", "/.git", "/.git/logs"};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(mkdir(arena_format(&arena, "%s%s", root, folders[i]), 0700), 0);
    scratch_write(arena_format(&arena, "%s/a.md", root), "a", 1);
    struct watched w = {.watch = import_watch_open(root, &e)};
    assert_non_null(w.watch);
    for (size_t len = 1; len < 3; len++) {
        scratch_write(arena_format(&arena, "%s/.git/logs/HEAD", root), "xx", len);
        assert_true(has_changes(&w));
        assert_int_equal(import_watch_changed(w.watch), 1);
        assert_int_equal(import_watch_changed(w.watch), 0);
    }
    scratch_write(arena_format(&arena, "%s/.git/index", root), "x", 1);
    assert_int_equal(import_watch_changed(w.watch), 0);
    scratch_write(arena_format(&arena, "%s/a.md", root), "ab", 2);
    assert_true(has_changes(&w));
    assert_int_equal(import_watch_changed(w.watch), 1);
    import_watch_close(w.watch);
}

/* Without a descriptor nothing wakes the caller, who then looks every second. */
TEST(test_no_descriptor_is_left)
{
    struct error e = {0};
    struct rlimit limit, none;
    AUTO_FREE char *path = scratch_path("memories.jsonl");
    scratch_write(path, "x", 1);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    struct import_watch *watch = import_watch_open(path, &e);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_non_null(watch);
    assert_int_equal(import_watch_fd(watch), -1);
    assert_int_equal(import_watch_timeout(watch), 1000);
    scratch_write(path, "xy", 2);
    assert_int_equal(import_watch_changed(watch), 1);
    import_watch_close(watch);
}

TEST(test_no_such_source)
{
    struct error e = {0};
    assert_null(import_watch_open("/nonexistent/memories.db", &e));
    assert_int_equal(e.code, ERROR_STORE);
    import_watch_close(NULL);
}
