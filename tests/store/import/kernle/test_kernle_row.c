/* Rows of a Kernle store that are not as they should be: each is told, nothing is lost, nothing ends. */
#include <stdlib.h>
#include <string.h>
#include "tests/support/scratch.h"
#include "tests/support/kernle_fixture.h"
#include "model/format/exchange.h"
#include "store/import/kernle/kernle_map.h"

/* A table whose columns have no type and no rule, so that a row may hold anything. */
#define BELIEFS                                                                                    \
    "CREATE TABLE schema_version(version); INSERT INTO schema_version VALUES (26);"                \
    "CREATE TABLE beliefs(id, stack_id, statement, belief_type, confidence, created_at,"           \
    " source_type, source_episodes, derived_from, confidence_history, supersedes, superseded_by,"  \
    " is_active, is_protected, strength, context, context_tags, source_entity, local_updated_at,"  \
    " version, deleted, tags);"                                                                    \
    "INSERT INTO beliefs(id, stack_id, statement, created_at, local_updated_at, source_type)"      \
    " VALUES ('b', 'ash', 'said', '2026-01-01', '2026-01-02', 'inference');"

struct odd {
    char *source, *path;
    struct store *store;
    struct imported import;
};

static void take(struct odd *o, const char *tables, const char *sql)
{
    o->source = scratch_path("memories.db");
    o->path = scratch_path("store.db");
    kernle_sql(o->source, tables);
    kernle_sql(o->source, sql);
    o->store = kernle_target(o->path);
    import_kernle_from(&o->import, o->store, o->source, NULL);
}

static void leave(struct odd *o)
{
    imported_release(&o->import);
    store_close(o->store);
    free(o->source);
    free(o->path);
}

/* ---- one row, mapped without a store ---- */

struct mapped {
    struct strbuf line, said;
};

static void keep_said(void *arg, const char *line)
{
    strbuf_addf(arg, "%s\n", line);
}

static void map_table(struct mapped *out, struct db *db, struct arena *arena,
                      const struct kernle_table *table, const char *ref)
{
    struct strbuf sql = STRBUF_INIT;
    struct kernle_report report = {.line = keep_said, .arg = &out->said};
    struct cell cells[64];
    struct kernle_row row = {.table = table, .cells = cells};
    struct error e = {0};
    strbuf_addf(&sql, "SELECT * FROM %s", table->name);
    sqlite3_stmt *stmt = db_prepare(db, sql.buf, &e);
    assert_non_null(stmt);
    while (db_step(db, stmt, &e) == 1) {
        struct memory m;
        struct strbuf own = STRBUF_INIT;
        for (size_t i = 0; i < table->count; i++)
            cells[i] = kernle_read_cell(stmt, (int)i);
        row.number++;
        if (kernle_map(&row, KERNLE_NOW, arena, &m, &report) == 1) {
            ref_add(&own, m.ref);
            if (strcmp(own.buf, ref) == 0)
                exchange_write(&out->line, &m, NULL);
        }
        strbuf_release(&own);
    }
    strbuf_release(&sql);
}

static void map_all(struct mapped *out, const char *tables, const char *sql, const char *ref)
{
    char *source = scratch_path("memories.db");
    struct arena arena = ARENA_INIT;
    struct kernle_table table;
    struct error e = {0};
    kernle_sql(source, tables);
    kernle_sql(source, sql);
    struct db *db = db_open(source, DB_FOREIGN, &e);
    assert_non_null(db);
    for (size_t i = 0; i < KERNLE_TABLES; i++)
        if (kernle_open_table(db, &arena, i, &table, &e) == 1)
            map_table(out, db, &arena, &table, ref);
    db_close(db);
    arena_release(&arena);
    free(source);
}

