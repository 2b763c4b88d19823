#include "policy.h"

#include "history.h"
#include "reader.h"

static const char todo[] = "Ask the person; they change it, or take that back, in the explorer.";

static int refuse(const struct memory *m, const char *what, struct error *e)
{
    return error_set(e, ERROR_REFUSED, todo, "%s:%s %s", kind_name(m->ref.kind), m->ref.id, what);
}

static bool is_marked(const struct memory *m, const char *mark)
{
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, mark) == 0)
            return true;
    return false;
}

/* Did a person do that to it, and has nobody taken it back? *seq: the last time; 0: no. */
static int done_by_person(struct reader *r, int64_t node, const char *operation, int64_t *seq,
                          struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db,
                                    "SELECT seq FROM event WHERE subject = ? AND operation = ?"
                                    " AND person ORDER BY seq DESC",
                                    e);
    *seq = 0;
    int more = stmt ? db_bind(db, stmt, e, "is", node, operation) : -1;
    for (; more > 0 && *seq == 0; more = db_step(db, stmt, e)) {
        int64_t one = sqlite3_column_int64(stmt, 0);
        int64_t undone = history_undone_by(r, one, e);
        if (undone < 0) {
            more = -1;
            break;
        }
        if (undone == 0)
            *seq = one;
    }
    if (stmt)
        sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

int policy_may_change(struct reader *r, const struct actor *actor, const struct memory *m,
                      struct error *e)
{
    int64_t seq = 0;
    if (actor->class == ACTOR_PERSON || m->node == 0)
        return 0;
    if (m->is_protected)
        return refuse(m, "is protected", e);
    if (done_by_person(r, m->node, "verify", &seq, e))
        return -1;
    if (seq)
        return refuse(m, "was verified by a person", e);
    if (m->status == STATUS_RETRACTED) {
        if (done_by_person(r, m->node, "retract", &seq, e))
            return -1;
        if (seq)
            return refuse(m, "was retracted by a person", e);
    }
    if (is_marked(m, "quarantined")) {
        if (done_by_person(r, m->node, "mark", &seq, e))
            return -1;
        if (seq)
            return refuse(m, "was quarantined by a person", e);
    }
    return 0;
}
