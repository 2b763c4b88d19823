/*
 * The order inside layers: counting crossings, optimal orders of small graphs, contiguous
 * components, and seeds.
 */
#include "model/layout/layered.h"

#include "model/base/alloc.h"
#include "tests/support/families.h"
#include "tests/support/sketch.h"
#include "tests/support/test.h"

/* ---- invariants of all orders ---- */

static uint64_t by_pairs(const struct layered *g)
{
    uint64_t crossings = 0;
    for (uint32_t i = 0; i < g->segments; i++)
        for (uint32_t j = 0; j < i; j++) {
            const struct segment *s = &g->segment[i], *t = &g->segment[j];
            if (g->layer[s->upper] != g->layer[t->upper])
                continue;
            int64_t above = (int64_t)g->place[s->upper] - g->place[t->upper];
            int64_t below = (int64_t)g->place[s->lower] - g->place[t->lower];
            crossings += (above < 0 && below > 0) || (above > 0 && below < 0);
        }
    return crossings;
}

static void check_order(const struct layered *g)
{
    AUTO_FREE uint8_t *seen = xcalloc(g->points, 1);
    for (uint32_t l = 0; l < g->layers; l++)
        for (uint32_t i = g->first[l]; i < g->first[l + 1]; i++) {
            uint32_t p = g->order[i];
            assert_true(p < g->points);
            assert_false(seen[p]++);
            assert_int_equal(g->layer[p], l);
            assert_int_equal(g->place[p], i - g->first[l]);
        }
}

static void shuffle_order(struct layered *g, struct random *r)
{
    for (uint32_t l = 0; l < g->layers; l++)
        for (uint32_t i = g->first[l]; i < g->first[l + 1]; i++) {
            uint32_t k = g->first[l] + random_below(r, i - g->first[l] + 1);
            uint32_t p = g->order[i];
            g->order[i] = g->order[k];
            g->order[k] = p;
        }
    layered_place(g);
}

struct drawn {
    struct sketch sketch;
    struct picture picture;
    struct layered g;
    bool bundle;
};

static void drawn_make(struct drawn *d, struct random *r, enum sketch_shape shape, uint32_t nodes,
                       bool bundle)
{
    sketch_make(&d->sketch, r, shape, nodes);
    sketch_picture(&d->sketch, &d->picture, NULL);
    d->bundle = bundle;
    assert_int_equal(layered_make(&d->g, &d->picture, bundle), 0);
}

static void drawn_release(struct drawn *d)
{
    layered_release(&d->g);
    picture_release(&d->picture);
    sketch_release(&d->sketch);
}

/* Several graphs of each shape and size, bundled and not. */
static void for_each_shape(void (*check)(struct drawn *, struct random *))
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 9, 16, 30, 60};
    struct random r = {20};
    for (int shape = 0; shape < SKETCH_SHAPES; shape++)
        for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
            for (int bundle = 0; bundle < 2; bundle++) {
                struct drawn d;
                drawn_make(&d, &r, shape, sizes[i], bundle);
                check(&d, &r);
                drawn_release(&d);
            }
}

/* ---- counting ---- */

static void check_count(struct drawn *d, struct random *r)
{
    for (int again = 0; again < 3; again++) {
        assert_int_equal(ordering_crossings(&d->g), by_pairs(&d->g));
        shuffle_order(&d->g, r);
    }
}

TEST(crossings_match_a_pairwise_count)
{
    for_each_shape(check_count);
}

/* Very wide layers. */
TEST(wide_layers_are_counted)
{
    struct random r = {21};
    struct drawn d;
    drawn_make(&d, &r, SKETCH_STAR, 2000, false);
    shuffle_order(&d.g, &r);
    assert_int_equal(ordering_crossings(&d.g), 0);
    drawn_release(&d);
    drawn_make(&d, &r, SKETCH_LINEAGE, 3000, false);
    shuffle_order(&d.g, &r);
    assert_int_equal(ordering_crossings(&d.g), by_pairs(&d.g));
    drawn_release(&d);
}

/* ---- finding an order ---- */

static uint32_t *copy_order(const struct layered *g)
{
    uint32_t *copy = xcalloc(g->points, sizeof(*copy));
    if (g->points)
        memcpy(copy, g->order, g->points * sizeof(*copy));
    return copy;
}

static void check_find(struct drawn *d, struct random *r)
{
    uint64_t made = ordering_crossings(&d->g);
    ordering_find(&d->g);
    check_order(&d->g);
    uint64_t found = ordering_crossings(&d->g);
    assert_true(found <= made);

    /* Again, and with the parts of the picture added in another order. */
    struct picture shuffled;
    struct layered g;
    sketch_picture(&d->sketch, &shuffled, r);
    assert_int_equal(layered_make(&g, &shuffled, d->bundle), 0);
    ordering_find(&g);
    assert_int_equal(g.points, d->g.points);
    if (g.points)
        assert_memory_equal(g.order, d->g.order, g.points * sizeof(*g.order));
    layered_release(&g);
    picture_release(&shuffled);
}

