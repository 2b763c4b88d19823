#include "store/history/past_overlay.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "store/record/entry_row.h"
#include "store/journal/call_chain.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"

/* ---- statements in another way ---- */

/*
 * SQLite takes a UNION ALL apart into the statement around it where that sorts by what it gives,
 * does not sum up, and does not have the union on the right of a LEFT JOIN; otherwise it makes the
 * whole view, for each row that is asked for. What follows says the same as the statements do in a
 * way in which it does not come to that. Whoever changes one of those need not know: then it is
 * answered as before, only slower; the test of the plans says so.
 */

struct rule {
    bool whole; /* `from` is all of the statement, else it may stand anywhere in it */
    const char *from;
    const char *to;
    const char *end; /* put behind the statement; NULL: nothing */
};

/* Links with the use that was made, from one pair of tables: the memory is in one of the two. */
#define LINKS_OF(link, use)                                                                        \
    "SELECT l.number, l.shape, l.at, l.reason, l.target, t.kind, t.name,"                          \
    " (SELECT status FROM memory WHERE id = l.target),"                                            \
    " u.memory, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"              \
    " u.version_hash, u.label, u.title, l.position"                                                \
    " FROM " link " l LEFT JOIN main.memory t ON t.id = l.target LEFT JOIN " use " u"              \
    " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"                  \
    " WHERE l.memory = ?1"

static const struct rule rules[] = {
    /* A subquery with a LIMIT is asked for by itself, so the union within it can be taken apart. */
    {false, "SELECT count(*) FROM memory INDEXED BY memory_created WHERE",
     "SELECT count(*) FROM (SELECT 1 FROM listed_created WHERE", " LIMIT -1)"},
    {true, "SELECT count(*) FROM memory WHERE status < 7",
     "SELECT count(*) FROM (SELECT 1 FROM listed_created WHERE status < 7", " LIMIT -1)"},
    {true,
     "SELECT gather_node(?1, id, kind, status) FROM memory INDEXED BY memory_created"
     " WHERE status < 7",
     "SELECT gather_node(?1, id, kind, status) FROM (SELECT id, kind, status FROM listed_created"
     " WHERE status < 7 LIMIT -1)",
     NULL},
    {true,
     "SELECT gather_link(?1, memory, number, target, shape) FROM link"
     " WHERE memory >= ?2 AND memory < ?3",
     "SELECT gather_link(?1, memory, number, target, shape) FROM"
     " (SELECT memory, number, target, shape, position FROM link"
     " WHERE memory >= ?2 AND memory < ?3 ORDER BY memory, number, position LIMIT -1)",
     NULL},
    /* A list's index, under the name of its view. */
    {false, "memory INDEXED BY memory_", "listed_", NULL},
    {false, " FROM event INDEXED BY event_confidence WHERE ",
     " FROM main.event INDEXED BY event_confidence WHERE seq <= past_moment() AND ", NULL},
    /* Rows and refs stay what they are. */
    {true, "SELECT max(id) FROM memory", "SELECT max(id) FROM main.memory", NULL},
    {true, "SELECT kind FROM memory WHERE id = ?", "SELECT kind FROM main.memory WHERE id = ?",
     NULL},
    {false, " FROM call c LEFT JOIN memory m ", " FROM call c LEFT JOIN main.memory m ", NULL},
    /* Its rows are not all that there are up to a number. */
    {true, CALL_COUNT, "SELECT coalesce(sum(" CALL_LINES "), 0) FROM call WHERE id <= ?1", NULL},
    /* What is sorted by is among what is given. */
    {true, "SELECT id FROM memory WHERE kind = ? AND status < 7 ORDER BY name",
     "SELECT id, name FROM memory WHERE kind = ? AND status < 7 ORDER BY name", NULL},
    {true, "SELECT memory, target FROM link WHERE shape & 31 = ? ORDER BY memory, number",
     "SELECT memory, target, number FROM link WHERE shape & 31 = ? ORDER BY memory, number", NULL},
    {true,
     "SELECT memory, new FROM history WHERE origin IS NULL AND new IS NOT NULL ORDER BY memory,"
     " position",
     "SELECT memory, new, position FROM history WHERE origin IS NULL AND new IS NOT NULL"
     " ORDER BY memory, position",
     NULL},
    /* The parts come one after the other, and each in the order of its key. */
    {true,
     "SELECT m.kind, m.status, l.number, l.target, l.shape FROM memory m"
     " LEFT JOIN link l ON l.memory = m.id WHERE m.id = ? ORDER BY l.number, l.position",
     "SELECT kind, status, NULL, NULL, NULL FROM memory WHERE id = ?1"
     " UNION ALL SELECT NULL, NULL, number, target, shape FROM link WHERE memory = ?1",
     NULL},
    {true,
     "SELECT l.number, l.shape, l.at, l.reason, l.target, t.kind, t.name, t.status,"
     " u.memory, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"
     " u.version_hash, u.label, u.title, l.position"
     " FROM link l LEFT JOIN memory t ON t.id = l.target LEFT JOIN use u"
     " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"
     " WHERE l.memory = ? ORDER BY l.number, l.position",
     LINKS_OF("main.link", "main.use") " AND past_same(?1) UNION ALL " LINKS_OF("temp.then_link",
                                                                                "temp.then_use"),
     NULL},
    /* The index of texts is that of the present. What has changed since may have said anything, and
     * is looked at; what it says now is not found in what it said then. */
    {true, "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? ORDER BY rowid DESC",
     "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?"
     " UNION SELECT id FROM temp.then_memory ORDER BY 1 DESC",
     NULL},
    {true, "SELECT doc, term FROM temp.memory_terms WHERE term >= ? AND term < ?",
     "SELECT doc, term FROM temp.memory_terms WHERE term >= ?1 AND term < ?2"
     " UNION ALL SELECT id, ?1 FROM temp.then_memory",
     NULL},
};

