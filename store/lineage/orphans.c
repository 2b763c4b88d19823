/* Traces, what-if of retractions, and problems of the lineage. */
#include "store/lineage/orphans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "model/memory/confidence.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/lineage/loaded.h"
#include "store/lineage/subgraph.h"

/* With more memories in the surroundings, the whole graph costs less. */
#define SURROUNDINGS_MAX 20000
/* The same for dependants, whose fences need one query each. */
#define DEPENDANTS_MAX 2000

static void labelled_release(struct labelled *l)
{
    if (l->shared) {
        loaded_release(l->shared);
        return;
    }
    labels_release(&l->labels);
    graph_release(&l->graph);
}

/* Refers to the shared snapshot. */
static int use_shared(struct labelled *l, struct reader *r, const struct loaded *shared)
{
    if (!shared)
        return -1;
    *l = (struct labelled){shared->graph, shared->labels, shared};
    l->graph.patience = reader_patience(r);
    return 0;
}

static void label_own(struct labelled *l, struct reader *r)
{
    l->graph.patience = reader_patience(r);
    labels_compute(&l->labels, &l->graph);
}

/* `own`: the graph will be changed, so it must not be shared. */
static int load(struct labelled *l, struct reader *r, const int64_t *rows, size_t count,
                enum direction direction, bool own, struct error *e)
{
    bool bounded;
    const struct loaded *shared = own ? NULL : loaded_find(r);
    *l = (struct labelled){.shared = NULL};
    if (shared)
        return use_shared(l, r, shared);
    if (graph_load_surroundings(r, &l->graph, rows, count, direction, SURROUNDINGS_MAX, &bounded,
                                e))
        return -1;
    if (bounded && !own)
        return use_shared(l, r, loaded_get(r, e));
    if ((bounded && graph_load(r, &l->graph, e)) || guard_graph(r, &l->graph, e))
        return -1;
    label_own(l, r);
    return 0;
}

static uint32_t node_of(const struct graph *g, int64_t row, size_t number)
{
    return (uint32_t)(g->row ? number : (size_t)row - 1);
}

static int load_trace(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                      uint32_t depth, bool own, struct error *e)
{
    *t = (struct trace){.direction = direction, .depth = depth};
    int result = load(&t->loaded, r, &row, 1, direction, own, e);
    t->graph = t->loaded.graph;
    t->labels = t->loaded.labels;
    t->root = node_of(&t->graph, row, 0);
    return result;
}

int trace_load(struct trace *t, struct reader *r, int64_t row, enum direction direction,
               uint32_t depth, struct error *e)
{
    return load_trace(t, r, row, direction, depth, false, e);
}

int graph_thin_visible(struct graph *g, struct reader *r, bool users, uint8_t **view,
                       struct error *e)
{
    *view = xmalloc((size_t)g->nodes + 1);
    for (uint32_t node = 0; node < g->nodes; node++) {
        enum visibility visibility;
        if (guard_visibility(r, graph_row(g, node), &visibility, e) || reader_check(r, e))
            return -1;
        (*view)[node] = (uint8_t)visibility;
    }
    graph_thin(g, *view, users);
    return 0;
}

static int thin(struct trace *t, struct reader *r, uint8_t **view, struct error *e)
{
    int result = graph_thin_visible(&t->loaded.graph, r, t->direction == DESCENDANTS, view, e);
    t->graph = t->loaded.graph;
    return result;
}

/*
 * Loads the whole closure, because memories of others count in labels, and removes links
 * afterwards.
 */
int trace_load_visible(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                       uint32_t depth, uint8_t **view, struct error *e)
{
    bool hides = guard_hides_linked(r);
    *view = NULL;
    if (load_trace(t, r, row, direction, depth, hides, e))
        return -1;
    return hides ? thin(t, r, view, e) : 0;
}

int trace_load_all_visible(struct trace *t, struct reader *r, struct error *e)
{
    AUTO_FREE uint8_t *view = NULL;
    *t = (struct trace){.direction = ANCESTORS, .depth = DEPTH_UNLIMITED};
    if (graph_load(r, &t->loaded.graph, e) || guard_graph(r, &t->loaded.graph, e))
        return -1;
    label_own(&t->loaded, r);
    t->labels = t->loaded.labels;
    return thin(t, r, &view, e);
}

