/* Namespaces and entries at each earlier event: a reader of the past must answer what was recorded
 * at that time. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/record/entry_row.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/history/past.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tests/support/entries.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

static void add_rows(struct strbuf *out, struct reader *r, const char *name)
{
    struct entry *row;
    size_t count;
    struct error e;
    const char *after = NULL;
    do { /* pages of two */
        if (entry_rows(r, &entries_arena, name, after, 2, 100, &row, &count, &e))
            fail_msg("%s", e.what);
        for (size_t i = 0; i < count; i++)
            strbuf_addf(out, " %s=%s v%lld %lld (%lld bytes)", row[i].key, row[i].value,
                        (long long)row[i].version, (long long)row[i].expires_at,
                        (long long)row[i].bytes);
        after = count ? row[count - 1].key : NULL;
    } while (count == 2);
}

/* All that a reader lists of namespaces, without empty ones. */
static char *said(struct reader *r)
{
    struct strbuf out = STRBUF_INIT;
    struct namespace_row *row;
    size_t count;
    struct error e;
    if (namespace_list(r, &entries_arena, &row, &count, &e))
        fail_msg("%s", e.what);
    for (size_t i = 0; i < count; i++) {
        if (row[i].items + row[i].expired == 0)
            continue;
        strbuf_addf(&out, "%s: %lld items, %lld bytes, %lld expired, %lld:", row[i].name,
                    (long long)row[i].items, (long long)row[i].bytes, (long long)row[i].expired,
                    (long long)row[i].updated_at);
        add_rows(&out, r, row[i].name);
        strbuf_addch(&out, '\n');
    }
    return strbuf_detach(&out, NULL);
}

static void expect_then(int64_t seq, const char *noted)
{
    struct error e;
    struct reader *past = reader_open_past(entries_store, seq, NULL, NULL, &e);
    assert_non_null(past);
    AUTO_FREE char *then = said(past);
    assert_string_equal(then, noted);
    reader_close(past);
}

/* Nothing here expires, so all of the past is kept. */
static void step(struct random *dice)
{
    static const char *const keys[] = {"a", "b", "c", "d"}, *const names[] = {"n", "m.x"};
    static const enum operation ways[] = {OPERATION_FORGET, OPERATION_RETRACT, OPERATION_RESTORE};
    const char *name = names[random_below(dice, 2)], *key = keys[random_below(dice, 4)];
    int64_t node = 1 + random_below(dice, 12);
    char value[32];
    snprintf(value, sizeof(value), "[%u]", random_below(dice, 100000));
    switch (random_below(dice, 5)) {
    case 0:
        entries_delete_as(&entries_person, name, key);
        break;
    case 1:
        entries_operate(ways[random_below(dice, 3)], node);
        break;
    default:
        entries_put_as(&entries_person, name, key, value, -1, NULL, NULL);
    }
}

#define STEPS 60

FIXTURE(entries_set_up, entries_tear_down);

TEST(past_answers_match_what_was_recorded)
{
    struct random dice = {7};
    char *noted[STEPS];
    int64_t seq[STEPS];
    for (int i = 0; i < STEPS; i++) {
        entries_now += 1000;
        step(&dice);
        seq[i] = entries_last();
        noted[i] = said(entries_reader);
    }
    for (int i = 0; i < STEPS; i++) {
        expect_then(seq[i], noted[i]);
        free(noted[i]);
    }
    expect_then(0, "");
}

/* The past shows that the entry existed, but not its value. */
TEST(expired_entries_have_no_value_in_the_past)
{
    struct error e;
    entries_put("n", "key", "\"persimmon\"", 10, NULL, NULL);
    int64_t put = entries_last();
    entries_now += 10000;
    for (int swept = 0; swept < 2; swept++) {
        struct reader *past = reader_open_past(entries_store, put, NULL, NULL, &e);
        assert_non_null(past);
        AUTO_FREE char *then = said(past), *now = said(entries_reader);
        assert_non_null(strstr(then, "n: 1 items"));
        assert_non_null(strstr(then, "key=null v1"));
        assert_non_null(strstr(now, "n: 0 items, 0 bytes, 1 expired"));
        reader_close(past);
        entries_sweep();
    }
}

