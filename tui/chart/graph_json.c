/* A chart as JSON: the object of `show --trace` plus the layout. */

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/lineage/effective.h"
#include "store/lineage/neighbours.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tui/chart/chart.h"

struct writing {
    struct strbuf *out;
    struct reader *reader;
    const struct chart *chart;
    enum subgraph_show show;
    uint32_t *depth[2]; /* [nodes] by direction */
    struct map places;  /* nodes of single memories, by row */
    struct arena arena; /* scratch for the current memory */
};

/* The node of that single memory, or PICTURE_NONE. */
static uint32_t node_of(const struct writing *w, int64_t row)
{
    const int64_t *node = map_find(&w->places, row);
    return node ? (uint32_t)*node : PICTURE_NONE;
}

static void prepare(struct writing *w)
{
    const struct subgraph *s = &w->chart->subgraph;
    for (uint32_t i = 0; i < s->nodes; i++)
        if (subgraph_is_single(&s->node[i]))
            *map_at(&w->places, s->node[i].row) = i;
    for (int side = 0; side < 2; side++) {
        w->depth[side] = xmalloc(((size_t)s->nodes + 1) * sizeof(*w->depth[side]));
        chart_depths(w->chart, (enum direction)side, w->depth[side]);
    }
}

/* ---- nodes ---- */

static const char *side_name(enum direction side)
{
    return side == ANCESTORS ? "based_on" : "used_by";
}

/* Adds the side of the focus and the distance. A node on a cycle may be on both sides. */
static void add_depth(struct writing *w, uint32_t i, struct json_object *o)
{
    uint32_t based_on = w->show & SHOW_ANCESTORS ? w->depth[ANCESTORS][i] : PICTURE_NONE;
    uint32_t used_by = w->show & SHOW_DESCENDANTS ? w->depth[DESCENDANTS][i] : PICTURE_NONE;
    uint32_t depth = based_on < used_by ? based_on : used_by;
    json_key(o, "depth");
    if (depth == PICTURE_NONE)
        strbuf_addstr(w->out, "null");
    else
        json_add_int(w->out, depth);
    json_pair(o, "side",
              i == 0 ? "both" : side_name(based_on <= used_by ? ANCESTORS : DESCENDANTS));
}

static void add_hidden(struct json_object *o, const struct subgraph_node *n)
{
    if (!n->hidden[ANCESTORS] && !n->hidden[DESCENDANTS])
        return;
    struct json_object h = json_open(o, "hidden", '{');
    for (int side = 0; side < 2; side++)
        json_pair_int(&h, side_name((enum direction)side), (int64_t)n->hidden[side]);
    if (n->hidden_bounded[ANCESTORS] || n->hidden_bounded[DESCENDANTS])
        json_pair_bool(&h, "bounded", true);
    json_end(&h);
}

static void add_place(struct writing *w, uint32_t i, struct json_object *o)
{
    if (w->chart->style == CHART_OUTLINE)
        return;
    const struct layout_node *n = &w->chart->layout.node[chart_drawn(w->chart, i)];
    json_pair_int(o, "layer", n->layer);
    json_pair_int(o, "column", n->column);
    json_pair_int(o, "row", n->row);
    json_pair_int(o, "columns", n->width);
    json_pair_int(o, "rows", n->height);
}

/* The status as a page shows it, with an expiry that no sweep has recorded yet, and the whole stored text; the chart
 * has only its start. */
static int add_row(struct writing *w, const struct subgraph_node *n, struct json_object *o,
                   enum label label, struct error *e)
{
    struct memory_row row = {.status = n->status};
    struct memory whole;
    arena_clear(&w->arena);
    if (n->type == SUBGRAPH_MEMORY && memory_row_read(w->reader, &w->arena, n->row, &row, e))
        return -1;
    const char *text = row.text;
    if (row.text_cut) {
        if (memory_read(w->reader, &w->arena, n->row, &whole, e))
            return -1;
        text = whole.text;
    }
    json_pair(o, "text", text ? text : "");
    json_pair(o, "label", label_name(label));
    json_pair(o, "status", status_name(row.status));
    return 0;
}

static int add_confidence(struct writing *w, int64_t row, enum label label, struct json_object *o,
                          struct error *e)
{
    struct row_label support = {.label = label};
    if (effective_fill(w->reader, &row, 1, &support, e))
        return -1;
    json_pair_double(o, "confidence", support.stored);
    json_pair_double(o, "effective", support.effective);
    return 0;
}