static char *apply(const struct rule *rule, const char *sql)
{
    struct strbuf out = STRBUF_INIT;
    size_t len = strlen(rule->from);
    const char *found;
    for (; (found = strstr(sql, rule->from)); sql = found + len) {
        strbuf_add(&out, sql, (size_t)(found - sql));
        strbuf_addstr(&out, rule->to);
    }
    strbuf_addstr(&out, sql);
    if (rule->end)
        strbuf_addstr(&out, rule->end);
    return strbuf_detach(&out, NULL);
}

static bool applies(const struct rule *rule, const char *sql)
{
    return rule->whole ? strcmp(sql, rule->from) == 0 : strstr(sql, rule->from) != NULL;
}

static char *vary(const char *sql)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (applies(&rules[i], sql))
            return apply(&rules[i], sql);
    return NULL;
}

/* From here on the connection is asked them in another way, which gives the same rows in the same
 * order. */
static void past_sql_vary(struct db *db)
{
    db_vary(db, vary);
}

/* ---- tables and views ---- */

/* As in the schema. */
static const char tables[] =
    "CREATE TABLE temp.then_memory("
    " id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL,"
    " status INTEGER NOT NULL, agent INTEGER, source_type INTEGER,"
    " created_at INTEGER, updated_at INTEGER, confidence REAL,"
    " protected INTEGER NOT NULL, version INTEGER NOT NULL, event INTEGER,"
    " text TEXT, source TEXT, source_entity TEXT, context TEXT,"
    " tags TEXT, annotations TEXT, detail TEXT) STRICT;"
    "CREATE TABLE temp.then_link("
    " memory INTEGER NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL,"
    " target INTEGER, shape INTEGER NOT NULL, at INTEGER, reason TEXT,"
    " PRIMARY KEY(memory, number, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE temp.then_use("
    " memory INTEGER NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL,"
    " relevance REAL, score INTEGER NOT NULL, excerpt TEXT, chunk INTEGER, rank INTEGER,"
    " page INTEGER, section TEXT, version_hash TEXT, label TEXT, title TEXT, target INTEGER,"
    " PRIMARY KEY(memory, number, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE temp.then_history("
    " memory INTEGER NOT NULL, position INTEGER NOT NULL, at INTEGER NOT NULL,"
    " old REAL, new REAL, reason TEXT, evidence_source TEXT,"
    " operation TEXT, actor TEXT, origin TEXT,"
    " PRIMARY KEY(memory, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE temp.then_mark("
    " memory INTEGER NOT NULL, position INTEGER NOT NULL, mark TEXT NOT NULL, at INTEGER NOT NULL,"
    " actor TEXT, value TEXT, reason TEXT,"
    " PRIMARY KEY(memory, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE temp.then_attribution("
    " memory INTEGER PRIMARY KEY, agent INTEGER NOT NULL, type TEXT, at INTEGER NOT NULL) STRICT;"
    "CREATE TABLE temp.then_entry("
    " memory INTEGER PRIMARY KEY, namespace INTEGER NOT NULL, key TEXT NOT NULL,"
    " state INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,"
    " expires INTEGER, bytes INTEGER NOT NULL) STRICT;"
    "CREATE TABLE temp.then_found_by("
    " memory INTEGER NOT NULL, field INTEGER NOT NULL, key BLOB NOT NULL, agent INTEGER NOT NULL,"
    " PRIMARY KEY(memory, field)) STRICT, WITHOUT ROWID;";