int trace_load_near(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                    uint32_t depth, struct error *e)
{
    bool bounded;
    AUTO_FREE uint8_t *view = NULL;
    *t = (struct trace){.direction = direction, .depth = depth};
    if (graph_load_near(r, &t->loaded.graph, row, direction, depth, SURROUNDINGS_MAX, &bounded, e))
        return -1;
    if (bounded)
        return trace_load_visible(t, r, row, direction, depth, &view, e);
    if (guard_graph(r, &t->loaded.graph, e))
        return -1;
    t->graph = t->loaded.graph;
    return guard_hides_linked(r) ? thin(t, r, &view, e) : 0;
}

void trace_release(struct trace *t)
{
    labelled_release(&t->loaded);
}

/* ---- retractions ---- */

/* Loads the dependants with fences; the full surroundings if some entries are hidden. */
static int load_dependants(struct labelled *l, struct reader *r, const int64_t *rows, size_t count,
                           struct error *e)
{
    size_t inside;
    bool bounded;
    const struct loaded *shared = loaded_find(r);
    *l = (struct labelled){.shared = NULL};
    if (shared)
        return use_shared(l, r, shared);
    if (guard_hides_linked_entries(r))
        return load(l, r, rows, count, DESCENDANTS, false, e);
    const struct loaded *known = loaded_labels_find(r);
    int result = graph_load_dependants(r, &l->graph, known, rows, count, DEPENDANTS_MAX, &inside,
                                       &bounded, e);
    loaded_release(known);
    if (result == 0 && bounded)
        return use_shared(l, r, loaded_get(r, e));
    if (result == 0)
        label_own(l, r);
    return result;
}

int retraction_load(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                    struct error *e)
{
    *q = (struct retraction){.count = count, .nodes = xmalloc((count + 1) * sizeof(*q->nodes))};
    if (load_dependants(&q->loaded, r, rows, count, e))
        return -1;
    q->graph = q->loaded.graph;
    q->labels = q->loaded.labels;
    for (size_t n = 0; n < count; n++)
        q->nodes[n] = node_of(&q->graph, rows[n], n);
    whatif_retract(&q->outcome, &q->graph, &q->labels, q->nodes, count);
    return reader_check(r, e);
}

void retraction_release(struct retraction *q)
{
    whatif_release(&q->outcome);
    labelled_release(&q->loaded);
    free(q->nodes);
}

/* Problems of the lineage, from the loaded graph where possible, else by an index. */

struct finder {
    struct reader *r;
    struct db *db;
    const struct loaded *all;
    int64_t agent; /* a row; 0: any; -1: an agent without memories */
    int64_t now;
    int64_t from; /* no problem of a row before it is reported */
    int (*each)(void *arg, const struct orphan *orphan);
    void *arg;
    bool stopped;
};

static const char *const problem_names[PROBLEM_COUNT] = {
    [PROBLEM_MISSING] = "missing",         [PROBLEM_UNSUPPORTED] = "unsupported",
    [PROBLEM_CIRCULAR] = "circular",       [PROBLEM_UNRECORDED] = "unrecorded",
    [PROBLEM_DISAGREEING] = "disagreeing", [PROBLEM_SUSPECT_TIME] = "suspect-time",
    [PROBLEM_UNEXPLAINED] = "unexplained",
};

const char *problem_name(enum problem problem)
{
    return problem_names[problem];
}

/* ---- reporting ---- */

/* Reports a problem of the memory o.node. `about` is the row of the target (0: none). */
static int report_problem(struct finder *f, struct orphan o, int64_t about, struct error *e)
{
    AUTO_STRBUF target = STRBUF_INIT;
    if (o.node < f->from)
        return 0;
    struct query row =
        db_query(f->db, e,
                 "SELECT m.kind, m.name, m.agent, t.kind, t.name, m.confidence FROM memory m"
                 " LEFT JOIN main.memory t ON t.id = ?2 WHERE m.id = ?1 /* orphan */",
                 "ii", o.node, about);
    if (!db_next(&row) || (about && sqlite3_column_type(row.stmt, 3) == SQLITE_NULL))
        return db_end(&row) ? -1 : reader_damaged(e, "a link", o.node);
    o.agent = sqlite3_column_int64(row.stmt, 2);
    o.confidence = db_double(row.stmt, 5);
    o.label = (enum label)f->all->labels.label[o.node - 1];
    const char *name = (const char *)sqlite3_column_text(row.stmt, 1);
    o.ref = (struct ref){(enum kind)sqlite3_column_int(row.stmt, 0), name ? name : ""};
    if (about) {
        const char *named = (const char *)sqlite3_column_text(row.stmt, 4);
        ref_add(&target,
                (struct ref){(enum kind)sqlite3_column_int(row.stmt, 3), named ? named : ""});
        o.target = target.buf;
    }
    if (!f->agent || o.agent == f->agent)
        f->stopped = f->each(f->arg, &o) != 0;
    return db_end(&row);
}

