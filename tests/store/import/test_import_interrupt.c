/* An import that is stopped or killed leaves a valid store, and the next import completes it. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "tests/support/scratch.h"
#include "tests/support/kernle_fixture.h"
#include "store/db/db.h"
#include "store/open.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

#define LINES 17000 /* more than two slices for an empty store, many for another */

/* Each line is a note derived from the previous one. */
static char *write_file(void)
{
    AUTO_STRBUF lines = STRBUF_INIT;
    char *path = scratch_path("lines.jsonl");
    for (int i = 0; i < LINES; i++)
        strbuf_addf(&lines,
                    "{\"ref\":\"note:%06d\",\"agent_id\":\"ash\",\"text\":\"note %d\","
                    "\"created_at\":%d,\"derived_from\":[\"note:%06d\"]}\n",
                    i, i, 1700000000 + i, i ? i - 1 : LINES);
    scratch_write(path, lines.buf, lines.len);
    return path;
}

static int64_t count_of(struct store *s, const char *sql)
{
    int64_t value;
    struct error e = {0};
    struct reader *r = reader_open(s, &e);
    assert_int_equal(db_int(reader_db(r), &value, 0, &e, sql, ""), 0);
    reader_close(r);
    return value;
}

static const char indexes_sql[] = "SELECT count(*) FROM sqlite_schema WHERE type = 'index'"
                                  " AND sql LIKE 'CREATE INDEX%'";
static int64_t indexes; /* number of indexes of a store */
static char *whole;     /* the export after an uninterrupted import */
static char *file;

static int make_whole(void **state)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct imported import;
    file = write_file();
    struct store *s = kernle_target(path);
    indexes = count_of(s, indexes_sql);
    import_lines_from(&import, s, file, NULL);
    assert_int_equal(import.summary.added, LINES);
    imported_release(&import);
    whole = exported(s);
    store_close(s);
    return 0;
}

static int free_whole(void **state)
{
    free(whole);
    free(file);
    return 0;
}

static const char memories_sql[] = "SELECT count(*) FROM memory WHERE status <> 7";

/* Completes the import and compares. */
static void complete(struct store *s, const char *source)
{
    struct imported import;
    import_lines_from(&import, s, source, NULL);
    assert_int_equal(import.summary.read, LINES);
    assert_int_equal(import.summary.added + import.summary.unchanged, LINES);
    assert_int_equal(import.summary.refused + import.summary.conflicts, 0);
    assert_int_equal(import.summary.unresolved, 1);
    imported_release(&import);
    AUTO_FREE char *all = exported(s);
    assert_true(strcmp(all, whole) == 0);
    expect_sound_store(s);
}

static int64_t stop_at;
static int stop(void *arg, int64_t done, int64_t total)
{
    return done * 100 >= total * stop_at;
}

/* `before` is the content of the store, or NULL. */
static void check_stopped(int64_t percent, bool live)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct imported import;
    struct import_options options = {.progress = stop};
    struct store *s = kernle_target(path);
    if (live)
        import_lines(&import, s,
                     "{\"ref\":\"note:000007\",\"agent_id\":\"ash\",\"text\":\"note 7\","
                     "\"created_at\":1700000007,\"derived_from\":[\"note:000006\"]}",
                     NULL);
    if (live)
        imported_release(&import);
    stop_at = percent;
    import_lines_from(&import, s, file, &options);
    assert_int_equal(import.result, -1);
    assert_int_equal(import.error.code, ERROR_INTERRUPTED);
    int64_t there = count_of(s, memories_sql);
    assert_true(there < LINES);
    assert_int_equal(import.summary.added + live, there);
    assert_int_equal(count_of(s, indexes_sql), indexes);
    expect_sound_store(s);
    imported_release(&import);
    complete(s, file);
    store_close(s);
}

GROUP(make_whole, free_whole);

TEST(test_stopped)
{
    check_stopped(0, false);
    check_stopped(99, false);
    check_stopped(50, true);
}

/* ---- one record that becomes many memories ---- */

#define PARAGRAPHS 3000

static int asked, asked_max;
static int ask(void *arg, int64_t done, int64_t total)
{
    return ++asked > asked_max;
}

/* Returns the memories of the store. */
static int64_t import_agent(struct store *s, const char *path, int most, bool completes)
{
    struct import_options options = {.actor = "sean", .progress = ask};
    struct import_summary summary;
    struct error e = {0};
    asked = 0;
    asked_max = most;
    assert_int_equal(import_source_run(&af_format, s, path, &options, &summary, &e),
                     completes ? 0 : -1);
    assert_int_equal(e.code, completes ? ERROR_NONE : ERROR_INTERRUPTED);
    return count_of(s, memories_sql);
}

TEST(test_stopped_within_a_record)
{
    AUTO_FREE char *source = scratch_path("ash.af"), *path = scratch_path("agent.db");
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_addstr(&text, "{\"agents\":[{\"id\":\"a\",\"block_ids\":[\"b\",\"b\"]}],\"blocks\":[{"
                         "\"id\":\"b\",\"label\":\"l\",\"value\":\"");
    for (int i = 0; i < PARAGRAPHS; i++)
        strbuf_addf(&text, "paragraph %d\\n\\n", i);
    strbuf_addstr(&text, "\"}]}");
    scratch_write(source, text.buf, text.len);
    struct store *s = kernle_target(path);
    int64_t there = import_agent(s, source, 7, false);
    assert_true(there > 0 && there < PARAGRAPHS);
    assert_int_equal(import_agent(s, source, 1000, true), PARAGRAPHS);
    assert_true(asked >= PARAGRAPHS / 500);
    store_close(s);
}

