/* A lineage as JSON for commands: whole. */
#include <math.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/json/json.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/json/answer_internal.h"
#include "store/lineage/effective.h"
#include "store/lineage/trust.h"
#include "store/query/list.h"
#include "store/record/get.h"

/* ---- a trace as JSON ---- */

/* State of an answer. */
struct trace_answer {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader;
    const struct trace *t;
    struct lineage walk;
    struct row_index place;    /* position of a node in the walk */
    struct row_label *support; /* [walk.count] */
    struct memory memory;      /* the one being written: its ref, status and text, in `arena` */
    struct arena arena;
};

static int flush(const struct trace_answer *d, struct error *e)
{
    return d->to->flush ? d->to->flush(d->to->arg, e) : 0;
}

static int add_ref(struct trace_answer *d, uint32_t node, struct error *e)
{
    arena_clear(&d->arena);
    if (memory_read_text(reader_db(d->reader), &d->arena, graph_row(&d->t->graph, node), &d->memory,
                         e))
        return -1;
    memory_json_add_ref(d->out, d->memory.ref);
    return 0;
}

/* Adds the node of a memory whose text the caller may not see: its ref and owner. */
static int add_withheld(struct trace_answer *d, size_t index, int64_t row, struct error *e)
{
    struct memory_row m;
    if (memory_row_read(d->reader, &d->arena, row, &m, e))
        return -1;
    struct json_object o = json_begin(d->out, '{');
    memory_json_pair_ref(&o, "ref", m.ref);
    json_pair_int(&o, "depth", (int64_t)d->walk.depth[index]);
    json_pair(&o, "agent_id", m.agent_id ? m.agent_id : "");
    json_pair_bool(&o, "withheld", true);
    json_end(&o);
    return flush(d, e);
}

static struct json_object add_value(struct json_object *list, const char *reason, double value)
{
    struct json_object o = json_item_open(list, '{');
    json_pair_double(&o, "value", value);
    json_pair(&o, "reason", reason);
    return o;
}

/* Adds how the effective confidence of the memory comes from the stored one, a value for each step. */
static int add_arithmetic(struct trace_answer *d, struct json_object *o, int64_t row,
                          const struct row_label *support, struct error *e)
{
    struct memory m;
    struct effective sum;
    bool *fallen;
    if (memory_read(d->reader, &d->arena, row, &m, e) ||
        effective_of(d->reader, &d->arena, row, support->label, &sum, &fallen, support->trust, e))
        return -1;
    struct json_object list = json_open(o, "arithmetic", '[');
    struct json_object step = add_value(&list, "stored", sum.stored);
    json_end(&step);
    for (size_t i = 0; i < m.history_count; i++) {
        if (!fallen[i])
            continue;
        step = add_value(&list, "lost evidence", confidence_kept(&m, fallen, i + 1));
        json_pair_double(&step, "change",
                         rint((m.history[i].old - m.history[i].new_) * 1000) / 1000);
        json_pair(&step, "evidence_source", m.history[i].evidence_source);
        json_end(&step);
    }
    if (sum.decay.now < sum.decay.base) {
        step = add_value(&list, "decay", sum.decay.now);
        json_end(&step);
    }
    if (sum.capped) {
        step = add_value(&list, "trust", support->trust);
        json_end(&step);
    }
    if (!sum.stands) {
        step = add_value(
            &list,
            support->label == LABEL_ENDED ? status_name(m.status) : label_name(support->label), 0);
        json_end(&step);
    }
    json_end(&list);
    return 0;
}

static int add_confidence(struct trace_answer *d, struct json_object *o, size_t index, int64_t row,
                          struct error *e)
{
    const struct row_label *support = &d->support[index];
    json_pair_double(o, "confidence", support->stored);
    json_pair_double(o, "effective", support->effective);
    json_pair_double(o, "trust", support->trust);
    return index == 0 && support->effective != support->stored
               ? add_arithmetic(d, o, row, support, e)
               : 0;
}

static int add_node(struct trace_answer *d, size_t index, struct error *e)
{
    uint32_t node = d->walk.node[index];
    int64_t row = graph_row(&d->t->graph, node);
    enum visibility visibility = VISIBLE_WHOLE;
    if (guard_hides_linked(d->reader) && guard_visibility(d->reader, row, &visibility, e))
        return -1;
    if (visibility != VISIBLE_WHOLE)
        return add_withheld(d, index, row, e);
    struct json_object o = json_begin(d->out, '{');
    json_key(&o, "ref");
    if (add_ref(d, node, e))
        return -1;
    json_pair_int(&o, "depth", (int64_t)d->walk.depth[index]);
    if (guard_status(d->reader, d->memory.ref.kind, row, &d->memory.status, e))
        return -1;
    const char *text =
        guard_memory_text(d->reader, &d->arena, row, d->memory.ref.kind, d->memory.text);
    json_pair(&o, "text", text ? text : "");
    json_pair(&o, "label", label_name((enum label)d->t->labels.label[node]));
    json_pair(&o, "status", status_name(d->memory.status));
    if (d->memory.status == STATUS_MISSING)
        json_pair_bool(&o, "missing", true);
    else if (add_confidence(d, &o, index, row, e))
        return -1;
    json_end(&o);
    return flush(d, e);
}

