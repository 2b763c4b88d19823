/* A reader of the past: temporary tables and views that show the store as of an event. */
#include "store/history/past.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/record/put.h"

/*
 * The rows that differ from the present: `changed` existed in another state, `unborn` did not exist
 * yet. All other rows are the same.
 */
struct past {
    struct reader *r;
    int64_t seq;  /* it reads as of this event */
    int64_t last; /* later events are taken into account up to this one */
    int64_t rows; /* the greatest row with an event by then; greater ones are unborn */
    struct row_set changed, unborn;
    struct arena arena; /* for the memory being rewound */
};

static bool is_unborn(const struct past *p, int64_t row)
{
    return row > p->rows || (row >= 0 && row_set_has(&p->unborn, row));
}

/* True if the row is the same as in the present. */
static bool is_same(const struct past *p, int64_t row)
{
    return row >= 0 && row <= p->rows && !row_set_has(&p->changed, row) &&
           !row_set_has(&p->unborn, row);
}

/*
 * Temporary views have the names of the tables, and SQLite looks up names among the temporary ones
 * first. A view returns unchanged memories from the table itself, and the others from a temporary
 * table with their former state. So all queries read the past, with the same indexes: SQLite
 * flattens a UNION ALL into the statement around it
 * (https://sqlite.org/optoverview.html#flattening); where it cannot, the rules below replace the
 * statement. The file is not written.
 */

/*
 * ---- replaced statements ----
 *
 * SQLite flattens a UNION ALL if the statement around it sorts by result columns, has no aggregate,
 * and does not have the view on the right of a LEFT JOIN. Otherwise it materialises the whole view
 * for each query. The rules replace such statements by equivalent ones that avoid this. If somebody
 * changes the original statement, it stays correct but slow, and the test of the query plans fails.
 * A statement that only needs rows and refs, which never change, reads main.memory.
 */

struct rule {
    bool whole; /* `from` is the whole statement; else any part of it */
    const char *from;
    const char *to;
};

/* Links with their uses, from one pair of tables: a memory is in only one of the two pairs. */
#define LINKS_OF(link, use)                                                                        \
    "SELECT l.number, l.shape, l.at, l.reason, l.target, t.kind, t.name,"                          \
    " (SELECT status FROM memory WHERE id = l.target),"                                            \
    " u.memory, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"              \
    " u.version_hash, u.label, u.title, l.position, l.memory"                                      \
    " FROM " link " l LEFT JOIN main.memory t ON t.id = l.target LEFT JOIN " use " u"              \
    " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"                  \
    " WHERE l.memory = ?1"

static const struct rule rules[] = {
    /* A subquery with LIMIT is planned on its own, so the union in it can be flattened. */
    {true, "SELECT count(*) FROM memory WHERE status <> 7",
     "SELECT count(*) FROM (SELECT 1 FROM listed_created WHERE status <> 7 LIMIT -1)"},
    {true,
     "SELECT gather_node(id, kind, status) FROM memory INDEXED BY memory_recorded"
     " WHERE status <> 7",
     "SELECT gather_node(id, kind, status) FROM (SELECT id, kind, status FROM listed_recorded"
     " WHERE status <> 7 LIMIT -1)"},
    {true,
     "SELECT gather_link(memory, number, target, shape) FROM link"
     " WHERE memory >= ? /* 16384 rows */",
     "SELECT gather_link(memory, number, target, shape) FROM"
     " (SELECT memory, number, target, shape, position FROM link"
     " WHERE memory >= ?1 AND memory < ?1 + 16384 ORDER BY memory, number, position LIMIT -1)"},
    /* An index of a list: use the view for that index. */
    {false, "memory INDEXED BY memory_", "listed_"},
    {false, " FROM event INDEXED BY event_confidence WHERE ",
     " FROM main.event INDEXED BY event_confidence WHERE seq <= past_seq() AND "},
    /* The parts follow each other, each ordered by its key. */
    {true,
     "SELECT l.number, l.shape, l.at, l.reason, l.target, t.kind, t.name, t.status,"
     " u.memory, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"
     " u.version_hash, u.label, u.title, l.position, l.memory"
     " FROM link l LEFT JOIN memory t ON t.id = l.target LEFT JOIN use u"
     " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"
     " WHERE l.memory = ? ORDER BY l.number, l.position",
     LINKS_OF("main.link", "main.use") " AND past_same(?1) UNION ALL " LINKS_OF("temp.then_link",
                                                                                "temp.then_use")},
    /*
     * The search index is that of the present. Memories that changed since are all candidates,
     * because their former text is unknown to it; a match of their present text is checked against
     * the former one.
     */
    {true,
     "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? AND rowid < ? ORDER BY rowid DESC",
     "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?1 AND rowid < ?2"
     " UNION SELECT id FROM temp.then_memory WHERE id < ?2 ORDER BY 1 DESC"},
    {true, "SELECT doc, term FROM temp.memory_terms WHERE term >= ? AND term < ?",
     "SELECT doc, term FROM temp.memory_terms WHERE term >= ?1 AND term < ?2"
     " UNION ALL SELECT id, ?1 FROM temp.then_memory"},
};

