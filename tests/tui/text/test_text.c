#include <wchar.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "tests/support/test.h"
#include "tui/text/text.h"

#define BAD     "\xef\xbf\xbd"
#define DOTS    "\xe2\x80\xa6"
#define MARK    "\xcc\x81"     /* U+0301 */
#define WIDE    "\xe6\x97\xa5" /* two columns */
#define MILLION ((size_t)1000 * 1000)

/* ---- properties of all output ---- */

/* The text is valid and harmless, and has the given width when measured again. */
static void assert_clean(const char *s, size_t len, unsigned flags, size_t width)
{
    size_t measured = 0;
    assert_int_equal(strlen(s), len);
    for (size_t at = 0; at < len;) {
        uint32_t code;
        int n = utf8_decode(s + at, len - at, &code);
        assert_int_not_equal(n, 0);
        if (code == '\n') {
            assert_true(flags & TEXT_LINES);
        } else {
            assert_false(utf8_is_control(code));
            assert_false(utf8_is_bidi(code));
            assert_true(wcwidth((wchar_t)code) >= 0);
            measured += (size_t)wcwidth((wchar_t)code);
        }
        if (flags & TEXT_ASCII)
            assert_true(code < 0x80);
        at += (size_t)n;
    }
    if (width != SIZE_MAX)
        assert_int_equal(measured, width);
}

static void assert_cleaned(const char *in, size_t len, unsigned flags, const char *want)
{
    AUTO_STRBUF out = STRBUF_INIT;
    text_clean(&out, in, len, flags);
    assert_string_equal(out.buf, want);
    size_t width = flags & TEXT_LINES ? SIZE_MAX : text_width(in, len, SIZE_MAX - 1, flags);
    assert_clean(out.buf, out.len, flags, width);
}

#define CLEANED(in, flags, want) assert_cleaned(in, sizeof(in) - 1, flags, want)

static void assert_fits(const char *in, size_t columns, unsigned flags, const char *want,
                        size_t want_width)
{
    AUTO_STRBUF out = STRBUF_INIT;
    size_t width = text_fit(&out, in, strlen(in), columns, flags);
    assert_string_equal(out.buf, want);
    assert_int_equal(width, want_width);
    assert_clean(out.buf, out.len, flags, width);
}

/* Joins the wrapped lines with '|'. */
static void assert_wraps(const char *in, size_t columns, unsigned flags, const char *want)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF got = STRBUF_INIT;
    struct text_line *lines;
    size_t count = text_wrap(&arena, in, strlen(in), columns, SIZE_MAX, flags, &lines);
    for (size_t i = 0; i < count; i++) {
        assert_true(lines[i].width <= columns);
        assert_int_equal(lines[i].from, i ? lines[i - 1].to : 0);
        assert_clean(lines[i].text, lines[i].len, flags, lines[i].width);
        strbuf_addf(&got, "%s%s", i ? "|" : "", lines[i].text);
    }
    if (count > 0)
        assert_int_equal(lines[count - 1].to, strlen(in));
    assert_string_equal(got.buf, want);
}

/* ---- replacing characters ---- */

TEST(controls_are_replaced)
{
    CLEANED("plain", 0, "plain");
    CLEANED("\033[31mred\033[0m", 0, BAD "[31mred" BAD "[0m");
    CLEANED("\033]0;title\007x", TEXT_ASCII, "?]0;title?x");
    CLEANED("a\x7f"
            "b\0c\rd",
            0, "a" BAD "b" BAD "c" BAD "d");
    CLEANED("\xc2\x9b"
            "31m",
            0, BAD "31m");                /* CSI as a C1 control */
    CLEANED("\xc2\x85", TEXT_LINES, BAD); /* NEL does not end a line here */
}

TEST(bidi_controls_are_replaced)
{
    CLEANED("a\xe2\x80\xae"
            "b\xe2\x80\xac",
            0, "a" BAD "b" BAD);
    CLEANED("\xe2\x81\xa6x\xe2\x81\xa9", TEXT_ASCII, "?x?");
    CLEANED("\xd8\x9c\xef\xbb\xbf\xe2\x80\xa8", 0, BAD BAD BAD);
    CLEANED("\xf3\xa0\x81\x81", 0, BAD); /* a tag character, used to smuggle text */
}

