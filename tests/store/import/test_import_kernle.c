/* Kernle stores as they are: three real ones, and one of each version. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/support/scratch.h"
#include "tests/support/kernle_fixture.h"
#include "model/graph/lineage.h"
#include "store/db/db.h"
#include "store/lineage/subgraph.h"

static const char *const real_stores[] = {"tests/data/kernle-demo.db", "tests/data/kernle-1000.db",
                                          "tests/data/kernle-legacy-16.db"};

/* A store into which a copy of `source` was imported. */
struct taken {
    char *source, *path;
    struct store *store;
    struct reader *reader;
    struct imported import;
};

static void take(struct taken *t, const char *source)
{
    struct error e = {0};
    t->source = scratch_path("memories.db");
    t->path = scratch_path("store.db");
    scratch_copy(source, t->source);
    t->store = kernle_target(t->path);
    import_kernle_from(&t->import, t->store, t->source, NULL);
    t->reader = reader_open(t->store, &e);
    assert_non_null(t->reader);
}

static void leave(struct taken *t)
{
    imported_release(&t->import);
    reader_close(t->reader);
    store_close(t->store);
    free(t->source);
    free(t->path);
}

static int64_t ours(struct taken *t, const char *sql)
{
    int64_t value;
    struct error e = {0};
    if (db_int(reader_db(t->reader), &value, 0, &e, sql, ""))
        fail_msg("%s", e.what);
    return value;
}

/* ---- counted against SQL on the originals ---- */

static const struct {
    const char *table;
    int kind;
} kinds[] = {{"raw_entries", KIND_RAW},
             {"episodes", KIND_EPISODE},
             {"beliefs", KIND_BELIEF},
             {"notes", KIND_NOTE},
             {"agent_values", KIND_VALUE},
             {"goals", KIND_GOAL},
             {"drives", KIND_DRIVE},
             {"relationships", KIND_RELATIONSHIP},
             {"memory_suggestions", KIND_SUGGESTION}};

static int64_t sum(const char *source, const char *format)
{
    int64_t total = 0;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        struct strbuf sql = STRBUF_INIT;
        if (kinds[i].kind == KIND_RAW || kinds[i].kind == KIND_SUGGESTION)
            continue;
        strbuf_addf(&sql, format, kinds[i].table); /* NOLINT: a constant of this file */
        total += kernle_count(source, sql.buf);
        strbuf_release(&sql);
    }
    return total;
}

static void test_counts(void **state)
{
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        struct taken t;
        int64_t all = 0;
        take(&t, real_stores[s]);
        for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
            struct strbuf theirs = STRBUF_INIT, here = STRBUF_INIT;
            strbuf_addf(&theirs, "SELECT count(*) FROM %s", kinds[i].table);
            strbuf_addf(&here, "SELECT count(*) FROM memory WHERE kind = %d AND status < 7",
                        kinds[i].kind);
            int64_t count = kernle_count(real_stores[s], theirs.buf);
            assert_int_equal(ours(&t, here.buf), count);
            assert_int_equal(t.import.summary.by_kind[kinds[i].kind], count);
            all += count;
            strbuf_release(&theirs);
            strbuf_release(&here);
        }
        assert_int_equal(t.import.summary.read, all);
        assert_int_equal(t.import.summary.added, all);
        assert_int_equal(t.import.summary.not_understood, 0);
        assert_int_equal(t.import.summary.refused, 0);
        leave(&t);
    }
}

/* What Kernle lists as derived_from, by SQLite's own JSON: refs of memories, each once in a row. */
static const char derived_sql[] =
    "SELECT coalesce(sum((SELECT count(DISTINCT j.value) FROM json_each(t.derived_from) j"
    " WHERE substr(j.value, 1, instr(j.value, ':') - 1) IN ('raw', 'episode', 'belief', 'note',"
    " 'value', 'goal', 'drive', 'relationship'))), 0) FROM %s t"
    " WHERE json_valid(t.derived_from)";
static const char episodes_sql[] =
    "SELECT coalesce(sum((SELECT count(DISTINCT replace(j.value, 'episode:', ''))"
    " FROM json_each(t.source_episodes) j)), 0) FROM %s t WHERE json_valid(t.source_episodes)";
