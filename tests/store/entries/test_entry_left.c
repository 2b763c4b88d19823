/* Values that were overwritten, edited or undone before they expired are swept when their time
 * comes; the current value stays. */
#include "tests/support/scratch.h"

#include "model/base/strbuf.h"
#include "store/fsck/fsck.h"
#include "store/record/entry_row.h"
#include "store/history/history.h"
#include "store/import/import.h"
#include "store/guard/guard.h"
#include "tests/support/entries.h"
#include "tests/support/findings.h"
#include "tests/support/past.h"
#include "tests/support/test.h"

#define SECRET "persimmon"

static int64_t put(const char *value, int64_t ttl)
{
    struct entry_done done;
    assert_int_equal(entries_put("n", "key", value, ttl, NULL, &done), ERROR_NONE);
    return done.node;
}

static struct memory read_now(int64_t node)
{
    struct memory m;
    struct error e;
    if (memory_read(entries_reader, &entries_arena, node, &m, &e))
        fail_msg("%s", e.what);
    return m;
}

static struct memory read_at(int64_t node, int64_t seq)
{
    struct memory m;
    struct error e;
    if (memory_read_past(entries_reader, &entries_arena, node, seq, &m, &e))
        fail_msg("%s", e.what);
    return m;
}

/* "2 active 7": version, status, value. */
static void say(struct strbuf *out, const struct memory *m)
{
    struct json_slice value;
    if (!m || m->status == STATUS_MISSING) {
        strbuf_addstr(out, "none");
        return;
    }
    entry_value_of(m, &value);
    strbuf_addf(out, "%lld %s %.*s", (long long)m->version, status_name(m->status), (int)value.len,
                value.ptr ? value.ptr : "");
}

static const char *kept(struct strbuf *out)
{
    const char *copy = arena_strdup(&entries_arena, out->len ? out->buf : "");
    strbuf_release(out);
    return copy;
}

static int take(void *arg, const struct revision *revision)
{
    struct strbuf *out = arg;
    strbuf_addf(out, "%s%s ", out->len ? ", " : "", revision->event.operation);
    say(out, revision->after);
    return 0;
}

/* The state after each event, newest first. */
static const char *told(int64_t node)
{
    struct strbuf out = STRBUF_INIT;
    struct error e;
    if (history_walk(entries_reader, node, take, &out, &e))
        fail_msg("%s", e.what);
    return kept(&out);
}

static const char *then(int64_t node, int64_t seq)
{
    struct strbuf out = STRBUF_INIT;
    struct memory m = read_at(node, seq);
    say(&out, &m);
    return kept(&out);
}

/* Advances the clock to the expiry: the value disappears from answers at once, and from the store
 * when swept. */
static void pass(int64_t ms)
{
    struct error e;
    assert_true(entries_rows_with(SECRET) > 0);
    entries_sweep();
    assert_true(entries_rows_with(SECRET) > 0);
    assert_int_equal(entry_next_expiry(entries_reader, &e), entries_now + ms);
    entries_check();
    entries_now += ms;
    entries_sweep();
    assert_int_equal(entries_rows_with(SECRET), 0);
    assert_int_equal(entry_next_expiry(entries_reader, &e), 0);
    entries_check();
}

FIXTURE(entries_set_up, entries_tear_down);

TEST(an_overwritten_value_is_swept_alone)
{
    int64_t node = put("\"" SECRET "\"", 10);
    entries_now += 4000;
    put("2", -1);
    put("3", -1);
    struct memory was = read_now(node);
    pass(6000);
    assert_string_equal(entries_value("n", "key"), "3");
    struct memory m = read_now(node);
    assert_int_equal(m.version, was.version); /* the sweep makes no edit stale */
    assert_int_equal(m.updated_at, was.updated_at);
    assert_string_equal(told(node),
                        "sweep 3 active 3, put 3 active 3, put 2 active 2, put 1 active ");
    assert_string_equal(then(node, 2), "2 active 2");
    assert_string_equal(then(node, 1), "1 active ");
    int64_t events = entries_last();
    entries_sweep();
    assert_int_equal(entries_last(), events); /* swept only once */
}

TEST(each_value_expires_at_its_own_time)
{
    int64_t node = put("1", 5);
    put("2", -1);
    put("\"" SECRET "\"", 10);
    put("4", -1);
    entries_now += 5000;
    entries_sweep();
    assert_string_equal(told(node), "sweep 4 active 4, put 4 active 4, put 3 active \"" SECRET "\","
                                    " put 2 active 2, put 1 active ");
    pass(5000);
    assert_string_equal(told(node), "sweep 4 active 4, sweep 4 active 4, put 4 active 4,"
                                    " put 3 active , put 2 active , put 1 active ");
    assert_int_equal(entries_counted("SELECT count(*) FROM event WHERE operation = 'sweep'"), 2);
}

