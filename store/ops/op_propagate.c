/*
 * Propagate a confidence: what rests on a memory is lowered to what it can bear (propagate.h). Each that is
 * lowered has an entry in its history that says from where.
 */
#include "model/base/alloc.h"
#include "store/ops/operation.h"

#include <stdlib.h>
#include "model/graph/propagate.h"
#include "model/base/strbuf.h"
#include "store/db/reader.h"
#include "store/lineage/tracing.h"

/* ---- what is believed now ---- */

static int read_few(struct reader *r, const struct graph *g, double *own, struct error *e)
{
    struct db *db = reader_db(r);
    for (uint32_t node = 0; node < g->nodes; node++) {
        sqlite3_stmt *stmt = db_prepare(db, "SELECT confidence FROM memory WHERE id = ?", e);
        int found = db_bind(db, stmt, e, "i", graph_row(g, node));
        if (found < 0 || (READER_TELLS(node) == 0 && reader_check(r, e)))
            return -1;
        if (found)
            own[node] = db_double(stmt, 0);
        sqlite3_reset(stmt);
    }
    return 0;
}

/* Of the whole store: from the index that lists are ordered by, which holds just that. */
static int read_all(struct reader *r, const struct graph *g, double *own, struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db,
                                    "SELECT id, confidence FROM memory INDEXED BY memory_confidence"
                                    " WHERE status < 7",
                                    e);
    int more = db_step(db, stmt, e);
    for (; more > 0; more = db_step(db, stmt, e)) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        if (row >= 1 && row <= g->nodes)
            own[row - 1] = db_double(stmt, 1);
    }
    sqlite3_reset(stmt);
    return more;
}

/* A stub has no confidence, and nothing that rests on it holds. */
static double *read_confidences(struct reader *r, const struct graph *g, struct error *e)
{
    double *own = xcalloc((size_t)g->nodes + 1, sizeof(*own));
    if (g->row ? read_few(r, g, own, e) : read_all(r, g, own, e)) {
        free(own);
        return NULL;
    }
    return own;
}

/* ---- what becomes of them ---- */

struct spreading {
    struct plan *plan;
    const struct request *request;
    const struct graph *g;
    uint32_t root;
    struct ref from;
    struct strbuf reason;
};

static int name_node(struct spreading *s, uint32_t node, struct ref *out, struct error *e)
{
    struct memory_row row;
    if (memory_row_read(s->plan->reader, s->plan->arena, graph_row(s->g, node), &row, e))
        return -1;
    *out = row.ref;
    return 0;
}

/* "propagated from raw:a: note:b bears no more", and what was said by whoever asked for it. */
static int write_reason(struct spreading *s, const struct propagated *one, struct error *e)
{
    struct ref bearer;
    strbuf_clear(&s->reason);
    strbuf_addstr(&s->reason, "propagated from ");
    ref_add(&s->reason, s->from);
    if (one->bearer != s->root) {
        if (name_node(s, one->bearer, &bearer, e))
            return -1;
        strbuf_addstr(&s->reason, ": ");
        ref_add(&s->reason, bearer);
        strbuf_addstr(&s->reason, " bears no more");
    }
    if (s->request->reason && *s->request->reason)
        strbuf_addf(&s->reason, "; %s", s->request->reason);
    return 0;
}

static int lower(struct spreading *s, const struct propagated *one, struct error *e)
{
    if (write_reason(s, one, e))
        return -1;
    struct memory *m =
        plan_change(s->plan, graph_row(s->g, one->node), "propagate", s->reason.buf, e);
    return m ? plan_confidence(s->plan, m, one->confidence, s->reason.buf, NULL, e) : -1;
}

static int leave(struct spreading *s, const struct unmoved_node *one, struct error *e)
{
    struct ref ref;
    if (name_node(s, one->node, &ref, e))
        return -1;
    const char *why = one->why == UNMOVED_CIRCLE   ? "is on a circle of support"
                      : one->why == UNMOVED_UNHELD ? "has no justification that holds"
                                                   : NULL;
    if (why) {
        plan_leave(s->plan, "%s:%s %s", kind_name(ref.kind), ref.id, why);
        return 0;
    }
    plan_leave(s->plan, "%s:%s is %s", kind_name(ref.kind), ref.id,
               status_name((enum status)s->g->status[one->node]));
    return 0;
}

static int take(struct spreading *s, const struct propagation *p, struct error *e)
{
    for (size_t i = 0; i < p->lowered_count; i++)
        if (lower(s, &p->lowered[i], e))
            return -1;
    for (size_t i = 0; i < p->left_count; i++)
        if (leave(s, &p->left[i], e))
            return -1;
    return 0;
}

/* In the graph of what it carries, which is labelled. */
static int propagate(struct plan *p, const struct request *q, const struct trace *t,
                     struct error *e)
{
    struct spreading s = {
        .plan = p, .request = q, .g = &t->graph, .root = t->root, .reason = STRBUF_INIT};
    struct propagation outcome = {.lowered = NULL};
    double *own = read_confidences(p->reader, &t->graph, e);
    int result = own ? name_node(&s, t->root, &s.from, e) : -1;
    if (result == 0)
        propagate_confidence(&outcome, &t->graph, &t->labels, t->root, own);
    if (result == 0)
        result = take(&s, &outcome, e);
    propagation_release(&outcome);
    free(own);
    strbuf_release(&s.reason);
    return result;
}

int op_propagate(struct plan *p, const struct request *q, struct error *e)
{
    struct trace t;
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows)
        return -1;
    if (count > 1)
        return error_set(e, ERROR_INVALID, "Propagate from one at a time.",
                         "%zu memories are named", count);
    if (!plan_read(p, rows[0], e))
        return -1;
    int result = trace_load(&t, p->reader, rows[0], DESCENDANTS, DEPTH_UNLIMITED, e);
    if (result == 0)
        result = propagate(p, q, &t, e);
    trace_release(&t);
    return result;
}
