#include "channels.h"

#include <stdlib.h>
#include <string.h>
#include "tracks.h"

/*
 * What must lie nearer than what: where a near pin of one trunk faces a far pin of another, the first one's branch ends before the
 * other's begins. Circles are found depth first; the pin that closes one is led to a free column by a
 * dogleg, which must lie nearer than both.
 */
struct router {
    struct channel *c;
    uint32_t *facing;         /* [nears] the trunk whose far pin is in the same column; NO_TRUNK */
    uint32_t *first, *pin_of; /* near pins by trunk */
    uint32_t *next;           /* [trunks] of those, the one to follow next */
    uint8_t *state;           /* [trunks] */
    uint32_t *path;           /* [trunks] stack */
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

static void group_pins(struct router *r)
{
    const struct channel *c = r->c;
    for (uint32_t i = 0; i < c->nears; i++)
        r->first[c->near[i].trunk + 1]++;
    for (uint32_t t = 0; t < c->trunks; t++) {
        r->first[t + 1] += r->first[t];
        r->next[t] = r->first[t];
    }
    for (uint32_t i = 0; i < c->nears; i++)
        r->pin_of[r->next[c->near[i].trunk]++] = i;
    memcpy(r->next, r->first, c->trunks * sizeof(*r->next));
}

/* A pin marked so gets a column later. */
#define TO_TURN 0

static void follow_from(struct router *r, uint32_t root)
{
    struct channel *c = r->c;
    uint32_t depth = 0;
    r->path[depth++] = root;
    r->state[root] = ON_PATH;
    while (depth > 0) {
        uint32_t trunk = r->path[depth - 1];
        if (r->next[trunk] == r->first[trunk + 1]) {
            r->state[trunk] = DONE;
            depth--;
            continue;
        }
        uint32_t pin = r->pin_of[r->next[trunk]++], facing = r->facing[pin];
        if (facing == NO_TRUNK || r->state[facing] == DONE)
            continue;
        if (r->state[facing] == ON_PATH) {
            c->near[pin].turn_track = TO_TURN;
            c->doglegs++;
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

static int columns_make(struct columns *columns, const struct channel *c)
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
    columns->taken = calloc((size_t)columns->count, 1);
    if (!columns->taken)
        return -1;
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < pins[s]; i++)
            columns->taken[side[s][i].at - columns->least] = 1;
    return 0;
}

static bool is_free(const struct columns *columns, int32_t at)
{
    at -= columns->least;
    return at >= 0 && at < columns->count && !columns->taken[at];
}

/* The free column nearest to `at`, rather on the side towards `towards`. There are as many outside as there are
 * doglegs. */
static int32_t take_free(struct columns *columns, int32_t at, int32_t towards)
{
    int32_t side = towards < at ? -1 : 1, step = 1;
    while (!is_free(columns, at + side * step)) {
        if (is_free(columns, at - side * step)) {
            side = -side;
            break;
        }
        step++;
    }
    columns->taken[at + side * step - columns->least] = 1;
    return at + side * step;
}

static int turn_pins(struct channel *c)
{
    struct columns columns;
    if (c->doglegs == 0)
        return 0;
    if (columns_make(&columns, c))
        return -1;
    for (uint32_t i = 0; i < c->nears; i++) {
        struct pin *pin = &c->near[i];
        const struct trunk *trunk = &c->trunk[pin->trunk];
        if (pin->turn_track != NO_TRACK)
            pin->turn =
                take_free(&columns, pin->at, pin->at == trunk->right ? trunk->left : trunk->right);
    }
    free(columns.taken);
    return 0;
}

static void reach(struct trunk *trunk, int32_t at)
{
    trunk->left = at < trunk->left ? at : trunk->left;
    trunk->right = at > trunk->right ? at : trunk->right;
}

static void find_extents(struct channel *c)
{
    for (uint32_t t = 0; t < c->trunks; t++) {
        c->trunk[t].left = INT32_MAX;
        c->trunk[t].right = INT32_MIN;
        c->trunk[t].track = NO_TRACK;
    }
    for (uint32_t i = 0; i < c->nears; i++)
        reach(&c->trunk[c->near[i].trunk], c->near[i].turn);
    for (uint32_t i = 0; i < c->fars; i++)
        reach(&c->trunk[c->far[i].trunk], c->far[i].at);
}

static int break_circles(struct channel *c)
{
    struct router r = {.c = c};
    int result = -1;
    r.facing = malloc((c->nears + 1) * sizeof(*r.facing));
    r.first = calloc(c->trunks + 2, sizeof(*r.first));
    r.pin_of = malloc((c->nears + 1) * sizeof(*r.pin_of));
    r.next = malloc((c->trunks + 1) * sizeof(*r.next));
    r.state = calloc(c->trunks + 1, sizeof(*r.state));
    r.path = malloc((c->trunks + 1) * sizeof(*r.path));
    if (r.facing && r.first && r.pin_of && r.next && r.state && r.path) {
        find_facing(c, r.facing);
        group_pins(&r);
        for (uint32_t t = 0; t < c->trunks; t++)
            if (r.state[t] == UNSEEN)
                follow_from(&r, t);
        result = turn_pins(c);
    }
    free(r.facing);
    free(r.first);
    free(r.pin_of);
    free(r.next);
    free(r.state);
    free(r.path);
    return result;
}

int channel_route(struct channel *c)
{
    c->tracks = 0;
    c->doglegs = 0;
    for (uint32_t i = 0; i < c->nears; i++) {
        c->near[i].turn = c->near[i].at;
        c->near[i].turn_track = NO_TRACK;
    }
    for (uint32_t i = 0; i < c->fars; i++) {
        c->far[i].turn = c->far[i].at;
        c->far[i].turn_track = NO_TRACK;
    }
    find_extents(c);
    if (break_circles(c))
        return -1;
    find_extents(c);
    return tracks_find(c);
}
