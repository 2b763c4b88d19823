/* A lineage as indented lines, for agents that read rather than compute. */
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
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"

#define TEXT_SHOWN 200 /* code points */
#define INDENTED   10  /* levels; of those below the number is written */
#define NAME_SHOWN 120 /* bytes of an agent's name */
#define ALSO_NAMED 16  /* other antecedents named on a line */
#define ALSO_END   16  /* bytes of the number of others */
#define LINKS_READ 32  /* links for each line, on average; what only others lead to is counted */

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
        } else if (inside_json(out->buf, out->len) + ALSO_END > most) {
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

/* Adds a line. The text gets the bytes of `most` that the names in the line leave. */
static int add_line(struct trace_text *s, size_t at, size_t most, struct error *e)
{
    const struct outline_line *line = &s->o->line[at];
    const char *text;
    struct strbuf rest = STRBUF_INIT;
    size_t began = s->out->len;
    arena_clear(&s->each);
    if (add_memory(s, line, &text, e))
        return -1;
    size_t taken = inside_json(s->out->buf + began, s->out->len - began) + INSIDE_MORE;
    size_t kept = text && strlen(text) < TEXT_LEAST ? strlen(text) : TEXT_LEAST;
    most = !s->most ? SIZE_MAX : taken < most ? most - taken : 0;
    int result = make_also(s, at, most > kept ? most - kept : 0, &rest, e);
    if (line->cut && line->more && text)
        strbuf_addf(&rest, " (+%u deeper)", (unsigned)line->more);
    taken = inside_json(rest.buf, rest.len);
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
    s->inside += inside_json(s->out->buf + began, s->out->len - began);
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
        s->inside += inside_json(s->out->buf + began, s->out->len - began);
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
    lineage_full_bytes(&walk, o.count, full);
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
