#include "model/layout/layout.h"

#include <string.h>
#include "model/layout/draft.h"
#include "model/layout/layered.h"

void layout_release(struct layout *l)
{
    arena_release(&l->arena);
    *l = (struct layout){.picture = NULL};
}

static void draft_init(struct draft *d)
{
    size_t points = (size_t)d->g.points + 1, layers = (size_t)d->g.layers + 1;
    size_t segments = (size_t)d->g.segments + 1;
    d->gaps = d->g.layers > 0 ? d->g.layers - 1 : 0;
    d->size = arena_array(&d->g.arena, points, sizeof(*d->size));
    d->at = arena_array(&d->g.arena, points, sizeof(*d->at));
    d->before = arena_array(&d->g.arena, points, sizeof(*d->before));
    d->after = arena_array(&d->g.arena, points, sizeof(*d->after));
    d->border = arena_array(&d->g.arena, points, sizeof(*d->border));
    d->layer_from = arena_array(&d->g.arena, layers, sizeof(*d->layer_from));
    d->layer_to = arena_array(&d->g.arena, layers, sizeof(*d->layer_to));
    d->pin = arena_array(&d->g.arena, 2 * segments, sizeof(*d->pin));
    d->pin_first = arena_array(&d->g.arena, 2 * layers + 1, sizeof(*d->pin_first));
    d->trunk = arena_array(&d->g.arena, segments, sizeof(*d->trunk));
    d->trunk_first = arena_array(&d->g.arena, layers + 1, sizeof(*d->trunk_first));
    d->gap_first = arena_array(&d->g.arena, layers + 1, sizeof(*d->gap_first));
    d->channel = arena_array(&d->g.arena, layers, sizeof(*d->channel));
    for (int side = 0; side < GAP_SIDES; side++) {
        d->ports[side] = arena_array(&d->g.arena, points, sizeof(*d->ports[side]));
        d->point_pin[side] = arena_array(&d->g.arena, points, sizeof(*d->point_pin[side]));
        d->leg_pin[side] = arena_array(&d->g.arena, segments, sizeof(*d->leg_pin[side]));
    }
}

static void find_gaps(struct draft *d)
{
    const struct layered *g = &d->g;
    uint32_t s = 0;
    for (uint32_t gap = 0; gap <= d->gaps; gap++) {
        while (s < g->segments && g->layer[g->segment[s].upper] < gap)
            s++;
        d->gap_first[gap] = s;
    }
}

/* Finds the borders for double ports, which mark that all antecedents are needed. */
static void find_borders(struct draft *d)
{
    const struct layered *g = &d->g;
    for (uint32_t i = 0; i < g->segments; i++) {
        const struct segment *s = &g->segment[i];
        const struct net *net = &g->net[s->net];
        uint32_t from = net->reversed ? s->upper : s->lower;
        if (net->stroke == STROKE_ALL && draft_is_node(d, from))
            d->border[from] |= net->reversed ? BORDER_AFTER : BORDER_BEFORE;
        if (net->reversed && draft_is_node(d, s->upper))
            d->border[s->upper] |= LEADS_BACK;
    }
}

/* From left to right, a node of several rows has a border on both sides. So has a node of one
 * row with a double port, except where an arrow follows it directly. */
static void complete_borders(struct draft *d, uint32_t node, int32_t rows)
{
    uint8_t *border = &d->border[node];
    if (rows > 1 || (*border & (BORDER_BEFORE | BORDER_AFTER) && !(*border & LEADS_BACK)))
        *border |= BORDER_BEFORE | BORDER_AFTER;
}

/* Up to this number, the ports of a side have a free column between them in drawings from top to
 * bottom: lines bend less, and no drawing was measured to be wider. */
#define ROOMY_PORTS 8

static void find_sizes(struct draft *d)
{
    const struct layered *g = &d->g;
    bool down = d->options.flow == FLOW_DOWN;
    int32_t walls = d->options.boxed ? 2 : 0;
    find_borders(d);
    for (uint32_t p = 0; p < g->points; p++) {
        if (!draft_is_node(d, p)) {
            d->size[p] = 1;
            continue;
        }
        int32_t near = (int32_t)d->ports[NEAR_SIDE][p], far = (int32_t)d->ports[FAR_SIDE][p];
        int32_t room = near > far ? near : far,
                label = down ? g->picture->node[p].columns : picture_lines(&g->picture->node[p]);
        if (down && room > 1 && room <= ROOMY_PORTS)
            room = 2 * room - 1;
        room = room > label ? room : label;
        d->size[p] = room + walls;
        if (!down)
            complete_borders(d, p, room);
    }
}

