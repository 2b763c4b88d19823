#include "model/graph/lineage.h"

#include "model/base/alloc.h"
#include "model/graph/walk.h"

void outline_release(struct outline *o)
{
    free(o->line);
    *o = (struct outline){.line = NULL};
}

/* What a node is in the outline so far. */
enum {
    STATE_CUT = 1, /* a line shows it, unopened */
    STATE_OPENED = 2,
    STATE_ON_PATH = 4, /* it leads to the line that is being drawn */
};

/* A node that is open, and the next of its steps. */
struct frame {
    uint32_t number; /* of the node in the walk */
    uint32_t line;
    uint32_t step, end;
    uint32_t just; /* ANCESTORS: that `step` is a link of, or one before */
};

struct drawing {
    struct outline *out;
    const struct graph *g;
    enum direction direction;
    uint32_t depth;
    size_t max_lines, line_alloc;
    struct reached reached;
    uint8_t *state; /* [reached.count] */
    size_t state_alloc;
    struct frame *frames;
    size_t frame_count, frame_alloc;
};

/* The node's number in the walk; NODE_NONE where memory ran out. */
static uint32_t number_of(struct drawing *d, uint32_t node)
{
    void *state = d->state;
    size_t before = d->reached.count;
    uint32_t number = reached_add(&d->reached, node);
    if (d->reached.count == before)
        return number;
    if (!array_grow(&state, &d->state_alloc, before, sizeof(*d->state)))
        return NODE_NONE;
    d->state = state;
    d->state[before] = 0;
    return number;
}

static int push(struct drawing *d, uint32_t number, uint32_t line)
{
    void *frames = d->frames;
    uint32_t node = d->reached.node[number];
    if (!array_grow(&frames, &d->frame_alloc, d->frame_count, sizeof(*d->frames)))
        return -1;
    d->frames = frames;
    struct steps steps = graph_steps(d->g, d->direction, node);
    d->frames[d->frame_count++] =
        (struct frame){number, line, steps.from, steps.to, d->g->just_first[node]};
    d->state[number] |= STATE_OPENED | STATE_ON_PATH;
    return 0;
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

/* Marks the line by what its node is so far; opens it where it may be. */
static int place(struct drawing *d, uint32_t number, uint32_t at)
{
    struct outline_line *line = &d->out->line[at];
    struct steps steps = graph_steps(d->g, d->direction, line->node);
    uint8_t state = d->state[number];
    bool too_deep = line->depth >= d->depth && steps.from < steps.to;
    line->circle = state & STATE_ON_PATH;
    line->again = !line->circle && ((state & STATE_OPENED) || (too_deep && state));
    if (line->circle || line->again)
        return 0;
    line->cut = too_deep;
    if (!too_deep)
        return push(d, number, at);
    d->state[number] |= STATE_CUT;
    return 0;
}

static int add_line(struct drawing *d, struct outline_line line)
{
    void *lines = d->out->line;
    uint32_t number = number_of(d, line.node);
    if (number == NODE_NONE ||
        !array_grow(&lines, &d->line_alloc, d->out->count, sizeof(*d->out->line)))
        return -1;
    d->out->line = lines;
    d->out->line[d->out->count] = line;
    return place(d, number, (uint32_t)d->out->count++);
}

/* The next line, or the end of an open node. 1 where there are lines enough. */
static int draw_next(struct drawing *d)
{
    struct frame *frame = &d->frames[d->frame_count - 1];
    if (frame->step == frame->end) {
        d->state[frame->number] &= (uint8_t)~STATE_ON_PATH;
        d->frame_count--;
        return 0;
    }
    if (d->out->count >= d->max_lines || d->out->count >= NODE_NONE - 1) {
        d->out->bounded = true;
        return 1;
    }
    struct outline_line line = {
        .node = graph_step(d->g, d->direction, frame->step),
        .parent_line = frame->line,
        .just = just_of(d, frame),
        .depth = d->out->line[frame->line].depth + 1,
        .last = frame->step + 1 == frame->end,
    };
    frame->step++;
    return add_line(d, line);
}

/* What no line shows below each cut line, counted at the first that leads to it. */
static int count_hidden(struct drawing *d)
{
    for (size_t at = 0; at < d->out->count; at++) {
        struct outline_line *line = &d->out->line[at];
        size_t from = d->reached.count;
        if (!line->cut)
            continue;
        struct steps steps = graph_steps(d->g, d->direction, line->node);
        for (uint32_t i = steps.from; i < steps.to; i++)
            if (reached_add(&d->reached, graph_step(d->g, d->direction, i)) == NODE_NONE)
                return -1;
        if (reached_walk(&d->reached, d->g, d->direction, from, NULL))
            return -1;
        line->more = (uint32_t)(d->reached.count - from);
    }
    return 0;
}

static int draw(struct drawing *d, uint32_t root)
{
    int state =
        add_line(d, (struct outline_line){
                        .node = root, .parent_line = NODE_NONE, .just = NODE_NONE, .last = true});
    while (state == 0 && d->frame_count > 0)
        state = draw_next(d);
    return state < 0 ? -1 : count_hidden(d);
}

int outline_make(struct outline *out, const struct graph *g, uint32_t root,
                 enum direction direction, uint32_t depth, size_t max_lines)
{
    struct drawing d = {.out = out, .g = g, .direction = direction, .depth = depth};
    d.max_lines = max_lines;
    d.reached = (struct reached)REACHED_INIT;
    *out = (struct outline){.line = NULL};
    int bad = draw(&d, root);
    reached_release(&d.reached);
    free(d.state);
    free(d.frames);
    if (bad)
        outline_release(out);
    return bad;
}
