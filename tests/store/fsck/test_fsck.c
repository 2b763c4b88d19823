/*
 * fsck must notice every altered column of an event, every altered column of a row with a part of a
 * memory, rows removed or inserted, and a truncated journal. Each change is made to a copy of one
 * small store.
 */
#include "tests/support/scratch.h"

#include "model/base/alloc.h"
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/fsck/fsck.h"
#include "store/open.h"
#include "tests/support/findings.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#define BELIEF "belief:00000000-0000-4000-8000-000000000001"

static void fill(struct store *s)
{
    scratch_put(s, "{\"ref\":\"raw:r1\",\"agent_id\":\"ash\",\"text\":\"the pump was loud\"}");
    scratch_put(s, "{\"ref\":\"document:d1\",\"agent_id\":\"ash\",\"text\":\"Pumps\",\"detail\":"
                   "{\"uri\":\"file:///x\"}}");
    scratch_put(
        s, "{\"ref\":\"" BELIEF "\",\"agent_id\":\"claire\",\"text\":\"pumps wear out\","
           "\"confidence\":0.7,\"source_type\":\"inference\",\"source\":\"read it\","
           "\"source_entity\":\"human:bo\",\"tags\":[\"a\",\"b\"],\"context\":\"plant\","
           "\"annotations\":[\"context:x\",\"kernle:y\"],\"detail\":{\"belief_type\":\"fact\"},"
           "\"justifications\":["
           "{\"role\":\"derived_from\",\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":5,"
           "\"reason\":\"why\",\"antecedents\":[{\"ref\":\"raw:r1\"},{\"ref\":\"raw:never\"}]},"
           "{\"role\":\"evidence\",\"reading\":\"all\",\"recorded\":\"heuristic\",\"at\":6,"
           "\"antecedents\":[{\"ref\":\"document:d1\",\"relevance\":0.9,\"score\":\"measured\","
           "\"excerpt\":\"worn\",\"chunk\":2,\"rank\":1,\"page\":3,\"section\":\"S\","
           "\"version_hash\":\"v\",\"label\":\"l\"}]},"
           "{\"role\":\"reinforcement\",\"reading\":\"any\",\"recorded\":\"migrated\",\"at\":7,"
           "\"antecedents\":[]}],"
           "\"history\":[{\"at\":1,\"old\":0.6,\"new\":0.7,\"reason\":\"h\",\"evidence_source\":"
           "\"raw:r1\"},{\"at\":2,\"operation\":\"forget\",\"actor\":\"k\",\"origin\":\"kernle\"}],"
           "\"relations\":[{\"type\":\"contradicts\",\"to\":\"raw:r1\",\"at\":8,\"reason\":\"c\"}],"
           "\"marks\":[{\"mark\":\"rating\",\"at\":3,\"actor\":\"m\",\"value\":\"4\",\"reason\":"
           "\"n\"}]}");
    scratch_replace(s,
                    "{\"ref\":\"raw:r1\",\"agent_id\":\"ash\",\"text\":\"the pump was very loud\"}",
                    "heard again");
    scratch_put(s, "{\"ref\":\"note:n1\",\"agent_id\":\"ash\",\"source_type\":\"of its own\","
                   "\"text\":\"oil it\"}");
}

static int setup(void **state)
{
    return original_set_up(fill);
}

