/* A lineage as compact JSON for agents: a page of its nodes within a number of bytes. */
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
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"

#define CYCLES_PART 8  /* this fraction of the answer is for cycles */
#define TEXT_MEMBER 10 /* bytes of ,"text":"" */

/* A node as JSON, but for its text. The strings are in the arena `kept`. */
struct shown {
    const char *ref;  /* NULL as long as it was not read */
    const char *head, /* NULL as long as the node was not read */
        *tail;
    const char *text; /* on one line, masked; NULL if it is not shown */
    size_t needs;     /* bytes of the whole text in JSON */
};

struct lineage_answer {
    struct strbuf *out;
    struct reader *reader;
    const struct trace *t;
    const struct lineage_part *part;
    struct lineage walk;
    struct row_index place; /* position of a node in the walk */
    struct shown *shown;    /* [walk.count] */
    struct arena kept, arena;
    size_t count; /* nodes that are written, from part->offset on */
    size_t text;  /* most bytes of each text */
    size_t texts; /* bytes of all texts that were written */
};

/* Position after the last node that is written. */
static size_t end_of(const struct lineage_answer *d)
{
    return d->part->offset + d->count;
}

/* ---- nodes ---- */

static int64_t row_at(const struct lineage_answer *d, size_t place)
{
    return graph_row(&d->t->graph, d->walk.node[place]);
}

/* Reads the ref of a node of an earlier page, which a link names. */
static int read_ref(struct lineage_answer *d, size_t place, struct error *e)
{
    struct memory_row m;
    if (d->shown[place].ref)
        return 0;
    arena_clear(&d->arena);
    if (memory_row_read(d->reader, &d->arena, row_at(d, place), &m, e))
        return -1;
    d->shown[place].ref = ref_short(d->reader, &d->kept, m.ref);
    return 0;
}

/* Reads what follows the ref of a memory that the caller may see whole. */
static int read_support(struct lineage_answer *d, const struct memory_row *m, uint32_t node,
                        struct shown *s, struct json_object *tail, struct error *e)
{
    struct row_label support = {.label = (enum label)d->t->labels.label[node]};
    AUTO_STRBUF text = STRBUF_INIT;
    if (m->status == STATUS_MISSING) {
        json_pair_bool(tail, "missing", true);
        return 0;
    }
    if (effective_fill(d->reader, &m->node, 1, &support, e))
        return -1;
    compact_add_text(&text, m->text ? m->text : "", COMPACT_TEXT, SIZE_MAX);
    s->text = arena_strndup(&d->kept, text.buf ? text.buf : "", text.len);
    strbuf_clear(&text);
    json_add_string(&text, s->text);
    s->needs = text.len - 2;
    compact_pair_effective(tail, &support);
    json_pair(tail, "label", label_name(support.label));
    if (m->status != STATUS_ACTIVE)
        json_pair(tail, "status", status_name(m->status));
    return 0;
}

/* Reads the row of a node; only its ref and owner if the caller may not see it whole. */
static int read_node(struct lineage_answer *d, size_t place, struct error *e)
{
    struct memory_row m;
    enum visibility visibility;
    struct shown *s = &d->shown[place];
    AUTO_STRBUF head = STRBUF_INIT, rest = STRBUF_INIT;
    int64_t row = row_at(d, place);
    if (s->head)
        return 0;
    arena_clear(&d->arena);
    if (memory_row_read(d->reader, &d->arena, row, &m, e) ||
        guard_visibility_of(d->reader, row, m.ref.kind, m.agent_id, &visibility, e))
        return -1;
    s->ref = ref_short(d->reader, &d->kept, m.ref);
    struct json_object o = json_begin(&head, '{'), tail = {&rest, '}', true};
    json_pair(&o, "ref", s->ref);
    json_pair_int(&o, "depth", (int64_t)d->walk.depth[place]);
    int result = 0;
    if (visibility == VISIBLE_WHOLE) {
        result = read_support(d, &m, d->walk.node[place], s, &tail, e);
    } else {
        json_pair(&tail, "agent_id", m.agent_id ? m.agent_id : "");
        json_pair_bool(&tail, "withheld", true);
    }
    json_end(&tail);
    s->head = arena_strndup(&d->kept, head.buf, head.len);
    s->tail = arena_strndup(&d->kept, rest.buf, rest.len);
    return result;
}

static void add_node(struct lineage_answer *d, struct json_object *nodes, const struct shown *s)
{
    json_item(nodes);
    strbuf_addstr(d->out, s->head);
    if (s->text) {
        AUTO_STRBUF text = STRBUF_INIT;
        compact_add_text(&text, s->text, SIZE_MAX, d->text);
        strbuf_addstr(d->out, ",\"text\":");
        size_t began = d->out->len;
        json_add_string(d->out, text.buf ? text.buf : "");
        d->texts += d->out->len - began - 2;
    }
    strbuf_addstr(d->out, s->tail);
}

/* ---- links ---- */

