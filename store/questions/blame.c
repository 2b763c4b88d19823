/* The questions blame and taint: which sources a belief's support hangs on, and what a source reached. */
#include "model/graph/blame.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "store/guard/guard.h"
#include "store/questions/questions.h"
#include "store/questions/support.h"

/* ---- blame ---- */

enum {
    BLAME_SETS,
    BLAME_MINIMAL,
    BLAME_SOURCES
};

static const struct report_column set_columns[] = {{NULL, "memory", REPORT_REF}, {0}};
static const struct report_column minimal_columns[] = {{"minimal", NULL, REPORT_YES}, {0}};
static const struct report_column source_columns[] = {
    {"ref", "source", REPORT_REF},
    {"responsibility", "responsibility", REPORT_NUMBER},
    {"share", "share", REPORT_NUMBER},
    {"error", "±", REPORT_NUMBER},
    {"at_most", NULL, REPORT_YES}, /* the responsibility, if so */
    {0},
};
static const struct report_part blame_parts[] = {
    [BLAME_SETS] = {.key = "sets",
                    .title = "the smallest sets of sources that it hangs on",
                    .shape = PART_GROUPS,
                    .columns = set_columns,
                    .group_name = "set",
                    .none = "no retraction of sources takes its support away"},
    [BLAME_MINIMAL] = {.shape = PART_MEMBERS, .columns = minimal_columns},
    [BLAME_SOURCES] = {.key = "sources",
                       .title = "its sources",
                       .shape = PART_LIST,
                       .columns = source_columns},
    {0},
};

struct source_set {
    int64_t *row;
    size_t count;
};

static int smallest_first(const void *a, const void *b)
{
    const struct source_set *x = a, *y = b;
    int order = COMPARE(x->count, y->count);
    for (size_t i = 0; i < x->count && order == 0; i++)
        order = COMPARE(x->row[i], y->row[i]);
    return order;
}

static void fill_sets(struct report *p, const struct support *s, const struct blame *b)
{
    struct source_set *sets = arena_array(p->arena, b->set_count + 1, sizeof(*sets));
    for (size_t i = 0; i < b->set_count; i++) {
        sets[i].count = b->first[i + 1] - b->first[i];
        sets[i].row = support_rows_sorted(s, p->arena, b->member + b->first[i], sets[i].count);
    }
    SORT(sets, b->set_count, smallest_first);
    for (uint32_t set = 0; set < b->set_count; set++)
        for (size_t i = 0; i < sets[set].count; i++)
            cell_int(report_add(p, BLAME_SETS, set), sets[set].row[i]);
}

struct blamed {
    const struct blame_source *source;
    int64_t row;
};

static int most_responsible_first(const void *a, const void *b)
{
    const struct blamed *x = a, *y = b;
    if (x->source->responsibility != y->source->responsibility)
        return COMPARE(y->source->responsibility, x->source->responsibility);
    return x->source->share != y->source->share ? COMPARE(y->source->share, x->source->share)
                                                : COMPARE(x->row, y->row);
}

/* Returns the nodes, in the arena. */
static const uint32_t *fill_sources(struct report *p, const struct support *s,
                                    const struct blame *b)
{
    struct blamed *list = arena_array(p->arena, b->source_count + 1, sizeof(*list));
    uint32_t *nodes = arena_array(p->arena, b->source_count + 1, sizeof(*nodes));
    for (size_t i = 0; i < b->source_count; i++) {
        list[i] = (struct blamed){&b->source[i], support_row(s, b->source[i].node)};
        nodes[i] = b->source[i].node;
    }
    SORT(list, b->source_count, most_responsible_first);
    for (size_t i = 0; i < b->source_count; i++) {
        struct cell *c = report_add(p, BLAME_SOURCES, 0);
        cell_int(&c[0], list[i].row);
        cell_number(&c[1], list[i].source->responsibility);
        cell_number(&c[2], list[i].source->share);
        cell_number(&c[3], list[i].source->error > 0 ? list[i].source->error : NAN);
        if (list[i].source->at_most)
            cell_int(&c[4], true);
    }
    return nodes;
}

