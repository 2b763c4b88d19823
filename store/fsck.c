#include "fsck.h"

#include <stdarg.h>
#include "../model/strbuf.h"
#include "same.h"
#include "schema.h"

void fsck_report(struct fsck *f, enum fsck_fault fault, int64_t seq, struct ref ref,
                 const char *what, ...)
{
    struct strbuf text = STRBUF_INIT;
    va_list args;
    va_start(args, what);
    strbuf_vaddf(&text, what, args);
    va_end(args);
    f->summary->findings++;
    f->each(f->arg, &(struct fsck_finding){fault, seq, ref, text.failed ? what : text.buf});
    strbuf_release(&text);
}

int fsck_step(struct fsck *f, struct error *e)
{
    if (f->done++ % 1024)
        return 0;
    if (f->progress && f->progress(f->arg, f->done, f->total))
        return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
    return reader_check(f->reader, e);
}

static bool is_text(sqlite3_stmt *stmt, int column, const char *text)
{
    if (!text)
        return sqlite3_column_type(stmt, column) == SQLITE_NULL;
    size_t len = strlen(text);
    return sqlite3_column_type(stmt, column) == SQLITE_TEXT &&
           (size_t)sqlite3_column_bytes(stmt, column) == len &&
           memcmp(sqlite3_column_text(stmt, column), text, len) == 0;
}

static bool is_integer(sqlite3_stmt *stmt, int column, int64_t value)
{
    return sqlite3_column_type(stmt, column) == SQLITE_INTEGER &&
           sqlite3_column_int64(stmt, column) == value;
}

static bool is_null(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL;
}

bool fsck_row_is(sqlite3_stmt *stmt, const char *format, ...)
{
    bool same = true;
    va_list args;
    va_start(args, format);
    for (int i = 0; format[i] && same; i++) {
        int64_t number, none = format[i] == 'm' ? -1 : 0;
        switch (format[i]) {
        case 's':
            same = is_text(stmt, i, va_arg(args, const char *));
            break;
        case 'd':
            same = same_number(db_double(stmt, i), va_arg(args, double));
            break;
        case 'n':
            same = is_null(stmt, i);
            break;
        default:
            number = va_arg(args, int64_t);
            same =
                format[i] != 'i' && number == none ? is_null(stmt, i) : is_integer(stmt, i, number);
        }
    }
    va_end(args);
    return same;
}

/* ---- the database ---- */

static const struct ref no_ref = {KIND_RAW, NULL};

/* SQLite's check may take long by itself: it is asked now and then whether to go on. */
static int go_on(void *arg)
{
    const struct fsck *f = arg;
    return f->progress && f->progress(f->arg, f->done, f->total) != 0;
}

static int run_integrity_check(struct fsck *f, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(f->db, "PRAGMA integrity_check(100)", e);
    int more = stmt ? db_step(f->db, stmt, e) : -1;
    for (; more > 0; more = db_step(f->db, stmt, e)) {
        const char *line = (const char *)sqlite3_column_text(stmt, 0);
        if (line && strcmp(line, "ok") != 0)
            fsck_report(f, FSCK_DATABASE, 0, no_ref, "SQLite says: %s", line);
    }
    return more;
}

static int check_integrity(struct fsck *f, struct error *e)
{
    sqlite3_progress_handler(db_handle(f->db), 1000000, go_on, f);
    int result = run_integrity_check(f, e);
    sqlite3_progress_handler(db_handle(f->db), 0, NULL, NULL);
    return result;
}

#define OBJECT_SQL "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?"
#define ALL_SQL                                                                                    \
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'"

