/* Texts that are known to hold nothing: found again by their very bytes and by how they were read, and no others. */
#include "store/guard/clean_texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define LONGEST 5000

static struct clean_texts *made(void)
{
    struct clean_texts *c = clean_texts_new();
    assert_non_null(c);
    return c;
}

static void fill(char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        text[i] = (char)(i * 31 + len);
}

static bool is_known(struct clean_texts *c, const char *text, size_t len)
{
    return clean_texts_has(c, clean_mark_of(c, READ_AS_JSON, text, len));
}

static void test_what_was_added_is_known(void **state)
{
    char text[64] = "no one's number";
    struct clean_texts *c = made();
    (void)state;
    assert_false(is_known(c, text, 15));
    clean_texts_add(c, clean_mark_of(c, READ_AS_JSON, text, 15));
    assert_true(is_known(c, text, 15));
    assert_false(clean_texts_has(c, clean_mark_of(c, READ_AS_TEXT, text, 15)));
    assert_false(is_known(c, text, 14));
    assert_false(is_known(c, text, 16)); /* another zero is another text */
    clean_texts_free(c);
}

/* Around the ends of words and blocks, in each of their bytes. */
static void test_any_other_byte_is_another_text(void **state)
{
    static const size_t lens[] = {1,    8,    15,   16,   17,   31,     1008,
                                  1023, 1024, 1025, 2048, 2100, LONGEST};
    static char text[LONGEST + 1];
    (void)state;
    for (size_t l = 0; l < sizeof(lens) / sizeof(*lens); l++) {
        struct clean_texts *c = made();
        fill(text, lens[l]);
        clean_texts_add(c, clean_mark_of(c, READ_AS_JSON, text, lens[l]));
        for (size_t i = 0; i < lens[l]; i++) {
            text[i] ^= (char)(1 << i % 8);
            assert_false(is_known(c, text, lens[l]));
            text[i] ^= (char)(1 << i % 8);
        }
        assert_true(is_known(c, text, lens[l]));
        clean_texts_free(c);
    }
}

/* Two words that change places, and two blocks. */
static void test_order_counts(void **state)
{
    static const size_t pieces[] = {8, 16, 32, 1024};
    static char text[4096], other[4096];
    struct clean_texts *c = made();
    (void)state;
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = (char)(i / 8 * 7 + i % 8);
    clean_texts_add(c, clean_mark_of(c, READ_AS_JSON, text, sizeof(text)));
    for (size_t p = 0; p < sizeof(pieces) / sizeof(*pieces); p++) {
        memcpy(other, text, sizeof(text));
        memcpy(other, text + pieces[p], pieces[p]);
        memcpy(other + pieces[p], text, pieces[p]);
        assert_false(is_known(c, other, sizeof(other)));
    }
    clean_texts_free(c);
}

/* What another process, or other rules, knew says nothing here. */
static void test_each_has_its_own_key(void **state)
{
    struct clean_texts *one = made(), *two = made();
    (void)state;
    struct clean_mark a = clean_mark_of(one, READ_AS_TEXT, "the same text", 13);
    struct clean_mark b = clean_mark_of(two, READ_AS_TEXT, "the same text", 13);
    assert_true(a.a != b.a || a.b != b.b);
    clean_texts_free(one);
    clean_texts_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_added_is_known),
        cmocka_unit_test(test_any_other_byte_is_another_text),
        cmocka_unit_test(test_order_counts),
        cmocka_unit_test(test_each_has_its_own_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
