/* JSON: checking, slices, and writing. */
#include <math.h>
#include "model/base/alloc.h"
#include "model/json/json.h"
#include "model/json/json_scan.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

static int check(const char *text)
{
    struct error e;
    return json_check(text, strlen(text), JSON_DEPTH_MAX, &e);
}

TEST(good_json_is_accepted)
{
    static const char *const good[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "1",
        "-1",
        "10",
        "0.5",
        "1e5",
        "1E+5",
        "1e-5",
        "1.5e300",
        "1.7976931348623157e308",
        "1e-400",
        "0e999999",
        "0.0e99999999999999999999",
        "123456789012345678901234567890",
        "\"\"",
        "\"a\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0000\"",
        "\"\\uD83D\\uDE00\"",
        "\"\\ud83d\\ude00\"",
        "\"\x7f\"",
        "\"\xc2\x80\xe2\x80\xae\"",
        "\"\xf4\x8f\xbf\xbf\"",
        "\"\xef\xbf\xbf\"",
        "[]",
        "{}",
        " [ ] ",
        "\t{\n}\r ",
        "[1,2,3]",
        "[[],[[]]]",
        "{\"a\":1,\"b\":2}",
        "{\"a\":{\"a\":{\"a\":[]}}}",
        "[{\"a\":1},{\"a\":1}]",
        "{\"\":0}",
        "{\"a\":1,\"A\":1}",
        "{\"\\u0061b\":1,\"ac\":2}",
        "[1 , 2]",
        "{ \"a\" : 1 }",
        "[-1.5e-5]",
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        if (check(good[i]))
            fail_msg("refused: %s", good[i]);
}

TEST(bad_json_is_rejected)
{
    static const char *const bad[] = {
        "",
        " ",
        "nul",
        "nulll",
        "True",
        "NaN",
        "-NaN",
        "Infinity",
        "-Infinity",
        "01",
        "-01",
        "-",
        "+1",
        ".5",
        "1.",
        "1.e5",
        "1e",
        "1e+",
        "0x10",
        "1_000",
        "1e309",
        "-1e309",
        "1 2",
        "\"",
        "\"a",
        "'a'",
        "\"\\\"",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\U0041\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud800x\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud800\\ud800\"",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"\x01\"",
        "\"\x1f\"",
        "\"\xff\"",
        "\"\xc0\x80\"",
        "\"\xe2\x82\"",
        "\"\xed\xa0\x80\"",
        "\"\xf4\x90\x80\x80\"",
        "\"\x80\"",
        "\xef\xbb\xbf{}",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[,]",
        "[1 2]",
        "[1}",
        "{",
        "}",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{1:1}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1]",
        "{'a':1}",
        "{}x",
        "[]]",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}",
        "{\"\\u00e9\":1,\"\xc3\xa9\":2}",
        "{\"\":1,\"\":2}",
        "{\"b\":{\"a\":1,\"a\":1}}",
        "{\"a\":{},\"b\":[{}],\"a\":0}",
        "// x\n1",
        "1 // x",
        "\x0b"
        "1",
        "\xc2\xa0"
        "1",
        "[1]\x01",
        "undefined",
        "{\"\\ud800\":1}",
    };
    struct error e;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        if (!check(bad[i]))
            fail_msg("accepted: %s", bad[i]);
    assert_int_equal(json_check("1\0", 2, 4, &e), -1); /* a NUL is not the end */
    assert_int_equal(json_check("\"\0\"", 3, 4, &e), -1);
}