TEST(each_broken_byte_is_replaced)
{
    CLEANED("\xff", 0, BAD);
    CLEANED("a\xc3", 0, "a" BAD);
    CLEANED("\xc0\xaf", 0, BAD BAD);         /* overlong */
    CLEANED("\xed\xa0\x80", 0, BAD BAD BAD); /* a surrogate */
    CLEANED("\xf4\x90\x80\x80", 0, BAD BAD BAD BAD);
    CLEANED("\xe6\x97"
            "x",
            TEXT_ASCII, "??x");
}

TEST(line_breaks_and_tabs)
{
    CLEANED("a\nb\tc\r\nd", 0, "a b c d");
    CLEANED("a\nb\r\nc", TEXT_LINES, "a\nb\nc");
    CLEANED("a\tb\n\tc", TEXT_LINES, "a       b\n        c");
    CLEANED("12345678\tb", TEXT_LINES, "12345678        b");
    CLEANED("a\nb\tc", TEXT_EXACT, "a" BAD "b" BAD "c");
}

TEST(marks_stay_with_their_base)
{
    CLEANED("e" MARK "x", 0, "e" MARK "x");
    CLEANED("e" MARK MARK MARK MARK, 0, "e" MARK MARK MARK MARK);
    CLEANED("e" MARK MARK MARK MARK MARK MARK "x", 0, "e" MARK MARK MARK MARK "x");
    CLEANED(MARK "x", 0, "\xe2\x97\x8c" MARK "x"); /* no base character before it */
    CLEANED("\033" MARK, 0, BAD "\xe2\x97\x8c" MARK);
    CLEANED("e" MARK, TEXT_ASCII, "e");
}

TEST(joiners_selectors_and_skin_tones_are_dropped)
{
    /* A woman with a skin tone, joined to a laptop; a heart with its selector. */
    CLEANED("\xf0\x9f\x91\xa9\xf0\x9f\x8f\xbd\xe2\x80\x8d\xf0\x9f\x92\xbb", 0,
            "\xf0\x9f\x91\xa9\xf0\x9f\x92\xbb");
    CLEANED("\xe2\x9d\xa4\xef\xb8\x8f", 0, "\xe2\x9d\xa4");
    CLEANED("pass\xe2\x80\x8bword", 0, "password");
    CLEANED("so\xc2\xad"
            "ft",
            0, "soft");
    assert_int_equal(text_width("\xe2\x80\x8d", 3, 9, 0), 0);
}

#define ZWSP     "\xe2\x80\x8b"
#define JOINER   "\xe2\x80\x8d"
#define SELECTOR "\xef\xb8\x8f"
#define TONE     "\xf0\x9f\x8f\xbd"
#define WOMAN    "\xf0\x9f\x91\xa9"
#define ROCKET   "\xf0\x9f\x9a\x80"

/* Hidden characters in a name are shown, since names may differ only by them. */
TEST(hidden_characters_in_a_name_are_shown)
{
    static const char *const hidden[] = {
        ZWSP,           JOINER,         "\xe2\x80\x8c",     "\xe2\x81\xa0", "\xc2\xad",
        "\xcd\x8f",     "\xe1\xa0\x8e", "\xe3\x85\xa4",     "\xe1\x85\xa0", "\xef\xbe\xa0",
        "\xe1\x9e\xb4", SELECTOR,       "\xf3\xa0\x84\x80", "\xe2\x81\xa4", TONE,
    };
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
        char name[3][32];
        size_t len = strlen(hidden[i]);
        snprintf(name[0], sizeof(name[0]), "%sash", hidden[i]);
        snprintf(name[1], sizeof(name[1]), "a%ssh", hidden[i]);
        snprintf(name[2], sizeof(name[2]), "ash%s%s", hidden[i], hidden[i]);
        assert_cleaned(name[0], len + 3, TEXT_EXACT, BAD "ash");
        assert_cleaned(name[1], len + 3, TEXT_EXACT, "a" BAD "sh");
        assert_cleaned(name[2], 2 * len + 3, TEXT_EXACT, "ash" BAD BAD);
        assert_cleaned(name[1], len + 3, TEXT_EXACT | TEXT_ASCII, "a?sh");
        assert_cleaned(name[1], len + 3, 0, "ash"); /* harmless in a text */
    }
    assert_fits("a" ZWSP "sh", 3, TEXT_EXACT, "a" BAD "\xe2\x80\xa6", 3);
}

