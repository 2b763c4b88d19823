/* Operations that correct memories from their lineage: propagate (cap confidences) and
 * fix-provenance (repair origins). */
#include "store/ops/operation_internal.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "model/graph/propagate.h"
#include "model/memory/memory.h"
#include "store/db/reader.h"
#include "store/lineage/effective.h"
#include "store/lineage/orphans.h"

/*
 * ---- capping confidences ----
 *
 * Propagate lowers memories that are based on a memory to the confidence that their sources support
 * (propagate.h). Each lowered memory gets a history entry that names the source.
 */

static int read_few(struct reader *r, const struct graph *g, double *own, struct error *e)
{
    for (uint32_t node = 0; node < g->nodes; node++) {
        struct query row = db_query(reader_db(r), e, "SELECT confidence FROM memory WHERE id = ?",
                                    "i", graph_row(g, node));
        if (db_next(&row))
            own[node] = db_double(row.stmt, 0);
        if (db_end(&row) || (READER_REPORTS(node) && reader_check(r, e)))
            return -1;
    }
    return 0;
}

/* A stub has confidence 0. */
static double *read_confidences(struct reader *r, const struct graph *g, struct error *e)
{
    double *own = xcalloc((size_t)g->nodes + 1, sizeof(*own));
    if (g->row ? read_few(r, g, own, e) : confidences_stored(r, g->nodes, own, e)) {
        free(own);
        return NULL;
    }
    return own;
}

/* ---- the changes ---- */

struct spreading {
    struct plan *plan;
    const struct request *request;
    const struct graph *g;
    uint32_t root;
    struct ref from;
    struct strbuf reason;
};