TEST(ordering_is_deterministic)
{
    for_each_shape(check_find);
}

static uint64_t found_in(enum sketch_shape shape, uint32_t nodes, uint64_t seed)
{
    struct random r = {seed};
    struct drawn d;
    drawn_make(&d, &r, shape, nodes, false);
    ordering_find(&d.g);
    uint64_t found = ordering_crossings(&d.g);
    drawn_release(&d);
    return found;
}

TEST(simple_graphs_have_the_fewest_crossings)
{
    assert_int_equal(found_in(SKETCH_CHAIN, 300, 1), 0);
    assert_int_equal(found_in(SKETCH_STAR, 60, 1), 0);
    assert_int_equal(found_in(SKETCH_TWO_SIDES, 12, 1),
                     225); /* K6,6: each pair of pairs crosses once */
}

/* Points that nothing distinguishes are sorted by number. */
TEST(equivalent_points_are_sorted_by_number)
{
    struct random r = {26};
    for (uint32_t nodes = 4; nodes < 30; nodes++) {
        struct drawn d;
        drawn_make(&d, &r, SKETCH_TWO_SIDES, nodes, nodes % 2);
        ordering_find(&d.g);
        for (uint32_t l = 0; l < d.g.layers; l++)
            for (uint32_t i = d.g.first[l] + 1; i < d.g.first[l + 1]; i++)
                assert_true(d.g.order[i - 1] < d.g.order[i]);
        drawn_release(&d);
    }
}

/* Otherwise the branches of two nets would cross. */
TEST(equivalent_points_of_one_net_are_neighbours)
{
    static const char *const id[] = {"b", "r1", "r2", "r3", "r4", "r5"};
    static const uint32_t expected[] = {1, 3, 5, 2, 4};
    struct picture p = PICTURE_INIT;
    struct layered g;
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(picture_add_node(&p, (struct picture_node){.id = id[i], .columns = 2}), 0);
    for (uint32_t i = 1; i < 6; i++)
        assert_int_equal(picture_add_edge(&p, 0, i, i % 2 ? STROKE_DERIVED : STROKE_EVIDENCE), 0);
    picture_finish(&p);
    assert_int_equal(layered_make(&g, &p, true), 0);
    ordering_find(&g);
    assert_memory_equal(g.order + g.first[0], expected, sizeof(expected));
    layered_release(&g);
    picture_release(&p);
}

TEST(trees_in_one_direction_have_no_crossing)
{
    struct random r = {22};
    for (int i = 0; i < 100; i++) {
        struct sketch s;
        struct picture p;
        struct layered g;
        bool down = random_chance(&r, 50);
        sketch_init(&s, &r, 2 + random_below(&r, 80));
        for (uint32_t v = 1; v < s.nodes; v++) {
            uint32_t other = random_below(&r, v);
            sketch_edge(&s, down ? other : v, down ? v : other, STROKE_DERIVED);
        }
        sketch_picture(&s, &p, NULL);
        assert_int_equal(layered_make(&g, &p, random_chance(&r, 50)), 0);
        ordering_find(&g);
        assert_int_equal(ordering_crossings(&g), 0);
        layered_release(&g);
        picture_release(&p);
        sketch_release(&s);
    }
}

/* ---- all orders ---- */