/* Returns the rows of `sql` as text, one per line. */
static char *ask(const char *sql)
{
    struct strbuf out = STRBUF_INIT;
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open_v2(original, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    while (sqlite3_step(stmt) == SQLITE_ROW)
        strbuf_addf(&out, "%s\n", sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return strbuf_detach(&out, NULL);
}

/* Returns the first line of `*text` and advances; NULL at the end. */
static char *next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    *text = end + 1;
    return line;
}

GROUP(setup, original_tear_down);

TEST(an_unaltered_store_is_sound)
{
    expect_sound_file(original);
}

/* ---- events ---- */

/* Values that a column may be changed to, for each type, one at a time. */
static const char *const alterations[] = {
    "%s + 1",
    "NULL",
    "%s || 'x'",
    "substr(%s, 2)",
    "zeroblob(length(%s))",
    "''",
    "0",
    "-1",
    "CAST(x'ff' || substr(CAST(%s AS BLOB), 2) AS TEXT)",
};
#define ALTERATION_COUNT (sizeof(alterations) / sizeof(alterations[0]))

/* Appends the change with the column's name filled in. */
static void add_alteration(struct strbuf *sql, const char *how, const char *column)
{
    for (const char *p = how; *p; p++)
        if (strncmp(p, "%s", 2) == 0) {
            strbuf_addstr(sql, column);
            p++;
        } else {
            strbuf_addch(sql, *p);
        }
}

/* Opens a copy of the store for one change after the other. */
static sqlite3 *open_copy(char **path)
{
    sqlite3 *db;
    *path = scratch_path("altered.db");
    scratch_copy(original, *path);
    assert_int_equal(sqlite3_open(*path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
    return db;
}

static void sql_do(sqlite3 *db, const char *sql)
{
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why))
        fail_msg("%s: %s", sql, why);
}

/* Runs "UPDATE table SET column = …"; false if the column cannot hold the value or would not
 * change. */
static bool alter(sqlite3 *db, const char *table, const char *column, const char *where,
                  const char *how)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    strbuf_addf(&sql, "UPDATE %s SET %s = ", table, column);
    add_alteration(&sql, how, column);
    strbuf_addf(&sql, " WHERE %s AND %s IS NOT (", where, column);
    add_alteration(&sql, how, column);
    strbuf_addstr(&sql, ")");
    bool changed =
        sqlite3_exec(db, sql.buf, NULL, NULL, NULL) == SQLITE_OK && sqlite3_changes(db) > 0;
    return changed;
}

/* Saves the present state of the table, to be restored after each change. */
static void keep_table(sqlite3 *db, const char *table)
{
    char sql[128];
    snprintf(sql, sizeof(sql), "CREATE TEMP TABLE kept AS SELECT * FROM main.%s", table);
    sql_do(db, sql);
}

static void restore_table(sqlite3 *db, const char *table)
{
    char sql[256];
    snprintf(sql, sizeof(sql),
             "BEGIN; DELETE FROM main.%s; INSERT INTO main.%s SELECT * FROM temp.kept; COMMIT",
             table, table);
    sql_do(db, sql);
}

static void drop(char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        char name[4096];
        snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
        unlink(name);
    }
    *strrchr(path, '/') = '\0';
    rmdir(path);
    free(path);
}

/* Findings in an open store. */
static struct findings findings_now(struct reader *r)
{
    struct findings found = {.total = 0};
    struct fsck_summary summary;
    struct error e = {0};
    if (store_fsck(r, findings_note, NULL, &found, &summary, &e))
        fail_msg("%s", e.what);
    return found;
}

/* Makes each change to each column of the row and expects one of `faults`. */
static size_t alter_row(const char *table, const char *where, unsigned faults)
{
    char sql[256], *path;
    size_t tried = 0;
    struct error e = {0};
    sqlite3 *db = open_copy(&path);
    struct store *s = scratch_store_with(path, &(struct store_options){.read_only = true});
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    keep_table(db, table);
    snprintf(sql, sizeof(sql), "SELECT name FROM pragma_table_info('%s')", table);
    char *columns = ask(sql), *rest = columns, *column;
    while ((column = next_line(&rest)))
        for (size_t i = 0; i < ALTERATION_COUNT; i++) {
            if (!alter(db, table, column, where, alterations[i]))
                continue;
            struct findings found = findings_now(r);
            bool told = false;
            for (int fault = 0; fault < FSCK_FAULT_COUNT; fault++)
                told |= faults >> fault & 1 && found.count[fault];
            if (!told)
                fail_msg("%s.%s = %s where %s was not reported:\n%s", table, column, alterations[i],
                         where, found.text);
            tried++;
            restore_table(db, table);
        }
    reader_close(r);
    store_close(s);
    expect_sound_file(path); /* every change was reverted */
    sqlite3_close(db);
    drop(path);
    free(columns);
    return tried;
}