/* ---- histories ---- */

struct telling {
    struct strbuf out;
    int64_t last; /* last event shown */
};

static int add_revision(void *arg, const struct revision *revision)
{
    struct telling *t = arg;
    const struct memory *m = revision->after;
    if (revision->event.seq <= t->last)
        strbuf_addf(&t->out, "%lld %s %s %s\n", (long long)revision->event.seq,
                    revision->event.operation, m ? status_name(m->status) : "-",
                    m && m->detail ? m->detail : "-");
    return 0;
}

/* The history until that event, newest first. */
static char *told(struct reader *r, int64_t node, int64_t last)
{
    struct telling t = {.out = STRBUF_INIT, .last = last};
    struct error e;
    if (history_walk(r, node, add_revision, &t, &e))
        fail_msg("node %lld until event %lld: %s", (long long)node, (long long)last, e.what);
    return strbuf_detach(&t.out, NULL);
}

static char *told_then(int64_t node, int64_t seq)
{
    struct error e;
    struct reader *past = reader_open_past(entries_store, seq, NULL, NULL, &e);
    assert_non_null(past);
    char *said = told(past, node, seq);
    reader_close(past);
    return said;
}

static void expect_told_then(int64_t node, int64_t seq, const char *expected)
{
    AUTO_FREE char *said = told_then(node, seq);
    assert_string_equal(said, expected);
}

/* Only the version that expired has an expiry. */
TEST(expired_entries_have_their_history)
{
    struct entry_done done;
    char with[200];
    entries_put("n", "key", "1", -1, NULL, &done);
    entries_put("n", "key", "2", 10, NULL, NULL);
    snprintf(with, sizeof(with),
             "2 put active {\"namespace\":\"n\",\"key\":\"key\",\"expires_at\":%lld}\n"
             "1 put active {\"namespace\":\"n\",\"key\":\"key\"}\n",
             (long long)entries_now + 10000);
    entries_now += 10000;
    entries_sweep();
    expect_told_then(done.node, 2, with);
    expect_told_then(done.node, 1, strchr(with, '\n') + 1);
    AUTO_FREE char *now = told(entries_reader, done.node, 2);
    assert_string_equal(now, with);
    entries_put("n", "key", "3", -1, NULL, NULL); /* the key lives again */
    expect_told_then(done.node, 2, with);
}

static void take_any_step(struct random *dice)
{
    static const enum operation ways[] = {OPERATION_FORGET, OPERATION_RETRACT, OPERATION_RESTORE,
                                          OPERATION_LOCK,   OPERATION_PURGE,   OPERATION_UNLOCK};
    static const struct namespace_policy few = {.max_items = 2, .evict_oldest = true};
    static const char *const keys[] = {"a", "b", "c"};
    const char *key = keys[random_below(dice, 3)];
    int64_t node = 1 + random_below(dice, 6);
    switch (random_below(dice, 7)) {
    case 0:
        entries_delete_as(&entries_person, "n", key);
        break;
    case 1:
        entries_operate(ways[random_below(dice, 6)], node);
        break;
    case 2:
        entries_undo(1 + random_below(dice, (uint32_t)entries_last() + 1));
        break;
    case 3:
        entries_now += random_below(dice, 3000);
        entries_sweep();
        break;
    default:
        entries_put_as(&entries_person, "n", key, "1", random_below(dice, 2) ? -1 : 2,
                       random_below(dice, 3) ? NULL : &few, NULL);
    }
}

#define ANY_STEPS 80

