#include "store/history/past.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/record/put.h"

/*
 * Two sets of rows: those that were there and are another thing now, and those that came later. All others are as they
 * were.
 */
struct past {
    struct reader *r;
    int64_t seq;  /* the moment: its last event */
    int64_t last; /* the event up to which it is known */
    int64_t rows; /* the greatest with an event by then; a greater one came later */
    struct row_set changed, unborn;
    struct arena arena; /* of the memory that is made */
};

static bool is_unborn(const struct past *p, int64_t row)
{
    return row > p->rows || (row >= 0 && row_set_has(&p->unborn, row));
}

/* Is it now what it was then? */
static bool is_same(const struct past *p, int64_t row)
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
 * SQLite takes a UNION ALL apart into the statement around it where that sorts by what it gives, does not sum up, and
 * does not have the union on the right of a LEFT JOIN; otherwise it makes the whole view, for each row that is asked
 * for. What follows says the same as the statements do in a way in which it does not come to that. Whoever changes one
 * of those need not know: then it is answered as before, only slower; the test of the plans says so. A statement for
 * which rows and refs alone matter, which never change, reads main.memory.
 */

struct rule {
    bool whole; /* `from` is all of the statement, else it may stand anywhere in it */
    const char *from;
    const char *to;
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
     "SELECT count(*) FROM (SELECT 1 FROM listed_created WHERE status < 7 LIMIT -1)"},
    {true,
     "SELECT gather_node(?1, id, kind, status) FROM memory INDEXED BY memory_recorded"
     " WHERE status < 7",
     "SELECT gather_node(?1, id, kind, status) FROM (SELECT id, kind, status FROM listed_recorded"
     " WHERE status < 7 LIMIT -1)"},
    {true,
     "SELECT gather_link(?1, memory, number, target, shape) FROM link"
     " WHERE memory >= ?2 AND memory < ?3",
     "SELECT gather_link(?1, memory, number, target, shape) FROM"
     " (SELECT memory, number, target, shape, position FROM link"
     " WHERE memory >= ?2 AND memory < ?3 ORDER BY memory, number, position LIMIT -1)"},
    /* A list's index, under the name of its view. */
    {false, "memory INDEXED BY memory_", "listed_"},
    {false, " FROM event INDEXED BY event_confidence WHERE ",
     " FROM main.event INDEXED BY event_confidence WHERE seq <= past_moment() AND "},
    /* The parts come one after the other, and each in the order of its key. */
    {true,
     "SELECT l.number, l.shape, l.at, l.reason, l.target, t.kind, t.name, t.status,"
     " u.memory, u.relevance, u.score, u.excerpt, u.chunk, u.rank, u.page, u.section,"
     " u.version_hash, u.label, u.title, l.position, l.memory"
     " FROM link l LEFT JOIN memory t ON t.id = l.target LEFT JOIN use u"
     " ON u.memory = l.memory AND u.number = l.number AND u.position = l.position"
     " WHERE l.memory = ? ORDER BY l.number, l.position",
     LINKS_OF("main.link", "main.use") " AND past_same(?1) UNION ALL " LINKS_OF("temp.then_link",
                                                                                "temp.then_use")},
    /* The index of texts is that of the present. What has changed since may have said anything, and
     * is looked at; what it says now is not found in what it said then. */
    {true, "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? ORDER BY rowid DESC",
     "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?"
     " UNION SELECT id FROM temp.then_memory ORDER BY 1 DESC"},
    {true, "SELECT doc, term FROM temp.memory_terms WHERE term >= ? AND term < ?",
     "SELECT doc, term FROM temp.memory_terms WHERE term >= ?1 AND term < ?2"
     " UNION ALL SELECT id, ?1 FROM temp.then_memory"},
};

static char *vary(const char *sql)
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

#define SAME_OR_THEN(table)                                                                        \
    "CREATE TEMP VIEW " table " AS SELECT * FROM main." table                                      \
    " WHERE past_same(memory) UNION ALL SELECT * FROM temp.then_" table ";"

