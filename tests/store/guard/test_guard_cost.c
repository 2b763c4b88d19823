/* Memories of others cost a guarded agent nothing. Counting its own memories stops at a limit, and
 * the answer says so. */
#include "model/base/alloc.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/journal/journal.h"
#include "store/query/known_names.h"
#include "store/db/reader.h"
#include "store/query/ref.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define HIDDEN   3000
#define VM_STEPS 2500 /* fewer than a walk over these rows takes */
#define SEEN     (KNOWN_NAMES_READ_MAX + 1)

static struct fixture f;
static struct guard_rules *rules;

/* Stores `count` memories whose ids have the same prefix. */
static void put_many(const char *agent, const char *beginning, size_t count)
{
    char **line = xcalloc(count, sizeof(*line));
    for (size_t i = 0; i < count; i++)
        assert_true(asprintf(&line[i],
                             "{\"ref\":\"raw:%s%05zu\",\"agent_id\":\"%s\",\"text\":\"t\","
                             "\"created_at\":%zu}",
                             beginning, i, agent, i) > 0);
    fixture_put_lines(&f, (const char *const *)line, count);
    for (size_t i = 0; i < count; i++)
        free(line[i]);
    free(line);
}

static int setup(void **state)
{
    struct error e;
    struct permissions p;
    fixture_open(&f);
    fixture_put(&f,
                "{\"ref\":\"raw:aaaa-own\",\"agent_id\":\"ash\",\"text\":\"mine\","
                "\"derived_from\":[\"note:aaaa-stub\"]}",
                NULL);
    put_many("zoe", "aaaa", HIDDEN);
    permissions_init(&p);
    rules = guard_rules_new(&p, &e);
    assert_non_null(rules);
    return 0;
}

static int teardown(void **state)
{
    guard_rules_release(rules);
    fixture_close(&f);
    return 0;
}

static void begin_as(const struct guard *guard, int64_t steps)
{
    reader_guard(f.reader, guard);
    reader_limit(f.reader, steps);
}

static void end(void)
{
    reader_limit(f.reader, 0);
    reader_guard(f.reader, NULL);
}

static void expect_ids(unsigned kinds, const char *prefix, size_t wanted, int64_t total)
{
    struct error e = {0};
    struct ref refs[KNOWN_NAMES_MAX];
    size_t count;
    int64_t all;
    if (known_ids(f.reader, kinds, prefix, &f.arena, refs, &count, &all, &e))
        fail_msg("%s", e.what);
    assert_int_equal(count, wanted);
    assert_int_equal(all, total);
}

FIXTURE(setup, teardown);

/* Resolves the prefix in each way, within the limit of steps. */
TEST(ids_are_found_among_those_of_others)
{
    static const char *const agents[] = {"ash", "nobody-yet"};
    for (size_t i = 0; i < 2; i++) {
        const struct guard guard = {.rules = rules, .agent = agents[i]};
        struct error e = {0};
        begin_as(&guard, VM_STEPS);
        expect_ids(KINDS_ALL, "a", i ? 0 : 1, i ? 0 : 1);
        reader_limit(f.reader, VM_STEPS);
        expect_ids(KIND_BIT(KIND_RAW), "aaaa", i ? 0 : 1, i ? 0 : 1);
        reader_limit(f.reader, VM_STEPS);
        int64_t row = ref_resolve(f.reader, "raw:aaaa", &e);
        assert_int_equal(row, i ? -1 : fixture_row(&f, "raw:aaaa-own"));
        assert_int_equal(e.code, i ? ERROR_NOT_FOUND : ERROR_NONE);
        reader_limit(f.reader, VM_STEPS);
        row = ref_resolve(f.reader, "aaaa", &e);
        /* a stub gives way to a real memory */
        assert_int_equal(row, fixture_row(&f, i ? "note:aaaa-stub" : "raw:aaaa-own"));
        reader_limit(f.reader, VM_STEPS);
        assert_int_equal(ref_resolve(f.reader, "note:aaaa-st", &e), /* a stub has no owner */
                         fixture_row(&f, "note:aaaa-stub"));
        end();
    }
}

static void expect_latest(int64_t after, const char *agent, size_t wanted, const char *newest)
{
    struct error e = {0};
    struct latest_change found[100];
    size_t count;
    if (list_latest_changes(f.reader, after, agent, 100, found, &count, &e))
        fail_msg("%s", e.what);
    assert_int_equal(count, wanted);
    if (newest)
        assert_string_equal(fixture_ref(&f, found[0].node), newest);
}

TEST(changes_are_found_among_those_of_others)
{
    struct error e;
    const struct guard ash = {.rules = rules, .agent = "ash"};
    int64_t last = journal_last(f.reader, &e);
    begin_as(&ash, VM_STEPS);
    expect_latest(0, NULL, 1, "raw:aaaa-own");
    reader_limit(f.reader, VM_STEPS);
    expect_latest(0, "ash", 1, "raw:aaaa-own");
    reader_limit(f.reader, VM_STEPS);
    expect_latest(0, "zoe", 0, NULL);
    end();
    char newest[30]; /* an unguarded reader does not walk the journal either */
    snprintf(newest, sizeof(newest), "raw:aaaa%05d", HIDDEN - 1);
    reader_limit(f.reader, VM_STEPS);
    expect_latest(0, NULL, 100, newest);
    reader_limit(f.reader, VM_STEPS);
    expect_latest(last - 2, NULL, 2, newest);
    reader_limit(f.reader, VM_STEPS);
    expect_latest(last, NULL, 0, NULL);
    reader_limit(f.reader, VM_STEPS);
    expect_latest(0, "ash", 1, "raw:aaaa-own");
    reader_limit(f.reader, 0);
}

