/* A lineage as JSON within a limit, a trace as indented lines for agents, and a what-if as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
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

#define CYCLES_PART 8    /* this fraction of the answer is for cycles */
#define TEXT_MAX    1000 /* bytes of a text in brief mode */

/* State of an answer. */
struct trace_answer {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader;
    const struct trace *t;
    struct lineage walk;
    size_t count;           /* nodes of the walk that are written */
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

/* Adds a text, in brief mode truncated to as much as an outline shows. Masks it before truncating;
 * whole texts are masked with the answer. */
static void add_text(struct trace_answer *d, struct json_object *o, int64_t row)
{
    const char *text =
        guard_memory_text(d->reader, &d->arena, row, d->memory.ref.kind, d->memory.text);
    size_t len = text ? strlen(text) : 0;
    if (d->to->brief && len > TEXT_MAX) {
        text = guard_text(d->reader, &d->arena, text, len);
        len = strlen(text);
    }
    bool cut = d->to->brief && len > TEXT_MAX;
    json_key(o, "text");
    json_add_string_len(d->out, text ? text : "", cut ? utf8_fit(text, len, TEXT_MAX) : len);
    if (cut)
        json_pair_bool(o, "text_cut", true);
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
    add_text(d, &o, row);
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

/* Adds the nodes in order. With a limit, stops when nodes and their links exceed `most` bytes. The
 * links go to `links`. */
static int add_nodes(struct trace_answer *d, struct json_object *links, size_t most,
                     struct error *e)
{
    struct strbuf *out = d->out;
    size_t began = out->len;
    struct json_object nodes = json_begin(out, '[');
    for (size_t i = 0; i < d->walk.count; i++) {
        size_t before = out->len, linked = links->out->len;
        json_item(&nodes);
        if (add_node(d, i, e))
            return -1;
        d->out = links->out;
        int result = most ? add_links(d, links, (uint32_t)i, e) : 0;
        d->out = out;
        if (result)
            return -1;
        if (most && out->len - began + links->out->len > most) {
            strbuf_cut(out, before);
            strbuf_cut(links->out, linked);
            break;
        }
        d->count = i + 1;
    }
    json_end(&nodes);
    return 0;
}

/* ---- cycles ---- */

/* Sets *fits to false and removes the cycle if it goes beyond `end`. */
static int add_cycle(struct trace_answer *d, struct json_object *cycles, size_t from, size_t to,
                     size_t end, bool *fits, struct error *e)
{
    struct json_object before = *cycles;
    size_t start = d->out->len;
    struct json_object cycle = json_item_open(cycles, '[');
    *fits = true;
    for (size_t n = from; n < to && *fits; n++) {
        json_item(&cycle);
        if (add_ref(d, d->walk.cycle[n], e) || flush(d, e))
            return -1;
        *fits = d->out->len <= end;
    }
    json_end(&cycle);
    if (!*fits) {
        strbuf_cut(d->out, start);
        *cycles = before;
    }
    return 0;
}

/* Adds the cycles that end before `end`; *more is the number of others. */
static int add_cycles(struct trace_answer *d, size_t end, size_t *more, struct error *e)
{
    const struct lineage *walk = &d->walk;
    struct json_object cycles = json_begin(d->out, '[');
    *more = 0;
    for (size_t c = 0; c < walk->cycle_count; c++) {
        size_t from = walk->cycle_first[c], to = walk->cycle_first[c + 1];
        bool fits;
        if (add_cycle(d, &cycles, from, to, end, &fits, e))
            return -1;
        *more += !fits;
    }
    json_end(&cycles);
    return 0;
}

/* With a limit, cycles are written first, then as many nodes with their links as fit. */
static int add_answer(struct trace_answer *d, struct strbuf *links, struct strbuf *cycles,
                      struct error *e)
{
    struct strbuf *out = d->out;
    size_t most = d->to->most, cycles_more = 0;
    d->out = most ? cycles : out;
    if (most && add_cycles(d, most / CYCLES_PART, &cycles_more, e))
        return -1;
    d->out = out;
    size_t kept = cycles_more ? most / CYCLES_PART : cycles->len;
    struct json_object o = json_begin(out, '{'), list = json_begin(links, '[');
    json_key(&o, "nodes");
    if (add_nodes(d, &list, most > kept ? most - kept : most, e))
        return -1;
    json_key(&o, "links");
    if (!most)
        list = json_begin(out, '[');
    for (size_t i = 0; !most && i < d->count; i++)
        if (add_links(d, &list, (uint32_t)i, e))
            return -1;
    json_end(&list);
    if (most)
        strbuf_add(out, links->buf, links->len);
    size_t more = d->walk.count - d->count;
    json_pair_int(&o, "cut", (int64_t)(d->walk.cut + more));
    if (more)
        json_pair_int(&o, "nodes_more", (int64_t)more);
    json_key(&o, "cycles");
    if (most)
        strbuf_add(out, cycles->buf, cycles->len);
    else if (add_cycles(d, SIZE_MAX, &cycles_more, e))
        return -1;
    if (cycles_more)
        json_pair_int(&o, "cycles_more", (int64_t)cycles_more);
    json_end(&o);
    return 0;
}

int answer_trace(const struct answer *to, struct reader *r, const struct trace *t, struct error *e)
{
    struct strbuf links = STRBUF_INIT, cycles = STRBUF_INIT;
    struct trace_answer d = {
        .to = to, .out = to->out, .reader = r, .t = t, .place = ROW_INDEX_INIT};
    lineage_walk(&d.walk, &t->graph, t->root, t->direction, t->depth);
    for (size_t i = 0; i < d.walk.count; i++)
        row_index_add(&d.place, d.walk.node[i]);
    d.trust = xmalloc((d.walk.count + 1) * sizeof(*d.trust));
    int result = trust_of_nodes(r, &t->graph, d.walk.node, d.walk.count, d.trust, e) ||
                         add_answer(&d, &links, &cycles, e)
                     ? -1
                     : 0;
    free(d.trust);
    row_index_release(&d.place);
    lineage_release(&d.walk);
    strbuf_release(&links);
    strbuf_release(&cycles);
    arena_release(&d.arena);
    return result;
}

int answer_lineage(struct reader *r, int64_t node, enum direction direction, uint32_t depth,
                   size_t most, struct strbuf *out, struct error *e)
{
    struct trace t;
    uint8_t *view = NULL;
    if (reader_begin(r, e))
        return -1;
    int result = trace_load_visible(&t, r, node, direction, depth, &view, e);
    if (!result)
        result = answer_trace(&(struct answer){.out = out, .brief = true, .most = most}, r, &t, e);
    trace_release(&t);
    free(view);
    reader_end(r);
    return result;
}

/* ---- a trace as lines of text ---- */

#define TEXT_SHOWN  200 /* code points */
#define INDENTED    10  /* levels; of those below the number is written */
#define NAME_SHOWN  120 /* bytes of an agent's name */
#define CLOSING     160 /* bytes of what is said of lines that are left out */
#define INSIDE_MORE 8   /* bytes of line ends and quotes of a line inside a JSON string */

struct trace_text {
    struct strbuf *out;
    struct reader *reader;
    const struct trace *t;
    const char *agent;         /* owner of the root memory */
    const struct trust *trust; /* of each line */
    struct arena *arena, line;
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
    const char *seen = guard_text(s->reader, &s->line, agent, strlen(agent));
    compact_add_text(s->out, seen, SIZE_MAX, NAME_SHOWN);
}

static int add_state(struct trace_text *s, const struct memory_row *row, uint32_t node,
                     const struct trust *trust, struct error *e)
{
    enum label label = (enum label)s->t->labels.label[node];
    struct row_label support = {.label = label, .has_trust = true, .trust = trust->value};
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
    strbuf_addstr(s->out, ", confidence ");
    json_add_double(s->out, round(support.effective * 1000) / 1000);
    if (trust->value < 1 && trust->weakest == row->node) {
        strbuf_addstr(s->out, ", trust ");
        json_add_double(s->out, round(trust->value * 1000) / 1000);
    }
    if (row->agent_id && (!s->agent || strcmp(row->agent_id, s->agent) != 0)) {
        strbuf_addstr(s->out, ", of ");
        add_agent(s, row->agent_id);
    }
    strbuf_addch(s->out, ']');
    return 0;
}

/* Adds how the memory is related to the one above, unless that is clear. */
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
    strbuf_addstr(s->out, role_name(SHAPE_ROLE(shape)));
    if (SHAPE_READING(shape) == READING_ALL)
        strbuf_addstr(s->out, " (all needed)");
    if (SHAPE_RECORDED(shape) != RECORDED)
        strbuf_addf(s->out, " (%s)", recorded_name(SHAPE_RECORDED(shape)));
    strbuf_addstr(s->out, ": ");
}

/* Adds ref and state of a line; *text is what follows, NULL if nothing does. */
static int add_memory(struct trace_text *s, const struct outline_line *line,
                      const struct trust *trust, const char **text, struct error *e)
{
    struct memory_row row;
    enum visibility visibility;
    *text = NULL;
    if (memory_row_read(s->reader, &s->line, graph_row(&s->t->graph, line->node), &row, e))
        return -1;
    if (line->just == NODE_NONE)
        s->agent = row.agent_id ? arena_strdup(s->arena, row.agent_id) : NULL;
    add_lead(s, line);
    clean_add(s->out, ref_short(s->reader, &s->line, row.ref), SIZE_MAX);
    if (line->circle || line->again) {
        strbuf_addstr(s->out, line->circle ? " (a circle: it is on this path already)"
                                           : " (shown elsewhere)");
        return 0;
    }
    if (guard_visibility_of(s->reader, row.node, row.ref.kind, row.agent_id, &visibility, e))
        return -1;
    if (visibility != VISIBLE_WHOLE) {
        strbuf_addstr(s->out, " [withheld: it is a memory of ");
        add_agent(s, row.agent_id ? row.agent_id : "");
        strbuf_addstr(s->out, "]");
        return 0;
    }
    *text = row.text;
    return add_state(s, &row, line->node, trust, e);
}

/* Adds a line, whose text takes what the names leave of `most` bytes. */
static int add_line(struct trace_text *s, const struct outline_line *line,
                    const struct trust *trust, size_t most, struct error *e)
{
    const char *text;
    size_t began = s->out->len;
    arena_clear(&s->line);
    if (add_memory(s, line, trust, &text, e))
        return -1;
    char deeper[40] = "";
    if (line->cut && line->more && text)
        snprintf(deeper, sizeof(deeper), " (+%u deeper)", (unsigned)line->more);
    if (text && *text) {
        size_t taken =
            inside(s->out->buf + began, s->out->len - began) + strlen(deeper) + INSIDE_MORE;
        strbuf_addch(s->out, ' ');
        compact_add_text(s->out, text, TEXT_SHOWN,
                         !s->most       ? SIZE_MAX
                         : taken < most ? most - taken
                                        : 0);
    }
    strbuf_addf(s->out, "%s\n", deeper);
    return 0;
}

/* Says how many memories the lines do not show. */
static void add_rest(struct trace_text *s, const struct outline *o, size_t lines)
{
    struct lineage walk;
    const struct trace *t = s->t;
    size_t shown = 0;
    if (lines == o->count && !o->bounded)
        return;
    for (size_t i = 0; i < lines; i++)
        shown += !o->line[i].again && !o->line[i].circle;
    lineage_walk(&walk, &t->graph, t->root, t->direction, t->depth);
    strbuf_addf(s->out, "There is more: %zu memories are not shown.", walk.count - shown);
    strbuf_addstr(s->out, s->most ? " Ask for a smaller depth, or for the lineage of a ref above.\n"
                                  : "\n");
    lineage_release(&walk);
}

/* Each line has an equal part of the bytes, and what those before it left. */
static int add_lines(struct trace_text *s, const struct outline *o, struct error *e)
{
    size_t i, room = s->most ? s->most - (o->bounded ? CLOSING : 0) : SIZE_MAX;
    size_t safe = 0,
           end = s->out->len; /* the lines that leave room for what is said of the others */
    for (i = 0; i < o->count; i++) {
        size_t began = s->out->len, part = room / o->count * (i + 1);
        if (add_line(s, &o->line[i], &s->trust[i], part > s->inside ? part - s->inside : 0, e))
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
    add_rest(s, o, i);
    return 0;
}

static int trace_text(struct trace_text *s, size_t max_lines, struct error *e)
{
    struct outline o;
    const struct trace *t = s->t;
    outline_make(&o, &t->graph, t->root, t->direction, t->depth, max_lines);
    if (s->most > o.count * OUTLINE_LINE)
        s->most = o.count * OUTLINE_LINE;
    struct trust *trust = trust_of_outline(s->reader, &t->graph, &o, e);
    s->trust = trust;
    int result = trust ? add_lines(s, &o, e) : -1;
    free(trust);
    outline_release(&o);
    return result;
}

int answer_outline(struct reader *r, int64_t node, enum direction direction, uint32_t depth,
                   size_t max_lines, size_t most, struct strbuf *out, struct error *e)
{
    struct trace t;
    struct arena arena = ARENA_INIT;
    if (reader_begin(r, e))
        return -1;
    uint8_t *view = NULL;
    int result = trace_load_visible(&t, r, node, direction, depth, &view, e);
    struct trace_text s = {
        .out = out, .reader = r, .t = &t, .arena = &arena, .line = ARENA_INIT, .most = most};
    if (!result)
        result = trace_text(&s, max_lines, e);
    trace_release(&t);
    free(view);
    reader_end(r);
    arena_release(&s.line);
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
    clean_add(w->out, ref_short(w->reader, &w->arena, row->ref), SIZE_MAX);
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
    if (weakened) {
        struct json_object o = json_begin(w->out, '{');
        memory_json_pair_ref(&o, "ref", row.ref);
        json_pair_int(&o, "before", hit->before);
        json_pair_int(&o, "after", hit->after);
        json_end(&o);
    } else {
        memory_json_add_ref(w->out, row.ref);
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

static int add_list(struct writing *w, struct json_object *o, bool weakened, struct error *e)
{
    int64_t more;
    struct json_object list = json_open(o, weakened ? "weakened" : "loses_all_support", '[');
    if (add_hits(w, &list, weakened, &more, e) < 0)
        return -1;
    json_end(&list);
    if (more)
        json_pair_int(o, weakened ? "weakened_more" : "loses_all_support_more", more);
    return 0;
}

int answer_retraction(const struct answer *to, struct reader *r, const struct retraction *q,
                      const struct answer_room *room, struct error *e)
{
    int64_t descending_count;
    struct writing w = {.to = to, .out = to->out, .reader = r, .q = q, .room = room};
    w.began = w.out->len;
    struct json_object o = json_begin(w.out, '{');
    int result = add_list(&w, &o, false, e) || add_list(&w, &o, true, e) ||
                         count_descending(&w, &descending_count, e)
                     ? -1
                     : 0;
    arena_release(&w.arena);
    if (result)
        return -1;
    json_pair_int(&o, "descends", descending_count);
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
            strbuf_addf(out, "and %lld more\n", (long long)more);
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
