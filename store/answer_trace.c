/* A trace as the object of its JSON form. */
#include "answer.h"

#include <stdlib.h>
#include "../model/json.h"

#define NOT_THERE UINT32_MAX

/* The object in the making. */
struct drawing {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader;
    const struct trace *t;
    struct lineage walk;
    uint32_t *place; /* [nodes] where it stands in the walk, or NOT_THERE */
    struct arena arena;
};

static int flush(const struct drawing *d, struct error *e)
{
    return d->to->flush ? d->to->flush(d->to->arg, e) : 0;
}

static int read_row(struct drawing *d, uint32_t node, struct memory_row *row, struct error *e)
{
    arena_clear(&d->arena);
    return memory_row_read(d->reader, &d->arena, graph_row(&d->t->graph, node), row, e);
}

static int add_ref(struct drawing *d, uint32_t node, struct error *e)
{
    struct memory_row row;
    if (read_row(d, node, &row, e))
        return -1;
    exchange_add_ref(d->out, row.ref);
    return 0;
}

/* The text of a row may have been cut; the whole one is in the memory. */
static int whole_text(struct drawing *d, struct memory_row *row, struct error *e)
{
    struct memory m;
    if (!row->text_cut)
        return 0;
    if (memory_read(d->reader, &d->arena, row->node, &m, e))
        return -1;
    row->text = m.text;
    return 0;
}

static int add_node(struct drawing *d, size_t index, struct error *e)
{
    uint32_t node = d->walk.node[index];
    struct memory_row row;
    if (read_row(d, node, &row, e) || whole_text(d, &row, e))
        return -1;
    struct json_object o = json_begin(d->out, '{');
    json_key(&o, "ref");
    exchange_add_ref(d->out, row.ref);
    json_key(&o, "depth");
    json_add_int(d->out, d->walk.depth[index]);
    json_key(&o, "text");
    json_add_string(d->out, row.text ? row.text : "");
    json_key(&o, "label");
    json_add_string(d->out, label_name((enum label)d->t->labels.label[node]));
    json_key(&o, "status");
    json_add_string(d->out, status_name(row.status));
    if (row.status == STATUS_MISSING) {
        json_key(&o, "missing");
        strbuf_addstr(d->out, "true");
    }
    json_end(&o);
    return flush(d, e);
}

/* One antecedent of one justification. */
static int add_link(struct drawing *d, uint32_t just, uint32_t to, struct error *e)
{
    const struct graph *g = &d->t->graph;
    uint8_t shape = g->just_shape[just];
    struct json_object o = json_begin(d->out, '{');
    json_key(&o, "from");
    if (add_ref(d, g->just_node[just], e))
        return -1;
    json_key(&o, "to");
    if (add_ref(d, to, e))
        return -1;
    json_key(&o, "role");
    json_add_string(d->out, role_name(SHAPE_ROLE(shape)));
    json_key(&o, "reading");
    json_add_string(d->out, reading_name(SHAPE_READING(shape)));
    json_key(&o, "justification");
    json_add_int(d->out, g->just_group[just]);
    json_key(&o, "recorded");
    json_add_string(d->out, recorded_name(SHAPE_RECORDED(shape)));
    json_end(&o);
    return flush(d, e);
}

/* The links among the memories reached. */
static int add_links_of(struct drawing *d, uint32_t node, struct json_object *list, struct error *e)
{
    const struct graph *g = &d->t->graph;
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++)
        for (uint32_t l = g->link_first[j]; l < g->link_first[j + 1]; l++) {
            if (d->place[g->link_to[l]] == NOT_THERE)
                continue;
            json_item(list);
            if (add_link(d, j, g->link_to[l], e))
                return -1;
        }
    return 0;
}

static int add_cycles(struct drawing *d, struct error *e)
{
    struct json_object cycles = json_begin(d->out, '[');
    for (size_t c = 0; c < d->walk.cycle_count; c++) {
        json_item(&cycles);
        struct json_object cycle = json_begin(d->out, '[');
        for (size_t n = d->walk.cycle_first[c]; n < d->walk.cycle_first[c + 1]; n++) {
            json_item(&cycle);
            if (add_ref(d, d->walk.cycle[n], e) || flush(d, e))
                return -1;
        }
        json_end(&cycle);
    }
    json_end(&cycles);
    return 0;
}

static int add_answer(struct drawing *d, struct error *e)
{
    struct json_object o = json_begin(d->out, '{');
    json_key(&o, "nodes");
    struct json_object nodes = json_begin(d->out, '[');
    for (size_t i = 0; i < d->walk.count; i++) {
        json_item(&nodes);
        if (add_node(d, i, e))
            return -1;
    }
    json_end(&nodes);
    json_key(&o, "links");
    struct json_object links = json_begin(d->out, '[');
    for (size_t i = 0; i < d->walk.count; i++)
        if (add_links_of(d, d->walk.node[i], &links, e))
            return -1;
    json_end(&links);
    json_key(&o, "cut");
    json_add_int(d->out, (int64_t)d->walk.cut);
    json_key(&o, "cycles");
    if (add_cycles(d, e))
        return -1;
    json_end(&o);
    return 0;
}

static int no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                     "there is no memory for the trace");
}

static int find_places(struct drawing *d, struct error *e)
{
    uint32_t nodes = d->t->graph.nodes;
    d->place = malloc(nodes * sizeof(*d->place));
    if (!d->place)
        return no_memory(e);
    for (uint32_t n = 0; n < nodes; n++)
        d->place[n] = NOT_THERE;
    for (size_t i = 0; i < d->walk.count; i++)
        d->place[d->walk.node[i]] = (uint32_t)i;
    return 0;
}

int answer_trace(const struct answer *to, struct reader *r, const struct trace *t, struct error *e)
{
    struct drawing d = {.to = to, .out = to->out, .reader = r, .t = t, .arena = ARENA_INIT};
    if (lineage_walk(&d.walk, &t->graph, t->root, t->direction, t->depth))
        return no_memory(e);
    int result = find_places(&d, e) || add_answer(&d, e) ? -1 : 0;
    free(d.place);
    lineage_release(&d.walk);
    arena_release(&d.arena);
    return result;
}

int answer_lineage(struct reader *r, int64_t node, enum direction direction, uint32_t depth,
                   struct strbuf *out, struct error *e)
{
    struct trace t;
    if (reader_begin(r, e))
        return -1;
    int result = trace_load(&t, r, node, direction, depth, e);
    if (!result)
        result = answer_trace(&(struct answer){.out = out}, r, &t, e);
    trace_release(&t);
    reader_end(r);
    return result;
}
