/* Reads what trust is computed from, and what became of what somebody told. */
#include "store/lineage/trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/graph/fold.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/guard/guard.h"
#include "store/lineage/effective.h"
#include "store/lineage/loaded.h"
#include "store/lineage/neighbours.h"

#define PATHS_MAX 500   /* rows; a path for each of more costs more than their whole lineage */
#define NEAR_MAX  50000 /* memories around the rows; beyond that all are computed */
#define SCANNED   10    /* so many rows are scanned in the time in which one is looked up */

static const struct trust_rules *rules_of(struct reader *r)
{
    const struct trust_rules *t = reader_store(r)->confidence.trust;
    return t ? t : &trust_defaults;
}

/* ---- the weights of memories for their own sources ---- */

/* Who told it is stored after the text, which may be long: it is read only if the rules need it. */
static bool needs_entities(const struct trust_rules *rules)
{
    return rules->entity_count > 0 || rules->by_class;
}

/* What a statement selects: row, source_type, and who told it or what the retrieval was of. */
static int read_weights_of(struct reader *r, const struct trust_rules *rules, const char *sql,
                           size_t rows, double *out, struct error *e)
{
    struct query each = db_query(reader_db(r), e, sql, "");
    for (size_t i; db_next_row(&each, rows, &i);) {
        struct trust_source from = {
            .type = sqlite3_column_int64(each.stmt, 1),
            .entity = (const char *)sqlite3_column_text(each.stmt, 2),
            .retrieved = (const char *)sqlite3_column_text(each.stmt, 3),
        };
        out[i] = trust_weight(rules, &from);
    }
    return db_end(&each);
}

/* Of all rows, by row - 1. The index covers the first statement; the last reads the memories. */
static int read_all_weights(struct reader *r, const struct trust_rules *rules, size_t rows,
                            double *out, struct error *e)
{
    memset(out, 0, rows * sizeof(*out));
    if (read_weights_of(r, rules,
                        "SELECT id, source_type, NULL, NULL FROM memory INDEXED BY memory_recorded"
                        " WHERE status <> 7",
                        rows, out, e) ||
        read_weights_of(r, rules,
                        "SELECT a.memory, m.source_type, m.source_entity, a.type FROM attribution a"
                        " CROSS JOIN memory m ON m.id = a.memory WHERE m.status <> 7",
                        rows, out, e))
        return -1;
    return needs_entities(rules)
               ? read_weights_of(r, rules,
                                 "SELECT id, source_type, source_entity,"
                                 " (SELECT type FROM attribution WHERE memory = id)"
                                 " FROM memory NOT INDEXED"
                                 " WHERE source_entity IS NOT NULL AND status <> 7",
                                 rows, out, e)
               : 0;
}

#define NATURE                                                                                     \
    "SELECT kind, status, source_type, CASE WHEN kind = 9 THEN (SELECT type FROM attribution"      \
    " WHERE memory = ?1) END, "
_Static_assert(KIND_ATTRIBUTION == 9, "the number stands in the statement");

int trust_nature(struct reader *r, const struct trust_rules *rules, int64_t row, enum kind *kind,
                 enum status *status, double *weight, struct error *e)
{
    struct query one =
        db_query(reader_db(r), e,
                 needs_entities(rules) ? NATURE "source_entity FROM memory WHERE id = ?1"
                                       : NATURE "NULL FROM memory WHERE id = ?1",
                 "i", row);
    if (!links_read_nature(r, &one, row, kind, status))
        return -1;
    struct trust_source from = {
        .type = sqlite3_column_int64(one.stmt, 2),
        .retrieved = (const char *)sqlite3_column_text(one.stmt, 3),
        .entity = (const char *)sqlite3_column_text(one.stmt, 4),
    };
    *weight = trust_weight(rules, &from);
    return db_end(&one);
}

static int read_weights(struct reader *r, const struct trust_rules *rules, const struct graph *g,
                        double *out, struct error *e)
{
    int64_t rows = 0;
    int result = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        rows = graph_row(g, node) > rows ? graph_row(g, node) : rows;
    if (g->row && g->nodes < rows / SCANNED) {
        for (uint32_t node = 0; node < g->nodes && result == 0; node++) {
            enum kind kind;
            enum status status;
            result = trust_nature(r, rules, graph_row(g, node), &kind, &status, &out[node], e);
        }
        return result;
    }
    AUTO_FREE double *all = xmalloc(((size_t)rows + 1) * sizeof(*all));
    result = read_all_weights(r, rules, (size_t)rows, all, e);
    for (uint32_t node = 0; node < g->nodes && result == 0; node++)
        out[node] = all[graph_row(g, node) - 1];
    return result;
}

