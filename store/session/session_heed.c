/* What a person decided about sessions, as the process that serves them hears of it. */
#include "store/session/session_state.h"

#include <string.h>
#include "model/base/alloc.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/session/session_held.h"

#define DECISIONS "SELECT max(seq) FROM event WHERE subject IS NULL AND seq > ?"
#define DECIDED   "SELECT " SESSION_DECIDED " FROM session WHERE uuid = ?"

static int heed_one(struct db *db, struct session *s, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(db, DECIDED, e);
    int found = stmt ? db_bind(db, stmt, e, "s", s->uuid) : -1;
    if (found < 0)
        return -1;
    if (found)
        session_decided(s, stmt, 0);
    sqlite3_reset(stmt);
    return 0;
}

int session_heed(struct session *s, struct reader *r, struct error *e)
{
    return call_log_writes(s->log) ? heed_one(reader_db(r), s, e) : 0;
}

/* Decisions are events of no memory, which an index finds: where there is no new one, nothing more is
 * read, however many sessions there are. */
int call_log_heed(struct call_log *l, struct reader *r, struct error *e)
{
    struct db *db = reader_db(r);
    int64_t last;
    if (!call_log_writes(l) || !l->first)
        return 0;
    if (db_int(db, &last, 0, e, DECISIONS, "i", l->heeded))
        return -1;
    if (last <= l->heeded)
        return 0;
    for (struct session *s = l->first; s; s = s->next)
        if (!s->ended_at && heed_one(db, s, e))
            return -1;
    l->heeded = last;
    return 0;
}

/* ---- those that come again ---- */

/* The last of those that somebody decided about of that client. An index finds it, in which nothing else is. */
#define LAST_HELD                                                                                  \
    "SELECT uuid, started_at, seen_at, calls, errors, latency, task, " SESSION_DECIDED             \
    " FROM session INDEXED BY session_decided WHERE client IS ?1 AND agent IS ?2"                  \
    " AND client_version IS ?3 AND era IS ?4 AND transport = ?5 AND ifnull(peer_uid, -1) = ?6"     \
    " AND ifnull(peer_pid, -1) = ?7 AND (" SESSION_HELD ") ORDER BY id DESC LIMIT 1"

enum column {
    UUID,
    STARTED,
    SEEN,
    CALLS,
    ERRORS,
    LATENCY,
    TASK,
    ENDED,
    BY_PERSON
};

/* 1: the row is `stmt`'s, which the caller resets; 0: there is none. */
static int find_held(struct db *db, const struct session *s, sqlite3_stmt **stmt)
{
    struct error ignored;
    *stmt = db_prepare(db, LAST_HELD, &ignored);
    return *stmt && db_bind(db, *stmt, &ignored, "sssssii", s->client, s->agent, s->client_version,
                            s->era, s->transport ? s->transport : "", s->peer_uid, s->peer_pid) > 0;
}

/* An end holds for its time, whatever the clock did since; that it may only read until a person says otherwise. */
static bool still_holds(const struct call_log *l, sqlite3_stmt *stmt)
{
    int64_t ago = store_now(l->store) - sqlite3_column_int64(stmt, ENDED);
    if (sqlite3_column_int(stmt, BY_PERSON))
        return ago > -SESSION_REFUSED_MS && ago < SESSION_REFUSED_MS;
    return true;
}

static struct session *find_here(const struct call_log *l, const char *uuid)
{
    struct session *s = l->first;
    while (s && strcmp(s->uuid, uuid) != 0)
        s = s->next;
    return s;
}

/* What it was goes on. */
static void take_over(struct session *s, sqlite3_stmt *stmt)
{
    snprintf(s->uuid, sizeof(s->uuid), "%s", (const char *)sqlite3_column_text(stmt, UUID));
    s->started_at = sqlite3_column_int64(stmt, STARTED);
    s->seen_at = sqlite3_column_int64(stmt, SEEN);
    s->calls = sqlite3_column_int64(stmt, CALLS);
    s->errors = sqlite3_column_int64(stmt, ERRORS);
    /* What somebody altered goes on as far as it can be read. */
    latency_read(&s->latency, (const char *)sqlite3_column_text(stmt, LATENCY));
    if (!s->task && sqlite3_column_type(stmt, TASK) != SQLITE_NULL)
        s->task = xstrdup((const char *)sqlite3_column_text(stmt, TASK));
}

/*
 * The one that `s` had before, as its row says; NULL: there is none that could go on. Another process may serve it
 * still, which is about to end, or listens at another port: the row is of both then, and the last of them says how
 * many calls there were.
 */
static struct session *go_on(struct session *s, sqlite3_stmt *stmt)
{
    const char *uuid = (const char *)sqlite3_column_text(stmt, UUID);
    struct session *had = uuid ? find_here(s->log, uuid) : NULL;
    if (!uuid || !still_holds(s->log, stmt) || (had && had->ended_at == 0))
        return NULL;
    if (!had) {
        take_over(s, stmt);
        had = s;
    }
    atomic_store(&had->returned, true);
    session_decided(had, stmt, ENDED);
    return had;
}

struct session *session_return(struct call_log *l, struct reader *r,
                               const struct session_start *start)
{
    sqlite3_stmt *stmt = NULL;
    struct session *s = session_new(l, start), *had = NULL;
    if (call_log_writes(l) && find_held(reader_db(r), s, &stmt))
        had = go_on(s, stmt);
    if (stmt)
        sqlite3_reset(stmt);
    if (!had || had == s) {
        session_enlist(s);
        return s;
    }
    session_free(s);
    had->ended_at = 0;
    had->ended_by = NULL;
    session_touch(had);
    return had;
}