#define TELLS(fault) (1u << (fault))

TEST(every_altered_column_of_an_event_is_reported)
{
    /* The first, one with a patch, the last. */
    for (int seq = 1; seq <= 5; seq = seq == 1 ? 4 : seq + 1) {
        char where[32];
        snprintf(where, sizeof(where), "seq = %d", seq);
        assert_true(
            alter_row("event", where, TELLS(FSCK_EVENT_ALTERED) | TELLS(FSCK_CHAIN_BROKEN)) > 30);
    }
}

/* Sets the column to `hex` with one bit of byte `at` flipped. */
static void flip(sqlite3 *db, const char *column, int seq, const char *hex, size_t at)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    bool is_text = strcmp(column, "canonical") == 0 || strcmp(column, "patch") == 0;
    char byte[3] = {hex[2 * at], hex[2 * at + 1], '\0'};
    unsigned flipped = (unsigned)strtoul(byte, NULL, 16) ^ 1u << at % 7;
    strbuf_addf(&sql, "UPDATE event SET %s = CAST(x'%.*s%02x%s", column, (int)(2 * at), hex,
                flipped, hex + 2 * at + 2);
    strbuf_cut(&sql, sql.len - 1); /* line end of ask() */
    strbuf_addf(&sql, "' AS %s) WHERE seq = %d", is_text ? "TEXT" : "BLOB", seq);
    sql_do(db, sql.buf);
    assert_int_equal(sqlite3_changes(db), 1);
}

/* Flips one bit of each byte of the texts and blobs of an event, reverting the previous flip. */
static void flip_bytes(const char *column, int seq)
{
    char sql[512], *path;
    struct error e = {0};
    sqlite3 *db = open_copy(&path);
    struct store *s = scratch_store_with(path, &(struct store_options){.read_only = true});
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    snprintf(sql, sizeof(sql), "SELECT hex(%s) FROM event WHERE seq = %d AND %s IS NOT NULL",
             column, seq, column);
    AUTO_FREE char *hex = ask(sql);
    size_t len = strlen(hex) / 2;
    assert_true(len > 0);
    for (size_t n = 0; n < RANDOM_ROUNDS(len); n++) {
        size_t i = n * len / RANDOM_ROUNDS(len);
        flip(db, column, seq, hex, i);
        struct findings found = findings_now(r);
        if (!found.count[FSCK_EVENT_ALTERED] || found.seq != seq)
            fail_msg("byte %zu of %s of event %d was not reported:\n%s", i, column, seq,
                     found.text);
    }
    reader_close(r);
    store_close(s);
    sqlite3_close(db);
    drop(path);
}

TEST(every_flipped_byte_of_an_event_is_reported)
{
    static const char *const columns[] = {"canonical", "salt", "hash", "patch"};
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        flip_bytes(columns[i], 4); /* an event with a patch */
        if (i == 1 || i == 2)
            flip_bytes(columns[i], 1);
    }
}

TEST(missing_and_inserted_events_break_the_chain)
{
    static const char *const sql[] = {
        "DELETE FROM event WHERE seq = 1",
        "DELETE FROM event WHERE seq = 3",
        "DELETE FROM event WHERE seq IN (2, 3)",
        "INSERT INTO event SELECT 0, at, session, actor, operation, subject, correlation, "
        "canonical,"
        " salt, patch, hash, hmac, person, undoes, expires FROM event WHERE seq = 2",
        "INSERT INTO event SELECT 9, at, session, actor, operation, subject, correlation, "
        "canonical,"
        " salt, patch, hash, hmac, person, undoes, expires FROM event WHERE seq = 5",
    };
    for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]); i++) {
        char *path = altered_copy(original, sql[i]);
        struct findings found = findings_of(path);
        if (!found.count[FSCK_CHAIN_BROKEN])
            fail_msg("%s:\n%s", sql[i], found.text);
        drop(path);
    }
}