/* Adds one antecedent of a justification. */
static int add_link(struct trace_answer *d, struct json_object *list, uint32_t just, uint32_t to,
                    struct error *e)
{
    const struct graph *g = &d->t->graph;
    uint8_t shape = g->just_shape[just];
    struct json_object o = json_item_open(list, '{');
    json_key(&o, "from");
    if (add_ref(d, g->just_node[just], e))
        return -1;
    json_key(&o, "to");
    if (add_ref(d, to, e))
        return -1;
    json_pair(&o, "role", role_name(SHAPE_ROLE(shape)));
    json_pair(&o, "reading", reading_name(SHAPE_READING(shape)));
    json_pair_int(&o, "justification", g->just_group[just]);
    json_pair(&o, "recorded", recorded_name(SHAPE_RECORDED(shape)));
    json_end(&o);
    return flush(d, e);
}

/* Adds the links from the node at position `place` to itself and to nodes before it. */
static int add_links(struct trace_answer *d, struct json_object *list, uint32_t place,
                     struct error *e)
{
    const struct graph *g = &d->t->graph;
    uint32_t node = d->walk.node[place];
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++)
        for (uint32_t l = g->link_first[j]; l < g->link_first[j + 1]; l++)
            if (row_index_find(&d->place, g->link_to[l]) <= place &&
                add_link(d, list, j, g->link_to[l], e))
                return -1;
    for (uint32_t u = g->use_first[node]; u < g->use_first[node + 1]; u++)
        if (row_index_find(&d->place, g->just_node[g->use_just[u]]) < place &&
            add_link(d, list, g->use_just[u], node, e))
            return -1;
    return 0;
}

static int add_nodes(struct trace_answer *d, struct json_object *o, struct error *e)
{
    struct json_object nodes = json_open(o, "nodes", '[');
    for (size_t i = 0; i < d->walk.count; i++) {
        json_item(&nodes);
        if (add_node(d, i, e))
            return -1;
    }
    json_end(&nodes);
    struct json_object links = json_open(o, "links", '[');
    for (size_t i = 0; i < d->walk.count; i++)
        if (add_links(d, &links, (uint32_t)i, e))
            return -1;
    json_end(&links);
    return 0;
}

static int add_cycles(struct trace_answer *d, struct json_object *o, struct error *e)
{
    const struct lineage *walk = &d->walk;
    struct json_object cycles = json_open(o, "cycles", '[');
    for (size_t c = 0; c < walk->cycle_count; c++) {
        struct json_object cycle = json_item_open(&cycles, '[');
        for (size_t n = walk->cycle_first[c]; n < walk->cycle_first[c + 1]; n++) {
            json_item(&cycle);
            if (add_ref(d, walk->cycle[n], e) || flush(d, e))
                return -1;
        }
        json_end(&cycle);
    }
    json_end(&cycles);
    return 0;
}

static int add_answer(struct trace_answer *d, struct error *e)
{
    struct json_object o = json_begin(d->out, '{');
    if (add_nodes(d, &o, e))
        return -1;
    json_pair_int(&o, "cut", (int64_t)d->walk.cut);
    if (add_cycles(d, &o, e))
        return -1;
    json_end(&o);
    return 0;
}

/* Sets the support of each node of the walk. */
static int find_support(struct trace_answer *d, struct error *e)
{
    size_t count = d->walk.count;
    AUTO_FREE struct trust *trust = xmalloc((count + 1) * sizeof(*trust));
    AUTO_FREE int64_t *rows = xmalloc((count + 1) * sizeof(*rows));
    int result = trust_of_nodes(d->reader, &d->t->graph, d->walk.node, count, trust, e);
    d->support = xcalloc(count + 1, sizeof(*d->support));
    for (size_t i = 0; i < count && !result; i++) {
        rows[i] = graph_row(&d->t->graph, d->walk.node[i]);
        d->support[i] = (struct row_label){.label = (enum label)d->t->labels.label[d->walk.node[i]],
                                           .has_trust = true,
                                           .trust = trust[i].value};
    }
    if (!result)
        result = effective_fill(d->reader, rows, count, d->support, e);
    return result;
}

int answer_trace(const struct answer *to, struct reader *r, const struct trace *t, struct error *e)
{
    struct trace_answer d = {
        .to = to, .out = to->out, .reader = r, .t = t, .place = ROW_INDEX_INIT};
    lineage_walk(&d.walk, &t->graph, t->root, t->direction, t->depth);
    for (size_t i = 0; i < d.walk.count; i++)
        row_index_add(&d.place, d.walk.node[i]);
    int result = find_support(&d, e) || add_answer(&d, e) ? -1 : 0;
    free(d.support);
    row_index_release(&d.place);
    lineage_release(&d.walk);
    arena_release(&d.arena);
    return result;
}