static void report_progress(const struct finder *f, uint32_t node)
{
    if (READER_REPORTS(node))
        reader_progress(f->r, node, f->all->graph.nodes);
}

static bool finder_lives(const struct finder *f, int64_t row)
{
    return row >= 1 && row <= f->all->graph.nodes &&
           graph_lives(&f->all->graph, (uint32_t)(row - 1));
}

/* ---- missing ---- */

struct missing_ref {
    int64_t target;
    enum role role;
};

static int by_role(const void *a, const void *b)
{
    const struct missing_ref *x = a, *y = b;
    return x->role != y->role ? COMPARE(x->role, y->role) : COMPARE(x->target, y->target);
}

struct missing_refs {
    struct missing_ref *ref;
    size_t count, alloc;
};

static void add_missing(struct finder *f, struct missing_refs *n, uint32_t from, uint32_t to,
                        enum role role)
{
    if (f->all->graph.status[to] == STATUS_MISSING && graph_lives(&f->all->graph, from))
        *ARRAY_ADD(n->ref, n->count, n->alloc) = (struct missing_ref){(int64_t)to + 1, role};
}

/* Collects refs without a memory that a living memory names, as antecedent or, from pair *at on, as processed_into. If
 * a memory is supported, each of its antecedents stands. */
static void collect_missing(struct finder *f, uint32_t node, size_t *at, struct missing_refs *n)
{
    const struct graph *g = &f->all->graph;
    const struct processed_list *processed = &f->all->processed;
    n->count = 0;
    uint32_t end = f->all->labels.label[node] == LABEL_SUPPORTED ? 0 : g->just_first[node + 1];
    for (uint32_t j = g->just_first[node]; j < end; j++)
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            add_missing(f, n, node, g->link_to[i], SHAPE_ROLE(g->just_shape[j]));
    for (; *at < processed->count && processed->pair[*at].raw <= node; ++*at)
        if (processed->pair[*at].raw == node)
            add_missing(f, n, node, processed->pair[*at].into, RELATION_PROCESSED_INTO);
    SORT(n->ref, n->count, by_role);
}

static int find_missing(struct finder *f, struct error *e)
{
    struct missing_refs n = {0};
    size_t at = 0;
    int result = 0;
    for (int64_t row = f->from; row <= f->all->graph.nodes && !f->stopped && !result; row++) {
        report_progress(f, (uint32_t)row - 1);
        collect_missing(f, (uint32_t)row - 1, &at, &n);
        for (size_t i = 0; i < n.count && !f->stopped && !result; i++) {
            struct orphan orphan = {
                .problem = PROBLEM_MISSING, .node = row, .field = role_name(n.ref[i].role)};
            if (i == 0 || by_role(&n.ref[i], &n.ref[i - 1]) != 0)
                result = reader_check(f->r, e) || report_problem(f, orphan, n.ref[i].target, e);
        }
    }
    free(n.ref);
    return result ? -1 : 0;
}

/* ---- labels ---- */

/*
 * An unsourced memory with an annotation is excused, and so is a chain without an answer, running
 * or abandoned: it claims nothing yet.
 */
static int is_excused(struct finder *f, int64_t row, int64_t *excused, struct error *e)
{
    return db_int(
        f->db, excused, 0, e,
        "SELECT coalesce(annotations, '[]') <> '[]' OR (kind = 11 AND"
        " CASE WHEN json_valid(detail) THEN json_type(detail, '$.final_answer') END IS NOT 'text')"
        " FROM memory WHERE id = ?",
        "i", row);
}

