/* Makes the wires of a drawing, the straight parts of its lines, from its ports and tracks. */
#include "model/layout/draft.h"
#include "model/layout/rows.h"

/* ---- channels ---- */

/*
 * Constraints: if a near pin of one trunk faces a far pin of another, the first trunk must be
 * nearer, so that its branch ends before the other's begins. Cycles of constraints are found depth
 * first. The pin that closes a cycle is "turned": a dogleg leads it to another column, and must be
 * nearer than both trunks.
 */
struct router {
    struct channel *c;
    uint32_t *facing; /* [nears] the trunk whose far pin is in the same column, or NO_TRUNK */
    struct rows near; /* near pins by trunk */
    uint32_t *next;   /* [trunks] the pin to follow next */
    uint8_t *state;   /* [trunks] */
    uint32_t *path;   /* [trunks] stack */
};
enum {
    UNSEEN = 0,
    ON_PATH,
    DONE
};

static void find_facing(const struct channel *c, uint32_t *facing)
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < c->nears; i++) {
        while (j < c->fars && c->far[j].at < c->near[i].at)
            j++;
        bool faces = j < c->fars && c->far[j].at == c->near[i].at;
        facing[i] = faces && c->far[j].trunk != c->near[i].trunk ? c->far[j].trunk : NO_TRUNK;
    }
}

static void follow_from(struct router *r, uint32_t root)
{
    struct channel *c = r->c;
    uint32_t depth = 0;
    r->path[depth++] = root;
    r->state[root] = ON_PATH;
    while (depth > 0) {
        uint32_t trunk = r->path[depth - 1];
        if (r->next[trunk] == r->near.first[trunk + 1]) {
            r->state[trunk] = DONE;
            depth--;
            continue;
        }
        uint32_t pin = r->near.item[r->next[trunk]++], facing = r->facing[pin];
        if (facing == NO_TRUNK || r->state[facing] == DONE)
            continue;
        if (r->state[facing] == ON_PATH) {
            c->near[pin].turned = true;
            continue;
        }
        r->state[facing] = ON_PATH;
        r->path[depth++] = facing;
    }
}

/* The columns that pins and doglegs use. Doglegs may need some outside of all pins, on either
 * side. */
struct columns {
    int32_t least, count;
    uint8_t *taken;
};
enum {
    FREE = 0,
    TAKEN,
    OWN
};

static void columns_make(struct columns *columns, const struct channel *c)
{
    int32_t least = INT32_MAX, most = INT32_MIN;
    const struct pin *side[] = {c->near, c->far};
    const uint32_t pins[] = {c->nears, c->fars};
    for (int s = 0; s < 2; s++)
        if (pins[s] > 0) {
            least = side[s][0].at < least ? side[s][0].at : least;
            most = side[s][pins[s] - 1].at > most ? side[s][pins[s] - 1].at : most;
        }
    columns->least = least - (int32_t)c->doglegs;
    columns->count = most - least + 1 + 2 * (int32_t)c->doglegs;
    columns->taken = arena_array(c->arena, (size_t)columns->count, 1);
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < pins[s]; i++)
            columns->taken[side[s][i].at - columns->least] = TAKEN;
}

/* Marks the near pins of the trunk whose dogleg needs a column. It cannot turn at a turned pin. */
static void mark_own(const struct router *r, struct columns *columns, uint32_t trunk, uint8_t mark)
{
    for (uint32_t i = r->near.first[trunk]; i < r->near.first[trunk + 1]; i++) {
        const struct pin *pin = &r->c->near[r->near.item[i]];
        if (!pin->turned)
            columns->taken[pin->at - columns->least] = mark;
    }
}

static bool may_turn(const struct columns *columns, int32_t at)
{
    at -= columns->least;
    return at >= 0 && at < columns->count && columns->taken[at] != TAKEN;
}

/*
 * The column where a dogleg that joins the pins from `left` to `right` continues to its trunk:
 * between them if possible, otherwise the nearest column that is free or has a branch of its trunk.
 * There are as many free columns outside as there are doglegs.
 */
static int32_t find_turn(const struct columns *columns, const struct trunk *trunk, int32_t left,
                         int32_t right)
{
    bool leftwards = left - trunk->left > trunk->right - right;
    for (int32_t at = left + 1; at < right; at++)
        if (may_turn(columns, at))
            return at;
    for (int32_t step = 1;; step++) {
        int32_t first = leftwards ? left - step : right + step;
        int32_t second = leftwards ? right + step : left - step;
        if (may_turn(columns, first))
            return first;
        if (may_turn(columns, second))
            return second;
    }
}