TEST(an_error_names_the_position)
{
    struct error e;
    const char *text = "{\"key\":1,\n \"key\":2}";
    assert_int_equal(json_check(text, strlen(text), 9, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    assert_string_equal(e.what, "JSON with a duplicate key at byte 12");
    assert_int_equal(json_check("[1e999]", 7, 9, &e), -1);
    assert_string_equal(e.what, "JSON with a number that is too large at byte 2");
    assert_int_equal(json_check("[[[1]]]", 7, 2, &e), -1);
    assert_string_equal(e.what, "JSON nested deeper than 2 levels at byte 3");
    assert_int_equal(json_check("[1,2", 4, 9, &e), -1);
    assert_string_equal(e.what, "not JSON: unexpected end at byte 5");
}

TEST(reading_stays_within_the_length)
{
    struct error e;
    static const char *const text[] = {
        "\"abc\"", "{\"a\":[1,true]}", "\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\"", "[-1.5e+10]",
        "[null]"};
    for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
        size_t len = strlen(text[i]);
        for (size_t cut = 0; cut < len; cut++) {
            char *copy = malloc(cut + 1); /* so that the sanitizer notices a byte too many */
            assert_non_null(copy);
            memcpy(copy, text[i], cut);
            copy = realloc(copy, cut ? cut : 1);
            assert_int_equal(json_check(copy, cut, 9, &e), -1);
            free(copy);
        }
        assert_int_equal(json_check(text[i], len, 9, &e), 0);
    }
}

TEST(levels_are_bounded)
{
    struct error e;
    const size_t deep = 100000;
    AUTO_FREE char *text = malloc(2 * deep);
    assert_non_null(text);
    memset(text, '[', deep);
    memset(text + deep, ']', deep);
    assert_int_equal(json_check(text, 2 * deep, 1 << 30, &e), -1);
    for (int depth = 1; depth <= JSON_DEPTH_LIMIT; depth++) {
        const char *at = text + deep - depth;
        assert_int_equal(json_check(at, 2 * (size_t)depth, depth, &e), 0);
        assert_int_equal(json_check(at, 2 * (size_t)depth, depth - 1, &e), -1);
    }
    memset(text, '{', deep);
    assert_int_equal(json_check(text, deep, 64, &e), -1);
    assert_int_equal(json_check("1", 1, 0, &e), 0);
    assert_int_equal(json_check("[]", 2, 0, &e), -1);
}

/* JSON with a rejected content still has the right form. */
TEST(json_is_formed_checks_only_the_syntax)
{
    static const char *const formed[] = {
        "1",
        "{\"a\":1,\"a\":1}",
        "[1e999]",
        "{\"a\":[{\"b\":{},\"b\":1}]}",
        " \"\\ud800\" ",
        "{\"a\":1e400,\"\\u0061\":2}",
    };
    static const char *const not_formed[] = {
        "",          "{\"a\":1,\"a\":1,}", "[1e]",          "[01e999]",
        "[\"\\x\"]", "{\"a\":1}}",         "{\"a\" 1e400}", "[1e999",
    };
    for (size_t i = 0; i < sizeof(formed) / sizeof(*formed); i++)
        assert_true(json_is_formed(formed[i], strlen(formed[i])));
    for (size_t i = 0; i < sizeof(not_formed) / sizeof(*not_formed); i++)
        assert_false(json_is_formed(not_formed[i], strlen(not_formed[i])));
    const size_t deep = 100000;
    AUTO_FREE char *text = malloc(2 * deep);
    assert_non_null(text);
    memset(text, '[', deep);
    memset(text + deep, ']', deep);
    assert_true(json_is_formed(text, 2 * deep));
    assert_false(json_is_formed(text, 2 * deep - 1));
    assert_false(json_is_formed(text, deep));
    text[2 * deep - 1] = '}';
    assert_false(json_is_formed(text, 2 * deep));
}

/* Objects with many keys; one is repeated at any distance, plain or escaped. */
TEST(duplicate_keys_are_found_among_many)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (int count = 1; count < 60; count++) {
        for (int twice = -1; twice < count; twice += 1 + count / 7) {
            strbuf_clear(&text);
            strbuf_addch(&text, '{');
            for (int i = 0; i < count; i++)
                strbuf_addf(&text, "\"k%s%d\":{\"k%d\":1},", i % 3 ? "" : "\\u00e9", i, i);
            if (twice >= 0)
                strbuf_addf(&text, "\"\\u006b%s%d\":0,", twice % 3 ? "" : "\xc3\xa9", twice);
            strbuf_addf(&text, "\"last\":[]}");
            assert_int_equal(check(text.buf), twice >= 0 ? -1 : 0);
        }
    }
}

/* Compares with a byte by byte implementation, at every place in a block and every length. */
TEST(json_as_text_escapes_only_quotes_and_backslashes)
{
    struct random random = {11};
    AUTO_STRBUF out = STRBUF_INIT;
    char text[70], expected[140];
    for (int round = 0; round < 20000; round++) {
        size_t len = random_below(&random, sizeof(text)), n = 0;
        unsigned often = 1 + (unsigned)random_below(&random, 6);
        for (size_t i = 0; i < len; i++) {
            text[i] = random_below(&random, often) ? (char)(0x80 + random_below(&random, 0x80))
                                                   : "\"\\#]"[random_below(&random, 4)];
            if (text[i] == '"' || text[i] == '\\')
                expected[n++] = '\\';
            expected[n++] = text[i];
        }
        strbuf_clear(&out);
        strbuf_addstr(&out, "before");
        json_add_text(&out, text, len);
        assert_int_equal(out.len, 6 + n);
        assert_memory_equal(out.buf + 6, expected, n);
        assert_int_equal(out.buf[out.len], '\0');
    }
}

