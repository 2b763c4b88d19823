#include "model/base/alloc.h"
#include "tests/support/sketch.h"

#include "model/base/array.h"
#include "tests/support/test.h"

/* Uses few ranks and times, so that rank, time and id each decide sometimes. */
void sketch_init(struct sketch *s, struct random *r, uint32_t nodes)
{
    *s = (struct sketch){.nodes = nodes};
    s->node = xcalloc(nodes, sizeof(*s->node));
    s->id = xcalloc(nodes, sizeof(*s->id));
    for (uint32_t i = 0; i < nodes; i++) {
        snprintf(s->id[i], sizeof(s->id[i]), "n%u", (unsigned)i);
        s->node[i] = (struct picture_node){
            .id = s->id[i],
            .rank = (int)random_below(r, 3) - 1,
            .at = (int64_t)random_below(r, nodes / 2 + 1) - 3,
            .columns = 1 + (int)random_below(r, 12),
        };
    }
}

void sketch_release(struct sketch *s)
{
    free(s->node);
    free(s->edge);
    free(s->id);
    *s = (struct sketch){.nodes = 0};
}

void sketch_edge(struct sketch *s, uint32_t from, uint32_t to, enum stroke stroke)
{
    *ARRAY_ADD(s->edge, s->edges, s->alloc) = (struct sketch_edge){from, to, stroke};
}

/* ---- shapes ---- */

static enum stroke any_stroke(struct random *r)
{
    return random_chance(r, 60) ? STROKE_DERIVED : (enum stroke)random_below(r, STROKE_COUNT);
}

static void random_edges(struct sketch *s, struct random *r)
{
    for (uint32_t i = 0; i < s->nodes * 2; i++)
        sketch_edge(s, random_below(r, s->nodes), random_below(r, s->nodes), any_stroke(r));
}

static void acyclic_edges(struct sketch *s, struct random *r, uint32_t count)
{
    for (uint32_t i = 0; i < count && s->nodes > 1; i++) {
        uint32_t from = random_below(r, s->nodes - 1);
        sketch_edge(s, from, from + 1 + random_below(r, s->nodes - 1 - from), any_stroke(r));
    }
}

static void some_acyclic(struct sketch *s, struct random *r)
{
    acyclic_edges(s, r, s->nodes * 2);
}

static void many_acyclic(struct sketch *s, struct random *r)
{
    acyclic_edges(s, r, s->nodes * 7);
}

static void ring_and_more(struct sketch *s, struct random *r)
{
    for (uint32_t i = 0; i < s->nodes; i++) {
        uint32_t from = random_below(r, s->nodes), to = random_below(r, s->nodes);
        sketch_edge(s, i, (i + 1) % s->nodes, STROKE_DERIVED);
        sketch_edge(s, from, to, any_stroke(r));
        if (i % 5 == 0)
            sketch_edge(s, to, from, any_stroke(r));
    }
}

static void star(struct sketch *s, struct random *r)
{
    bool in = random_chance(r, 50);
    for (uint32_t i = 1; i < s->nodes; i++)
        sketch_edge(s, in ? i : 0, in ? 0 : i, STROKE_DERIVED);
}

static void two_sides(struct sketch *s, struct random *r)
{
    for (uint32_t i = 0; i < s->nodes / 2; i++)
        for (uint32_t k = s->nodes / 2; k < s->nodes; k++)
            sketch_edge(s, i, k, STROKE_DERIVED);
}

static void chain(struct sketch *s, struct random *r)
{
    for (uint32_t i = 1; i < s->nodes; i++)
        sketch_edge(s, i - 1, i, STROKE_SUPERSEDES);
}

static void tree(struct sketch *s, struct random *r)
{
    for (uint32_t i = 1; i < s->nodes; i++) {
        uint32_t other = random_below(r, i);
        if (random_chance(r, 50))
            sketch_edge(s, i, other, any_stroke(r));
        else
            sketch_edge(s, other, i, any_stroke(r));
    }
}

