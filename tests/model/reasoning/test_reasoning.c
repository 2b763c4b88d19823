/* The summary of a chain's sources, its form for display, and comparison with one that came with
 * the chain. */
#include "model/reasoning/citation.h"
#include "model/reasoning/reasoning.h"
#include "tests/support/test.h"

static struct arena arena = ARENA_INIT;

static int teardown(void **state)
{
    arena_release(&arena);
    return 0;
}

#define SOURCE(id, score)                                                                          \
    {                                                                                              \
        .document_id = id, .relevance = score, .origin = SCORE_MEASURED, .chunk = CHUNK_NONE,      \
        .rank = -1                                                                                 \
    }
#define STEP(n, list)                                                                              \
    {                                                                                              \
        n, list, sizeof(list) / sizeof(*list), NULL                                                \
    }

static struct source_summary summarise(const struct step_sources *steps, size_t count)
{
    struct source_summary s;
    source_summarise(&s, &arena, steps, count);
    return s;
}

/* "a .9 b .8 | a": all sources with scores, then the primary ones. */
static void expect_summary(const struct source_summary *s, const char *expected)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < s->count; i++)
        strbuf_addf(&text, "%s %g ", s->all[i].document_id, s->all[i].relevance);
    strbuf_addch(&text, '|');
    for (size_t i = 0; i < s->primary_count; i++)
        strbuf_addf(&text, " %s", s->primary[i].document_id);
    assert_string_equal(text.buf, expected);
}

GROUP(NULL, teardown);

TEST(the_best_score_of_a_document_counts)
{
    const struct source one[] = {SOURCE("doc_1", .9), SOURCE("doc_2", .75)};
    const struct source two[] = {SOURCE("doc_1", .85), SOURCE("doc_3", .8)};
    const struct step_sources steps[] = {STEP(1, one), STEP(2, two)};
    struct source_summary s = summarise(steps, 2);
    expect_summary(&s, "doc_1 0.9 doc_3 0.8 doc_2 0.75 | doc_1 doc_3 doc_2");
    assert_ptr_equal(s.step, steps);
    assert_int_equal(s.step_count, 2);
}

static void expect_of_scores(const double *scores, size_t count, const char *expected)
{
    static const char *const ids[] = {"a", "b", "c", "d"};
    struct source list[4];
    for (size_t i = 0; i < count; i++)
        list[i] = (struct source)SOURCE(ids[i], scores[i]);
    struct step_sources step = {1, list, count, NULL};
    struct source_summary s = summarise(&step, 1);
    expect_summary(&s, expected);
}

TEST(primary_sources_are_above_the_limit_or_first)
{
    expect_of_scores((double[]){.95, .85, .75, .72}, 4, "a 0.95 b 0.85 c 0.75 d 0.72 | a b c");
    expect_of_scores((double[]){.5, .4, .3, .2}, 4, "a 0.5 b 0.4 c 0.3 d 0.2 | a b c");
    expect_of_scores((double[]){.9, .6}, 2, "a 0.9 b 0.6 | a");
    expect_of_scores((double[]){.7, .6, .5, .4}, 4, "a 0.7 b 0.6 c 0.5 d 0.4 | a b c");
    expect_of_scores((double[]){.6, .8}, 2, "b 0.8 a 0.6 | b");
    expect_of_scores((double[]){.2}, 1, "a 0.2 | a");
    expect_of_scores((double[]){0.70000000000000007, .7}, 2, "a 0.7 b 0.7 | a");
    expect_of_scores((double[]){NAN, .0, NAN, .1}, 4, "d 0.1 b 0 a nan c nan | d b a");
    expect_of_scores(NULL, 0, "|");
}

TEST(ties_keep_the_order_of_first_use)
{
    const struct source one[] = {SOURCE("a", .5), SOURCE("b", .5)};
    const struct source two[] = {SOURCE("c", .5), SOURCE("a", .5)};
    const struct step_sources steps[] = {STEP(1, one), STEP(2, two)};
    struct source_summary s = summarise(steps, 2);
    expect_summary(&s, "a 0.5 b 0.5 c 0.5 | a b c");
    const struct source three[] = {SOURCE("a", .5), SOURCE("b", .9)};
    const struct source four[] = {SOURCE("a", .9)};
    const struct step_sources more[] = {STEP(1, three), STEP(2, four)};
    s = summarise(more, 2);
    expect_summary(&s, "a 0.9 b 0.9 | a b");
}

