#include "store/journal/journal.h"

#include "model/base/array.h"
#include "model/json/json.h"
#include "store/journal/canonical.h"
#include "store/db/column.h"
#include "store/db/reader.h"

/* A member of the patch column: the fields as they stand, the reason as text. */
static const char *patch_member(struct arena *a, const char *patch, const char *name)
{
    struct error ignored;
    size_t len = patch ? strlen(patch) : 0;
    if (!len || patch[0] != '{' || json_check(patch, len, JSON_DEPTH_LIMIT, &ignored))
        return NULL;
    struct json_slice value = json_member(patch, len, name);
    if (!value.ptr)
        return NULL;
    if (value.ptr[0] != '"')
        return arena_strndup(a, value.ptr, value.len);
    char *text = arena_alloc(a, value.len);
    if (text)
        text[json_unescape(text, value.ptr + 1, value.len - 2)] = '\0';
    return text;
}

const struct session_decision session_decisions[] = {
    [SESSION_ENDS] = {"end-session", "ended", "", ""},
    [SESSION_READS_ONLY] = {"read-only-session", "made", " read-only", "Let it write again"},
    [SESSION_WRITES] = {"read-write-session", "let", " write again", "Make it read-only again"},
};

const struct session_decision *session_decision(const char *operation)
{
    for (size_t i = 0; operation && i < sizeof(session_decisions) / sizeof(session_decisions[0]);
         i++)
        if (strcmp(session_decisions[i].operation, operation) == 0)
            return &session_decisions[i];
    return NULL;
}

/* The column holds either: one of a decision is the one that it is about (session_decide). */
static void read_session(struct event *out, sqlite3_stmt *stmt)
{
    int64_t session = sqlite3_column_int64(stmt, 2);
    *(session_decision(out->operation) ? &out->about : &out->session) = session;
}

static void read_event(struct arena *a, sqlite3_stmt *stmt, struct event *out)
{
    struct canonical c;
    const char *canonical = column_utf8(a, stmt, 6);
    const char *patch = column_utf8(a, stmt, 7);
    *out = (struct event){
        .seq = sqlite3_column_int64(stmt, 0),
        .at = sqlite3_column_int64(stmt, 1),
        .subject = sqlite3_column_int64(stmt, 3),
        .actor = column_utf8(a, stmt, 4),
        .operation = column_utf8(a, stmt, 5),
        .correlation = column_utf8(a, stmt, 8),
        .patch = patch_member(a, patch, "fields"),
        .reason = patch_member(a, patch, "reason"),
    };
    read_session(out, stmt);
    /* An altered event is shown as far as it goes; fsck says what is wrong with it. */
    if (canonical && canonical_read(&c, a, canonical, strlen(canonical)) == 0) {
        out->agent = c.agent;
        out->origin = c.origin;
        out->class_name = c.class_name;
        out->before = c.before;
        out->after = c.after;
        out->undoes = c.undoes;
        if (!c.ref || ref_parse(c.ref, &out->ref) != REF_MEMORY)
            out->ref.id = NULL;
    }
}

/* The rows of a statement that is bound and stepped once, which gave `more`. */
static int read_events(struct db *db, struct arena *a, sqlite3_stmt *stmt, int more,
                       struct event **out, size_t *count, struct error *e)
{
    struct event *events = NULL;
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    for (; more > 0; more = db_step(db, stmt, e))
        read_event(a, stmt, ARRAY_ADD(events, *count, alloc));
    if (more == 0 && *count)
        *out = arena_memdup(a, events, *count * sizeof(*events));
    if (stmt)
        sqlite3_reset(stmt);
    free(events);
    return more;
}

#define EVENT_COLUMNS                                                                              \
    "SELECT seq, at, session, subject, actor, operation, canonical, patch, correlation FROM "      \
    "event "

int journal_read(struct reader *r, struct arena *arena, int64_t after, size_t limit,
                 struct event **out, size_t *count, struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db, EVENT_COLUMNS "WHERE seq > ? ORDER BY seq LIMIT ?", e);
    int more =
        stmt ? db_bind(db, stmt, e, "ii", after, limit > INT64_MAX ? INT64_MAX : (int64_t)limit)
             : -1;
    return read_events(db, arena, stmt, more, out, count, e);
}

int journal_of(struct reader *r, struct arena *arena, int64_t node, struct event **out,
               size_t *count, struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db, EVENT_COLUMNS "WHERE subject = ? ORDER BY seq", e);
    int more = stmt ? db_bind(db, stmt, e, "i", node) : -1;
    return read_events(db, arena, stmt, more, out, count, e);
}

int journal_of_before(struct reader *r, struct arena *arena, int64_t node, int64_t before,
                      size_t limit, struct event **out, size_t *count, struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt =
        db_prepare(db, EVENT_COLUMNS "WHERE subject = ? AND seq < ? ORDER BY seq DESC LIMIT ?", e);
    int more = stmt ? db_bind(db, stmt, e, "iii", node, before, (int64_t)limit) : -1;
    return read_events(db, arena, stmt, more, out, count, e);
}

int journal_changed(struct reader *r, int64_t after, int (*each)(void *arg, int64_t node),
                    void *arg, struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db, "SELECT subject FROM event WHERE seq > ? ORDER BY seq", e);
    int more = stmt ? db_bind(db, stmt, e, "i", after) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        int64_t node = sqlite3_column_int64(stmt, 0);
        if (node > 0 && each(arg, node)) {
            sqlite3_reset(stmt);
            return 0;
        }
    }
    return more;
}