/* The row's line after `sql` has (or, after '!', lacks) a part, and that was said once, or nothing. */
static void check(const char *tables, const char *sql, const char *ref, const char *part,
                  const char *report)
{
    struct mapped out = {STRBUF_INIT, STRBUF_INIT};
    map_all(&out, tables, sql, ref);
    bool wanted = *part != '!';
    if (out.line.len == 0 || !strstr(out.line.buf, part + !wanted) != !wanted)
        fail_msg("%.2000s\n%s %s\n%.4000s", sql, wanted ? "no" : "there is", part + !wanted,
                 out.line.buf);
    const char *said = report ? strstr(out.said.buf, report) : NULL;
    if (!report)
        assert_string_equal(out.said.buf, "");
    else if (!said || strstr(said + 1, report))
        fail_msg("%.2000s\nnot said once: %s\n%s", sql, report, out.said.buf);
    strbuf_release(&out.line);
    strbuf_release(&out.said);
}

static void belief(const char *set, const char *part, const char *report)
{
    struct strbuf sql = STRBUF_INIT;
    strbuf_addf(&sql, "UPDATE beliefs SET %s", set);
    check(BELIEFS, sql.buf, "belief:b", part, report);
    strbuf_release(&sql);
}

/* ---- JSON that is none ---- */

static void test_json_columns(void **state)
{
    (void)state;
    static const char *const columns[] = {"derived_from", "source_episodes", "confidence_history",
                                          "tags"};
    for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
        struct strbuf set = STRBUF_INIT, said = STRBUF_INIT;
        static const char *const nothing[] = {"NULL", "''",      "'  '", "'null'",
                                              "'[]'", "' [ ] '", "x''"};
        for (size_t k = 0; k < sizeof(nothing) / sizeof(*nothing); k++) {
            strbuf_clear(&set);
            strbuf_addf(&set, "%s = %s", columns[i], nothing[k]);
            belief(set.buf, "\"status\":\"active\",\"version\":1}", NULL);
        }
        static const char *const odd[][2] = {
            {"'{\"raw:1\": 2}'", "is an object, not a list"},
            {"'\"raw:1\"'", "is a single value, not a list"},
            {"'[\"raw:1\"'", "is no JSON"},
            {"'raw:1'", "is no JSON"},
            {"'[NaN]'", "is no JSON"},
            {"'[1] [2]'", "is no JSON"},
            {"17", "is no JSON"},
            {"1.5", "is no JSON"},
            {"x'ff00'", "is no JSON"},
        };
        for (size_t k = 0; k < sizeof(odd) / sizeof(*odd); k++) {
            strbuf_clear(&set);
            strbuf_clear(&said);
            strbuf_addf(&set, "%s = %s", columns[i], odd[k][0]);
            strbuf_addf(&said, "belief:b: %s %s; taken as none", columns[i], odd[k][1]);
            belief(set.buf, "!\"justifications\"", said.buf);
        }
        strbuf_release(&set);
        strbuf_release(&said);
    }
    /* What was not understood is there to be read. */
    belief("derived_from = '{\"raw:1\":2}'", "\"detail\":{\"derived_from\":{\"raw:1\":2}}",
           "derived_from");
    belief("derived_from = '[oops'", "\"detail\":{\"derived_from\":\"[oops\"}", "derived_from");
    belief("derived_from = 17", "\"detail\":{\"derived_from\":17}", "derived_from");
}

static void test_deep_json(void **state)
{
    (void)state;
    struct strbuf set = STRBUF_INIT;
    strbuf_addstr(&set, "derived_from = '");
    strbuf_addchars(&set, '[', 100000);
    strbuf_addchars(&set, ']', 100000);
    strbuf_addstr(&set, "'");
    belief(set.buf, "!justifications", "derived_from is no JSON");
    strbuf_release(&set);
}

