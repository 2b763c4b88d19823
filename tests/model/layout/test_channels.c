/* Channels: every line painted half a cell at a time, so that no two share one but where they
 * cross. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/layout/channels.h"
#include "tests/support/random.h"

enum {
    NEAR = 1,
    FAR = 2,
    LEFT = 4,
    RIGHT = 8,
};

#define NOBODY UINT32_MAX
struct square {
    uint32_t trunk[2]; /* at most two, and then they cross */
    uint8_t sides[2];
};
struct sheet {
    int32_t least, width, rows; /* row 0 is before the first track */
    struct square *square;
};

static void paint_half(struct sheet *s, uint32_t trunk, int32_t column, int32_t row, uint8_t side)
{
    assert_true(column >= s->least && column < s->least + s->width && row >= 0 && row < s->rows);
    struct square *q = &s->square[(size_t)row * (size_t)s->width + (size_t)(column - s->least)];
    int i = q->trunk[0] == NOBODY || q->trunk[0] == trunk ? 0 : 1;
    assert_true(q->trunk[i] == NOBODY || q->trunk[i] == trunk);
    q->trunk[i] = trunk;
    q->sides[i] |= side;
}

/* From the middle of a row to that of another. */
static void paint_branch(struct sheet *s, uint32_t trunk, int32_t column, int32_t from, int32_t to)
{
    assert_true(from <= to);
    for (int32_t row = from; row < to; row++) {
        paint_half(s, trunk, column, row, FAR);
        paint_half(s, trunk, column, row + 1, NEAR);
    }
}

static void paint_trunk(struct sheet *s, uint32_t trunk, int32_t row, int32_t from, int32_t to)
{
    for (int32_t column = from; column < to; column++) {
        paint_half(s, trunk, column, row, RIGHT);
        paint_half(s, trunk, column + 1, row, LEFT);
    }
}

static void paint(struct sheet *s, const struct channel *c)
{
    int32_t last = c->tracks + 1;
    for (uint32_t i = 0; i < c->nears; i++) {
        const struct pin *pin = &c->near[i];
        const struct trunk *trunk = &c->trunk[pin->trunk];
        int32_t track = pin->turned ? trunk->turn_track : trunk->track;
        paint_branch(s, pin->trunk, pin->at, 0, track == NO_TRACK ? last : track + 1);
    }
    for (uint32_t i = 0; i < c->fars; i++) {
        int32_t track = c->trunk[c->far[i].trunk].track;
        if (track != NO_TRACK)
            paint_branch(s, c->far[i].trunk, c->far[i].at, track + 1, last);
    }
    for (uint32_t t = 0; t < c->trunks; t++) {
        const struct trunk *trunk = &c->trunk[t];
        if (trunk->track != NO_TRACK)
            paint_trunk(s, t, trunk->track + 1, trunk->left, trunk->right);
        if (trunk->turn_track == NO_TRACK)
            continue;
        paint_trunk(s, t, trunk->turn_track + 1, trunk->turn_left, trunk->turn_right);
        paint_branch(s, t, trunk->turn, trunk->turn_track + 1, trunk->track + 1);
    }
}

/*
 * A net's line is a tree: there are as many joints between its cells as cells, less one. What
 * leads out of the channel is not painted.
 */
static void look_for_rings(const struct sheet *s, const struct channel *c)
{
    int32_t *cells = calloc(c->trunks + 1, sizeof(*cells)),
            *sides = calloc(c->trunks + 1, sizeof(*sides));
    for (size_t i = 0; i < (size_t)s->width * (size_t)s->rows; i++)
        for (int k = 0; k < 2; k++) {
            const struct square *q = &s->square[i];
            if (q->trunk[k] == NOBODY)
                continue;
            cells[q->trunk[k]]++;
            sides[q->trunk[k]] += __builtin_popcount(q->sides[k]);
        }
    for (uint32_t t = 0; t < c->trunks; t++)
        assert_int_equal(sides[t], 2 * (cells[t] - 1));
    free(cells);
    free(sides);
}

/* How often two lines cross. */
static size_t look_at(const struct sheet *s)
{
    size_t crossings = 0;
    for (size_t i = 0; i < (size_t)s->width * (size_t)s->rows; i++) {
        const struct square *q = &s->square[i];
        if (q->trunk[1] == NOBODY)
            continue;
        crossings++;
        assert_true((q->sides[0] == (NEAR | FAR) && q->sides[1] == (LEFT | RIGHT)) ||
                    (q->sides[1] == (NEAR | FAR) && q->sides[0] == (LEFT | RIGHT)));
    }
    return crossings;
}