static int compute(struct reader *r, const struct trust_rules *rules, const struct graph *g,
                   double *trust, uint32_t *weakest, struct error *e)
{
    AUTO_FREE double *weight = xmalloc(((size_t)g->nodes + 1) * sizeof(*weight));
    struct graph of = *g; /* which other readers may share */
    of.patience = reader_patience(r);
    if (read_weights(r, rules, g, weight, e))
        return -1;
    trust_compute(trust, weakest, &of, weight);
    return reader_check(r, e);
}

static int trust_of_graph(struct reader *r, const struct trust_rules *rules, const struct graph *g,
                          struct trust *out, struct error *e)
{
    AUTO_FREE double *trust = xmalloc(((size_t)g->nodes + 1) * sizeof(*trust));
    AUTO_FREE uint32_t *weakest = xmalloc(((size_t)g->nodes + 1) * sizeof(*weakest));
    int result = compute(r, rules, g, trust, weakest, e);
    for (uint32_t node = 0; node < g->nodes && result == 0; node++)
        out[node] = (struct trust){trust[node],
                                   weakest[node] == NODE_NONE ? 0 : graph_row(g, weakest[node])};
    return result;
}

/* ---- rows ---- */

/* Of distinct rows, from all that they are based on, or from all memories if that is much. */
static int trust_of_lineage(struct reader *r, const struct trust_rules *rules,
                            const struct row_index *rows, struct trust *out, struct error *e)
{
    struct graph near;
    bool bounded = true;
    int result = 0;
    const struct loaded *all = rows->count > PATHS_MAX ? loaded_find(r) : NULL;
    graph_init(&near);
    if (!all)
        result = graph_load_surroundings(r, &near, rows->row, rows->count, ANCESTORS, NEAR_MAX,
                                         &bounded, e);
    if (result == 0 && bounded && !all)
        result = (all = loaded_get(r, e)) ? 0 : -1;
    else if (result == 0 && !all)
        result = guard_graph(r, &near, e);
    const struct graph *g = all ? &all->graph : &near;
    AUTO_FREE struct trust *trust = xmalloc(((size_t)g->nodes + 1) * sizeof(*trust));
    if (result == 0)
        result = trust_of_graph(r, rules, g, trust, e);
    for (size_t i = 0; i < rows->count && result == 0; i++)
        out[i] = trust[all ? (size_t)rows->row[i] - 1 : i];
    graph_release(&near);
    loaded_release(all);
    return result;
}

/*
 * Of distinct rows, by short paths; those that these do not decide from their whole lineage. Links to
 * entries that are hidden from the caller support nothing, and only graphs are thinned. `weakest`:
 * say which one is, too.
 */
static int trust_of_rows(struct reader *r, const struct trust_rules *rules,
                         const struct row_index *rows, bool weakest, struct trust *out,
                         struct error *e)
{
    AUTO(row_index) left = ROW_INDEX_INIT;
    bool paths = rows->count <= PATHS_MAX && !guard_hides_linked_entries(r);
    AUTO_FREE size_t *place = xmalloc((rows->count + 1) * sizeof(*place));
    int known = 0;
    for (size_t i = 0; i < rows->count && known >= 0; i++) {
        int64_t row = rows->row[i];
        known = paths ? trust_by_paths(r, rules, row, &out[i], e) : 0;
        known = known > 0 && weakest && out[i].value > 0 && !out[i].weakest ? 0 : known;
        if (known == 0)
            place[row_index_add(&left, row)] = i;
    }
    AUTO_FREE struct trust *found = xmalloc((left.count + 1) * sizeof(*found));
    int result = known < 0 ? -1 : left.count ? trust_of_lineage(r, rules, &left, found, e) : 0;
    for (size_t i = 0; i < left.count && result == 0; i++)
        out[place[i]] = found[i];
    return result;
}