/* A list names its index, which no view has: it asks the view of that index, and stubs are in none. In the order of the
 * rows themselves the list begins below those that came later. */
#define LISTED_BY(order)                                                                           \
    "CREATE TEMP VIEW listed_" order " AS SELECT * FROM main.memory INDEXED BY memory_" order      \
    " WHERE id <= past_rows() AND past_same(id)"                                                   \
    " UNION ALL SELECT * FROM temp.then_memory INDEXED BY then_memory_" order ";"

/* What came later is a stub. The casts give its columns the affinity of the others, without which
 * SQLite would make the whole view before it looks at it. */
#define LATER                                                                                      \
    " UNION ALL SELECT id, kind, name, CAST(7 AS INTEGER), CAST(NULL AS INTEGER),"                 \
    " CAST(NULL AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS REAL),"    \
    " CAST(0 AS INTEGER), CAST(0 AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS TEXT),"          \
    " CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS TEXT),"             \
    " CAST(NULL AS TEXT), CAST(NULL AS TEXT) FROM main.memory WHERE past_unborn(id);"

/* Of the entries of one key the one that counts is not hidden (entry_row.h). */
#define ENTRIES                                                                                    \
    "CREATE TEMP VIEW entry AS SELECT memory, namespace, key, state, state < 2 AND row_number()"   \
    " OVER (PARTITION BY namespace, key ORDER BY state, created DESC, memory DESC) > 1 AS hidden," \
    " updated, expires, bytes FROM (SELECT * FROM main.entry WHERE past_same(memory)"              \
    " UNION ALL SELECT * FROM temp.then_entry);"

static const char views[] =
    "CREATE TEMP VIEW memory AS SELECT * FROM main.memory WHERE past_same(id)"
    " UNION ALL SELECT * FROM temp.then_memory" LATER LISTED_BY("recorded") LISTED_BY("created")
        LISTED_BY("updated") LISTED_BY("confidence") LISTED_BY("text") SAME_OR_THEN("link")
            SAME_OR_THEN("use") SAME_OR_THEN("history") SAME_OR_THEN("mark")
                SAME_OR_THEN("attribution") SAME_OR_THEN("lookup") ENTRIES;

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
        sqlite3_create_function(h, "past_moment", 0, flags, &p->seq, number_function, NULL, NULL) ||
        sqlite3_create_function(h, "past_rows", 0, flags, &p->rows, number_function, NULL, NULL))
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

/* An interrupt may meet this statement, too. */
static int allow_writing(struct db *db, bool allow, struct error *e)
{
    const char *sql = allow ? "PRAGMA query_only = OFF" : "PRAGMA query_only = ON";
    int result = db_exec(db, sql, e);
    for (int tries = 0; result && tries < 100; tries++)
        result = db_exec(db, sql, e);
    return result;
}

/* Makes all tables, or all their indexes, as the schema has them, with "then_" before each name. */
static int make_like(struct db *db, const char *type, struct error *e)
{
    struct strbuf all = STRBUF_INIT;
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
    strbuf_release(&all);
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

/* ---- which memories differ ---- */

struct differing {
    int64_t row;
    bool was_there; /* at the moment */
    bool purged;
    struct row_set *set; /* where it belongs once all is taken in; NULL: it was known and stays */
};

/* An event is met in its own row, with all it says, the index is read in passing: the one costs some four times what
 * the other does. */
#define INDEX_COSTS 4

/* The memories up to p->rows on which there are events after p->last, which becomes the last of all; allocated. The plus
 * keeps SQLite from the whole index where few rows are asked for. */
static int find_differing(struct past *p, struct db *present, bool again, struct differing **out,
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
            (struct differing){.row = sqlite3_column_int64(rows.stmt, 0),
                               .was_there = sqlite3_column_int(rows.stmt, 1) != 0,
                               .purged = sqlite3_column_int(rows.stmt, 2) != 0};
    if (db_end(&rows))
        return -1;
    p->last = last;
    return 0;
}

/* Whom a reader that is opened tells how far it is; `told` may be NULL. */
struct told {
    int (*told)(void *arg, int64_t done, int64_t total);
    void *arg;
};

/* How much differs nobody knows before all is found. */
static int is_given_up(void *arg)
{
    const struct told *told = arg;
    return told->told(told->arg, 0, 0);
}

/* Puts the memory of that row as it was, which takes it from the present. */
static int put_memory(struct past *p, struct db *present, struct differing *d, bool drop,
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

/* What is in the sets already stays as it is; but what was purged is forgotten here as well. */
static int put_all(struct past *p, struct db *present, struct differing *list, size_t count,
                   bool again, const struct told *told, struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        struct differing *d = &list[i];
        bool known = !is_same(p, d->row);
        if (told->told && told->told(told->arg, (int64_t)i, (int64_t)count))
            return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
        if ((!known || (d->purged && row_set_has(&p->changed, d->row))) &&
            put_memory(p, present, d, again, e))
            return -1;
    }
    return 0;
}

static void note_rows(const struct differing *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].set)
            row_set_add(list[i].set, list[i].row);
}

