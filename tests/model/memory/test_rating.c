/* Ratings: a person's judgement on a source of a step. */
#include "model/base/arena.h"
#include "model/memory/memory.h"
#include "tests/support/test.h"

static struct arena arena = ARENA_INIT;

static int teardown(void **state)
{
    arena_release(&arena);
    return 0;
}

GROUP(NULL, teardown);

TEST(a_value_is_a_ref_and_a_word)
{
    static const char *const whole[] = {
        NULL,         "",           "0.9",       "relevant",           "document:x",
        "x y",        "document: ", " relevant", "context:x relevant", "document: relevant",
        "document:x "};
    struct ref of;
    const char *word;
    assert_true(rating_parse("document:doc_1 relevant", &arena, &of, &word));
    assert_int_equal(of.kind, KIND_DOCUMENT);
    assert_string_equal(of.id, "doc_1");
    assert_string_equal(word, RATING_RELEVANT);
    assert_true(rating_parse("document:my report: 2 irrelevant", &arena, &of, &word));
    assert_string_equal(of.id, "my report: 2");
    assert_string_equal(word, RATING_IRRELEVANT);
    for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
        assert_false(rating_parse(whole[i], &arena, &of, &word));
}

TEST(the_latest_rating_of_a_source_counts)
{
    struct flag flags[] = {
        {.name = "rating", .at = 5, .value = "document:a relevant"},
        {.name = "rating", .at = 9, .value = "document:a b relevant"},
        {.name = "rating", .at = 7, .value = "document:a irrelevant"},
        {.name = "rating", .at = 6, .value = "document:a relevant"},
        {.name = "rating", .at = 9, .value = "0.5"},
        {.name = "rating", .at = 9},
        {.name = "faithful", .at = 9, .value = "document:a relevant"},
        {.name = "rating", .at = 9, .value = "raw:a relevant"},
        {.name = "rating", .at = 9, .value = "document:a"},
        {.name = "rating", .at = 7, .value = "document:a relevant"},
    };
    struct memory step = {.flags = flags, .flag_count = 10};
    struct ref a = {KIND_DOCUMENT, "a"}, other = {KIND_DOCUMENT, "other"};
    struct ref spaced = {KIND_DOCUMENT, "a b"};
    assert_ptr_equal(rating_of(&step, a, JUDGE_PERSON, &arena), &flags[9]);
    step.flag_count = 9;
    assert_ptr_equal(rating_of(&step, a, JUDGE_PERSON, &arena), &flags[2]);
    assert_ptr_equal(rating_of(&step, spaced, JUDGE_PERSON, &arena), &flags[1]);
    assert_null(rating_of(&step, other, JUDGE_PERSON, &arena));
    flags[2].judge = JUDGE_AGENT; /* a person's and an agent's stand beside each other */
    assert_ptr_equal(rating_of(&step, a, JUDGE_PERSON, &arena), &flags[3]);
    assert_ptr_equal(rating_of(&step, a, JUDGE_AGENT, &arena), &flags[2]);
    step.flag_count = 0;
    assert_null(rating_of(&step, a, JUDGE_PERSON, &arena));
}
