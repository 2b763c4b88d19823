#include "store/query/filter.h"

#include "model/base/strbuf.h"
#include "store/guard/guard.h"

/* The row of a name; -1 where nothing is called so. */
static int find_name(struct db *db, const char *name, const char *sql, int64_t *row,
                     struct error *e)
{
    *row = -1;
    return name ? db_int(db, row, -1, e, sql, "s", name) : 0;
}

int filter_make(struct filter *f, struct reader *r, const struct list_query *query, struct error *e)
{
    struct db *db = reader_db(r);
    f->kinds = guard_kinds(r, query->kinds ? query->kinds : KINDS_ALL);
    f->guarded = guard_hides_of(r, f->kinds);
    f->statuses = query->statuses ? query->statuses : STATUSES_LISTED;
    f->by_agent = query->agent != NULL;
    f->by_source_type = query->source_type != NULL;
    if (find_name(db, query->agent, "SELECT id FROM agent WHERE name = ?", &f->agent, e))
        return -1;
    return find_name(db, query->source_type, "SELECT id FROM source_type WHERE name = ?",
                     &f->source_type, e);
}

bool filter_passes(const struct filter *f, sqlite3_stmt *stmt, int column)
{
    int64_t kind = sqlite3_column_int64(stmt, column);
    int64_t status = sqlite3_column_int64(stmt, column + 1);
    return kind >= 0 && kind < KIND_COUNT && f->kinds & KIND_BIT(kind) && status >= 0 &&
           status < STATUS_COUNT && f->statuses & STATUS_BIT(status) &&
           (!f->by_agent || sqlite3_column_int64(stmt, column + 2) == f->agent) &&
           (!f->by_source_type || sqlite3_column_int64(stmt, column + 3) == f->source_type) &&
           (!f->guarded || sqlite3_column_int(stmt, column + 4));
}

void filter_add_sql(const struct filter *f, struct strbuf *sql)
{
    strbuf_addstr(sql, " AND (:statuses >> status) & 1");
    if (f->by_agent)
        strbuf_addstr(sql, " AND agent = :agent");
    if (f->by_source_type)
        strbuf_addstr(sql, " AND source_type = :source_type");
    if (f->guarded)
        strbuf_addstr(sql, GUARD_SQL);
}

static void bind(sqlite3_stmt *stmt, const char *name, int64_t value)
{
    int at = sqlite3_bind_parameter_index(stmt, name);
    if (at)
        sqlite3_bind_int64(stmt, at, value);
}

void filter_bind(const struct filter *f, sqlite3_stmt *stmt)
{
    bind(stmt, ":statuses", f->statuses);
    bind(stmt, ":agent", f->agent);
    bind(stmt, ":source_type", f->source_type);
}
