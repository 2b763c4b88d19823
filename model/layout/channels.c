#include "model/layout/draft.h"

#include "model/layout/rows.h"

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

void channel_route(struct channel *c)
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