static const char indexes[] =
    "CREATE UNIQUE INDEX temp.then_ref ON then_memory(kind, name);"
    "CREATE INDEX temp.then_recorded ON then_memory"
    "(kind, id, agent, status, source_type) WHERE status < 7;"
    "CREATE INDEX temp.then_created ON then_memory"
    "(kind, created_at, id, agent, status, source_type) WHERE status < 7;"
    "CREATE INDEX temp.then_updated ON then_memory"
    "(kind, updated_at, id, agent, status, source_type) WHERE status < 7;"
    "CREATE INDEX temp.then_confidence ON then_memory"
    "(kind, confidence, id, agent, status, source_type) WHERE status < 7;"
    "CREATE INDEX temp.then_text ON then_memory"
    "(kind, substr(text, 1, 48), id, agent, status, source_type) WHERE status < 7;"
    "CREATE INDEX temp.then_target ON then_link(target, memory, number, position, shape)"
    " WHERE target IS NOT NULL;"
    "CREATE INDEX temp.then_version ON then_use(target, chunk, memory, version_hash)"
    " WHERE version_hash IS NOT NULL;"
    "CREATE INDEX temp.then_attribution_at ON then_attribution(agent, at);"
    "CREATE INDEX temp.then_found_by_key ON then_found_by(field, key, memory, agent);"
    "CREATE INDEX temp.then_mark_name ON then_mark(mark, memory);";

#define MEMORY_COLUMNS                                                                             \
    "id, kind, name, status, agent, source_type, created_at, updated_at, confidence, protected,"   \
    " version, event, text, source, source_entity, context, tags, annotations, detail"
#define LINK_COLUMNS "memory, number, position, target, shape, at, reason"
#define USE_COLUMNS                                                                                \
    "memory, number, position, relevance, score, excerpt, chunk, rank, page, section,"             \
    " version_hash, label, title, target"
#define HISTORY_COLUMNS                                                                            \
    "memory, position, at, old, new, reason, evidence_source, operation, actor, origin"
#define MARK_COLUMNS        "memory, position, mark, at, actor, value, reason"
#define ATTRIBUTION_COLUMNS "memory, agent, type, at"
#define FOUND_BY_COLUMNS    "memory, field, key, agent"

#define SAME_OR_THEN(table, columns)                                                               \
    "CREATE TEMP VIEW " table " AS SELECT " columns " FROM main." table                            \
    " WHERE past_same(memory) UNION ALL SELECT " columns " FROM temp.then_" table ";"

/* A list names its index, which no view has: it asks the view of that index, and stubs are in none.
 * */
#define LISTED_BY(order)                                                                           \
    "CREATE TEMP VIEW listed_" order " AS SELECT " MEMORY_COLUMNS                                  \
    " FROM main.memory INDEXED BY memory_" order                                                   \
    " WHERE past_same(id) UNION ALL SELECT " MEMORY_COLUMNS                                        \
    " FROM temp.then_memory INDEXED BY then_" order ";"

/* What came later is a stub. The casts give its columns the affinity of the others, without which
 * SQLite would make the whole view before it looks at it. */
#define LATER                                                                                      \
    " UNION ALL SELECT id, kind, name, CAST(7 AS INTEGER), CAST(NULL AS INTEGER),"                 \
    " CAST(NULL AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS REAL),"    \
    " CAST(0 AS INTEGER), CAST(0 AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS TEXT),"          \
    " CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS TEXT),"             \
    " CAST(NULL AS TEXT), CAST(NULL AS TEXT) FROM main.memory WHERE past_unborn(id);"

