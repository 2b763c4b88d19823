/* The questions roots, keystones and confidence: from how many independent origins a memory has its support. */
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/graph/fold.h"
#include "model/graph/interval.h"
#include "model/graph/roots.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/lineage/effective.h"
#include "store/lineage/loaded.h"
#include "store/questions/questions.h"
#include "store/questions/support.h"

/* ---- roots ---- */

#define COUNT_EXACT 9007199254740992.0 /* 2^53: up to it a double is exact */

enum {
    ROOTS_COUNTS,
    ROOTS_ROOTS,
    ROOTS_DERIVATIONS
};

static const struct report_column counts[] = {
    {"supports", NULL, REPORT_COUNT},       {"independent", NULL, REPORT_COUNT},
    {"proven", NULL, REPORT_YES},           {"ways", "derivations", REPORT_COUNT},
    {"oldest", "oldest root", REPORT_TIME}, {0},
};
static const struct report_column refs[] = {{NULL, "memory", REPORT_REF}, {0}};
static const struct report_part roots_parts[] = {
    [ROOTS_COUNTS] = {.shape = PART_MEMBERS, .columns = counts},
    [ROOTS_ROOTS] = {.key = "roots",
                     .title = "roots",
                     .shape = PART_LIST,
                     .columns = refs,
                     .none = "it has none"},
    [ROOTS_DERIVATIONS] = {.key = "derivations",
                           .title = "independent derivations",
                           .shape = PART_GROUPS,
                           .columns = refs,
                           .group_name = "derivation"},
    {0},
};

/* Folds over the leaves, which are those of independence: how many derivations, and since when one has all its
 * sources. */
static int fill_folds(const struct support *s, struct reader *r, const struct independence *roots,
                      struct cell *ways, struct cell *oldest, struct error *e)
{
    AUTO_FREE double *own = xmalloc(((size_t)s->graph->nodes + 1) * sizeof(*own));
    for (size_t i = 0; i < roots->root_count; i++)
        own[roots->root[i]] = 1;
    double count = fold_one(s->graph, s->labels, s->node, &fold_count, own);
    if (count <= COUNT_EXACT) /* else it is not known exactly, or endless in a circle */
        cell_int(ways, (int64_t)count);
    if (guard_hides_linked(r)) /* a root of another agent has no date for this caller */
        return 0;
    for (size_t i = 0; i < roots->root_count; i++) {
        int64_t at;
        if (db_int(reader_db(r), &at, 0, e, "SELECT created_at FROM memory WHERE id = ?", "i",
                   support_row(s, roots->root[i])))
            return -1;
        own[roots->root[i]] = (double)at;
    }
    cell_int(oldest, (int64_t)fold_one(s->graph, s->labels, s->node, &fold_oldest, own));
    return 0;
}

static int answer_roots(struct report *p, struct reader *r, const struct asked *asked,
                        struct error *e)
{
    AUTO(support) s = {0};
    AUTO(independence) found = {0};
    if (support_load(&s, r, asked->row[0], e))
        return -1;
    independence_compute(&found, s.graph, s.labels, s.node);
    struct cell *c = report_add(p, ROOTS_COUNTS, 0);
    cell_int(&c[0], found.supports);
    cell_int(&c[1], found.independent);
    cell_int(&c[2], found.proven);
    if (found.root_count && fill_folds(&s, r, &found, &c[3], &c[4], e))
        return -1;
    p->summary = arena_format(p->arena, "%s.", support_sentence(&s, p->arena, &found));
    const int64_t *rows = support_rows_sorted(&s, p->arena, found.root, found.root_count);
    for (size_t i = 0; i < found.root_count; i++)
        cell_int(report_add(p, ROOTS_ROOTS, 0), rows[i]);
    support_add_disbelieved(&s, p, ROOTS_ROOTS, r);
    for (uint32_t d = 0; d < found.independent; d++)
        for (size_t i = found.first[d]; i < found.first[d + 1]; i++)
            cell_int(report_add(p, ROOTS_DERIVATIONS, d), support_row(&s, found.member[i]));
    if (!found.proven)
        p->note = "There may be more independent derivations: a group that needs all of its "
                  "sources is packed greedily.";
    return support_note_others(&s, p, r, found.root, found.root_count, e);
}

const struct question question_roots = {
    .name = "roots",
    .of = ABOUT_MEMORY,
    .parts = roots_parts,
    .answer = answer_roots,
};

/* ---- confidence ---- */