/* Turns all pins from the first to the last turned one, so that the dogleg does not cross its
 * own net. */
static bool turned_reach(const struct router *r, uint32_t trunk, int32_t *left, int32_t *right)
{
    struct pin *near = r->c->near;
    uint32_t from = r->near.first[trunk], to = r->near.first[trunk + 1];
    while (from < to && !near[r->near.item[from]].turned)
        from++;
    if (from == to)
        return false;
    while (!near[r->near.item[to - 1]].turned)
        to--;
    for (uint32_t i = from; i < to; i++)
        near[r->near.item[i]].turned = true;
    *left = near[r->near.item[from]].at;
    *right = near[r->near.item[to - 1]].at;
    return true;
}

static void turn_trunk(const struct router *r, struct columns *columns, uint32_t t)
{
    struct trunk *trunk = &r->c->trunk[t];
    int32_t left, right;
    if (!turned_reach(r, t, &left, &right))
        return;
    mark_own(r, columns, t, OWN);
    trunk->turn = find_turn(columns, trunk, left, right);
    trunk->turn_shared = columns->taken[trunk->turn - columns->least] == OWN;
    mark_own(r, columns, t, TAKEN);
    columns->taken[trunk->turn - columns->least] = TAKEN;
    trunk->turn_left = left < trunk->turn ? left : trunk->turn;
    trunk->turn_right = right > trunk->turn ? right : trunk->turn;
    trunk->turn_track = 0; /* found later */
}

static void turn_trunks(const struct router *r)
{
    struct channel *c = r->c;
    struct columns columns;
    int32_t left, right;
    for (uint32_t t = 0; t < c->trunks; t++)
        c->doglegs += turned_reach(r, t, &left, &right);
    if (c->doglegs == 0)
        return;
    columns_make(&columns, c);
    for (uint32_t t = 0; t < c->trunks; t++)
        turn_trunk(r, &columns, t);
}

static void reach(struct trunk *trunk, int32_t at)
{
    trunk->left = at < trunk->left ? at : trunk->left;
    trunk->right = at > trunk->right ? at : trunk->right;
}

static void find_reaches(struct channel *c)
{
    for (uint32_t t = 0; t < c->trunks; t++) {
        struct trunk *trunk = &c->trunk[t];
        bool turns = trunk->turn_track != NO_TRACK;
        trunk->left = turns ? trunk->turn : INT32_MAX;
        trunk->right = turns ? trunk->turn : INT32_MIN;
        trunk->track = NO_TRACK;
    }
    for (uint32_t i = 0; i < c->nears; i++)
        if (!c->near[i].turned)
            reach(&c->trunk[c->near[i].trunk], c->near[i].at);
    for (uint32_t i = 0; i < c->fars; i++)
        reach(&c->trunk[c->far[i].trunk], c->far[i].at);
}

static void break_circles(struct channel *c)
{
    struct router r = {.c = c};
    r.facing = arena_array(c->arena, c->nears + 1, sizeof(*r.facing));
    rows_make(&r.near, c->arena, c->trunks, c->nears, &c->near->trunk, sizeof(*c->near));
    r.next = arena_memdup(c->arena, r.near.first, (c->trunks + 1) * sizeof(*r.next));
    r.state = arena_array(c->arena, c->trunks + 1, sizeof(*r.state));
    r.path = arena_array(c->arena, c->trunks + 1, sizeof(*r.path));
    find_facing(c, r.facing);
    for (uint32_t t = 0; t < c->trunks; t++)
        if (r.state[t] == UNSEEN)
            follow_from(&r, t);
    turn_trunks(&r);
}

/*
 * Sets the output members of pins, trunks and channel. O(p log p) for p pins, and O(k²) for each
 * run of k trunks that overlap, for k up to CHANNEL_EXACT; a longer run gets a cheaper order.
 */
static void channel_route(struct channel *c)
{
    c->tracks = 0;
    c->doglegs = 0;
    for (uint32_t i = 0; i < c->nears; i++)
        c->near[i].turned = false;
    for (uint32_t t = 0; t < c->trunks; t++) {
        c->trunk[t].turn_track = NO_TRACK;
        c->trunk[t].turn_shared = false;
    }
    find_reaches(c);
    break_circles(c);
    find_reaches(c);
    tracks_find(c);
}

