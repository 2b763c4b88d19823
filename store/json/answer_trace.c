/* A lineage as JSON within a limit, a trace as indented lines for agents, and a what-if as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "model/json/json.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/json/answer.h"
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
    struct row_index place; /* position of a node in the walk */
    struct trust *trust;    /* [walk.count] */
    struct memory memory;   /* the one being written: its ref, status and text, in `arena` */
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
    const char *text =
        guard_memory_text(d->reader, &d->arena, row, d->memory.ref.kind, d->memory.text);
    json_pair(&o, "text", text ? text : "");
    json_pair(&o, "label", label_name((enum label)d->t->labels.label[node]));
    json_pair(&o, "status", status_name(d->memory.status));
    if (d->memory.status != STATUS_MISSING)
        json_pair_double(&o, "trust", d->trust[index].value);
    else
        json_pair_bool(&o, "missing", true);
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

int answer_trace(const struct answer *to, struct reader *r, const struct trace *t, struct error *e)
{
    struct trace_answer d = {
        .to = to, .out = to->out, .reader = r, .t = t, .place = ROW_INDEX_INIT};
    lineage_walk(&d.walk, &t->graph, t->root, t->direction, t->depth);
    for (size_t i = 0; i < d.walk.count; i++)
        row_index_add(&d.place, d.walk.node[i]);
    d.trust = xmalloc((d.walk.count + 1) * sizeof(*d.trust));
    int result =
        trust_of_nodes(r, &t->graph, d.walk.node, d.walk.count, d.trust, e) || add_answer(&d, e)
            ? -1
            : 0;
    free(d.trust);
    row_index_release(&d.place);
    lineage_release(&d.walk);
    arena_release(&d.arena);
    return result;
}

/* ---- a lineage as compact JSON ---- */

#define CYCLES_PART 8   /* this fraction of the answer is for cycles */
#define TEXT_LEAST  30  /* bytes of a text that has more, however many there are */
#define NODE_LEAST  30  /* bytes of a node */
#define CLOSING     260 /* bytes of what is said of what is left out */

/* Of a lineage in the exchange form, on average. */
#define FULL_NODE 170
#define FULL_LINK 150

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

static void count_full(const struct lineage *walk, size_t links, size_t *full)
{
    if (full)
        *full = walk->count * FULL_NODE + links * FULL_LINK;
}

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
    json_pair_double(o, "effective", round(support.effective * 1000) / 1000);
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
    count_full(&d->walk, links_of_walk(d), full);
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

/* ---- a trace as lines of text ---- */

#define TEXT_SHOWN  200 /* code points */
#define INDENTED    10  /* levels; of those below the number is written */
#define NAME_SHOWN  120 /* bytes of an agent's name */
#define INSIDE_MORE 8   /* bytes of line ends and quotes of a line inside a JSON string */
#define ALSO_NAMED  16  /* other antecedents named on a line */
#define ALSO_END    16  /* bytes of the number of others */
#define LINKS_READ  32  /* links for each line, on average; what only others lead to is counted */

struct trace_text {
    struct strbuf *out;
    struct reader *reader;
    const struct trace *t;
    const struct outline *o;
    const char *agent;   /* owner of the root memory */
    size_t *line, lines; /* those that show a memory; the others repeat one */
    size_t *also,
        *next; /* [o->count] the first and the next repeated memory below a line; 0: none */
    struct arena *arena, each;
    size_t most;   /* bytes of all lines inside a JSON string; 0 for no limit */
    size_t inside; /* bytes that they take so far */
};

/* The bytes of a text inside a JSON string. */
static size_t inside(const char *text, size_t len)
{
    size_t bytes = len;
    for (size_t i = 0; i < len; i++)
        bytes += text[i] == '"' || text[i] == '\\' || text[i] == '\n';
    return bytes;
}

static void add_agent(struct trace_text *s, const char *agent)
{
    const char *seen = guard_text(s->reader, &s->each, agent, strlen(agent));
    compact_add_text(s->out, seen, SIZE_MAX, NAME_SHOWN);
}