static char *replace_statement(const char *sql)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
        const char *from = rules[i].from, *found = strstr(sql, from);
        if (!found || (rules[i].whole && strcmp(sql, from) != 0))
            continue;
        for (; found; found = strstr(sql, from)) {
            strbuf_add(&out, sql, (size_t)(found - sql));
            strbuf_addstr(&out, rules[i].to);
            sql = found + strlen(from);
        }
        strbuf_addstr(&out, sql);
        return strbuf_detach(&out, NULL);
    }
    return NULL;
}

/* ---- tables and views ---- */

static const char *const tables[] = {"memory", "link",        "use",    "history",
                                     "mark",   "attribution", "lookup", "entry"};
#define TABLE_COUNT (sizeof(tables) / sizeof(tables[0]))

#define PAST_VIEW(table)                                                                           \
    "CREATE TEMP VIEW " table " AS SELECT * FROM main." table                                      \
    " WHERE past_same(memory) UNION ALL SELECT * FROM temp.then_" table ";"

/*
 * A list names its index, but a view has none: it reads the view for that index. Stubs are in none.
 */
#define LIST_VIEW(order)                                                                           \
    "CREATE TEMP VIEW listed_" order " AS SELECT * FROM main.memory INDEXED BY memory_" order      \
    " WHERE id <= past_rows() AND past_same(id)"                                                   \
    " UNION ALL SELECT * FROM temp.then_memory INDEXED BY then_memory_" order ";"

/*
 * Memories that came later are stubs. The casts give the columns the affinities of the other parts;
 * otherwise SQLite would materialise the view.
 */
#define UNBORN_STUBS                                                                               \
    " UNION ALL SELECT id, kind, name, CAST(7 AS INTEGER), CAST(NULL AS INTEGER),"                 \
    " CAST(NULL AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS REAL),"    \
    " CAST(0 AS INTEGER), CAST(0 AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS TEXT),"          \
    " CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS TEXT),"             \
    " CAST(NULL AS TEXT), CAST(NULL AS TEXT) FROM main.memory WHERE past_unborn(id);"

/* Of the entries of a key one is not hidden (entry_row.h). */
#define ENTRY_VIEW                                                                                 \
    "CREATE TEMP VIEW entry AS SELECT memory, namespace, key, state, state < 2 AND row_number()"   \
    " OVER (PARTITION BY namespace, key ORDER BY state, created DESC, memory DESC) > 1 AS hidden," \
    " updated, expires, bytes FROM (SELECT * FROM main.entry WHERE past_same(memory)"              \
    " UNION ALL SELECT * FROM temp.then_entry);"

static const char views[] =
    "CREATE TEMP VIEW memory AS SELECT * FROM main.memory WHERE past_same(id)"
    " UNION ALL SELECT * FROM temp.then_memory" UNBORN_STUBS LIST_VIEW("recorded")
        LIST_VIEW("created") LIST_VIEW("updated") LIST_VIEW("confidence") LIST_VIEW("text")
            PAST_VIEW("link") PAST_VIEW("use") PAST_VIEW("history") PAST_VIEW("mark")
                PAST_VIEW("attribution") PAST_VIEW("lookup") ENTRY_VIEW;

