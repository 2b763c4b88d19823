/* Checks of a response: sentences without a citation, passages, numbers. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "model/reasoning/citation.h"
#include "tests/support/test.h"

static struct arena arena = ARENA_INIT;

static int teardown(void **state)
{
    arena_release(&arena);
    return 0;
}

/* The sentences are separated by bars. */
static void expect_uncited(const char *text, const char *expected)
{
    static const struct citation cited[] = {{.name = "Report", .page = 3}, {.name = "Wiki"}};
    const char **list;
    size_t count;
    AUTO_STRBUF all = STRBUF_INIT;
    strbuf_addstr(&all, "");
    sentences_uncited(text, cited, 2, &arena, &list, &count);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&all, "%s%s", i ? "|" : "", list[i]);
    assert_string_equal(count ? all.buf : "", expected);
}

GROUP(NULL, teardown);

TEST(sentences_without_a_citation_are_found)
{
    expect_uncited("", "");
    expect_uncited("It grew.", "It grew.");
    expect_uncited("It grew (Report, page 3). It fell.", "It fell.");
    expect_uncited("It grew. (Report, page 3) It fell.", "It fell.");
    expect_uncited("It grew. (source: Other.pdf, p.2) It fell (Wiki, document)!", "");
    expect_uncited("It grew [1]. It fell [^2]. It rose [3]. It stayed [0].",
                   "It rose [3].|It stayed [0].");
    expect_uncited("By 5.2 million, e. g. here [1]. Why?", "Why?");
    expect_uncited("# Heading\n\nOne line\n\nAnother [2]\n", "One line");
    expect_uncited("Größe: 5 €. (source: Größe.pdf) 名は", "名は");
    expect_uncited("\u9be8\u306f\u6b4c\u3046\u3002\u8c61\u306f\u6b69\u304f\u3002 (Report, page "
                   "3)\u3002\u6700\u5f8c\u306e\u6587\u3002",
                   "\u9be8\u306f\u6b4c\u3046\u3002|\u6700\u5f8c\u306e\u6587\u3002");
    expect_uncited("\u300c\u6b4c\u3046\uff01\uff1f\u300d\u6b69\u304f\uff1f\u8d70\u308b [1]\u3002",
                   "\u300c\u6b4c\u3046\uff01\uff1f\u300d|\u6b69\u304f\uff1f");
    expect_uncited("\u092a\u0939\u0932\u093e\u0964 \u0926\u0942\u0938\u0930\u093e [1]\u0964",
                   "\u092a\u0939\u0932\u093e\u0964");
    expect_uncited("- item one\n- item two (Report, page 3)", "item one");
    expect_uncited("Two items:\n  * one [1]\n  * two\n12) three\n3. four [2]\n\u2022 five\n",
                   "Two items:|two|three|five");
    expect_uncited("It is\n-5 or so [1]", "");
    expect_uncited("## Heading\nIt grew.\nOn and\non [1].\n# Next\nEnd", "It grew.|End");
    expect_uncited("Dr. Smith went. J. R. Tolkien et al. (see Fig. 3, vs. Jan. 5) came [1].",
                   "Dr. Smith went.");
    expect_uncited("He said \"no.\" Then (it fell.) [1] In 1990. 5 went.",
                   "He said \"no.\"|In 1990.|5 went.");
    expect_uncited("- \n\n1. [1]\n\n...", "");
}

TEST(a_passage_is_found_in_any_white_space)
{
    assert_true(text_has_passage("one  two\nthree", "two three"));
    assert_true(text_has_passage("one two", ""));
    assert_false(text_has_passage("one two", "two three"));
    assert_false(text_has_passage("", "a"));
}

TEST(the_same_words_with_other_numbers_differ)
{
    assert_true(numbers_differ("Revenue was €5.2M in 2025", "Revenue was  €5.4M in 2025"));
    assert_true(numbers_differ("1,200 users", "12 users"));
    assert_false(numbers_differ("Revenue was 5.2M", "Revenue was 5.2M"));
    assert_false(numbers_differ("Revenue was 5.2M", "Costs were 5.4M"));
    assert_false(numbers_differ("5", "6"));
    assert_false(numbers_differ("5 a", "6 a b"));
    assert_false(numbers_differ("", ""));
}