/* The history at an earlier event is the present history up to that event. */
TEST(past_histories_are_prefixes_of_the_present)
{
    struct random dice = {20261122};
    struct error e;
    for (int i = 0; i < ANY_STEPS; i++) {
        entries_now++;
        take_any_step(&dice);
    }
    int64_t rows = entries_counted("SELECT max(id) FROM memory"), last = entries_last();
    assert_true(entries_counted("SELECT count(*) FROM event WHERE operation = 'expire'") > 0);
    assert_true(entries_counted("SELECT count(*) FROM event WHERE operation = 'evict'") > 0);
    for (int64_t seq = 1; seq <= last; seq++) {
        struct reader *past = reader_open_past(entries_store, seq, NULL, NULL, &e);
        assert_non_null(past);
        for (int64_t node = 1; node <= rows; node++) {
            AUTO_FREE char *then = told(past, node, seq), *now = told(entries_reader, node, seq);
            assert_string_equal(then, now);
        }
        reader_close(past);
    }
}

/* A reader of the past does not see later writes. */
TEST(later_puts_are_not_in_the_past)
{
    struct error e;
    struct entry_done done;
    entries_put("n", "a", "1", -1, NULL, &done);
    AUTO_FREE char *noted = said(entries_reader);
    struct reader *past = reader_open_past(entries_store, entries_last(), NULL, NULL, &e);
    assert_non_null(past);
    entries_now += 5;
    entries_put("n", "a", "2", -1, NULL, NULL);
    entries_put("n", "b", "3", -1, NULL, NULL);
    char *then = said(past);
    assert_string_equal(then, noted);
    entries_delete("n", "a");
    free(then);
    then = said(past);
    assert_string_equal(then, noted);
    free(then);
    reader_close(past);
}

/* ---- masked ---- */

/* What a masked reader of that time shows for the key. */
static void expect_shown(const struct guard_rules *rules, int64_t node, int64_t seq, bool masked,
                         const char *key)
{
    struct error e;
    struct memory m;
    struct memory_row row;
    struct reader *past = reader_open_past(entries_store, seq, NULL, NULL, &e);
    assert_non_null(past);
    reader_mask(past, rules);
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(reader_begin(past, &e), 0);
        if (memory_row_read(past, &entries_arena, node, &row, &e) ||
            memory_read(past, &entries_arena, node, &m, &e))
            fail_msg("%s", e.what);
        assert_string_equal(row.text, m.text);
        if (masked)
            assert_non_null(strstr(m.text, ENTRY_MASKED_PREFIX));
        else
            assert_string_equal(m.text, key);
        assert_int_equal(strstr(m.detail, key) != NULL, !masked);
        reader_end(past);
    }
    reader_close(past);
}

/* Masked by the key and namespace of that time, not by the present ones. */
TEST(keys_of_the_past_are_masked)
{
    struct error e;
    struct permissions p;
    struct entry_done done;
    static struct namespace_policy off = {.pattern = "off", .pii = PII_OFF};
    permissions_init(&p);
    p.namespaces = &off;
    p.namespace_count = 1;
    struct guard_rules *rules = guard_rules_new(&p, &e);
    assert_non_null(rules);
    entries_put("n", "home_email", "1", -1, NULL, &done);
    int64_t first = entries_last();
    assert_int_equal(entries_edit(done.node, "{\"key\":\"home\"}"), ERROR_NONE);
    int64_t second = entries_last();
    assert_int_equal(entries_edit(done.node, "{\"key\":\"my/token\",\"namespace\":\"off\"}"),
                     ERROR_NONE);
    int64_t third = entries_last();
    assert_int_equal(entries_edit(done.node, "{\"namespace\":\"n\"}"), ERROR_NONE);
    expect_shown(rules, done.node, first, true, "home_email");
    expect_shown(rules, done.node, second, false, "home");
    expect_shown(rules, done.node, third, false, "my/token");
    expect_shown(rules, done.node, entries_last(), true, "my/token");
    guard_rules_release(rules);
}