static const char *const views[] = {
    "CREATE TEMP VIEW memory AS SELECT " MEMORY_COLUMNS " FROM main.memory WHERE past_same(id)"
    " UNION ALL SELECT " MEMORY_COLUMNS " FROM temp.then_memory" LATER,
    LISTED_BY("recorded") LISTED_BY("created") LISTED_BY("updated"),
    LISTED_BY("confidence") LISTED_BY("text") LISTED_BY("ref"),
    SAME_OR_THEN("link", LINK_COLUMNS) SAME_OR_THEN("use", USE_COLUMNS),
    SAME_OR_THEN("history", HISTORY_COLUMNS) SAME_OR_THEN("mark", MARK_COLUMNS),
    SAME_OR_THEN("attribution", ATTRIBUTION_COLUMNS),
    SAME_OR_THEN("found_by", FOUND_BY_COLUMNS),
};

static int make_views(struct db *db, struct error *e)
{
    for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
        if (db_exec(db, views[i], e))
            return -1;
    return 0;
}

static void is_same(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    sqlite3_result_int(context,
                       past_is_same(sqlite3_user_data(context), sqlite3_value_int64(values[0])));
}

static void is_unborn(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    sqlite3_result_int(context,
                       past_is_unborn(sqlite3_user_data(context), sqlite3_value_int64(values[0])));
}

static void moment(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count, (void)values;
    const struct past_rows *rows = sqlite3_user_data(context);
    sqlite3_result_int64(context, rows->seq);
}

static int make_functions(struct db *db, const struct past_rows *rows, struct error *e)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    sqlite3 *handle = db_handle(db);
    void *data = (void *)rows;
    if (sqlite3_create_function(handle, "past_same", 1, flags, data, is_same, NULL, NULL) ||
        sqlite3_create_function(handle, "past_unborn", 1, flags, data, is_unborn, NULL, NULL) ||
        sqlite3_create_function(handle, "past_moment", 0, flags, data, moment, NULL, NULL))
        return db_error(db, e, "use");
    return 0;
}

/* The log of calls has no numbers of events: those up to the next one, and where there is none yet,
 * up to now. */
static int end_of_moment(struct db *db, int64_t seq, int64_t now, int64_t *end, struct error *e)
{
    return db_int(db, end, now, e, "SELECT at FROM event WHERE seq > ? ORDER BY seq LIMIT 1", "i",
                  seq);
}

static int make_logs(struct db *db, int64_t seq, int64_t now, struct error *e)
{
    struct strbuf sql = STRBUF_INIT;
    int64_t end;
    if (end_of_moment(db, seq, now, &end, e))
        return -1;
    strbuf_addf(&sql,
                "CREATE TEMP VIEW event AS SELECT * FROM main.event WHERE seq <= %lld;"
                "CREATE TEMP VIEW call AS SELECT * FROM main.call WHERE at <= %lld",
                (long long)seq, (long long)end);
    int result = db_exec(db, sql.buf, e);
    strbuf_release(&sql);
    return result;
}

static int allow_writing(struct db *db, bool allow, struct error *e)
{
    return db_exec(db, allow ? "PRAGMA query_only = OFF" : "PRAGMA query_only = ON", e);
}

int overlay_make(struct db *db, const struct past_rows *rows, int64_t now, bool many,
                 struct error *e)
{
    if (make_functions(db, rows, e) || allow_writing(db, true, e) ||
        (many && db_exec(db, "PRAGMA temp_store = FILE", e)) || db_exec(db, tables, e) ||
        make_views(db, e) || make_logs(db, rows->seq, now, e) || allow_writing(db, false, e))
        return -1;
    past_sql_vary(db);
    return 0;
}

int overlay_index(struct db *db, struct error *e)
{
    return db_exec(db, indexes, e);
}

int overlay_begin(struct db *db, struct error *e)
{
    return allow_writing(db, true, e) || db_exec(db, "SAVEPOINT overlay", e) ? -1 : 0;
}

/* An interrupt may meet these statements, too. */
int overlay_end(struct db *db, bool keep, struct error *e)
{
    struct error ignored;
    int result = keep ? db_exec(db, "RELEASE overlay", e) : -1;
    for (int tries = 0; result && tries < 100; tries++)
        if (db_exec(db, "ROLLBACK TO overlay; RELEASE overlay", &ignored) == 0)
            break;
    for (int tries = 0; tries < 100 && allow_writing(db, false, &ignored); tries++)
        ;
    return keep ? result : 0;
}

