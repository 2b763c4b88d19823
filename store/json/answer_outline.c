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

#define INDENTED   10  /* levels; of those below the number is written */
#define NAME_SHOWN 120 /* bytes of an agent's name */
#define ALSO_NAMED 16  /* other antecedents named on a line */
#define ALSO_END   16  /* bytes of the number of others */
#define LINKS_READ                                                                                 \
    32 /* links for each line of the first page, on average; what only others lead to is counted */
#define QUOTES   2 /* bytes around the lines in JSON */
#define LINE_END 2

/* The parts of a line that do not depend on the room. The strings are in the arena. */
struct line_parts {
    const char *head; /* lead, ref and state */
    const char *text; /* NULL if nothing follows */
    size_t fixed;     /* bytes of the line without its text and names of others */
    size_t needs;     /* bytes of the whole text and the space before it */
};

struct trace_text {
    struct strbuf *out;
    struct reader *reader;
    const struct trace *t;
    const struct lineage_part *part;
    const struct outline *o;
    const char *agent;   /* owner of the root memory */
    size_t *line, lines; /* those that show a memory, from the first; the others repeat one */
    size_t *also,
        *next; /* [o->count] the first and the next repeated memory below a line; 0: none */
    struct line_parts *parts; /* [part->lines] */
    struct row_label
        *label; /* [part->lines], of the lines that may be shown; `labelled` are read */
    size_t labelled;
    size_t floor; /* least bytes of a text that has more */
    struct arena *arena, each;
};

static void add_agent(struct trace_text *s, const char *agent)
{
    const char *seen = guard_text(s->reader, &s->each, agent, strlen(agent));
    compact_add_text(s->out, seen, SIZE_MAX, NAME_SHOWN);
}

static void add_state(struct trace_text *s, const struct memory_row *row,
                      const struct row_label *support)
{
    strbuf_addstr(s->out, " [");
    if (row->status == STATUS_MISSING) {
        strbuf_addstr(s->out, "missing: named, never written]");
        return;
    }
    enum label label = support->label;
    strbuf_addstr(s->out, label == LABEL_ENDED ? status_name(row->status) : label_name(label));
    if (label != LABEL_ENDED && row->status != STATUS_ACTIVE)
        strbuf_addf(s->out, ", %s", status_name(row->status));
    if (!support->unstated) {
        strbuf_addstr(s->out, ", effective ");
        json_add_double(s->out, round(support->effective * 1000) / 1000);
    }
    if (row->agent_id && (!s->agent || strcmp(row->agent_id, s->agent) != 0)) {
        strbuf_addstr(s->out, ", of ");
        add_agent(s, row->agent_id);
    }
    strbuf_addch(s->out, ']');
}

/* Adds how the memory is related to the one above: "derived_from: ", or read the other way "used by: ". */
static void add_lead(struct trace_text *s, const struct outline_line *line)
{
    const struct graph *g = &s->t->graph;
    bool deep = line->depth > INDENTED;
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
        strbuf_addf(s->out, " (%s)", recorded_words(SHAPE_RECORDED(shape)));
    strbuf_addstr(s->out, ": ");
}

