/* A trace as lines of text. */
#include "store/json/answer.h"

#include <stdlib.h>
#include <string.h>
#include "model/json/json.h"
#include "model/base/utf8.h"
#include "store/guard/guard.h"

#define TEXT_SHOWN 200 /* code points */

struct sketch {
    struct strbuf *out;
    struct reader *reader;
    const struct trace *t;
    const char *agent; /* whose the memory at the root is */
    struct arena *arena, line;
};

static void add_state(struct sketch *s, const struct memory_row *row, uint32_t node)
{
    enum label label = (enum label)s->t->labels.label[node];
    strbuf_addstr(s->out, " [");
    if (row->status == STATUS_MISSING) {
        strbuf_addstr(s->out, "missing: named, never written]");
        return;
    }
    strbuf_addstr(s->out, label == LABEL_GONE ? status_name(row->status) : label_name(label));
    if (label != LABEL_GONE && row->status != STATUS_ACTIVE)
        strbuf_addf(s->out, ", %s", status_name(row->status));
    strbuf_addstr(s->out, ", confidence ");
    json_add_double(s->out, row->confidence);
    if (row->agent_id && (!s->agent || strcmp(row->agent_id, s->agent) != 0)) {
        strbuf_addstr(s->out, ", of ");
        guard_add_clean(s->reader, &s->line, s->out, row->agent_id, SIZE_MAX);
    }
    strbuf_addch(s->out, ']');
}

/* Why it stands here, where that is not said by the ref above alone. */
static void add_lead(struct sketch *s, const struct outline_line *line)
{
    const struct graph *g = &s->t->graph;
    strbuf_addchars(s->out, ' ', 2 * (size_t)line->depth);
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

static int add_line(struct sketch *s, const struct outline_line *line, struct error *e)
{
    struct memory_row row;
    arena_clear(&s->line);
    if (memory_row_read(s->reader, &s->line, graph_row(&s->t->graph, line->node), &row, e))
        return -1;
    if (line->just == NODE_NONE)
        s->agent = row.agent_id ? arena_strdup(s->arena, row.agent_id) : NULL;
    add_lead(s, line);
    guard_ref_add_clean(s->reader, &s->line, s->out, row.ref);
    if (line->circle || line->again) {
        strbuf_addstr(s->out, line->circle ? " (a circle: it is on this path already)\n"
                                           : " (shown elsewhere)\n");
        return 0;
    }
    enum sight sight;
    if (guard_sight_of(s->reader, row.node, row.ref.kind, row.agent_id, &sight, e))
        return -1;
    if (sight != SIGHT_WHOLE) {
        strbuf_addstr(s->out, " [withheld: it is a memory of ");
        guard_add_clean(s->reader, &s->line, s->out, row.agent_id ? row.agent_id : "", SIZE_MAX);
        strbuf_addstr(s->out, "]\n");
        return 0;
    }
    add_state(s, &row, line->node);
    if (row.text && *row.text) {
        strbuf_addch(s->out, ' ');
        clean_add(s->out, row.text, TEXT_SHOWN);
    }
    if (line->cut && line->more)
        strbuf_addf(s->out, " (+%u deeper)", (unsigned)line->more);
    strbuf_addch(s->out, '\n');
    return 0;
}

static int add_lines(struct sketch *s, const struct outline *o, struct error *e)
{
    for (size_t i = 0; i < o->count; i++)
        if (add_line(s, &o->line[i], e))
            return -1;
    if (o->bounded)
        strbuf_addf(s->out, "There is more: only the first %zu lines are shown.\n", o->count);
    return 0;
}

static int sketch(struct sketch *s, size_t max_lines, struct error *e)
{
    struct outline o;
    const struct trace *t = s->t;
    outline_make(&o, &t->graph, t->root, t->direction, t->depth, max_lines);
    int result = add_lines(s, &o, e);
    outline_release(&o);
    return result;
}

int answer_outline(struct reader *r, int64_t node, enum direction direction, uint32_t depth,
                   size_t max_lines, struct strbuf *out, struct error *e)
{
    struct trace t;
    struct arena arena = ARENA_INIT;
    if (reader_begin(r, e))
        return -1;
    uint8_t *view = NULL;
    int result = trace_load_seen(&t, r, node, direction, depth, &view, e);
    struct sketch s = {.out = out, .reader = r, .t = &t, .arena = &arena, .line = ARENA_INIT};
    if (!result)
        result = sketch(&s, max_lines, e);
    trace_release(&t);
    free(view);
    reader_end(r);
    arena_release(&s.line);
    arena_release(&arena);
    return result;
}