TEST(a_truncated_journal_shows_by_the_head)
{
    /* Removes the note and its event: only the head file shows it. */
    char *path = altered_copy(
        original,
        "DELETE FROM event WHERE seq = 5;"
        "INSERT INTO memory_fts(memory_fts, rowid, text) SELECT 'delete', id,"
        " text || char(10) || char(10) FROM memory WHERE id = (SELECT max(id) FROM memory);"
        "DELETE FROM memory WHERE id = (SELECT max(id) FROM memory)");
    struct findings found = findings_of(path);
    assert_int_equal(found.count[FSCK_TAIL_CUT], 1);
    assert_int_equal(found.total, 1);
    char head[4096];
    scratch_head(head, sizeof(head), path);
    unlink(head);
    found = findings_of(path);
    assert_int_equal(found.total, 0);
    drop(path);
}

TEST(a_truncated_journal_shows_by_its_memories)
{
    for (int from = 2; from <= 5; from++) {
        char sql[64], head[4096];
        snprintf(sql, sizeof(sql), "DELETE FROM event WHERE seq >= %d", from);
        char *path = altered_copy(original, sql);
        scratch_head(head, sizeof(head), path);
        assert_int_equal(findings_of(path).count[FSCK_TAIL_CUT] > 1, 1);
        unlink(head);
        struct findings found = findings_of(path);
        if (!found.count[FSCK_TAIL_CUT] || found.count[FSCK_ROW_ALTERED] ||
            found.count[FSCK_EVENT_ALTERED])
            fail_msg("cut from %d:\n%s", from, found.text);
        drop(path);
    }
}

TEST(a_wrong_head_file_is_reported)
{
    char *path = scratch_path("head.db");
    scratch_copy(original, path);
    char head[4096];
    size_t len;
    scratch_head(head, sizeof(head), path);
    AUTO_FREE char *text = scratch_read(head, &len);
    assert_non_null(text);
    for (size_t i = 0; i < len; i++) {
        text[i] ^= 2;
        scratch_write(head, text, len);
        struct findings found = findings_of(path);
        /* Upper-case hex digits are valid, and a smaller number is a head file that is behind. */
        if (!found.count[FSCK_TAIL_CUT] && !found.count[FSCK_HEAD])
            fail_msg("byte %zu of the head: %s", i, found.text);
        text[i] ^= 2;
    }
    drop(path);
}

/* ---- rows ---- */

static const struct {
    const char *table, *key;
} parts[] = {
    {"memory", "id"},
    {"link", "memory || '/' || number || '/' || position"},
    {"use", "memory || '/' || number || '/' || position"},
    {"history", "memory || '/' || position"},
    {"mark", "memory || '/' || position"},
};
#define PART_COUNT (sizeof(parts) / sizeof(parts[0]))

TEST(every_altered_column_of_a_memory_is_reported)
{
    for (size_t i = 0; i < PART_COUNT; i++) {
        char sql[256];
        size_t tried = 0;
        snprintf(sql, sizeof(sql), "SELECT %s FROM %s", parts[i].key, parts[i].table);
        char *keys = ask(sql), *rest = keys, *key;
        while ((key = next_line(&rest))) {
            snprintf(sql, sizeof(sql), "%s = '%s'", parts[i].key, key);
            if (strcmp(parts[i].table, "memory") == 0)
                snprintf(sql, sizeof(sql), "id = %s", key);
            tried += alter_row(parts[i].table, sql,
                               TELLS(FSCK_ROW_ALTERED) | TELLS(FSCK_ROW_UNRECORDED) |
                                   TELLS(FSCK_EVENT_ALTERED) | TELLS(FSCK_LINK_BROKEN));
        }
        assert_true(tried > 20);
        free(keys);
    }
}

TEST(an_altered_shared_name_is_reported)
{
    static const char *const sql[] = {
        "UPDATE agent SET name = 'eve' WHERE name = 'ash'",
        "UPDATE agent SET name = 'eve' WHERE name = 'claire'",
        "UPDATE agent SET id = 77 WHERE name = 'ash'",
        "DELETE FROM agent WHERE name = 'ash'",
        "UPDATE source_type SET name = 'seen' WHERE name = 'inference'",
        "UPDATE source_type SET name = 'seen' WHERE name = 'of its own'",
        "UPDATE source_type SET id = 77 WHERE name = 'direct_experience'",
    };
    for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]); i++) {
        char *path = altered_copy(original, sql[i]);
        struct findings found = findings_of(path);
        if (!found.count[FSCK_ROW_ALTERED])
            fail_msg("%s:\n%s", sql[i], found.text);
        drop(path);
    }
}