/* Reports what `one` has and the other has not, or has otherwise where `compare`. */
static int compare_schemas(struct fsck *f, struct db *one, struct db *other, bool compare,
                           const char *how, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(one, ALL_SQL, e);
    int more = stmt ? db_step(one, stmt, e) : -1;
    for (; more > 0; more = db_step(one, stmt, e)) {
        const char *type = (const char *)sqlite3_column_text(stmt, 0);
        const char *name = (const char *)sqlite3_column_text(stmt, 1);
        sqlite3_stmt *twin = db_prepare(other, OBJECT_SQL, e);
        int found = twin ? db_bind(other, twin, e, "ss", type, name) : -1;
        if (found < 0) {
            sqlite3_reset(stmt);
            return -1;
        }
        if (!found)
            fsck_report(f, FSCK_DATABASE, 0, no_ref, "the %s %s %s", type, name, how);
        else if (compare && !same_text((const char *)sqlite3_column_text(stmt, 2),
                                       (const char *)sqlite3_column_text(twin, 0)))
            fsck_report(f, FSCK_DATABASE, 0, no_ref, "the %s %s is not as stemma makes it", type,
                        name);
        sqlite3_reset(twin);
    }
    return more;
}

int fsck_database(struct fsck *f, struct error *e)
{
    struct db *fresh = db_open(":memory:", DB_WRITE, e);
    int result = fresh ? schema_migrate(fresh, e) : -1;
    if (result == 0)
        result = compare_schemas(f, fresh, f->db, true, "is missing", e);
    if (result == 0)
        result = compare_schemas(f, f->db, fresh, false, "is not stemma's", e);
    db_close(fresh);
    return result ? result : check_integrity(f, e);
}

/* ---- all of it ---- */

static int count(struct fsck *f, struct error *e)
{
    struct fsck_summary *s = f->summary;
    if (db_int(f->db, &s->events, 0, e, "SELECT count(*) FROM event", "") ||
        db_int(f->db, &s->memories, 0, e, "SELECT count(*) FROM memory WHERE status < 7", "") ||
        db_int(f->db, &s->links, 0, e, "SELECT count(*) FROM link", "") ||
        db_int(f->db, &f->last_node, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    f->total = s->events + s->memories;
    /* Rows are never removed and ids are dense, so a far greater one is no memory's. */
    int64_t rows;
    if (db_int(f->db, &rows, 0, e, "SELECT count(*) FROM memory", ""))
        return -1;
    if (f->last_node > 2 * rows + 1024)
        f->last_node = 2 * rows + 1024;
    f->last = calloc((size_t)f->last_node + 1, sizeof(*f->last));
    return f->last ? 0 : error_set(e, ERROR_MEMORY, "", "memory ran out");
}

static const struct head *read_head(struct fsck *f, struct head *head)
{
    struct error why;
    int found = head_read(head, store_path(reader_store(f->reader)), &why);
    f->summary->head_found = found == 1;
    if (found < 0)
        fsck_report(f, FSCK_TAIL_CUT, 0, no_ref, "%s, so a cut tail does not show", why.what);
    return found == 1 ? head : NULL;
}

/* A part that a damaged file does not let run is a finding, and the others still run. */
static int part(struct fsck *f, int result, struct error *e)
{
    if (result == 0 || e->code != ERROR_STORE)
        return result;
    fsck_report(f, FSCK_DATABASE, 0, no_ref, "%s", e->what);
    return 0;
}

int store_fsck(struct reader *r, void (*each)(void *arg, const struct fsck_finding *finding),
               int (*progress)(void *arg, int64_t done, int64_t total), void *arg,
               struct fsck_summary *summary, struct error *e)
{
    struct fsck f = {.reader = r,
                     .db = reader_db(r),
                     .each = each,
                     .progress = progress,
                     .arg = arg,
                     .summary = summary};
    struct head head;
    *summary = (struct fsck_summary){0};
    /* The head may lag but never leads: it is read before the journal. */
    const struct head *known = read_head(&f, &head);
    if (reader_begin(r, e))
        return -1;
    int result = part(&f, count(&f, e), e);
    if (result == 0)
        result = part(&f, fsck_database(&f, e), e);
    if (result == 0)
        result = part(&f, fsck_chain(&f, known, e), e);
    if (result == 0 && f.last)
        result = part(&f, fsck_rows(&f, e), e);
    reader_end(r);
    free(f.last);
    arena_release(&f.arena);
    return result;
}
