/* What is swept: entries that were removed before they expired, imported ones, overwritten or
 * edited ones. Also which expiry an edit may set. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/import/import.h"
#include "tests/support/entries.h"
#include "tests/support/past.h"
#include "tests/support/test.h"

#define SECRET "persimmon"

static struct memory read_at(int64_t node, int64_t seq)
{
    struct memory m;
    struct error e;
    if (memory_read_past(entries_reader, &entries_arena, node, seq, &m, &e))
        fail_msg("%s", e.what);
    return m;
}

static int take_status(void *arg, const struct revision *revision)
{
    char *out = arg;
    size_t len = strlen(out);
    snprintf(out + len, 200 - len, "%s%s", len ? " " : "",
             revision->after ? status_name(revision->after->status) : "-");
    return 0;
}

/* The statuses of all versions, newest first. */
static const char *statuses(int64_t node)
{
    static char out[200];
    struct error e;
    out[0] = '\0';
    assert_int_equal(history_walk(entries_reader, node, take_status, out, &e), 0);
    return out;
}

FIXTURE(entries_set_up, entries_tear_down);

TEST(removed_entries_are_swept_and_stay_removed)
{
    static const enum operation ways[] = {OPERATION_FORGET, OPERATION_RETRACT, OPERATION_COUNT};
    static const enum status left[] = {STATUS_FORGOTTEN, STATUS_RETRACTED, STATUS_DELETED};
    for (size_t i = 0; i < 3; i++) {
        struct entry_done done;
        struct memory m;
        struct error e;
        entries_put("n", "key", "\"" SECRET "\"", 10, NULL, &done);
        int64_t put = entries_last();
        if (ways[i] == OPERATION_COUNT)
            assert_int_equal(entries_delete("n", "key"), ERROR_NONE);
        else
            assert_int_equal(entries_operate(ways[i], done.node), ERROR_NONE);
        assert_int_equal(entry_next_expiry(entries_reader, &e), entries_now + 10000);
        entries_sweep();
        assert_true(entries_rows_with(SECRET) > 0);
        entries_now += 10000;
        entries_sweep();
        assert_int_equal(entries_rows_with(SECRET), 0);
        assert_int_equal(entry_next_expiry(entries_reader, &e), 0);
        assert_int_equal(memory_read(entries_reader, &entries_arena, done.node, &m, &e), 0);
        assert_int_equal(m.status, left[i]);
        assert_int_equal(read_at(done.node, put).status, STATUS_ACTIVE);
        assert_int_equal(read_at(done.node, put + 1).status, left[i]);
        entries_check();
        int64_t events = entries_last();
        entries_sweep();
        assert_int_equal(entries_last(), events); /* swept only once */
        entries_operate(OPERATION_PURGE, done.node);
        entries_check();
    }
}

TEST(restored_entries_have_no_value)
{
    struct entry_done done;
    entries_put("n", "key", "\"" SECRET "\"", 10, NULL, &done);
    entries_operate(OPERATION_FORGET, done.node);
    entries_now += 10000;
    entries_sweep();
    assert_string_equal(statuses(done.node), "forgotten forgotten active");
    assert_int_equal(entries_operate(OPERATION_RESTORE, done.node), ERROR_NONE);
    assert_null(entries_value("n", "key"));
    entries_check();
    entries_sweep();
    assert_int_equal(entries_rows_with(SECRET), 0);
    assert_null(entries_value("n", "key"));
    entries_check();
    assert_int_equal(entries_put("n", "key", "2", -1, NULL, NULL), ERROR_NONE);
    assert_string_equal(entries_value("n", "key"), "2");
    entries_check();
}

