/* The log of calls as anybody reads it. */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/journal/call_chain.h"
#include "store/journal/call_times.h"
#include "store/journal/canonical.h"
#include "store/db/column.h"
#include "store/db/reader.h"
#include "store/session/session.h"

static int read_row(struct arena *a, sqlite3_stmt *stmt, struct call_row *out, struct error *e)
{
    bool failed = false;
    *out = (struct call_row){
        .id = sqlite3_column_int64(stmt, 0),
        .session = sqlite3_column_int64(stmt, 1),
        .subject = sqlite3_column_int64(stmt, 3),
        .tool = column_text(a, stmt, 2, &failed),
    };
    int kind = column_enum(stmt, 5, KIND_COUNT);
    const char *id = column_text(a, stmt, 6, &failed);
    if (kind >= 0 && id)
        out->ref = (struct ref){(enum kind)kind, id};
    const char *times = column_text(a, stmt, 4, &failed);
    /* An altered row is shown without its times; fsck says what is wrong with it. */
    if (call_times_read(times, a, &out->at, &out->outcome, &out->count))
        out->count = 0;
    const char *guard = column_text(a, stmt, 7, &failed);
    if (guard)
        canonical_guard_read(&out->guard, a, guard, strlen(guard));
    return failed ? error_set(e, ERROR_MEMORY, "", "memory ran out") : 0;
}

/* The rows of a statement that was stepped once, which gave `more`. */
static int read_rows(struct db *db, struct arena *a, sqlite3_stmt *stmt, int more,
                     struct call_row **rows, size_t *count, struct error *e)
{
    size_t alloc = 0;
    for (; more > 0; more = db_step(db, stmt, e)) {
        if (!array_grow((void **)rows, &alloc, *count, sizeof(**rows)))
            return error_set(e, ERROR_MEMORY, "", "memory ran out");
        if (read_row(a, stmt, &(*rows)[*count], e))
            return -1;
        (*count)++;
    }
    return more;
}

int call_list(struct reader *r, struct arena *arena, int64_t after, size_t limit,
              struct call_row **out, size_t *count, struct error *e)
{
    struct db *db = reader_db(r);
    struct call_row *rows = NULL;
    sqlite3_stmt *stmt =
        db_prepare(db,
                   "SELECT c.id, c.session, c.tool, c.subject, c.times, m.kind, m.name, c.guard"
                   " FROM call c"
                   " LEFT JOIN memory m ON m.id = c.subject WHERE c.id > ? AND " CALL_MADE
                   " ORDER BY c.id LIMIT ?",
                   e);
    *out = NULL;
    *count = 0;
    int more =
        stmt ? db_bind(db, stmt, e, "ii", after, limit > INT64_MAX ? INT64_MAX : (int64_t)limit)
             : -1;
    int result = read_rows(db, arena, stmt, more, &rows, count, e);
    if (result == 0 && *count && !(*out = arena_memdup(arena, rows, *count * sizeof(*rows))))
        result = error_set(e, ERROR_MEMORY, "", "memory ran out");
    if (stmt)
        sqlite3_reset(stmt);
    free(rows);
    return result;
}

int64_t call_last(struct reader *r, struct error *e)
{
    int64_t id;
    return db_int(reader_db(r), &id, 0, e, "SELECT max(id) FROM call", "") ? -1 : id;
}

int64_t call_count(struct reader *r, int64_t last, struct error *e)
{
    int64_t count;
    if (db_int(reader_db(r), &count, 0, e, CALL_COUNT, "i", last))
        return -1;
    return count > 0 ? count : 0;
}

int64_t call_before_newest(struct reader *r, int64_t last, size_t limit, struct error *e)
{
    int64_t id;
    return db_int(reader_db(r), &id, 0, e,
                  "SELECT id FROM call WHERE " CALL_MADE " AND id <= ? ORDER BY id DESC"
                  " LIMIT 1 OFFSET ?",
                  "ii", last, limit > INT64_MAX ? INT64_MAX : (int64_t)limit)
               ? -1
               : id;
}

/* A row of which something is known has calls of one outcome, whose letter stands in its times (call_times.c): `t` is
 * one that the client gave up, which is no error, and `x` none at all. What
 * somebody altered counts as far as it is JSON. */
#define NAMES                                                                                      \
    "SELECT session, json_extract(guard, '$.namespace'), sum(count),"                              \
    " sum(iif(times GLOB '*[a-su-wyz]*', count, 0)),"                                              \
    " CAST(total(json_extract(guard, '$.redactions')) AS INTEGER) FROM call"                       \
    " WHERE iif(guard IS NULL, 0, json_valid(guard)) AND session BETWEEN ? AND ?"                  \
    " GROUP BY 1, 2 ORDER BY 1, 2"

int session_names(struct reader *r, struct arena *arena, int64_t first, int64_t last,
                  struct session_name **out, size_t *count, struct error *e)
{
    struct db *db = reader_db(r);
    size_t alloc = 0;
    bool failed = false;
    struct session_name *names = NULL;
    sqlite3_stmt *stmt = db_prepare(db, NAMES, e);
    int more = stmt ? db_bind(db, stmt, e, "ii", first, last) : -1;
    *out = NULL;
    *count = 0;
    for (; more > 0 && !failed; more = db_step(db, stmt, e)) {
        failed = !array_grow((void **)&names, &alloc, *count, sizeof(*names));
        if (!failed)
            names[(*count)++] =
                (struct session_name){.session = sqlite3_column_int64(stmt, 0),
                                      .namespace_ = column_text(arena, stmt, 1, &failed),
                                      .calls = sqlite3_column_int64(stmt, 2),
                                      .errors = sqlite3_column_int64(stmt, 3),
                                      .redactions = sqlite3_column_int64(stmt, 4)};
    }
    if (stmt)
        sqlite3_reset(stmt);
    if (more == 0 && !failed && *count)
        failed = !(*out = arena_memdup(arena, names, *count * sizeof(*names)));
    free(names);
    return failed ? error_set(e, ERROR_MEMORY, "", "memory ran out") : more < 0 ? -1 : 0;
}
