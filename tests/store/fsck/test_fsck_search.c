/* fsck must notice every difference between the search index and the memories, made to copies of
 * one store; and rebuilding the index fixes it. */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include "store/fsck/fsck.h"
#include "store/open.h"
#include "store/search/search.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

#define MEMORIES 300 /* enough for an index with several leaves */

static void fill(struct store *s)
{
    static const char *const words[] = {"pump",         "Ölpumpe", "ポンプ", "νερό",
                                        "🙂🙃😀", "a",       ""};
    for (int i = 0; i < MEMORIES; i++) {
        char line[512];
        snprintf(line, sizeof(line),
                 "{\"ref\":\"note:n%d\",\"agent_id\":\"ash\",\"text\":\"%s %x of %x\",\"tags\":"
                 "[\"t%d\"],\"context\":\"%s\"}",
                 i, words[i % 7], i * 7919, i * 104729, i, words[i % 5]);
        scratch_put(s, line);
    }
    scratch_put(s, "{\"ref\":\"raw:r\",\"agent_id\":\"ash\",\"text\":\"x\"}");
    scratch_put(s, "{\"ref\":\"belief:b\",\"agent_id\":\"ash\",\"text\":\"stays\",\"derived_from\":"
                   "[\"raw:never\"]}");
    scratch_replace(s, "{\"ref\":\"note:n3\",\"agent_id\":\"ash\",\"text\":\"said otherwise\"}",
                    "heard again");
    scratch_replace(s,
                    "{\"ref\":\"note:n4\",\"agent_id\":\"ash\",\"status\":\"deleted\",\"text\":"
                    "\"taken away\"}",
                    "expired");
}

static int setup(void **state)
{
    return original_set_up(fill);
}

static int count_match(void *arg, int64_t node, bool exact)
{
    (void)node, (void)exact;
    ++*(int *)arg;
    return 0;
}

static int matches(const char *path, const char *words)
{
    int count = 0;
    struct error e = {0};
    struct store *s = scratch_store_with(path, &(struct store_options){.read_only = true});
    struct reader *r = reader_open(s, &e);
    if (search_run(r, &(struct search_query){.words = words}, count_match, &count, &e))
        fail_msg("%s", e.what);
    reader_close(r);
    store_close(s);
    return count;
}

static void rebuild(const char *path)
{
    int64_t count;
    struct error e = {0};
    struct store *s = scratch_store(path);
    if (store_rebuild_search(s, NULL, NULL, &count, &e))
        fail_msg("%s", e.what);
    assert_int_equal(count, MEMORIES + 2);
    store_close(s);
}

GROUP(setup, original_tear_down);

TEST(a_sound_index_has_no_findings)
{
    expect_sound_file(original);
    AUTO_FREE char *path =
        altered_copy(original, "INSERT INTO memory_fts(memory_fts) VALUES ('optimize')");
    assert_int_equal(findings_of(path).total, 0);
}

/* Only the index is reported, and rebuilding fixes it. */
TEST(a_wrong_index_is_reported_and_fixed)
{
    static const struct {
        const char *sql, *says;
    } cases[] = {
        {"INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')", "is empty"},
        {"INSERT INTO memory_fts(rowid, text) VALUES (3, 'ghost words')", "not there of note:n2"},
        {"INSERT INTO memory_fts(rowid, text) VALUES (3, 'xyz')", "not there of note:n2"},
        {"INSERT INTO memory_fts(rowid, text) SELECT id, 'ghost' FROM memory WHERE name = 'never'",
         "never written, raw:never"},
        {"INSERT INTO memory_fts(rowid, text) VALUES (90000, 'ghost')",
         "without a memory, row 90000"},
        {"INSERT INTO memory_fts(rowid, text) VALUES (-7, 'ghost')", "without a memory, row -7"},
        {"INSERT INTO memory_fts(memory_fts, rowid, text) SELECT 'delete', id, text FROM memory"
         " WHERE name = 'n8'",
         "lacks words of note:n8"},
        {"INSERT INTO memory_fts(memory_fts, rowid, text) VALUES ('delete', 1, 'pum');"
         "INSERT INTO memory_fts(rowid, text) VALUES (1, 'pom')",
         "other words of note:n0"},
        {"DELETE FROM memory_fts_data", "is damaged"},
        {"DELETE FROM memory_fts_data WHERE id > 10", "is damaged"},
        {"DELETE FROM memory_fts_data WHERE id = (SELECT max(id) FROM memory_fts_data)",
         "is damaged"},
        {"UPDATE memory_fts_data SET block = x'' WHERE id > 10", "is damaged"},
        {"UPDATE memory_fts_data SET block = zeroblob(length(block)) WHERE id > 10", "is damaged"},
        {"UPDATE memory_fts_data SET block = x'00' WHERE id = 10", "is empty"},
        {"UPDATE memory_fts_data SET block = x'' WHERE id = 1", "lost count"},
        {"DELETE FROM memory_fts_idx", "lacks words of"},
        {"UPDATE memory_fts_idx SET pgno = pgno + 2", "is damaged"},
        {"DELETE FROM memory_fts_config", "is damaged"},
        {"UPDATE memory_fts_config SET v = 9 WHERE k = 'version'", "is damaged"},
    };
    int whole = matches(original, "pump");
    assert_true(whole > 20);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO_FREE char *path = altered_copy(original, cases[i].sql);
        struct findings found = findings_of(path);
        if (!found.count[FSCK_SEARCH] || found.count[FSCK_SEARCH] != found.total ||
            !strstr(found.text, cases[i].says))
            fail_msg("%s:\n%s", cases[i].sql, found.text);
        rebuild(path);
        found = findings_of(path);
        if (found.total)
            fail_msg("%s, rebuilt:\n%s", cases[i].sql, found.text);
        assert_int_equal(matches(path, "pump"), whole);
    }
}

