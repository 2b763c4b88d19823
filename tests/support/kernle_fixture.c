#include "tests/support/kernle_fixture.h"

#include <unistd.h>
#include "tests/support/scratch.h"

enum {
    RAW = 1,
    EPISODES = 2,
    BELIEFS = 4,
    NOTES = 8,
    VALUES = 16,
    GOALS = 32,
    DRIVES = 64,
    RELATIONSHIPS = 128,
    SUGGESTIONS = 256,
    AUDIT = 512,
    BLOCK = EPISODES | BELIEFS | NOTES | VALUES | GOALS | DRIVES | RELATIONSHIPS,
    PRIVATE = BLOCK | RAW,
    ROWS = PRIVATE | SUGGESTIONS
};

static const struct {
    const char *name;
    int bit, from;
} tables[] = {
    {"raw_entries", RAW, 1},
    {"episodes", EPISODES, 1},
    {"beliefs", BELIEFS, 1},
    {"notes", NOTES, 1},
    {"agent_values", VALUES, 1},
    {"goals", GOALS, 1},
    {"drives", DRIVES, 1},
    {"relationships", RELATIONSHIPS, 1},
    {"memory_suggestions", SUGGESTIONS, 12},
    {"memory_audit", AUDIT, 24},
};

/* In the order of Kernle's tables; `until` is the first version without it, 0: still there. */
static const struct {
    int tables;
    const char *declared;
    int from, until;
} columns[] = {
    {ROWS | AUDIT, "id TEXT PRIMARY KEY", 1, 0},
    {ROWS, "agent_id TEXT NOT NULL", 1, 23},
    {ROWS, "stack_id TEXT NOT NULL", 23, 0},
    {RAW, "blob TEXT NOT NULL", 13, 0},
    {RAW, "captured_at TEXT NOT NULL", 13, 0},
    {RAW, "source TEXT DEFAULT 'unknown'", 1, 0},
    {RAW, "processed INTEGER DEFAULT 0", 1, 0},
    {RAW, "processed_into TEXT", 1, 0},
    {RAW, "content TEXT", 1, 0},
    {RAW, "timestamp TEXT", 1, 0},
    {RAW, "tags TEXT", 1, 0},
    {EPISODES, "objective TEXT NOT NULL", 1, 0},
    {EPISODES, "outcome TEXT NOT NULL", 1, 0},
    {EPISODES, "outcome_type TEXT", 1, 0},
    {EPISODES, "lessons TEXT", 1, 0},
    {EPISODES, "tags TEXT", 1, 0},
    {BELIEFS, "statement TEXT NOT NULL", 1, 0},
    {BELIEFS, "belief_type TEXT DEFAULT 'fact'", 1, 0},
    {VALUES, "name TEXT NOT NULL", 1, 0},
    {VALUES, "statement TEXT NOT NULL", 1, 0},
    {VALUES, "priority INTEGER DEFAULT 50", 1, 0},
    {GOALS, "title TEXT NOT NULL", 1, 0},
    {GOALS, "description TEXT", 1, 0},
    {GOALS, "goal_type TEXT DEFAULT 'task'", 17, 0},
    {GOALS, "priority TEXT DEFAULT 'medium'", 1, 0},
    {GOALS, "status TEXT DEFAULT 'active'", 1, 0},
    {NOTES, "content TEXT NOT NULL", 1, 0},
    {NOTES, "note_type TEXT DEFAULT 'note'", 1, 0},
    {NOTES, "speaker TEXT", 1, 0},
    {NOTES, "reason TEXT", 1, 0},
    {NOTES, "tags TEXT", 1, 0},
    {DRIVES, "drive_type TEXT NOT NULL", 1, 0},
    {DRIVES, "intensity REAL DEFAULT 0.5", 1, 0},
    {DRIVES, "focus_areas TEXT", 1, 0},
    {RELATIONSHIPS, "entity_name TEXT NOT NULL", 1, 0},
    {RELATIONSHIPS, "entity_type TEXT NOT NULL", 1, 0},
    {RELATIONSHIPS, "relationship_type TEXT NOT NULL", 1, 0},
    {RELATIONSHIPS, "notes TEXT", 1, 0},
    {RELATIONSHIPS, "sentiment REAL DEFAULT 0.0", 1, 0},
    {RELATIONSHIPS, "interaction_count INTEGER DEFAULT 0", 1, 0},
    {RELATIONSHIPS, "last_interaction TEXT", 1, 0},
    {SUGGESTIONS, "memory_type TEXT NOT NULL", 12, 0},
    {SUGGESTIONS, "content TEXT NOT NULL", 12, 0},
    {SUGGESTIONS, "confidence REAL DEFAULT 0.5", 12, 0},
    {SUGGESTIONS, "source_raw_ids TEXT NOT NULL", 12, 0},
    {SUGGESTIONS, "status TEXT DEFAULT 'pending'", 12, 0},
    {BLOCK | SUGGESTIONS, "created_at TEXT NOT NULL", 1, 0},
    {DRIVES, "updated_at TEXT", 1, 0},
    {SUGGESTIONS, "resolved_at TEXT", 12, 0},
    {SUGGESTIONS, "resolution_reason TEXT", 12, 0},
    {SUGGESTIONS, "promoted_to TEXT", 12, 0},
    {EPISODES, "emotional_valence REAL DEFAULT 0.0", 1, 0},
    {EPISODES, "emotional_arousal REAL DEFAULT 0.0", 1, 0},
    {EPISODES, "emotional_tags TEXT", 1, 0},
    {BLOCK & ~VALUES, "confidence REAL DEFAULT 0.8", 1, 0},
    {VALUES, "confidence REAL DEFAULT 0.9", 1, 0},
    {RAW, "confidence REAL DEFAULT 1.0", 1, 0},
    {PRIVATE, "source_type TEXT DEFAULT 'direct_experience'", 1, 0},
    {BLOCK, "source_episodes TEXT", 1, 0},
    {BLOCK, "derived_from TEXT", 1, 0},
    {BLOCK, "last_verified TEXT", 1, 0},
    {BLOCK, "verification_count INTEGER DEFAULT 0", 1, 0},
    {BLOCK, "confidence_history TEXT", 1, 0},
    {BELIEFS, "supersedes TEXT", 1, 0},
    {BELIEFS, "superseded_by TEXT", 1, 0},
    {BELIEFS, "times_reinforced INTEGER DEFAULT 0", 1, 0},
    {BELIEFS, "is_active INTEGER DEFAULT 1", 1, 0},
    {BLOCK, "times_accessed INTEGER DEFAULT 0", 1, 0},
    {BLOCK, "last_accessed TEXT", 1, 0},
    {BLOCK & ~(VALUES | DRIVES), "is_protected INTEGER DEFAULT 0", 1, 0},
    {VALUES | DRIVES, "is_protected INTEGER DEFAULT 1", 1, 0},
    {BLOCK, "is_forgotten INTEGER DEFAULT 0", 1, 24},
    {BLOCK, "forgotten_at TEXT", 1, 24},
    {BLOCK, "forgotten_reason TEXT", 1, 24},
    {BLOCK, "strength REAL DEFAULT 1.0", 24, 0},
    {EPISODES | NOTES | BELIEFS, "processed INTEGER DEFAULT 0", 24, 0},
    {BLOCK, "context TEXT", 1, 0},
    {BLOCK, "context_tags TEXT", 1, 0},
    {BLOCK, "source_entity TEXT", 13, 0},
    {PRIVATE, "subject_ids TEXT", 14, 0},
    {PRIVATE, "access_grants TEXT", 14, 0},
    {PRIVATE, "consent_grants TEXT", 14, 0},
    {BLOCK, "epoch_id TEXT", 22, 0},
    {EPISODES, "repeat TEXT", 24, 0},
    {EPISODES, "avoid TEXT", 24, 0},
    {BELIEFS, "belief_scope TEXT DEFAULT 'world'", 22, 0},
    {BELIEFS, "source_domain TEXT", 22, 0},
    {BELIEFS, "cross_domain_applications TEXT", 22, 0},
    {BELIEFS, "abstraction_level TEXT DEFAULT 'specific'", 22, 0},
    {ROWS, "local_updated_at TEXT NOT NULL", 1, 0},
    {ROWS, "cloud_synced_at TEXT", 1, 0},
    {ROWS, "version INTEGER DEFAULT 1", 1, 0},
    {ROWS, "deleted INTEGER DEFAULT 0", 1, 0},
    {AUDIT, "memory_type TEXT NOT NULL", 24, 0},
    {AUDIT, "memory_id TEXT NOT NULL", 24, 0},
    {AUDIT, "operation TEXT NOT NULL", 24, 0},
    {AUDIT, "details TEXT", 24, 0},
    {AUDIT, "actor TEXT NOT NULL", 24, 0},
    {AUDIT, "created_at TEXT NOT NULL", 24, 0},
    {AUDIT, "correlation_id TEXT", 27, 0},
};