TEST(absent_members_come_from_the_other_source)
{
    struct source list[] = {SOURCE("a", .5), SOURCE("a", .9), SOURCE("a", .9), SOURCE("b", .9),
                            SOURCE("b", .2)};
    const struct step_sources step = STEP(1, list);
    list[0].title = "first", list[0].excerpt = "of the first", list[0].chunk = 1;
    list[1].excerpt = "", list[1].chunk = 2;
    list[2].title = "third", list[2].chunk = 3;
    list[3].title = "kept", list[4].title = "not", list[4].excerpt = "taken";
    struct source_summary s = summarise(&step, 1);
    assert_string_equal(s.all[0].title, "first");
    assert_string_equal(s.all[0].excerpt, "of the first");
    assert_int_equal(s.all[0].chunk, 2); /* a later one with the same score does not replace it */
    assert_string_equal(s.all[1].title, "kept");
    assert_string_equal(s.all[1].excerpt, "taken");
}

TEST(the_summary_is_written_as_specified)
{
    struct source list[] = {SOURCE("a", .5), SOURCE("a\"", .75), SOURCE("a", .5)};
    const struct step_sources steps[] = {STEP(1, list), {2, NULL, 0, NULL}};
    struct strbuf out = STRBUF_INIT;
    list[1].title = "T", list[1].excerpt = "E", list[1].chunk = 0, list[1].rank = 2;
    struct source_summary s = summarise(steps, 2);
    source_summary_write(&out, &s);
#define A_SOURCE                                                                                   \
    "{\"document_id\":\"a\",\"document_title\":null,\"relevance_score\":0.5,\"excerpt\":null,"     \
    "\"chunk_index\":null,\"retrieval_rank\":null,\"score_origin\":\"measured\"}"
#define QUOTED_SOURCE                                                                              \
    "{\"document_id\":\"a\\\"\",\"document_title\":\"T\",\"relevance_score\":0.75,"                \
    "\"excerpt\":\"E\",\"chunk_index\":0,\"retrieval_rank\":2,\"score_origin\":\"measured\"}"
    assert_string_equal(
        out.buf, "{\"all_sources\":[" QUOTED_SOURCE "," A_SOURCE "],\"primary_sources\":"
                 "[" QUOTED_SOURCE "],\"source_usage_by_step\":{\"1\":[\"a\",\"a\\\"\",\"a\"],"
                 "\"2\":[]}}");
    strbuf_release(&out);
}

TEST(the_form_for_display_is_as_specified)
{
    struct source list[] = {SOURCE("a", .123456789), SOURCE("b", .9), SOURCE("c", .375)};
    const struct step_sources steps[] = {STEP(1, list), {2, NULL, 0, NULL}};
    struct strbuf out = STRBUF_INIT;
    list[0].excerpt = "words", list[1].excerpt = "", list[1].title = "B", list[1].rank = 4;
    list[2].title = "";
    struct source_summary s = summarise(steps, 2);
    source_summary_display(&out, &s, true);
#define STEPS                                                                                      \
    "\"step_breakdown\":{\"step_1\":{\"step_number\":1,\"sources_used\":3,\"document_ids\":"       \
    "[\"a\",\"b\",\"c\"]},\"step_2\":{\"step_number\":2,\"sources_used\":0,\"document_ids\":[]}}}"
    assert_string_equal(
        out.buf, "{\"total_sources\":3,\"primary_sources\":[{\"document_id\":\"b\",\"title\":\"B\","
                 "\"relevance\":0.9,\"rank\":4}],\"all_sources\":[{\"document_id\":\"b\","
                 "\"title\":\"B\",\"relevance\":0.9},{\"document_id\":\"c\",\"title\":\"c\","
                 "\"relevance\":0.38},{\"document_id\":\"a\",\"title\":\"a\",\"relevance\":0.12,"
                 "\"excerpt\":\"words\"}]," STEPS);
    strbuf_clear(&out);
    source_summary_display(&out, &s, false);
    assert_null(strstr(out.buf, "excerpt"));
    assert_non_null(strstr(out.buf, STEPS));
    strbuf_release(&out);
}