static const struct report_column interval_columns[] = {
    {"stored", "stored", REPORT_NUMBER},
    {"effective", "effective", REPORT_NUMBER},
    {"low", "low", REPORT_NUMBER},
    {"high", "high", REPORT_NUMBER},
    {"exact", "exact", REPORT_NUMBER},
    {"best", "strongest", REPORT_NUMBER},
    {"weakest", "weakest link", REPORT_NUMBER},
    {"expression", "low =", REPORT_WORD},
    {"expression_high", "high =", REPORT_WORD},
    {0},
};
static const struct report_column leaf_columns[] = {
    {"ref", "root", REPORT_REF}, {"probability", "probability", REPORT_NUMBER}, {0}};
enum {
    CONFIDENCE_INTERVAL,
    CONFIDENCE_ROOTS
};
static const struct report_part confidence_parts[] = {
    [CONFIDENCE_INTERVAL] = {.shape = PART_MEMBERS, .columns = interval_columns},
    [CONFIDENCE_ROOTS] = {.key = "roots",
                          .title = "its roots, each right with",
                          .shape = PART_LIST,
                          .columns = leaf_columns},
    {0},
};

#define EXPRESSION_MOST 2000 /* bytes */

/* Whether it is not believed because of a retraction, or by the reader, for the moment. */
static bool was_taken(const struct graph *g, struct reader *r, uint32_t node)
{
    const struct disbelief *d = reader_disbelief(r);
    return d ? row_set_has(&d->rows, graph_row(g, node)) : g->status[node] == STATUS_RETRACTED;
}

/*
 * Justifications that shared a retracted root count one by one without it, so low may rise. In a what-if it keeps the
 * groups of what the store believes, and does not; after a retraction the page says that the bound became tighter.
 */
static void keep_groups(struct report *p, const struct support *s, struct reader *r,
                        const double *weight, struct interval *found, struct strbuf *low)
{
    struct graph base = *s->graph;
    struct labels labels;
    struct interval kept;
    AUTO_FREE uint8_t *status = xmalloc((size_t)base.nodes + 1);
    bool any = false;
    for (uint32_t v = 0; v < base.nodes; v++) {
        bool taken = was_taken(s->graph, r, v);
        any |= taken;
        status[v] = taken ? STATUS_ACTIVE : base.status[v];
    }
    if (!any || s->labels == &s->own) /* the caller does not see all of the lineage */
        return;
    base.status = status;
    labels_compute(&labels, &base);
    interval_without(&kept, &base, &labels, s->labels, s->node, weight);
    labels_release(&labels);
    if (found->low <= kept.low + 1e-12)
        return;
    if (!reader_disbelief(r)) {
        p->note = arena_format(
            p->arena,
            "Bound tightened: justifications that shared a source count one by one since it was "
            "retracted; as one group low would be %.3f.",
            kept.low);
        return;
    }
    p->note = "low keeps the groups of what the store believes: a what-if does not raise it, a "
              "retraction may.";
    found->low = kept.low;
    strbuf_clear(low);
}

static int fill_interval(struct report *p, const struct support *s, struct reader *r,
                         const struct independence *roots, struct error *e)
{
    struct interval found;
    struct row_label label = {0};
    int64_t row = p->subject;
    struct strbuf low = STRBUF_INIT, high = STRBUF_INIT;
    AUTO_FREE double *weight = xcalloc((size_t)s->graph->nodes + 1, sizeof(*weight));
    const uint32_t *leaf = roots->root_count ? roots->root : &s->node;
    size_t count = roots->root_count ? roots->root_count : 1;
    if (support_of_rows(r, &row, 1, &label, e) || support_weights(s, r, leaf, count, weight, e))
        return -1;
    interval_explain(&found, &low, &high, s->graph, s->labels, s->node, weight, EXPRESSION_MOST);
    if (!found.grouped)
        p->note = "low is a bound: which justifications share a root took too long to find, so "
                  "each memory counts its "
                  "best one alone.";
    else
        keep_groups(p, s, r, weight, &found, &low);
    struct cell *c = report_add(p, CONFIDENCE_INTERVAL, 0);
    cell_number(&c[0], label.stored);
    cell_number(&c[1], label.effective);
    cell_number(&c[2], found.low);
    cell_number(&c[3], found.high);
    cell_number(&c[4], found.exact);
    if (label_stands((enum label)s->labels->label[s->node])) {
        cell_number(&c[5], fold_one(s->graph, s->labels, s->node, &fold_best, weight));
        cell_number(&c[6], fold_one(s->graph, s->labels, s->node, &fold_weakest, weight));
    }
    if (low.len)
        cell_text(&c[7], arena_take(p->arena, &low));
    else
        strbuf_release(&low);
    cell_text(&c[8], arena_take(p->arena, &high));
    for (size_t i = 0; i < roots->root_count; i++) {
        c = report_add(p, CONFIDENCE_ROOTS, 0);
        cell_int(&c[0], support_row(s, roots->root[i]));
        cell_number(&c[1], weight[roots->root[i]]);
    }
    support_add_disbelieved(s, p, CONFIDENCE_ROOTS, r);
    return 0;
}

