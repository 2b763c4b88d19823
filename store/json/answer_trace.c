/* A lineage as JSON: whole for commands, and compact within a number of bytes for agents. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/json/json.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/json/answer_internal.h"
#include "store/json/compact.h"
#include "store/lineage/effective.h"
#include "store/lineage/trust.h"
#include "store/query/list.h"
#include "store/query/ref.h"
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

/* Adds the node of a memory of which the caller may see only ref and owner. */
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
    struct trust *trust = xmalloc((count + 1) * sizeof(*trust));
    int64_t *rows = xmalloc((count + 1) * sizeof(*rows));
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
    free(rows);
    free(trust);
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

/* ---- a lineage as compact JSON ---- */

#define CYCLES_PART 8  /* this fraction of the answer is for cycles */
#define NODE_LEAST  30 /* bytes of a node */

struct lineage_answer {
    struct strbuf *out;
    struct reader *reader;
    const struct trace *t;
    struct lineage walk;
    struct row_index place; /* position of a node in the walk */
    const char **ref;       /* [walk.count] in `refs`, NULL as long as they are not needed */
    struct arena refs, arena;
    size_t count; /* nodes of the walk that are written */
    size_t text;  /* bytes of each text */
};

static const char *ref_at(struct lineage_answer *d, const struct memory_row *m, size_t index)
{
    if (!d->ref[index])
        d->ref[index] = ref_short(d->reader, &d->refs, m->ref);
    return d->ref[index];
}

static int pair_support(struct lineage_answer *d, struct json_object *o, const struct memory_row *m,
                        uint32_t node, struct error *e)
{
    struct row_label support = {.label = (enum label)d->t->labels.label[node]};
    struct strbuf text = STRBUF_INIT;
    if (m->status == STATUS_MISSING) {
        json_pair_bool(o, "missing", true);
        return 0;
    }
    if (effective_fill(d->reader, &m->node, 1, &support, e))
        return -1;
    compact_add_text(&text, m->text ? m->text : "", COMPACT_TEXT, d->text);
    json_pair(o, "text", text.buf ? text.buf : "");
    strbuf_release(&text);
    compact_pair_effective(o, &support);
    json_pair(o, "label", label_name(support.label));
    if (m->status != STATUS_ACTIVE)
        json_pair(o, "status", status_name(m->status));
    return 0;
}

/* Adds a node as a row has it; of one that the caller may not see whole its ref and owner. */
static int add_row(struct lineage_answer *d, struct json_object *nodes, size_t index,
                   struct error *e)
{
    struct memory_row m;
    enum visibility visibility;
    uint32_t node = d->walk.node[index];
    int64_t row = graph_row(&d->t->graph, node);
    arena_clear(&d->arena);
    if (memory_row_read(d->reader, &d->arena, row, &m, e) ||
        guard_visibility_of(d->reader, row, m.ref.kind, m.agent_id, &visibility, e))
        return -1;
    struct json_object o = json_item_open(nodes, '{');
    json_pair(&o, "ref", ref_at(d, &m, index));
    json_pair_int(&o, "depth", (int64_t)d->walk.depth[index]);
    if (visibility == VISIBLE_WHOLE && pair_support(d, &o, &m, node, e))
        return -1;
    if (visibility != VISIBLE_WHOLE) {
        json_pair(&o, "agent_id", m.agent_id ? m.agent_id : "");
        json_pair_bool(&o, "withheld", true);
    }
    json_end(&o);
    return 0;
}

/* Whether both were given together. Of a reading by any each antecedent is a justification. */
static bool is_together(const struct graph *g, uint32_t a, uint32_t b)
{
    return g->just_node[a] == g->just_node[b] && g->just_group[a] == g->just_group[b] &&
           g->just_shape[a] == g->just_shape[b];
}