/* "propagated from raw:a: note:b bears no more; REASON", where REASON is the request's. */
static int write_reason(struct spreading *s, const struct propagated *one, struct error *e)
{
    struct ref limited_by;
    strbuf_clear(&s->reason);
    strbuf_addstr(&s->reason, "propagated from ");
    ref_add(&s->reason, s->from);
    if (one->limited_by != s->root) {
        if (plan_name(s->plan, graph_row(s->g, one->limited_by), &limited_by, e))
            return -1;
        strbuf_addstr(&s->reason, ": ");
        ref_add(&s->reason, limited_by);
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

static int report_unchanged(struct spreading *s, const struct unchanged_node *one, struct error *e)
{
    struct ref ref;
    if (plan_name(s->plan, graph_row(s->g, one->node), &ref, e))
        return -1;
    const char *why = one->why == UNCHANGED_CYCLE         ? "is on a circle of support"
                      : one->why == UNCHANGED_UNSUPPORTED ? "has no valid justification"
                                                          : NULL;
    if (why)
        return plan_leave(s->plan, "%s:%s %s", REF_ARGS(ref), why);
    plan_leave(s->plan, "%s:%s is %s", REF_ARGS(ref),
               status_name((enum status)s->g->status[one->node]));
    return 0;
}

static int apply_propagation(struct spreading *s, const struct propagation *p, struct error *e)
{
    for (size_t i = 0; i < p->lowered_count; i++)
        if (lower(s, &p->lowered[i], e))
            return -1;
    for (size_t i = 0; i < p->unchanged_count; i++)
        if (report_unchanged(s, &p->unchanged[i], e))
            return -1;
    return 0;
}

/* `t` holds the labelled graph of the memory's descendants. */
static int propagate(struct plan *p, const struct request *q, const struct trace *t,
                     struct error *e)
{
    struct spreading s = {
        .plan = p, .request = q, .g = &t->graph, .root = t->root, .reason = STRBUF_INIT};
    AUTO(propagation) outcome = {.lowered = NULL};
    AUTO_FREE double *own = read_confidences(p->reader, &t->graph, e);
    int result = own ? plan_name(p, graph_row(s.g, t->root), &s.from, e) : -1;
    if (result == 0)
        propagate_confidence(&outcome, &t->graph, &t->labels, t->root, own);
    if (result == 0)
        result = apply_propagation(&s, &outcome, e);
    strbuf_release(&s.reason);
    return result;
}

int op_cap_confidence(struct plan *p, const struct request *q, struct error *e)
{
    AUTO(trace) t = {0};
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows)
        return -1;
    if (count > 1)
        return error_set(e, ERROR_INVALID, "Propagate from one at a time.",
                         "%zu memories are named", count);
    if (!plan_read(p, rows[0], e))
        return -1;
    return failed_if(trace_load(&t, p->reader, rows[0], DESCENDANTS, DEPTH_UNLIMITED, e) ||
                     propagate(p, q, &t, e));
}

/* ---- repairing origins ---- */

/*
 * Fix-provenance records origins that the store implies but does not state. A seed belief gets the
 * source type and the annotation of a seed. A memory that a raw entry was processed into becomes
 * derived from that entry, recorded as migrated. A second run changes nothing.
 */

#define SEED_CONTEXT    "kernle_seed"
#define SEED_ANNOTATION "kernle:seed-beliefs"

/* A possible origin of a memory: a seed (raw 0), or a raw entry. */
struct finding {
    int64_t row, raw;
};

struct fixing {
    struct plan *plan;
    const struct request *request;
    struct finding *found;
    size_t count, alloc;
    struct key_index statements; /* seed statements of the request, trimmed */
};

static void add(struct fixing *f, int64_t row, int64_t raw)
{
    *ARRAY_ADD(f->found, f->count, f->alloc) = (struct finding){row, raw};
}

static int by_row_and_raw(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    return x->row != y->row ? COMPARE(x->row, y->row) : COMPARE(x->raw, y->raw);
}

/* ---- recognising seeds ---- */

/* Returns the text without surrounding white space. */
static struct json_slice trim(const char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t len = strlen(text);
    while (len && strchr(blanks, text[len - 1]))
        len--;
    return (struct json_slice){text, len};
}

static void take_statements(struct fixing *f)
{
    for (size_t i = 0; i < f->request->statement_count; i++) {
        struct json_slice one = trim(f->request->statements[i]);
        key_index_add(&f->statements, one.ptr, one.len);
    }
}

static bool is_given(const struct fixing *f, const char *text)
{
    struct json_slice one = trim(text ? text : "");
    return one.len && key_index_find(&f->statements, one.ptr, one.len) != ROW_NONE;
}

/* "kernle_seed", or with a version: "kernle_seed_v1.0.0". */
static bool is_seed_context(const char *context)
{
    static const size_t len = sizeof(SEED_CONTEXT) - 1;
    return strncmp(context, SEED_CONTEXT, len) == 0 &&
           (!context[len] || strncmp(context + len, "_v", 2) == 0);
}

/* Kernle keeps the source of a memory as an annotation: "context:kernle_seed_v1.0.0". */
static bool has_seed_context(const struct memory *m)
{
    static const char prefix[] = "context:";
    for (size_t i = 0; i < m->annotation_count; i++)
        if (strncmp(m->annotations[i], prefix, sizeof(prefix) - 1) == 0 &&
            is_seed_context(m->annotations[i] + sizeof(prefix) - 1))
            return true;
    return m->context && is_seed_context(m->context);
}

bool operation_marked_as_seed(const struct memory *m)
{
    return strcmp(m->source_type, "seed") == 0 || memory_is_annotated(m, SEED_ANNOTATION) ||
           has_seed_context(m);
}

/* A memory whose text equals a seed statement may state another origin. */
static bool has_other_origin(const struct memory *m)
{
    if (strcmp(m->source_type, "unknown") != 0 && strcmp(m->source_type, "direct_experience") != 0)
        return true;
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_DERIVED_FROM && m->justifications[i].count)
            return true;
    return false;
}

/* ---- finding candidates in the whole store ---- */

