/* The hash of tables and marks: its known values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/map.h"

/* Values of the authors' own test suite (test_fnv.c of their reference code). */
static void it_is_fnv_1a(void **state)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } known[] = {
        {"", UINT64_C(0xcbf29ce484222325)},
        {"a", UINT64_C(0xaf63dc4c8601ec8c)},
        {"foobar", UINT64_C(0x85944171f73967e8)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        assert_true(fnv_add(FNV_BASIS, known[i].text, strlen(known[i].text)) == known[i].hash);
    assert_true(fnv_add(fnv_add(FNV_BASIS, "foo", 3), "bar", 3) == known[2].hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_fnv_1a)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