TEST(parts_of_an_emoji_are_not_hidden_characters)
{
    CLEANED(WOMAN JOINER ROCKET, TEXT_EXACT, WOMAN ROCKET);
    CLEANED(WOMAN TONE JOINER ROCKET SELECTOR "x", TEXT_EXACT, WOMAN ROCKET "x");
    CLEANED("1" SELECTOR "\xe2\x83\xa3", TEXT_EXACT, "1\xe2\x83\xa3");
    CLEANED("1" SELECTOR, TEXT_EXACT, "1" BAD);
    CLEANED(WOMAN JOINER "x", TEXT_EXACT, WOMAN BAD "x");
    CLEANED(WOMAN JOINER JOINER ROCKET, TEXT_EXACT, WOMAN BAD BAD ROCKET);
    CLEANED(WOMAN SELECTOR SELECTOR, TEXT_EXACT, WOMAN BAD);
    CLEANED(WOMAN TONE TONE, TEXT_EXACT, WOMAN BAD);
    CLEANED(WOMAN ZWSP ROCKET, TEXT_EXACT, WOMAN BAD ROCKET);
}

TEST(a_name_of_spaces_is_quoted)
{
    CLEANED(" ", TEXT_EXACT, "\" \"");
    CLEANED("\xe2\x80\x83 \xe2\xa0\x80", TEXT_EXACT, "\"\xe2\x80\x83 \xe2\xa0\x80\"");
    CLEANED("\n", TEXT_EXACT, BAD);
    CLEANED(" x", TEXT_EXACT, " x");
    CLEANED("", TEXT_EXACT, "");
    CLEANED("  ", 0, "  ");
    assert_fits(" ", 6, TEXT_EXACT | TEXT_PAD, "\" \"   ", 6);
    assert_fits("   ", 3, TEXT_EXACT, "\" \xe2\x80\xa6", 3);
}

TEST(many_invisible_characters_are_shown)
{
    AUTO_STRBUF in = STRBUF_INIT, out = STRBUF_INIT;
    strbuf_addstr(&in, "x");
    for (int i = 0; i < 1000; i++)
        strbuf_addstr(&in, "\xe2\x80\x8b");
    size_t removed = text_clean(&out, in.buf, in.len, 0);
    assert_true(removed >= 1000);
    assert_true(strlen(out.buf) > 1 && strstr(out.buf, BAD) != NULL);
}

TEST(ascii_has_substitutes)
{
    CLEANED("\xe2\x80\x9cit\xe2\x80\x99s\xe2\x80\x9d \xe2\x86\x92 \xe2\x80\xa6", TEXT_ASCII,
            "\"it's\" -> ...");
    CLEANED(WIDE "x", TEXT_ASCII, "?x");
}

TEST(removed_characters_are_counted)
{
    struct text_removed removed;
    AUTO_STRBUF out = STRBUF_INIT;
    const char *s = "\033[m\007\xe2\x80\xae\xff\xe2\x80\x8b"
                    "e" MARK MARK MARK MARK MARK "\t\n";
    text_examine(&removed, s, strlen(s));
    assert_int_equal(removed.controls, 2);
    assert_int_equal(removed.bidi, 1);
    assert_int_equal(removed.broken, 1);
    assert_int_equal(removed.invisible, 1);
    assert_int_equal(removed.marks, 1);
    assert_int_equal(text_removed_total(&removed), 6);
    text_removed_describe(&out, &removed);
    assert_string_equal(out.buf, "2 control characters, 1 bidi control, 1 broken byte, "
                                 "1 invisible character, 1 combining mark too many");
    text_examine(&removed, "a b", 3);
    strbuf_clear(&out);
    text_removed_describe(&out, &removed);
    assert_string_equal(out.buf, "");
}

