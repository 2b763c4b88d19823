/*
 * Checks the records of imports, which are the base of the next merge, against the journal.
 *
 * Each event in which an import wrote a memory came with a row of `imported`. The row names that
 * event or a later one on the same memory, and is never removed.
 */
#include "store/fsck/fsck_internal.h"

#include <string.h>
#include "model/base/digest.h"
#include "model/base/strbuf.h"

enum column {
    MEMORY,
    ORIGIN,
    HASH,
    EVENT,
    KNOWN_ORIGIN, /* NULL if there is no such origin */
    SUBJECT,      /* of that event; NULL if there is no such event */
    ROW,          /* NULL if there is no such row */
    KIND
};

static const char imported_sql[] =
    "SELECT i.memory, i.origin, i.hash, i.event, o.id, e.subject, m.id, m.kind, m.name"
    " FROM imported i LEFT JOIN origin o ON o.id = i.origin LEFT JOIN event e ON e.seq = i.event"
    " LEFT JOIN memory m ON m.id = i.memory ORDER BY i.memory";

struct imports {
    struct fsck *f;
    struct error *e;
    struct ref ref;     /* of the memory being checked; id NULL if it has none */
    struct strbuf name; /* its ref, or else its row number */
};

static bool is_null(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL;
}

static void name_memory(struct imports *i, sqlite3_stmt *stmt, int column, int64_t row)
{
    arena_clear(&i->f->arena);
    strbuf_clear(&i->name);
    if (fsck_ref(i->f, stmt, column, &i->ref))
        ref_add(&i->name, i->ref);
    else
        strbuf_addf(&i->name, "row %lld", (long long)row);
}

/* ---- recorded imports ---- */

/* Checks that the recorded event is on this memory and not before the last event in which an import
 * wrote it. */
static void check_event(struct imports *i, sqlite3_stmt *stmt, int64_t row, int64_t last)
{
    struct fsck *f = i->f;
    int64_t event = sqlite3_column_int64(stmt, EVENT);
    if (is_null(stmt, SUBJECT) && event > f->last_seq && row_set_has(&f->faulty, row))
        return; /* the tail of the journal was cut */
    if (is_null(stmt, SUBJECT))
        fsck_report(f, FSCK_IMPORT, event, i->ref, NULL,
                    "%s is recorded as imported by event %lld, which does not exist", i->name.buf,
                    (long long)event);
    else if (sqlite3_column_int64(stmt, SUBJECT) != row)
        fsck_report(f, FSCK_IMPORT, event, i->ref, NULL,
                    "%s is recorded as imported by event %lld, which is about another memory",
                    i->name.buf, (long long)event);
    else if (event < last)
        fsck_report(f, FSCK_IMPORT, event, i->ref, NULL,
                    "%s is recorded as imported by event %lld, and event %lld imported it later",
                    i->name.buf, (long long)event, (long long)last);
}

static void check_imported(struct imports *i, sqlite3_stmt *stmt)
{
    struct fsck *f = i->f;
    int64_t row = sqlite3_column_int64(stmt, MEMORY), last = 0;
    if (row >= 1 && row <= f->last_node) {
        last = f->imported[row];
        f->imported[row] = 0; /* recorded */
    }
    name_memory(i, stmt, KIND, row);
    if (is_null(stmt, ROW)) {
        /* Otherwise the pass over rows has reported it. */
        if (sqlite3_column_int64(stmt, SUBJECT) != row)
            fsck_report(f, FSCK_IMPORT, 0, i->ref,
                        "Nothing uses it; sqlite3 can delete it from the table imported.",
                        "an import is recorded of row %lld, which is no memory", (long long)row);
        return;
    }
    if (sqlite3_column_bytes(stmt, HASH) != DIGEST_SIZE)
        fsck_report(f, FSCK_IMPORT, 0, i->ref, "Importing its source again records it again.",
                    "the recorded hash of the source of %s is not valid", i->name.buf);
    if (is_null(stmt, KNOWN_ORIGIN))
        fsck_report(f, FSCK_IMPORT, 0, i->ref, NULL,
                    "%s is recorded as imported from source %lld, which is not recorded",
                    i->name.buf, (long long)sqlite3_column_int64(stmt, ORIGIN));
    check_event(i, stmt, row, last);
}

static int check_noted(struct imports *i)
{
    struct fsck *f = i->f;
    sqlite3_stmt *stmt = db_prepare(f->db, imported_sql, i->e);
    int more = stmt ? db_step(f->db, stmt, i->e) : -1;
    for (int64_t count = 0; more > 0; more = db_step(f->db, stmt, i->e)) {
        if (count++ % 1024 == 0 && fsck_pause(f, i->e)) {
            sqlite3_reset(stmt);
            return -1;
        }
        check_imported(i, stmt);
    }
    return more;
}

/* ---- imports without a record ---- */

/*
 * Event `seq` imported the memory, but there is no record. A missing memory is reported elsewhere.
 */
static int report_unnoted(struct imports *i, int64_t row, int64_t seq)
{
    struct query one =
        db_query(i->f->db, i->e, "SELECT kind, name FROM memory WHERE id = ?", "i", row);
    if (!db_next(&one))
        return db_end(&one);
    name_memory(i, one.stmt, 0, row);
    db_end(&one);
    fsck_report(i->f, FSCK_IMPORT, seq, i->ref, NULL,
                "event %lld imported %s, and the hash of its source is not recorded",
                (long long)seq, i->name.buf);
    return 0;
}

static int check_unnoted(struct imports *i)
{
    for (int64_t row = 1; row <= i->f->last_node; row++)
        if (i->f->imported[row] && report_unnoted(i, row, i->f->imported[row]))
            return -1;
    return 0;
}

/* The identity of a source begins with its kind. */
static const char origins_sql[] =
    "SELECT 0, 'source ' || id || ' of an import is not of the kind that it is noted as' FROM "
    "origin"
    " WHERE substr(identity, 1, length(kind) + 1) <> kind || ' ' ORDER BY id";

int fsck_imports(struct fsck *f, struct error *e)
{
    struct imports i = {.f = f, .e = e, .name = STRBUF_INIT};
    int64_t member;
    if (db_int(f->db, &member, 0, e, "SELECT EXISTS (SELECT 1 FROM team)", ""))
        return -1;
    if (member) /* others import, and what they record about their sources stays there */
        memset(f->imported, 0, (size_t)(f->last_node + 1) * sizeof(*f->imported));
    int result = check_noted(&i);
    if (result == 0)
        result = check_unnoted(&i);
    if (result == 0)
        result = fsck_query(f, FSCK_IMPORT, origins_sql, e);
    strbuf_release(&i.name);
    return result;
}