static int add_memory(struct writing *w, uint32_t i, struct json_object *o, struct error *e)
{
    const struct subgraph_node *n = &w->chart->subgraph.node[i];
    enum label label = n->type == SUBGRAPH_MISSING ? LABEL_ENDED : w->chart->node[i].support;
    json_pair(o, "ref", w->chart->node[i].name);
    add_depth(w, i, o);
    json_pair(o, "kind", kind_name(n->kind));
    if (add_row(w, n, o, label, e))
        return -1;
    if (n->status == STATUS_MISSING)
        json_pair_bool(o, "missing", true);
    return n->status == STATUS_MISSING ? 0 : add_confidence(w, n->row, label, o, e);
}

/* Adds the node that hidden memories are attached to, or all members. */
static int add_several(struct writing *w, uint32_t i, struct json_object *o, struct error *e)
{
    static const char *const types[] = {
        [SUBGRAPH_MORE] = "more", [SUBGRAPH_EQUIVALENT] = "equivalent", [SUBGRAPH_CHAIN] = "chain"};
    const struct subgraph_node *n = &w->chart->subgraph.node[i];
    uint32_t of = n->type == SUBGRAPH_MORE ? node_of(w, n->row) : PICTURE_NONE;
    json_pair(o, "id", w->chart->node[i].name);
    json_pair(o, "sort", types[n->type]);
    add_depth(w, i, o);
    json_pair(o, "kind", kind_name(n->kind));
    json_pair_int(o, "total", (int64_t)n->total);
    if (n->total_bounded)
        json_pair_bool(o, "bounded", true);
    if (of != PICTURE_NONE)
        json_pair(o, "of", w->chart->node[of].name);
    if (n->type == SUBGRAPH_MORE)
        return 0;
    struct json_object members = json_open(o, "members", '[');
    for (size_t m = 0; m < n->members; m++) {
        struct memory_row row;
        arena_clear(&w->arena);
        if (memory_row_read(w->reader, &w->arena, n->member[m], &row, e))
            return -1;
        json_item(&members);
        memory_json_add_ref(w->out, row.ref);
    }
    json_end(&members);
    return 0;
}

static int add_nodes(struct writing *w, struct json_object *in, struct error *e)
{
    const struct subgraph *s = &w->chart->subgraph;
    struct json_object nodes = json_open(in, "nodes", '[');
    for (uint32_t i = 0; i < s->nodes; i++) {
        struct json_object o = json_item_open(&nodes, '{');
        if (subgraph_is_single(&s->node[i]) ? add_memory(w, i, &o, e) : add_several(w, i, &o, e))
            return -1;
        add_hidden(&o, &s->node[i]);
        add_place(w, i, &o);
        json_end(&o);
    }
    json_end(&nodes);
    return 0;
}

/* ---- links ---- */

static int compare_edges(const void *a, const void *b)
{
    const struct subgraph_edge *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

static void begin_link(struct writing *w, struct json_object *links, struct json_object *o,
                       uint32_t from, uint32_t to)
{
    *o = json_item_open(links, '{');
    json_pair(o, "from", w->chart->node[from].name);
    json_pair(o, "to", w->chart->node[to].name);
}

/* If a link has several strokes, adds the one that is drawn. */
static void end_link(struct writing *w, struct json_object *o, uint32_t from, uint32_t to)
{
    const struct subgraph *s = &w->chart->subgraph;
    struct subgraph_edge key = {.from = from, .to = to};
    const struct subgraph_edge *edge =
        s->edges ? bsearch(&key, s->edge, s->edges, sizeof(*s->edge), compare_edges) : NULL;
    for (int stroke = STROKE_COUNT - 1; edge && stroke >= 0; stroke--)
        if (edge->strokes >> stroke & 1) {
            json_pair(o, "stroke", stroke_name((enum stroke)stroke));
            break;
        }
    json_end(o);
}

/* Adds the justifications of one memory whose sources are visible. */
static int add_links_of(struct writing *w, struct links *links, uint32_t node,
                        struct json_object *list, struct error *e)
{
    if (links_of(links, w->reader, w->chart->subgraph.node[node].row, e))
        return -1;
    for (size_t k = 0; k < links->groups; k++) {
        const struct link_group *group = &links->group[k];
        for (size_t i = 0; i < group->count; i++) {
            uint32_t to = node_of(w, links->row[group->first + i]);
            struct json_object o;
            if (to == PICTURE_NONE)
                continue;
            begin_link(w, list, &o, node, to);
            json_pair(&o, "role", role_name(SHAPE_ROLE(group->shape)));
            json_pair(&o, "reading", reading_name(SHAPE_READING(group->shape)));
            json_pair_int(&o, "justification", (int64_t)k);
            json_pair(&o, "recorded", recorded_name(SHAPE_RECORDED(group->shape)));
            end_link(w, &o, node, to);
        }
    }
    return 0;
}

static int add_support(struct writing *w, struct json_object *list, struct error *e)
{
    const struct subgraph *s = &w->chart->subgraph;
    struct links links = {0};
    int result = 0;
    for (uint32_t i = 0; i < s->nodes && !result; i++)
        if (s->node[i].type == SUBGRAPH_MEMORY)
            result = add_links_of(w, &links, i, list, e);
    links_release(&links);
    return result;
}

/* Adds relations, and links of nodes that stand for several memories. */
static void add_other_links(struct writing *w, struct json_object *list)
{
    const struct subgraph *s = &w->chart->subgraph;
    for (uint32_t i = 0; i < s->edges; i++) {
        const struct subgraph_edge *edge = &s->edge[i];
        bool single =
            subgraph_is_single(&s->node[edge->from]) && subgraph_is_single(&s->node[edge->to]);
        struct json_object o;
        if (single && !(edge->strokes >> STROKE_SUPERSEDES & 1))
            continue;
        begin_link(w, list, &o, edge->from, edge->to);
        if (single) {
            json_pair(&o, "role", role_name(RELATION_SUPERSEDES));
            end_link(w, &o, edge->from, edge->to);
            continue;
        }
        struct json_object strokes = json_open(&o, "strokes", '[');
        for (int stroke = 0; stroke < STROKE_COUNT; stroke++)
            if (edge->strokes >> stroke & 1) {
                json_item(&strokes);
                json_add_string(w->out, stroke_name((enum stroke)stroke));
            }
        json_end(&strokes);
        end_link(w, &o, edge->from, edge->to);
    }
}

/* ---- cycles and hidden memories ---- */

static void add_cycle(struct writing *w, struct json_object *cycles, const uint32_t *node,
                      size_t count)
{
    struct json_object cycle = json_item_open(cycles, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&cycle);
        json_add_string(w->out, w->chart->node[node[i]].name);
    }
    json_end(&cycle);
}