static void find_order(struct draft *d)
{
    if (d->options.seed)
        ordering_seeded(&d->g, d->options.seed);
    else
        ordering_find(&d->g);
}

/* Is an upper bound for all labels and tracks, one after the other, within MOST_CELLS? */
static bool fits_onward(const struct draft *d)
{
    const struct picture *p = d->g.picture;
    int64_t cells = 8 * (int64_t)d->g.layers + 4 * (int64_t)d->g.segments;
    for (uint32_t n = 0; n < p->nodes; n++)
        cells += p->node[n].columns;
    return cells <= MOST_CELLS;
}

/* Converts a node's rectangle from the draft to the screen. */
static struct layout_node turned(const struct draft *d, uint32_t node)
{
    const struct picture_node *drawn = &d->g.picture->node[node];
    int32_t onward = d->before[node], length = d->after[node] - d->before[node] + 1;
    struct layout_node n = {.label_columns = drawn->columns,
                            .label_rows = picture_lines(drawn),
                            .seed = 2 * d->at[node] + d->size[node]};
    if (d->options.flow == FLOW_DOWN) {
        bool inside = d->options.boxed || d->border[node] & BORDER_BEFORE;
        n.column = d->at[node], n.width = d->size[node], n.row = onward, n.height = length;
        n.label_column = n.column + (n.width - drawn->columns) / 2;
        n.label_row = n.row + inside;
    } else {
        bool inside = d->options.boxed || d->border[node] & BORDER_BEFORE;
        n.column = onward, n.width = length, n.row = d->at[node], n.height = d->size[node];
        n.label_column = n.column + inside;
        n.label_row = n.row + (n.height - n.label_rows) / 2;
    }
    return n;
}

/* Shifts the drawing to begin at 0: a dogleg may be before all nodes, and a bare label after an
 * empty cell. */
static void shift(struct draft *d, int32_t across, int32_t onward)
{
    const struct layered *g = &d->g;
    struct layout *l = d->layout;
    for (uint32_t p = 0; p < g->picture->nodes; p++) {
        d->at[p] += across;
        d->before[p] += onward;
        d->after[p] += onward;
    }
    for (size_t i = 0; i < l->wires; i++) {
        struct layout_wire *w = &l->wire[i];
        int32_t along = w->across ? across : onward;
        w->at += w->across ? onward : across;
        w->from += 2 * along;
        w->to += 2 * along;
    }
    for (size_t i = 0; i < l->legs; i++) {
        l->leg[i].from += 2 * across;
        l->leg[i].turn += 2 * across;
        l->leg[i].to += 2 * across;
    }
    for (size_t i = 0; i < l->ports; i++) {
        l->port[i].across += across;
        l->port[i].onward += onward;
    }
}

static void extend(int32_t *least, int32_t *most, int32_t from, int32_t to)
{
    *least = from < *least ? from : *least;
    *most = to > *most ? to : *most;
}

static void begin_at_zero(struct draft *d)
{
    struct layout *l = d->layout;
    int32_t across[2] = {INT32_MAX, INT32_MIN}, onward[2] = {INT32_MAX, INT32_MIN};
    for (uint32_t p = 0; p < d->g.picture->nodes; p++) {
        extend(&across[0], &across[1], d->at[p], d->at[p] + d->size[p] - 1);
        extend(&onward[0], &onward[1], d->before[p], d->after[p]);
    }
    for (size_t i = 0; i < l->wires; i++) {
        const struct layout_wire *w = &l->wire[i];
        if (w->across)
            extend(&across[0], &across[1], w->from / 2, w->to / 2);
        else
            extend(&across[0], &across[1], w->at, w->at);
    }
    shift(d, -across[0], -onward[0]);
    int32_t cells_across = across[1] - across[0] + 1, cells_onward = onward[1] - onward[0] + 1;
    l->width = d->options.flow == FLOW_DOWN ? cells_across : cells_onward;
    l->height = d->options.flow == FLOW_DOWN ? cells_onward : cells_across;
}