static int add_state(struct trace_text *s, const struct memory_row *row, uint32_t node,
                     struct error *e)
{
    enum label label = (enum label)s->t->labels.label[node];
    struct row_label support = {.label = label};
    strbuf_addstr(s->out, " [");
    if (row->status == STATUS_MISSING) {
        strbuf_addstr(s->out, "missing: named, never written]");
        return 0;
    }
    if (effective_fill(s->reader, &row->node, 1, &support, e))
        return -1;
    strbuf_addstr(s->out, label == LABEL_ENDED ? status_name(row->status) : label_name(label));
    if (label != LABEL_ENDED && row->status != STATUS_ACTIVE)
        strbuf_addf(s->out, ", %s", status_name(row->status));
    strbuf_addstr(s->out, ", effective ");
    json_add_double(s->out, round(support.effective * 1000) / 1000);
    if (row->agent_id && (!s->agent || strcmp(row->agent_id, s->agent) != 0)) {
        strbuf_addstr(s->out, ", of ");
        add_agent(s, row->agent_id);
    }
    strbuf_addch(s->out, ']');
    return 0;
}

/* Adds how the memory is related to the one above: "derived_from: ", or read the other way "used by: ". */
static void add_lead(struct trace_text *s, const struct outline_line *line)
{
    const struct graph *g = &s->t->graph;
    bool deep = s->most && line->depth > INDENTED;
    strbuf_addchars(s->out, ' ', 2 * (size_t)(deep ? INDENTED : line->depth));
    if (deep)
        strbuf_addf(s->out, "%u> ", (unsigned)line->depth);
    if (line->just == NODE_NONE)
        return;
    uint8_t shape = g->just_shape[line->just];
    enum role role = SHAPE_ROLE(shape);
    bool used = s->t->direction == DESCENDANTS;
    strbuf_addstr(s->out, used ? "used by" : role_name(role));
    if (used && role != ROLE_DERIVED_FROM)
        strbuf_addf(s->out, " (%s)", role_name(role));
    if (SHAPE_READING(shape) == READING_ALL)
        strbuf_addstr(s->out, " (all needed)");
    if (SHAPE_RECORDED(shape) != RECORDED)
        strbuf_addf(s->out, " (%s)", recorded_name(SHAPE_RECORDED(shape)));
    strbuf_addstr(s->out, ": ");
}

/* Adds ref and state of a line; *text is what follows, NULL if nothing does. */
static int add_memory(struct trace_text *s, const struct outline_line *line, const char **text,
                      struct error *e)
{
    struct memory_row row;
    enum visibility visibility;
    *text = NULL;
    if (memory_row_read(s->reader, &s->each, graph_row(&s->t->graph, line->node), &row, e))
        return -1;
    if (line->just == NODE_NONE)
        s->agent = row.agent_id ? arena_strdup(s->arena, row.agent_id) : NULL;
    add_lead(s, line);
    ref_add_visible(s->out, ref_short(s->reader, &s->each, row.ref));
    if (guard_visibility_of(s->reader, row.node, row.ref.kind, row.agent_id, &visibility, e))
        return -1;
    if (visibility != VISIBLE_WHOLE) {
        strbuf_addstr(s->out, " [withheld: it is a memory of ");
        add_agent(s, row.agent_id ? row.agent_id : "");
        strbuf_addstr(s->out, "]");
        return 0;
    }
    *text = row.text;
    return add_state(s, &row, line->node, e);
}

/* Adds the ref of a memory that another line shows. */
static int add_repeated(struct trace_text *s, const struct outline_line *line, struct strbuf *out,
                        struct error *e)
{
    struct memory_row row;
    enum role role = SHAPE_ROLE(s->t->graph.just_shape[line->just]);
    if (memory_row_read(s->reader, &s->each, graph_row(&s->t->graph, line->node), &row, e))
        return -1;
    if (line->circle)
        strbuf_addstr(out, "in a circle ");
    if (role != ROLE_DERIVED_FROM)
        strbuf_addf(out, "%s ", role_name(role));
    ref_add_visible(out, ref_short(s->reader, &s->each, row.ref));
    return 0;
}

/* Makes " (also belief:54c5507f, +3)" of what else leads to or from the line's memory, in `most` bytes. */
static int make_also(struct trace_text *s, size_t at, size_t most, struct strbuf *out,
                     struct error *e)
{
    size_t named = 0, left = 0;
    for (size_t i = s->also[at]; i; i = s->next[i]) {
        size_t began = out->len;
        strbuf_addstr(out, named ? ", " : " (also ");
        if (left || named >= ALSO_NAMED) {
            left++;
        } else if (add_repeated(s, &s->o->line[i], out, e)) {
            return -1;
        } else if (inside(out->buf, out->len) + ALSO_END > most) {
            left++;
        } else {
            named++;
            continue;
        }
        strbuf_cut(out, began);
    }
    if (left)
        strbuf_addf(out, "%s+%zu", named ? ", " : " (also ", left);
    if (left || named)
        strbuf_addch(out, ')');
    return 0;
}