static const char history_sql[] =
    "SELECT coalesce(sum(json_array_length(t.confidence_history)), 0) FROM %s t"
    " WHERE json_valid(t.confidence_history)";
static const char notes_sql[] =
    "SELECT coalesce(sum((SELECT count(DISTINCT j.value) FROM json_each(t.derived_from) j"
    " WHERE j.value LIKE 'context:%%' OR j.value LIKE 'kernle:%%')), 0) FROM %s t"
    " WHERE json_valid(t.derived_from)";

static void test_links(void **state)
{
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        struct taken t;
        take(&t, real_stores[s]);
        const char *source = real_stores[s];
        assert_int_equal(ours(&t, "SELECT count(*) FROM link WHERE shape & 31 = 0"),
                         sum(source, derived_sql));
        assert_int_equal(ours(&t, "SELECT count(*) FROM link WHERE shape & 31 = 1"),
                         sum(source, episodes_sql));
        assert_int_equal(ours(&t, "SELECT count(*) FROM history WHERE origin IS NULL"),
                         sum(source, history_sql));
        assert_int_equal(
            ours(&t, "SELECT coalesce(sum(json_array_length(annotations)), 0) FROM memory"),
            sum(source, notes_sql));
        assert_int_equal(
            ours(&t, "SELECT count(*) FROM link WHERE shape & 31 = 16"),
            kernle_count(source, "SELECT count(*) FROM beliefs WHERE supersedes IS NOT NULL"));
        assert_int_equal(ours(&t, "SELECT count(*) FROM link WHERE shape & 31 = 17"),
                         kernle_count(source,
                                      "SELECT coalesce(sum(json_array_length(processed_into)), 0)"
                                      " FROM raw_entries WHERE json_valid(processed_into)"));
        leave(&t);
    }
}