static bool next_order(uint32_t *line, uint32_t count)
{
    uint32_t i = count;
    while (i > 1 && line[i - 2] >= line[i - 1])
        i--;
    if (i <= 1)
        return false;
    uint32_t k = count - 1;
    while (line[k] <= line[i - 2])
        k--;
    uint32_t p = line[k];
    line[k] = line[i - 2];
    line[i - 2] = p;
    for (uint32_t a = i - 1, b = count - 1; a < b; a++, b--) {
        p = line[a];
        line[a] = line[b];
        line[b] = p;
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    return (*(const uint32_t *)a > *(const uint32_t *)b) -
           (*(const uint32_t *)a < *(const uint32_t *)b);
}

/* The next combination of orders, like a number whose digits are the orders of the layers. */
static bool next_orders(struct layered *g)
{
    for (uint32_t l = 0; l < g->layers; l++) {
        uint32_t *line = g->order + g->first[l], count = g->first[l + 1] - g->first[l];
        bool more = next_order(line, count);
        if (!more)
            qsort(line, count, sizeof(*line), by_number);
        layered_place(g);
        if (more)
            return true;
    }
    return false;
}

static uint64_t all_orders(const struct layered *g)
{
    uint64_t count = 1;
    for (uint32_t l = 0; l < g->layers; l++)
        for (uint32_t i = 2; i <= g->first[l + 1] - g->first[l] && count < 100000; i++)
            count *= i;
    return count;
}

TEST(small_graphs_are_ordered_optimally)
{
    struct random r = {23};
    int tried = 0;
    while (tried < 60) {
        struct drawn d;
        drawn_make(&d, &r, random_chance(&r, 50) ? SKETCH_ACYCLIC : SKETCH_CYCLIC,
                   5 + random_below(&r, 6), random_chance(&r, 50));
        uint64_t best = UINT64_MAX;
        if (ordering_crossings(&d.g) > 0 && all_orders(&d.g) < 5000) {
            do {
                uint64_t crossings = ordering_crossings(&d.g);
                best = crossings < best ? crossings : best;
            } while (best > 0 && next_orders(&d.g));
            ordering_find(&d.g);
            assert_int_equal(ordering_crossings(&d.g), best);
            tried++;
        }
        drawn_release(&d);
    }
}

/* ---- components ---- */

static void spread_piece(const struct layered *g, uint32_t *piece, uint32_t from)
{
    bool more = true;
    piece[from] = from;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < g->segments; i++) {
            uint32_t a = g->segment[i].upper, b = g->segment[i].lower;
            if ((piece[a] == from) == (piece[b] == from))
                continue;
            piece[a] = piece[b] = from;
            more = true;
        }
    }
}

TEST(components_are_contiguous)
{
    struct random r = {24};
    for (int round = 0; round < RANDOM_ROUNDS(30); round++) {
        struct drawn d;
        drawn_make(&d, &r, SKETCH_PARTS, 5 + random_below(&r, 60), random_chance(&r, 50));
        AUTO_FREE uint32_t *piece = xcalloc(d.g.points, sizeof(*piece));
        memset(piece, 0xff, d.g.points * sizeof(*piece));
        for (uint32_t p = 0; p < d.g.points; p++)
            if (piece[p] == PICTURE_NONE)
                spread_piece(&d.g, piece, p);
        ordering_find(&d.g);
        for (uint32_t l = 0; l < d.g.layers; l++)
            for (uint32_t i = d.g.first[l] + 1; i < d.g.first[l + 1]; i++)
                assert_true(piece[d.g.order[i - 1]] <= piece[d.g.order[i]]);
        drawn_release(&d);
    }
}

/* ---- seeds ---- */

static int32_t random_seed(struct random *r, uint32_t nodes)
{
    static const int32_t ends[] = {INT32_MAX, INT32_MIN + 1, 0, -1};
    if (random_chance(r, 30))
        return SEED_NONE;
    if (random_chance(r, 10))
        return ends[random_below(r, 4)];
    return (int32_t)random_below(r, nodes + 1) - 5;
}

static bool has_seed(const struct layered *g, const int32_t *seed, uint32_t p)
{
    return p < g->picture->nodes && seed[p] != SEED_NONE;
}

static void check_sides(const struct layered *g, const int32_t *seed)
{
    for (uint32_t l = 0; l < g->layers; l++) {
        uint32_t last = PICTURE_NONE;
        for (uint32_t i = g->first[l]; i < g->first[l + 1]; i++) {
            uint32_t p = g->order[i];
            if (!has_seed(g, seed, p))
                continue;
            assert_true(last == PICTURE_NONE || seed[last] < seed[p] ||
                        (seed[last] == seed[p] && last < p));
            last = p;
        }
    }
}

static void check_seeded(struct drawn *d, struct random *r)
{
    struct layered *g = &d->g;
    int32_t *seed = xcalloc(d->picture.nodes, sizeof(*seed));
    for (uint32_t v = 0; v < d->picture.nodes; v++)
        seed[v] = random_seed(r, d->picture.nodes);
    ordering_seeded(g, seed);
    check_order(g);
    check_sides(g, seed);
    AUTO_FREE uint32_t *order = copy_order(g);
    shuffle_order(g, r);
    ordering_seeded(g, seed);
    if (g->points)
        assert_memory_equal(order, g->order, g->points * sizeof(*order));
    free(seed);
}

TEST(seeded_nodes_never_change_sides)
{
    for_each_shape(check_seeded);
}

/* If all was drawn before, the nodes keep their order, and the total of crossings hardly
 * increases. */
static uint64_t crossed_before, cross_again;

static void check_again(struct drawn *d, struct random *r)
{
    struct layered *g = &d->g;
    int32_t *seed = xcalloc(d->picture.nodes, sizeof(*seed));
    ordering_find(g);
    crossed_before += ordering_crossings(g);
    for (uint32_t v = 0; v < d->picture.nodes; v++)
        seed[v] = 3 * (int32_t)g->place[v];
    ordering_seeded(g, seed);
    check_sides(g, seed);
    cross_again += ordering_crossings(g);
    free(seed);
}