TEST(removed_and_inserted_rows_are_reported)
{
    static const struct {
        const char *sql;
        unsigned faults;
    } cases[] = {
        {"DELETE FROM memory WHERE name = 'n1'", TELLS(FSCK_ROW_UNRECORDED)},
        {"DELETE FROM memory WHERE name = 'd1'", TELLS(FSCK_ROW_UNRECORDED)},
        {"DELETE FROM memory WHERE name = 'never'", TELLS(FSCK_LINK_BROKEN)},
        {"DELETE FROM link WHERE number = 0 AND position = 1", TELLS(FSCK_ROW_ALTERED)},
        {"DELETE FROM link", TELLS(FSCK_ROW_ALTERED)},
        {"DELETE FROM use", TELLS(FSCK_ROW_ALTERED)},
        {"DELETE FROM history WHERE position = 0", TELLS(FSCK_ROW_ALTERED)},
        {"DELETE FROM history WHERE position = 1", TELLS(FSCK_ROW_ALTERED)},
        {"DELETE FROM mark", TELLS(FSCK_ROW_ALTERED)},
        {"INSERT INTO memory SELECT 100, kind, 'twin', status, agent, source_type, created_at,"
         " updated_at, confidence, protected, version, event, text, source, source_entity, context,"
         " tags, annotations, detail FROM memory WHERE name = 'n1'",
         TELLS(FSCK_ROW_UNRECORDED)},
        {"INSERT INTO link SELECT memory, 9, position, target, shape, at, reason FROM link"
         " WHERE number = 1",
         TELLS(FSCK_ROW_ALTERED)},
        {"INSERT INTO link VALUES (1, 0, 0, 2, 0, 0, NULL)", TELLS(FSCK_ROW_ALTERED)},
        {"INSERT INTO link VALUES (4, 0, 0, 2, 0, 0, NULL)", TELLS(FSCK_ROW_UNRECORDED)},
        {"INSERT INTO link VALUES (77, 0, 0, 2, 0, 0, NULL)", TELLS(FSCK_ROW_UNRECORDED)},
        {"INSERT INTO use(memory, number, position) VALUES (1, 0, 0)", TELLS(FSCK_ROW_ALTERED)},
        {"INSERT INTO use(memory, number, position) VALUES (77, 0, 0)", TELLS(FSCK_ROW_UNRECORDED)},
        {"INSERT INTO use(memory, number, position) SELECT memory, 0, 0 FROM use",
         TELLS(FSCK_ROW_ALTERED)},
        {"INSERT INTO history(memory, position, at) VALUES (1, 0, 5)", TELLS(FSCK_ROW_ALTERED)},
        {"INSERT INTO history(memory, position, at) VALUES (4, 0, 5)", TELLS(FSCK_ROW_UNRECORDED)},
        {"INSERT INTO mark(memory, position, mark, at) VALUES (1, 0, 'x', 5)",
         TELLS(FSCK_ROW_ALTERED)},
        {"INSERT INTO mark(memory, position, mark, at) VALUES (77, 0, 'x', 5)",
         TELLS(FSCK_ROW_UNRECORDED)},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *path = altered_copy(original, cases[i].sql);
        struct findings found = findings_of(path);
        bool told = false;
        for (int fault = 0; fault < FSCK_FAULT_COUNT; fault++)
            told |= cases[i].faults >> fault & 1 && found.count[fault];
        if (!told)
            fail_msg("%s:\n%s", cases[i].sql, found.text);
        drop(path);
    }
}

