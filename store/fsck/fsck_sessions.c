/* Sessions: each began in the log of calls, and what a person decided of it is in the journal. */
#include "model/base/latency.h"
#include "store/journal/call_chain.h"
#include "store/fsck/fsck_internal.h"
#include "store/db/same.h"

enum column {
    ID,
    READ_ONLY,
    ENDED_BY,
    ENDED_AT,
    LATENCY,
    ALLOWED, /* the last decision on what it may do; NULL: none */
    PERSON,  /* who ended it; NULL: nobody did */
    BEGAN,   /* NULL: the log of calls did not see it begin */
};

/* Of a group's rows SQLite gives the one with the greatest seq. */
static const char sessions[] =
    "SELECT s.id, s.read_only, s.ended_by, s.ended_at, s.latency, w.operation, x.actor, b.session"
    " FROM session s"
    " LEFT JOIN (SELECT session, operation, max(seq) FROM event WHERE subject IS NULL AND"
    "  operation IN ('read-only-session', 'read-write-session') GROUP BY session) w"
    "  ON w.session = s.id"
    " LEFT JOIN (SELECT session, actor, max(seq) FROM event WHERE subject IS NULL AND"
    "  operation = 'end-session' GROUP BY session) x ON x.session = s.id"
    " LEFT JOIN (SELECT DISTINCT session FROM call WHERE tool = '" CALL_SESSION "') b"
    "  ON b.session = s.id ORDER BY s.id";

static const char *column(sqlite3_stmt *stmt, int i)
{
    return (const char *)sqlite3_column_text(stmt, i);
}

static const char *check_end(sqlite3_stmt *stmt)
{
    const char *by = column(stmt, ENDED_BY), *person = column(stmt, PERSON);
    if (by && sqlite3_column_type(stmt, ENDED_AT) == SQLITE_NULL)
        return "who ended it is there, and not when";
    if (person)
        return same_text(by, person) ? NULL : "the journal says that another ended it";
    if (by && strcmp(by, "client") != 0 && strcmp(by, "server") != 0)
        return "the journal does not know that a person ended it";
    return NULL;
}

/* NULL: it is as it should be. */
static const char *check_session(sqlite3_stmt *stmt)
{
    const char *allowed = column(stmt, ALLOWED);
    struct latency ignored;
    int64_t expected = allowed && strcmp(allowed, "read-only-session") == 0;
    if (sqlite3_column_int64(stmt, READ_ONLY) != expected)
        return expected ? "the journal says that it may only read"
                        : "the journal does not say that it may only read";
    if (latency_read(&ignored, column(stmt, LATENCY)))
        return "its latencies cannot be read";
    return check_end(stmt);
}

int fsck_sessions(struct fsck *f, struct error *e)
{
    static const struct ref none = {KIND_RAW, NULL};
    sqlite3_stmt *stmt = db_prepare(f->db, sessions, e);
    int more = stmt ? db_step(f->db, stmt, e) : -1;
    for (; more > 0; more = db_step(f->db, stmt, e)) {
        int64_t id = sqlite3_column_int64(stmt, ID);
        const char *why = check_session(stmt);
        if (sqlite3_column_type(stmt, BEGAN) == SQLITE_NULL)
            fsck_report(f, FSCK_SESSION, 0, none, NULL,
                        "session %lld was put in: the log of calls did not see it begin",
                        (long long)id);
        else if (why)
            fsck_report(f, FSCK_SESSION, 0, none, NULL, "session %lld was altered: %s",
                        (long long)id, why);
    }
    return more;
}
