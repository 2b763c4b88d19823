/* The difference of two texts: the runs make up both texts, and read as expected. */
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/format/difference.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

/* "cost [-40-]{+41+} minutes" */
static char *marked(const char *before, const char *after)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct strbuf out = STRBUF_INIT;
    struct text_run *run;
    size_t count;
    text_difference(before, after, &arena, &run, &count);
    for (size_t i = 0; i < count; i++) {
        static const char *const open[] = {"", "[-", "{+"}, *const close[] = {"", "-]", "+}"};
        assert_true(run[i].len > 0);
        assert_true(i == 0 || run[i].kind != run[i - 1].kind);
        strbuf_addstr(&out, open[run[i].kind]);
        strbuf_add(&out, run[i].text, run[i].len);
        strbuf_addstr(&out, close[run[i].kind]);
    }
    return strbuf_detach(&out, NULL);
}

static void check(const char *before, const char *after, const char *expected)
{
    AUTO_FREE char *text = marked(before, after);
    assert_string_equal(text, expected);
}

TEST(test_runs_read_as_expected)
{
    check("", "", "");
    check("same", "same", "same");
    check("", "new", "{+new+}");
    check("old", "", "[-old-]");
    check("It cost 40 minutes", "It cost 41 minutes", "It cost [-40-]{+41+} minutes");
    check("Never skip staging", "Never ever skip staging", "Never {+ever +}skip staging");
    check("one two three four", "one three four", "one [-two -]three four");
    check("a line\nanother one\nthe end", "a line\nthe end", "a line\n[-another one\n-]the end");
    /* Without spaces: by characters. */
    check("デプロイの前に確認する", "デプロイの後に確認する", "デプロイの[-前-]{+後+}に確認する");
    /* A combining mark stays with its letter. */
    check("caf\xc3\xa9 cafe\xcc\x81", "caf\xc3\xa9 cafe", "caf\xc3\xa9 [-cafe\xcc\x81-]{+cafe+}");
    /* A single common word of different sentences matches by chance. */
    check("The migration held a lock", "Workers wrote with a supervisor",
          "[-The migration held a lock-]{+Workers wrote with a supervisor+}");
}

static void check_both(const char *before, const char *after)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF was = STRBUF_INIT, is = STRBUF_INIT;
    struct text_run *run;
    size_t count;
    text_difference(before, after, &arena, &run, &count);
    for (size_t i = 0; i < count; i++) {
        assert_true(run[i].len > 0);
        if (run[i].kind != RUN_ADDED)
            strbuf_add(&was, run[i].text, run[i].len);
        if (run[i].kind != RUN_REMOVED)
            strbuf_add(&is, run[i].text, run[i].len);
    }
    assert_int_equal(was.len, strlen(before));
    assert_int_equal(is.len, strlen(after));
    assert_true(!was.len || !memcmp(was.buf, before, was.len));
    assert_true(!is.len || !memcmp(is.buf, after, is.len));
}

static void add_random(struct strbuf *out, struct random *r, size_t pieces)
{
    static const char *const piece[] = {"a",
                                        "b",
                                        "word",
                                        " ",
                                        "  ",
                                        "\n",
                                        "\t",
                                        "\xe3\x81\x82",
                                        "\xcc\x81",
                                        "\xff",
                                        "\xe2\x80\x8d",
                                        ".",
                                        "1",
                                        "\xf0\x9f\x98\x80",
                                        "\xc3"};
    for (size_t i = 0; i < pieces; i++)
        strbuf_addstr(out, piece[random_below(r, sizeof(piece) / sizeof(piece[0]))]);
}

/* The runs make up both texts, whatever they contain. */
TEST(test_runs_make_both_texts)
{
    struct random r = {.state = 7};
    for (int i = 0; i < 3000; i++) {
        AUTO_STRBUF a = STRBUF_INIT, b = STRBUF_INIT;
        add_random(&a, &r, random_below(&r, 60));
        if (a.len > 0 && random_below(&r, 2)) {
            strbuf_add(&b, a.buf, a.len / 2);
            add_random(&b, &r, random_below(&r, 6));
            strbuf_add(&b, a.buf + a.len / 2, a.len - a.len / 2);
        } else {
            add_random(&b, &r, random_below(&r, 60));
        }
        check_both(a.buf ? a.buf : "", b.buf ? b.buf : "");
    }
}

/* If one word is replaced, only that is shown. */
TEST(test_one_replaced_word)
{
    struct random r = {.state = 11};
    for (int round = 0; round < 300; round++) {
        AUTO_STRBUF a = STRBUF_INIT, b = STRBUF_INIT, expected = STRBUF_INIT;
        uint32_t words = 1 + random_below(&r, 40), at = random_below(&r, words);
        for (uint32_t i = 0; i < words; i++) {
            uint32_t word = random_below(&r, 3); /* most words occur several times */
            strbuf_addf(&a, "word%u ", word);
            strbuf_addf(&b, i == at ? "other " : "word%u ", word);
            strbuf_addf(&expected, i == at ? "[-word%u-]{+other+} " : "word%u ", word);
        }
        check(a.buf, b.buf, expected.buf);
    }
}

/* A changed word in the middle of a megabyte is found; two unrelated texts are one change. */
TEST(test_long_texts)
{
    AUTO_STRBUF a = STRBUF_INIT, b = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct text_run *run;
    size_t count;
    for (int i = 0; i < 100000; i++)
        strbuf_addf(&a, "word%d ", i);
    strbuf_add(&b, a.buf, a.len);
    memcpy(strstr(b.buf, "word50000 "), "WORD", 4);
    memcpy(strstr(b.buf, "word99000 "), "WORD", 4);
    text_difference(a.buf, b.buf, &arena, &run, &count);
    assert_int_equal(count, 7);
    assert_int_equal(run[1].kind, RUN_REMOVED);
    assert_int_equal(run[1].len, 9);
    strbuf_clear(&b);
    for (int i = 0; i < 100000; i++)
        strbuf_addf(&b, "other%d,", i);
    text_difference(a.buf, b.buf, &arena, &run, &count);
    assert_int_equal(count, 2);
}