static void import_line(const char *ref, const char *members, const char *detail)
{
    struct error e;
    AUTO_STRBUF line = STRBUF_INIT;
    struct import_options options = {.agent = "ash", .actor = "ann"};
    struct import_summary summary = {0};
    AUTO_FREE char *source = scratch_path(ref);
    strbuf_addf(&line,
                "{\"ref\":\"entry:%s\",\"agent_id\":\"bo\",\"created_at\":5,\"text\":\"key\"%s,"
                "\"detail\":{\"namespace\":\"n\",\"key\":\"key\",\"value\":\"" SECRET "\"%s}}\n",
                ref, members, detail);
    scratch_write(source, line.buf, line.len);
    if (import_source_run(&jsonl_format, entries_store, source, &options, &summary, &e))
        fail_msg("%s", e.what);
    assert_int_equal(summary.added, 1);
}

static void expect_imported_is_swept(int64_t node)
{
    struct error e;
    struct memory m;
    assert_int_equal(memory_read(entries_reader, &entries_arena, node, &m, &e), 0);
    assert_null(strstr(m.detail, SECRET));
    assert_null(entries_value("n", "key"));
    entries_check();
    entries_sweep();
    assert_int_equal(entries_rows_with(SECRET), 0);
    entries_check();
}

TEST(imported_expired_entries_are_swept)
{
    import_line("x", ",\"status\":\"expired\"", "");
    expect_imported_is_swept(entries_counted("SELECT id FROM memory WHERE name = 'x'"));
}

TEST(expiries_are_validated)
{
    static const char *const wrong[] = {
        "{\"expires_at\":1.5}",        "{\"expires_at\":\"tomorrow\"}",
        "{\"expires_at\":-1}",         "{\"expires_at\":0}",
        "{\"expires_at\":1900000000}", "{\"expires_at\":253402300800000}",
        "{\"expires_at\":1e30}",       "{\"expires_at\":9007199254740993}"};
    struct entry_done done;
    entries_put("n", "key", "1", -1, NULL, &done);
    int64_t events = entries_last();
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        if (entries_edit(done.node, wrong[i]) != ERROR_INVALID)
            fail_msg("%s was accepted", wrong[i]);
    assert_int_equal(entries_last(), events);
    assert_int_equal(entries_edit(done.node, "{\"expires_at\":1900000000000}"), ERROR_NONE);
    assert_int_equal(entries_edit(done.node, "{\"expires_at\":null}"), ERROR_NONE);
    assert_string_equal(entries_value("n", "key"), "1");
    entries_check();
}

/* How often the secret occurs in a file; 0 if there is no such file. */
static size_t in_file(const char *ending)
{
    char path[4096];
    size_t found = 0, len = sizeof(SECRET) - 1, room = 64u << 20;
    AUTO_FREE char *bytes = malloc(room);
    snprintf(path, sizeof(path), "%s%s", entries_path(), ending);
    FILE *f = fopen(path, "rb");
    size_t got = f ? fread(bytes, 1, room, f) : 0;
    for (size_t i = 0; i + len <= got; i++)
        found += memcmp(bytes + i, SECRET, len) == 0;
    if (f)
        fclose(f);
    return found;
}

TEST(swept_values_are_in_no_file)
{
    entries_put("n", "key", "\"" SECRET "\"", 10, NULL, NULL);
    assert_true(in_file("-wal") > 0);
    entries_now += 10000;
    entries_sweep();
    for (int i = 0; in_file("-wal") > 0; i++) { /* shortly after */
        if (i > 1000)
            fail_msg("it stands in the log still");
        usleep(20000);
    }
    assert_int_equal(in_file(""), 0);
    entries_put("n", "key", "\"" SECRET "\"", 10, NULL, NULL);
    entries_now += 10000;
    entries_sweep();
    entries_reopen(); /* closing does not wait for the next sweep */
    assert_int_equal(in_file("-wal") + in_file(""), 0);
    entries_put("n", "key", "\"" SECRET "\"", 10, NULL, NULL);
    entries_put("n", "key", "2", -1, NULL, NULL);
    entries_now += 10000;
    entries_sweep();
    entries_reopen();
    assert_int_equal(in_file("-wal") + in_file(""), 0);
}