/* In ASCII: between two on a track is a column without any pin, and what faces each other is a
 * cell apart. */
static void look_at_gaps(const struct sheet *s, const struct channel *c)
{
    for (int32_t row = 1; row <= c->tracks; row++) {
        const struct square *line = &s->square[(size_t)row * (size_t)s->width];
        uint32_t before = NOBODY;
        for (int32_t x = 0; x < s->width; x++) {
            uint32_t trunk = NOBODY;
            for (int k = 0; k < 2; k++)
                if (line[x].trunk[k] != NOBODY && line[x].sides[k] & (LEFT | RIGHT))
                    trunk = line[x].trunk[k];
            if (trunk != NOBODY)
                assert_true(before == NOBODY || before == trunk);
            if (line[x].trunk[0] == NOBODY || trunk != NOBODY)
                before = trunk;
        }
    }
    for (uint32_t i = 0; i < c->nears; i++)
        for (uint32_t k = 0; k < c->fars; k++) {
            const struct pin *near = &c->near[i], *far = &c->far[k];
            if (near->at != far->at || near->trunk == far->trunk)
                continue;
            int32_t track =
                near->turned ? c->trunk[near->trunk].turn_track : c->trunk[near->trunk].track;
            assert_true(c->trunk[far->trunk].track >= track + 2);
        }
}

static size_t check(struct channel *c)
{
    struct sheet s = {.least = -100 - (int32_t)c->trunks, .rows = 2};
    channel_route(c);
    int32_t most = 0;
    for (uint32_t t = 0; t < c->trunks; t++)
        most = c->trunk[t].right > most ? c->trunk[t].right : most;
    for (uint32_t i = 0; i < c->nears; i++)
        most = c->near[i].at > most ? c->near[i].at : most;
    s.rows += c->tracks;
    s.width = most + 200 + 2 * (int32_t)c->trunks;
    size_t squares = (size_t)s.rows * (size_t)s.width;
    s.square = malloc(squares * sizeof(*s.square));
    for (size_t i = 0; i < squares; i++)
        s.square[i] = (struct square){{NOBODY, NOBODY}, {0, 0}};
    paint(&s, c);
    size_t crossings = look_at(&s);
    look_for_rings(&s, c);
    if (c->ascii)
        look_at_gaps(&s, c);
    free(s.square);
    return crossings;
}

#define MOST 4000
static struct pin near[MOST], far[MOST];
static struct trunk trunks[MOST];

static void sort(struct pin *pin, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && pin[k - 1].at > pin[k].at; k--) {
            struct pin swapped = pin[k];
            pin[k] = pin[k - 1];
            pin[k - 1] = swapped;
        }
}

/* Columns in an order that looks random, each once, out of a little more than there are pins. */
static void spread(struct random *r, int32_t *column, uint32_t count, uint32_t room)
{
    int32_t *all = malloc(room * sizeof(*all));
    for (uint32_t i = 0; i < room; i++)
        all[i] = (int32_t)i;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i + random_below(r, room - i);
        int32_t swapped = all[i];
        all[i] = all[k];
        column[i] = all[k];
        all[k] = swapped;
        column[i] = all[i];
    }
    free(all);
}

/* Trunks of one pin on one side and `most` at most on the other. */
static void make(struct random *r, struct channel *c, uint32_t count, uint32_t most, bool roomy)
{
    *c = (struct channel){.near = near, .far = far, .trunk = trunks, .trunks = count};
    for (uint32_t t = 0; t < count; t++) {
        uint32_t pins = 1 + random_below(r, most), nears = random_chance(r, 50) ? 1 : pins;
        trunks[t] = (struct trunk){.net = t};
        for (uint32_t i = 0; i < nears; i++)
            near[c->nears++] = (struct pin){.trunk = t};
        for (uint32_t i = 0; i < (nears == 1 ? pins : 1); i++)
            far[c->fars++] = (struct pin){.trunk = t};
    }
    uint32_t pins = c->nears > c->fars ? c->nears : c->fars;
    uint32_t room = roomy ? 3 * pins : pins + random_below(r, 3);
    int32_t column[MOST];
    spread(r, column, c->nears, room);
    for (uint32_t i = 0; i < c->nears; i++)
        near[i].at = column[i];
    spread(r, column, c->fars, room);
    for (uint32_t i = 0; i < c->fars; i++)
        far[i].at = column[i];
    sort(near, c->nears);
    sort(far, c->fars);
}