static void same_function(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    sqlite3_result_int(context,
                       is_same(sqlite3_user_data(context), sqlite3_value_int64(values[0])));
}

static void unborn_function(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    sqlite3_result_int(context,
                       is_unborn(sqlite3_user_data(context), sqlite3_value_int64(values[0])));
}

static void number_function(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count, (void)values;
    sqlite3_result_int64(context, *(const int64_t *)sqlite3_user_data(context));
}

static int make_functions(struct db *db, struct past *p, struct error *e)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    sqlite3 *h = db_handle(db);
    if (sqlite3_create_function(h, "past_same", 1, flags, p, same_function, NULL, NULL) ||
        sqlite3_create_function(h, "past_unborn", 1, flags, p, unborn_function, NULL, NULL) ||
        sqlite3_create_function(h, "past_seq", 0, flags, &p->seq, number_function, NULL, NULL) ||
        sqlite3_create_function(h, "past_rows", 0, flags, &p->rows, number_function, NULL, NULL))
        return db_error(db, e, "use");
    return 0;
}

/*
 * The call log has no event numbers: the view ends at the earliest time of a later event, or now if
 * there is none.
 */
static int next_event_time(struct db *db, int64_t seq, int64_t now, int64_t *end, struct error *e)
{
    return db_int(db, end, 0, e, "SELECT coalesce(min(at), ?) FROM event WHERE seq > ?", "ii", now,
                  seq);
}

static int make_logs(struct db *db, int64_t seq, int64_t now, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    int64_t end;
    if (next_event_time(db, seq, now, &end, e))
        return -1;
    strbuf_addf(&sql,
                "CREATE TEMP VIEW event AS SELECT * FROM main.event WHERE seq <= %lld;"
                "CREATE TEMP VIEW call AS SELECT * FROM main.call WHERE at <= %lld",
                (long long)seq, (long long)end);
    return db_exec(db, sql.buf, e);
}

/* An interrupt may hit this statement, so it is retried. */
static int allow_writing(struct db *db, bool allow, struct error *e)
{
    const char *sql = allow ? "PRAGMA query_only = OFF" : "PRAGMA query_only = ON";
    int result = db_exec(db, sql, e);
    for (int tries = 0; result && tries < 100; tries++)
        result = db_exec(db, sql, e);
    return result;
}

/* Creates copies of all tables, or of their indexes, with "then_" before each name. */
static int copy_schema(struct db *db, const char *type, struct error *e)
{
    AUTO_STRBUF all = STRBUF_INIT;
    int result = 0;
    for (size_t i = 0; i < TABLE_COUNT && result == 0; i++) {
        struct query rows = db_query(db, e,
                                     "SELECT name, sql FROM main.sqlite_schema WHERE type = ?"
                                     " AND tbl_name = ? AND sql IS NOT NULL",
                                     "ss", type, tables[i]);
        while (db_next(&rows)) {
            const char *name = (const char *)sqlite3_column_text(rows.stmt, 0);
            const char *sql = (const char *)sqlite3_column_text(rows.stmt, 1);
            bool unique = strncmp(sql, "CREATE UNIQUE", 13) == 0;
            strbuf_addf(&all, "CREATE %s%s temp.then_%s", unique ? "UNIQUE " : "", type, name);
            if (strcmp(type, "index") == 0)
                strbuf_addf(&all, " ON then_%s", tables[i]);
            strbuf_addf(&all, "%s;", strchr(sql, '('));
        }
        result = db_end(&rows);
    }
    if (result == 0)
        result = db_exec(db, all.buf, e);
    return result;
}

static int drop_memory(struct db *db, int64_t row, struct error *e)
{
    char sql[80];
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        snprintf(sql, sizeof(sql), "DELETE FROM temp.then_%s WHERE %s = ?", tables[i],
                 i == 0 ? "id" : "memory");
        if (db_run(db, e, sql, "i", row))
            return -1;
    }
    return 0;
}

