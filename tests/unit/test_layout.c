/* Drawings are read back, in every style; windows, light, seeds and shuffled pictures against the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "../support/drawing.h"

#define STYLES 16

static struct layout_options style(unsigned number)
{
    return (struct layout_options){.flow = number & 1 ? FLOW_DOWN : FLOW_RIGHT,
                                   .boxed = number & 2,
                                   .bundle = number & 4,
                                   .ascii = number & 8};
}

static void draw(struct layout *l, const struct picture *p, const struct layout_options *o)
{
    assert_int_equal(layout_make(l, p, o), 0);
}

static void random_drawings_are_read_back(void **state)
{
    (void)state;
    struct random r = {5};
    struct arena arena = ARENA_INIT;
    uint64_t doglegs = 0, crossings = 0, reversed = 0;
    for (int round = 0; round < 400; round++) {
        struct picture p;
        uint32_t nodes = 1 + random_below(&r, round % 10 ? 25 : 70);
        random_picture(&r, &arena, &p, nodes, random_below(&r, 3 * nodes), round % 3);
        for (unsigned i = 0; i < STYLES; i++) {
            struct layout l;
            struct layout_options o = style(i);
            draw(&l, &p, &o);
            drawing_check(&l);
            doglegs += l.stats.doglegs;
            crossings += l.stats.crossings;
            for (uint32_t e = 0; e < p.edges; e++)
                reversed += l.edge_reversed[e];
            layout_release(&l);
        }
        picture_release(&p);
        arena_clear(&arena);
    }
    arena_release(&arena);
    assert_true(doglegs > 50 && crossings > 10000 && reversed > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_drawings_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
