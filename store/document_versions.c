/* Which versions of a document there were, and where it was retrieved. */
#include "document.h"

#include "../model/alloc.h"
#include "column.h"
#include "reader.h"

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while reading a document");
}

/* ---- versions ---- */

static const char versions_sql[] =
    "SELECT v.chunk, v.version_hash, v.first, v.last, v.uses, a.created_at, z.created_at,"
    " v.last = max(v.last) OVER (PARTITION BY v.chunk) FROM"
    " (SELECT ifnull(chunk, -1) AS chunk, version_hash, min(memory) AS first, max(memory) AS last,"
    " count(*) AS uses FROM use WHERE target = ? AND version_hash IS NOT NULL GROUP BY 1, 2) v"
    " LEFT JOIN memory a ON a.id = v.first LEFT JOIN memory z ON z.id = v.last"
    " ORDER BY v.chunk, v.first LIMIT ?";

static int add_version(struct arena *arena, sqlite3_stmt *stmt, struct document_version *out,
                       struct error *e)
{
    bool failed = false;
    *out = (struct document_version){.chunk = sqlite3_column_int64(stmt, 0),
                                     .hash = column_text(arena, stmt, 1, &failed),
                                     .first = sqlite3_column_int64(stmt, 2),
                                     .last = sqlite3_column_int64(stmt, 3),
                                     .uses = (size_t)sqlite3_column_int64(stmt, 4),
                                     .first_at = sqlite3_column_int64(stmt, 5),
                                     .last_at = sqlite3_column_int64(stmt, 6),
                                     .latest = sqlite3_column_int(stmt, 7) != 0};
    return failed ? out_of_memory(e) : 0;
}

int document_versions(struct reader *r, struct arena *arena, int64_t document, size_t limit,
                      struct document_version **out, size_t *count, bool *more, struct error *e)
{
    struct db *db = reader_db(r);
    *count = 0;
    *more = false;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    if (!*out)
        return out_of_memory(e);
    if (reader_begin(r, e))
        return -1;
    sqlite3_stmt *stmt = db_prepare(db, versions_sql, e);
    int step = stmt ? db_bind(db, stmt, e, "ii", document, (int64_t)limit + 1) : -1;
    for (; step > 0; step = db_step(db, stmt, e)) {
        if (*count == limit)
            *more = true;
        else if (add_version(arena, stmt, &(*out)[(*count)++], e))
            step = -1;
        if (step < 0)
            break;
    }
    if (stmt)
        sqlite3_reset(stmt);
    reader_end(r);
    return step < 0 ? -1 : 0;
}