/* ---- wires ---- */

struct layer_wires {
    struct draft *d;
    uint32_t *pin_wire;    /* [pins] */
    uint32_t *trunk_wire;  /* [trunks] PICTURE_NONE */
    uint32_t *dogleg_wire; /* [trunks] PICTURE_NONE */
};

static const struct net *net_of(const struct draft *d, const struct channel *c, uint32_t pin_trunk)
{
    return &d->g.net[c->trunk[pin_trunk].net];
}

/* Is the arrow after the node, outside of its border? In a flat drawing from top to bottom always, else if the border
 * has a double port there. */
static bool has_arrow_outside(const struct draft *d, const struct net *net)
{
    bool flat_down = !d->options.boxed && d->options.flow == FLOW_DOWN;
    return net->reversed && (flat_down || net->stroke == STROKE_ALL);
}

/* No track may be where an arrow is. */
static bool has_arrow_row(const struct draft *d, const struct channel *c)
{
    for (uint32_t i = 0; i < c->nears; i++)
        if (draft_is_node(d, c->near[i].point) &&
            has_arrow_outside(d, net_of(d, c, c->near[i].trunk)))
            return true;
    return false;
}

/* The free cells before the first track of a channel and after its last one. */
static int32_t room_before(const struct draft *d, const struct channel *c)
{
    return has_arrow_row(d, c) || (d->options.ascii && c->tracks > 0);
}

static void route_gaps(struct draft *d)
{
    AUTO_ARENA scratch = ARENA_INIT;
    for (uint32_t gap = 0; gap < d->gaps; gap++) {
        uint32_t near = d->pin_first[2 * gap], far = d->pin_first[2 * gap + 1];
        struct channel *c = &d->channel[gap];
        *c = (struct channel){.arena = &scratch,
                              .near = d->pin + near,
                              .far = d->pin + far,
                              .nears = far - near,
                              .fars = d->pin_first[2 * gap + 2] - far,
                              .trunk = d->trunk + d->trunk_first[gap],
                              .trunks = d->trunk_first[gap + 1] - d->trunk_first[gap],
                              .ascii = d->options.ascii};
        channel_route(c);
        arena_clear(&scratch);
    }
}

/* Places a node within its layer. Leaves space for a border that other nodes of the layer have. */
static void place_node(struct draft *d, uint32_t node, int32_t from, bool others_before)
{
    const struct picture_node *drawn = &d->g.picture->node[node];
    int32_t label = d->options.flow == FLOW_DOWN ? picture_lines(drawn) : drawn->columns;
    if (d->options.boxed) {
        d->before[node] = from;
        d->after[node] = from + label + 1;
        return;
    }
    bool begins = d->border[node] & BORDER_BEFORE, ends = d->border[node] & BORDER_AFTER;
    d->before[node] = from + (others_before && !begins);
    d->after[node] = from + others_before + label - 1 + ends;
}

static void place_layer(struct draft *d, uint32_t layer, int32_t from)
{
    const struct layered *g = &d->g;
    bool sideways = d->options.flow == FLOW_RIGHT, others = sideways;
    int32_t to = from;
    for (uint32_t i = g->first[layer]; i < g->first[layer + 1]; i++)
        if (draft_is_node(d, g->order[i]) && d->border[g->order[i]] & BORDER_BEFORE)
            others = true;
    for (uint32_t i = g->first[layer]; i < g->first[layer + 1]; i++) {
        uint32_t p = g->order[i];
        if (!draft_is_node(d, p)) {
            d->before[p] = from;
            d->after[p] = from - 1; /* its line continues through the layer */
            continue;
        }
        place_node(d, p, from, others);
        int32_t end = d->after[p];
        /* From left to right, a line has a cell of its own before and after a bare label. */
        if (sideways && !d->options.boxed && !(d->border[p] & BORDER_AFTER))
            end++;
        to = end > to ? end : to;
    }
    d->layer_from[layer] = from;
    d->layer_to[layer] = to;
}