/* Adds a line. Its text and what is named beside it take what the names leave of `most` bytes. */
static int add_line(struct trace_text *s, size_t at, size_t most, struct error *e)
{
    const struct outline_line *line = &s->o->line[at];
    const char *text;
    struct strbuf rest = STRBUF_INIT;
    size_t began = s->out->len;
    arena_clear(&s->each);
    if (add_memory(s, line, &text, e))
        return -1;
    size_t taken = inside(s->out->buf + began, s->out->len - began) + INSIDE_MORE;
    size_t kept = text && strlen(text) < TEXT_LEAST ? strlen(text) : TEXT_LEAST;
    most = !s->most ? SIZE_MAX : taken < most ? most - taken : 0;
    int result = make_also(s, at, most > kept ? most - kept : 0, &rest, e);
    if (line->cut && line->more && text)
        strbuf_addf(&rest, " (+%u deeper)", (unsigned)line->more);
    taken = inside(rest.buf, rest.len);
    if (text && *text) {
        strbuf_addch(s->out, ' ');
        compact_add_text(s->out, text, TEXT_SHOWN, taken < most ? most - taken : 0);
    }
    strbuf_add(s->out, rest.buf, rest.len);
    strbuf_addch(s->out, '\n');
    strbuf_release(&rest);
    return result;
}

/* How many of the memories the first lines do not show. One that is cut may have another line. */
static size_t count_rest(const struct trace_text *s, const struct lineage *walk, size_t lines)
{
    struct row_index shown = ROW_INDEX_INIT;
    for (size_t i = 0; i < lines; i++)
        row_index_add(&shown, s->o->line[s->line[i]].node);
    size_t rest = walk->count - shown.count;
    row_index_release(&shown);
    return rest;
}

static void add_rest(struct trace_text *s, const struct lineage *walk, size_t lines)
{
    size_t rest = count_rest(s, walk, lines);
    if (rest == 0)
        return;
    strbuf_addf(s->out, "There is more: %zu memories are not shown.", rest);
    strbuf_addstr(s->out, s->most ? " Ask for a smaller depth, or for the lineage of a ref above.\n"
                                  : "\n");
}

static void add_heading(struct trace_text *s)
{
    size_t began = s->out->len;
    if (s->o->count < 2)
        return;
    strbuf_addstr(s->out, s->t->direction == DESCENDANTS
                              ? "Descendants: below each memory is what uses it.\n"
                              : "Ancestors: below each memory is what it is based on.\n");
    s->inside += inside(s->out->buf + began, s->out->len - began);
}

/* Each line has an equal part of the bytes, and what those before it left. */
static int add_lines(struct trace_text *s, const struct lineage *walk, struct error *e)
{
    bool bounded = count_rest(s, walk, s->lines) > 0;
    size_t i, room = s->most ? s->most - (bounded ? CLOSING : 0) : SIZE_MAX;
    size_t safe = 0, end; /* the lines that leave room for what is said of the others */
    add_heading(s);
    end = s->out->len;
    for (i = 0; i < s->lines; i++) {
        size_t began = s->out->len, part = room / s->lines * (i + 1);
        if (add_line(s, s->line[i], part > s->inside ? part - s->inside : 0, e))
            return -1;
        s->inside += inside(s->out->buf + began, s->out->len - began);
        if (i > 0 && s->inside > room) {
            strbuf_cut(s->out, end);
            i = safe;
            break;
        }
        if (i == 0 || s->inside + CLOSING <= s->most) {
            safe = i + 1;
            end = s->out->len;
        }
    }
    add_rest(s, walk, i);
    return 0;
}

/* Parts the lines that show a memory from those that repeat one, which the line above them names. */
static void part_lines(struct trace_text *s, size_t max_lines)
{
    const struct outline *o = s->o;
    s->line = xcalloc(o->count + 1, sizeof(*s->line));
    s->also = xcalloc(2 * (o->count + 1), sizeof(*s->also));
    s->next = s->also + o->count + 1;
    for (size_t i = 0; i < o->count; i++)
        if (!o->line[i].again && !o->line[i].circle && s->lines < max_lines)
            s->line[s->lines++] = i;
    for (size_t i = o->count; i-- > 0;) {
        uint32_t above = o->line[i].parent_line;
        if (!o->line[i].again && !o->line[i].circle)
            continue;
        s->next[i] = s->also[above];
        s->also[above] = i;
    }
}