/* Adds what was given together from the justification `*just` on, as far as it is written; moves on to the next. */
static void add_group(struct lineage_answer *d, struct json_object *links, size_t from,
                      uint32_t *just, uint32_t end)
{
    const struct graph *g = &d->t->graph;
    uint32_t first = *just;
    uint8_t shape = g->just_shape[first];
    size_t began = d->out->len, count = 0, written = 0;
    struct json_object before = *links, o = json_item_open(links, '{');
    json_pair(&o, "from", d->ref[from]);
    struct json_object to = json_open(&o, "to", '[');
    for (; *just < end && is_together(g, first, *just); ++*just)
        for (uint32_t l = g->link_first[*just]; l < g->link_first[*just + 1]; l++, count++) {
            size_t place = row_index_find(&d->place, g->link_to[l]);
            if (place >= d->count)
                continue;
            json_item(&to);
            json_add_string(d->out, d->ref[place]);
            written++;
        }
    json_end(&to);
    if (SHAPE_ROLE(shape) != ROLE_DERIVED_FROM)
        json_pair(&o, "role", role_name(SHAPE_ROLE(shape)));
    if (SHAPE_READING(shape) == READING_ALL && count > 1)
        json_pair(&o, "reading", reading_name(READING_ALL));
    if (SHAPE_RECORDED(shape) != RECORDED)
        json_pair(&o, "recorded", recorded_name(SHAPE_RECORDED(shape)));
    json_end(&o);
    if (written)
        return;
    strbuf_cut(d->out, began);
    *links = before;
}

static void add_groups(struct lineage_answer *d, struct json_object *links, size_t from)
{
    const struct graph *g = &d->t->graph;
    uint32_t node = d->walk.node[from];
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1];)
        add_group(d, links, from, &j, g->just_first[node + 1]);
}

/* Adds the first nodes of the walk, and the links between them. */
static int add_part(struct lineage_answer *d, struct json_object *o, struct error *e)
{
    struct json_object nodes = json_open(o, "nodes", '[');
    for (size_t i = 0; i < d->count; i++)
        if (add_row(d, &nodes, i, e))
            return -1;
    json_end(&nodes);
    struct json_object links = json_open(o, "links", '[');
    for (size_t i = 0; i < d->count; i++)
        add_groups(d, &links, i);
    json_end(&links);
    return 0;
}

static int add_member(struct lineage_answer *d, struct json_object *cycle, uint32_t node,
                      struct error *e)
{
    struct memory_row m;
    arena_clear(&d->arena);
    if (memory_row_read(d->reader, &d->arena, graph_row(&d->t->graph, node), &m, e))
        return -1;
    json_item(cycle);
    json_add_string(d->out, ref_short(d->reader, &d->arena, m.ref));
    return 0;
}

/* Adds the cycles that have room; *more is the number of others. */
static int add_rings(struct lineage_answer *d, struct json_object *o, size_t most, size_t *more,
                     struct error *e)
{
    const struct lineage *walk = &d->walk;
    size_t began = d->out->len;
    struct json_object cycles = json_open(o, "cycles", '[');
    *more = 0;
    for (size_t c = 0; c < walk->cycle_count; c++) {
        size_t start = d->out->len, n = walk->cycle_first[c], end = walk->cycle_first[c + 1];
        struct json_object before = cycles, cycle = json_item_open(&cycles, '[');
        for (; n < end && (!most || d->out->len - began < most); n++)
            if (add_member(d, &cycle, walk->cycle[n], e))
                return -1;
        json_end(&cycle);
        if (n == end)
            continue;
        strbuf_cut(d->out, start);
        cycles = before;
        ++*more;
    }
    json_end(&cycles);
    return 0;
}

/* Writes the answer anew with so many nodes and so much of each text. */
static int write_lineage(struct lineage_answer *d, size_t count, size_t text, size_t most,
                         struct error *e)
{
    static const char todo[] =
        "Ask for a smaller depth, or for the lineage of the memory that you need.";
    size_t left = d->walk.count - count, more;
    strbuf_clear(d->out);
    d->count = count;
    d->text = text;
    struct json_object o = json_begin(d->out, '{');
    if (add_part(d, &o, e))
        return -1;
    json_pair_int(&o, "cut", (int64_t)(d->walk.cut + left));
    if (left)
        json_pair_int(&o, "nodes_more", (int64_t)left);
    if (add_rings(d, &o, most ? most / CYCLES_PART + 1 : 0, &more, e))
        return -1;
    if (more)
        json_pair_int(&o, "cycles_more", (int64_t)more);
    if (left)
        json_pair(&o, "todo", todo);
    json_end(&o);
    return 0;
}