static void add_cycles(struct writing *w, struct json_object *in)
{
    const struct subgraph *s = &w->chart->subgraph;
    struct json_object cycles = json_open(in, "cycles", '[');
    for (size_t i = 0; i < s->circles; i++)
        add_cycle(w, &cycles, s->circle + s->circle_first[i],
                  s->circle_first[i + 1] - s->circle_first[i]);
    for (uint32_t i = 0; i < s->nodes; i++)
        if (s->node[i].loop)
            add_cycle(w, &cycles, &i, 1);
    json_end(&cycles);
}

/* Adds the number of all hidden memories, without a limit. */
static int add_cut(struct writing *w, struct json_object *o, struct error *e)
{
    size_t cut = 0;
    bool bounded = false;
    for (int side = 0; side < 2; side++) {
        size_t total, seen = chart_reached(w->chart, w->depth[side]);
        bool more;
        if (!(w->show & (side == ANCESTORS ? SHOW_ANCESTORS : SHOW_DESCENDANTS)))
            continue;
        if (neighbours_total(w->reader, w->chart->subgraph.node[0].row, (enum direction)side,
                             SIZE_MAX, &total, &more, e))
            return -1;
        cut += total > seen ? total - seen : 0;
        bounded |= more;
    }
    json_pair_int(o, "cut", (int64_t)cut);
    if (bounded)
        json_pair_bool(o, "bounded", true);
    return 0;
}

static int add_all(struct writing *w, struct error *e)
{
    static const char *const shows[] = {
        [SHOW_ANCESTORS] = "based_on", [SHOW_DESCENDANTS] = "used_by", [SHOW_BOTH] = "both"};
    const struct chart *c = w->chart;
    struct json_object o = json_begin(w->out, '{');
    json_pair(&o, "focus", c->node[0].name);
    json_pair(&o, "show", shows[w->show]);
    if (c->style != CHART_OUTLINE) {
        json_pair(&o, "style", chart_style_name(c->style));
        json_pair_int(&o, "width", c->layout.width);
        json_pair_int(&o, "height", c->layout.height);
    }
    if (add_nodes(w, &o, e))
        return -1;
    struct json_object links = json_open(&o, "links", '[');
    if (add_support(w, &links, e))
        return -1;
    add_other_links(w, &links);
    json_end(&links);
    if (add_cut(w, &o, e))
        return -1;
    add_cycles(w, &o);
    json_end(&o);
    return 0;
}

int graph_json_add(struct strbuf *out, struct reader *r, const struct chart *c,
                   enum subgraph_show show, struct error *e)
{
    struct writing w = {.out = out, .reader = r, .chart = c, .show = show};
    prepare(&w);
    int result = reader_begin(r, e);
    if (!result) {
        result = add_all(&w, e);
        reader_end(r);
    }
    map_release(&w.places);
    free(w.depth[0]);
    free(w.depth[1]);
    arena_release(&w.arena);
    return result;
}
