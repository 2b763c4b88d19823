/*
 * The log of calls, as the journal is checked: its rows are numbered from 1 without a gap, each hash
 * covers the one before, and the head file knows where it ended. A tail that was cut since the head was
 * written last does not show; whoever rewrites all of the chain and the head is found by signatures alone.
 */
#include "store/journal/call_chain.h"
#include "store/journal/call_times.h"
#include "store/journal/canonical.h"
#include "store/fsck/fsck_link.h"
#include "store/db/same.h"

/* A row as it is looked at. Texts belong to the statement. */
struct call_link {
    sqlite3_stmt *stmt;
    int64_t id;
    const char *text; /* canonical */
    size_t len;
    struct canonical_call c;
    bool readable; /* `c` is filled */
    struct link_hash hash;
};

enum column {
    ID,
    SESSION,
    AT,
    TOOL,
    COUNT,
    SUBJECT,
    TIMES,
    CANONICAL,
    HASH,
    HMAC,
    GUARD
};

static void read_link(struct fsck *f, sqlite3_stmt *stmt, struct call_link *l)
{
    arena_clear(&f->arena);
    l->stmt = stmt;
    l->id = sqlite3_column_int64(stmt, ID);
    l->text = (const char *)sqlite3_column_text(stmt, CANONICAL);
    l->len = (size_t)sqlite3_column_bytes(stmt, CANONICAL);
    l->readable = canonical_call_read(&l->c, &f->arena, l->text, l->len) == 0;
    fsck_take_hash(&l->hash, stmt, HASH);
}

/* Is the column's digest the one that the text has? */
static bool is_covered(const struct call_link *l, enum column column, const char *digest)
{
    struct digest d;
    char hex[2 * DIGEST_SIZE + 1];
    const char *text = (const char *)sqlite3_column_text(l->stmt, column);
    digest_bytes(&d, text ? text : "", (size_t)sqlite3_column_bytes(l->stmt, column));
    digest_hex(hex, &d);
    return same_text(hex, digest);
}

/* What it says of namespace, trace and what was masked: rows that say nothing have no such column. */
static const char *check_guard(struct fsck *f, const struct call_link *l)
{
    struct call_guard g;
    const char *text = (const char *)sqlite3_column_text(l->stmt, GUARD);
    if (!text && !l->c.guard && sqlite3_column_type(l->stmt, GUARD) == SQLITE_NULL)
        return NULL;
    if (!text || !l->c.guard || !is_covered(l, GUARD, l->c.guard))
        return "what its namespace and masking were was altered";
    if (canonical_guard_read(&g, &f->arena, text, (size_t)sqlite3_column_bytes(l->stmt, GUARD)))
        return "what its namespace and masking were cannot be read";
    return NULL;
}

/* The times against the digest in the text, and what they say against the columns. */
static const char *check_times(struct fsck *f, const struct call_link *l)
{
    int64_t *at;
    enum error_code *outcome;
    size_t count;
    const char *times = (const char *)sqlite3_column_text(l->stmt, TIMES);
    if (!is_covered(l, TIMES, l->c.times))
        return "its times were altered";
    if (call_times_read(times, &f->arena, &at, &outcome, &count) || (int64_t)count != l->c.count)
        return "its times cannot be read";
    return NULL;
}

static int64_t row_of(struct fsck *f, const char *text, struct error *e)
{
    struct ref ref;
    int64_t row = 0;
    if (!text || ref_parse(text, &ref) != REF_MEMORY)
        return 0;
    return db_int(f->db, &row, 0, e, "SELECT id FROM memory WHERE kind = ? AND name = ?", "is",
                  (int64_t)ref.kind, ref.id)
               ? -1
               : row;
}

/* The columns that repeat the text. */
static int check_columns(struct fsck *f, const struct call_link *l, const char **why,
                         struct error *e)
{
    const struct canonical_call *c = &l->c;
    *why = "its text cannot be read";
    if (!l->readable)
        return 0;
    *why = "a column does not say what its text says";
    if (!fsck_row_is(l->stmt, "iiisi", c->id, c->session, c->at, c->tool, c->count))
        return 0;
    int64_t subject = row_of(f, c->ref, e);
    if (subject < 0)
        return -1;
    *why = "its subject is not what its text says";
    if (!c->ref != (sqlite3_column_type(l->stmt, SUBJECT) == SQLITE_NULL) ||
        (subject && subject != sqlite3_column_int64(l->stmt, SUBJECT)))
        return 0;
    *why = check_times(f, l);
    if (!*why)
        *why = check_guard(f, l);
    return 0;
}

static void check_order(struct fsck *f, const struct chain_walk *w, const struct call_link *l)
{
    static const struct ref none = {KIND_RAW, NULL};
    if (l->id < 1)
        fsck_report(f, FSCK_CALLS_BROKEN, l->id, none,
                    "Compare it with a backup: it records nothing that was asked here.",
                    "row %lld of the log of calls stands before the first: it was put in",
                    (long long)l->id);
    else if (l->id == w->number + 2)
        fsck_report(f, FSCK_CALLS_BROKEN, w->number + 1, none, NULL,
                    "row %lld of the log of calls is missing", (long long)w->number + 1);
    else
        fsck_report(f, FSCK_CALLS_BROKEN, w->number + 1, none, NULL,
                    "rows %lld to %lld of the log of calls are missing", (long long)w->number + 1,
                    (long long)l->id - 1);
}