/* The expected order: each memory once, by its last event. */
static void expect_as_in_journal(int64_t first, int64_t last)
{
    static const char sql[] =
        "SELECT subject, max(seq) FROM event JOIN memory m ON m.id = subject WHERE seq > ?1 AND"
        " (?2 IS NULL OR m.agent = (SELECT id FROM agent WHERE name = ?2)) AND"
        " (?3 IS NULL OR m.agent IS NULL OR m.agent = (SELECT id FROM agent WHERE name = ?3))"
        " GROUP BY subject ORDER BY 2 DESC LIMIT ?4";
    static const char *const agents[] = {NULL, "ash", "bo", "nobody"};
    struct error e = {0};
    struct db *db = reader_db(f.reader);
    const char *caller = reader_guarded(f.reader) ? reader_guarded(f.reader)->agent : NULL;
    for (int64_t after = first; after <= last; after += 13)
        for (size_t limit = 1; limit < 60; limit += 7)
            for (size_t a = 0; a < 4; a++) {
                struct latest_change found[60];
                size_t count, wanted = 0;
                assert_int_equal(
                    list_latest_changes(f.reader, after, agents[a], limit, found, &count, &e), 0);
                sqlite3_stmt *stmt = db_prepare(db, sql, &e);
                int more = db_bind(db, stmt, &e, "issi", after, agents[a], caller, (int64_t)limit);
                for (; more > 0; more = db_step(db, stmt, &e), wanted++) {
                    assert_true(wanted < count);
                    assert_int_equal(found[wanted].node, sqlite3_column_int64(stmt, 0));
                    assert_int_equal(found[wanted].seq, sqlite3_column_int64(stmt, 1));
                }
                assert_int_equal(count, wanted);
            }
}

TEST(latest_changes_match_the_journal)
{
    static const char *const owners[] = {"ash", "bo", "zoe"};
    static const char *const kinds[] = {"raw", "belief", "note"};
    static const char *const callers[] = {"ash", "bo", "nobody-yet"};
    struct error e = {0};
    for (int i = 0; i < 120; i++) {
        char line[200];
        snprintf(line, sizeof(line), "{\"ref\":\"%s:m%d\",\"text\":\"t%d\",\"agent_id\":\"%s\"}",
                 kinds[i * 7 % 3], i * 31 % 17, i, owners[i * 5 % 3]);
        fixture_put(&f, line, "{\"ref\":\"note:everybodys\",\"text\":\"t\"}", NULL);
    }
    int64_t last = journal_last(f.reader, &e);
    expect_as_in_journal(last - 130, last);
    for (size_t i = 0; i < 3; i++) {
        const struct guard guard = {.rules = rules, .agent = callers[i]};
        reader_guard(f.reader, &guard);
        expect_as_in_journal(last - 130, last);
        reader_guard(f.reader, NULL);
    }
}

/* Counting stops at the limit; the answer says that there are more. */
TEST(the_limit_of_a_count_is_reported)
{
    struct error e = {0};
    const struct guard ash = {.rules = rules, .agent = "ash"};
    expect_ids(KINDS_ALL, "aaaa", KNOWN_NAMES_MAX, HIDDEN + 1);
    assert_int_equal(ref_resolve(f.reader, "aaaa", &e), -1);
    assert_non_null(strstr(e.what, "aaaa may be any of more than 1000 memories"));
    assert_non_null(strstr(e.hint, "and others"));
    put_many("ash", "mmmm", SEEN - 1);
    reader_guard(f.reader, &ash);
    expect_ids(KINDS_ALL, "m", KNOWN_NAMES_MAX, SEEN - 1);
    reader_guard(f.reader, NULL);
    put_many("ash", "mmmn", 1);
    reader_guard(f.reader, &ash);
    expect_ids(KINDS_ALL, "m", KNOWN_NAMES_MAX, -1);
    expect_ids(KINDS_ALL, "mmmn", 1, 1);
    reader_guard(f.reader, NULL);
}

/* Makes `count` stubs, each named by one memory. */
static void name_many(const char *beginning, size_t count)
{
    char **line = xcalloc(count, sizeof(*line));
    for (size_t i = 0; i < count; i++)
        assert_true(asprintf(&line[i],
                             "{\"ref\":\"belief:of-%s%05zu\",\"text\":\"t\",\"derived_from\":["
                             "\"note:%s%05zu\"]}",
                             beginning, i, beginning, i) > 0);
    fixture_put_lines(&f, (const char *const *)line, count);
    for (size_t i = 0; i < count; i++)
        free(line[i]);
    free(line);
}

TEST(stubs_are_counted_to_the_limit)
{
    name_many("kkkk", SEEN - 1);
    expect_ids(KIND_BIT(KIND_NOTE), "kkkk", 0, 0);
    name_many("kkkl", 1);
    expect_ids(KIND_BIT(KIND_NOTE), "kkk", 0, -1);
    expect_ids(KIND_BIT(KIND_NOTE), "kkkl", 0, 0);
}