TEST(many_keys_do_not_take_quadratic_time)
{
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_addch(&text, '{');
    for (int i = 0; i < 200000; i++)
        strbuf_addf(&text, "%s\"%d\":0", i ? "," : "", i);
    strbuf_addch(&text, '}');
    assert_int_equal(check(text.buf), 0);
}

TEST(long_numbers_are_checked_by_value)
{
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_addstr(&text, "0.");
    strbuf_addchars(&text, '1', 100000);
    assert_int_equal(check(text.buf), 0);
    strbuf_addstr(&text, "e300");
    assert_int_equal(check(text.buf), 0);
    strbuf_clear(&text);
    strbuf_addchars(&text, '9', 308);
    assert_int_equal(check(text.buf), 0);
    strbuf_addstr(&text, "99");
    assert_int_equal(check(text.buf), -1);
}

TEST(the_lax_check_accepts_broken_text)
{
    struct error e;
    static const char *const lax[] = {"\"\xff\"", "\"\\ud800\"", "{\"\xc0\":\"\\udc00\\ud800\"}"};
    static const char *const bad[] = {"\"a\nb\"", "[\"\xff\"", "\"\\uzzzz\"",
                                      "{\"\xff\":1,\"\xff\":2}"};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(json_check_lax(lax[i], strlen(lax[i]), 9, &e), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(json_check_lax(bad[i], strlen(bad[i]), 9, &e), -1);
}

static void expect_slice(struct json_slice got, const char *expected)
{
    if (!expected) {
        assert_null(got.ptr);
        return;
    }
    assert_non_null(got.ptr);
    assert_int_equal(got.len, strlen(expected));
    assert_memory_equal(got.ptr, expected, got.len);
}

TEST(members_are_slices_of_the_text)
{
    const char *text =
        " { \"a\" : 1.50 , \"b\":{\"a\":[2,{}]} ,\"c\\u0064\":\"x\\\"}\" , \"\":null } ";
    size_t len = strlen(text);
    expect_slice(json_member(text, len, "a"), "1.50");
    expect_slice(json_member(text, len, "b"), "{\"a\":[2,{}]}");
    expect_slice(json_member(text, len, "cd"), "\"x\\\"}\"");
    expect_slice(json_member(text, len, ""), "null");
    expect_slice(json_member(text, len, "A"), NULL);
    expect_slice(json_member("[1]", 3, "a"), NULL);
    expect_slice(json_member("\"a\"", 3, "a"), NULL);
    expect_slice(json_member("{}", 2, "a"), NULL);
}

TEST(keys_are_compared_with_escapes_resolved)
{
    AUTO_STRBUF written = STRBUF_INIT, name = STRBUF_INIT;
    for (int i = 0; i < 500; i++) {
        strbuf_addstr(&written, i % 2 ? "\\u00e9" : "\\ud83d\\ude00");
        strbuf_addstr(&name, i % 2 ? "\xc3\xa9" : "\xf0\x9f\x98\x80");
    }
    struct json_slice key = {written.buf, written.len};
    assert_true(json_key_is(key, name.buf));
    strbuf_addch(&name, 'x');
    assert_false(json_key_is(key, name.buf));
    strbuf_cut(&name, name.len - 2);
    assert_false(json_key_is(key, name.buf));
    assert_false(json_key_is((struct json_slice){"a\\u0000", 7}, "a"));
    assert_true(json_key_is((struct json_slice){"\\u0061", 6}, "a"));
    assert_false(json_key_is((struct json_slice){NULL, 0}, ""));
    size_t len = json_unescape(written.buf, written.buf, written.len); /* in its own place */
    assert_int_equal(len, 250 * 6);
    assert_memory_equal(written.buf, "\xf0\x9f\x98\x80\xc3\xa9", 6);
}

TEST(elements_are_in_order)
{
    static const char *const expected[] = {"1",    "\"a,]\"", "[2,[3]]", "{\"x\":\"}\"}",
                                           "null", "-1e5"};
    const char *text = " [1 , \"a,]\",[2,[3]], {\"x\":\"}\"},null,-1e5 ] ";
    struct json_slice list = json_trim(text, strlen(text));
    size_t i = 0;
    for (struct json_each it = json_each(list); json_next(&it); i++)
        expect_slice(it.value, expected[i]);
    assert_int_equal(i, 6);
    struct json_each none = json_each((struct json_slice){"\"[1]\"", 5});
    assert_false(json_next(&none));
}

/* Reading stays in bounds whatever the bytes are; the sanitizers check it. */
TEST(reading_damaged_text_stays_in_bounds)
{
    struct random r = {3};
    const char *text =
        "{\"a\":[1,\"b\\n\\u00e9\",{\"c\":null}],\"d\":\"\\ud83d\\ude00\",\"e\":-1.5}";
    for (int round = 0; round < 100000; round++) {
        size_t len = random_below(&r, (uint32_t)strlen(text) + 1);
        AUTO_FREE char *copy = malloc(len ? len : 1);
        AUTO_STRBUF out = STRBUF_INIT;
        assert_non_null(copy);
        memcpy(copy, text, len);
        for (uint32_t n = random_below(&r, 4); n > 0 && len > 0; n--)
            copy[random_below(&r, (uint32_t)len)] = (char)random_below(&r, 256);
        struct json_slice d = json_member(copy, len, "d");
        AUTO_FREE char *unescaped = malloc(d.len + 1);
        assert_non_null(unescaped);
        if (d.len > 2)
            json_unescape(unescaped, d.ptr + 1, d.len - 2);
        json_minify(&out, copy, len);
        json_tidy(&out, copy, len);
        json_add_value(&out, copy, len);
        int64_t number;
        struct json_slice e = json_member(copy, len, "e");
        if (e.ptr)
            json_integer(e, &number);
    }
}

TEST(minifying_does_not_change_strings)
{
    const char *text = "\t{ \"a b\" : [ 1 , 2 ] ,\r\n \"c\\\" \" : \" \\\\\" , \"d\": 1.00 } \n";
    AUTO_STRBUF out = STRBUF_INIT;
    json_minify(&out, text, strlen(text));
    assert_string_equal(out.buf, "{\"a b\":[1,2],\"c\\\" \":\" \\\\\",\"d\":1.00}");
}

TEST(tidying_removes_needless_escapes)
{
    static const char *const rows[][2] = {
        {"{ \"\\u540d\\u524d\" : \"\\u8a18 \\ud83d\\ude00 na\\u00efve\" }",
         "{\"名前\":\"記 😀 naïve\"}"},
        {"\"\\u0041\\u005A \\/ \\u002f\"", "\"AZ / /\""},
        {"\"\\u0022 \\u005c \\\" \\\\\"", "\"\\\" \\\\ \\\" \\\\\""},
        {"\"\\u000a\\n \\u0009 \\u0000 \\u001F\"", "\"\\n\\n \\t \\u0000 \\u001f\""},
        {"\"\\u007F \\u0080 \\u009f \\u00a0\"", "\"\\u007f \\u0080 \\u009f \xc2\xa0\""},
        {"\"\\ud83d \\uDE00 \\ud83d\\u0041\"", "\"\\ud83d \\ude00 \\ud83dA\""},
        {"\"\\\\u0041 \\\\\\u0041\"", "\"\\\\u0041 \\\\A\""},
        {"\"\\u202e\\u2028\"", "\"\xe2\x80\xae\xe2\x80\xa8\""},
        {"[ 1e400 , 123456789012345678901234567890.50, \"ü\\b\" ]",
         "[1e400,123456789012345678901234567890.50,\"ü\\b\"]"},
        {"\"\\u00", "\"\\u00"},
        {"\"\\", "\"\\"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        AUTO_STRBUF once = STRBUF_INIT, twice = STRBUF_INIT;
        json_tidy(&once, rows[i][0], strlen(rows[i][0]));
        assert_string_equal(once.buf, rows[i][1]);
        json_tidy(&twice, once.buf, once.len);
        assert_string_equal(twice.buf, once.buf);
    }
}

TEST(escapes_are_resolved)
{
    char out[64];
    const char *text = "a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u0000\\ud83d\\ude00\\ud800z";
    size_t len = json_unescape(out, text, strlen(text));
    const char expected[] = "a\"\\/\b\f\n\r\t\xc3\xa9\0\xf0\x9f\x98\x80\xed\xa0\x80z";
    assert_int_equal(len, sizeof(expected) - 1);
    assert_memory_equal(out, expected, len);
}

static int64_t whole(const char *text, int *bad)
{
    int64_t value = 0;
    *bad = json_integer((struct json_slice){text, strlen(text)}, &value);
    return value;
}

TEST(whole_numbers_keep_every_digit)
{
    int bad;
    assert_int_equal(whole("9223372036854775807", &bad), INT64_MAX);
    assert_int_equal(bad, 0);
    assert_int_equal(whole("-9223372036854775808", &bad), INT64_MIN);
    assert_int_equal(bad, 0);
    assert_int_equal(whole("9007199254740993", &bad), INT64_C(9007199254740993));
    assert_int_equal(whole("2.0", &bad), 2);
    assert_int_equal(bad, 0);
    assert_int_equal(whole("1e3", &bad), 1000);
    assert_int_equal(bad, 0);
    assert_int_equal(whole("-1678886400000.000", &bad), -INT64_C(1678886400000));
    assert_int_equal(bad, 0);
    assert_int_equal(whole("1.50e1", &bad), 15);
    assert_int_equal(bad, 0);
    assert_int_equal(whole("1500e-2", &bad), 15);
    assert_int_equal(bad, 0);
    assert_int_equal(whole("0.0e-400", &bad), 0);
    assert_int_equal(bad, 0);
    assert_int_equal(whole("0e99999999999999999999999", &bad), 0);
    assert_int_equal(bad, 0);
    static const char *const no[] = {
        "9223372036854775808",
        "-9223372036854775809",
        "1.5",
        "15e-1",
        "1678886400000.00000000001",
        "9007199254740991.4",
        "-1.00000000000000000000000000000000000000001",
        "1e-400",
        "1e-99999999999999999999999",
        "\"1\"",
        "null",
        "1e300",
        "1e\x80\xff\xff\xff\xff\xff", /* a fuzzer's: bytes, not digits */
        "1e-\xff\xff\xff\xff\xff\xff",
        "",
        "true",
        "99999999999999999999999"};
    for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++) {
        whole(no[i], &bad);
        assert_int_equal(bad, -1);
    }
}

static void expect_double(double value, const char *expected)
{
    AUTO_STRBUF out = STRBUF_INIT;
    json_add_double(&out, value);
    assert_string_equal(out.buf, expected);
}

TEST(doubles_are_written_as_short_as_possible)
{
    expect_double(0, "0");
    expect_double(-0.0, "-0");
    expect_double(1, "1");
    expect_double(0.8, "0.8");
    expect_double(0.1 + 0.2, "0.30000000000000004");
    expect_double(0.713181, "0.713181");
    expect_double(1e300, "1e300");
    expect_double(5e-324, "5e-324");
    expect_double(4e-7, "4e-7");
    expect_double(1e15, "1000000000000000");
    expect_double(9007199254740991.0, "9007199254740991");
    expect_double(1.7976931348623157e308, "1.7976931348623157e308");
    expect_double(-2.5, "-2.5");
    expect_double(NAN, "null");
    expect_double(-INFINITY, "null");
}

static double read_back(const char *text)
{
    double value = NAN;
    assert_int_equal(check(text), 0);
    assert_int_equal(json_double((struct json_slice){text, strlen(text)}, &value), 0);
    return value;
}

static size_t digits_in(const char *text)
{
    size_t count = 0;
    for (; *text && *text != 'e'; text++)
        count += (*text >= '1' && *text <= '9') || (*text == '0' && count > 0);
    return count;
}

/* No text with fewer digits gives the same double. */
static void expect_shortest(double value, const char *text)
{
    char shorter[64];
    size_t digits = digits_in(text);
    if (digits < 2 || !strpbrk(text, ".e"))
        return; /* whole numbers are written in full */
    snprintf(shorter, sizeof(shorter), "%.*e", (int)digits - 2, value);
    assert_true(strtod(shorter, NULL) != value);
}

TEST(doubles_survive_a_round_trip)
{
    struct random r = {42};
    AUTO_STRBUF out = STRBUF_INIT;
    for (int round = 0; round < 100000; round++) {
        uint64_t bits = random_next(&r);
        double value;
        memcpy(&value, &bits, sizeof(value));
        if (round % 2) /* like confidences and scores */
            value = (double)random_below(&r, 1000001) / (round % 4 == 1 ? 1e6 : 333.0);
        if (!isfinite(value))
            continue;
        strbuf_clear(&out);
        json_add_double(&out, value);
        double back = read_back(out.buf);
        assert_memory_equal(&back, &value, sizeof(value));
        assert_true(strtod(out.buf, NULL) == value);
        expect_shortest(value, out.buf);
    }
}

TEST(reading_doubles_rounds_like_strtod)
{
    struct random r = {43};
    char text[64];
    for (int round = 0; round < 100000; round++) {
        int len = snprintf(text, sizeof(text), "%s%u", random_chance(&r, 20) ? "-" : "",
                           random_below(&r, 1000000));
        if (random_chance(&r, 80))
            len += snprintf(text + len, sizeof(text) - (size_t)len, ".%0*u",
                            1 + (int)random_below(&r, 12), random_below(&r, 100000000));
        if (random_chance(&r, 20))
            snprintf(text + len, sizeof(text) - (size_t)len, "e%d", (int)random_below(&r, 40) - 20);
        double back = read_back(text), expected = strtod(text, NULL);
        assert_memory_equal(&back, &expected, sizeof(back));
    }
}

TEST(harmful_text_is_escaped)
{
    AUTO_STRBUF out = STRBUF_INIT;
    json_add_string(&out,
                    "\"\\/\b\f\n\r\t\x1b\x7f\xc2\x9b\xe2\x80\xae\xe2\x81\xa9\xd8\x9c\xef\xbb\xbf"
                    "\xf3\xa0\x81\x81\xff\xe2\x82\xc3\xa9\xf0\x9f\x98\x80");
    assert_string_equal(
        out.buf, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u001b\\u007f\\u009b\\u202e\\u2069\\u061c\\ufeff"
                 "\\udb40\\udc41\\ufffd\\ufffd\\ufffd\xc3\xa9\xf0\x9f\x98\x80\"");
    strbuf_clear(&out);
    json_add_string_len(&out, "a\0b", 3);
    assert_string_equal(out.buf, "\"a\\u0000b\"");
    strbuf_clear(&out);
    json_add_string(&out, NULL);
    assert_string_equal(out.buf, "null");
    strbuf_clear(&out);
    json_add_ascii(&out, "\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80/\x7f\n");
    assert_string_equal(out.buf, "\"\\u00e9\\u6f22\\ud83d\\ude00/\\u007f\\n\"");
    strbuf_clear(&out);
    const char *raw = "{\"\xe2\x80\xae\":\"\x7f\xc2\x85 \xc3\xa9\\u202e\"}";
    json_add_value(&out, raw, strlen(raw));
    assert_string_equal(out.buf, "{\"\\u202e\":\"\\u007f\\u0085 \xc3\xa9\\u202e\"}");
}

TEST(any_text_survives_a_round_trip)
{
    struct random r = {17};
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF out = STRBUF_INIT;
    for (int round = 0; round < 20000; round++) {
        arena_clear(&arena);
        strbuf_clear(&out);
        const char *text = random_text(&r, &arena, 12);
        if (round % 2)
            json_add_ascii(&out, text);
        else
            json_add_string(&out, text);
        assert_int_equal(check(out.buf), 0);
        AUTO_FREE char *back = malloc(out.len);
        assert_non_null(back);
        size_t len = json_unescape(back, out.buf + 1, out.len - 2);
        assert_int_equal(len, strlen(text));
        assert_memory_equal(back, text, len);
        strbuf_clear(&out);
        random_bytes(&r, &out, 30); /* invalid bytes give valid JSON too */
        AUTO_STRBUF json = STRBUF_INIT;
        json_add_string_len(&json, out.buf, out.len);
        assert_int_equal(check(json.buf), 0);
    }
}

TEST(objects_have_commas)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    json_key(&o, "a");
    json_add_int(&out, INT64_MIN);
    json_key(&o, "b");
    struct json_object list = json_begin(&out, '[');
    json_item(&list);
    json_add_int(&out, 0);
    json_item(&list);
    json_add_int(&out, INT64_MAX);
    json_end(&list);
    json_end(&o);
    assert_string_equal(out.buf, "{\"a\":-9223372036854775808,\"b\":[0,9223372036854775807]}");
}

/* All texts of a few relevant bytes, with or without a closing quote. */
TEST(a_string_ends_at_the_first_unescaped_quote)
{
    static const char bytes[] = {'\\', '"', 'a', (char)0xc3};
    for (int each = 0; each < 4 * 4 * 4 * 4 * 4 * 4; each++) {
        char text[8] = {'"'};
        size_t len = 1, end = 0;
        for (int left = each; len < 7; left /= 4)
            text[len++] = bytes[left % 4];
        for (size_t i = 1; i < len && !end; i += text[i] == '\\' ? 2 : 1)
            end = text[i] == '"' ? i + 1 : 0;
        assert_int_equal(json_skip_string(text, text + len) - text, end ? end : len);
    }
}
