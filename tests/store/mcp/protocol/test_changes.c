/* Which subscribed memories rest on what changed, where little and where very much is to be walked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include "store/mcp/protocol/changes.h"
#include "tests/support/store_fixture.h"

#define CHAIN 17000 /* more than is walked */

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    fixture_open(f);
    fixture_put(f, "{\"ref\":\"raw:r\",\"text\":\"seen\"}", "{\"ref\":\"raw:lone\",\"text\":\"x\"}",
                "{\"ref\":\"belief:b\",\"text\":\"b\",\"derived_from\":[\"raw:r\"]}",
                "{\"ref\":\"belief:c\",\"text\":\"c\",\"derived_from\":[\"belief:b\"]}",
                "{\"ref\":\"belief:x\",\"text\":\"x\",\"derived_from\":[\"raw:lone\"]}", NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

static void change(struct changes *c, struct fixture *f, const char *ref)
{
    struct event event = {.subject = fixture_row(f, ref)};
    changes_add(c, &event, 1, f->reader);
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Those that changed and those that are reached are exactly these, in order. */
static void expect(struct changes *c, struct fixture *f, const char *const *refs, size_t count)
{
    int64_t rows[8];
    for (size_t i = 0; i < count; i++)
        rows[i] = fixture_row(f, refs[i]);
    qsort(rows, count, sizeof(*rows), compare);
    assert_false(c->any);
    assert_int_equal(c->count, count);
    assert_memory_equal(c->row, rows, count * sizeof(*rows));
    changes_clear(c);
    assert_int_equal(c->count, 0);
}
#define EXPECT(c, f, ...)                                                                          \
    expect(c, f, (const char *const[]){__VA_ARGS__},                                               \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void only_what_rests_on_a_change_is_reached(void **state)
{
    struct fixture *f = *state;
    struct changes c = {0};
    int64_t subscribed[] = {fixture_row(f, "belief:x"), fixture_row(f, "belief:c"),
                            fixture_row(f, "raw:lone"), fixture_row(f, "belief:c")};
    change(&c, f, "raw:r");
    change(&c, f, "raw:r");
    assert_true(c.reach);
    changes_reach(&c, subscribed, 4, f->reader);
    EXPECT(&c, f, "raw:r", "belief:c");
    change(&c, f, "belief:c"); /* nothing rests on it */
    assert_false(c.reach);
    changes_reach(&c, subscribed, 3, f->reader);
    EXPECT(&c, f, "belief:c");
    change(&c, f, "raw:lone");
    change(&c, f, "belief:b");
    changes_reach(&c, subscribed, 3, f->reader);
    EXPECT(&c, f, "raw:lone", "belief:b", "belief:c", "belief:x");
    change(&c, f, "raw:r");
    changes_reach(&c, NULL, 0, f->reader);
    EXPECT(&c, f, "raw:r");
}

static void put_chain(struct fixture *f)
{
    const char **lines = calloc(CHAIN, sizeof(*lines));
    char(*text)[96] = calloc(CHAIN, sizeof(*text));
    for (int i = 0; i < CHAIN; i++) {
        lines[i] = text[i];
        snprintf(text[i], sizeof(text[i]),
                 "{\"ref\":\"belief:m%d\",\"text\":\"m\",\"derived_from\":[\"belief:m%d\"]}", i,
                 i + 1);
    }
    fixture_put_lines(f, lines, CHAIN);
    free(lines);
    free(text);
}

/* One that rests on too much is told in any case; that costs the others nothing. */
static void who_rests_on_too_much_is_reached_alone(void **state)
{
    struct fixture *f = *state;
    struct changes c = {0};
    put_chain(f);
    int64_t subscribed[] = {fixture_row(f, "belief:m0"), fixture_row(f, "belief:c"),
                            fixture_row(f, "belief:x"), fixture_row(f, "belief:m16900")};
    change(&c, f, "raw:r");
    changes_reach(&c, subscribed, 4, f->reader);
    EXPECT(&c, f, "raw:r", "belief:c", "belief:m0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_what_rests_on_a_change_is_reached, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_rests_on_too_much_is_reached_alone, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