static void test_lists_with_odd_items(void **state)
{
    (void)state;
    belief("derived_from = '[\"raw:1\", null, 5, {\"a\": 1}, [\"raw:2\"], \"raw:1\"]'",
           "\"antecedents\":[{\"ref\":\"raw:1\"}]}]",
           "derived_from has 2 items that are no text; left out");
    belief("derived_from = '[\"just words\"]'", "\"detail\":{\"derived_from\":[\"just words\"]}",
           "names \"just words\", which is no ref; left out");
    belief("derived_from = '[\"raw:\", \"\"]'", "\"derived_from\":[\"raw:\",\"\"]",
           "names \"raw:\", which is no ref");
    belief("source_episodes = '[\"e1\", \"episode:e1\", 7, \"note:n\", \"context:x\"]'",
           "\"annotations\":[\"context:x\"],\"version\":1,\"justifications\":["
           "{\"role\":\"evidence\",\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":"
           "1767225600000,\"antecedents\":[{\"ref\":\"episode:e1\"}]},"
           "{\"role\":\"evidence\",\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":"
           "1767225600000,\"antecedents\":[{\"ref\":\"episode:7\"}]},"
           "{\"role\":\"evidence\",\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":"
           "1767225600000,\"antecedents\":[{\"ref\":\"note:n\"}]}]",
           NULL);
    belief("tags = '[\"a\", \"b\", \"a\", 3]'", "\"tags\":[\"a\",\"b\",\"3\"]", NULL);
    belief("tags = '[\"a\\u0000b\", \"\\ud800\"]'", "\"tags\":[\"a�b\",\"���\"]", NULL);
}

/* The same ref a hundred thousand times, and as many different ones. */
static void test_long_lists(void **state)
{
    (void)state;
    check(BELIEFS,
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
          " UPDATE beliefs SET derived_from = (SELECT '[' || group_concat('\"raw:same\"') || ']'"
          " FROM n)",
          "belief:b", "\"antecedents\":[{\"ref\":\"raw:same\"}]}]", NULL);
    check(BELIEFS,
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
          " UPDATE beliefs SET source_episodes = (SELECT '[' || group_concat(i) || ']' FROM n)",
          "belief:b", "\"antecedents\":[{\"ref\":\"episode:5000\"}]}]}", NULL);
}

/* ---- markers, reinforcement, history ---- */

static void test_markers(void **state)
{
    (void)state;
    belief("derived_from = '[\"context:a\", \"kernle:auto-linked\", \"context:a\"]'",
           "\"annotations\":[\"context:a\",\"kernle:auto-linked\"],\"version\":1}", NULL);
    belief(
        "derived_from = '[\"raw:1\", \"kernle:auto-linked\"]', source_episodes = '[\"e\"]'",
        "\"recorded\":\"auto-linked\",\"at\":1767225600000,\"antecedents\":[{\"ref\":\"raw:1\"}]},"
        "{\"role\":\"evidence\",\"reading\":\"any\",\"recorded\":\"recorded\"",
        NULL);
    belief("derived_from = '[\"kernle:pre-v0.9-migration\", \"raw:1\"]'",
           "\"recorded\":\"migrated\"", NULL);
    belief("derived_from = '[\"kernle:pre-v0.9-migration\", \"kernle:auto-linked\", \"raw:1\"]'",
           "\"recorded\":\"auto-linked\"", NULL);
}

#define HISTORY(entries) "confidence_history = '[" entries "]'"
#define ENTRY(evidence)                                                                            \
    "{\"timestamp\": \"2026-02-01T00:00:00Z\", \"old\": 0.7, \"new\": 0.713, \"reason\": \"R\", "  \
    "\"evidence_source\": \"" evidence "\"}"
#define EVIDENCE(role, ref)                                                                        \
    "{\"role\":\"" role "\",\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":1769904000000,"   \
    "\"reason\":\"R\",\"antecedents\":[{\"ref\":\"" ref "\"}]}"
#define EMPTY                                                                                      \
    "{\"role\":\"derived_from\",\"reading\":\"all\",\"recorded\":\"recorded\",\"at\":"             \
    "1767225600000,\"antecedents\":[]}"