/* Whether both were given together. Of a reading by any each antecedent is a justification. */
static bool is_together(const struct graph *g, uint32_t a, uint32_t b)
{
    return g->just_node[a] == g->just_node[b] && g->just_group[a] == g->just_group[b] &&
           g->just_shape[a] == g->just_shape[b];
}

/* Whether this page has the link: the first in which both of its ends were shown. */
static bool has_link(const struct lineage_answer *d, size_t from, size_t to)
{
    return from < end_of(d) && to < end_of(d) && (from > to ? from : to) >= d->part->offset;
}

/* Adds what was given together from the justification `*just` on, as far as it is written; moves on to the next. */
static int add_group(struct lineage_answer *d, struct json_object *links, size_t from,
                     uint32_t *just, uint32_t end, struct error *e)
{
    const struct graph *g = &d->t->graph;
    uint32_t first = *just;
    uint8_t shape = g->just_shape[first];
    size_t began = d->out->len, count = 0, written = 0;
    struct json_object before = *links, o = json_item_open(links, '{');
    json_pair(&o, "from", d->shown[from].ref);
    struct json_object to = json_open(&o, "to", '[');
    for (; *just < end && is_together(g, first, *just); ++*just)
        for (uint32_t l = g->link_first[*just]; l < g->link_first[*just + 1]; l++, count++) {
            size_t place = row_index_find(&d->place, g->link_to[l]);
            if (place == ROW_NONE || !has_link(d, from, place))
                continue;
            if (read_ref(d, place, e))
                return -1;
            json_item_string(&to, d->shown[place].ref);
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
        return 0;
    strbuf_cut(d->out, began);
    *links = before;
    return 0;
}

/* Whether the page has a link from a node of an earlier one. */
static bool leads_here(const struct lineage_answer *d, size_t from)
{
    const struct graph *g = &d->t->graph;
    uint32_t node = d->walk.node[from], end = g->link_first[g->just_first[node + 1]];
    for (uint32_t l = g->link_first[g->just_first[node]]; l < end; l++) {
        size_t place = row_index_find(&d->place, g->link_to[l]);
        if (place != ROW_NONE && has_link(d, from, place))
            return true;
    }
    return false;
}

static int add_groups(struct lineage_answer *d, struct json_object *links, size_t from,
                      struct error *e)
{
    const struct graph *g = &d->t->graph;
    uint32_t node = d->walk.node[from];
    if (from < d->part->offset && !leads_here(d, from))
        return 0;
    if (read_ref(d, from, e))
        return -1;
    for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1];)
        if (add_group(d, links, from, &j, g->just_first[node + 1], e))
            return -1;
    return 0;
}

/* Adds the nodes of the page, and the links between them and from or to those before it. */
static int add_page(struct lineage_answer *d, struct json_object *o, struct error *e)
{
    struct json_object nodes = json_open(o, "nodes", '[');
    for (size_t i = d->part->offset; i < end_of(d); i++) {
        if (read_node(d, i, e))
            return -1;
        add_node(d, &nodes, &d->shown[i]);
    }
    json_end(&nodes);
    struct json_object links = json_open(o, "links", '[');
    for (size_t i = 0; d->count && i < end_of(d); i++)
        if (add_groups(d, &links, i, e))
            return -1;
    json_end(&links);
    return 0;
}

/* ---- cycles ---- */

