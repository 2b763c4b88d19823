/* UTF-8: all code points, invalid sequences, and repair. */
#include "model/base/utf8.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

TEST(every_code_point_survives_a_round_trip)
{
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        char bytes[4];
        uint32_t back = 0;
        int len = utf8_encode(c, bytes);
        bool surrogate = c >= 0xd800 && c <= 0xdfff;
        assert_int_equal(len, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        assert_int_equal(utf8_decode(bytes, (size_t)len, &back), len);
        assert_int_equal(back, surrogate ? 0xfffd : c);
        for (int cut = 1; cut < len; cut++)
            assert_int_equal(utf8_decode(bytes, (size_t)cut, &back), 0);
        assert_int_equal(utf8_valid(bytes, (size_t)len), c != 0);
    }
    char bytes[4];
    assert_int_equal(utf8_encode(0x110000, bytes), 3);
    assert_memory_equal(bytes, "\xef\xbf\xbd", 3);
}

/* Decodes by the definition: the shortest form of a code point that is not a surrogate. */
static int slow_decode(const unsigned char *s, size_t len)
{
    for (uint32_t n = 1; n <= 4 && n <= len; n++) {
        char bytes[4];
        uint32_t c = n == 1   ? s[0]
                     : n == 2 ? (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu)
                     : n == 3 ? (s[0] & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu)
                              : (s[0] & 7u) << 18 | (s[1] & 0x3fu) << 12 | (s[2] & 0x3fu) << 6 |
                                    (s[3] & 0x3fu);
        if ((uint32_t)utf8_encode(c, bytes) == n && memcmp(bytes, s, n) == 0)
            return (int)n;
    }
    return 0;
}

TEST(other_byte_sequences_are_invalid)
{
    unsigned char s[4];
    for (uint32_t lead = 0; lead < 256; lead++)
        for (uint32_t second = 0; second < 256; second++) {
            static const unsigned char more[] = {0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff};
            for (size_t i = 0; i < 36; i++) {
                uint32_t c;
                s[0] = (unsigned char)lead;
                s[1] = (unsigned char)second;
                s[2] = more[i / 6];
                s[3] = more[i % 6];
                assert_int_equal(utf8_decode((char *)s, 4, &c), slow_decode(s, 4));
            }
        }
}

static bool slow_valid(const char *s, size_t len)
{
    for (size_t i = 0; i < len;) {
        int n = slow_decode((const unsigned char *)s + i, len - i);
        if (n == 0 || s[i] == '\0')
            return false;
        i += (size_t)n;
    }
    return true;
}

TEST(random_bytes_are_validated_and_repaired)
{
    struct random r = {12};
    AUTO_STRBUF bytes = STRBUF_INIT, out = STRBUF_INIT;
    size_t valid = 0;
    for (int round = 0; round < 50000; round++) {
        strbuf_clear(&bytes);
        strbuf_clear(&out);
        random_bytes(&r, &bytes, round % 4 ? 3 : 40);
        bool good = utf8_valid(bytes.buf, bytes.len);
        assert_int_equal(good, slow_valid(bytes.buf, bytes.len));
        size_t replaced = utf8_repair(&out, bytes.buf, bytes.len);
        assert_int_equal(replaced == 0, good);
        assert_int_equal(out.len, bytes.len + 2 * replaced);
        assert_true(utf8_valid(out.buf, out.len));
        assert_int_equal(strlen(out.buf), out.len);
        if (good)
            assert_memory_equal(out.buf, bytes.buf, bytes.len);
        valid += good;
    }
    assert_true(valid > 5000 && valid < 45000);
}