TEST(altered_memories_are_named)
{
    char *path = altered_copy(original, "UPDATE memory SET text = 'pumps last' WHERE kind = 2");
    struct findings found = findings_of(path);
    assert_int_equal(found.count[FSCK_ROW_ALTERED], 1);
    assert_int_equal(found.total, 1);
    assert_string_equal(found.refs, BELIEF "\n");
    assert_int_equal(found.seq, 3);
    drop(path);
    /* Also if the rows cannot be read. */
    path = altered_copy(original, "UPDATE link SET target = 99 WHERE number = 0");
    found = findings_of(path);
    assert_int_equal(found.count[FSCK_ROW_ALTERED], 1);
    assert_string_equal(found.refs, BELIEF "\n");
    drop(path);
    path = altered_copy(original, "UPDATE event SET actor = 'eve' WHERE seq = 2");
    found = findings_of(path);
    assert_int_equal(found.count[FSCK_EVENT_ALTERED], 1);
    assert_int_equal(found.total, 1);
    assert_string_equal(found.refs, "document:d1\n");
    drop(path);
}

/* Makes an index miss a change by removing it from the schema meanwhile. */
static char *behind(const char *index, const char *change)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    strbuf_addf(&sql,
                "PRAGMA writable_schema = ON; CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema"
                " WHERE name = '%s'; DELETE FROM sqlite_schema WHERE name = '%s';"
                "PRAGMA writable_schema = RESET; %s; PRAGMA writable_schema = ON;"
                "INSERT INTO sqlite_schema SELECT * FROM kept; PRAGMA writable_schema = RESET",
                index, index, change);
    return altered_copy(original, sql.buf);
}

TEST(a_wrong_index_is_named)
{
    static const struct {
        const char *index, *change;
    } cases[] = {
        {"memory_ref", "UPDATE memory SET name = 'n2' WHERE name = 'n1'"},
        {"memory_created", "UPDATE memory SET created_at = created_at + 1 WHERE name = 'n1'"},
        {"memory_confidence", "UPDATE memory SET confidence = 0.25 WHERE name = 'n1'"},
        {"memory_text", "UPDATE memory SET text = 'oil' WHERE name = 'n1'"},
        {"memory_recorded", "DELETE FROM memory WHERE name = 'n1'"},
        {"link_target", "UPDATE link SET shape = 1 - shape WHERE position = 0 AND number = 0"},
        {"link_target", "DELETE FROM link WHERE number = 0 AND position = 1"},
        {"event_subject", "UPDATE event SET subject = 1 WHERE seq = 2"},
        {"mark_name", "UPDATE mark SET mark = 'other'"},
        {"lookup_key", "UPDATE lookup SET key = zeroblob(16)"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        AUTO_FREE char *path = behind(cases[i].index, cases[i].change);
        struct findings found = findings_of(path);
        if (!found.count[FSCK_DATABASE] || !strstr(found.text, cases[i].index))
            fail_msg("%s is not named: %s", cases[i].index, found.text);
    }
}

TEST(a_foreign_schema_is_reported)
{
    static const char *const sql[] = {
        "DROP INDEX memory_created",
        "DROP TABLE mark",
        "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM mark; END",
        "CREATE VIEW v AS SELECT 1",
        "ALTER TABLE memory ADD COLUMN more TEXT",
        "DROP INDEX memory_created; CREATE INDEX memory_created ON memory(text)",
    };
    for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]); i++) {
        char *path = altered_copy(original, sql[i]);
        struct findings found = findings_of(path);
        if (!found.count[FSCK_DATABASE])
            fail_msg("%s:\n%s", sql[i], found.text);
        drop(path);
    }
}

static void ignore(void *arg, const struct fsck_finding *finding)
{
    (void)arg, (void)finding;
}

static int stop(void *arg, int64_t done, int64_t total)
{
    (void)arg, (void)done, (void)total;
    return 1;
}

TEST(fsck_can_be_interrupted)
{
    struct fsck_summary summary;
    struct error e = {0};
    struct store *s = scratch_store_with(original, &(struct store_options){.read_only = true});
    struct reader *r = reader_open(s, &e);
    assert_int_equal(store_fsck(r, ignore, stop, NULL, &summary, &e), -1);
    assert_int_equal(e.code, ERROR_INTERRUPTED);
    reader_close(r);
    store_close(s);
}