/* ---- a memory ---- */

static int find_name(struct db *db, const char *sql, const char *name, int64_t *row,
                     struct error *e)
{
    if (db_int(db, row, -1, e, sql, "s", name))
        return -1;
    return *row >= 0 ? 0
                     : error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                                 "the store is damaged: %s is nobody's name", name);
}

static int put_row(struct db *db, const struct memory *m, int64_t agent, struct error *e)
{
    static const char sql[] = "INSERT INTO temp.then_memory(" MEMORY_COLUMNS
                              ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    struct strbuf tags = STRBUF_INIT, annotations = STRBUF_INIT;
    int64_t source_type = -1;
    put_strings(&tags, m->tags, m->tag_count);
    put_strings(&annotations, m->annotations, m->annotation_count);
    int result = find_name(db, "SELECT id FROM main.source_type WHERE name = ?", m->source_type,
                           &source_type, e);
    if (result == 0)
        result = db_run(db, e, sql, "iisiiiiidiiisssssss", m->node, (int64_t)m->ref.kind, m->ref.id,
                        (int64_t)m->status, agent, source_type, m->created_at, m->updated_at,
                        m->confidence, (int64_t)m->is_protected, m->version, m->event, m->text,
                        m->source, m->source_entity, m->context, tags.len ? tags.buf : NULL,
                        annotations.len ? annotations.buf : NULL, put_detail(m));
    strbuf_release(&tags);
    strbuf_release(&annotations);
    return result;
}

static int put_attribution(struct db *db, const struct memory *m, int64_t agent, struct error *e)
{
    struct arena arena = ARENA_INIT;
    const char *type;
    int64_t at;
    if (!attribution_is_listed(m))
        return 0;
    attribution_type(m, &arena, &type);
    attribution_time(m, &at);
    int result = db_run(
        db, e, "INSERT INTO temp.then_attribution(" ATTRIBUTION_COLUMNS ") VALUES (?, ?, ?, ?)",
        "iisi", m->node, agent, type, at);
    arena_release(&arena);
    return result;
}

/* What is no entry has no row there. */
static int put_entry(struct db *db, const struct memory *m, struct error *e)
{
    static const char sql[] =
        "INSERT INTO temp.then_entry(" ENTRY_PAST_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    struct arena arena = ARENA_INIT;
    struct entry_row row;
    int has = entry_row_of(db, m, &arena, &row, e);
    if (has < 0 && e->code == ERROR_STORE)
        has = 0; /* without its secret: fsck tells of it */
    int64_t name = has > 0 ? entry_namespace_row(db, row.name, e) : 0;
    int result = has < 0 || name < 0 ? -1 : 0;
    if (result == 0 && name)
        result = db_run(db, e, sql, "iisiiiri", m->node, name, row.key, (int64_t)row.state,
                        row.created, row.updated, row.expires, row.bytes);
    arena_release(&arena);
    return result;
}

static const struct put_tables then = PUT_TABLES("temp.then_");

int overlay_put(struct db *db, const struct memory *m, struct error *e)
{
    int64_t agent;
    if (find_name(db, "SELECT id FROM main.agent WHERE name = ?", m->agent_id, &agent, e) ||
        put_row(db, m, agent, e))
        return -1;
    return put_parts(db, &then, m, e) || put_attribution(db, m, agent, e) || put_entry(db, m, e) ||
                   found_by_insert(db,
                                   "INSERT INTO temp.then_found_by(" FOUND_BY_COLUMNS
                                   ") VALUES (?, ?, ?, ?)",
                                   m, agent, e)
               ? -1
               : 0;
}

int overlay_drop(struct db *db, int64_t node, struct error *e)
{
    static const char *const sql[] = {
        "DELETE FROM temp.then_memory WHERE id = ?",
        "DELETE FROM temp.then_link WHERE memory = ?",
        "DELETE FROM temp.then_use WHERE memory = ?",
        "DELETE FROM temp.then_history WHERE memory = ?",
        "DELETE FROM temp.then_mark WHERE memory = ?",
        "DELETE FROM temp.then_attribution WHERE memory = ?",
        "DELETE FROM temp.then_found_by WHERE memory = ?",
        "DELETE FROM temp.then_entry WHERE memory = ?",
    };
    for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++)
        if (db_run(db, e, sql[i], "i", node))
            return -1;
    return 0;
}