static int add_member(struct lineage_answer *d, struct json_object *cycle, uint32_t node,
                      struct error *e)
{
    struct memory_row m;
    arena_clear(&d->arena);
    if (memory_row_read(d->reader, &d->arena, graph_row(&d->t->graph, node), &m, e))
        return -1;
    json_item_string(cycle, ref_short(d->reader, &d->arena, m.ref));
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

/* ---- the answer ---- */

/* Nodes from the offset on. */
static size_t nodes_left(const struct lineage_answer *d)
{
    return d->part->offset < d->walk.count ? d->walk.count - d->part->offset : 0;
}

/* Writes the answer anew with so many nodes and so much of each text. */
static int write_lineage(struct lineage_answer *d, size_t count, size_t text, size_t most,
                         struct error *e)
{
    size_t left = nodes_left(d) - count, more = 0;
    strbuf_clear(d->out);
    d->count = count;
    d->text = text;
    d->texts = 0;
    struct json_object o = json_begin(d->out, '{');
    if (add_page(d, &o, e))
        return -1;
    json_pair_int(&o, "cut", (int64_t)(d->walk.cut + left));
    json_pair_int_if(&o, "nodes_more", (int64_t)left);
    if (d->part->offset == 0 && add_rings(d, &o, most ? most / CYCLES_PART + 1 : 0, &more, e))
        return -1;
    json_pair_int_if(&o, "cycles_more", (int64_t)more);
    if (left) {
        json_pair_int(&o, "next", (int64_t)end_of(d));
        json_pair(&o, "todo", "memory_lineage goes on with `next` as offset.");
    }
    json_end(&o);
    return 0;
}

/* Finds how many nodes take `most` bytes without their texts and links. */
static int count_fitting(struct lineage_answer *d, size_t most, size_t *count, struct error *e)
{
    size_t taken = 0, left = nodes_left(d), offset = d->part->offset;
    for (*count = 0; *count < left && taken <= most; ++*count) {
        if (read_node(d, offset + *count, e))
            return -1;
        const struct shown *s = &d->shown[offset + *count];
        taken += strlen(s->head) + strlen(s->tail) + (s->text ? TEXT_MEMBER : 0);
    }
    return 0;
}

/* The most bytes that each text of the page may have, but `least`, if all of them together have `most`. */
static size_t share_of_texts(const struct lineage_answer *d, size_t least, size_t most)
{
    size_t low = least, high = most > low ? most : low;
    while (low < high) {
        size_t share = low + (high - low + 1) / 2, sum = 0;
        for (size_t i = d->part->offset; i < end_of(d); i++)
            sum += d->shown[i].needs < share ? d->shown[i].needs : share;
        if (sum <= most)
            low = share;
        else
            high = share - 1;
    }
    return low;
}

/* Writes as many nodes as fit with the beginnings of their texts; `high` of them are too many. */
static int write_fitting(struct lineage_answer *d, size_t high, size_t most, struct error *e)
{
    size_t low = high > 0;
    for (high -= high > 1; low < high;) {
        size_t half = (low + high + 1) / 2;
        if (write_lineage(d, half, TEXT_LEAST, most, e))
            return -1;
        if (d->out->len > most)
            high = half - 1;
        else
            low = half;
    }
    return write_lineage(d, low, TEXT_LEAST, most, e);
}

/* All nodes if they fit, or as many as do; then the texts have what is left. */
static int fill_lineage(struct lineage_answer *d, size_t most, struct error *e)
{
    size_t high, least = TEXT_FEWEST;
    if (count_fitting(d, most, &high, e) || write_lineage(d, high, least, most, e))
        return -1;
    if (d->out->len > most) {
        least = TEXT_LEAST;
        if (write_fitting(d, high, most, e))
            return -1;
    }
    size_t fixed = d->out->len - d->texts;
    size_t share = share_of_texts(d, least, fixed < most ? most - fixed : 0);
    return write_lineage(d, d->count, share, most, e);
}

static size_t links_of_walk(const struct lineage_answer *d)
{
    const struct graph *g = &d->t->graph;
    size_t links = 0;
    for (size_t i = d->part->offset; i < d->walk.count; i++) {
        uint32_t node = d->walk.node[i];
        links += g->link_first[g->just_first[node + 1]] - g->link_first[g->just_first[node]];
    }
    return links;
}

static int compact_lineage(struct lineage_answer *d, size_t *full, struct error *e)
{
    const struct trace *t = d->t;
    lineage_walk(&d->walk, &t->graph, t->root, t->direction, t->depth);
    for (size_t i = 0; i < d->walk.count; i++)
        row_index_add(&d->place, d->walk.node[i]);
    d->shown = xcalloc(d->walk.count + 1, sizeof(*d->shown));
    lineage_full_bytes(nodes_left(d), links_of_walk(d), full);
    int result = d->part->most ? fill_lineage(d, lineage_room(d->part->most, nodes_left(d)), e)
                               : write_lineage(d, nodes_left(d), SIZE_MAX, 0, e);
    free(d->shown);
    row_index_release(&d->place);
    lineage_release(&d->walk);
    arena_release(&d->kept);
    arena_release(&d->arena);
    return result;
}

int answer_lineage(struct reader *r, int64_t node, const struct lineage_part *part,
                   struct strbuf *out, size_t *full, struct error *e)
{
    struct trace t;
    uint8_t *view = NULL;
    AUTO_STRBUF json = STRBUF_INIT;
    if (reader_begin(r, e))
        return -1;
    struct lineage_answer d = {
        .out = &json, .reader = r, .t = &t, .part = part, .place = ROW_INDEX_INIT};
    int result = trace_load_visible(&t, r, node, part->direction, part->depth, &view, e);
    if (!result)
        result = compact_lineage(&d, full, e);
    strbuf_add(out, json.buf, json.len);
    trace_release(&t);
    free(view);
    reader_end(r);
    return result;
}

/* ---- for the room ---- */

/* Of a lineage in full form, on average. */
#define FULL_NODE 170
#define FULL_LINK 150

void lineage_full_bytes(size_t nodes, size_t links, size_t *full)
{
    if (full)
        *full = nodes * FULL_NODE + links * FULL_LINK;
}

size_t lineage_room(size_t most, size_t nodes)
{
    size_t room = nodes < LINEAGE_SMALL ? LINEAGE_SMALL : nodes;
    return most / OUTLINE_LINE < room ? most : room * OUTLINE_LINE;
}

size_t inside_json(const char *text, size_t len)
{
    size_t bytes = len;
    for (size_t i = 0; i < len; i++)
        bytes += text[i] == '"' || text[i] == '\\' || text[i] == '\n';
    return bytes;
}