static void test_reinforcement(void **state)
{
    (void)state;
    /* It stood by itself: it goes on to, whatever becomes of the new evidence. */
    belief(HISTORY(ENTRY("episode:e")),
           "\"justifications\":[" EMPTY "," EVIDENCE("evidence", "episode:e") "]", NULL);
    belief(HISTORY(ENTRY("note:n")),
           "\"justifications\":[" EMPTY "," EVIDENCE("reinforcement", "note:n") "]", NULL);
    /* It is there already. */
    belief(HISTORY(ENTRY("episode:e")) ", source_episodes = '[\"e\"]'",
           "\"antecedents\":[{\"ref\":\"episode:e\"}]}],\"history\"", NULL);
    belief(HISTORY(ENTRY("raw:r")) ", derived_from = '[\"raw:r\"]'",
           "\"antecedents\":[{\"ref\":\"raw:r\"}]}],\"history\"", NULL);
    /* An episode that it was made from is no source episode yet. */
    belief(HISTORY(ENTRY("episode:e")) ", derived_from = '[\"episode:e\"]'",
           "\"antecedents\":[{\"ref\":\"episode:e\"}]}," EVIDENCE("evidence", "episode:e") "]",
           NULL);
    /* Twice by the same one counts once; each entry stays in the history. */
    belief(HISTORY(ENTRY("note:n") "," ENTRY("note:n")),
           "\"justifications\":[" EMPTY "," EVIDENCE("reinforcement", "note:n") "],\"history\":[{",
           NULL);
    /* Not a memory, and not for it. */
    belief(HISTORY(ENTRY("consolidation:2026-02-01")),
           "\"version\":1,\"history\":[{\"at\":1769904000000,\"old\":0.7,\"new\":0.713,"
           "\"reason\":\"R\",\"evidence_source\":\"consolidation:2026-02-01\"}]}",
           NULL);
    belief(HISTORY("{\"timestamp\": \"2026-02-01\", \"old\": 0.7, \"new\": 0.5,"
                   " \"evidence_source\": \"episode:e\"}"),
           "!\"justifications\"", NULL);
}

static void test_history(void **state)
{
    (void)state;
    belief(HISTORY("{\"timestamp\": \"2026-02-01\", \"old\": \"x\", \"new\": 1.5, \"by\": \"me\"}"),
           "\"history\":[{\"at\":1769904000000,\"reason\":\"{\\\"old\\\":\\\"x\\\",\\\"new\\\":1.5,"
           "\\\"by\\\":\\\"me\\\"}\"}]",
           NULL);
    belief(HISTORY("{\"timestamp\": \"soon\", \"old\": 0.1, \"new\": 0.2}"),
           "\"history\":[{\"at\":1767225600000,\"old\":0.1,\"new\":0.2}]",
           "confidence_history has an entry without a time that can be read");
    belief(HISTORY("{\"timestamp\": \"2026-02-01\", \"new\": 0.2},"
                   "{\"timestamp\": 1767225600, \"new\": 0.1}, 7, null"),
           "\"history\":[{\"at\":1767225600000,\"new\":0.1},{\"at\":1769904000000,\"new\":0.2}]",
           "has 1 entry that is no object; left out");
}

/* ---- cells of any type ---- */

static void test_texts(void **state)
{
    (void)state;
    belief("statement = NULL", "\"text\":\"\"", "belief:b: it has no text");
    belief("statement = ''", "\"text\":\"\"", NULL);
    belief("statement = 42", "\"text\":\"42\"", "statement is a number, not text");
    belief("statement = 0.5", "\"text\":\"0.5\"", "statement is a number, not text");
    belief("statement = CAST('bytes' AS BLOB)", "\"text\":\"bytes\"",
           "statement is a blob, not text");
    belief("statement = CAST(x'61ff62' AS TEXT)",
           "\"text\":\"a�b\",\"created_at\":1767225600000,\"updated_at\":1767312000000,"
           "\"confidence\":0.8,\"source_type\":\"inference\",\"status\":\"active\",\"version\":1,"
           "\"detail\":{\"original\":\"Yf9i\"}",
           "statement holds 1 byte that is no text; kept in base64");
    belief("statement = 'a' || char(0) || 'b'", "\"detail\":{\"original\":\"YQBi\"}",
           "statement holds 1 byte that is no text");
    belief("context = CAST(x'ff' AS TEXT)",
           "\"context\":\"�\",\"version\":1,\"detail\":{\"context_original\":\"/w==\"}",
           "context holds 1 byte that");
    belief("belief_type = x'c328'",
           "\"detail\":{\"belief_type\":\"�(\",\"belief_type_original\":\"wyg=\"}",
           "belief_type holds bytes that are no text; kept in base64");
    belief("belief_type = 9e999", "\"detail\":{\"belief_type\":\"inf\"}", NULL);
    belief("stack_id = NULL", "\"agent_id\":\"unknown\"", "it says of no agent whose it is");
    belief("stack_id = 7", "\"agent_id\":\"7\"", "stack_id is a number");
    belief("source_type = NULL", "\"source_type\":\"unknown\"", NULL);
    belief("source_type = 'telepathy'", "\"source_type\":\"telepathy\"", NULL);
    belief("source_entity = 'human:Sean'", "\"source_entity\":\"human:Sean\"", NULL);
}

