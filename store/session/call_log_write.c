/* A flush, in the writer's thread. */
#include "store/session/session_state.h"

#include "store/journal/call_chain.h"
#include "store/session/session_held.h"
#include "store/db/store_state.h"
#include "store/txn/txn.h"

/* What there was no room for is told by how many calls there were, at the time of the flush. */
static int write_unlogged(struct txn *t, struct session *s, size_t count, struct error *e)
{
    struct call_times times;
    int result = 0;
    while (count && result == 0) {
        call_times_init(&times);
        size_t some = count < CALL_TIMES_MAX ? count : CALL_TIMES_MAX;
        call_times_add_many(&times, t->now, ERROR_NONE, some);
        call_times_close(&times);
        struct call_entry entry = {.session = s->row,
                                   .at = t->now,
                                   .tool = CALL_UNLOGGED,
                                   .count = some,
                                   .times = times.text.buf};
        result = times.text.failed ? error_set(e, ERROR_MEMORY, "", "memory ran out")
                                   : call_append(t, &entry, e);
        call_times_release(&times);
        count -= some;
    }
    return result;
}

/* ---- sessions ---- */

#define PASSED "ended_by IS NULL OR (NOT " SESSION_BY_PERSON " AND ?8)"
/* What a person decided stands; that somebody took a session for gone does not, for it is here, and nor does the
 * end that it came back from. */
static int write_snapshot(struct txn *t, const struct snapshot *s, struct error *e)
{
    struct strbuf latency = STRBUF_INIT;
    if (session_find_row(t, s->session, e))
        return -1;
    latency_write(&latency, &s->latency);
    int result = db_run(t->db, e,
                        "UPDATE session SET seen_at = ?2, calls = ?3, errors = ?4, latency = ?5,"
                        " ended_at = iif(" PASSED ", ?6, ended_at),"
                        " ended_by = iif(" PASSED ", ?7, ended_by)"
                        " WHERE id = ?1",
                        "iiiisrsi", s->session->row, s->seen_at, s->calls, s->errors, latency.buf,
                        s->ended_at, s->ended_by, (int64_t)atomic_load(&s->session->returned));
    strbuf_release(&latency);
    if (result == 0 && s->unlogged)
        result = write_unlogged(t, s->session, s->unlogged, e);
    return result;
}

/* The rows of sessions whose process is gone, in `lost`. */
static int find_lost(struct txn *t, struct strbuf *lost, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(t->db, "SELECT id, uuid, process FROM session WHERE ended_at IS NULL", e);
    int more = stmt ? db_step(t->db, stmt, e) : -1;
    for (; more > 0; more = db_step(t->db, stmt, e)) {
        int64_t id = sqlite3_column_int64(stmt, 0);
        const char *uuid = (const char *)sqlite3_column_text(stmt, 1);
        if (uuid && !session_is_served(t->store, uuid, sqlite3_column_int64(stmt, 2)))
            strbuf_add(lost, &id, sizeof(id));
    }
    return more;
}

/* Ends the sessions that a process left behind when it was killed; nobody said that they ended. */
static int end_lost(struct txn *t, struct error *e)
{
    struct strbuf lost = STRBUF_INIT;
    int result = find_lost(t, &lost, e);
    for (size_t i = 0; result == 0 && i < lost.len; i += sizeof(int64_t)) {
        int64_t id;
        memcpy(&id, lost.buf + i, sizeof(id));
        result = db_run(t->db, e, "UPDATE session SET ended_at = seen_at WHERE id = ?", "i", id);
    }
    strbuf_release(&lost);
    return result;
}

/* ---- calls ---- */

/* So many refs may be read before their pages are given back, each of which holds one of them: writes need none. */
#define REFS_READ 128

static int write_gathered(struct txn *t, const struct gathered *g, struct error *e)
{
    if (session_find_row(t, g->session, e))
        return -1;
    const struct call_times *times = &g->times;
    if (times->text.failed)
        return write_unlogged(t, g->session, times->count, e);
    struct call_entry entry = {.session = g->session->row,
                               .at = times->first,
                               .tool = g->tool,
                               .subject = g->subject,
                               .count = times->count,
                               .times = times->text.buf,
                               .guard = g->guard};
    return call_append(t, &entry, e);
}

int call_log_write(struct txn *t, void *arg, struct error *e)
{
    const struct flight *f = arg;
    if (f->first && end_lost(t, e))
        return -1;
    for (size_t i = 0; i < f->snapshot_count; i++)
        if (write_snapshot(t, &f->snapshots[i], e))
            return -1;
    for (size_t i = 0; f->gather && i < f->gather->count; i++)
        if (write_gathered(t, &f->gather->calls[i], e))
            return -1;
        else if (i % REFS_READ == REFS_READ - 1)
            sqlite3_db_release_memory(db_handle(t->db));
    return 0;
}
