/*
 * What is wrong with the lineage, from the graph in memory where that tells it, and by an index where
 * it does not.
 */
#include "store/lineage/orphans_find.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/lineage/subgraph.h"

static const char *const problem_names[PROBLEM_COUNT] = {
    [PROBLEM_MISSING] = "missing",         [PROBLEM_UNGROUNDED] = "ungrounded",
    [PROBLEM_CIRCULAR] = "circular",       [PROBLEM_UNRECORDED] = "unrecorded",
    [PROBLEM_DISAGREEING] = "disagreeing", [PROBLEM_SUSPECT_TIME] = "suspect-time",
    [PROBLEM_UNEXPLAINED] = "unexplained",
};

const char *problem_name(enum problem problem)
{
    return problem_names[problem];
}

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out while looking for orphans");
}

/* ---- reporting ---- */

/* A statement that is to give the row's columns, stepped once; the caller resets it. */
static sqlite3_stmt *open_row(struct finder *f, const char *sql, int64_t row, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(f->db, sql, e);
    int found = stmt ? db_bind(f->db, stmt, e, "i", row) : -1;
    if (found == 0)
        reader_damaged(e, "a link", row);
    return found > 0 ? stmt : NULL;
}

int finder_give(struct finder *f, enum problem problem, int64_t row, const char *field,
                const char *target, struct error *e)
{
    sqlite3_stmt *stmt =
        open_row(f, "SELECT kind, name, agent FROM memory WHERE id = ? /* orphan */", row, e);
    if (!stmt)
        return -1;
    int64_t agent = sqlite3_column_int64(stmt, 2);
    if (!f->agent || agent == f->agent) {
        struct orphan o = {.node = row,
                           .agent = agent,
                           .problem = problem,
                           .label = (enum label)f->all->labels.label[row - 1],
                           .field = field,
                           .target = target};
        const char *name = (const char *)sqlite3_column_text(stmt, 1);
        o.ref = (struct ref){(enum kind)sqlite3_column_int(stmt, 0), name ? name : ""};
        f->stopped = f->each(f->arg, &o) != 0;
    }
    sqlite3_reset(stmt);
    return 0;
}

/* The same, about another row, which is named by its ref. */
static int give_about(struct finder *f, enum problem problem, int64_t row, const char *field,
                      int64_t about, struct error *e)
{
    struct strbuf target = STRBUF_INIT;
    sqlite3_stmt *stmt =
        open_row(f, "SELECT kind, name FROM memory WHERE id = ? /* target */", about, e);
    if (!stmt)
        return -1;
    const char *name = (const char *)sqlite3_column_text(stmt, 1);
    ref_add(&target, (struct ref){(enum kind)sqlite3_column_int(stmt, 0), name ? name : ""});
    sqlite3_reset(stmt);
    int result =
        target.failed ? out_of_memory(e) : finder_give(f, problem, row, field, target.buf, e);
    strbuf_release(&target);
    return result;
}

static void tell(const struct finder *f, uint32_t node)
{
    if (READER_TELLS(node) == 0)
        reader_progress(f->r, node, f->all->graph.nodes);
}

bool finder_lives(const struct finder *f, int64_t row)
{
    return row >= 1 && row <= f->all->graph.nodes &&
           graph_lives(&f->all->graph, (uint32_t)(row - 1));
}

/* ---- missing ---- */

struct naming {
    int64_t memory, target;
    enum role role;
};

static int by_memory(const void *a, const void *b)
{
    const struct naming *x = a, *y = b;
    if (x->memory != y->memory)
        return x->memory < y->memory ? -1 : 1;
    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    return (x->target > y->target) - (x->target < y->target);
}

struct namings {
    struct naming *naming;
    size_t count, alloc;
};

/* The living memories that name the stub as an antecedent, or that a raw became it. */
static int find_namings(struct finder *f, struct namings *n, int64_t stub, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(
        f->db, "SELECT memory, shape & 31 FROM link INDEXED BY link_target WHERE target = ?", e);
    int more = stmt ? db_bind(f->db, stmt, e, "i", stub) : -1;
    for (; more > 0; more = db_step(f->db, stmt, e)) {
        struct naming one = {sqlite3_column_int64(stmt, 0), stub,
                             (enum role)sqlite3_column_int(stmt, 1)};
        if (!finder_lives(f, one.memory) ||
            !(ROLE_IS_SUPPORT(one.role) || one.role == RELATION_PROCESSED_INTO))
            continue;
        if (!array_grow((void **)&n->naming, &n->alloc, n->count, sizeof(one))) {
            sqlite3_reset(stmt);
            return out_of_memory(e);
        }
        n->naming[n->count++] = one;
    }
    return more;
}

static int give_namings(struct finder *f, const struct namings *n, struct error *e)
{
    for (size_t i = 0; i < n->count && !f->stopped; i++) {
        const struct naming *one = &n->naming[i];
        if (i > 0 && by_memory(one, one - 1) == 0)
            continue;
        if (give_about(f, PROBLEM_MISSING, one->memory, role_name(one->role), one->target, e))
            return -1;
    }
    return 0;
}