/* ---- imports ---- */

static void import_line(const char *value, const char *expires, int64_t updated)
{
    struct error e;
    AUTO_STRBUF line = STRBUF_INIT;
    struct import_options options = {.agent = "ash", .actor = "ann"};
    struct import_summary summary = {0};
    char source[4096];
    snprintf(source, sizeof(source), "%s.jsonl", entries_path());
    strbuf_addf(&line,
                "{\"ref\":\"entry:x\",\"agent_id\":\"bo\",\"created_at\":5,\"text\":\"key\","
                "\"detail\":{\"namespace\":\"n\",\"key\":\"key\",\"value\":%s%s}}\n",
                value, expires);
    scratch_write(source, line.buf, line.len);
    if (import_source_run(&jsonl_format, entries_store, source, &options, &summary, &e))
        fail_msg("%s", e.what);
    assert_int_equal(summary.added, updated == 0);
    assert_int_equal(summary.updated, updated);
}

/* The source has a new value: the old one is swept at its time, and later changes are still
 * imported. */
TEST(what_an_import_replaced_is_swept)
{
    AUTO_STRBUF expires = STRBUF_INIT;
    strbuf_addf(&expires, ",\"expires_at\":%lld", (long long)entries_now + 10000);
    import_line("\"" SECRET "\"", expires.buf, 0);
    import_line("2", "", 1);
    pass(10000);
    assert_string_equal(entries_value("n", "key"), "2");
    import_line("3", "", 1);
    assert_string_equal(entries_value("n", "key"), "3");
    entries_check();
}

/* ---- fsck ---- */

static int64_t findings(void)
{
    struct findings found = {.total = 0};
    struct fsck_summary summary;
    struct error e;
    assert_int_equal(store_fsck(entries_reader, findings_note, NULL, &found, &summary, &e), 0);
    return summary.findings;
}

static int alter(struct txn *t, void *arg, struct error *e)
{
    return db_exec(txn_db(t), arg, e);
}

TEST(altered_expiries_are_reported)
{
    static const char *const sql[] = {
        "UPDATE event SET expires = NULL WHERE seq = 5",
        "UPDATE event SET expires = expires + 1 WHERE seq = 5",
        "UPDATE event SET expires = 7 WHERE seq = 1", /* of the swept value */
        "UPDATE event SET expires = 7 WHERE seq = 4", /* its patch has no value */
        "UPDATE event SET patch = NULL, salt = NULL, expires = NULL WHERE seq = 5",
        "UPDATE event SET patch = NULL, salt = NULL WHERE operation = 'sweep'",
    };
    put("1", 5);
    put("2", -1);
    entries_now += 5000;
    entries_sweep();
    put("4", 20);
    put("5", -1);
    assert_int_equal(entries_counted("SELECT expires IS NOT NULL FROM event WHERE seq = 5"), 1);
    for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++) {
        struct error e;
        assert_int_equal(findings(), 0);
        assert_int_equal(
            store_run(entries_store, alter,
                      "CREATE TEMP TABLE kept AS SELECT seq, patch, salt, expires FROM event", &e),
            0);
        assert_int_equal(store_run(entries_store, alter, (void *)sql[i], &e), 0);
        if (findings() == 0)
            fail_msg("nothing was reported of %s", sql[i]);
        assert_int_equal(
            store_run(entries_store, alter,
                      "UPDATE event SET patch = k.patch, salt = k.salt, expires = k.expires"
                      " FROM kept k WHERE k.seq = event.seq; DROP TABLE kept",
                      &e),
            0);
    }
}

/* The history is longer than the walk keeps in memory. */
TEST(a_long_history_is_swept_to_its_start)
{
    struct error e;
    AUTO_STRBUF value = STRBUF_INIT;
    for (int i = 0; i < 60; i++) {
        strbuf_clear(&value);
        strbuf_addf(&value, "\"%060000d\"", i);
        put(value.buf, 100 + i);
    }
    assert_int_equal(entries_counted("SELECT count(expires) FROM event"), 59);
    assert_int_equal(findings(), 0);
    assert_int_equal(store_run(entries_store, alter,
                               "UPDATE event SET expires = expires + 1 WHERE seq IN (2, 30)", &e),
                     0);
    assert_int_equal(findings(), 2);
}