static void test_ids(void **state)
{
    (void)state;
    struct odd o;
    take(&o, BELIEFS,
         "INSERT INTO beliefs(id, stack_id, statement, created_at) VALUES"
         " (NULL, 'ash', 'no id', '2026-01-01'), ('', 'ash', 'empty', '2026-01-01'),"
         " (x'ff', 'ash', 'bytes', '2026-01-01'), (1.5, 'ash', 'real', '2026-01-01'),"
         " (12, 'ash', 'integer', '2026-01-01'), ('12', 'ash', 'text', '2026-01-01'),"
         " (printf('%.600c', 'x'), 'ash', 'long', '2026-01-01')");
    assert_int_equal(o.import.summary.added, 2);
    assert_int_equal(o.import.summary.repeated, 1);
    assert_int_equal(imported_said(&o.import, "it has no id that can be used; not imported"), 4);
    assert_int_equal(imported_said(&o.import, "its id is longer than 512 bytes; not imported"), 1);
    assert_int_equal(imported_said(&o.import, "beliefs, row 2: it has no id"), 1);
    assert_int_equal(imported_said(&o.import, "belief:12: stands there twice, with other content"),
                     1);
    char *line = exported_line(o.store, "belief:12");
    assert_non_null(strstr(line, "\"text\":\"integer\""));
    free(line);
    leave(&o);
}

static void test_numbers(void **state)
{
    (void)state;
    belief("confidence = NULL", "\"confidence\":0.8", NULL);
    belief("confidence = '0.25'", "\"confidence\":0.25", NULL);
    belief("confidence = 1.5", "\"confidence\":1,", "confidence is 1.5; taken as 1");
    belief("confidence = -3", "\"detail\":{\"confidence\":-3}", "confidence is -3; taken as 0");
    belief("confidence = 9e999", "\"confidence\":1,", "confidence is inf; taken as 1");
    belief("confidence = 'high'", "\"detail\":{\"confidence\":\"high\"}",
           "confidence is no number");
    belief("version = 9", "\"version\":9", NULL);
    belief("version = -1", "\"version\":1", NULL);
    belief("is_protected = 1", "\"protected\":true", NULL);
    belief("is_protected = 'true'", "\"protected\":true", NULL);
    belief("is_protected = 'perhaps'", "\"detail\":{\"is_protected\":\"perhaps\"}",
           "is_protected is neither 0 nor 1");
}

static void test_status(void **state)
{
    (void)state;
    belief("strength = 0", "\"status\":\"forgotten\"", NULL);
    belief("strength = 0.0, deleted = 1", "\"status\":\"deleted\"", NULL);
    belief("strength = 0.2", "\"status\":\"active\",\"version\":1,\"detail\":{\"strength\":0.2}",
           NULL);
    belief("is_active = 0", "\"status\":\"superseded\"", NULL);
    belief("is_active = 0, strength = 0", "\"detail\":{\"is_active\":0,\"strength\":0}", NULL);
    belief("superseded_by = 'other'",
           "\"status\":\"superseded\",\"version\":1,\"detail\":{\"superseded_by\":\"other\"}",
           NULL);
    belief("supersedes = 'belief:other'",
           "\"relations\":[{\"type\":\"supersedes\",\"to\":\"belief:other\"", NULL);
    belief("supersedes = 'context:other'", "\"detail\":{\"supersedes\":\"context:other\"}",
           "supersedes names \"context:other\", which is no ref");
}