/* ---- killed ---- */

static int kill_self(void *arg, int64_t done, int64_t total)
{
    if (stop(arg, done, total))
        kill(getpid(), SIGKILL);
    return 0;
}

static void check_killed(int64_t percent)
{
    AUTO_FREE char *path = scratch_path("store.db");
    int status;
    stop_at = percent;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct import_options options = {.progress = kill_self};
        struct import_summary summary;
        struct error e;
        import_source_run(&jsonl_format, kernle_target(path), file, &options, &summary, &e);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    struct store *s = kernle_target(path);
    int64_t there = count_of(s, memories_sql);
    assert_int_equal(there, 0); /* it was one transaction */
    assert_int_equal(count_of(s, indexes_sql), indexes);
    complete(s, file);
    assert_int_equal(count_of(s, indexes_sql), indexes);
    store_close(s);
}

TEST(test_killed)
{
    check_killed(55);
    check_killed(97);
}

/* ---- other readers ---- */

struct onlooker {
    struct store *store;
    int64_t looks;
};

/* A reader during the import finds every index. `arg` belongs to the test. */
static struct onlooker onlooker;
static int look(void *arg, int64_t done, int64_t total)
{
    (void)arg, (void)done, (void)total;
    assert_int_equal(count_of(onlooker.store, indexes_sql), indexes);
    onlooker.looks++;
    return 0;
}

TEST(test_other_readers)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct imported import;
    struct store *s = kernle_target(path);
    onlooker = (struct onlooker){.store = kernle_target(path)};
    import_lines_from(&import, s, file, &(struct import_options){.progress = look});
    assert_int_equal(import.result, 0);
    assert_int_equal(import.summary.added, LINES);
    assert_true(onlooker.looks > 1);
    imported_release(&import);
    store_close(onlooker.store);
    store_close(s);
}

static int stop_at_once(void *arg, int64_t done, int64_t total)
{
    return done >= 0 && total >= 0;
}

TEST(test_kernle_stopped)
{
    AUTO_FREE char *path = scratch_path("store.db"), *other = scratch_path("store.db");
    AUTO_FREE char *source = scratch_path("memories.db");
    struct import_options options = {.progress = stop_at_once};
    struct imported import;
    scratch_copy("tests/data/kernle-1000.db", source);
    struct store *s = kernle_target(path), *unstopped = kernle_target(other);
    import_kernle_from(&import, s, source, &options);
    assert_int_equal(import.error.code, ERROR_INTERRUPTED);
    assert_int_equal(count_of(s, memories_sql), 0);
    imported_release(&import);
    options.progress = stop;
    stop_at = 90;
    import_kernle_from(&import, s, source, &options);
    assert_int_equal(import.error.code, ERROR_INTERRUPTED);
    imported_release(&import);
    import_kernle_from(&import, s, source, NULL);
    imported_release(&import);
    import_kernle_from(&import, unstopped, source, NULL);
    imported_release(&import);
    AUTO_FREE char *a = exported(s), *b = exported(unstopped);
    assert_true(strcmp(a, b) == 0);
    store_close(s);
    store_close(unstopped);
}

/* ---- endless sources ---- */

static int stop_in_a_while(void *arg, int64_t done, int64_t total)
{
    return done > 3 * 1000 * 1000;
}

/* A line and a value that never end: the import can be stopped, and memory is limited. */
TEST(test_endless_source)
{
    AUTO_FREE char *path = scratch_path("store.db");
    struct import_options options = {.progress = stop_in_a_while};
    struct import_summary summary;
    struct error e = {0};
    struct store *s = kernle_target(path);
    assert_int_equal(import_source_run(&cot_format, s, "/dev/zero", &options, &summary, &e), -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    assert_int_equal(import_source_run(&jsonl_format, s, "/dev/zero", &options, &summary, &e), -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    store_close(s);
}

/* Lines, then one that never ends: the complete lines are imported. */
TEST(test_endless_stream)
{
    char *path = scratch_path("store.db"), stream[32];
    int ends[2];
    static const char whole_line[] =
        "{\"ref\":\"note:whole\",\"agent_id\":\"ash\",\"text\":\"a whole one\",\"created_at\":1}\n";
    struct import_options options = {.progress = stop_in_a_while};
    struct import_summary summary;
    struct error e = {0};
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    if (writer == 0) {
        close(ends[0]);
        signal(SIGPIPE, SIG_DFL);
        bool going = write(ends[1], whole_line, sizeof(whole_line) - 1) > 0;
        while (going)
            going = write(ends[1], "{{{{{{{{{{{{{{{{", 16) > 0;
        _exit(0);
    }
    close(ends[1]);
    snprintf(stream, sizeof(stream), "/dev/fd/%d", ends[0]);
    struct store *s = kernle_target(path);
    assert_int_equal(import_source_run(&jsonl_format, s, stream, &options, &summary, &e), -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    assert_int_equal(count_of(s, memories_sql), 1);
    close(ends[0]);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    store_close(s);
    free(path);
}