static int trace_text(struct trace_text *s, size_t max_lines, size_t *full, struct error *e)
{
    struct outline o;
    struct lineage walk;
    const struct trace *t = s->t;
    outline_make(&o, &t->graph, t->root, t->direction, t->depth, max_lines * LINKS_READ);
    lineage_walk(&walk, &t->graph, t->root, t->direction, t->depth);
    s->o = &o;
    part_lines(s, max_lines);
    count_full(&walk, o.count, full);
    size_t part = (s->lines > 3 ? s->lines : 3) * OUTLINE_LINE;
    s->most = s->most < part ? s->most : part;
    int result = add_lines(s, &walk, e);
    free(s->line);
    free(s->also);
    lineage_release(&walk);
    outline_release(&o);
    return result;
}

int answer_outline(struct reader *r, int64_t node, enum direction direction, uint32_t depth,
                   size_t max_lines, size_t most, struct strbuf *out, size_t *full, struct error *e)
{
    struct trace t;
    struct arena arena = ARENA_INIT;
    if (reader_begin(r, e))
        return -1;
    uint8_t *view = NULL;
    int result = trace_load_visible(&t, r, node, direction, depth, &view, e);
    struct trace_text s = {
        .out = out, .reader = r, .t = &t, .arena = &arena, .each = ARENA_INIT, .most = most};
    if (!result)
        result = trace_text(&s, max_lines, full, e);
    trace_release(&t);
    free(view);
    reader_end(r);
    arena_release(&s.each);
    arena_release(&arena);
    return result;
}

/* ---- a what-if as JSON ---- */

/* Upper bound for one element and the end of the answer; each byte of an id may need an escape. */
#define ANSWER_ELEMENT (6 * REF_ID_MAX + 200)

struct writing {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader;
    const struct retraction *q;
    struct arena arena;
    const struct answer_room *room; /* NULL for no limit */
    size_t began;                   /* start of the answer in `out` */
    bool is_text;
};

/* Returns true if there is room for another element after `written` elements. */
static bool has_room(const struct writing *w, size_t written)
{
    const struct answer_room *room = w->room;
    size_t len = w->out->len - w->began;
    size_t taken = w->is_text ? inside(w->out->buf + w->began, len) : len;
    return !room || ((room->count == 0 || written < room->count) &&
                     taken + (w->is_text ? OUTLINE_LINE : ANSWER_ELEMENT) <= room->bytes);
}

/* Memories that the caller may not see whole are left out of lists and counts. */
static int is_seen(struct writing *w, uint32_t node, bool *seen, struct error *e)
{
    enum visibility visibility = VISIBLE_WHOLE;
    *seen = true;
    if (!guard_hides_linked(w->reader))
        return 0;
    int result = guard_visibility(w->reader, graph_row(&w->q->graph, node), &visibility, e);
    *seen = visibility == VISIBLE_WHOLE;
    return result;
}

static int count_descending(struct writing *w, int64_t *count, struct error *e)
{
    const struct whatif *outcome = &w->q->outcome;
    *count = (int64_t)outcome->descending_count;
    if (!guard_hides_linked(w->reader))
        return 0;
    *count = 0;
    for (size_t n = 0; n < outcome->descending_count; n++) {
        bool seen;
        if (is_seen(w, outcome->descending[n], &seen, e))
            return -1;
        *count += seen;
    }
    return 0;
}

/* A line of a what-if as text: "belief:54c5507f 3 -> 2 text". */
static int add_hit_line(struct writing *w, const struct memory_row *row,
                        const struct whatif_weakened *hit, bool weakened)
{
    size_t began = w->out->len;
    ref_add_visible(w->out, ref_short(w->reader, &w->arena, row->ref));
    if (weakened)
        strbuf_addf(w->out, " %u -> %u", (unsigned)hit->before, (unsigned)hit->after);
    size_t taken = inside(w->out->buf + began, w->out->len - began) + INSIDE_MORE;
    strbuf_addch(w->out, ' ');
    compact_add_text(w->out, row->text ? row->text : "", COMPACT_TEXT,
                     taken < OUTLINE_LINE ? OUTLINE_LINE - taken : 0);
    strbuf_addch(w->out, '\n');
    return 0;
}

static int add_hit(struct writing *w, const struct whatif_weakened *hit, bool weakened,
                   struct error *e)
{
    struct memory_row row;
    arena_clear(&w->arena);
    if (memory_row_read(w->reader, &w->arena, graph_row(&w->q->graph, hit->node), &row, e))
        return -1;
    if (w->is_text)
        return add_hit_line(w, &row, hit, weakened);
    struct json_object o;
    if (weakened) {
        o = json_begin(w->out, '{');
        json_key(&o, "ref");
    }
    if (w->room) /* for an agent */
        json_add_string(w->out, ref_short(w->reader, &w->arena, row.ref));
    else
        memory_json_add_ref(w->out, row.ref);
    if (weakened) {
        json_pair_int(&o, "before", hit->before);
        json_pair_int(&o, "after", hit->after);
        json_end(&o);
    }
    return w->to->flush ? w->to->flush(w->to->arg, e) : 0;
}

