#include "model/layout/channels.h"

#include <stdlib.h>
#include <string.h>
#include "model/layout/rows.h"

/*
 * What must lie nearer than what: where a near pin of one trunk faces a far pin of another, the
 * first one's branch ends before the other's begins. Circles are found depth first; the pin that
 * closes one is turned: a dogleg leads it to another column, and must lie nearer than both.
 */
struct router {
    struct channel *c;
    uint32_t *facing; /* [nears] the trunk whose far pin is in the same column; NO_TRUNK */
    struct rows near; /* pins by trunk */
    uint32_t *next;   /* [trunks] of those, the one to follow next */
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

/* Columns that a pin or a dogleg takes up. Doglegs may need some on either side beyond all pins. */
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

/* The trunk's own near pins while its dogleg looks for a column; those that are turned are no
 * place to turn. */
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
 * Where a dogleg that joins pins from `left` to `right` goes on: between them if it can, else in
 * the nearest column that is free or that its trunk has a branch in. There are as many free ones
 * outside as there are doglegs.
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

/* From the first to the last that is turned all are: else the dogleg would cross its own net. */
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
    trunk->turn_track = 0; /* which one is found later */
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
