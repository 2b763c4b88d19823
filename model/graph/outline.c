/* A lineage as an indented list in which each memory is opened once. */
#include "model/graph/lineage.h"

#include "model/base/array.h"
#include "model/graph/walk.h"

void outline_release(struct outline *o)
{
    free(o->line);
    *o = (struct outline){.line = NULL};
}

/* The state of a node in the outline so far. */
enum {
    STATE_CUT = 1, /* a line shows it, but not what is below it */
    STATE_OPENED = 2,
    STATE_ON_PATH = 4, /* it is on the path to the current line */
};

/* An open node, and the next of its steps. */
struct frame {
    uint32_t number; /* the node's number in the walk */
    uint32_t line;
    uint32_t step, end;
    uint32_t just; /* for ANCESTORS: the justification of `step`, or an earlier one */
};

struct drawing {
    struct outline *out;
    const struct graph *g;
    enum direction direction;
    uint32_t depth;
    size_t max_lines, line_alloc;
    struct row_index reached;
    uint8_t *state; /* [reached.count] */
    size_t state_alloc;
    struct frame *frames;
    size_t frame_count, frame_alloc;
};

/* The node's number in the walk. Adds the node if it is new. */
static uint32_t number_of(struct drawing *d, uint32_t node)
{
    size_t before = d->reached.count;
    uint32_t number = (uint32_t)row_index_add(&d->reached, node);
    if (d->reached.count == before)
        return number;
    ARRAY_ROOM(d->state, before, d->state_alloc, 1);
    d->state[before] = 0;
    return number;
}

static void push(struct drawing *d, uint32_t number, uint32_t line)
{
    uint32_t node = reached_node(&d->reached, number);
    struct steps steps = graph_steps(d->g, d->direction, node);
    *ARRAY_ADD(d->frames, d->frame_count, d->frame_alloc) =
        (struct frame){number, line, steps.from, steps.to, d->g->just_first[node]};
    d->state[number] |= STATE_OPENED | STATE_ON_PATH;
}

/* The justification that the frame's next step belongs to. */
static uint32_t just_of(const struct drawing *d, struct frame *frame)
{
    if (d->direction == DESCENDANTS)
        return d->g->use_just[frame->step];
    while (d->g->link_first[frame->just + 1] <= frame->step)
        frame->just++;
    return frame->just;
}

/* Marks the line by the state of its node, and opens the node if it may be opened. */
static void place(struct drawing *d, uint32_t number, uint32_t at)
{
    struct outline_line *line = &d->out->line[at];
    struct steps steps = graph_steps(d->g, d->direction, line->node);
    uint8_t state = d->state[number];
    bool too_deep = line->depth >= d->depth && steps.from < steps.to;
    line->circle = state & STATE_ON_PATH;
    line->again = !line->circle && ((state & STATE_OPENED) || (too_deep && state));
    if (line->circle || line->again)
        return;
    line->cut = too_deep;
    if (!too_deep) {
        push(d, number, at);
        return;
    }
    d->state[number] |= STATE_CUT;
}

static void add_line(struct drawing *d, struct outline_line line)
{
    uint32_t number = number_of(d, line.node);
    *ARRAY_ADD(d->out->line, d->out->count, d->line_alloc) = line;
    place(d, number, (uint32_t)d->out->count - 1);
}

/* Adds the next line, or closes the current node. Returns false if there are `max_lines` lines. */
static bool draw_next(struct drawing *d)
{
    struct frame *frame = &d->frames[d->frame_count - 1];
    if (frame->step == frame->end) {
        d->state[frame->number] &= (uint8_t)~STATE_ON_PATH;
        d->frame_count--;
        return true;
    }
    if (d->out->count >= d->max_lines || d->out->count >= NODE_NONE - 1) {
        d->out->bounded = true;
        return false;
    }
    struct outline_line line = {
        .node = graph_step(d->g, d->direction, frame->step),
        .parent_line = frame->line,
        .just = just_of(d, frame),
        .depth = d->out->line[frame->line].depth + 1,
        .last = frame->step + 1 == frame->end,
    };
    frame->step++;
    add_line(d, line);
    return true;
}

/* Counts the nodes below each cut line that no line shows, each at the first line that leads to
 * it. */
static void count_hidden(struct drawing *d)
{
    for (size_t at = 0; at < d->out->count; at++) {
        struct outline_line *line = &d->out->line[at];
        size_t from = d->reached.count;
        if (!line->cut)
            continue;
        struct steps steps = graph_steps(d->g, d->direction, line->node);
        for (uint32_t i = steps.from; i < steps.to; i++)
            row_index_add(&d->reached, graph_step(d->g, d->direction, i));
        reached_walk(&d->reached, d->g, d->direction, from, NULL);
        line->more = (uint32_t)(d->reached.count - from);
    }
}

static void draw(struct drawing *d, uint32_t root)
{
    add_line(d, (struct outline_line){
                    .node = root, .parent_line = NODE_NONE, .just = NODE_NONE, .last = true});
    while (d->frame_count > 0 && draw_next(d))
        ;
    count_hidden(d);
}

void outline_make(struct outline *out, const struct graph *g, uint32_t root,
                  enum direction direction, uint32_t depth, size_t max_lines)
{
    struct drawing d = {.out = out, .g = g, .direction = direction, .depth = depth};
    d.max_lines = max_lines;
    d.reached = (struct row_index)ROW_INDEX_INIT;
    *out = (struct outline){.line = NULL};
    draw(&d, root);
    row_index_release(&d.reached);
    free(d.state);
    free(d.frames);
}