static void place_layers(struct draft *d)
{
    int32_t from = 0;
    for (uint32_t layer = 0; layer < d->g.layers; layer++) {
        place_layer(d, layer, from);
        if (layer == d->gaps)
            break;
        const struct channel *c = &d->channel[layer];
        int32_t cells = room_before(d, c) + c->tracks + (d->options.ascii && c->tracks > 0);
        from = d->layer_to[layer] + 1 + (cells > 0 ? cells : 1);
    }
}

static uint32_t add_wire(struct layout *l, uint32_t net, bool across, int32_t at, int32_t from,
                         int32_t to)
{
    struct layout_wire *wire = &l->wire[l->wires];
    bool turned = from > to;
    *wire = (struct layout_wire){net, across, at, turned ? to : from, turned ? from : to};
    return (uint32_t)l->wires++;
}

/* Adds the wire of a near pin. If it faces a far pin, its end is not known yet. */
static void add_near_wire(struct layer_wires *w, const struct channel *c, uint32_t i,
                          uint32_t *straight, int32_t first_track)
{
    struct draft *d = w->d;
    const struct pin *pin = &c->near[i];
    const struct trunk *trunk = &c->trunk[pin->trunk];
    uint32_t *wire = &w->pin_wire[pin - d->pin];
    int32_t from = 2 * d->after[pin->point] + 1;
    int32_t track = pin->turned ? trunk->turn_track : trunk->track;
    if (track == NO_TRACK)
        *wire = straight[pin->trunk] =
            add_wire(d->layout, trunk->net, false, pin->at, from, from + 1);
    else
        *wire = add_wire(d->layout, trunk->net, false, pin->at, from, 2 * (first_track + track));
}

static void add_far_wire(struct layer_wires *w, const struct channel *c, uint32_t i,
                         const uint32_t *straight, int32_t first_track)
{
    struct draft *d = w->d;
    const struct pin *pin = &c->far[i];
    const struct trunk *trunk = &c->trunk[pin->trunk];
    uint32_t *wire = &w->pin_wire[pin - d->pin];
    int32_t to = 2 * d->before[pin->point] - 1;
    if (trunk->track == NO_TRACK) {
        *wire = straight[pin->trunk];
        d->layout->wire[*wire].to = to;
        return;
    }
    *wire = add_wire(d->layout, trunk->net, false, pin->at, 2 * (first_track + trunk->track), to);
}

static void add_trunk_wires(struct layer_wires *w, const struct trunk *trunk, uint32_t t,
                            int32_t first_track)
{
    struct layout *l = w->d->layout;
    int32_t track = first_track + trunk->track, turn = first_track + trunk->turn_track;
    w->dogleg_wire[t] = PICTURE_NONE;
    if (trunk->track == NO_TRACK) {
        w->trunk_wire[t] = PICTURE_NONE;
        return;
    }
    w->trunk_wire[t] = add_wire(l, trunk->net, true, track, 2 * trunk->left, 2 * trunk->right);
    if (trunk->turn_track == NO_TRACK)
        return;
    w->dogleg_wire[t] =
        add_wire(l, trunk->net, true, turn, 2 * trunk->turn_left, 2 * trunk->turn_right);
    add_wire(l, trunk->net, false, trunk->turn, 2 * turn, 2 * track);
}

static void add_gap_wires(struct layer_wires *w, uint32_t gap)
{
    struct draft *d = w->d;
    const struct channel *c = &d->channel[gap];
    uint32_t first = d->trunk_first[gap];
    uint32_t *straight = w->trunk_wire + first;
    int32_t first_track = d->layer_to[gap] + 1 + room_before(d, c);
    for (uint32_t i = 0; i < c->nears; i++)
        add_near_wire(w, c, i, straight, first_track);
    for (uint32_t i = 0; i < c->fars; i++)
        add_far_wire(w, c, i, straight, first_track);
    for (uint32_t t = 0; t < c->trunks; t++)
        add_trunk_wires(w, &c->trunk[t], first + t, first_track);
}

/* Adds an arrow: in the border, or after the node. */
static void add_arrow(const struct layer_wires *w, const struct pin *pin, bool in_border)
{
    struct draft *d = w->d;
    if (in_border) {
        d->layout->port[d->layout->ports - 1].arrow = true; /* the port in the border, just added */
        return;
    }
    struct layout_port port = {.wire = w->pin_wire[pin - d->pin],
                               .across = pin->at,
                               .onward = d->after[pin->point] + 1,
                               .after = true,
                               .arrow = true};
    d->layout->port[d->layout->ports++] = port;
}