/* Adds ref and state of a line; *text is what follows, NULL if nothing does. */
static int add_memory(struct trace_text *s, const struct outline_line *line,
                      const struct row_label *label, const char **text, struct error *e)
{
    struct memory_row row;
    enum visibility visibility;
    *text = NULL;
    if (memory_row_read(s->reader, &s->each, graph_row(&s->t->graph, line->node), &row, e))
        return -1;
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
    add_state(s, &row, label);
    return 0;
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
        if (left || named >= ALSO_NAMED || most <= ALSO_END) {
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

static void add_deeper(const struct outline_line *line, const struct line_parts *parts,
                       struct strbuf *out)
{
    if (line->cut && line->more && parts->text)
        strbuf_addf(out, " (%u+ deeper)", (unsigned)line->more);
}

/* The least bytes of the text and the space before it. */
static size_t least_text(const struct trace_text *s, const struct line_parts *parts)
{
    return parts->needs < s->floor ? parts->needs : s->floor;
}

/* Reads what a line has, and measures it. */
static int read_line(struct trace_text *s, size_t at, const struct row_label *label,
                     struct line_parts *parts, struct error *e)
{
    const struct outline_line *line = &s->o->line[at];
    struct strbuf *out = s->out, head = STRBUF_INIT, text = STRBUF_INIT;
    const char *whole;
    arena_clear(&s->each);
    s->out = &head;
    int result = add_memory(s, line, label, &whole, e);
    s->out = out;
    parts->head = arena_strndup(s->arena, head.buf ? head.buf : "", head.len);
    if (!result && whole) {
        compact_add_text(&text, whole, COMPACT_TEXT, SIZE_MAX);
        parts->text = arena_strndup(s->arena, text.buf ? text.buf : "", text.len);
    }
    parts->needs = text.len ? 1 + inside_json(text.buf, text.len) : 0;
    parts->fixed = inside_json(head.buf, head.len) + LINE_END;
    strbuf_clear(&head);
    if (!result)
        result = make_also(s, at, 0, &head, e);
    add_deeper(line, parts, &head);
    parts->fixed += head.len;
    strbuf_release(&head);
    strbuf_release(&text);
    return result;
}

/* Adds a line of at most `most` bytes, which are no less than its least. Names of others come before the text. */
static int add_line(struct trace_text *s, size_t at, const struct line_parts *parts, size_t most,
                    struct error *e)
{
    AUTO_STRBUF rest = STRBUF_INIT;
    size_t taken = inside_json(parts->head, strlen(parts->head)) + LINE_END;
    size_t kept = least_text(s, parts);
    add_deeper(&s->o->line[at], parts, &rest);
    strbuf_addstr(s->out, parts->head);
    most = taken < most ? most - taken : 0;
    kept += rest.len;
    strbuf_clear(&rest);
    arena_clear(&s->each);
    int result = make_also(s, at, most > kept ? most - kept : 0, &rest, e);
    add_deeper(&s->o->line[at], parts, &rest);
    taken = inside_json(rest.buf, rest.len) + 1;
    if (parts->text && *parts->text) {
        strbuf_addch(s->out, ' ');
        compact_add_text(s->out, parts->text, SIZE_MAX, taken < most ? most - taken : 0);
    }
    strbuf_add(s->out, rest.buf, rest.len);
    strbuf_addch(s->out, '\n');
    return result;
}

/* How many of the memories the first lines do not show. One that is cut may have another line. */
static size_t count_rest(const struct trace_text *s, const struct lineage *walk, size_t lines)
{
    AUTO(row_index) shown = ROW_INDEX_INIT;
    for (size_t i = 0; i < lines && i < s->lines; i++)
        row_index_add(&shown, s->o->line[s->line[i]].node);
    return walk->count - shown.count;
}

static void add_rest(struct trace_text *s, const struct lineage *walk, size_t lines)
{
    size_t rest = count_rest(s, walk, lines);
    if (rest == 0)
        return;
    strbuf_addf(s->out, "There is more: %zu memor%s not shown. ", rest,
                rest == 1 ? "y is" : "ies are");
    if (lines < s->lines || s->o->bounded)
        strbuf_addf(s->out, "memory_lineage with offset %zu goes on.\n", lines);
    else
        strbuf_addstr(s->out, "A larger depth shows them.\n");
}

static int add_heading(struct trace_text *s, struct error *e)
{
    struct memory_row row;
    size_t first = s->part->offset;
    if (s->o->count < 2)
        return 0;
    strbuf_addstr(s->out, s->t->direction == DESCENDANTS
                              ? "Descendants: below each memory is what uses it."
                              : "Ancestors: below each memory is what it is based on.");
    if (first && first < s->lines) {
        uint32_t above = s->o->line[s->line[first]].parent_line;
        arena_clear(&s->each);
        if (memory_row_read(s->reader, &s->each, graph_row(&s->t->graph, s->o->line[above].node),
                            &row, e))
            return -1;
        strbuf_addf(s->out, " After %zu lines; the next is below ", first);
        ref_add_visible(s->out, ref_short(s->reader, &s->each, row.ref));
        strbuf_addch(s->out, '.');
    }
    strbuf_addch(s->out, '\n');
    return 0;
}

#define LABELLED 16

/* Reads the labels of the next lines of the page, unless that of `count` is known: together they are proved from the
 * same memories. */
static int read_labels(struct trace_text *s, size_t count, struct error *e)
{
    int64_t row[LABELLED];
    size_t read = 0;
    if (count < s->labelled)
        return 0;
    for (size_t at = s->part->offset + count;
         read < LABELLED && at + read < s->lines && count + read < s->part->lines; read++)
        row[read] = graph_row(&s->t->graph, s->o->line[s->line[at + read]].node);
    s->labelled = count + read;
    return effective_of_rows(s->reader, row, read, s->label + count, e);
}

/* Reads the lines of the page as long as they fit in `room` bytes with the beginnings of their texts. Returns how many
 * there are, *least is their bytes. */
static int64_t read_lines(struct trace_text *s, size_t room, size_t *least, struct error *e)
{
    size_t first = s->part->offset, count = 0;
    *least = 0;
    for (; first + count < s->lines && count < s->part->lines; count++) {
        struct line_parts *parts = &s->parts[count];
        if (!parts->head && (read_labels(s, count, e) ||
                             read_line(s, s->line[first + count], &s->label[count], parts, e)))
            return -1;
        size_t bytes = parts->fixed + least_text(s, parts);
        if (count && *least + bytes > room)
            break;
        *least += bytes;
    }
    return (int64_t)count;
}

/* Reads the lines that the page has room for: all that are left, or fewer with more of their texts. */
static int64_t read_page(struct trace_text *s, const struct lineage *walk, size_t *room,
                         size_t *least, struct error *e)
{
    s->floor = TEXT_FEWEST;
    int64_t count = read_lines(s, *room, least, e);
    if (count < 0 || count_rest(s, walk, s->part->offset + (size_t)count) == 0)
        return count;
    s->floor = TEXT_LEAST;
    *room -= CLOSING < *room ? CLOSING : *room;
    return read_lines(s, *room, least, e);
}

/* Each line has its least bytes, an equal part of what is left over, and what those before it left. */
static int add_lines(struct trace_text *s, const struct lineage *walk, struct error *e)
{
    size_t began = s->out->len, first = s->part->offset, least, sum = 0, inside = 0;
    size_t left = first < s->lines ? s->lines - first : 0;
    if (add_heading(s, e))
        return -1;
    size_t head = inside_json(s->out->buf + began, s->out->len - began) + QUOTES;
    size_t room = lineage_room(s->part->most, left);
    room -= head < room ? head : room;
    s->parts = arena_array(s->arena, s->part->lines + 1, sizeof(*s->parts));
    memset(s->parts, 0, (s->part->lines + 1) * sizeof(*s->parts));
    s->label = arena_array(s->arena, s->part->lines + 1, sizeof(*s->label));
    int64_t count = read_page(s, walk, &room, &least, e);
    size_t spare = least < room ? room - least : 0;
    for (size_t i = 0; count >= 0 && i < (size_t)count; i++) {
        sum += s->parts[i].fixed + least_text(s, &s->parts[i]);
        size_t end = sum + spare / (size_t)count * (i + 1), text = s->out->len;
        if (add_line(s, s->line[first + i], &s->parts[i], end > inside ? end - inside : 0, e))
            return -1;
        inside += inside_json(s->out->buf + text, s->out->len - text);
    }
    if (count < 0)
        return -1;
    if (count == 0)
        strbuf_addf(s->out, "No memory comes after %zu lines.\n", first);
    else
        add_rest(s, walk, first + (size_t)count);
    return 0;
}

/* Parts the lines that show a memory from those that repeat one, which the line above them names. */
static void part_lines(struct trace_text *s)
{
    const struct outline *o = s->o;
    s->line = xcalloc(o->count + 1, sizeof(*s->line));
    s->also = xcalloc(2 * (o->count + 1), sizeof(*s->also));
    s->next = s->also + o->count + 1;
    for (size_t i = 0; i < o->count; i++)
        if (!o->line[i].again && !o->line[i].circle)
            s->line[s->lines++] = i;
    for (size_t i = o->count; i-- > 0;) {
        uint32_t above = o->line[i].parent_line;
        if (!o->line[i].again && !o->line[i].circle)
            continue;
        s->next[i] = s->also[above];
        s->also[above] = i;
    }
}

/* The agent of the root; a line names another. */
static int read_agent(struct trace_text *s, struct error *e)
{
    struct memory_row row;
    if (memory_row_read(s->reader, s->arena, graph_row(&s->t->graph, s->t->root), &row, e))
        return -1;
    s->agent = row.agent_id;
    return 0;
}

static int trace_text(struct trace_text *s, size_t *full, struct error *e)
{
    struct outline o;
    struct lineage walk;
    const struct trace *t = s->t;
    size_t first = s->part->offset, read = first ? SIZE_MAX : s->part->lines * LINKS_READ;
    outline_make(&o, &t->graph, t->root, t->direction, t->depth, read);
    lineage_walk(&walk, &t->graph, t->root, t->direction, t->depth);
    s->o = &o;
    part_lines(s);
    lineage_full_bytes(first < walk.count ? walk.count - first : 0,
                       first < o.count ? o.count - first : 0, full);
    int result = read_agent(s, e) || add_lines(s, &walk, e) ? -1 : 0;
    free(s->line);
    free(s->also);
    lineage_release(&walk);
    outline_release(&o);
    return result;
}

int answer_outline(struct reader *r, int64_t node, const struct lineage_part *part,
                   struct strbuf *out, size_t *full, struct error *e)
{
    struct trace t;
    AUTO_ARENA arena = ARENA_INIT;
    if (reader_begin(r, e))
        return -1;
    int result = trace_load_near(&t, r, node, part->direction, part->depth, e);
    struct trace_text s = {
        .out = out, .reader = r, .t = &t, .part = part, .arena = &arena, .each = ARENA_INIT};
    if (!result)
        result = trace_text(&s, full, e);
    trace_release(&t);
    reader_end(r);
    arena_release(&s.each);
    return result;
}