/* Every belief, field by field, read from both by SQL. */
static void test_beliefs_field_by_field(void **state)
{
    (void)state;
    struct taken t;
    take(&t, "tests/data/kernle-1000.db");
    struct strbuf sql = STRBUF_INIT;
    strbuf_addf(&sql, "ATTACH '%s' AS kernle", t.source);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(t.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql.buf, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_stmt *stmt;
    const char *compare =
        "SELECT count(*) FROM kernle.beliefs b JOIN main.memory m ON m.kind = 2 AND m.name = b.id"
        " JOIN main.agent a ON a.id = m.agent JOIN main.source_type y ON y.id = m.source_type"
        " WHERE m.text = b.statement AND a.name = b.stack_id AND m.confidence = b.confidence"
        " AND y.name = b.source_type AND m.protected = b.is_protected"
        " AND m.status = CASE WHEN b.deleted THEN 5 WHEN b.strength = 0 THEN 4"
        " WHEN b.is_active = 0 THEN 1 ELSE 0 END AND m.version = b.version"
        " AND m.created_at = unixepoch(b.created_at) * 1000"
        " AND m.updated_at / 1000 = unixepoch(b.local_updated_at)"
        " AND json_extract(m.detail, '$.belief_type') = b.belief_type"
        " AND coalesce(json_extract(m.detail, '$.times_reinforced'), 0) = b.times_reinforced";
    assert_int_equal(sqlite3_prepare_v2(db, compare, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int64(stmt, 0), 2500);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    strbuf_release(&sql);
    leave(&t);
}

/* ---- the source stays as it is ---- */

static void assert_same_file(const char *a, const char *b)
{
    size_t a_len, b_len;
    char *a_bytes = scratch_read(a, &a_len), *b_bytes = scratch_read(b, &b_len);
    assert_non_null(a_bytes);
    assert_non_null(b_bytes);
    assert_int_equal(a_len, b_len);
    assert_memory_equal(a_bytes, b_bytes, a_len);
    free(a_bytes);
    free(b_bytes);
}

static void assert_empty_beside(const char *path, const char *suffix)
{
    struct strbuf name = STRBUF_INIT;
    size_t len;
    strbuf_addf(&name, "%s%s", path, suffix);
    char *bytes = scratch_read(name.buf, &len);
    if (bytes)
        assert_int_equal(len, 0);
    free(bytes);
    strbuf_release(&name);
}

static void test_source_is_untouched(void **state)
{
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        struct taken t;
        struct imported again;
        take(&t, real_stores[s]);
        import_kernle_from(&again, t.store, t.source, NULL);
        assert_same_file(t.source, real_stores[s]);
        assert_empty_beside(t.source, "-wal");
        assert_empty_beside(t.source, "-journal");
        imported_release(&again);
        leave(&t);
    }
}

/* A log that another program has not yet written back is read and left alone. */
static void test_source_with_a_log(void **state)
{
    (void)state;
    char *live = scratch_path("memories.db"), *copy = scratch_path("memories.db");
    char *path = scratch_path("store.db"), *untouched = scratch_path("memories.db");
    struct strbuf log = STRBUF_INIT, log_before = STRBUF_INIT;
    sqlite3 *db;
    scratch_copy("tests/data/kernle-demo.db", live);
    assert_int_equal(sqlite3_open(live, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "PRAGMA journal_mode = WAL; UPDATE beliefs SET statement ="
                                  " 'from the log' WHERE id = 'orphan-1'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    scratch_copy(live, copy);
    scratch_copy(live, untouched);
    struct store *s = kernle_target(path);
    struct imported import;
    import_kernle_from(&import, s, copy, NULL);
    char *line = exported_line(s, "belief:orphan-1");
    assert_non_null(strstr(line, "\"text\":\"from the log\""));
    strbuf_addf(&log, "%s-wal", copy);
    strbuf_addf(&log_before, "%s-wal", untouched);
    assert_same_file(copy, untouched);
    assert_same_file(log.buf, log_before.buf);
    free(line);
    imported_release(&import);
    store_close(s);
    sqlite3_close(db);
    strbuf_release(&log);
    strbuf_release(&log_before);
    free(live);
    free(copy);
    free(path);
    free(untouched);
}

/* ---- each version ---- */

static void add_rows(struct strbuf *sql, int version)
{
    const char *agent = version < 23 ? "agent_id" : "stack_id";
    const char *raw = version < 13 ? "content, timestamp" : "blob, captured_at";
    const char *gone = version < 24 ? "is_forgotten" : "strength";
    strbuf_addf(sql,
                "INSERT INTO raw_entries(id, %s, %s, source, processed, processed_into,"
                " local_updated_at) VALUES ('r1', 'ash', 'seen', '2026-01-01T10:00:00+00:00',"
                " 'cli', 1, '[\"belief:b1\"]', '2026-01-01T10:00:01Z');",
                agent, raw);
    strbuf_addf(sql,
                "INSERT INTO episodes(id, %s, objective, outcome, lessons, created_at,"
                " local_updated_at, %s) VALUES"
                " ('e1', 'ash', 'tried', 'well', '[\"slowly\"]', '2026-01-01T11:00:00',"
                " '2026-01-01T11:00:00', %d),"
                " ('e2', 'ash', 'forgot', 'badly', NULL, '2026-01-01T11:00:00+01:00',"
                " '2026-01-01T11:00:00', %d);",
                agent, gone, version < 24 ? 0 : 1, version < 24 ? 1 : 0);
    strbuf_addf(sql,
                "INSERT INTO beliefs(id, %s, statement, created_at, local_updated_at,"
                " source_episodes, derived_from, is_active, superseded_by, supersedes) VALUES"
                " ('b1', 'ash', 'first', '2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z',"
                " '[\"e1\", \"episode:e1\"]', '[\"raw:r1\", \"context:a:b\"]', 0, %s, NULL),"
                " ('b2', 'claire', 'second', '2026-01-02T12:00:00Z', '2026-01-02T12:00:00Z',"
                " NULL, '[\"belief:b1\"]', 1, NULL, %s);",
                agent, version < 27 ? "'b2'" : "NULL", version < 27 ? "'b1'" : "NULL");
    static const struct {
        const char *table, *columns, *values;
    } others[] = {
        {"notes", "content, deleted", "'n1', 'ash', '2026-01-01', '2026-01-01', 'gone', 1"},
        {"agent_values", "name, statement",
         "'v1', 'ash', '2026-01-01', '2026-01-01', 'care', 'be careful'"},
        {"goals", "title, status", "'g1', 'ash', '2026-01-01', '2026-01-01', 'ship', 'paused'"},
        {"drives", "drive_type, focus_areas",
         "'d1', 'ash', '2026-01-01', '2026-01-01', 'growth', '[\"C\", \"SQL\"]'"},
        {"relationships", "entity_name, entity_type, relationship_type",
         "'p1', 'ash', '2026-01-01', '2026-01-01', 'Claire', 'si', 'sibling'"},
        {"memory_suggestions", "memory_type, content, source_raw_ids, status, promoted_to",
         "'s1', 'ash', '2026-01-01', '2026-01-01', 'belief', '{\"statement\": \"perhaps\"}',"
         " '[\"r1\"]', 'promoted', 'belief:b1'"},
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        strbuf_addf(sql, "INSERT INTO %s(id, %s, created_at, local_updated_at, %s) VALUES (%s);",
                    others[i].table, agent, others[i].columns, others[i].values);
    if (version >= 24)
        strbuf_addstr(sql, "INSERT INTO memory_audit(id, memory_type, memory_id, operation,"
                           " details, actor, created_at) VALUES ('a1', 'episode', 'e2',"
                           " 'forget', '{\"reason\": \"stale\"}', 'core:1',"
                           " '2026-01-03T00:00:00Z');");
    if (version >= 27)
        strbuf_addstr(sql, "INSERT INTO memory_audit VALUES ('a2', 'belief', 'b2',"
                           " 'belief.revised', '{\"revision_type\": \"supersession\","
                           " \"trigger_id\": \"b1\", \"reason\": \"better\"}', 'core:1',"
                           " '2026-01-02T12:00:00Z', 'corr-9');");
}

static void assert_line_has(struct store *s, const char *ref, const char *part)
{
    char *line = exported_line(s, ref);
    if (!line)
        fail_msg("%s is not there", ref);
    if (!strstr(line, part))
        fail_msg("%s\nhas not %s", line, part);
    free(line);
}

static void assert_line_lacks(struct store *s, const char *ref, const char *part)
{
    char *line = exported_line(s, ref);
    if (!line)
        fail_msg("%s is not there", ref);
    if (strstr(line, part))
        fail_msg("%s\nhas %s", line, part);
    free(line);
}

static void check_version(int version)
{
    char *source = scratch_path("memories.db"), *path = scratch_path("store.db"), number[16];
    struct strbuf sql = STRBUF_INIT;
    struct imported import;
    add_rows(&sql, version);
    kernle_make(source, version, sql.buf);
    struct store *s = kernle_target(path);
    import_kernle_from(&import, s, source, NULL);
    snprintf(number, sizeof(number), "%d", version);
    assert_string_equal(import.summary.source_version, number);
    assert_string_equal(import.lines.buf, "");
    assert_int_equal(import.summary.added, 11);
    assert_int_equal(import.summary.unresolved, 0);

    assert_line_has(s, "raw:r1",
                    "\"text\":\"seen\",\"created_at\":1767261600000,\"updated_at\":"
                    "1767261601000,\"confidence\":1,");
    assert_line_has(s, "raw:r1",
                    "\"relations\":[{\"type\":\"processed_into\",\"to\":"
                    "\"belief:b1\",\"at\":1767261601000}]}");
    assert_line_has(s, "episode:e1", "\"status\":\"active\"");
    assert_line_has(s, "episode:e1", "\"lessons\":[\"slowly\"]");
    assert_line_has(s, "episode:e2", "\"created_at\":1767261600000");
    assert_line_has(s, "episode:e2", "\"status\":\"forgotten\"");
    assert_line_has(s, "belief:b1", "\"status\":\"superseded\"");
    assert_line_has(s, "belief:b1", "\"annotations\":[\"context:a:b\"]");
    assert_line_has(s, "belief:b1",
                    "\"justifications\":[{\"role\":\"derived_from\",\"reading\":\"any\","
                    "\"recorded\":\"recorded\",\"at\":1767268800000,\"antecedents\":[{\"ref\":"
                    "\"raw:r1\"}]},{\"role\":\"evidence\",\"reading\":\"any\",\"recorded\":"
                    "\"recorded\",\"at\":1767268800000,\"antecedents\":[{\"ref\":\"episode:e1\"}]}"
                    "]");
    assert_line_has(s, "belief:b2", "\"agent_id\":\"claire\"");
    assert_line_has(s, "belief:b2", "\"relations\":[{\"type\":\"supersedes\",\"to\":\"belief:b1\"");
    assert_line_has(s, "note:n1", "\"status\":\"deleted\"");
    assert_line_has(s, "value:v1", "\"text\":\"be careful\"");
    assert_line_has(s, "value:v1", "\"confidence\":0.9");
    assert_line_has(s, "value:v1", "\"protected\":true");
    assert_line_has(s, "value:v1", "\"name\":\"care\"");
    assert_line_has(s, "goal:g1", "\"text\":\"ship\"");
    assert_line_has(s, "goal:g1", "\"status\":\"paused\"");
    assert_line_has(s, "drive:d1", "\"text\":\"growth: C, SQL\"");
    assert_line_has(s, "relationship:p1", "\"text\":\"Claire: sibling\"");
    assert_line_has(s, "suggestion:s1", "\"text\":\"perhaps\"");
    assert_line_has(s, "suggestion:s1", "\"antecedents\":[{\"ref\":\"raw:r1\"}]");
    assert_line_has(s, "suggestion:s1",
                    "\"relations\":[{\"type\":\"processed_into\",\"to\":"
                    "\"belief:b1\"");
    if (version >= 24)
        assert_line_has(s, "episode:e2",
                        "\"history\":[{\"at\":1767398400000,\"reason\":\"stale\",\"operation\":"
                        "\"forget\",\"actor\":\"core:1\",\"origin\":\"kernle\"}]");
    if (version >= 27)
        assert_line_has(s, "belief:b2",
                        "\"reason\":\"better {\\\"revision_type\\\":\\\"supersession\\\"}"
                        " correlation corr-9\",\"evidence_source\":\"b1\"");
    imported_release(&import);
    store_close(s);
    strbuf_release(&sql);
    free(source);
    free(path);
}

static void test_each_version(void **state)
{
    (void)state;
    static const int versions[] = {12, 13, 14, 16, 17, 22, 23, 24, 25, 26, 27};
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
        check_version(versions[i]);
}

/* A column, a table and a kind of audit that nobody knows yet. */
static void test_newer_version(void **state)
{
    (void)state;
    char *source = scratch_path("memories.db"), *path = scratch_path("store.db");
    struct strbuf sql = STRBUF_INIT;
    struct imported import;
    add_rows(&sql, 27);
    strbuf_addstr(&sql,
                  "ALTER TABLE beliefs ADD COLUMN mood TEXT DEFAULT 'calm';"
                  "ALTER TABLE beliefs ADD COLUMN weight REAL;"
                  "UPDATE beliefs SET mood = 'stormy', weight = 2.5 WHERE id = 'b1';"
                  "CREATE TABLE dreams(id, text); INSERT INTO dreams VALUES (1, 'x'), (2, 'y');"
                  "INSERT INTO memory_audit VALUES ('a3', 'dream', '1', 'dreamt', NULL,"
                  " 'core:1', '2026-01-02T12:00:00Z', NULL);");
    kernle_make(source, 31, sql.buf);
    struct store *s = kernle_target(path);
    import_kernle_from(&import, s, source, NULL);
    assert_int_equal(import.summary.added, 11);
    assert_string_equal(import.summary.source_version, "31");
    assert_string_equal(import.summary.other_tables, "dreams 2");
    assert_int_equal(imported_said(&import, "of version 31, newer than 27"), 1);
    assert_int_equal(imported_said(&import, "memory_audit has 1 entry about nothing"), 1);
    assert_line_has(s, "belief:b1", "\"mood\":\"stormy\",\"weight\":2.5}");
    assert_line_lacks(s, "belief:b2", "mood");
    imported_release(&import);
    store_close(s);
    strbuf_release(&sql);
    free(source);
    free(path);
}

/* ---- 5,000 deep ---- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_beliefs_field_by_field),
        cmocka_unit_test(test_source_is_untouched),
        cmocka_unit_test(test_source_with_a_log),
        cmocka_unit_test(test_each_version),
        cmocka_unit_test(test_newer_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
