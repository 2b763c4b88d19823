#include "tui/view/memory/facts.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/guard/guard_mask.h"
#include "tui/text/member.h"

bool facts_stands(enum label label)
{
    return label == LABEL_GROUNDED || label == LABEL_WEAKENED || label == LABEL_UNSOURCED;
}

void facts_free(struct facts *f)
{
    if (!f)
        return;
    arena_release(&f->arena);
    free(f);
}

void facts_ref(const struct memory_row *row, size_t short_length, struct strbuf *out)
{
    size_t len = strlen(row->ref.id);
    if (!ref_is_uuid_prefix(row->ref.id, REF_SHORT) && len <= 24)
        short_length = len;
    strbuf_addf(out, "%s:%.*s", kind_name(row->ref.kind),
                (int)(short_length < len ? short_length : len), row->ref.id);
}

struct fact_row *facts_rows_read(struct reader *r, struct arena *arena, const int64_t *nodes,
                                 size_t count, struct error *e)
{
    struct fact_row *rows = arena_array(arena, count ? count : 1, sizeof(*rows));
    struct row_label *labels = arena_array(arena, count ? count : 1, sizeof(*labels));
    if (!rows || !labels) {
        error_set(e, ERROR_MEMORY, "", "there is no memory left for so many rows");
        return NULL;
    }
    if (count > 0 && labels_of_rows(r, nodes, count, labels, e))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (memory_row_read(r, arena, nodes[i], &rows[i].row, e))
            return NULL;
        rows[i].label = labels[i];
        rows[i].short_length = ref_short_length(r, rows[i].row.ref);
    }
    return rows;
}

static bool group_holds(const struct fact_group *g)
{
    bool all = g->justification->reading == READING_ALL || g->justification->count == 0;
    for (size_t i = 0; i < g->shown; i++) {
        bool stands = facts_stands(g->row[i].label.label);
        if (stands != all)
            return stands;
    }
    return all;
}

static int read_groups(struct reader *r, struct facts *f, struct error *e)
{
    const struct memory *m = &f->memory;
    int64_t nodes[FACTS_ROWS] = {0};
    f->group = arena_array(&f->arena, m->justification_count + 1, sizeof(*f->group));
    if (!f->group)
        return error_set(e, ERROR_MEMORY, "", "there is no memory left for justifications");
    for (size_t i = 0; i < m->justification_count; i++) {
        struct fact_group *g = &f->group[i];
        g->justification = &m->justifications[i];
        g->shown = g->justification->count < FACTS_ROWS ? g->justification->count : FACTS_ROWS;
        for (size_t k = 0; k < g->shown; k++)
            nodes[k] = g->justification->antecedents[k].node;
        g->row = facts_rows_read(r, &f->arena, nodes, g->shown, e);
        if (!g->row)
            return -1;
        g->holds = group_holds(g);
    }
    return 0;
}

static int read_relations(struct reader *r, struct facts *f, struct error *e)
{
    const struct memory *m = &f->memory;
    int64_t nodes[FACTS_ROWS] = {0};
    f->relation_shown = m->relation_count < FACTS_ROWS ? m->relation_count : FACTS_ROWS;
    for (size_t i = 0; i < f->relation_shown; i++)
        nodes[i] = m->relations[i].to_node;
    f->relation = facts_rows_read(r, &f->arena, nodes, f->relation_shown, e);
    return f->relation ? 0 : -1;
}

static int read_related(struct reader *r, struct facts *f, struct error *e)
{
    int64_t nodes[FACTS_ROWS] = {0};
    if (related_to(r, &f->arena, f->node, FACTS_ROWS, &f->related, &f->related_count,
                   &f->related_more, e))
        return -1;
    for (size_t i = 0; i < f->related_count; i++)
        nodes[i] = f->related[i].node;
    f->related_row = facts_rows_read(r, &f->arena, nodes, f->related_count, e);
    return f->related_row ? 0 : -1;
}

/* What each change of confidence came from, the latest first. */
static int read_evidence(struct reader *r, struct facts *f, struct error *e)
{
    const struct memory *m = &f->memory;
    size_t count = m->history_count < FACTS_ROWS ? m->history_count : FACTS_ROWS;
    f->evidence = arena_array(&f->arena, count + 1, sizeof(*f->evidence));
    if (!f->evidence)
        return error_set(e, ERROR_MEMORY, "", "there is no memory left for the history");
    for (size_t i = 0; i < count; i++) {
        const char *source = m->history[m->history_count - 1 - i].evidence_source;
        struct error unknown;
        struct ref ref;
        if (!source || ref_parse(source, &ref) != REF_MEMORY)
            continue;
        int64_t node = ref_find(reader_db(r), ref, &unknown); /* it is kept whole */
        if (node <= 0)
            continue;
        if (memory_row_read(r, &f->arena, node, &f->evidence[i].row, e))
            return -1;
        f->evidence[i].short_length = ref_short_length(r, ref);
    }
    return 0;
}