/* As many nodes as fit with the beginnings of their texts; then the texts have what is left. */
static int fill_lineage(struct lineage_answer *d, size_t most, struct error *e)
{
    size_t low = 1, high = d->walk.count < most / NODE_LEAST ? d->walk.count : most / NODE_LEAST;
    if (write_lineage(d, high ? high : 1, TEXT_LEAST, most, e))
        return -1;
    if (d->out->len > most && high > 1)
        high--;
    else
        low = high;
    while (low < high) {
        size_t half = (low + high + 1) / 2;
        if (write_lineage(d, half, TEXT_LEAST, most, e))
            return -1;
        if (d->out->len > most)
            high = half - 1;
        else
            low = half;
    }
    if (d->count != low && write_lineage(d, low ? low : 1, TEXT_LEAST, most, e))
        return -1;
    size_t left = d->out->len < most ? most - d->out->len : 0;
    return write_lineage(d, d->count, TEXT_LEAST + left / d->count, most, e);
}

static size_t links_of_walk(const struct lineage_answer *d)
{
    const struct graph *g = &d->t->graph;
    size_t links = 0;
    for (size_t i = 0; i < d->walk.count; i++) {
        uint32_t node = d->walk.node[i];
        links += g->link_first[g->just_first[node + 1]] - g->link_first[g->just_first[node]];
    }
    return links;
}

static int compact_lineage(struct lineage_answer *d, size_t most, size_t *full, struct error *e)
{
    const struct trace *t = d->t;
    lineage_walk(&d->walk, &t->graph, t->root, t->direction, t->depth);
    for (size_t i = 0; i < d->walk.count; i++)
        row_index_add(&d->place, d->walk.node[i]);
    d->ref = xcalloc(d->walk.count + 1, sizeof(*d->ref));
    lineage_full_bytes(&d->walk, links_of_walk(d), full);
    size_t part = (d->walk.count > 3 ? d->walk.count : 3) * OUTLINE_LINE;
    int result = most ? fill_lineage(d, most < part ? most : part, e)
                      : write_lineage(d, d->walk.count, SIZE_MAX, 0, e);
    free(d->ref);
    row_index_release(&d->place);
    lineage_release(&d->walk);
    arena_release(&d->refs);
    arena_release(&d->arena);
    return result;
}

int answer_lineage(struct reader *r, int64_t node, enum direction direction, uint32_t depth,
                   size_t most, struct strbuf *out, size_t *full, struct error *e)
{
    struct trace t;
    uint8_t *view = NULL;
    struct strbuf json = STRBUF_INIT;
    if (reader_begin(r, e))
        return -1;
    struct lineage_answer d = {.out = &json, .reader = r, .t = &t, .place = ROW_INDEX_INIT};
    int result = trace_load_visible(&t, r, node, direction, depth, &view, e);
    if (!result)
        result = compact_lineage(&d, most, full, e);
    strbuf_add(out, json.buf, json.len);
    strbuf_release(&json);
    trace_release(&t);
    free(view);
    reader_end(r);
    return result;
}

/* ---- for the room ---- */

/* Of a lineage in full form, on average. */
#define FULL_NODE 170
#define FULL_LINK 150

void lineage_full_bytes(const struct lineage *walk, size_t links, size_t *full)
{
    if (full)
        *full = walk->count * FULL_NODE + links * FULL_LINK;
}

size_t inside_json(const char *text, size_t len)
{
    size_t bytes = len;
    for (size_t i = 0; i < len; i++)
        bytes += text[i] == '"' || text[i] == '\\' || text[i] == '\n';
    return bytes;
}
