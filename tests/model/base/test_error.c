/* Errors distinguish their own text from quoted text, also after prefixing, joining, cleaning
 * and cutting. */
#include "model/base/error.h"
#include "tests/support/test.h"

/* The text with underscores for quoted bytes. */
static const char *own(const struct error *e)
{
    static char text[sizeof(e->what)];
    size_t len = strlen(e->what);
    for (size_t i = 0; i < len; i++)
        text[i] = error_quotes(e, i) ? '_' : e->what[i];
    text[len] = '\0';
    return text;
}

TEST(arguments_are_quoted_and_the_format_is_not)
{
    struct error e;
    error_set(&e, ERROR_INVALID, "Do this.", "no memory is called %s", "raw:x");
    assert_string_equal(e.what, "no memory is called raw:x");
    assert_string_equal(own(&e), "no memory is called _____");
    error_set(&e, ERROR_INVALID, "", "%.*s: %d of %5.1f%% (%c)", 3, "abcdef", 12, 0.5, 'x');
    assert_string_equal(e.what, "abc: 12 of   0.5% (x)");
    assert_string_equal(own(&e), "___: __ of _____% (_)");
    error_set(&e, ERROR_INVALID, "", "nothing is quoted: 100%%");
    assert_string_equal(own(&e), "nothing is quoted: 100%");
    error_set(&e, ERROR_INVALID, "", "%s%s", "", "both");
    assert_string_equal(own(&e), "____");
}

TEST(prefix_and_join_keep_the_quoted_bytes)
{
    struct error e;
    error_set(&e, ERROR_INVALID, "Do this.", "%s is wrong", "it");
    e.hint_quotes = true;
    error_prefix(&e, "line %d of %s", 7, "a file");
    assert_string_equal(e.what, "line 7 of a file: it is wrong");
    assert_string_equal(own(&e), "line _ of ______: __ is wrong");
    assert_string_equal(e.hint, "Do this.");
    assert_true(e.hint_quotes);
    error_join(&e);
    assert_string_equal(e.what, "line 7 of a file: it is wrong. Do this.");
    assert_string_equal(own(&e), "line _ of ______: __ is wrong. ________");
    assert_string_equal(e.hint, "");
    error_join(&e); /* does nothing the second time */
    assert_string_equal(e.what, "line 7 of a file: it is wrong. Do this.");
    error_set(&e, ERROR_INVALID, "", "again: %s", e.what); /* it may quote itself */
    assert_string_equal(e.what, "again: line 7 of a file: it is wrong. Do this.");
    assert_string_equal(own(&e), "again: _______________________________________");
    assert_false(e.hint_quotes);
}

/* Control characters become shorter, and long texts are cut. */
TEST(cleaning_and_cutting_keep_the_quoted_bytes)
{
    struct error e;
    char longer[700];
    error_set(&e, ERROR_INVALID, "", "a %s b %s", "\xe2\x80\xae\xc2\x85\x1b[2J", "\xff!");
    assert_string_equal(e.what, "a ???[2J b ?!");
    assert_string_equal(own(&e), "a ______ b __");
    memset(longer, 'x', sizeof(longer));
    longer[sizeof(longer) - 1] = '\0';
    error_set(&e, ERROR_INVALID, "", "a %s b", longer);
    assert_int_equal(strlen(e.what), sizeof(e.what) - 1);
    assert_int_equal(strspn(own(&e) + 2, "_"), sizeof(e.what) - 3);
    error_prefix(&e, "in %s", longer);
    assert_int_equal(strlen(e.what), sizeof(e.what) - 1);
    error_prefix(&e, "line %d", 3);
    assert_int_equal(strncmp(own(&e), "line _: in ____", 15), 0);
    error_set(&e, ERROR_INVALID, "", "own");
    error_quote_all(&e);
    assert_string_equal(own(&e), "___");
    assert_int_equal(error_quote_none(&e), -1);
    assert_string_equal(own(&e), "own");
}