#define COUNT_OF(table) (sizeof(table) / sizeof(*(table)))

static int64_t standing(void)
{
    return KERNLE_NOW;
}

struct store *kernle_target(const char *path)
{
    return scratch_store_with(path, &(struct store_options){.create = true, .now = standing});
}

static void add_table(struct strbuf *sql, size_t at, int version)
{
    const char *comma = "";
    strbuf_addf(sql, "CREATE TABLE %s(", tables[at].name);
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        bool there =
            version >= columns[i].from && (!columns[i].until || version < columns[i].until);
        if (!there || !(columns[i].tables & tables[at].bit))
            continue;
        strbuf_addf(sql, "%s%s", comma, columns[i].declared);
        comma = ", ";
    }
    strbuf_addstr(sql, ");");
}

void kernle_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int64_t kernle_count(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    struct strbuf uri = STRBUF_INIT; /* immutable: nothing is left beside the file */
    strbuf_addf(&uri, "file:%s?immutable=1", path);
    assert_int_equal(sqlite3_open_v2(uri.buf, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL),
                     SQLITE_OK);
    strbuf_release(&uri);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(db), sql);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    int64_t count = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return count;
}

void kernle_make(const char *path, int version, const char *sql)
{
    struct strbuf all = STRBUF_INIT;
    strbuf_addf(&all,
                "BEGIN; CREATE TABLE schema_version(version INTEGER PRIMARY KEY);"
                "INSERT INTO schema_version VALUES (%d);",
                version);
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        if (version >= tables[i].from)
            add_table(&all, i, version);
    if (sql)
        strbuf_addstr(&all, sql);
    strbuf_addstr(&all, "; COMMIT");
    kernle_sql(path, all.buf);
    strbuf_release(&all);
}