/* ---- fitting ---- */

TEST(fitting_cuts_with_an_ellipsis)
{
    assert_fits("hello", 5, 0, "hello", 5);
    assert_fits("hello!", 5, 0, "hell" DOTS, 5);
    assert_fits("hello!", 5, TEXT_ASCII, "hell~", 5);
    assert_fits("hello", 1, 0, DOTS, 1);
    assert_fits("hello", 0, 0, "", 0);
    assert_fits("", 3, 0, "", 0);
}

TEST(fitting_never_splits_a_wide_character)
{
    assert_fits(WIDE WIDE WIDE, 6, 0, WIDE WIDE WIDE, 6);
    assert_fits(WIDE WIDE WIDE, 5, 0, WIDE WIDE DOTS, 5);
    assert_fits(WIDE WIDE WIDE, 4, 0, WIDE DOTS, 3);
    assert_fits(WIDE WIDE WIDE, 4, TEXT_PAD, WIDE DOTS " ", 4);
    assert_fits(WIDE WIDE WIDE, 4, TEXT_RIGHT, " " WIDE DOTS, 4);
    assert_fits(WIDE, 1, 0, DOTS, 1);
    assert_fits("e" MARK "f" MARK "g" MARK, 2, 0, "e" MARK DOTS, 2);
}

TEST(fitting_pads)
{
    AUTO_STRBUF out = STRBUF_INIT;
    assert_fits("ab", 5, TEXT_PAD, "ab   ", 5);
    assert_fits("ab", 5, TEXT_RIGHT, "   ab", 5);
    assert_fits("", 2, TEXT_PAD, "  ", 2);
    /* Padding on the left comes before the text, not before earlier output. */
    strbuf_addstr(&out, "x");
    text_fit(&out, "ab", 2, 4, TEXT_RIGHT);
    assert_string_equal(out.buf, "x  ab");
}

/* ---- wrapping ---- */

TEST(wrapping_breaks_at_spaces)
{
    assert_wraps("the quick brown fox", 10, 0, "the quick|brown fox");
    assert_wraps("the quick brown fox", 9, 0, "the quick|brown fox");
    assert_wraps("ab   cd", 3, 0, "ab|cd");
    assert_wraps("abc\n\n  de", 9, 0, "abc||  de");
    assert_wraps("abcdefgh ij", 4, 0, "abcd|efgh|ij");
    assert_wraps("x abcdefgh", 4, 0, "x|abcd|efgh");
    assert_wraps("abc   \ndef", 3, 0, "abc|def");
    assert_wraps("abc\n", 9, 0, "abc");
    assert_wraps("\n", 9, 0, "");
    assert_wraps("", 9, 0, "");
}

TEST(wrapping_breaks_cjk_anywhere)
{
    assert_wraps(WIDE WIDE WIDE, 4, 0, WIDE WIDE "|" WIDE);
    assert_wraps(WIDE WIDE WIDE, 5, 0, WIDE WIDE "|" WIDE);
    assert_wraps("ab" WIDE "cdef", 5, 0, "ab" WIDE "|cdef");
    /* A full stop does not begin a line. */
    assert_wraps(WIDE WIDE "\xe3\x80\x82" WIDE, 4, 0, WIDE "|" WIDE "\xe3\x80\x82|" WIDE);
    assert_wraps(WIDE WIDE, 1, 0, "?|?");
}

TEST(wrapping_stops_at_the_requested_lines)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines;
    assert_int_equal(text_wrap(&arena, "a b c d", 7, 1, 2, 0, &lines), 2);
    assert_int_equal(lines[1].to, 4);
    assert_int_equal(text_wrap(&arena, "a b c d", 7, 1, 0, 0, &lines), 0);
}