/* Of rows that may repeat. */
static int trust_by_rules(struct reader *r, const struct trust_rules *rules, const int64_t *rows,
                          size_t count, double *out, struct error *e)
{
    AUTO(row_index) different = ROW_INDEX_INIT;
    if (reader_begin(r, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        row_index_add(&different, rows[i]);
    AUTO_FREE struct trust *trust = xmalloc((different.count + 1) * sizeof(*trust));
    int result = count ? trust_of_rows(r, rules, &different, false, trust, e) : 0;
    for (size_t i = 0; i < count && result == 0; i++)
        out[i] = trust[row_index_find(&different, rows[i])].value;
    return reader_done(r, result);
}

int trust_fill(struct reader *r, const int64_t *rows, size_t count, struct row_label *io,
               struct error *e)
{
    AUTO_FREE double *value = xmalloc((count + 1) * sizeof(*value));
    int result = trust_by_rules(r, rules_of(r), rows, count, value, e);
    for (size_t i = 0; i < count && result == 0; i++) {
        io[i].has_trust = true;
        io[i].trust = value[i];
    }
    return result;
}

int trust_class_fill(struct reader *r, const int64_t *rows, size_t count, struct row_label *io,
                     struct error *e)
{
    AUTO_FREE double *value = xmalloc((count + 1) * sizeof(*value));
    AUTO_FREE int64_t *row = xmalloc((count + 1) * sizeof(*row));
    size_t left = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        if (!io[i].has_proved)
            row[left++] = rows[i];
    int result = left ? trust_by_rules(r, &trust_classes, row, left, value, e) : 0;
    for (size_t i = 0; i < count && result == 0; i++)
        io[i].class = io[i].has_proved ? io[i].proved : trust_class_of_weight(value[at++]);
    return result;
}

int trust_of_row(struct reader *r, int64_t row, struct trust *out, struct error *e)
{
    AUTO(row_index) one = ROW_INDEX_INIT;
    row_index_add(&one, row);
    return trust_of_rows(r, rules_of(r), &one, true, out, e);
}

int trust_of_loaded(struct reader *r, const struct loaded *l, double *out, struct error *e)
{
    return compute(r, rules_of(r), &l->graph, out, NULL, e);
}

int trust_of_all(struct reader *r, size_t rows, double *out, struct error *e)
{
    const struct loaded *l = loaded_get(r, e);
    int result = l ? 0 : -1;
    memset(out, 0, rows * sizeof(*out));
    AUTO_FREE double *trust = l ? xmalloc((l->rows + 1) * sizeof(*trust)) : NULL;
    if (l)
        result = trust_of_loaded(r, l, trust, e);
    for (size_t i = 0; result == 0 && i < rows && i < l->rows; i++)
        out[i] = trust[i];
    loaded_release(l);
    return result;
}

static int nodes_trust(struct reader *r, const struct graph *g, const uint32_t *node, size_t count,
                       bool weakest, struct trust *out, struct error *e)
{
    /* Of the whole graph only the lineage is wanted, and what is hidden is out of this one. */
    bool apart = !g->row || guard_hides_linked(r);
    AUTO(row_index) rows = ROW_INDEX_INIT;
    for (size_t i = 0; i < count && apart; i++)
        row_index_add(&rows, graph_row(g, node[i]));
    size_t all = apart ? rows.count : g->nodes;
    AUTO_FREE struct trust *trust = xmalloc((all + 1) * sizeof(*trust));
    int result = apart ? trust_of_rows(r, rules_of(r), &rows, weakest, trust, e)
                       : trust_of_graph(r, rules_of(r), g, trust, e);
    for (size_t i = 0; i < count && result == 0; i++)
        out[i] = trust[apart ? row_index_find(&rows, graph_row(g, node[i])) : node[i]];
    return result;
}

int trust_of_nodes(struct reader *r, const struct graph *g, const uint32_t *node, size_t count,
                   struct trust *out, struct error *e)
{
    return nodes_trust(r, g, node, count, false, out, e);
}

struct trust *trust_of_outline(struct reader *r, const struct graph *g, const struct outline *o,
                               struct error *e)
{
    struct trust *trust = xmalloc((o->count + 1) * sizeof(*trust));
    AUTO_FREE uint32_t *node = xmalloc((o->count + 1) * sizeof(*node));
    for (size_t i = 0; i < o->count; i++)
        node[i] = o->line[i].node;
    int failed =
        reader_begin(r, e) || reader_done(r, nodes_trust(r, g, node, o->count, true, trust, e));
    if (!failed)
        return trust;
    free(trust);
    return NULL;
}

/* ---- what became of what sources told ---- */

/* Status 3 is retracted, 10 rejected; role 18 is contradicts. Whether it was reinforced needs the evidence:
 * evidence_confirms. */
#define RECORDED                                                                                   \
    "  m.status IN (3, 10) OR EXISTS (SELECT 1 FROM mark k WHERE k.memory = m.id AND k.mark = "    \
    "'poisoned'"                                                                                   \
    "   AND k.by_agent IS NOT 1)"                                                                  \
    "  OR EXISTS (SELECT 1 FROM link l JOIN memory o ON o.id = l.memory WHERE l.target = m.id"     \
    "   AND l.shape & 31 = 18 AND o.status < 3),"                                                  \
    "  EXISTS (SELECT 1 FROM mark k WHERE k.memory = m.id AND k.mark = 'approved'"                 \
    "   AND k.by_agent IS NOT 1)"                                                                  \
    "  OR ifnull(instr(m.detail, '\"last_verified\":\"'), 0) > 0,"                                 \
    "  EXISTS (SELECT 1 FROM history h WHERE h.memory = m.id AND h.evidence_source IS NOT NULL),"  \
    " m.source_type, m.source_entity"

static const char told_sql[] =
    "SELECT CASE WHEN substr(source_entity, 1, 6) = 'agent:' THEN substr(source_entity, 7)"
    " ELSE source_entity END AS whom, 0, m.id," RECORDED
    " FROM memory m NOT INDEXED WHERE m.source_entity IS NOT NULL AND m.source_entity <> '' AND "
    "m.status <> 7 ORDER BY whom";
/* Kinds 9 and 10 are logged retrievals and documents, lower ones what agents made of them. Roles below 6 support. */
static const char read_sql[] =
    "SELECT CASE WHEN json_valid(s.detail) THEN coalesce(json_extract(s.detail, '$.source_uri'),"
    " json_extract(s.detail, '$.uri')) END AS address, s.id, m.id," RECORDED
    " FROM memory s CROSS JOIN link b ON b.target = s.id AND b.shape & 31 < 6"
    " CROSS JOIN memory m ON m.id = b.memory WHERE s.kind IN (9, 10) AND s.status <> 7"
    " AND address <> '' AND m.kind < 9 AND m.status <> 7"
    " ORDER BY address, m.id, s.id DESC";
_Static_assert(KIND_ATTRIBUTION == 9 && KIND_DOCUMENT == 10 && ROLE_SUPPORT_COUNT == 6,
               "the numbers stand in the statement");

/* Laplace's rule of succession. */
static double calibrate(const struct trust_record *t)
{
    double known = (double)(t->confirmed + t->contradicted);
    return known > 0 ? ((double)t->confirmed + 1) / (known + 2) : (double)NAN;
}

static int compare_records(const void *a, const void *b)
{
    const struct trust_record *x = a, *y = b;
    /* fmin ignores NAN */
    int order = COMPARE(fmin(x->calibrated, x->trust), fmin(y->calibrated, y->trust));
    order = order ? order : COMPARE(y->memories, x->memories);
    return order ? order : strcmp(x->name, y->name);
}

/* Adds the rows of a statement, which are sorted by name and memory. */
static int add_records(struct reader *r, const char *sql, struct arena *arena,
                       struct trust_record **list, size_t *count, size_t *alloc, struct error *e)
{
    struct query rows = db_query(reader_db(r), e, sql, "");
    int64_t last = 0;
    for (struct trust_record *record = NULL; db_next(&rows);) {
        const char *name = column_utf8(arena, rows.stmt, 0);
        int64_t memory = sqlite3_column_int64(rows.stmt, 2);
        bool bad = sqlite3_column_int(rows.stmt, 3) != 0, good = sqlite3_column_int(rows.stmt, 4);
        if (!bad && !good && sqlite3_column_int(rows.stmt, 5) &&
            evidence_confirms(r, memory, &good, e))
            return db_fail(&rows);
        bool same = record && strcmp(record->name, name) == 0;
        if (same && memory == last) /* it is based on two retrievals of the page */
            continue;
        if (!same) {
            record = ARENA_ADD(arena, *list, *count, *alloc);
            *record = (struct trust_record){
                .name = name, .source = sqlite3_column_int64(rows.stmt, 1), .trust = 1};
        }
        last = memory;
        record->memories++;
        record->confirmed += good && !bad;
        record->contradicted += bad;
        record->trust =
            fmin(record->trust,
                 trust_weight(rules_of(r),
                              &(struct trust_source){
                                  .type = sqlite3_column_int64(rows.stmt, 6),
                                  .entity = (const char *)sqlite3_column_text(rows.stmt, 7)}));
    }
    return db_end(&rows);
}

int trust_records(struct reader *r, struct arena *arena, struct trust_record **out, size_t *count,
                  struct error *e)
{
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    if (add_records(r, told_sql, arena, out, count, &alloc, e) ||
        add_records(r, read_sql, arena, out, count, &alloc, e))
        return -1;
    for (size_t i = 0; i < *count; i++)
        (*out)[i].calibrated = calibrate(&(*out)[i]);
    SORT(*out, *count, compare_records);
    return 0;
}