/* ---- importing ---- */

static void keep_line(void *arg, const char *line)
{
    struct imported *out = arg;
    strbuf_addstr(&out->lines, line);
    strbuf_addch(&out->lines, '\n');
}

typedef int (*import_fn)(struct store *, const char *, const struct import_options *,
                         struct import_summary *, struct error *);

static void run(struct imported *out, import_fn import, struct store *s, const char *path,
                const struct import_options *options)
{
    *out = (struct imported){.options = options ? *options : (struct import_options){0},
                             .lines = STRBUF_INIT};
    out->options.report = keep_line;
    out->options.arg = out;
    out->result = import(s, path, &out->options, &out->summary, &out->error);
    if (out->result && !out->options.progress)
        fail_msg("%s %s", out->error.what, out->error.todo);
}

void import_kernle_from(struct imported *out, struct store *s, const char *path,
                        const struct import_options *options)
{
    run(out, import_kernle, s, path, options);
}

void import_lines_from(struct imported *out, struct store *s, const char *path,
                       const struct import_options *options)
{
    run(out, import_jsonl, s, path, options);
}

void import_chains_from(struct imported *out, struct store *s, const char *path,
                        const struct import_options *options)
{
    run(out, import_cot, s, path, options);
}

void import_lines(struct imported *out, struct store *s, const char *lines,
                  const struct import_options *options)
{
    char *path = scratch_path("lines.jsonl");
    scratch_write(path, lines, strlen(lines));
    import_lines_from(out, s, path, options);
    free(path);
}

void imported_release(struct imported *out)
{
    strbuf_release(&out->lines);
}

size_t imported_said(const struct imported *out, const char *text)
{
    size_t count = 0;
    for (const char *line = out->lines.buf; *line; line = strchr(line, '\n') + 1) {
        const char *found = strstr(line, text);
        count += found && found < strchr(line, '\n');
    }
    return count;
}

/* ---- exporting ---- */

static int append(void *arg, const char *line, size_t len)
{
    strbuf_add(arg, line, len);
    return 0;
}

char *exported(struct store *s)
{
    struct strbuf out = STRBUF_INIT;
    struct error e = {0};
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    if (export_jsonl(r, append, &out, NULL, &e))
        fail_msg("%s", e.what);
    reader_close(r);
    strbuf_grow(&out, 1);
    return strbuf_detach(&out, NULL);
}

char *exported_line(struct store *s, const char *ref)
{
    struct strbuf start = STRBUF_INIT;
    char *all = exported(s), *line = NULL;
    strbuf_addf(&start, "{\"ref\":\"%s\",", ref);
    char *found = strstr(all, start.buf);
    if (found && (found == all || found[-1] == '\n'))
        line = strndup(found, strcspn(found, "\n"));
    strbuf_release(&start);
    free(all);
    return line;
}