static void test_times(void **state)
{
    (void)state;
    belief("created_at = '2026-01-01T00:00:00.123456+02:00'", "\"created_at\":1767218400123", NULL);
    belief("created_at = '2026-01-01 00:00:00'", "\"created_at\":1767225600000", NULL);
    belief("created_at = 'yesterday'", "\"created_at\":1767312000000,\"updated_at\":1767312000000",
           "belief:b: created_at is no time that can be read");
    belief("created_at = 'yesterday'", "\"detail\":{\"created_at\":\"yesterday\"}",
           "nothing says when it was made; taken as when it was last changed");
    belief("created_at = NULL", "\"created_at\":1767312000000", "nothing says when it was made");
    belief("created_at = NULL, local_updated_at = 'never'", "\"created_at\":0,\"updated_at\":0",
           "left at the beginning of 1970");
    belief("created_at = 1767225600", "\"created_at\":1767225600000",
           "created_at is a number; taken as time since 1970");
    belief("created_at = 1767225600123", "\"created_at\":1767225600123", "created_at is a number");
    belief("created_at = '1767225600.5'", "\"created_at\":1767225600500", "created_at is a number");
    belief("created_at = '1970-01-02'", "\"created_at\":86400000",
           "created_at is a suspect time: 1970-01-02");
    belief("created_at = '2126-01-01'", "\"created_at\":4922899200000", "is a suspect time");
    belief("local_updated_at = NULL", "\"updated_at\":1767225600000", NULL);
}

/* ---- what is not a table ---- */

static void test_views_and_virtual_tables(void **state)
{
    (void)state;
    struct odd o;
    take(&o,
         "CREATE TABLE raw_entries(id, stack_id, blob, captured_at);"
         "INSERT INTO raw_entries VALUES ('r', 'ash', 'seen', '2026-01-01')",
         "CREATE VIEW beliefs AS SELECT id, stack_id, blob AS statement, captured_at AS created_at"
         " FROM raw_entries;"
         "CREATE VIRTUAL TABLE notes USING fts5(id, stack_id, content);"
         "INSERT INTO notes VALUES ('n', 'ash', 'said');"
         "CREATE TABLE episodes(objective); INSERT INTO episodes VALUES ('no ids')");
    assert_int_equal(o.import.summary.added, 1);
    assert_int_equal(imported_said(&o.import, "beliefs is no table with ids; it is not read"), 1);
    assert_int_equal(imported_said(&o.import, "notes is no table with ids; it is not read"), 1);
    assert_int_equal(imported_said(&o.import, "episodes is no table with ids; it is not read"), 1);
    assert_int_equal(imported_said(&o.import, "does not say of which version it is"), 1);
    assert_string_equal(o.import.summary.other_tables, "");
    leave(&o);
}