static void random_channels_keep_lines_apart(void **state)
{
    (void)state;
    struct random r = {7};
    uint64_t doglegs = 0, crossings = 0;
    for (int round = 0; round < 6000; round++) {
        struct channel c;
        make(&r, &c, 1 + random_below(&r, 12), 1 + random_below(&r, 4), round % 2);
        for (int ascii = 0; ascii < 2; ascii++) {
            c.ascii = ascii;
            crossings += check(&c);
            doglegs += c.doglegs;
        }
    }
    assert_true(doglegs > 1000 && crossings > 10000);
}

static void many_nets_are_routed(void **state)
{
    (void)state;
    struct random r = {8};
    for (int round = 0; round < 4; round++) {
        struct channel c;
        make(&r, &c, CHANNEL_EXACT + 1 + random_below(&r, 300), 1 + (uint32_t)round % 2, round < 2);
        c.ascii = round % 2;
        check(&c);
        assert_true(c.tracks > 100);
    }
}

static void pins(struct channel *c, const int32_t *facing, uint32_t count)
{
    *c = (struct channel){near, far, count, count, trunks, count, false, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        near[i] = (struct pin){.trunk = i, .at = (int32_t)i};
        far[i] = (struct pin){.trunk = (uint32_t)facing[i], .at = (int32_t)i};
    }
}

static void what_faces_itself_needs_no_track(void **state)
{
    (void)state;
    struct channel c;
    pins(&c, (int32_t[]){0, 1, 2}, 3);
    assert_int_equal(check(&c), 0);
    assert_int_equal(c.tracks, 0);
    assert_int_equal(c.doglegs, 0);
    pins(&c, NULL, 0);
    channel_route(&c);
    assert_int_equal(c.tracks, 0);
}

static void two_that_swap_take_one_dogleg(void **state)
{
    (void)state;
    struct channel c;
    pins(&c, (int32_t[]){1, 0}, 2);
    assert_int_equal(check(&c), 1);
    assert_int_equal(c.doglegs, 1);
    assert_int_equal(c.tracks, 3);
}

static void a_ring_takes_one_dogleg(void **state)
{
    (void)state;
    struct channel c;
    int32_t ring[300];
    for (int32_t i = 0; i < 300; i++)
        ring[i] = (i + 1) % 300;
    pins(&c, ring, 300);
    check(&c);
    assert_int_equal(c.doglegs, 1);
}

static void each_pair_that_swaps_takes_one(void **state)
{
    (void)state;
    struct channel c;
    int32_t swaps[600];
    for (int32_t i = 0; i < 600; i++)
        swaps[i] = i ^ 1;
    pins(&c, swaps, 600);
    check(&c);
    assert_int_equal(c.doglegs, 300);
}

static void what_does_not_meet_shares_a_track(void **state)
{
    (void)state;
    struct channel c = {near, far, 3, 3, trunks, 3, false, 0, 0};
    for (uint32_t i = 0; i < 3; i++) {
        near[i] = (struct pin){.trunk = i, .at = 2 * (int32_t)i};
        far[i] = (struct pin){.trunk = i, .at = 2 * (int32_t)i + 1};
    }
    assert_int_equal(check(&c), 0);
    assert_int_equal(c.tracks, 1);
    c.ascii = true;
    assert_int_equal(check(&c), 0);
    assert_int_equal(c.tracks, 3); /* no column between them is free */
}

static void parallel_lines_do_not_cross(void **state)
{
    (void)state;
    for (int32_t shift = -40; shift <= 40; shift++) {
        struct channel c = {near, far, 30, 30, trunks, 30, false, 0, 0};
        for (uint32_t i = 0; i < 30; i++) {
            near[i] = (struct pin){.trunk = i, .at = 40 + 3 * (int32_t)i};
            far[i] = (struct pin){.trunk = i, .at = 40 + shift + 2 * (int32_t)i};
        }
        assert_int_equal(check(&c), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_channels_keep_lines_apart),
        cmocka_unit_test(many_nets_are_routed),
        cmocka_unit_test(what_faces_itself_needs_no_track),
        cmocka_unit_test(two_that_swap_take_one_dogleg),
        cmocka_unit_test(a_ring_takes_one_dogleg),
        cmocka_unit_test(each_pair_that_swaps_takes_one),
        cmocka_unit_test(what_does_not_meet_shares_a_track),
        cmocka_unit_test(parallel_lines_do_not_cross),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
