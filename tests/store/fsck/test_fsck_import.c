/* fsck on the records of imports: sound after everything an import can do; and each row that is
 * missing, inserted or altered is noticed. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include "tests/support/findings.h"
#include "tests/support/kernle_fixture.h"
#include "store/fsck/fsck.h"
#include "store/open.h"
#include "tests/support/test.h"

static void run(struct store *s, const char *path, bool replace)
{
    struct imported import = {.result = 0};
    struct import_options options = {.replace = replace, .actor = "tester"};
    strbuf_init(&import.lines);
    import_lines_from(&import, s, path, &options);
    imported_release(&import);
}

static void say(struct store *s, const char *path, const char *lines)
{
    scratch_write(path, lines, strlen(lines));
    run(s, path, false);
}

#define LINE(id, text) "{\"ref\":\"note:" id "\",\"agent_id\":\"ash\",\"text\":\"" text "\"}\n"
#define DATED(id, text)                                                                            \
    "{\"ref\":\"note:" id "\",\"agent_id\":\"ash\",\"created_at\":5,\"text\":\"" text "\"}\n"

/*
 * Row 1 is ours. Rows 2 to 6 come from a file that is imported repeatedly: 2 is changed there, 3
 * here, 4 in both, 5 here and then undone, 6 in both alike. Row 7 is from another file, which also
 * has other versions of 2 and 1, which are refused.
 */
static void fill(struct store *s)
{
    AUTO_FREE char *one = scratch_path("one.jsonl"), *two = scratch_path("two.jsonl");
    scratch_put(s, LINE("ours", "ours"));
    say(s, one,
        DATED("n2", "a") DATED("n3", "a") DATED("n4", "a") DATED("n5", "a") DATED("n6", "a"));
    scratch_replace(s, DATED("n3", "mine"), "edit");
    scratch_replace(s, DATED("n4", "mine"), "edit");
    scratch_replace(s, DATED("n5", "mine"), "edit");
    scratch_replace(s, DATED("n6", "both"), "edit");
    say(s, one,
        DATED("n2", "b") DATED("n3", "a") DATED("n4", "b") DATED("n5", "b") DATED("n6", "both"));
    run(s, one, true);
    scratch_replace(s, DATED("n3", "mine again"), "edit");
    say(s, two, LINE("n7", "a") DATED("n2", "c") LINE("ours", "theirs"));
    say(s, two, LINE("n7", "b") DATED("n2", "c"));
}

static int setup(void **state)
{
    original = scratch_filled("original.db", fill);
    kernle_sql(original, "PRAGMA wal_checkpoint(TRUNCATE)");
    return 0;
}

static struct findings check_after(const char *sql)
{
    AUTO_FREE char *path = altered_copy(original, sql);
    return findings_of(path);
}

GROUP(setup, original_tear_down);

TEST(records_of_imports_are_sound)
{
    assert_int_equal(kernle_count(original, "SELECT count(*) FROM imported"), 6);
    assert_int_equal(kernle_count(original, "SELECT count(*) FROM origin"), 2);
    /* A record whose event is no import: both sides made the same change. */
    assert_true(kernle_count(original, "SELECT count(*) FROM imported i JOIN event e"
                                       " ON e.seq = i.event WHERE e.operation <> 'import'") > 0);
    expect_sound_file(original);
}

/* The row number of a memory. */
#define ROW(id) "(SELECT id FROM memory WHERE name = '" id "')"

TEST(wrong_records_are_reported)
{
    static const struct {
        const char *sql, *says;
        size_t count;
    } cases[] = {
        {"DELETE FROM imported", "is not recorded", 6},
        {"DELETE FROM imported WHERE memory = " ROW("n7"), "note:n7, and the hash", 1},
        {"DELETE FROM imported WHERE memory = " ROW("n3"), "note:n3, and the hash", 1},
        {"UPDATE imported SET hash = x'00' WHERE memory = " ROW("n2"), "the source of note:n2", 1},
        {"UPDATE imported SET hash = zeroblob(33) WHERE memory = " ROW("n2"), "hash of the source",
         1},
        {"UPDATE imported SET hash = x''", "hash of the source", 6},
        {"UPDATE imported SET origin = 77 WHERE memory = " ROW("n4"), "note:n4 is recorded as", 1},
        {"UPDATE imported SET origin = -1 WHERE memory = " ROW("n4"), "source -1", 1},
        {"UPDATE imported SET event = 7777 WHERE memory = " ROW("n5"), "7777, which does not", 1},
        {"UPDATE imported SET event = 0 WHERE memory = " ROW("n5"), "by event 0, which does not",
         1},
        {"UPDATE imported SET event = 1 WHERE memory = " ROW("n5"), "another memory", 1},
        {"UPDATE imported SET event = (SELECT min(seq) FROM event WHERE subject = memory)"
         " WHERE memory = " ROW("n2"),
         "imported it later", 1},
        {"UPDATE imported SET memory = 900 WHERE memory = " ROW("n7"), "900, which is no", 2},
        {"INSERT INTO imported VALUES (900, 1, zeroblob(32), 1)", "900, which is no", 1},
        {"INSERT INTO imported VALUES (-1, 1, zeroblob(32), 1)", "-1, which is no", 1},
        {"INSERT INTO imported VALUES (" ROW("ours") ", 1, zeroblob(32), 2)", "another memory", 1},
        {"DELETE FROM origin", "source 1, which is not recorded", 6},
        {"DELETE FROM origin WHERE id = 2", "source 2, which is not recorded", 1},
        {"UPDATE origin SET kind = 'kernle' WHERE id = 1", "not of the kind", 1},
        {"UPDATE origin SET identity = 'x' WHERE id = 1", "not of the kind", 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct findings found = check_after(cases[i].sql);
        if (found.count[FSCK_IMPORT] != cases[i].count || found.total != cases[i].count ||
            !strstr(found.text, cases[i].says))
            fail_msg("%s:\n%s", cases[i].sql, found.text);
    }
}

/* A truncated journal is reported once, with the memory. */
TEST(a_truncated_journal_is_no_import_fault)
{
    struct findings found =
        check_after("DELETE FROM event WHERE seq > (SELECT max(seq) - 2 FROM event)");
    assert_true(found.count[FSCK_TAIL_CUT] > 1);
    if (found.count[FSCK_IMPORT])
        fail_msg("%s", found.text);
}

TEST(an_invalid_hash_is_fixed_as_advised)
{
    AUTO_FREE char *path = scratch_path("store.db"), *file = scratch_path("file.jsonl");
    struct store *s = scratch_store(path);
    say(s, file, DATED("n", "a"));
    store_close(s);
    kernle_sql(path, "UPDATE imported SET hash = x'00'");
    assert_int_equal(findings_of(path).count[FSCK_IMPORT], 1);
    s = scratch_store(path);
    run(s, file, false);
    store_close(s);
    assert_int_equal(findings_of(path).total, 0);
}

/* If the record is missing, changes of the source are refused, and --replace imports them. */
TEST(a_missing_record_is_fixed_as_advised)
{
    AUTO_FREE char *path = scratch_path("store.db"), *file = scratch_path("file.jsonl");
    struct store *s = scratch_store(path);
    say(s, file, DATED("n", "a"));
    store_close(s);
    kernle_sql(path, "DELETE FROM imported");
    assert_int_equal(findings_of(path).count[FSCK_IMPORT], 1);
    s = scratch_store(path);
    say(s, file, DATED("n", "b"));
    run(s, file, true);
    store_close(s);
    assert_int_equal(findings_of(path).total, 0);
}