static int fill_blame(struct report *p, const struct support *s, const struct blame *b,
                      struct reader *r, struct error *e)
{
    fill_sets(p, s, b);
    cell_int(report_add(p, BLAME_MINIMAL, 0), !b->greedy);
    const uint32_t *nodes = fill_sources(p, s, b);
    support_add_disbelieved(s, p, BLAME_SOURCES, r);
    if (b->greedy)
        p->note = "The set is not proven minimal: the search ended at its limit.";
    else if (b->exact_to != SIZE_MAX)
        p->note = arena_format(
            p->arena, "All sets of up to %zu sources are listed; there may be larger ones.",
            b->exact_to);
    return support_note_others(s, p, r, nodes, b->source_count, e);
}

static int answer_blame(struct report *p, struct reader *r, const struct asked *asked,
                        struct error *e)
{
    AUTO(support) s = {0};
    AUTO(blame) b = {0};
    if (support_load(&s, r, asked->row[0], e))
        return -1;
    blame_compute(&b, s.graph, s.labels, s.node, BLAME_BUDGET);
    if (!label_stands((enum label)s.labels->label[s.node]))
        p->summary = "It has no support that a retraction could take away.";
    return fill_blame(p, &s, &b, r, e);
}

const struct question question_blame = {
    .name = "blame",
    .of = ABOUT_MEMORY,
    .parts = blame_parts,
    .answer = answer_blame,
};

/* ---- taint ---- */

enum {
    TAINT_ALONE,
    TAINT_TOUCHED
};

static const struct report_part taint_parts[] = {
    [TAINT_ALONE] = {.key = "alone",
                     .title = "based on it alone",
                     .shape = PART_LIST,
                     .columns = set_columns,
                     .none = "nothing is based on it alone"},
    [TAINT_TOUCHED] = {.key = "touched",
                       .title = "touched by it",
                       .shape = PART_LIST,
                       .columns = set_columns,
                       .none = "nothing comes from it"},
    {0},
};

/* As in what-if: of the memories of other agents nothing is told, as what they are based on is theirs. */
static int add_node(struct report *p, struct reader *r, size_t part, int64_t row, struct error *e)
{
    enum visibility visibility = VISIBLE_WHOLE;
    if (guard_hides_linked(r) && guard_visibility(r, row, &visibility, e))
        return -1;
    if (visibility == VISIBLE_WHOLE)
        cell_int(report_add(p, part, 0), row);
    return 0;
}

static int add_nodes(struct report *p, struct reader *r, size_t part, const struct retraction *q,
                     const uint32_t *node, size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (add_node(p, r, part, graph_row(&q->graph, node[i]), e))
            return -1;
    return 0;
}

static int answer_taint(struct report *p, struct reader *r, const struct asked *asked,
                        struct error *e)
{
    AUTO(retraction) q = {0};
    const struct whatif *w = &q.outcome;
    if (retraction_load(&q, r, asked->row, 1, e) ||
        add_nodes(p, r, TAINT_ALONE, &q, w->unsupported, w->unsupported_count, e) ||
        add_nodes(p, r, TAINT_TOUCHED, &q, w->unsupported, w->unsupported_count, e))
        return -1;
    for (size_t i = 0; i < w->weakened_count; i++)
        if (add_nodes(p, r, TAINT_TOUCHED, &q, &w->weakened[i].node, 1, e))
            return -1;
    return add_nodes(p, r, TAINT_TOUCHED, &q, w->descending, w->descending_count, e);
}

const struct question question_taint = {
    .name = "taint",
    .of = ABOUT_MEMORY,
    .parts = taint_parts,
    .answer = answer_taint,
};