static void add_port(const struct layer_wires *w, const struct channel *c, const struct pin *pin,
                     bool after)
{
    struct draft *d = w->d;
    const struct net *net = net_of(d, c, pin->trunk);
    if (!draft_is_node(d, pin->point))
        return;
    uint8_t side = after ? BORDER_AFTER : BORDER_BEFORE;
    bool border = d->options.boxed || d->border[pin->point] & side;
    if (border)
        d->layout->port[d->layout->ports++] =
            (struct layout_port){.wire = w->pin_wire[pin - d->pin],
                                 .across = pin->at,
                                 .onward = after ? d->after[pin->point] : d->before[pin->point],
                                 .after = after,
                                 .border = true,
                                 .twofold = net->stroke == STROKE_ALL && net->reversed == after};
    if (after && net->reversed)
        add_arrow(w, pin, border && !has_arrow_outside(d, net));
}

/* The next segment towards the net's centre. */
static uint32_t next_leg(const struct layered *g, const struct segment *s)
{
    bool up = g->net[s->net].fans_out;
    uint32_t p = up ? s->upper : s->lower;
    if (p < g->picture->nodes)
        return PICTURE_NONE;
    return up ? g->up.item[g->up.first[p]] : g->down.item[g->down.first[p]];
}

static void make_legs(struct layer_wires *w, uint32_t gap)
{
    struct draft *d = w->d;
    for (uint32_t s = d->gap_first[gap]; s < d->gap_first[gap + 1]; s++) {
        const struct pin *near = &d->pin[d->leg_pin[0][s]], *far = &d->pin[d->leg_pin[1][s]];
        uint32_t t = d->trunk_first[gap] + near->trunk;
        d->layout->leg[s] =
            (struct layout_leg){.near = w->pin_wire[near - d->pin],
                                .far = w->pin_wire[far - d->pin],
                                .trunk = w->trunk_wire[t],
                                .dogleg = near->turned ? w->dogleg_wire[t] : PICTURE_NONE,
                                .from = 2 * near->at,
                                .turn = 2 * (near->turned ? d->trunk[t].turn : near->at),
                                .to = 2 * far->at,
                                .next = next_leg(&d->g, &d->g.segment[s])};
        if (d->g.segment[s].edge != PICTURE_NONE)
            d->layout->edge_leg[d->g.segment[s].edge] = s;
    }
}

static void make_room(struct draft *d, struct layer_wires *w)
{
    struct layout *l = d->layout;
    size_t pins = d->gaps ? d->pin_first[2 * d->gaps] : 0;
    size_t trunks = d->gaps ? d->trunk_first[d->gaps] : 0, doglegs = 0;
    for (uint32_t gap = 0; gap < d->gaps; gap++)
        doglegs += d->channel[gap].doglegs;
    *w = (struct layer_wires){.d = d};
    w->pin_wire = arena_array(&d->g.arena, pins + 1, sizeof(*w->pin_wire));
    w->trunk_wire = arena_array(&d->g.arena, trunks + 1, sizeof(*w->trunk_wire));
    w->dogleg_wire = arena_array(&d->g.arena, trunks + 1, sizeof(*w->dogleg_wire));
    l->wire = arena_array(&l->arena, pins + trunks + 2 * doglegs + 1, sizeof(*l->wire));
    l->port = arena_array(&l->arena, 2 * pins + 1, sizeof(*l->port));
    l->leg = arena_array(&l->arena, (size_t)d->g.segments + 1, sizeof(*l->leg));
    l->edge_leg = arena_array(&l->arena, (size_t)d->g.picture->edges + 1, sizeof(*l->edge_leg));
}

void wires_make(struct draft *d)
{
    struct layer_wires w = {.d = d};
    route_gaps(d);
    place_layers(d);
    make_room(d, &w);
    for (uint32_t gap = 0; gap < d->gaps; gap++) {
        const struct channel *c = &d->channel[gap];
        add_gap_wires(&w, gap);
        make_legs(&w, gap);
        for (uint32_t i = 0; i < c->nears; i++)
            add_port(&w, c, &c->near[i], true);
        for (uint32_t i = 0; i < c->fars; i++)
            add_port(&w, c, &c->far[i], false);
    }
    d->layout->legs = d->g.segments;
}