/* A node of `count` from `first` on, at about the relative place of `i` among `of`. */
static uint32_t near(struct random *r, uint32_t i, uint32_t of, uint32_t first, uint32_t count)
{
    int64_t at = (int64_t)i * count / of + (int64_t)random_below(r, 11) - 5;
    return first + (uint32_t)(at < 0 ? 0 : at >= (int64_t)count ? (int64_t)count - 1 : at);
}

static void lineage(struct sketch *s, struct random *r)
{
    uint32_t raws = s->nodes / 2, episodes = s->nodes * 3 / 10,
             beliefs = s->nodes - raws - episodes;
    for (uint32_t i = 0; i < episodes && raws; i++)
        for (uint32_t k = random_below(r, 4) + 1; k > 0; k--)
            sketch_edge(s, beliefs + i, near(r, i, episodes, beliefs + episodes, raws),
                        STROKE_DERIVED);
    for (uint32_t i = 0; i < beliefs && episodes; i++) {
        for (uint32_t k = random_below(r, 4) + 1; k > 0; k--)
            sketch_edge(s, i, near(r, i, beliefs, beliefs, episodes), STROKE_DERIVED);
        if (i && random_chance(r, 33))
            sketch_edge(s, i, i - 1, STROKE_SUPERSEDES);
        if (random_chance(r, 25))
            sketch_edge(s, i, beliefs + random_below(r, episodes), STROKE_REINFORCED);
    }
}

static void parts(struct sketch *s, struct random *r)
{
    for (uint32_t from = 0, size; from < s->nodes; from += size) {
        size = 1 + random_below(r, 8);
        if (size > s->nodes - from)
            size = s->nodes - from;
        for (uint32_t i = 0; i + 1 < size * 2; i++)
            sketch_edge(s, from + random_below(r, size), from + random_below(r, size),
                        any_stroke(r));
    }
}

void sketch_make(struct sketch *s, struct random *r, enum sketch_shape shape, uint32_t nodes)
{
    static void (*const shapes[SKETCH_SHAPES])(struct sketch *, struct random *) = {
        [SKETCH_RANDOM] = random_edges, [SKETCH_ACYCLIC] = some_acyclic,
        [SKETCH_DENSE] = many_acyclic,  [SKETCH_CYCLIC] = ring_and_more,
        [SKETCH_STAR] = star,           [SKETCH_TWO_SIDES] = two_sides,
        [SKETCH_CHAIN] = chain,         [SKETCH_TREE] = tree,
        [SKETCH_LINEAGE] = lineage,     [SKETCH_PARTS] = parts,
    };
    sketch_init(s, r, nodes);
    shapes[shape](s, r);
}

/* ---- pictures ---- */

/* The numbers from 0, shuffled or in order. The caller frees them. */
static uint32_t *numbers(size_t count, struct random *shuffle)
{
    uint32_t *list = xcalloc(count, sizeof(*list));
    for (size_t i = 0; i < count; i++) {
        size_t k = shuffle ? random_below(shuffle, (uint32_t)i + 1) : i;
        list[i] = list[k];
        list[k] = (uint32_t)i;
    }
    return list;
}

void sketch_picture(const struct sketch *s, struct picture *p, struct random *shuffle)
{
    AUTO_FREE uint32_t *nodes = numbers(s->nodes, shuffle), *edges = numbers(s->edges, shuffle);
    AUTO_FREE uint32_t *added = xcalloc(s->nodes, sizeof(*added));
    *p = (struct picture)PICTURE_INIT;
    for (uint32_t i = 0; i < s->nodes; i++) {
        added[nodes[i]] = i;
        assert_int_equal(picture_add_node(p, s->node[nodes[i]]), 0);
    }
    for (size_t i = 0; i < s->edges; i++) {
        const struct sketch_edge *e = &s->edge[edges[i]];
        assert_int_equal(picture_add_edge(p, added[e->from], added[e->to], e->stroke), 0);
    }
    picture_finish(p);
}