static void test_not_a_kernle_store(void **state)
{
    (void)state;
    char *path = scratch_path("store.db"), *source = scratch_path("other.db");
    struct store *s = kernle_target(path);
    struct import_summary summary;
    struct import_options options = {0};
    struct error e = {0};
    assert_int_equal(import_kernle(s, source, &options, &summary, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    kernle_sql(source, "CREATE TABLE other(id)");
    assert_int_equal(import_kernle(s, source, &options, &summary, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    scratch_write(source, "not a database at all, but long enough to be looked at", 54);
    assert_int_equal(import_kernle(s, source, &options, &summary, &e), -1);
    assert_int_equal(e.code, ERROR_STORE);
    store_close(s);
    free(path);
    free(source);
}

/* Tables without row numbers, with a column that takes the number's name, quotes in names, an agent
 * under both names. */
static void test_odd_tables(void **state)
{
    (void)state;
    check("CREATE TABLE raw_entries(id TEXT PRIMARY KEY, stack_id, blob, captured_at,"
          " \"we\"\"ird, na'me\") WITHOUT ROWID",
          "INSERT INTO raw_entries VALUES ('r', 'ash', 'seen', '2026-01-01', 'x')", "raw:r",
          "\"detail\":{\"we\\\"ird, na'me\":\"x\"}", NULL);
    check("CREATE TABLE schema_version(version); INSERT INTO schema_version VALUES ('26');"
          "CREATE TABLE raw_entries(id, stack_id, blob, captured_at, rowid, agent_id, original)",
          "INSERT INTO raw_entries VALUES ('r', 'ash', CAST(x'ff' AS TEXT), '2026-01-01', 'odd',"
          " 'too', 'own'), ('r2', 'ash', 'seen', '2026-01-01', 'odd', 'too', 'own')",
          "raw:r",
          "\"detail\":{\"rowid\":\"odd\",\"agent_id\":\"too\",\"original\":\"own\","
          "\"original_2\":\"/w==\"}",
          "blob holds 1 byte that");
    check("CREATE TABLE SCHEMA_VERSION(Version); INSERT INTO schema_version VALUES (26);"
          "CREATE TABLE Raw_Entries(ID, Stack_Id, Blob, Captured_At)",
          "INSERT INTO raw_entries VALUES ('r', 'ash', 'seen', '2026-01-01')", "raw:r",
          "\"text\":\"seen\"", NULL);
}

/* The older name of a column fills in; where both speak and disagree, both are kept. */
static void test_older_names(void **state)
{
    (void)state;
    static const char tables[] =
        "CREATE TABLE schema_version(version); INSERT INTO schema_version VALUES (16);"
        "CREATE TABLE raw_entries(id, agent_id, blob, captured_at, content, timestamp, source,"
        " local_updated_at)";
    check(tables,
          "INSERT INTO raw_entries VALUES ('r', 'ash', 'seen', '2026-01-01', 'seen', '2026-01-01',"
          " 'cli', '2026-01-01')",
          "raw:r", "\"version\":1,\"detail\":{\"source\":\"cli\"}}", NULL);
    check(tables,
          "INSERT INTO raw_entries VALUES ('r', 'ash', NULL, NULL, 'old', '2026-01-01', NULL,"
          " '2026-01-02')",
          "raw:r", "\"text\":\"old\",\"created_at\":1767225600000,", NULL);
    check(tables,
          "INSERT INTO raw_entries VALUES ('r', 'ash', 'new', '2026-01-01', 'old', '2025-01-01',"
          " NULL, '2026-01-02')",
          "raw:r",
          "\"text\":\"new\",\"created_at\":1767225600000,\"updated_at\":1767312000000,"
          "\"confidence\":1,\"source_type\":\"unknown\",\"status\":\"active\",\"version\":1,"
          "\"detail\":{\"content\":\"old\",\"timestamp\":\"2025-01-01\"}",
          NULL);
}

static void test_suggestions(void **state)
{
    (void)state;
    static const char tables[] =
        "CREATE TABLE schema_version(version); INSERT INTO schema_version VALUES (26);"
        "CREATE TABLE memory_suggestions(id, stack_id, memory_type, content, source_raw_ids,"
        " status, created_at, promoted_to)";
    check(tables,
          "INSERT INTO memory_suggestions VALUES ('s', 'ash', 'episode', '{\"objective\": \"o\","
          " \"outcome\": \"w\"}', '[\"r\", \"raw:r\"]', 'pending', '2026-01-01', NULL)",
          "suggestion:s",
          "\"detail\":{\"memory_type\":\"episode\",\"content\":{\"objective\":\"o\",\"outcome\":"
          "\"w\"},\"status\":\"pending\"},\"justifications\":[{\"role\":\"derived_from\","
          "\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":1767225600000,\"antecedents\":["
          "{\"ref\":\"raw:r\"}]}]",
          NULL);
    check(tables,
          "INSERT INTO memory_suggestions VALUES ('s', 'ash', 'note', 'plain words', '[]',"
          " 'pending', '2026-01-01', 'nothing')",
          "suggestion:s", "\"text\":\"plain words\"", "promoted_to names \"nothing\"");
    check(tables,
          "INSERT INTO memory_suggestions VALUES ('s', 'ash', 'note', '{\"x\": 1}', '[]',"
          " 'rejected', '2026-01-01', NULL)",
          "suggestion:s", "\"text\":\"{\\\"x\\\": 1}\"", NULL);
}

static void test_audit(void **state)
{
    (void)state;
    struct odd o;
    take(&o, BELIEFS,
         "CREATE TABLE memory_audit(id, memory_type, memory_id, operation, details, actor,"
         " created_at);"
         "INSERT INTO memory_audit VALUES"
         " ('1', 'belief', 'b', 'weaken', '{\"amount\": 0.1, \"reason\": \"old\"}', 'core:1',"
         " '2026-03-01'),"
         " ('2', 'beliefs', 'b', 'odd', 'not json', NULL, 'never'),"
         " ('3', 'belief', 'b', NULL, NULL, NULL, '2026-02-01'),"
         " ('4', 'belief', 'other', 'x', NULL, NULL, '2026-02-01'),"
         " ('5', NULL, NULL, NULL, NULL, NULL, NULL),"
         " ('6', 'belief', 'b', 'belief.revised', '{\"trigger_id\": \"old\"}', 'core:1',"
         " '2026-03-02'),"
         " ('7', 'belief', 'b', 'belief.revised', '{\"trigger_id\": 7}', 'core:1', '2026-03-03')");
    char *line = exported_line(o.store, "belief:b");
    const char *history =
        "\"history\":[{\"at\":1767312000000,\"reason\":\"not json\",\"operation\":\"odd\","
        "\"origin\":\"kernle\"},{\"at\":1769904000000,\"origin\":\"kernle\"},"
        "{\"at\":1772323200000,\"reason\":\"old {\\\"amount\\\":0.1}\",\"operation\":\"weaken\","
        "\"actor\":\"core:1\",\"origin\":\"kernle\"},{\"at\":1772409600000,\"evidence_source\":"
        "\"old\",\"operation\":\"belief.revised\",\"actor\":\"core:1\",\"origin\":\"kernle\"},"
        "{\"at\":1772496000000,\"operation\":\"belief.revised\",\"actor\":\"core:1\",\"origin\":"
        "\"kernle\"}],\"relations\":[{\"type\":\"supersedes\",\"to\":\"belief:old\",\"at\":"
        "1767225600000}]}";
    if (!strstr(line, history))
        fail_msg("%s\nhas not %s", line, history);
    assert_int_equal(imported_said(&o.import, "an entry of memory_audit has no time"), 1);
    assert_int_equal(imported_said(&o.import, "memory_audit has 2 entries about nothing"), 1);
    free(line);
    leave(&o);
}

/* A row beyond the bound for foreign files is passed over; the others are read. */
static void test_huge_row(void **state)
{
    (void)state;
    struct odd o;
    take(&o, BELIEFS,
         "INSERT INTO beliefs(id, stack_id, statement, created_at) VALUES"
         " ('huge', 'ash', zeroblob(68157440), '2026-01-01'),"
         " ('after', 'ash', 'said', '2026-01-01')");
    assert_int_equal(o.import.summary.added, 2);
    assert_int_equal(imported_said(&o.import, "beliefs, row 2: it is larger than 64 MiB"), 1);
    char *line = exported_line(o.store, "belief:after");
    assert_non_null(line);
    free(line);
    leave(&o);
}

/* A megabyte of what a terminal would obey. */
static void test_hostile_text(void **state)
{
    (void)state;
    belief("statement = replace(hex(zeroblob(100000)), '0', char(27) || '[31m' || char(8238))",
           "\"text\":\"\\u001b[31m\\u202e\\u001b[31m", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_columns),
        cmocka_unit_test(test_deep_json),
        cmocka_unit_test(test_lists_with_odd_items),
        cmocka_unit_test(test_long_lists),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_reinforcement),
        cmocka_unit_test(test_history),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_views_and_virtual_tables),
        cmocka_unit_test(test_not_a_kernle_store),
        cmocka_unit_test(test_odd_tables),
        cmocka_unit_test(test_older_names),
        cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_audit),
        cmocka_unit_test(test_huge_row),
        cmocka_unit_test(test_hostile_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