TEST(missing_tables_are_recreated)
{
    static const char *const sql[] = {
        "DROP TABLE memory_fts",
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'memory_fts'",
        "DROP TABLE memory_fts_data",
        "DROP TABLE memory_fts_config; DROP TABLE memory_fts_idx",
    };
    for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]); i++) {
        AUTO_FREE char *path = altered_copy(original, sql[i]);
        struct findings found = findings_of(path);
        if (!found.count[FSCK_DATABASE])
            fail_msg("%s:\n%s", sql[i], found.text);
        rebuild(path);
        found = findings_of(path);
        if (found.total)
            fail_msg("%s, rebuilt:\n%s", sql[i], found.text);
    }
}

/* Flips bits of every block: differences are noticed, and nothing else fails. */
TEST(altered_blocks_are_reported)
{
    int told = 0, tried = 0;
    for (int at = 1; at < 1000; at += 23) { /* of a page of the index (schema.c) */
        char sql[256];
        snprintf(sql, sizeof(sql),
                 "UPDATE memory_fts_data SET block = CAST(substr(block, 1, %d) || x'ff' ||"
                 " substr(block, %d) AS BLOB) WHERE id > 10 AND length(block) > %d",
                 at, at + 2, at + 1);
        struct findings found = findings_after(sql);
        assert_int_equal(found.count[FSCK_SEARCH], found.total);
        told += found.total > 0;
        tried++;
    }
    /* A byte may have been 0xff, or be in a part of the page that nobody reads. */
    if (told < tried * 9 / 10)
        fail_msg("%d of %d were reported", told, tried);
}

/* An altered row is reported as such, not its index. */
TEST(an_altered_row_is_reported_once)
{
    char *path =
        altered_copy(original, "UPDATE memory SET text = 'said by nobody' WHERE name = 'n9'");
    struct findings found = findings_of(path);
    assert_int_equal(found.total, 1);
    assert_int_equal(found.count[FSCK_ROW_ALTERED], 1);
    free(path);
    path = altered_copy(original, "DELETE FROM memory WHERE name = 'n9'");
    found = findings_of(path);
    assert_int_equal(found.total, 1);
    assert_int_equal(found.count[FSCK_ROW_UNRECORDED], 1);
    free(path);
}

/* Many are named one by one, the rest is counted. */
TEST(many_findings_are_counted)
{
    char *path =
        altered_copy(original, "INSERT INTO memory_fts(rowid, text) SELECT id, 'ghost' FROM memory"
                               " WHERE status <> 7");
    struct findings found = findings_of(path);
    assert_int_equal(found.count[FSCK_SEARCH], 101);
    assert_int_equal(found.total, 101);
    free(path);
}

static int stop_later(void *arg, int64_t done, int64_t total)
{
    (void)arg, (void)total;
    return done > 100;
}

TEST(an_interrupted_rebuild_changes_nothing)
{
    int64_t count;
    struct error e = {0};
    AUTO_FREE char *path = altered_copy(original, "SELECT 1");
    struct store *s = scratch_store(path);
    for (int i = 0; i < 1000; i++) {
        char line[128];
        snprintf(line, sizeof(line),
                 "{\"ref\":\"raw:more%d\",\"agent_id\":\"ash\",\"text\":\"pump\"}", i);
        scratch_put(s, line);
    }
    assert_int_equal(store_rebuild_search(s, stop_later, NULL, &count, &e), -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    scratch_put(s, "{\"ref\":\"raw:after\",\"agent_id\":\"ash\",\"text\":\"pump\"}");
    store_close(s);
    assert_int_equal(findings_of(path).total, 0);
}