/* The rows of what rests on it directly, as many as are shown. */
static int keep_carried(struct reader *r, struct facts *f, const int64_t *nodes, struct error *e)
{
    f->carried_shown = f->carried_count < FACTS_ROWS ? f->carried_count : FACTS_ROWS;
    f->carried = facts_rows_read(r, &f->arena, nodes, f->carried_shown, e);
    return f->carried ? 0 : -1;
}

/* What rests on node 0 directly, each once, in the order of the graph; itself it does not carry. */
static int read_carried(struct reader *r, struct facts *f, const struct graph *g, struct error *e)
{
    int64_t nodes[FACTS_ROWS] = {0};
    uint32_t before = 0;
    for (uint32_t i = g->use_first[0]; i < g->use_first[1]; i++) {
        uint32_t user = g->just_node[g->use_just[i]];
        if (user == before || user == 0)
            continue;
        before = user;
        if (f->carried_count < FACTS_ROWS)
            nodes[f->carried_count] = graph_row(g, user);
        f->carried_count++;
    }
    return keep_carried(r, f, nodes, e);
}

/* Too much is around it to be weighed: what rests on it is only counted. */
static int count_carried(struct reader *r, struct facts *f, size_t bound, struct error *e)
{
    struct dependants below;
    int failed = dependants_find(r, f->node, bound, &below, e);
    if (!failed) {
        f->bounded = below.more;
        f->carried_count = below.direct;
        f->descends = below.count;
        failed = keep_carried(r, f, below.row, e);
    }
    free(below.row);
    return failed;
}

static int weigh(struct facts *f, const struct graph *g, struct error *e)
{
    struct labels labels;
    struct whatif what;
    const uint32_t root = 0;
    if (labels_compute(&labels, g))
        return error_set(e, ERROR_MEMORY, "", "there is no memory left for what this carries");
    int failed = whatif_retract(&what, g, &labels, &root, 1);
    if (!failed) {
        f->falls = what.fall_count;
        f->descends = what.fall_count + what.weakened_count + what.descends;
        whatif_release(&what);
    }
    labels_release(&labels);
    return failed ? error_set(e, ERROR_MEMORY, "", "there is no memory left for a what-if") : 0;
}

static int read_around(struct reader *r, struct facts *f, size_t bound, struct error *e)
{
    struct graph g;
    if (graph_load_around(r, &g, &f->node, 1, DESCENDANTS, bound, &f->bounded, e))
        return -1;
    int failed = 0;
    if (f->bounded)
        failed = count_carried(r, f, bound, e);
    else if (g.nodes > 0)
        failed = read_carried(r, f, &g, e) || weigh(f, &g, e) ? -1 : 0;
    graph_release(&g);
    return failed;
}

/* Masked, a value has another length than what counts. */
static int measure_value(struct reader *r, struct facts *f, struct error *e)
{
    struct memory whole = f->memory;
    if (f->memory.ref.kind != KIND_ENTRY)
        return 0;
    int result = reader_masked(r) ? guard_read_bare(r, &f->arena, f->node, &whole, e) : 0;
    f->value_bytes = result ? 0 : (int64_t)member_of(&whole, "value").len;
    return result;
}

static int read_all(struct reader *r, struct facts *f, size_t bound, struct error *e)
{
    if (memory_read(r, &f->arena, f->node, &f->memory, e) || measure_value(r, f, e) ||
        labels_of_rows(r, &f->node, 1, &f->label, e))
        return -1;
    f->short_length = ref_short_length(r, f->memory.ref);
    if (read_groups(r, f, e) || read_relations(r, f, e) || read_related(r, f, e) ||
        read_evidence(r, f, e))
        return -1;
    /* A preview needs no events. */
    if (bound == 0 && facts_past_read(r, &f->arena, &f->memory, &f->past, e))
        return -1;
    return read_around(r, f, bound, e);
}

struct facts *facts_read(struct reader *r, int64_t node, size_t bound, struct error *e)
{
    struct facts *f = xcalloc(1, sizeof(*f));
    if (!f) {
        error_set(e, ERROR_MEMORY, "", "there is no memory left to show this");
        return NULL;
    }
    f->arena = (struct arena)ARENA_INIT;
    f->node = node;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = read_all(r, f, bound, e);
        reader_end(r);
    }
    if (!failed)
        return f;
    facts_free(f);
    return NULL;
}