TEST(each_invalid_byte_is_replaced)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *repaired;
    } cases[] = {
        {"", 0, ""},
        {"ab", 2, "ab"},
        {"a\0b", 3,
         "a\xef\xbf\xbd"
         "b"},
        {"\xe2\x82", 2, "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xe2\x82\xacx\xff", 5, "\xe2\x82\xacx\xef\xbf\xbd"},
        {"\xed\xa0\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf0\x9f\x98", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc3(", 2, "\xef\xbf\xbd("},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        AUTO_STRBUF out = STRBUF_INIT;
        utf8_repair(&out, cases[i].bytes, cases[i].len);
        assert_string_equal(out.buf, cases[i].repaired);
    }
}

TEST(code_points_are_counted)
{
    const char *text = "a\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80z";
    static const size_t prefix[] = {0, 1, 3, 6, 10, 11, 11, 11};
    assert_int_equal(utf8_count(text), 5);
    assert_int_equal(utf8_count(""), 0);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(utf8_prefix(text, i), prefix[i]);
    assert_int_equal(utf8_prefix(text, SIZE_MAX), 11);
}

TEST(fitting_cuts_no_character)
{
    const char *text = "a\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80z";
    static const size_t fit[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t most = 0; most < sizeof(fit) / sizeof(*fit); most++)
        assert_int_equal(utf8_fit(text, 11, most), fit[most]);
    assert_int_equal(utf8_fit(text, 11, SIZE_MAX), 11);
    assert_int_equal(utf8_fit(text, 6, 5), 3);
    assert_int_equal(utf8_fit("", 0, 8), 0);
}

/* Texts of all lengths and alignments, some with long runs of ASCII. */
TEST(long_texts_are_counted_like_short_ones)
{
    struct random rnd = {7};
    for (int round = 0; round < 2000; round++) {
        AUTO_STRBUF text = STRBUF_INIT, folded = STRBUF_INIT, one = STRBUF_INIT;
        size_t count = random_below(&rnd, 60), rare = 1 + random_below(&rnd, 12);
        for (size_t i = 0; i < count; i++) {
            static const uint32_t others[] = {0xe9, 0x412, 0x6f22, 0x1f600, 0x3a3};
            bool other = random_below(&rnd, (uint32_t)rare) == 0;
            uint32_t c = other ? others[random_below(&rnd, 5)] : 1 + random_below(&rnd, 0x7f);
            char bytes[4];
            assert_int_equal(utf8_prefix(text.buf, i), text.len);
            strbuf_add(&text, bytes, (size_t)utf8_encode(c, bytes));
            strbuf_add(&one, bytes, (size_t)utf8_encode(fold_code_point(c), bytes));
            assert_int_equal(utf8_count_in(text.buf, text.len), i + 1);
        }
        for (size_t i = 0, at = 0; i < count; i++, at += utf8_prefix(text.buf + at, 1))
            assert_int_equal(utf8_prefix(text.buf, i), at);
        fold_text(&folded, text.buf, text.len);
        assert_string_equal(folded.buf, one.buf);
        assert_int_equal(utf8_count(text.buf), count);
    }
}

TEST(harmful_characters_are_known)
{
    size_t controls = 0, bidi = 0;
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        controls += utf8_is_control(c);
        bidi += utf8_is_bidi(c);
    }
    assert_int_equal(controls, 32 + 1 + 32);
    assert_int_equal(bidi, 1 + 2 + 7 + 4 + 1 + 128);
    static const uint32_t harm[] = {0x61c,  0x200e, 0x200f, 0x2028, 0x2029,  0x202a,
                                    0x202e, 0x2066, 0x2069, 0xfeff, 0xe0000, 0xe007f};
    for (size_t i = 0; i < sizeof(harm) / sizeof(*harm); i++)
        assert_true(utf8_is_bidi(harm[i]));
    assert_true(utf8_is_control('\n') && utf8_is_control(0x7f) && utf8_is_control(0x9b));
    assert_false(utf8_is_control(' ') || utf8_is_control(0xa0) || utf8_is_control(0xad));
}

TEST(invisible_characters_are_known)
{
    static const char *const blank[] = {"",
                                        " ",
                                        "\t\n",
                                        "\xe2\x80\x83",
                                        "\xe2\x80\x8b",
                                        "\xc2\xad",
                                        "\xe3\x85\xa4",
                                        "\xe2\x81\xa0",
                                        "\xe2\xa0\x80",
                                        " \xe2\x80\x8b\xc2\xa0\xef\xbe\xa0"};
    static const char *const seen[] = {"a", " a ", "\xe2\x80\x8b.", "\xff", "\xef\xbf\xbd", "\033"};
    for (size_t i = 0; i < sizeof(blank) / sizeof(*blank); i++)
        assert_true(utf8_is_blank(blank[i]));
    for (size_t i = 0; i < sizeof(seen) / sizeof(*seen); i++)
        assert_false(utf8_is_blank(seen[i]));
    assert_true(utf8_is_blank(NULL));
}
