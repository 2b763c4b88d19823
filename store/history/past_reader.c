#include "store/history/past.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/journal/call_chain.h"
#include "store/record/entry_row.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"

/* ---- which memories differ between a moment and now ---- */

/* Two sets of rows: those that were there and are another thing now, and those that came later. All others are as
 * they were. */
struct past_rows {
    int64_t seq;  /* the moment: its last event */
    int64_t last; /* the event up to which it is known */
    int64_t rows; /* the greatest row there was then; a greater one came later */
    struct row_set changed, unborn;
    size_t changed_count;
};

static bool past_is_unborn(const struct past_rows *p, int64_t row)
{
    return row > p->rows || (row >= 0 && row_set_has(&p->unborn, row));
}

/* Is it now what it was then? */
static bool past_is_same(const struct past_rows *p, int64_t row)
{
    return row >= 0 && row <= p->rows && !row_set_has(&p->changed, row) &&
           !row_set_has(&p->unborn, row);
}

/*
 * What a connection shows of a moment: temporary views that are called as the tables are, and stand
 * before them, for SQLite looks for a name among the temporary ones first. A view gives the rows of
 * the memories that are as they were from the table itself, and those of the others from a
 * temporary table, which holds them as they were. So everything that reads, reads the past, and by
 * the same indexes: a UNION ALL is taken apart into the statement around it
 * (https://sqlite.org/optoverview.html#flattening), and what cannot be is asked in another way
 * (the rules below). The file is not written to.
 */

/*
 * ---- statements in another way ----
 *
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
    " u.version_hash, u.label, u.title, l.position, l.memory"                                      \
    " FROM " link " l LEFT JOIN main.memory t ON t.id = l.target LEFT JOIN " use " u"              \
    " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"                  \
    " WHERE l.memory = ?1"

static const struct rule rules[] = {
    /* A subquery with a LIMIT is asked for by itself, so the union within it can be taken apart. */
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
     " u.version_hash, u.label, u.title, l.position, l.memory"
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

/* Makes tables and views, outside of a transaction. `rows` stays the caller's, until the connection
 * is closed. `now`: what was called until then is of a moment that no event has ended yet. `many`:
 * more than should be held in memory, so that SQLite keeps them in a file of its own. */
static int overlay_make(struct db *db, const struct past_rows *rows, int64_t now, bool many,
                        struct error *e)
{
    if (make_functions(db, rows, e) || allow_writing(db, true, e) ||
        (many && db_exec(db, "PRAGMA temp_store = FILE", e)) || db_exec(db, tables, e) ||
        make_views(db, e) || make_logs(db, rows->seq, now, e) || allow_writing(db, false, e))
        return -1;
    past_sql_vary(db);
    return 0;
}

/* Its indexes, once what is there at first is in it. */
static int overlay_index(struct db *db, struct error *e)
{
    return db_exec(db, indexes, e);
}

/* Writing is allowed on the connection between the two, in a transaction; the end undoes it all
 * where `keep` is false. */
static int overlay_begin(struct db *db, struct error *e)
{
    return allow_writing(db, true, e) || db_exec(db, "SAVEPOINT overlay", e) ? -1 : 0;
}

/* An interrupt may meet these statements, too. */
static int overlay_end(struct db *db, bool keep, struct error *e)
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

/* The memory as it was, whole, with the rows that its links lead to. */
static int overlay_put(struct db *db, const struct memory *m, struct error *e)
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

static int overlay_drop(struct db *db, int64_t node, struct error *e)
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

/* ---- which memories differ ---- */

#define TELLS(i) (((i)&8191) == 0)

/* A row became another thing, or came. */
static void past_rows_add(struct past_rows *p, int64_t row, bool was_there)
{
    if (row < 1)
        return;
    p->rows = row > p->rows ? row : p->rows;
    if (was_there)
        p->changed_count += !row_set_has(&p->changed, row);
    row_set_add(was_there ? &p->changed : &p->unborn, row);
}

/* ---- from the events since ---- */

static int was_there(struct db *db, int64_t row, int64_t seq, bool *there, struct error *e)
{
    int64_t found;
    if (db_int(db, &found, 0, e, "SELECT 1 FROM event WHERE subject = ? AND seq <= ? LIMIT 1", "ii",
               row, seq))
        return -1;
    *there = found;
    return 0;
}

struct finding {
    struct past_rows *p;
    struct db *db;
    int (*told)(void *arg, int64_t done, int64_t total);
    void *arg;
    int64_t done, total;
};

static int tell(struct finding *f, struct error *e)
{
    if (TELLS(f->done) && f->told && f->told(f->arg, f->done, f->total))
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
    f->done++;
    return 0;
}