/* Adds the weakened or the unsupported memories that fit, as elements of `list` if it is not NULL. Sets *more to the
 * number of others. Returns how many were added, or -1. */
static int64_t add_hits(struct writing *w, struct json_object *list, bool weakened, int64_t *more,
                        struct error *e)
{
    const struct whatif *outcome = &w->q->outcome;
    size_t written = 0, count = weakened ? outcome->weakened_count : outcome->unsupported_count;
    *more = 0;
    for (size_t n = 0; n < count; n++) {
        struct whatif_weakened hit =
            weakened ? outcome->weakened[n]
                     : (struct whatif_weakened){.node = outcome->unsupported[n]};
        bool seen;
        if (is_seen(w, hit.node, &seen, e))
            return -1;
        if (seen && (*more || !has_room(w, written))) {
            ++*more;
        } else if (seen) {
            written++;
            if (list)
                json_item(list);
            if (add_hit(w, &hit, weakened, e))
                return -1;
        }
    }
    return (int64_t)written;
}

#define GO_ON "memory_lineage with descendants and a small depth follows one of them"

static int add_list(struct writing *w, struct json_object *o, bool weakened, bool *cut,
                    struct error *e)
{
    int64_t more;
    struct json_object list = json_open(o, weakened ? "weakened" : "loses_all_support", '[');
    if (add_hits(w, &list, weakened, &more, e) < 0)
        return -1;
    json_end(&list);
    if (more)
        json_pair_int(o, weakened ? "weakened_more" : "loses_all_support_more", more);
    *cut |= more > 0;
    return 0;
}

int answer_retraction(const struct answer *to, struct reader *r, const struct retraction *q,
                      const struct answer_room *room, struct error *e)
{
    int64_t descending_count;
    bool cut = false;
    struct writing w = {.to = to, .out = to->out, .reader = r, .q = q, .room = room};
    w.began = w.out->len;
    struct json_object o = json_begin(w.out, '{');
    int result = add_list(&w, &o, false, &cut, e) || add_list(&w, &o, true, &cut, e) ||
                         count_descending(&w, &descending_count, e)
                     ? -1
                     : 0;
    arena_release(&w.arena);
    if (result)
        return -1;
    json_pair_int(&o, "descends", descending_count);
    if (cut && room)
        json_pair(&o, "todo", "For those that are left out: " GO_ON ".");
    json_end(&o);
    return 0;
}

/* "3 memories would be weakened:" and a line for each that fits. */
static int add_paragraph(struct writing *w, bool weakened, struct error *e)
{
    struct strbuf *out = w->out, lines = STRBUF_INIT;
    struct writing part = *w;
    struct answer_room room = *w->room;
    int64_t more, shown;
    size_t taken = inside(out->buf + w->began, out->len - w->began) + CLOSING;
    room.bytes -= taken < room.bytes ? taken : room.bytes;
    part.out = &lines;
    part.began = 0;
    part.room = &room;
    part.arena = (struct arena)ARENA_INIT;
    shown = add_hits(&part, NULL, weakened, &more, e);
    arena_release(&part.arena);
    if (shown >= 0 && (shown || !weakened)) {
        strbuf_addf(out, "%lld would %s%s\n", (long long)(shown + more),
                    weakened ? "stand on fewer justifications" : "lose all support",
                    shown ? ":" : ".");
        strbuf_add(out, lines.buf, lines.len);
        if (more)
            strbuf_addf(out, "and %lld more; " GO_ON ".\n", (long long)more);
    }
    strbuf_release(&lines);
    return shown < 0 ? -1 : 0;
}

int answer_retraction_text(struct reader *r, const struct retraction *q,
                           const struct answer_room *room, struct strbuf *out, struct error *e)
{
    static const struct answer to = {.out = NULL};
    int64_t descending_count;
    struct writing w = {.to = &to, .out = out, .reader = r, .q = q, .room = room, .is_text = true};
    w.began = out->len;
    if (add_paragraph(&w, false, e) || add_paragraph(&w, true, e) ||
        count_descending(&w, &descending_count, e))
        return -1;
    if (descending_count)
        strbuf_addf(out, "%lld more descend and would lose nothing.\n",
                    (long long)descending_count);
    strbuf_addstr(out, "Nothing was written.\n");
    return 0;
}
