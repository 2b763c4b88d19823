#include "store/query/related.h"

#include "store/db/reader.h"

int related_to(struct reader *r, struct arena *arena, int64_t node, size_t limit,
               struct related **out, size_t *count, bool *more, struct error *e)
{
    struct db *db = reader_db(r);
    *count = 0;
    *more = false;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    if (!*out)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    sqlite3_stmt *stmt = db_prepare(db,
                                    "SELECT memory, shape & 31 FROM link WHERE target = ?"
                                    " AND shape & 31 >= ? ORDER BY memory LIMIT ?",
                                    e);
    int step =
        stmt ? db_bind(db, stmt, e, "iii", node, (int64_t)RELATION_SUPERSEDES, (int64_t)limit + 1)
             : -1;
    for (; step > 0; step = db_step(db, stmt, e)) {
        *more = *count == limit;
        if (!*more)
            (*out)[(*count)++] = (struct related){sqlite3_column_int64(stmt, 0),
                                                  (enum role)sqlite3_column_int(stmt, 1)};
    }
    if (stmt)
        sqlite3_reset(stmt);
    return step;
}

int related_names(struct reader *r, int64_t memory, int64_t other, struct error *e)
{
    int64_t names;
    return db_int(reader_db(r), &names, 0, e,
                  "SELECT EXISTS (SELECT 1 FROM link WHERE memory = ? AND target = ?)", "ii",
                  memory, other)
               ? -1
               : (int)names;
}
