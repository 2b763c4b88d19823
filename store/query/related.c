#include "store/query/related.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "store/db/column.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"

int related_to(struct reader *r, struct arena *arena, int64_t node, size_t limit,
               struct related **out, size_t *count, bool *more, struct error *e)
{
    struct db *db = reader_db(r);
    *count = 0;
    *more = false;
    *out = arena_array(arena, limit + 1, sizeof(**out));
    struct query rows = db_query(db, e,
                                 "SELECT memory, shape & 31 FROM link WHERE target = ?"
                                 " AND shape & 31 >= ? ORDER BY memory LIMIT ?",
                                 "iii", node, (int64_t)RELATION_SUPERSEDES, (int64_t)limit + 1);
    while (db_next(&rows)) {
        *more = *count == limit;
        if (!*more)
            (*out)[(*count)++] = (struct related){sqlite3_column_int64(rows.stmt, 0),
                                                  (enum role)sqlite3_column_int(rows.stmt, 1)};
    }
    return db_end(&rows);
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

/* ---- marks ---- */

/* The index of names leads to them; an agent that has no memory has no row, and -1 is nobody's. */
static const char sql[] =
    "SELECT k.memory, max(k.at) AS last FROM mark k JOIN memory m ON m.id = k.memory"
    " WHERE k.mark = ?1 AND m.status <= ?2 AND (?3 IS NULL OR"
    " m.agent = coalesce((SELECT id FROM agent WHERE name = ?3), -1))"
    " GROUP BY k.memory ORDER BY last DESC, k.memory DESC";

int marked_list(struct reader *r, const char *mark, const char *agent, struct marked **out,
                size_t *count, struct error *e)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    struct query rows =
        db_query(reader_db(r), e, sql, "sis", mark, (int64_t)STATUS_RETRACTED, agent);
    while (db_next(&rows))
        *ARRAY_ADD(*out, *count, alloc) =
            (struct marked){sqlite3_column_int64(rows.stmt, 0), sqlite3_column_int64(rows.stmt, 1)};
    if (db_end(&rows) == 0)
        return 0;
    free(*out);
    *out = NULL;
    *count = 0;
    return -1;
}

int marked_read(struct reader *r, struct arena *arena, int64_t node, const char *mark,
                struct mark *out, struct error *e)
{
    struct query row =
        db_query(reader_db(r), e,
                 "SELECT mark, at, actor, value, reason FROM mark WHERE memory = ? AND mark = ?"
                 " ORDER BY at DESC, position DESC LIMIT 1",
                 "is", node, mark);
    if (!db_next(&row))
        return db_end(&row) ? -1 : error_set(e, ERROR_NOT_FOUND, "", "it is not marked %s", mark);
    *out = (struct mark){.mark = column_utf8(arena, row.stmt, 0),
                         .at = sqlite3_column_int64(row.stmt, 1),
                         .actor = column_utf8(arena, row.stmt, 2),
                         .value = column_utf8(arena, row.stmt, 3),
                         .reason = column_utf8(arena, row.stmt, 4)};
    db_end(&row);
    const char **const shown[] = {&out->actor, &out->value, &out->reason};
    guard_mask_texts(r, arena, shown, 3);
    return 0;
}
