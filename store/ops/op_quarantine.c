/*
 * Quarantine: takes memories away together with all that is based on them alone, and brings back what
 * they had replaced. Release takes that back. Both leave every text and link as it is.
 */
#include <stdlib.h>
#include "model/base/array.h"
#include "store/db/db.h"
#include "store/ops/operation_internal.h"

/* ---- what a session wrote ---- */

/*
 * Rows that the session added, and a remark for each older memory whose text it changed. The journal
 * has no index by session, so this reads all events: O(events).
 */
static int64_t *rows_of_session(struct plan *p, int64_t session, size_t *count, struct error *e)
{
    static const char sql[] =
        "SELECT v.subject, min(instr(v.canonical, '\"before\":') > 0), max(v.seq) FROM event v"
        " CROSS JOIN memory m ON m.id = v.subject AND m.status <> 7 WHERE v.session = ?"
        " AND (instr(v.canonical, '\"before\":') = 0 OR v.operation IN ('edit', 'put'))"
        " GROUP BY v.subject";
    int64_t known, *rows = NULL;
    size_t alloc = 0;
    *count = 0;
    if (db_int(reader_db(p->reader), &known, 0, e, "SELECT 1 FROM session WHERE id = ?", "i",
               session))
        return NULL;
    if (!known) {
        error_set(e, ERROR_NOT_FOUND, "`stemma sessions --all` lists them.",
                  "there is no session %lld", (long long)session);
        return NULL;
    }
    struct query found = db_query(reader_db(p->reader), e, sql, "i", session);
    while (db_next(&found)) {
        int64_t row = sqlite3_column_int64(found.stmt, 0);
        struct ref ref;
        if (!sqlite3_column_int(found.stmt, 1)) {
            *ARENA_ADD(p->arena, rows, *count, alloc) = row;
        } else if (plan_name(p, row, &ref, e)) {
            db_fail(&found);
            return NULL;
        } else {
            plan_leave(p, "%s:%s is older: the session only changed it, last by event %lld",
                       REF_ARGS(ref), (long long)sqlite3_column_int64(found.stmt, 2));
        }
    }
    return db_end(&found) ? NULL : rows ? rows : arena_array(p->arena, 1, sizeof(*rows));
}

/* ---- quarantine ---- */

static int nearest_first(const void *a, const void *b)
{
    const struct consequence *x = a, *y = b;
    return x->ring != y->ring ? COMPARE(x->ring, y->ring) : COMPARE(x->node, y->node);
}

static int end(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    if (!STATUS_LIVES(now->status))
        return plan_leave(
            p, now->status == STATUS_PENDING ? "%s:%s is %s: retract it" : "%s:%s is %s already",
            REF_ARGS(now->ref), status_word(now->status));
    struct memory *m = plan_change(p, node, "quarantine", q->reason, e);
    if (!m)
        return -1;
    m->status = STATUS_QUARANTINED;
    return 0;
}

/* Brings back a memory that `by` had replaced, unless another living one replaced it as well. */
static int bring_back(struct plan *p, const struct relation *replaced, struct ref by,
                      struct error *e)
{
    int64_t other;
    if (replaced->type != RELATION_SUPERSEDES || replaced->to_status != STATUS_SUPERSEDED)
        return 0;
    const struct memory *now = plan_read(p, replaced->to_node, e);
    if (!now || operation_superseding(p, now->node, &other, e))
        return -1;
    if (now->status != STATUS_SUPERSEDED || other)
        return 0;
    struct memory *m = plan_follow(
        p, now->node, "restore",
        arena_format(p->arena, "replaced by %s:%s, which was quarantined", REF_ARGS(by)), e);
    if (!m)
        return -1;
    m->status = STATUS_ACTIVE;
    return 0;
}

static int bring_all_back(struct plan *p, struct error *e)
{
    size_t ended = p->count;
    for (size_t i = 0; i < ended; i++) {
        const struct memory *m = p->change[i].after;
        for (size_t k = 0; m->status == STATUS_QUARANTINED && k < m->relation_count; k++)
            if (bring_back(p, &m->relations[k], m->ref, e))
                return -1;
    }
    return 0;
}

int op_quarantine(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    if (q->session && (q->ref_count || q->node_count))
        return error_set(e, ERROR_INVALID, "Give one or the other.",
                         "memories and a session are named");
    int64_t *rows =
        q->session ? rows_of_session(p, q->session, &count, e) : operation_rows(p, q, 1, &count, e);
    if (!rows || plan_consequences(p, rows, count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (end(p, rows[i], q, e))
            return -1;
    p->named = p->count;
    p->dependants = DEPENDANTS_QUARANTINE;
    SORT(p->unsupported, p->unsupported_count, nearest_first);
    return failed_if(operation_treat_dependants(p, STATUS_QUARANTINED, rows, count, e) ||
                     bring_all_back(p, e));
}

/* ---- release ---- */

int op_release(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    return now->status == STATUS_QUARANTINED
               ? operation_bring_back(p, node, "release", q, e)
               : plan_leave(p, "%s:%s is not quarantined", REF_ARGS(now->ref));
}
