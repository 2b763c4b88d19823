/* Namespaces for who reviews. */
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "store/entries/entry.h"
#include "store/entries/entry_past.h"
#include "store/record/entry_row.h"
#include "store/history/past.h"
#include "store/db/reader.h"

/* Those that expired and were not swept yet are counted with those that were. */
static const char namespaces_sql[] =
    "SELECT n.name, n.items, n.bytes, n.expired, (SELECT updated FROM entry INDEXED BY entry_oldest"
    " WHERE namespace = n.id AND state = 0 AND hidden = 0 ORDER BY updated DESC LIMIT 1),"
    " coalesce(o.items, 0), coalesce(o.bytes, 0) FROM namespace n LEFT JOIN"
    " (SELECT namespace, count(*) AS items, sum(bytes) AS bytes FROM entry WHERE expires <= ?"
    " AND state = 0 AND expires IS NOT NULL AND hidden = 0 GROUP BY namespace) o"
    " ON o.namespace = n.id ORDER BY n.name";

static int read_namespaces(struct reader *r, struct arena *arena, struct namespace_row **out,
                           size_t *count, struct error *e)
{
    struct db *db = reader_db(r);
    size_t alloc = 0;
    sqlite3_stmt *stmt = db_prepare(db, namespaces_sql, e);
    int more = db_bind(db, stmt, e, "i", store_now(reader_store(r)));
    for (; more > 0; more = db_step(db, stmt, e)) {
        int64_t over = sqlite3_column_int64(stmt, 5);
        struct namespace_row row = {.name = db_text(arena, stmt, 0),
                                    .items = sqlite3_column_int64(stmt, 1) - over,
                                    .bytes = sqlite3_column_int64(stmt, 2) -
                                             sqlite3_column_int64(stmt, 6),
                                    .expired = sqlite3_column_int64(stmt, 3) + over};
        row.updated_at = row.items ? sqlite3_column_int64(stmt, 4) : 0;
        array_grow((void **)out, &alloc, *count, sizeof(row));
        (*out)[(*count)++] = row;
    }
    sqlite3_reset(stmt);
    return more;
}

int namespace_list(struct reader *r, struct arena *arena, struct namespace_row **out, size_t *count,
                   struct error *e)
{
    struct namespace_row *rows = NULL;
    *count = 0;
    if (reader_begin(r, e))
        return -1;
    int more = reader_past(r) >= 0 ? entry_past_namespaces(r, arena, &rows, count, e)
                                   : read_namespaces(r, arena, &rows, count, e);
    reader_end(r);
    *out = more < 0 ? NULL
                    : arena_memdup(arena, rows ? rows : &(struct namespace_row){0},
                                   (*count ? *count : 1) * sizeof(*rows));
    free(rows);
    return more < 0 ? -1 : 0;
}

static const char rows_sql[] =
    "SELECT e.memory, e.key, m.name, m.version, m.created_at, m.updated_at, e.expires, e.bytes"
    " FROM entry e INDEXED BY entry_there JOIN memory m ON m.id = e.memory"
    " WHERE e.namespace = ? AND e.key > ? AND e.state = 0 AND e.hidden = 0"
    " AND (e.expires IS NULL OR e.expires > ?) ORDER BY e.key LIMIT ?";

static void take_value(struct arena *arena, const struct memory *m, size_t max, struct entry *out)
{
    struct json_slice value;
    entry_value_of(m, &value);
    /* In whole characters, where it is longer. */
    size_t shown = utf8_fit(value.ptr, value.len, max);
    out->value = value.ptr ? arena_strndup(arena, value.ptr, shown) : "null";
}

static int read_value(struct db *db, struct arena *arena, size_t max, struct entry *out,
                      struct error *e)
{
    struct memory m;
    if (memory_read_db(db, arena, out->node, &m, e))
        return -1;
    take_value(arena, &m, max, out);
    return 0;
}

static int read_row(struct db *db, struct arena *arena, sqlite3_stmt *stmt, const char *name,
                    size_t value_max, struct entry *out, struct error *e)
{
    *out = (struct entry){.node = sqlite3_column_int64(stmt, 0),
                          .key = db_text(arena, stmt, 1),
                          .ref = {KIND_ENTRY, db_text(arena, stmt, 2)},
                          .namespace_ = name,
                          .version = sqlite3_column_int64(stmt, 3),
                          .created_at = sqlite3_column_int64(stmt, 4),
                          .updated_at = sqlite3_column_int64(stmt, 5),
                          .expires_at = sqlite3_column_int64(stmt, 6),
                          .bytes = sqlite3_column_int64(stmt, 7)};
    return read_value(db, arena, value_max, out, e);
}

static int read_rows(struct reader *r, struct arena *arena, const char *name, const char *after,
                     size_t limit, size_t value_max, struct entry *out, size_t *count,
                     struct error *e)
{
    struct db *db = reader_db(r);
    const char *kept = arena_strdup(arena, name);
    int64_t row = entry_namespace_row(db, name, e);
    if (row <= 0)
        return row < 0 ? -1 : 0;
    struct entry_past_query then = {kept, row, after, limit, value_max};
    if (reader_past(r) >= 0)
        return entry_past_rows(r, arena, &then, take_value, out, count, e);
    sqlite3_stmt *stmt = db_prepare(db, rows_sql, e);
    int more = db_bind(db, stmt, e, "isii", row, after ? after : "", store_now(reader_store(r)),
                       (int64_t)limit);
    for (; more > 0; more = db_step(db, stmt, e))
        if (read_row(db, arena, stmt, kept, value_max, &out[(*count)++], e)) {
            more = -1;
            break;
        }
    sqlite3_reset(stmt);
    return more;
}

int entry_rows(struct reader *r, struct arena *arena, const char *name, const char *after,
               size_t limit, size_t value_max, struct entry **out, size_t *count, struct error *e)
{
    *count = 0;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    if (reader_begin(r, e))
        return -1;
    int result = read_rows(r, arena, name, after, limit, value_max, *out, count, e);
    reader_end(r);
    return result;
}