static int find_seeds(struct fixing *f, struct error *e)
{
    struct query rows =
        db_query(reader_db(f->plan->reader), e,
                 "SELECT id, context = '" SEED_CONTEXT "' OR context GLOB '" SEED_CONTEXT "_v*'"
                 " OR annotations GLOB '*\"" SEED_ANNOTATION "\"*'"
                 " OR annotations GLOB '*\"context:" SEED_CONTEXT "\"*'"
                 " OR annotations GLOB '*\"context:" SEED_CONTEXT "_v*' AS marked, text"
                 " FROM memory NOT INDEXED WHERE kind = ?1 AND status <= ?2"
                 " AND (?3 OR marked)",
                 "iii", (int64_t)KIND_BELIEF, (int64_t)STATUS_EXPIRED,
                 (int64_t)(f->request->statement_count > 0));
    for (int64_t seen = 0; db_next(&rows); seen++) {
        if (sqlite3_column_int(rows.stmt, 1) ||
            is_given(f, (const char *)sqlite3_column_text(rows.stmt, 2)))
            add(f, sqlite3_column_int64(rows.stmt, 0), 0);
        if (READER_REPORTS(seen) && reader_check(f->plan->reader, e))
            return db_fail(&rows);
    }
    return db_end(&rows);
}

/* Adds living raw entries with the memories they were processed into, from the rows of `sql`.
 * `about` is its parameter, 0 if it has none. */
static int find_processed(struct fixing *f, const char *sql, int64_t about, struct error *e)
{
    struct query rows = db_query(reader_db(f->plan->reader), e, sql, about ? "i" : "", about);
    while (db_next(&rows))
        add(f, sqlite3_column_int64(rows.stmt, 0), sqlite3_column_int64(rows.stmt, 1));
    return db_end(&rows);
}

/*
 * Role 17 is processed_into, kind 0 is raw. Statuses 0 to 2 are living, 6 is purged, 7 is a stub.
 */
#define PROCESSED                                                                                  \
    "SELECT l.target, l.memory FROM link l JOIN memory r ON r.id = l.memory JOIN memory t"         \
    " ON t.id = l.target WHERE l.shape & 31 = 17 AND r.kind = 0 AND r.status <= 2 AND t.status < " \
    "6"

/* ---- finding candidates among the memories named ---- */

static int find_of(struct fixing *f, int64_t row, struct error *e)
{
    const struct memory *m = plan_read(f->plan, row, e);
    if (!m)
        return -1;
    if (m->ref.kind == KIND_BELIEF && STATUS_LIVES(m->status) &&
        (operation_marked_as_seed(m) || is_given(f, m->text)))
        add(f, row, 0);
    return failed_if(find_processed(f, PROCESSED " AND l.memory = ?", row, e) ||
                     find_processed(f, PROCESSED " AND l.target = ?", row, e));
}

static int find_all(struct fixing *f, struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(f->plan, f->request, 0, &count, e);
    if (!rows)
        return -1;
    if (count == 0)
        return find_seeds(f, e) || find_processed(f, PROCESSED, 0, e) ? -1 : 0;
    for (size_t i = 0; i < count; i++)
        if (find_of(f, rows[i], e))
            return -1;
    return 0;
}

/* ---- the changes ---- */

static void report_unfixed(struct fixing *f, const struct memory *m, const char *why)
{
    plan_leave(f->plan, "%s:%s %s", REF_ARGS(m->ref), why);
}

static void lacks_seed(struct fixing *f, const struct memory *m, bool *lacks)
{
    *lacks = strcmp(m->source_type, "seed") != 0 || !memory_is_annotated(m, SEED_ANNOTATION);
    if (!*lacks || operation_marked_as_seed(m) || !has_other_origin(m))
        return;
    *lacks = false;
    report_unfixed(f, m, "says what a seed says, and that it comes from elsewhere");
}

static bool names(const struct memory *m, int64_t raw)
{
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++)
            if (m->justifications[i].antecedents[k].node == raw)
                return true;
    return false;
}

/* Sets *based if the raw entry is based on that row, in the store or by changes planned so far.
 * Most raw entries have no sources, so this walk is short. */