static void check_head(struct fsck *f, const struct head *head, const struct call_link *l)
{
    if (head && l->id == head->calls.count &&
        !fsck_same_digest(&head->calls.hash, &l->hash.stored) &&
        !fsck_same_digest(&head->calls.hash, &l->hash.computed))
        fsck_report(f, FSCK_CALLS_CUT, l->id, (struct ref){KIND_RAW, NULL},
                    "Compare what follows with a backup.",
                    "the head file has another hash for row %lld of the log of calls: the log was "
                    "cut and written anew",
                    (long long)l->id);
}

static bool is_about(const char *tool)
{
    return strcmp(tool, CALL_SESSION) == 0 || strcmp(tool, CALL_NAMED) == 0;
}

/* Did the client of that session call itself something else since? */
static int is_named_later(struct fsck *f, const struct call_link *l, int64_t *later,
                          struct error *e)
{
    return db_int(f->db, later, 0, e,
                  "SELECT 1 FROM call WHERE id > ? AND session = ? AND tool = '" CALL_NAMED
                  "' LIMIT 1",
                  "ii", l->id, l->c.session);
}

/* A session began, or was named anew: its row must be there, and what the last of these says of it the same. */
static int check_about(struct fsck *f, const struct call_link *l, struct error *e)
{
    char hex[2 * DIGEST_SIZE + 1];
    int64_t later = 0;
    static const struct ref none = {KIND_RAW, NULL};
    if (!l->readable || !is_about(l->c.tool) || l->c.session < 1)
        return 0;
    int found = call_about(f->db, l->c.session, hex, e);
    bool same = found > 0 && same_text(hex, l->c.about);
    if (found < 0 || (found && !same && is_named_later(f, l, &later, e)))
        return -1;
    if (!found)
        fsck_report(f, FSCK_SESSION, l->id, none, "Restore it from a backup.",
                    "session %lld is gone, and row %lld of the log of calls saw it begin",
                    (long long)l->c.session, (long long)l->id);
    else if (!same && !later)
        fsck_report(f, FSCK_SESSION, l->id, none, NULL,
                    "session %lld was altered: it is not what it was when it %s",
                    (long long)l->c.session,
                    strcmp(l->c.tool, CALL_NAMED) == 0 ? "was named last" : "began");
    return 0;
}

static int check_call(struct fsck *f, struct chain_walk *w, struct call_link *l,
                      const struct head *head, struct error *e)
{
    int64_t ignored = 0;
    const char *hash = NULL, *why = NULL;
    static const struct ref none = {KIND_RAW, NULL};
    if (l->id == w->number + 1) {
        hash = fsck_check_hash(w, &l->hash, l->text, l->len);
    } else {
        check_order(f, w, l);
        l->hash.computed = l->hash.stored; /* nothing to follow */
    }
    if (hash && !w->sound && l->hash.has_hash && l->id > 1) {
        fsck_report(f, FSCK_CALLS_BROKEN, l->id, none, "Compare both with a backup.",
                    "row %lld of the log of calls does not follow row %lld", (long long)l->id,
                    (long long)w->number);
        hash = NULL;
    }
    if (!hash && check_columns(f, l, &why, e))
        return -1;
    const char *unsigned_why = fsck_check_hmac(f, w, &l->hash, l->stmt, HMAC, &ignored);
    why = hash ? hash : why ? why : unsigned_why;
    if (why)
        fsck_report(f, FSCK_CALL_ALTERED, l->id, none, NULL,
                    "row %lld of the log of calls was altered: %s", (long long)l->id, why);
    check_head(f, head, l);
    return why ? 0 : check_about(f, l, e);
}

int fsck_calls(struct fsck *f, const struct head *head, struct error *e)
{
    struct chain_walk w = CHAIN_WALK_INIT;
    struct call_link l = {0};
    sqlite3_stmt *stmt = db_prepare(f->db,
                                    "SELECT id, session, at, tool, count, subject, times,"
                                    " canonical, hash, hmac, guard FROM call ORDER BY id",
                                    e);
    int more = stmt ? db_step(f->db, stmt, e) : -1;
    for (; more > 0; more = db_step(f->db, stmt, e)) {
        read_link(f, stmt, &l);
        if (fsck_step(f, e) || check_call(f, &w, &l, head, e)) {
            sqlite3_reset(stmt);
            return -1;
        }
        fsck_walk_on(&w, &l.hash, l.id);
    }
    if (more == 0 && head && head->calls.count > w.number)
        fsck_report(f, FSCK_CALLS_CUT, w.number + 1, (struct ref){KIND_RAW, NULL}, NULL,
                    "the head file knows of %lld rows of the log of calls and there are %lld: its "
                    "tail was cut",
                    (long long)head->calls.count, (long long)w.number);
    return more;
}