/* ---- finding the differences ---- */

struct difference {
    int64_t row;
    bool was_there; /* it existed as of the event */
    bool purged;
    struct row_set *set; /* the set to add it to at the end; NULL if it stays as it is */
};

/* Reading an event's row costs about four times as much as reading its entry in event_subject. */
#define INDEX_COSTS 4

/*
 * Finds the memories up to p->rows with events after p->last, which becomes the last event;
 * allocates *out. The unary plus prevents a scan of the whole index when few rows are needed.
 */
static int find_differences(struct past *p, struct db *present, bool again, struct difference **out,
                            size_t *count, struct error *e)
{
    static const char greatest[] = "SELECT subject FROM event INDEXED BY event_subject"
                                   " WHERE subject > 0 AND seq <= ? ORDER BY subject DESC LIMIT 1";
    static const char by_event[] =
        "SELECT subject, EXISTS (SELECT 1 FROM event o WHERE o.subject = e.subject"
        " AND o.seq <= ?1), max(operation = 'purge')"
        " FROM event e WHERE seq > ?2 AND +subject BETWEEN 1 AND ?3 GROUP BY +subject";
    static const char by_subject[] =
        "SELECT subject, EXISTS (SELECT 1 FROM event o WHERE o.subject = e.subject"
        " AND o.seq <= ?1), 0 FROM event e INDEXED BY event_subject"
        " WHERE seq > ?2 AND subject BETWEEN 1 AND ?3 GROUP BY subject";
    int64_t last;
    size_t alloc = 0;
    if (db_int(present, &last, 0, e, "SELECT max(seq) FROM event", "") ||
        (!again && db_int(present, &p->rows, 0, e, greatest, "i", p->seq)))
        return -1;
    bool few = again || last - p->last < last / INDEX_COSTS;
    struct query rows =
        db_query(present, e, few ? by_event : by_subject, "iii", p->seq, p->last, p->rows);
    while (db_next(&rows))
        *ARRAY_ADD(*out, *count, alloc) =
            (struct difference){.row = sqlite3_column_int64(rows.stmt, 0),
                                .was_there = sqlite3_column_int(rows.stmt, 1) != 0,
                                .purged = sqlite3_column_int(rows.stmt, 2) != 0};
    if (db_end(&rows))
        return -1;
    p->last = last;
    return 0;
}

/* The progress callback while a reader is opened; `report` may be NULL. */
struct progress {
    int (*report)(void *arg, int64_t done, int64_t total);
    void *arg;
};

/* The total is unknown until all are found. */
static int is_given_up(void *arg)
{
    const struct progress *progress = arg;
    return progress->report(progress->arg, 0, 0);
}

/* Writes the former state of a memory into the temporary tables, computed from the present. */
static int put_memory(struct past *p, struct db *present, struct difference *d, bool drop,
                      struct error *e)
{
    static const struct put_tables then = PUT_TABLES("temp.then_");
    struct db *db = reader_db(p->r);
    struct memory m = {.status = STATUS_MISSING};
    arena_clear(&p->arena);
    if ((drop && drop_memory(db, d->row, e)) ||
        (d->was_there && (rewind_memory(present, &p->arena, d->row, p->seq, &m, e) ||
                          rewind_links(present, &m, 0, e))) ||
        (m.status != STATUS_MISSING && put_whole(db, &then, &m, e)))
        return -1;
    d->set = m.status != STATUS_MISSING ? &p->changed : &p->unborn;
    return 0;
}

/*
 * Rows that are in the sets stay as they are, except that a purge since must also erase the copy.
 */
static int put_memories(struct past *p, struct db *present, struct difference *list, size_t count,
                        bool again, const struct progress *progress, struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        struct difference *d = &list[i];
        bool known = !is_same(p, d->row);
        if (progress->report && progress->report(progress->arg, (int64_t)i, (int64_t)count))
            return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
        if ((!known || (d->purged && row_set_has(&p->changed, d->row))) &&
            put_memory(p, present, d, again, e))
            return -1;
    }
    return 0;
}

