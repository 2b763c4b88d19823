/* Namespaces as they were: from the rows of the present that have not changed since, and those that were other then. */
#include "store/entries/entry_past.h"
#include "store/history/past_reader.h"

#include "model/base/array.h"
#include "store/db/column.h"
#include "store/guard/guard.h"
#include "store/record/entry_row.h"
#include "store/history/past.h"
#include "store/db/reader.h"

/* ---- what there was ---- */

/* Of those of one key the one that counted (entry_row.h). ?1 is the time of the moment, ?2 the
 * namespace. */
#define FRONT(of)                                                                                  \
    "WITH lived AS (SELECT " ENTRY_PAST_COLUMNS                                                    \
    " FROM main.entry WHERE state = 0 AND hidden = 0" of                                           \
    " AND past_same(memory) UNION ALL SELECT " ENTRY_PAST_COLUMNS " FROM main.entry"               \
    " WHERE (state > 0 OR hidden > 0)" of " AND state < 2 AND past_same(memory)"                   \
    " UNION ALL SELECT " ENTRY_PAST_COLUMNS " FROM temp.then_entry WHERE state < 2" of             \
    "), front AS (SELECT *, state = 0 AND (expires IS NULL OR expires > ?1) AS there,"             \
    " row_number() OVER (PARTITION BY namespace, key ORDER BY state, created DESC, memory DESC)"   \
    " AS place FROM lived) "

static int moment(struct reader *r, int64_t *at, struct error *e)
{
    return db_int(reader_db(r), at, 0, e,
                  "SELECT at FROM main.event WHERE seq <= ? ORDER BY seq DESC LIMIT 1", "i",
                  reader_past(r));
}

int entry_past_namespaces(struct reader *r, struct arena *arena, struct namespace_row **rows,
                          size_t *count, struct error *e)
{
    static const char sql[] =
        FRONT("") "SELECT n.name, sum(f.there), sum(f.there * f.bytes), sum(1 - f.there),"
                  " coalesce(max(f.there * f.updated), 0) FROM front f JOIN main.namespace n"
                  " ON n.id = f.namespace WHERE f.place = 1 GROUP BY n.id ORDER BY n.name";
    struct db *db = reader_db(r);
    size_t alloc = 0;
    int64_t at;
    if (moment(r, &at, e))
        return -1;
    struct query found = db_query(db, e, sql, "i", at);
    while (db_next(&found)) {
        struct namespace_row row = {.name = db_text(arena, found.stmt, 0),
                                    .items = sqlite3_column_int64(found.stmt, 1),
                                    .bytes = sqlite3_column_int64(found.stmt, 2),
                                    .expired = sqlite3_column_int64(found.stmt, 3),
                                    .updated_at = sqlite3_column_int64(found.stmt, 4)};
        *ARRAY_ADD(*rows, *count, alloc) = row;
    }
    return db_end(&found);
}

/* A value that has expired since is shown no more. */
static int read_row(struct reader *r, struct arena *arena, sqlite3_stmt *stmt, const char *name,
                    struct entry *out, struct memory *m, struct error *e)
{
    *out = (struct entry){.node = sqlite3_column_int64(stmt, 0),
                          .key = db_text(arena, stmt, 1),
                          .namespace_ = name,
                          .expires_at = sqlite3_column_int64(stmt, 2),
                          .bytes = sqlite3_column_int64(stmt, 3)};
    if (memory_read_db(reader_db(r), arena, out->node, m, e) || entry_hide(r, arena, m, e))
        return -1;
    out->ref = m->ref;
    out->version = m->version;
    out->created_at = m->created_at;
    out->updated_at = m->updated_at;
    return 0;
}

int entry_past_rows(struct reader *r, struct arena *arena, const struct entry_past_query *q,
                    void (*take)(struct arena *arena, const struct memory *m, size_t value_max,
                                 struct entry *out),
                    struct entry *out, size_t *count, struct error *e)
{
    static const char sql[] = FRONT(
        " AND namespace = ?2") "SELECT memory, key, expires, bytes FROM front"
                               " WHERE place = 1 AND there AND key > ?3 ORDER BY key LIMIT ?4";
    struct db *db = reader_db(r);
    struct memory m;
    int64_t at;
    if (moment(r, &at, e))
        return -1;
    struct query rows = db_query(db, e, sql, "iisi", at, q->namespace_, q->after ? q->after : "",
                                 (int64_t)q->limit);
    while (db_next(&rows)) {
        struct entry *one = &out[*count];
        if (read_row(r, arena, rows.stmt, q->name, one, &m, e))
            return db_fail(&rows);
        take(arena, &m, q->value_max, one);
        ++*count;
    }
    return db_end(&rows);
}
