#include "store/lineage/links.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "store/db/column.h"
#include "store/db/reader.h"

void links_release(struct links *l)
{
    free(l->group);
    free(l->row);
    *l = (struct links){0};
}

static void clear(struct links *l)
{
    l->groups = l->rows = 0;
}

/* A group without antecedents has one row, which names nothing. */
static int take_link(struct links *l, sqlite3_stmt *stmt, int64_t memory, int64_t *number,
                     struct error *e)
{
    int64_t target = sqlite3_column_int64(stmt, 1), of = sqlite3_column_int64(stmt, 0);
    if (sqlite3_column_type(stmt, 1) != SQLITE_NULL && target < 1)
        return reader_damaged(e, "a link", memory);
    if (l->groups == 0 || of != *number)
        *ARRAY_ADD(l->group, l->groups, l->group_alloc) =
            (struct link_group){(unsigned)sqlite3_column_int(stmt, 2) & 255, l->rows, 0};
    *number = of;
    if (target) {
        *ARRAY_ADD(l->row, l->rows, l->row_alloc) = target;
        l->group[l->groups - 1].count++;
    }
    return 0;
}

int links_of(struct links *l, struct reader *r, int64_t row, struct error *e)
{
    int64_t number = 0;
    struct db *db = reader_db(r);
    struct query rows = db_query(db, e,
                                 "SELECT number, target, shape, position FROM link WHERE memory = ?"
                                 " AND shape & 31 < 6 ORDER BY number, position",
                                 "i", row);
    clear(l);
    while (db_next(&rows))
        if (take_link(l, rows.stmt, row, &number, e))
            return db_fail(&rows);
    return db_end(&rows);
}

int links_users(struct links *l, struct reader *r, int64_t row, size_t most, struct error *e)
{
    struct query rows = db_query(reader_db(r), e,
                                 "SELECT memory FROM link"
                                 " WHERE target = ? AND shape & 31 < 6 ORDER BY memory",
                                 "i", row);
    clear(l);
    while (l->rows <= most && db_next(&rows)) {
        int64_t user = sqlite3_column_int64(rows.stmt, 0);
        if (user < 1) {
            db_end(&rows);
            return reader_damaged(e, "a link", row);
        }
        if (l->rows == 0 || l->row[l->rows - 1] != user)
            *ARRAY_ADD(l->row, l->rows, l->row_alloc) = user;
    }
    return db_end(&rows);
}

int links_nature(struct reader *r, int64_t row, enum kind *kind, enum status *status,
                 struct error *e)
{
    struct query q =
        db_query(reader_db(r), e, "SELECT kind, status FROM memory WHERE id = ?", "i", row);
    if (!db_next(&q))
        return db_end(&q) ? -1
                          : error_set(e, ERROR_NOT_FOUND, "", "there is no memory in row %lld",
                                      (long long)row);
    int k = column_enum(q.stmt, 0, KIND_COUNT), s = column_enum(q.stmt, 1, STATUS_COUNT);
    db_end(&q);
    if (k < 0 || s < 0)
        return reader_damaged(e, "the kind or status", row);
    *kind = (enum kind)k;
    *status = (enum status)s;
    return 0;
}
