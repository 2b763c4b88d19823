/* The first place of a word in a text: the same as memmem's, whatever lies around it and where the memory ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/find_text.h"
#include "tests/support/random.h"

static void assert_found(const char *text, size_t len, const char *what)
{
    size_t count = strlen(what);
    char *exact = malloc(len ? len : 1); /* so that a byte read past it is met by the sanitizer */
    assert_non_null(exact);
    memcpy(exact, text, len);
    assert_ptr_equal(find_text(exact, len, what, count), memmem(exact, len, what, count));
    free(exact);
}

static void at_each_place_and_in_each_length(void **state)
{
    (void)state;
    for (size_t len = 0; len < 100; len++)
        for (size_t at = 0; at < len; at++) {
            char text[100];
            memset(text, 'e', sizeof(text));
            size_t fits = len - at < 5 ? len - at : 5;
            memcpy(text + at, "entry", fits);
            assert_found(text, len, "entry");
        }
}

static void words_of_one_letter_and_of_many(void **state)
{
    (void)state;
    char text[80];
    memset(text, 'a', sizeof(text));
    for (size_t count = 1; count < sizeof(text); count++) {
        char what[80] = {0};
        memset(what, 'a', count);
        for (size_t len = 0; len <= sizeof(text); len++)
            assert_found(text, len, what);
        what[count / 2] = 'b';
        assert_found(text, sizeof(text), what);
    }
}

static void as_memmem_finds_it(void **state)
{
    (void)state;
    struct random random = {1};
    for (int round = 0; round < 20000; round++) {
        char text[120], what[6] = {0};
        size_t len = random_below(&random, sizeof(text)), count = 1 + random_below(&random, 5);
        for (size_t i = 0; i < len; i++)
            text[i] = (char)('a' + random_below(&random, 2));
        for (size_t i = 0; i < count; i++)
            what[i] = (char)('a' + random_below(&random, 2));
        assert_found(text, len, what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_each_place_and_in_each_length),
        cmocka_unit_test(words_of_one_letter_and_of_many),
        cmocka_unit_test(as_memmem_finds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