static int take_later(struct finding *f, int64_t row, struct error *e)
{
    bool there = false;
    const struct past_rows *p = f->p;
    if (row < 1 || (row <= p->rows && !past_is_same(p, row)))
        return 0;
    if (was_there(f->db, row, p->seq, &there, e))
        return -1;
    past_rows_add(f->p, row, there);
    return 0;
}

static int find_in_events(struct finding *f, struct error *e)
{
    struct query rows =
        db_query(f->db, e, "SELECT subject FROM event WHERE seq > ? AND subject IS NOT NULL", "i",
                 f->p->seq);
    while (db_next(&rows))
        if (tell(f, e) || take_later(f, sqlite3_column_int64(rows.stmt, 0), e))
            return db_fail(&rows);
    return db_end(&rows);
}

/* ---- from the index ---- */

/* The events of one row come together, ascending: what matters are the first and the last. */
struct row_events {
    int64_t row, first, last;
};

static void end_row(struct finding *f, const struct row_events *r)
{
    if (r->row > 0 && r->last > f->p->seq)
        past_rows_add(f->p, r->row, r->first <= f->p->seq);
}

static int find_in_index(struct finding *f, struct error *e)
{
    struct row_events one = {0};
    struct query rows = db_query(f->db, e,
                                 "SELECT subject, seq FROM event INDEXED BY event_subject"
                                 " WHERE subject > 0 ORDER BY subject, seq",
                                 "");
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0), seq = sqlite3_column_int64(rows.stmt, 1);
        if (row != one.row) {
            end_row(f, &one);
            if (tell(f, e))
                return db_fail(&rows);
            one = (struct row_events){row, seq, seq};
        }
        one.last = seq;
    }
    end_row(f, &one);
    return db_end(&rows);
}

/* An event is met in its own row, with all it says, the index is read in passing: the one costs
 * some four times what the other does. */
#define INDEX_COSTS 4

/*
 * Finds them for p->seq, from the events that follow it where those are few, else from the index of
 * all events by their subject. `told` (may be NULL) stops it with non-zero: ERROR_INTERRUPTED. In a
 * transaction. O(events since), at most O(events).
 */
