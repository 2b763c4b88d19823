/* Which edges are turned: without them there is no circle, and with any one of them there would
 * be. */
#include "model/layout/layering.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "tests/support/sketch.h"

static uint8_t *find(const struct picture *p)
{
    uint8_t *reversed = xmalloc(p->edges + (size_t)1);
    memset(reversed, 9, p->edges + (size_t)1);
    acyclic_find(p, reversed);
    for (uint32_t e = 0; e < p->edges; e++)
        assert_in_range(reversed[e], 0, 1);
    assert_int_equal(reversed[p->edges], 9);
    return reversed;
}

/* Whether `to` is reached from `from` along edges that are not turned. */
static bool reaches(const struct picture *p, const uint8_t *reversed, uint32_t from, uint32_t to)
{
    uint8_t *seen = xcalloc(p->nodes, 1);
    bool more = true;
    seen[from] = 1;
    while (more && !seen[to]) {
        more = false;
        for (uint32_t e = 0; e < p->edges; e++)
            if (!reversed[e] && seen[p->edge[e].from] && !seen[p->edge[e].to]) {
                seen[p->edge[e].to] = 1;
                more = true;
            }
    }
    bool found = seen[to];
    free(seen);
    return found;
}

static void check(const struct picture *p, const uint8_t *reversed)
{
    for (uint32_t e = 0; e < p->edges; e++)
        assert_int_equal(reaches(p, reversed, p->edge[e].to, p->edge[e].from), reversed[e]);
}

static void of_all_shapes(void **state)
{
    struct random r = {31};
    (void)state;
    for (int round = 0; round < 120; round++) {
        struct sketch s;
        struct picture p, shuffled;
        sketch_make(&s, &r, (enum sketch_shape)(round % SKETCH_SHAPES), 2 + random_below(&r, 25));
        sketch_picture(&s, &p, NULL);
        sketch_picture(&s, &shuffled, &r);
        uint8_t *reversed = find(&p), *again = find(&shuffled);
        check(&p, reversed);
        assert_memory_equal(reversed, again, p.edges + (size_t)1);
        free(reversed);
        free(again);
        picture_release(&p);
        picture_release(&shuffled);
        sketch_release(&s);
    }
}

/* a → b → c → a, and d rests on b: a search from d finds that a → b closes the circle. */
static void from_what_nothing_rests_on(void **state)
{
    static const char *const ids[] = {"a", "b", "c", "d"};
    struct picture p = PICTURE_INIT;
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(picture_add_node(&p, (struct picture_node){.id = ids[i], .columns = 1}),
                         0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(picture_add_edge(&p, i, (i + 1) % 3, STROKE_DERIVED), 0);
    assert_int_equal(picture_add_edge(&p, 3, 1, STROKE_DERIVED), 0);
    picture_finish(&p);
    uint8_t *reversed = find(&p);
    assert_int_equal(reversed[0], 1);
    assert_int_equal(reversed[1] + reversed[2] + reversed[3], 0);
    free(reversed);
    picture_release(&p);
}

/* As deep as it likes. */
static void a_long_ring(void **state)
{
    enum {
        LENGTH = 200000
    };
    struct random r = {1};
    struct sketch s;
    struct picture p;
    (void)state;
    sketch_init(&s, &r, LENGTH);
    for (uint32_t i = 0; i < LENGTH; i++)
        sketch_edge(&s, i, (i + 1) % LENGTH, STROKE_DERIVED);
    sketch_picture(&s, &p, NULL);
    uint8_t *reversed = find(&p);
    uint32_t count = 0;
    for (uint32_t e = 0; e < p.edges; e++)
        count += reversed[e];
    assert_int_equal(count, 1);
    free(reversed);
    picture_release(&p);
    sketch_release(&s);
}

static void nothing(void **state)
{
    struct picture p = PICTURE_INIT;
    (void)state;
    picture_finish(&p);
    free(find(&p));
    picture_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_all_shapes),
        cmocka_unit_test(from_what_nothing_rests_on),
        cmocka_unit_test(a_long_ring),
        cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