TEST(seeded_drawings_have_hardly_more_crossings)
{
    crossed_before = cross_again = 0;
    for_each_shape(check_again);
    assert_true(cross_again <= crossed_before + crossed_before / 50);
}

/* A new leaf is placed next to the node that it is based on. */
TEST(new_nodes_get_a_good_place)
{
    static char id[][4] = {"a0", "a1", "a2", "b0", "b1", "b2", "b3"};
    static const int32_t seed[] = {0, 10, 20, 0, 10, 20, SEED_NONE};
    struct picture p = PICTURE_INIT;
    struct layered g;
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(picture_add_node(&p, (struct picture_node){.id = id[i], .columns = 2}), 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(picture_add_edge(&p, i, 3 + i, STROKE_DERIVED), 0);
    assert_int_equal(picture_add_edge(&p, 0, 6, STROKE_DERIVED), 0);
    picture_finish(&p);
    assert_int_equal(layered_make(&g, &p, false), 0);
    ordering_seeded(&g, seed);
    assert_int_equal(ordering_crossings(&g), 0);
    assert_true(g.place[6] < 2);
    layered_release(&g);
    picture_release(&p);
}

/* ---- large ---- */

/* Too wide to cache all pairs, so only the starts are used. */
TEST(wide_graphs_are_ordered)
{
    struct random r = {25};
    for (int shape = 0; shape < 2; shape++) {
        struct drawn d;
        drawn_make(&d, &r, shape ? SKETCH_STAR : SKETCH_LINEAGE, 5000, false);
        uint64_t made = ordering_crossings(&d.g);
        int32_t *seed = xcalloc(d.picture.nodes, sizeof(*seed));
        ordering_find(&d.g);
        check_order(&d.g);
        assert_true(ordering_crossings(&d.g) <= made / 2);
        for (uint32_t v = 0; v < d.picture.nodes; v++)
            seed[v] = v % 3 ? (int32_t)d.g.place[v] : SEED_NONE;
        ordering_seeded(&d.g, seed);
        check_order(&d.g);
        check_sides(&d.g, seed);
        free(seed);
        drawn_release(&d);
    }
}

/* ---- compared with dot ---- */

/*
 * The results of graphviz 2.43 for the 500 graphs, by family ("mincross: N crossings" of dot -v),
 * and a checksum of their edges, to detect changed graphs.
 */
static const struct {
    uint64_t crossings, sum;
} dot_found[FAMILY_COUNT] = {
    [FAMILY_SPARSE] = {7052, UINT64_C(0xc695cd3914e51d5)},
    [FAMILY_MIDDLE] = {12117, UINT64_C(0x3ef0225294159af7)},
    [FAMILY_DENSE] = {22543, UINT64_C(0x43bf577327db3abf)},
    [FAMILY_NEAR] = {1212, UINT64_C(0xe382ea6e691e83ea)},
    [FAMILY_TREE] = {973, UINT64_C(0x49fe11807135af61)},
    [FAMILY_LINEAGE] = {3827, UINT64_C(0x100190102180c457)},
    [FAMILY_CYCLIC] = {1763, UINT64_C(0xbc5dcb23552a3c8f)},
};

static uint64_t cross_family(enum family family, bool bundle, uint64_t *sum)
{
    uint64_t crossings = 0;
    for (uint32_t i = 0; i < family_graphs(family); i++) {
        struct family_graph f;
        struct picture p;
        struct layered g;
        family_make(&f, family, i, 0);
        for (uint32_t e = 0; e < f.edges; e++)
            *sum = *sum * 31 + f.from[e] * 1000 + f.to[e];
        family_picture(&f, &p);
        assert_int_equal(layered_make(&g, &p, bundle), 0);
        ordering_find(&g);
        crossings += ordering_crossings(&g);
        layered_release(&g);
        picture_release(&p);
        family_release(&f);
    }
    return crossings;
}

TEST(fewer_lines_cross_than_with_dot)
{
    for (int bundle = 0; bundle < 2; bundle++) {
        uint64_t ours = 0, dots = 0;
        for (int family = 0; family < FAMILY_COUNT; family++) {
            uint64_t sum = 0, crossings = cross_family(family, bundle, &sum);
            assert_int_equal(sum, dot_found[family].sum);
            assert_true(crossings <= dot_found[family].crossings);
            ours += crossings;
            dots += dot_found[family].crossings;
        }
        /* At least a twelfth fewer. */
        assert_true(ours <= dots - dots / 12);
    }
}
