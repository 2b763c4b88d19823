/* What is there twice, whatever the texts are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/map.h"

static void the_first_of_equal_ones_stands(void **state)
{
    (void)state;
    struct unique_key keys[] = {{.text = "b"},  {.text = "a"}, {.text = "b", .group = 1},
                                {.text = "b"},  {.text = ""},  {.text = "a"},
                                {.text = "ba"}, {.text = ""}};
    static const bool again[] = {false, false, false, true, false, true, false, true};
    unique_find(keys, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(keys[i].again, again[i]);
    assert_string_equal(keys[6].text, "ba");
    unique_find(keys, 0);
    unique_find(NULL, 0);
    unique_find(keys + 3, 1);
    assert_false(keys[3].again);
}

/* Against the plain way to say it. */
static void as_by_comparing_all(void **state)
{
    (void)state;
    static const char *const words[] = {"", "a", "aa", "b", "\xff", "a\xc3\xa9"};
    struct unique_key keys[64];
    unsigned seed = 7;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < 64; i++) {
            seed = seed * 1103515245u + 12345u;
            keys[i] =
                (struct unique_key){.text = words[(seed >> 16) % 6], .group = (seed >> 24) % 4};
        }
        unique_find(keys, 64);
        for (size_t i = 0; i < 64; i++) {
            bool before = false;
            for (size_t k = 0; k < i; k++)
                before |= keys[k].group == keys[i].group && !strcmp(keys[k].text, keys[i].text);
            assert_int_equal(keys[i].again, before);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_equal_ones_stands),
        cmocka_unit_test(as_by_comparing_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