int64_t journal_count_of(struct reader *r, int64_t node, int64_t after, int64_t most,
                         struct error *e)
{
    int64_t count;
    if (db_int(reader_db(r), &count, 0, e,
               "SELECT count(*) FROM (SELECT 1 FROM event WHERE subject = ? AND seq > ? LIMIT ?)",
               "iii", node, after, most))
        return -1;
    return count;
}

int journal_knew(struct reader *r, int64_t node, int64_t seq, struct error *e)
{
    int64_t knew;
    if (db_int(reader_db(r), &knew, 0, e,
               "SELECT EXISTS (SELECT 1 FROM event WHERE subject = ? AND seq <= ?)", "ii", node,
               seq))
        return -1;
    return knew != 0;
}

int journal_actors(struct reader *r, struct arena *arena, int64_t *after, int64_t most,
                   const char ***out, size_t *count, struct error *e)
{
    struct db *db = reader_db(r);
    int64_t last = journal_last(r, e), end = last - *after > most ? *after + most : last;
    sqlite3_stmt *stmt =
        last < 0 ? NULL
                 : db_prepare(db, "SELECT DISTINCT actor FROM event WHERE seq > ? AND seq <= ?", e);
    int more = stmt ? db_bind(db, stmt, e, "ii", *after, end) : -1;
    if (column_texts(db, arena, stmt, more, out, count, e))
        return -1;
    *after = end > *after ? end : *after;
    return end < last;
}

/* ---- some of them ---- */

/* Every statement has the same parameters; the index that helps is offered by a plain comparison. */
#define SOME                                                                                       \
    "WHERE seq > ?1 AND seq <= ?11 AND at BETWEEN ?2 AND ?3 AND (?4 IS NULL OR actor = ?4)"        \
    " AND (?5 IS NULL OR operation = ?5) AND (?6 IS NULL OR session = ?6)"                         \
    " AND (?7 < 0 OR (SELECT kind FROM memory m WHERE m.id = subject) = ?7)"
#define OF_SUBJECT     " AND subject = ?8 AND (?9 IS NULL OR correlation = ?9)"
#define OF_CORRELATION " AND correlation = ?9 AND ?8 IS NULL"
#define OF_ANY         " AND ?8 IS NULL AND ?9 IS NULL"
#define OLDEST_FIRST   " ORDER BY seq LIMIT ?10"
#define NEWEST_FIRST   " ORDER BY seq DESC LIMIT ?10"
#define BEFORE_NEWEST  " ORDER BY seq DESC LIMIT 1 OFFSET ?10"

static int select_events(struct db *db, const struct event_filter *f, const char *const sql[3],
                         int64_t after, size_t limit, sqlite3_stmt **stmt, struct error *e)
{
    *stmt = db_prepare(db, sql[f->subject ? 0 : f->correlation ? 1 : 2], e);
    if (!*stmt)
        return -1;
    return db_bind(db, *stmt, e, "iiissrirsii", after, f->since, f->until, f->actor, f->operation,
                   f->session, (int64_t)f->kind, f->subject, f->correlation,
                   limit > INT64_MAX ? INT64_MAX : (int64_t)limit, f->last);
}

int journal_select(struct reader *r, struct arena *arena, const struct event_filter *filter,
                   int64_t after, size_t limit, struct event **out, size_t *count, struct error *e)
{
    static const char *const sql[] = {EVENT_COLUMNS SOME OF_SUBJECT OLDEST_FIRST,
                                      EVENT_COLUMNS SOME OF_CORRELATION OLDEST_FIRST,
                                      EVENT_COLUMNS SOME OF_ANY OLDEST_FIRST};
    sqlite3_stmt *stmt;
    int more = select_events(reader_db(r), filter, sql, after, limit, &stmt, e);
    return read_events(reader_db(r), arena, stmt, more, out, count, e);
}

int journal_select_newest(struct reader *r, struct arena *arena, const struct event_filter *filter,
                          int64_t after, size_t limit, struct event **out, size_t *count,
                          struct error *e)
{
    static const char *const sql[] = {EVENT_COLUMNS SOME OF_SUBJECT NEWEST_FIRST,
                                      EVENT_COLUMNS SOME OF_CORRELATION NEWEST_FIRST,
                                      EVENT_COLUMNS SOME OF_ANY NEWEST_FIRST};
    sqlite3_stmt *stmt;
    int more = select_events(reader_db(r), filter, sql, after, limit, &stmt, e);
    return read_events(reader_db(r), arena, stmt, more, out, count, e);
}

int64_t journal_together(struct reader *r, const char *correlation, struct error *e)
{
    int64_t count;
    if (db_int(reader_db(r), &count, 0, e, "SELECT count(*) FROM event WHERE correlation = ?", "s",
               correlation))
        return -1;
    return count;
}

int64_t journal_before_newest(struct reader *r, const struct event_filter *filter, size_t limit,
                              struct error *e)
{
    static const char *const sql[] = {"SELECT seq FROM event " SOME OF_SUBJECT BEFORE_NEWEST,
                                      "SELECT seq FROM event " SOME OF_CORRELATION BEFORE_NEWEST,
                                      "SELECT seq FROM event " SOME OF_ANY BEFORE_NEWEST};
    sqlite3_stmt *stmt;
    int found = select_events(reader_db(r), filter, sql, 0, limit, &stmt, e);
    int64_t seq = found > 0 ? sqlite3_column_int64(stmt, 0) : found;
    if (stmt)
        sqlite3_reset(stmt);
    return seq;
}

int64_t journal_last(struct reader *r, struct error *e)
{
    int64_t seq;
    if (db_int(reader_db(r), &seq, 0, e, "SELECT max(seq) FROM event", ""))
        return -1;
    return seq;
}