static void add_to_sets(const struct difference *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].set)
            row_set_add(list[i].set, list[i].row);
}

/*
 * Takes into account what changed after p->last. The present connection may be ahead of the
 * reader's snapshot: those events are reverted like the others. If it fails, it is repeated next
 * time. An interrupt may have rolled the transaction back, or left some rows, which are deleted
 * first (`again`). So rows are added to the sets only at the end.
 */
static int apply_changes(struct past *p, struct db *present, bool again, struct progress *progress,
                         struct error *e)
{
    AUTO_FREE struct difference *list = NULL;
    size_t count = 0;
    int64_t before = p->last;
    reader_second_stop_if(p->r, progress->report ? is_given_up : NULL, progress);
    int result = find_differences(p, present, again, &list, &count, e);
    reader_second_stop_if(p->r, NULL, NULL);
    if (result == 0)
        result = put_memories(p, present, list, count, again, progress, e);
    if (result)
        p->last = before;
    else
        add_to_sets(list, count);
    return result;
}

/* ---- the reader ---- */

/*
 * A reader of the past has two connections: its own, with the temporary views, and a second one
 * that reads the present, from which former states are computed.
 */

#define MANY 100000 /* with more events since, temporary tables are in a file */

static void past_free(struct past *p)
{
    row_set_release(&p->changed);
    row_set_release(&p->unborn);
    arena_release(&p->arena);
    free(p);
}

/* Each connection does it in one transaction. Indexes are created after the rows. */
static int build(struct past *p, struct db *present, struct progress *progress, struct error *e)
{
    struct db *db = reader_db(p->r);
    int64_t last;
    if (db_int(present, &last, 0, e, "SELECT max(seq) FROM event", "") ||
        make_functions(db, p, e) || allow_writing(db, true, e) ||
        (last - p->seq > MANY && db_exec(db, "PRAGMA temp_store = FILE", e)) ||
        copy_schema(db, "table", e) || db_exec(db, views, e) ||
        make_logs(db, p->seq, store_now(reader_store(p->r)), e))
        return -1;
    db_set_rewrite(db, replace_statement);
    return failed_if(db_exec(db, "BEGIN", e) || apply_changes(p, present, false, progress, e) ||
                     copy_schema(db, "index", e) || db_exec(db, "COMMIT", e) ||
                     allow_writing(db, false, e));
}

static int past_follow(struct past *p, struct error *e)
{
    struct error ignored;
    struct db *db = reader_db(p->r), *present = reader_second(p->r, e);
    int64_t last;
    if (!present || db_int(db, &last, 0, e, "SELECT max(seq) FROM main.event", ""))
        return -1;
    if (last <= p->last)
        return 0;
    if (db_run(present, e, "BEGIN", ""))
        return -1;
    int result = failed_if(allow_writing(db, true, e) ||
                           apply_changes(p, present, true, &(struct progress){NULL, NULL}, e));
    allow_writing(db, false, &ignored);
    db_run(present, &ignored, "COMMIT", "");
    return result;
}

struct reader *reader_open_past(struct store *s, int64_t seq,
                                int (*report)(void *arg, int64_t done, int64_t total), void *arg,
                                struct error *e)
{
    struct error ignored;
    struct reader *r = reader_open(s, e);
    struct db *present = r ? reader_second(r, e) : NULL;
    if (!present || db_run(present, e, "BEGIN", "")) {
        reader_close(r);
        return NULL;
    }
    struct past *p = xcalloc(1, sizeof(*p));
    p->r = r;
    p->seq = p->last = seq;
    int failed = build(p, present, &(struct progress){report, arg}, e);
    db_run(present, &ignored, "COMMIT", "");
    reader_set_past(r, p, &(struct past_ops){.seq = seq, .follow = past_follow, .free = past_free});
    if (!failed)
        return r;
    reader_close(r);
    return NULL;
}