static int find_missing(struct finder *f, struct error *e)
{
    struct namings n = {0};
    int result = 0;
    for (uint32_t node = 0; node < f->all->graph.nodes && result == 0; node++) {
        tell(f, node);
        if (f->all->graph.status[node] == STATUS_MISSING)
            result = reader_check(f->r, e) || find_namings(f, &n, (int64_t)node + 1, e) ? -1 : 0;
    }
    if (result == 0 && n.count) {
        qsort(n.naming, n.count, sizeof(*n.naming), by_memory);
        result = give_namings(f, &n, e);
    }
    free(n.naming);
    return result;
}

/* ---- labels ---- */

static int find_labelled(struct finder *f, enum label label, enum problem problem, struct error *e)
{
    for (uint32_t node = 0; node < f->all->graph.nodes && !f->stopped; node++) {
        tell(f, node);
        if (f->all->labels.label[node] == label &&
            (reader_check(f->r, e) || finder_give(f, problem, (int64_t)node + 1, NULL, NULL, e)))
            return -1;
    }
    return 0;
}

static int find_ungrounded(struct finder *f, struct error *e)
{
    return find_labelled(f, LABEL_UNGROUNDED, PROBLEM_UNGROUNDED, e);
}

static int find_circular(struct finder *f, struct error *e)
{
    return find_labelled(f, LABEL_CIRCULAR, PROBLEM_CIRCULAR, e);
}

/* Unsourced, and not even an annotation says where it comes from. A chain of thought that has no answer, be
 * it running or abandoned, is a question so far: there is nothing that could be borne out. */
static int find_unrecorded(struct finder *f, struct error *e)
{
    static const char sql[] =
        "SELECT coalesce(annotations, '[]') <> '[]' OR (kind = 11 AND"
        " CASE WHEN json_valid(detail) THEN json_type(detail, '$.final_answer') END IS NOT 'text')"
        " FROM memory WHERE id = ?";
    for (uint32_t node = 0; node < f->all->graph.nodes && !f->stopped; node++) {
        int64_t row = (int64_t)node + 1, excused;
        tell(f, node);
        if (f->all->labels.label[node] != LABEL_UNSOURCED)
            continue;
        if (reader_check(f->r, e) || db_int(f->db, &excused, 0, e, sql, "i", row))
            return -1;
        if (!excused && finder_give(f, PROBLEM_UNRECORDED, row, NULL, NULL, e))
            return -1;
    }
    return 0;
}

/* ---- processed_into that nothing confirms ---- */

static bool rests_on(const struct graph *g, uint32_t node, uint32_t on)
{
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++)
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            if (g->link_to[i] == on)
                return true;
    return false;
}

static int check_processed(struct finder *f, int64_t raw, int64_t target, struct error *e)
{
    const struct graph *g = &f->all->graph;
    if (!finder_lives(f, raw) || target < 1 || target > g->nodes ||
        g->status[target - 1] >= STATUS_PURGED ||
        rests_on(g, (uint32_t)(target - 1), (uint32_t)(raw - 1)))
        return 0;
    return give_about(f, PROBLEM_DISAGREEING, raw, role_name(RELATION_PROCESSED_INTO), target, e);
}

static int find_disagreeing(struct finder *f, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(
        f->db, "SELECT memory, target FROM link WHERE shape & 31 = ? ORDER BY memory, number", e);
    int more = stmt ? db_bind(f->db, stmt, e, "i", (int64_t)RELATION_PROCESSED_INTO) : -1;
    while (more > 0 && !f->stopped) {
        int64_t raw = sqlite3_column_int64(stmt, 0), target = sqlite3_column_int64(stmt, 1);
        more = check_processed(f, raw, target, e) ? -1 : db_step(f->db, stmt, e);
    }
    sqlite3_reset(stmt);
    return more < 0 ? -1 : 0;
}

/* ---- all of them ---- */

static int (*const finders[])(struct finder *f, struct error *e) = {
    [PROBLEM_MISSING] = find_missing,         [PROBLEM_UNGROUNDED] = find_ungrounded,
    [PROBLEM_CIRCULAR] = find_circular,       [PROBLEM_UNRECORDED] = find_unrecorded,
    [PROBLEM_DISAGREEING] = find_disagreeing, [PROBLEM_SUSPECT_TIME] = find_suspect_times,
    [PROBLEM_UNEXPLAINED] = find_unexplained,
};

static int find_all(struct finder *f, struct error *e)
{
    int result = 0;
    for (int i = 0; i < PROBLEM_COUNT && result == 0 && !f->stopped; i++) {
        reader_part(f->r, i + 1, PROBLEM_COUNT + 1);
        result = finders[i](f, e);
        reader_progress(f->r, f->all->graph.nodes, f->all->graph.nodes);
    }
    return result;
}

int orphans_find(struct reader *r, const char *agent,
                 int (*each)(void *arg, const struct orphan *orphan), void *arg, struct error *e)
{
    struct finder f = {.r = r, .db = reader_db(r), .each = each, .arg = arg};
    f.now = store_now(reader_store(r));
    if (reader_begin(r, e))
        return -1;
    int result =
        agent ? db_int(f.db, &f.agent, -1, e, "SELECT id FROM agent WHERE name = ?", "s", agent)
              : 0;
    reader_part(r, 0, PROBLEM_COUNT + 1);
    f.all = result ? NULL : loaded_get(r, e);
    result = f.all ? find_all(&f, e) : -1;
    loaded_release(f.all);
    reader_end(r);
    return result;
}