static int find_labelled(struct finder *f, enum problem problem, struct error *e)
{
    static const enum label labels[] = {[PROBLEM_UNSUPPORTED] = LABEL_UNSUPPORTED,
                                        [PROBLEM_CIRCULAR] = LABEL_CIRCULAR,
                                        [PROBLEM_UNRECORDED] = LABEL_UNSOURCED};
    for (uint32_t node = (uint32_t)f->from - 1; node < f->all->graph.nodes && !f->stopped; node++) {
        struct orphan o = {.problem = problem, .node = (int64_t)node + 1};
        int64_t excused = 0;
        report_progress(f, node);
        if (f->all->labels.label[node] != labels[problem])
            continue;
        if (reader_check(f->r, e) ||
            (problem == PROBLEM_UNRECORDED && is_excused(f, o.node, &excused, e)) ||
            (!excused && report_problem(f, o, 0, e)))
            return -1;
    }
    return 0;
}

/* ---- unconfirmed processed_into ---- */

static bool is_based_on(const struct graph *g, uint32_t node, uint32_t on)
{
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++)
        for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++)
            if (g->link_to[i] == on)
                return true;
    return false;
}

/* Only of raw entries: a promoted suggestion names what it proposed, which is based on the same raw
 * entries and not on the suggestion. */
static int find_disagreeing(struct finder *f, struct error *e)
{
    const struct graph *g = &f->all->graph;
    const struct processed_list *all = &f->all->processed;
    for (size_t i = 0; i < all->count && !f->stopped; i++) {
        const struct processed *p = &all->pair[i];
        if (g->kind[p->raw] == KIND_RAW && graph_lives(g, p->raw) &&
            g->status[p->into] < STATUS_PURGED && !is_based_on(g, p->into, p->raw) &&
            report_problem(f,
                           (struct orphan){.problem = PROBLEM_DISAGREEING,
                                           .node = (int64_t)p->raw + 1,
                                           .field = role_name(RELATION_PROCESSED_INTO)},
                           (int64_t)p->into + 1, e))
            return -1;
    }
    return 0;
}

/* ---- suspect times ---- */

struct suspect {
    int64_t row, ms;
    const char *field;
};

struct suspects {
    struct suspect *suspect;
    size_t count, alloc;
};

static void add_suspect(struct suspects *s, int64_t row, const char *field, int64_t ms)
{
    *ARRAY_ADD(s->suspect, s->count, s->alloc) = (struct suspect){row, ms, field};
}

/* `sql` returns rows and times of living memories of a kind beyond a bound. */
static int scan_times(struct finder *f, struct suspects *s, const char *sql, enum kind kind,
                      int64_t bound, const char *field, struct error *e)
{
    struct query rows = db_query(f->db, e, sql, "ii", (int64_t)kind, bound);
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0), ms = sqlite3_column_int64(rows.stmt, 1);
        if (clock_is_suspect(ms, f->now))
            add_suspect(s, row, field, ms);
    }
    return db_end(&rows);
}

/* Checks the retrieval time in an attribution's detail, if it is a number. */
static void check_retrieval(struct finder *f, struct suspects *s, int64_t row, const char *detail)
{
    static const char field[] = "retrieval_timestamp";
    struct error ignored;
    size_t len = strlen(detail);
    if (detail[0] != '{' || json_check(detail, len, JSON_DEPTH_MAX, &ignored))
        return;
    struct json_slice value = json_member(detail, len, field);
    if (!value.ptr || !strchr("-0123456789", value.ptr[0]))
        return;
    double given = strtod(value.ptr, NULL);
    int64_t ms = fabs(given) < 1e18 ? (int64_t)given : INT64_MAX / 2;
    if (clock_retrieval_is_suspect(ms, f->now))
        add_suspect(s, row, field, ms);
}

static int scan_retrievals(struct finder *f, struct suspects *s, struct error *e)
{
    struct query rows = db_query(f->db, e,
                                 "SELECT id, detail FROM memory INDEXED BY memory_created"
                                 " WHERE status <> 7 AND status < 3 AND kind = ?"
                                 " AND detail IS NOT NULL",
                                 "i", (int64_t)KIND_ATTRIBUTION);
    while (db_next(&rows)) {
        const char *detail = (const char *)sqlite3_column_text(rows.stmt, 1);
        if (detail)
            check_retrieval(f, s, sqlite3_column_int64(rows.stmt, 0), detail);
        if (reader_check(f->r, e))
            return db_fail(&rows);
    }
    return db_end(&rows);
}

