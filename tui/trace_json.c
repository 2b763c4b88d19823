/* A trace as the object of its JSON form: the same graph and the same walk as for people. */
#include <stdlib.h>
#include "../model/json.h"
#include "brief.h"
#include "trace.h"

#define NOT_THERE UINT32_MAX

/* The trace as JSON in the making. */
struct answer {
    struct output *out;
    struct reader *reader;
    const struct trace *t;
    struct lineage walk;
    uint32_t *place; /* [nodes] where it stands in the walk, or NOT_THERE */
    struct arena arena;
};

static int add_ref(struct answer *a, uint32_t node, struct error *e)
{
    struct memory_row row;
    arena_clear(&a->arena);
    if (memory_row_read(a->reader, &a->arena, graph_row(&a->t->graph, node), &row, e))
        return -1;
    json_add_ref(&a->out->text, row.ref);
    return 0;
}

/* The text of a row may have been cut; the whole one is in the memory. */
static int whole_text(struct answer *a, struct memory_row *row, struct error *e)
{
    struct memory m;
    if (!row->text_cut)
        return 0;
    if (memory_read(a->reader, &a->arena, row->node, &m, e))
        return -1;
    row->text = m.text;
    return 0;
}

static int add_node(struct answer *a, size_t index, struct error *e)
{
    struct strbuf *out = &a->out->text;
    uint32_t node = a->walk.node[index];
    struct memory_row row;
    struct json_object o = json_begin(out, '{');
    json_key(&o, "ref");
    if (add_ref(a, node, e) ||
        memory_row_read(a->reader, &a->arena, graph_row(&a->t->graph, node), &row, e) ||
        whole_text(a, &row, e))
        return -1;
    json_key(&o, "depth");
    json_add_int(out, a->walk.depth[index]);
    json_key(&o, "text");
    json_add_string(out, row.text ? row.text : "");
    json_key(&o, "label");
    json_add_string(out, label_name((enum label)a->t->labels.label[node]));
    json_key(&o, "status");
    json_add_string(out, status_name(row.status));
    if (row.status == STATUS_MISSING) {
        json_key(&o, "missing");
        strbuf_addstr(out, "true");
    }
    json_end(&o);
    return output_row(a->out, e);
}

/* One antecedent of one justification. */
static int add_link(struct answer *a, uint32_t just, uint32_t to, struct error *e)
{
    struct strbuf *out = &a->out->text;
    const struct graph *g = &a->t->graph;
    uint8_t shape = g->just_shape[just];
    struct json_object o = json_begin(out, '{');
    json_key(&o, "from");
    if (add_ref(a, g->just_node[just], e))
        return -1;
    json_key(&o, "to");
    if (add_ref(a, to, e))
        return -1;
    json_key(&o, "role");
    json_add_string(out, role_name(SHAPE_ROLE(shape)));
    json_key(&o, "reading");
    json_add_string(out, reading_name(SHAPE_READING(shape)));
    json_key(&o, "justification");
    json_add_int(out, g->just_group[just]);
    json_key(&o, "recorded");
    json_add_string(out, recorded_name(SHAPE_RECORDED(shape)));
    json_end(&o);
    return output_row(a->out, e);
}

/* The links among the memories reached. */
static int add_links_of(struct answer *a, uint32_t node, struct json_object *list, struct error *e)
{
    const struct graph *g = &a->t->graph;
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++)
        for (uint32_t l = g->link_first[j]; l < g->link_first[j + 1]; l++) {
            if (a->place[g->link_to[l]] == NOT_THERE)
                continue;
            json_item(list);
            if (add_link(a, j, g->link_to[l], e))
                return -1;
        }
    return 0;
}

static int add_cycles(struct answer *a, struct error *e)
{
    struct json_object cycles = json_begin(&a->out->text, '[');
    for (size_t c = 0; c < a->walk.cycle_count; c++) {
        json_item(&cycles);
        struct json_object cycle = json_begin(&a->out->text, '[');
        for (uint32_t n = a->walk.cycle_first[c]; n < a->walk.cycle_first[c + 1]; n++) {
            json_item(&cycle);
            if (add_ref(a, a->walk.cycle[n], e))
                return -1;
        }
        json_end(&cycle);
    }
    json_end(&cycles);
    return 0;
}

static int add_answer(struct answer *a, struct error *e)
{
    struct strbuf *out = &a->out->text;
    struct json_object o = json_begin(out, '{');
    json_key(&o, "nodes");
    struct json_object nodes = json_begin(out, '[');
    for (size_t i = 0; i < a->walk.count; i++) {
        json_item(&nodes);
        if (add_node(a, i, e))
            return -1;
    }
    json_end(&nodes);
    json_key(&o, "links");
    struct json_object links = json_begin(out, '[');
    for (size_t i = 0; i < a->walk.count; i++)
        if (add_links_of(a, a->walk.node[i], &links, e))
            return -1;
    json_end(&links);
    json_key(&o, "cut");
    json_add_int(out, (int64_t)a->walk.cut);
    json_key(&o, "cycles");
    if (add_cycles(a, e))
        return -1;
    json_end(&o);
    strbuf_addch(out, '\n');
    return 0;
}

static int find_places(struct answer *a, struct error *e)
{
    uint32_t nodes = a->t->graph.nodes;
    a->place = malloc(nodes * sizeof(*a->place));
    if (!a->place)
        return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                         "there is no memory for the trace");
    for (uint32_t n = 0; n < nodes; n++)
        a->place[n] = NOT_THERE;
    for (size_t i = 0; i < a->walk.count; i++)
        a->place[a->walk.node[i]] = (uint32_t)i;
    return 0;
}

int trace_json(struct output *out, struct reader *r, const struct trace *t, struct error *e)
{
    struct answer a = {.out = out, .reader = r, .t = t, .arena = ARENA_INIT};
    if (lineage_walk(&a.walk, &t->graph, t->root, t->direction, t->depth))
        return error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                         "there is no memory for the trace");
    int result = find_places(&a, e);
    if (!result)
        result = add_answer(&a, e);
    free(a.place);
    lineage_release(&a.walk);
    arena_release(&a.arena);
    return result;
}