/* Of a megabyte only the shown part is read. The test counts cells, not time. */
TEST(a_megabyte_without_a_space_costs_what_it_shows)
{
    AUTO_FREE char *big = malloc(MILLION);
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines;
    AUTO_STRBUF out = STRBUF_INIT;
    memset(big, 'x', MILLION);
    assert_int_equal(text_wrap(&arena, big, MILLION, 80, 5, 0, &lines), 5);
    assert_int_equal(lines[4].to, 400);
    assert_true(arena.used < 10000);
    assert_int_equal(text_fit(&out, big, MILLION, 80, 0), 80);
    assert_int_equal(text_width(big, MILLION, 80, 0), 81);
    /* The rest may be anything, since it is not read. */
    memset(big + 500, '\xff', MILLION - 500);
    assert_int_equal(text_wrap(&arena, big, MILLION, 80, 5, 0, &lines), 5);
    assert_string_equal(lines[4].text, lines[0].text);
}

/* Marks and invisible characters have no width, so their number is bounded for each cell. */
TEST(a_megabyte_of_marks_is_bounded)
{
    AUTO_STRBUF in = STRBUF_INIT;
    struct text_scan scan;
    struct text_cell cell;
    strbuf_addstr(&in, "e");
    while (in.len < MILLION)
        strbuf_addstr(&in, MARK);
    text_scan_init(&scan, in.buf, in.len, 0);
    for (int i = 0; i < 80; i++)
        assert_true(text_next(&scan, &cell));
    assert_true(scan.pos < 80 * 2 * (TEXT_MARKS + TEXT_UNSEEN + 2));
}

/* ---- random input ---- */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Meaningful pieces and random bytes. */
static void random_text(struct strbuf *out, uint32_t *seed)
{
    static const char *const pieces[] = {
        "\033[",
        "\xc2\x9b",
        "\xe2\x80\xae",
        "\xe2\x80\x8d",
        "\xef\xb8\x8f",
        MARK,
        WIDE,
        "\n",
        "\r\n",
        "\t",
        " ",
        "word",
        "\xf0\x9f\x91\xa9",
        "\xf0\x9f\x8f\xbd",
        "\xe3\x80\x82",
        "\x7f",
        "\xc3",
        "\xf3\xa0\x81\x81",
        "\xe1\x84\x80\xe1\x85\xa1",
        "\xef\xbb\xbf",
        "\xe2\x80\x8b",
    };
    size_t count = next_random(seed) % 40;
    for (size_t i = 0; i < count; i++) {
        uint32_t pick = next_random(seed) % 32;
        if (pick < sizeof(pieces) / sizeof(pieces[0]))
            strbuf_addstr(out, pieces[pick]);
        else
            strbuf_addch(out, (char)next_random(seed));
    }
}

static void check_random(const struct strbuf *in, uint32_t *seed)
{
    unsigned flags = next_random(seed) % 32;
    size_t columns = next_random(seed) % 12;
    AUTO_STRBUF out = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct text_line *lines;
    text_clean(&out, in->buf, in->len, flags);
    assert_clean(out.buf, out.len, flags, SIZE_MAX);
    strbuf_clear(&out);
    size_t width = text_fit(&out, in->buf, in->len, columns, flags);
    assert_true(width <= columns);
    assert_clean(out.buf, out.len, flags & ~(unsigned)TEXT_LINES, width);
    size_t room = columns ? columns : 1, from = 0;
    size_t count = text_wrap(&arena, in->buf, in->len, room, SIZE_MAX, flags, &lines);
    for (size_t i = 0; i < count; i++) {
        assert_true(lines[i].width <= room && lines[i].from == from && lines[i].to > from);
        assert_clean(lines[i].text, lines[i].len, flags & ~(unsigned)TEXT_LINES, lines[i].width);
        from = lines[i].to;
    }
    assert_int_equal(from, in->len);
}

TEST(any_input_gives_clean_output)
{
    uint32_t seed = 20261120;
    for (int round = 0; round < 20000; round++) {
        AUTO_STRBUF in = STRBUF_INIT;
        random_text(&in, &seed);
        check_random(&in, &seed);
    }
}