TEST(relevance_is_rounded_like_printf)
{
    static const struct {
        double score;
        const char *shown;
    } cases[] = {{.123456789, "0.12"}, {.125, "0.12"}, {.375, "0.38"},
                 {.1, "0.1"},          {1, "1"},       {0, "0"},
                 {.005, "0.01"},       {.015, "0.01"}, {.994999, "0.99"},
                 {.995, "0.99"},       {.999, "1"},    {5e-324, "0"},
                 {NAN, "null"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct source list[] = {SOURCE("a", cases[i].score)};
        struct step_sources step = STEP(1, list);
        struct source_summary s = summarise(&step, 1);
        AUTO_STRBUF out = STRBUF_INIT;
        char expected[80];
        snprintf(expected, sizeof(expected), "\"relevance\":%s}]", cases[i].shown);
        source_summary_display(&out, &s, true);
        assert_non_null(strstr(out.buf, expected));
    }
}

TEST(no_sources_give_an_empty_summary)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct source_summary s = summarise(NULL, 0);
    source_summary_write(&out, &s);
    assert_string_equal(out.buf,
                        "{\"all_sources\":[],\"primary_sources\":[],\"source_usage_by_step\":{}}");
    strbuf_clear(&out);
    source_summary_display(&out, &s, true);
    assert_string_equal(out.buf, "{\"total_sources\":0,\"primary_sources\":[],\"all_sources\":[],"
                                 "\"step_breakdown\":{}}");
}

TEST(the_confidence_of_a_chain_is_the_mean)
{
    assert_true(chain_confidence((double[]){.5, NAN, 1, .75}, 4) == .75);
    assert_true(chain_confidence((double[]){0}, 1) == 0);
    assert_true(isnan(chain_confidence((double[]){NAN, NAN}, 2)));
    assert_true(isnan(chain_confidence(NULL, 0)));
}

/* ---- a summary that came with the chain ---- */

/* a .9 (step 1, 2), b .8 (step 1), c .3 (step 2); step 3 has none. */
static struct source_summary sample(void)
{
    static struct source one[] = {SOURCE("a", .9), SOURCE("b", .8)};
    static struct source two[] = {SOURCE("a", .9), SOURCE("c", .3)};
    static const struct step_sources steps[] = {STEP(1, one), STEP(2, two), {3, NULL, 0, NULL}};
    one[0].title = "T", one[0].excerpt = "E", one[0].chunk = 1, one[0].rank = 1;
    return summarise(steps, 3);
}

/* Joined by line ends. */
static void expect_differences(const char *given, const char *expected)
{
    struct source_summary s = sample();
    AUTO_STRBUF text = STRBUF_INIT;
    struct error e;
    const char **said;
    size_t count;
    assert_int_equal(json_check_lax(given, strlen(given), JSON_DEPTH_MAX, &e), 0);
    struct json_slice slice = json_trim(given, strlen(given));
    source_summary_compare(&s, slice, &arena, &said, &count);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&text, "%s%s", i ? "\n" : "", said[i]);
    assert_string_equal(text.buf, expected);
}

TEST(our_own_summary_has_no_differences)
{
    struct source_summary s = sample();
    AUTO_STRBUF out = STRBUF_INIT;
    source_summary_write(&out, &s);
    expect_differences(out.buf, "");
}

TEST(absent_members_are_not_differences)
{
    expect_differences("null", "");
    expect_differences("{}", "");
    expect_differences("{\"all_sources\":null,\"primary_sources\":null,\"other\":5}", "");
    expect_differences("{\"source_usage_by_step\":{\"1\":[\"a\",\"b\"],\"2\":[\"a\",\"c\"]}}", "");
    expect_differences("{\"all_sources\":[{\"document_id\":\"a\",\"relevance_score\":0.9000000005},"
                       "{\"document_id\":\"b\",\"relevance_score\":0.8},"
                       "{\"document_id\":\"c\",\"relevance_score\":0.3}]}",
                       "");
}