static int past_rows_find(struct past_rows *p, struct db *db,
                          int (*told)(void *arg, int64_t done, int64_t total), void *arg,
                          struct error *e)
{
    struct finding f = {.p = p, .db = db, .told = told, .arg = arg};
    if (db_int(db, &p->last, 0, e, "SELECT max(seq) FROM event", "") ||
        db_int(db, &p->rows, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    int64_t later = p->last - p->seq;
    bool few = later < p->seq / INDEX_COSTS;
    f.total = few ? later : p->last;
    return few ? find_in_events(&f, e) : find_in_index(&f, e);
}

/* ---- the reader ---- */

/*
 * A reader of the past has two connections: its own, before whose tables the views of the moment
 * stand, and a second one, which reads the present, from which what was is made. The second may see
 * events that the first does not see yet: they are taken back like all the others.
 */

#define PAST_READER_TELLS(i) (((i)&255) == 0)
#define MANY                 100000 /* memories: some 100 MB */

struct past {
    struct reader *r;
    struct past_rows rows;
    struct arena arena; /* of the memory that is made */
};

static void past_free(struct past *p)
{
    if (!p)
        return;
    row_set_release(&p->rows.changed);
    row_set_release(&p->rows.unborn);
    arena_release(&p->arena);
    free(p);
}

/* ---- memories as they were ---- */

/* Puts the memory of that row as it was. *there false: it was a stub, and is in no table. */
static int put_memory(struct past *p, struct db *db, struct db *present, int64_t row, bool *there,
                      struct error *e)
{
    struct memory m;
    arena_clear(&p->arena);
    if (rewind_memory(present, &p->arena, row, p->rows.seq, &m, e) ||
        rewind_links(present, &m, 0, e))
        return -1;
    *there = m.status != STATUS_MISSING;
    return *there ? overlay_put(db, &m, e) : 0;
}

struct building {
    struct past *past;
    struct db *db, *present;
    int (*told)(void *arg, int64_t done, int64_t total);
    void *arg;
    size_t done;
};

/* One memory more. */
static int past_reader_tell(struct building *b, struct error *e)
{
    if (PAST_READER_TELLS(b->done) && b->told &&
        b->told(b->arg, (int64_t)b->done, (int64_t)b->past->rows.changed_count))
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
    b->done++;
    return 0;
}

static int build_row(struct building *b, int64_t row, struct error *e)
{
    bool there;
    if (past_reader_tell(b, e) || put_memory(b->past, b->db, b->present, row, &there, e))
        return -1;
    if (!there)
        past_rows_add(&b->past->rows, row, false);
    return 0;
}

static int build_rows(struct building *b, struct error *e)
{
    const struct past_rows *rows = &b->past->rows;
    const struct row_set none = {NULL, 0};
    for (int64_t row = 0; (row = row_set_next(&rows->changed, &none, row)) > 0;)
        if (build_row(b, row, e))
            return -1;
    return overlay_index(b->db, e);
}

/* The sets first, for they say how much there will be: all in one transaction of each connection.
 * */
static int build(struct building *b, struct error *e)
{
    struct past_rows *rows = &b->past->rows;
    if (db_run(b->present, e, "BEGIN", ""))
        return -1;
    int result = past_rows_find(rows, b->present, b->told, b->arg, e);
    if (result == 0)
        result = overlay_make(b->db, rows, store_now(reader_store(b->past->r)),
                              rows->changed_count > MANY, e);
    if (result == 0 && (result = overlay_begin(b->db, e)) == 0) {
        result = build_rows(b, e);
        result = overlay_end(b->db, result == 0, e) || result ? -1 : 0;
    }
    struct error ignored;
    db_run(b->present, &ignored, "COMMIT", "");
    return result;
}

static int past_follow(struct past *p, struct error *e);

/* What was made is the reader's, or nobody's. */
static struct reader *finish(struct reader *r, struct past *p, int failed)
{
    if (!failed) {
        reader_turn(
            r, p, &(struct past_ops){.seq = p->rows.seq, .follow = past_follow, .free = past_free});
        return r;
    }
    reader_close(r);
    past_free(p);
    return NULL;
}

struct reader *reader_open_past(struct store *s, int64_t seq,
                                int (*told)(void *arg, int64_t done, int64_t total), void *arg,
                                struct error *e)
{
    struct reader *r = reader_open(s, e);
    if (!r)
        return NULL;
    struct past *p = xcalloc(1, sizeof(*p));
    p->r = r;
    p->rows.seq = seq;
    struct building b = {
        .past = p, .db = reader_db(r), .present = reader_second(r, e), .told = told, .arg = arg};
    return finish(r, p, !b.present || build(&b, e));
}

/* ---- following ---- */

struct followed {
    int64_t row;
    bool was_there;
};

struct following {
    struct past *past;
    struct db *db, *present;
    struct followed *row; /* what is to be added to the sets, once the tables have it */
    size_t count, alloc;
};

/* What is in the sets already stays as it is; but what was purged is forgotten here as well. */
static bool is_known(const struct past_rows *rows, int64_t row, bool purged)
{
    return row < 1 || (row <= rows->rows && !past_is_same(rows, row) &&
                       !(purged && row_set_has(&rows->changed, row)));
}

static int follow_row(struct following *f, int64_t row, bool purged, struct error *e)
{
    struct followed one = {.row = row};
    const struct past_rows *rows = &f->past->rows;
    int64_t event = 0;
    if (is_known(rows, row, purged))
        return 0;
    /* One that was not even named before is new. */
    if ((row <= rows->rows && rewind_event(f->present, row, rows->seq, &event, e)) ||
        (event && (overlay_drop(f->db, row, e) ||
                   put_memory(f->past, f->db, f->present, row, &one.was_there, e))))
        return -1;
    *ARRAY_ADD(f->row, f->count, f->alloc) = one;
    return 0;
}

static int follow_events(struct following *f, struct error *e)
{
    struct query rows = db_query(f->db, e,
                                 "SELECT subject, operation = 'purge' FROM main.event"
                                 " WHERE seq > ? AND subject IS NOT NULL",
                                 "i", f->past->rows.last);
    while (db_next(&rows))
        if (follow_row(f, sqlite3_column_int64(rows.stmt, 0), sqlite3_column_int(rows.stmt, 1), e))
            return db_fail(&rows);
    return db_end(&rows);
}

/* Where it fails, all is done again the next time. */
static int follow_all(struct following *f, struct error *e)
{
    if (overlay_begin(f->db, e))
        return -1;
    int result = follow_events(f, e);
    if (overlay_end(f->db, result == 0, e) || result)
        return -1;
    for (size_t i = 0; i < f->count; i++)
        past_rows_add(&f->past->rows, f->row[i].row, f->row[i].was_there);
    return 0;
}

static int follow(struct past *p, int64_t last, struct error *e)
{
    struct error ignored;
    struct following f = {.past = p, .db = reader_db(p->r), .present = reader_second(p->r, e)};
    if (!f.present || db_run(f.present, e, "BEGIN", ""))
        return -1;
    int result = follow_all(&f, e);
    free(f.row);
    db_run(f.present, &ignored, "COMMIT", "");
    if (result == 0)
        p->rows.last = last;
    return result;
}

static int past_follow(struct past *p, struct error *e)
{
    int64_t last;
    if (db_int(reader_db(p->r), &last, 0, e, "SELECT max(seq) FROM main.event", ""))
        return -1;
    return last > p->rows.last ? follow(p, last, e) : 0;
}