static int is_based_on(struct fixing *f, int64_t raw, int64_t row, bool *based, struct error *e)
{
    AUTO(row_index) seen = ROW_INDEX_INIT;
    int result = 0;
    row_index_add(&seen, raw);
    *based = raw == row;
    for (size_t at = 0; at < seen.count && !*based && result == 0; at++) {
        const struct memory *m = plan_read(f->plan, seen.row[at], e);
        if (!m)
            result = -1;
        for (size_t i = 0; m && i < m->justification_count && result == 0; i++)
            for (size_t k = 0; k < m->justifications[i].count && result == 0; k++) {
                const struct antecedent *a = &m->justifications[i].antecedents[k];
                *based |= a->node == row;
                if (a->status != STATUS_MISSING)
                    row_index_add(&seen, a->node);
            }
    }
    return result;
}

/* Collects the raw entries that the memory should name as sources but does not. */
static int lacking(struct fixing *f, const struct memory *m, const struct finding *of, size_t n,
                   struct antecedent *raw, size_t *count, struct error *e)
{
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        bool based;
        if (!of[i].raw || (i > 0 && of[i].raw == of[i - 1].raw) || names(m, of[i].raw))
            continue;
        if (is_based_on(f, of[i].raw, m->node, &based, e))
            return -1;
        if (based) {
            report_unfixed(f, m, "cannot be derived from a raw entry that is based on it");
            continue;
        }
        const struct memory *r = plan_read(f->plan, of[i].raw, e);
        if (!r)
            return -1;
        raw[(*count)++] = (struct antecedent){.ref = r->ref, .node = r->node, .status = r->status};
    }
    return 0;
}

/* "raw:a was processed into it; REASON", where REASON is the request's. */
static void write_fix_reason(struct fixing *f, struct strbuf *out, bool seed,
                             const struct antecedent *raw, size_t count)
{
    const char *reason = f->request->reason;
    strbuf_clear(out);
    if (seed) {
        strbuf_addstr(out, "it is a seed");
    } else {
        ref_add(out, raw[0].ref);
        strbuf_addf(out, "%s processed into it", count > 1 ? " and others were" : " was");
    }
    if (reason && *reason)
        strbuf_addf(out, "; %s", reason);
}

/* Applies all findings about one memory in one change. */
static int fix(struct fixing *f, const struct finding *of, size_t n, struct strbuf *reason,
               struct error *e)
{
    struct plan *p = f->plan;
    bool seed = false;
    size_t count;
    const struct memory *now = plan_read(p, of[0].row, e);
    struct antecedent *raw = arena_array(p->arena, n, sizeof(*raw));
    if (!now)
        return -1;
    if (of[0].raw == 0)
        lacks_seed(f, now, &seed);
    if (lacking(f, now, of, n, raw, &count, e))
        return -1;
    if (!seed && !count)
        return 0;
    write_fix_reason(f, reason, seed, raw, count);
    struct memory *m = plan_change(p, of[0].row, "fix-provenance", reason->buf, e);
    if (!m)
        return -1;
    if (seed) {
        m->source_type = "seed";
        plan_add_annotation(p, m, SEED_ANNOTATION);
    }
    if (count) /* one group of antecedents, READING_ANY: any one of them is enough */
        plan_add_group(p, m,
                       (struct justification){.role = ROLE_DERIVED_FROM,
                                              .recorded = RECORDED_MIGRATED,
                                              .at = p->now,
                                              .antecedents = raw,
                                              .count = count});
    return 0;
}

static int fix_all(struct fixing *f, struct error *e)
{
    AUTO_STRBUF reason = STRBUF_INIT;
    int result = 0;
    SORT(f->found, f->count, by_row_and_raw);
    for (size_t i = 0, n; i < f->count && result == 0; i += n) {
        for (n = 1; i + n < f->count && f->found[i + n].row == f->found[i].row; n++)
            ;
        result = fix(f, &f->found[i], n, &reason, e);
        if (result == 0 && READER_REPORTS(i))
            result = reader_check(f->plan->reader, e);
    }
    return result;
}

int op_repair_origins(struct plan *p, const struct request *q, struct error *e)
{
    struct fixing f = {.plan = p, .request = q};
    take_statements(&f);
    int result = find_all(&f, e) || fix_all(&f, e) ? -1 : 0;
    free(f.found);
    key_index_release(&f.statements);
    p->named = p->count;
    return result;
}
