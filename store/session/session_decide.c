/* What a person decides about a session: its row and an event, in one transaction. */
#include "store/session/session_state.h"

#include <string.h>
#include "store/journal/journal_write.h"
#include "store/session/session_held.h"

struct decide {
    const struct actor *actor;
    int64_t session;
    enum session_verdict verdict;
};

static int record(struct txn *t, const struct decide *d, struct error *e)
{
    struct actor actor = *d->actor;
    actor.session = d->session; /* the one that it is about: a person has none */
    struct change change = {.operation = session_decisions[d->verdict].operation};
    /* Whoever looked the session up in this transaction looks again. */
    t->moment++;
    return journal_append(t, &actor, &change, e);
}

/* `away`: it may come again, and a person may let it write before that. */
static int carry_out(struct txn *t, const struct decide *d, bool ended, bool away, bool read_only,
                     struct error *e)
{
    if (ended && !(away && d->verdict == SESSION_WRITES))
        return error_set(e, ERROR_CONFLICT, "", "session %lld has ended already",
                         (long long)d->session);
    if (d->verdict == SESSION_ENDS)
        return db_run(t->db, e, "UPDATE session SET ended_at = ?, ended_by = ? WHERE id = ?", "isi",
                      t->now, d->actor->name, d->session) ||
                       record(t, d, e)
                   ? -1
                   : 0;
    bool wanted = d->verdict == SESSION_READS_ONLY;
    if (wanted == read_only)
        return 0; /* it is so already: nothing happened */
    return db_run(t->db, e, "UPDATE session SET read_only = ? WHERE id = ?", "ii", (int64_t)wanted,
                  d->session) ||
                   record(t, d, e)
               ? -1
               : 0;
}

/* One whose process was killed has ended, though nobody wrote it down yet. */
static bool is_served(struct txn *t, sqlite3_stmt *stmt, int column)
{
    const char *uuid = (const char *)sqlite3_column_text(stmt, column);
    return uuid && session_is_served(txn_store(t), uuid, sqlite3_column_int64(stmt, column + 2));
}

static int run_decision(struct txn *t, void *arg, struct error *e)
{
    const struct decide *d = arg;
    sqlite3_stmt *stmt =
        db_prepare(t->db,
                   "SELECT ended_by IS NOT NULL, read_only, uuid, " SESSION_AWAY ", process"
                   " FROM session WHERE id = ?",
                   e);
    int found = stmt ? db_bind(t->db, stmt, e, "i", d->session) : -1;
    if (found < 0)
        return -1;
    bool ended = found && (sqlite3_column_int(stmt, 0) || !is_served(t, stmt, 2));
    bool read_only = found && sqlite3_column_int(stmt, 1);
    bool away = found && sqlite3_column_int(stmt, 3);
    sqlite3_reset(stmt);
    if (!found)
        return error_set(e, ERROR_NOT_FOUND, "stemma sessions --all lists them.",
                         "there is no session %lld", (long long)d->session);
    return carry_out(t, d, ended, away, read_only, e);
}

int session_decide(struct txn *t, const struct actor *actor, int64_t session,
                   enum session_verdict verdict, struct error *e)
{
    struct decide d = {actor, session, verdict};
    return run_decision(t, &d, e);
}

int store_session_end(struct store *s, const struct actor *actor, int64_t session, struct error *e)
{
    struct decide d = {actor, session, SESSION_ENDS};
    return store_run(s, run_decision, &d, e);
}

int store_session_read_only(struct store *s, const struct actor *actor, int64_t session,
                            bool read_only, struct error *e)
{
    struct decide d = {actor, session, read_only ? SESSION_READS_ONLY : SESSION_WRITES};
    return store_run(s, run_decision, &d, e);
}