static int by_row(const void *a, const void *b)
{
    const struct suspect *x = a, *y = b;
    return x->row != y->row ? COMPARE(x->row, y->row) : strcmp(x->field, y->field);
}

static int report_suspects(struct finder *f, struct suspects *s, struct error *e)
{
    SORT(s->suspect, s->count, by_row);
    for (size_t i = 0; i < s->count && !f->stopped; i++) {
        char value[24];
        struct orphan o = {.problem = PROBLEM_SUSPECT_TIME,
                           .node = s->suspect[i].row,
                           .field = s->suspect[i].field,
                           .target = value};
        snprintf(value, sizeof(value), "%lld", (long long)s->suspect[i].ms);
        if (report_problem(f, o, 0, e))
            return -1;
    }
    return 0;
}

/* Uses the list indexes, so that only suspect rows are read. */
static int scan_kind(struct finder *f, struct suspects *s, enum kind kind, struct error *e)
{
#define BEYOND(column, how)                                                                        \
    "SELECT id, " column "_at FROM memory INDEXED BY memory_" column                               \
    " WHERE status <> 7 AND status < 3 AND kind = ? AND " column "_at " how " ?"
    static const char *const before[] = {BEYOND("created", "<"), BEYOND("updated", "<")},
                             *const after[] = {BEYOND("created", ">"), BEYOND("updated", ">")},
                             *const field[] = {"created_at", "updated_at"};
#undef BEYOND
    for (int i = 0; i < 2; i++)
        if (scan_times(f, s, before[i], kind, CLOCK_EARLIEST, field[i], e) ||
            scan_times(f, s, after[i], kind, f->now + CLOCK_DAY, field[i], e))
            return -1;
    return 0;
}

static int find_suspect_times(struct finder *f, struct error *e)
{
    struct suspects s = {0};
    int result = 0;
    for (int kind = 0; kind < KIND_COUNT && result == 0; kind++)
        result = reader_check(f->r, e) || scan_kind(f, &s, (enum kind)kind, e) ? -1 : 0;
    if (result == 0)
        result = scan_retrievals(f, &s, e) || report_suspects(f, &s, e) ? -1 : 0;
    free(s.suspect);
    return result;
}

/* ---- unexplained confidence ---- */

/* The expected confidence of each memory; NAN if unknown. */
struct expected {
    struct finder *f;
    double *of; /* [nodes] */
};

static bool differs(double a, double b)
{
    return fabs(a - b) > CONFIDENCE_TOLERANCE;
}

/* ---- from the history ---- */

static int expect_by_history(struct expected *x, struct error *e)
{
    struct finder *f = x->f;
    struct query rows = db_query(f->db, e,
                                 "SELECT memory, new, position FROM history WHERE origin IS NULL"
                                 " AND new IS NOT NULL ORDER BY memory, position",
                                 "");
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        if (row >= 1 && row <= f->all->graph.nodes)
            x->of[row - 1] = db_double(rows.stmt, 1);
    }
    return db_end(&rows);
}

/* ---- from the journal ---- */

static bool patch_confidence(const struct event *event, double *confidence)
{
    struct json_slice value = {NULL, 0};
    if (event->patch && event->patch[0] == '{')
        value = json_member(event->patch, strlen(event->patch), "confidence");
    return value.ptr && json_double(value, confidence) == 0;
}

/* The confidence before its oldest change since the memory was added; NAN if it never changed. */
static int original_confidence(struct finder *f, int64_t row, double *confidence, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct event *events;
    size_t count;
    *confidence = NAN;
    int result = journal_of(f->r, &arena, row, &events, &count, e);
    for (size_t i = count; result == 0 && i-- > 0;) {
        if (!events[i].before)
            break; /* it was added, maybe for the second time */
        double was;
        if (patch_confidence(&events[i], &was))
            *confidence = was;
    }
    return result;
}