/*
 * Takes in what changed after p->last. The present may be later than what the reader sees: events that it does not see
 * yet are taken back like the others. Where it fails all is done again the next time: of what was put until then nothing
 * may be left, for an interrupt that meets a write takes the whole transaction back, or some, which is dropped first. So
 * no row is noted before all are there.
 */
static int take_in(struct past *p, struct db *present, bool again, struct told *told,
                   struct error *e)
{
    struct differing *list = NULL;
    size_t count = 0;
    int64_t before = p->last;
    reader_second_stop_if(p->r, told->told ? is_given_up : NULL, told);
    int result = find_differing(p, present, again, &list, &count, e);
    reader_second_stop_if(p->r, NULL, NULL);
    if (result == 0)
        result = put_all(p, present, list, count, again, told, e);
    if (result)
        p->last = before;
    else
        note_rows(list, count);
    free(list);
    return result;
}

/* ---- the reader ---- */

/*
 * A reader of the past has two connections: its own, before whose tables the views of the moment stand, and a second
 * one, which reads the present, from which what was is made.
 */

#define MANY 100000 /* events since; more are kept in a file of SQLite's own */

static void past_free(struct past *p)
{
    row_set_release(&p->changed);
    row_set_release(&p->unborn);
    arena_release(&p->arena);
    free(p);
}

/* All in one transaction of each connection; the indexes once what is there at first is in the tables. */
static int build(struct past *p, struct db *present, struct told *told, struct error *e)
{
    struct db *db = reader_db(p->r);
    int64_t last;
    if (db_int(present, &last, 0, e, "SELECT max(seq) FROM event", "") ||
        make_functions(db, p, e) || allow_writing(db, true, e) ||
        (last - p->seq > MANY && db_exec(db, "PRAGMA temp_store = FILE", e)) ||
        make_like(db, "table", e) || db_exec(db, views, e) ||
        make_logs(db, p->seq, store_now(reader_store(p->r)), e))
        return -1;
    db_set_rewrite(db, vary);
    return db_exec(db, "BEGIN", e) || take_in(p, present, false, told, e) ||
                   make_like(db, "index", e) || db_exec(db, "COMMIT", e) ||
                   allow_writing(db, false, e)
               ? -1
               : 0;
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
    int result =
        allow_writing(db, true, e) || take_in(p, present, true, &(struct told){NULL, NULL}, e) ? -1
                                                                                               : 0;
    allow_writing(db, false, &ignored);
    db_run(present, &ignored, "COMMIT", "");
    return result;
}

struct reader *reader_open_past(struct store *s, int64_t seq,
                                int (*told)(void *arg, int64_t done, int64_t total), void *arg,
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
    int failed = build(p, present, &(struct told){told, arg}, e);
    db_run(present, &ignored, "COMMIT", "");
    reader_set_past(r, p, &(struct past_ops){.seq = seq, .follow = past_follow, .free = past_free});
    if (!failed)
        return r;
    reader_close(r);
    return NULL;
}