static void place_nodes(struct draft *d)
{
    const struct layered *g = &d->g;
    struct layout *l = d->layout;
    uint32_t count = 0;
    l->node = arena_array(&l->arena, (size_t)g->picture->nodes + 1, sizeof(*l->node));
    l->layer_first = arena_array(&l->arena, (size_t)g->layers + 1, sizeof(*l->layer_first));
    l->layer_node = arena_array(&l->arena, (size_t)g->picture->nodes + 1, sizeof(*l->layer_node));
    l->layers = g->layers;
    l->layer_first[0] = 0;
    for (uint32_t layer = 0; layer < g->layers; layer++) {
        for (uint32_t i = g->first[layer]; i < g->first[layer + 1]; i++) {
            uint32_t p = g->order[i];
            if (p >= g->picture->nodes)
                continue;
            l->node[p] = turned(d, p);
            l->node[p].layer = layer;
            l->node[p].place = count - l->layer_first[layer];
            l->layer_node[count++] = p;
        }
        l->layer_first[layer + 1] = count;
    }
}

static void keep_nets(struct draft *d)
{
    struct layout *l = d->layout;
    size_t edges = l->picture->edges;
    l->nets = d->g.nets;
    l->net = arena_memdup(&l->arena, d->g.net, l->nets * sizeof(*l->net));
    l->edge_net = arena_memdup(&l->arena, d->g.edge_net, edges * sizeof(*l->edge_net));
    l->edge_reversed = arena_memdup(&l->arena, d->g.reversed, edges);
}

static int make(struct draft *d)
{
    if (layered_make(&d->g, d->layout->picture, d->options.bundle))
        return -1;
    find_order(d);
    draft_init(d);
    if (!fits_onward(d))
        return -1;
    find_gaps(d);
    ports_make(d);
    find_sizes(d);
    if (coordinates_find(d))
        return -1;
    ports_slide(d);
    points_close_up(d);
    wires_make(d);
    d->layout->segment_crossings = ordering_crossings(&d->g);
    begin_at_zero(d);
    place_nodes(d);
    keep_nets(d);
    return 0;
}

int layout_make(struct layout *l, const struct picture *p, const struct layout_options *options)
{
    *l = (struct layout){.arena = ARENA_INIT, .picture = p, .options = *options};
    l->options.seed = NULL;
    if (p->nodes == 0)
        return 0;
    struct draft d = {.layout = l, .options = *options};
    int result = make(&d);
    layered_release(&d.g);
    return result;
}

static bool same_node(const struct picture_node *a, const struct picture_node *b)
{
    return a->rank == b->rank && a->at == b->at && a->columns == b->columns &&
           a->lines == b->lines && a->ghost == b->ghost && a->loop == b->loop &&
           strcmp(a->id, b->id) == 0;
}

static bool same_edge(const struct picture_edge *a, const struct picture_edge *b)
{
    return a->from == b->from && a->to == b->to && a->strokes == b->strokes &&
           a->stroke == b->stroke;
}

bool picture_same(const struct picture *a, const struct picture *b)
{
    if (a->nodes != b->nodes || a->edges != b->edges)
        return false;
    for (uint32_t i = 0; i < a->nodes; i++)
        if (!same_node(&a->node[i], &b->node[i]))
            return false;
    for (uint32_t i = 0; i < a->edges; i++)
        if (!same_edge(&a->edge[i], &b->edge[i]))
            return false;
    return true;
}

void layout_copy(struct layout *to, const struct layout *from, const struct picture *p)
{
    size_t nodes = from->layer_first ? p->nodes : 0;
    size_t layers = from->layer_first ? from->layers + (size_t)1 : 0;
    struct arena *a = &to->arena;
    *to = *from;
    to->arena = (struct arena)ARENA_INIT;
    to->picture = p;
    to->node = arena_memdup(a, from->node, nodes * sizeof(*to->node));
    to->net = arena_memdup(a, from->net, from->nets * sizeof(*to->net));
    to->edge_net = arena_memdup(a, from->edge_net, p->edges * sizeof(*to->edge_net));
    to->edge_reversed = arena_memdup(a, from->edge_reversed, p->edges);
    to->layer_first = arena_memdup(a, from->layer_first, layers * sizeof(*to->layer_first));
    to->layer_node = arena_memdup(a, from->layer_node, nodes * sizeof(*to->layer_node));
    to->wire = arena_memdup(a, from->wire, from->wires * sizeof(*to->wire));
    to->port = arena_memdup(a, from->port, from->ports * sizeof(*to->port));
    to->leg = arena_memdup(a, from->leg, from->legs * sizeof(*to->leg));
    to->edge_leg = arena_memdup(a, from->edge_leg, p->edges * sizeof(*to->edge_leg));
}