TEST(each_difference_is_one_sentence)
{
    static const char *const cases[][2] = {
        {"5", "source_summary is not an object"},
        {"{\"all_sources\":{}}", "all_sources is not a list"},
        {"{\"primary_sources\":\"a\"}", "primary_sources is not a list"},
        {"{\"source_usage_by_step\":[]}", "source_usage_by_step is not an object"},
        {"{\"all_sources\":[{\"document_id\":\"a\",\"relevance_score\":0.8},7]}",
         "all_sources[0].relevance_score is “0.8”, but its steps give “0.9”"},
        {"{\"all_sources\":[{\"document_id\":\"a\",\"relevance_score\":0.9},7]}",
         "all_sources[1] is not an object"},
        {"{\"all_sources\":[{\"document_id\":\"a\"},{\"document_id\":\"b\"}]}",
         "all_sources is 2 long, but its steps give 3"},
        {"{\"all_sources\":[{\"document_id\":\"c\",\"relevance_score\":0.3},"
         "{\"document_id\":\"b\",\"relevance_score\":0.8}]}",
         "all_sources[0].document_id is “c”, but its steps give “a”\n"
         "all_sources[0].relevance_score is “0.3”, but its steps give “0.9”"},
        {"{\"all_sources\":[{\"document_id\":\"a\",\"document_title\":\"U\",\"excerpt\":\"F\","
         "\"chunk_index\":2,\"retrieval_rank\":\"1\",\"relevance_score\":0.9}]}",
         "all_sources[0].document_title is “U”, but its steps give “T”\n"
         "all_sources[0].excerpt is “F”, but its steps give “E”\n"
         "all_sources[0].chunk_index is “2”, but its steps give “1”"},
        {"{\"primary_sources\":[{\"document_id\":\"b\"},{\"document_id\":\"a\"}]}",
         "primary_sources[0].document_id is “b”, but its steps give “a”"},
        {"{\"primary_sources\":[{\"document_id\":\"a\"}]}",
         "primary_sources is 1 long, but its steps give 2"},
        {"{\"source_usage_by_step\":{\"1\":[\"a\"],\"2\":[\"a\",true],\"3\":[\"x\"],\"4\":[],"
         "\"two\":[]}}",
         "source_usage_by_step[1] is 1 long, but its steps give 2\n"
         "source_usage_by_step[2][1] is “true”, but its steps give “c”\n"
         "source_usage_by_step[3] is 1 long, but its steps give 0\n"
         "source_usage_by_step has step “4”, which does not exist\n"
         "source_usage_by_step has step “two”, which does not exist"},
        {"{\"source_usage_by_step\":{}}",
         "source_usage_by_step leaves out step 1\nsource_usage_by_step leaves out step 2"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        expect_differences(cases[i][0], cases[i][1]);
}

TEST(quotes_in_differences_are_short_and_clean)
{
    expect_differences("{\"source_usage_by_step\":{\"\\u001b[31m\":[],\"1\":[\"a\",\"b\"],"
                       "\"2\":[\"a\",\"c\"]}}",
                       "source_usage_by_step has step “\\u001b[31m”, which does not exist");
    expect_differences("{\"source_usage_by_step\":{\"1\":[\"\\u001b[31m\",\"b\"],"
                       "\"2\":[\"a\",\"123456789012345678901234567890123456789012\"]}}",
                       "source_usage_by_step[1][0] is “?[31m”, but its steps give “a”\n"
                       "source_usage_by_step[2][1] is “1234567890123456789012345678901234567890…”, "
                       "but its steps give “c”");
}

/* A hundred thousand sources of two documents, then of as many documents. */
TEST(many_sources_take_the_time_of_sorting)
{
    const size_t count = 100000;
    struct source *list = arena_array(&arena, count, sizeof(*list));
    struct citation *cited = arena_array(&arena, count, sizeof(*cited));
    struct citation *out = arena_array(&arena, count, sizeof(*out));
    struct source_summary s;
    for (int few = 0; few < 2; few++) {
        for (size_t i = 0; i < count; i++) {
            char id[24];
            snprintf(id, sizeof(id), "%zu", few ? i % 2 : i);
            list[i] = (struct source){.document_id = arena_strdup(&arena, id), .relevance = .5};
            cited[i] = (struct citation){.document_id = list[i].document_id, .relevance = .5};
        }
        struct step_sources step = {1, list, count, NULL};
        source_summarise(&s, &arena, &step, 1);
        assert_int_equal(s.count, few ? 2 : count);
        assert_int_equal(citations_deduplicate(out, cited, count), few ? 2 : count);
        assert_int_equal(citations_rank(out, cited, count, SIZE_MAX), count);
        assert_ptr_equal(out[count - 1].document_id, cited[count - 1].document_id);
    }
    arena_clear(&arena);
}