/* Memories without a history whose confidence changed by their events. */
static int expect_by_journal(struct expected *x, struct error *e)
{
    struct finder *f = x->f;
    struct query rows = db_query(f->db, e,
                                 "SELECT DISTINCT subject FROM event INDEXED BY event_confidence"
                                 " WHERE instr(patch, '\"confidence\":') > 0",
                                 "");
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        if (row >= 1 && row <= f->all->graph.nodes && finder_lives(f, row) &&
            isnan(x->of[row - 1]) &&
            (reader_check(f->r, e) || original_confidence(f, row, &x->of[row - 1], e)))
            return db_fail(&rows);
    }
    return db_end(&rows);
}

/* ---- comparison ---- */

/* Keeps only values that differ from the stored ones. */
static int drop_equal(struct expected *x, struct error *e)
{
    struct finder *f = x->f;
    struct query rows = db_query(f->db, e,
                                 "SELECT id, confidence FROM memory INDEXED BY memory_confidence"
                                 " WHERE status <> 7",
                                 "");
    for (int64_t seen = 0; db_next(&rows);) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        if (READER_REPORTS(++seen))
            reader_progress(f->r, seen, f->all->graph.nodes);
        if (row >= 1 && row <= f->all->graph.nodes && !isnan(x->of[row - 1]) &&
            !differs(db_double(rows.stmt, 1), x->of[row - 1]))
            x->of[row - 1] = NAN;
    }
    return db_end(&rows);
}

static int report_all(struct expected *x, struct error *e)
{
    struct finder *f = x->f;
    for (uint32_t node = 0; node < f->all->graph.nodes && !f->stopped; node++) {
        char value[32];
        if (isnan(x->of[node]) || !graph_lives(&f->all->graph, node))
            continue;
        snprintf(value, sizeof(value), "%.12g", x->of[node]);
        struct orphan o = {.problem = PROBLEM_UNEXPLAINED,
                           .node = (int64_t)node + 1,
                           .field = "confidence",
                           .target = value};
        if (reader_check(f->r, e) || report_problem(f, o, 0, e))
            return -1;
    }
    return 0;
}

static int find_unexplained(struct finder *f, struct error *e)
{
    struct expected x = {f, xcalloc((size_t)f->all->graph.nodes + 1, sizeof(double))};
    for (uint32_t node = 0; node < f->all->graph.nodes; node++)
        x.of[node] = NAN;
    int result = failed_if(expect_by_history(&x, e) || expect_by_journal(&x, e) ||
                           drop_equal(&x, e) || report_all(&x, e));
    free(x.of);
    return result;
}

/* ---- all problems ---- */

static int (*const finders[PROBLEM_COUNT])(struct finder *f, struct error *e) = {
    [PROBLEM_MISSING] = find_missing,
    [PROBLEM_DISAGREEING] = find_disagreeing,
    [PROBLEM_SUSPECT_TIME] = find_suspect_times,
    [PROBLEM_UNEXPLAINED] = find_unexplained,
}; /* the others are found by label */

static int find_all(struct finder *f, const struct orphan_query *query, struct error *e)
{
    int result = 0;
    f->from = query->from > 0 ? query->from : 1;
    for (int i = 0; i < PROBLEM_COUNT && result == 0 && !f->stopped; i++) {
        if (query->problems && !(query->problems & 1u << i))
            continue;
        reader_part(f->r, i + 1, PROBLEM_COUNT + 1);
        result = finders[i] ? finders[i](f, e) : find_labelled(f, (enum problem)i, e);
        reader_progress(f->r, f->all->graph.nodes, f->all->graph.nodes);
        f->from = 1;
    }
    return result;
}

int orphans_find(struct reader *r, const struct orphan_query *query,
                 int (*each)(void *arg, const struct orphan *orphan), void *arg, struct error *e)
{
    struct finder f = {.r = r, .db = reader_db(r), .each = each, .arg = arg};
    f.now = store_now(reader_store(r));
    if (reader_begin(r, e))
        return -1;
    int result = query->agent ? db_int(f.db, &f.agent, -1, e, "SELECT id FROM agent WHERE name = ?",
                                       "s", query->agent)
                              : 0;
    reader_part(r, 0, PROBLEM_COUNT + 1);
    f.all = result ? NULL : loaded_get(r, e);
    result = f.all ? find_all(&f, query, e) : -1;
    loaded_release(f.all);
    reader_end(r);
    return result;
}