static int answer_confidence(struct report *p, struct reader *r, const struct asked *asked,
                             struct error *e)
{
    AUTO(support) s = {0};
    AUTO(independence) roots = {0};
    if (support_load(&s, r, asked->row[0], e))
        return -1;
    independence_compute(&roots, s.graph, s.labels, s.node);
    return failed_if(fill_interval(p, &s, r, &roots, e) ||
                     support_note_others(&s, p, r, roots.root, roots.root_count, e));
}

const struct question question_confidence = {
    .name = "confidence",
    .of = ABOUT_MEMORY,
    .parts = confidence_parts,
    .answer = answer_confidence,
};

/* ---- keystones ---- */

static const struct report_column keystone_columns[] = {{"ref", "memory", REPORT_REF},
                                                        {"loses", "lose support", REPORT_COUNT},
                                                        {"at_least", NULL, REPORT_YES},
                                                        {0}};
static const struct report_part keystones_parts[] = {
    {.shape = PART_LINES,
     .title = "without it alone, so many others lose all support",
     .columns = keystone_columns,
     .none = "no memory alone takes the support of another away"},
    {0},
};

struct keystone {
    int64_t row;
    uint32_t loses;
    bool at_least, disbelieved;
};

static int most_first(const void *a, const void *b)
{
    const struct keystone *x = a, *y = b;
    if (x->disbelieved != y->disbelieved)
        return x->disbelieved ? -1 : 1;
    return x->loses != y->loses ? COMPARE(y->loses, x->loses) : COMPARE(x->row, y->row);
}

/* What the reader disbelieves for the moment comes first, without a number: from there it is believed again. */
static void list_keystones(struct report *p, const struct reader *r, const struct keystones *k,
                           uint32_t nodes, const struct asked *asked)
{
    const struct disbelief *d = reader_disbelief(r);
    struct keystone *list = NULL;
    size_t count = 0, alloc = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        bool disbelieved = d && row_set_has(&d->rows, (int64_t)node + 1);
        if ((k->loses[node] || disbelieved || asked->count) && asked_for(asked, (int64_t)node + 1))
            *ARRAY_ADD(list, count, alloc) = (struct keystone){(int64_t)node + 1, k->loses[node],
                                                               k->at_least[node], disbelieved};
    }
    SORT(list, count, most_first);
    for (size_t i = 0; i < count; i++) {
        if (report_is_full(p, asked->limit))
            continue;
        struct cell *c = report_add(p, 0, 0);
        cell_int(&c[0], list[i].row);
        if (!list[i].disbelieved)
            cell_int(&c[1], list[i].loses);
        if (list[i].at_least)
            cell_int(&c[2], true);
    }
    free(list);
}

/* What a caller sees of the graph is its own: hidden memories must not count. */
static int answer_keystones_seen(struct report *p, struct reader *r, const struct asked *asked,
                                 struct error *e)
{
    AUTO(support) s = {0};
    AUTO(keystones) k = {0};
    if (support_load_all(&s, r, e))
        return -1;
    keystones_compute(&k, s.graph, s.labels, KEYSTONES_BUDGET);
    list_keystones(p, r, &k, s.graph->nodes, asked);
    return 0;
}

static int answer_keystones(struct report *p, struct reader *r, const struct asked *asked,
                            struct error *e)
{
    if (guard_hides_linked(r))
        return answer_keystones_seen(p, r, asked, e);
    const struct loaded *l = loaded_get(r, e);
    if (!l)
        return -1;
    const struct keystones *k = loaded_keystones(l, r, e);
    if (k)
        list_keystones(p, r, k, l->graph.nodes, asked);
    loaded_release(l);
    return k ? 0 : -1;
}

const struct question question_keystones = {
    .name = "keystones",
    .of = ABOUT_ALL,
    .parts = keystones_parts,
    .answer = answer_keystones,
};
