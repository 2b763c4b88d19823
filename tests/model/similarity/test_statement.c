/* What two texts say of the same subject: the same, the opposite, another number, date or name. */
#include <time.h>
#include "model/similarity/statement.h"
#include "tests/support/test.h"

static struct statement a = STATEMENT_INIT, b = STATEMENT_INIT;

static int teardown(void **state)
{
    statement_release(&a);
    statement_release(&b);
    return 0;
}

static void expect_subject(const char *text, const char *expected, size_t values, bool denied)
{
    statement_parse(&a, text, strlen(text));
    assert_string_equal(a.subject.buf, expected);
    assert_int_equal(a.values, values);
    assert_int_equal(a.denied, denied);
}

#define NUMBER  "\xEE\x80\x80" /* U+E000 */
#define TIME    "\xEE\x80\x81"
#define PERCENT "\xEE\x80\x85"
#define DATE    "\xEE\x83\xB0"

GROUP(NULL, teardown);

TEST(a_text_is_normalised)
{
    expect_subject("  The\tQUICK,  brown—fox!\n", "the quick brown fox", 0, false);
    expect_subject("Ünïcode ÉTÉ\xE2\x80\x8B s", "ünïcode été s", 0, false);
    expect_subject("デプロイ、確認する。", "デプロイ 確認する", 0, false);
    expect_subject("It doesn't work; it's odd?", "it work its odd", 0, true);
}

TEST(values_are_taken_out)
{
    expect_subject("The limit is 30.", "the limit is " NUMBER, 1, false);
    expect_subject("wait 5 minutes", "wait " TIME, 1, false);
    expect_subject("wait 300ms, 10% of it", "wait " TIME " " PERCENT " of it", 2, false);
    expect_subject("on 2024-05-01 at 14:30", "on " DATE " at " NUMBER, 2, false);
    expect_subject("on May 1, 2024 it may rain", "on " DATE " it may rain", 1, false);
    expect_subject("since 1st May 2024 or May 2024", "since " DATE " or " DATE, 2, false);
    expect_subject("it may take two Fridays", "it may take " NUMBER " " DATE, 2, false);
    expect_subject("never not", "", 0, false);
    expect_subject("", "", 0, false);
    expect_subject("\xff\xfe 7", NUMBER, 1, false);
}

static enum difference difference(const char *x, const char *y)
{
    struct span at;
    statement_parse(&a, x, strlen(x));
    statement_parse(&b, y, strlen(y));
    return statement_difference(&a, &b, &at, &at);
}

TEST(equal_values_are_equal)
{
    assert_int_equal(difference("wait 5 minutes", "wait 300 s"), DIFFERS_NOT);
    assert_int_equal(difference("wait two days", "wait 48 hours"), DIFFERS_NOT);
    assert_int_equal(difference("1,500 rows", "1500 rows"), DIFFERS_NOT);
    assert_int_equal(difference("pay 2 million dollars", "pay 2,000,000 USD"), DIFFERS_NOT);
    assert_int_equal(difference("50 percent", "50%"), DIFFERS_NOT);
    assert_int_equal(difference("above 90 %, below", "above 90%, below"), DIFFERS_NOT);
    assert_int_equal(difference("above 90\u202f%", "above 90%"), DIFFERS_NOT);
    assert_int_equal(difference("wait 5\u00a0ms", "wait 5ms"), DIFFERS_NOT);
    assert_int_equal(difference("above 90 %", "above 91%"), DIFFERS_NUMBER);
    assert_int_equal(difference("on 2024-05-01", "on May 1, 2024"), DIFFERS_NOT);
    assert_int_equal(difference("on 1.5.2024", "on 1 May 2024"), DIFFERS_NOT);
    assert_int_equal(difference("we never do not deploy", "we always deploy"), DIFFERS_NOT);
    assert_int_equal(difference("Ask Claire", "Ask Claire about it"), DIFFERS_NOT);
}

TEST(one_difference_is_named)
{
    static const struct {
        const char *x, *y, *x_shown, *y_shown;
        enum difference how;
    } pairs[] = {
        {"The rate limit is 30 per minute", "The rate limit is 60 per minute", "30", "60",
         DIFFERS_NUMBER},
        {"Sessions end after 5 minutes", "Sessions end after 5 hours", "5 minutes", "5 hours",
         DIFFERS_NUMBER},
        {"The release is on May 1, 2024", "The release is on 2024-05-02", "May 1, 2024",
         "2024-05-02", DIFFERS_DATE},
        {"We deploy on Fridays only", "We deploy on Mondays only", "Fridays", "Mondays",
         DIFFERS_DATE},
        {"The cache is enabled in staging", "The cache is disabled in staging", "enabled",
         "disabled", DIFFERS_OPPOSITE},
        {"We always deploy on weekends", "We never deploy on weekends", "", "", DIFFERS_DENIED},
        {"The service uses Redis caching", "The service doesn't use Redis caching", "", "",
         DIFFERS_DENIED},
        {"The owner of billing is Ash", "The owner of billing is Claire", "Ash", "Claire",
         DIFFERS_NAME},
        {"締め切りは2024-05-01です、確認する", "締め切りは2024-06-01です、確認する", "2024-05-01",
         "2024-06-01", DIFFERS_DATE},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        double similarity;
        enum difference how;
        struct span x, y;
        statement_parse(&a, pairs[i].x, strlen(pairs[i].x));
        statement_parse(&b, pairs[i].y, strlen(pairs[i].y));
        if (!statements_conflict(&a, &b, &similarity, &how, &x, &y))
            fail_msg("no conflict: %s", pairs[i].x);
        assert_int_equal(how, pairs[i].how);
        assert_int_equal(x.len, strlen(pairs[i].x_shown));
        assert_int_equal(y.len, strlen(pairs[i].y_shown));
        assert_memory_equal(pairs[i].x + x.at, pairs[i].x_shown, x.len);
        assert_memory_equal(pairs[i].y + y.at, pairs[i].y_shown, y.len);
        assert_false(statements_repeat(&a, &b, &similarity));
    }
}

TEST(other_pairs_are_none)
{
    static const char *const pairs[][2] = {
        {"Host 7 listens on port 80", "Host 8 listens on port 81"}, /* of different things */
        {"The limit is 30", "The limit is 30 since 2024"},
        {"is not enabled in production", "is disabled in production"},
        {"x is 3", "x is 4"}, /* too short for a subject */
        {"Claire likes strong green tea", "Ash prefers the window seat"},
        {"The port is 80", "The whole report has pages, 81 of them"},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        double similarity;
        enum difference how;
        struct span at;
        statement_parse(&a, pairs[i][0], strlen(pairs[i][0]));
        statement_parse(&b, pairs[i][1], strlen(pairs[i][1]));
        if (statements_conflict(&a, &b, &similarity, &how, &at, &at))
            fail_msg("a conflict: %s", pairs[i][0]);
        assert_false(statements_repeat(&a, &b, &similarity));
    }
}

static bool repeats(const char *x, const char *y)
{
    double similarity;
    statement_parse(&a, x, strlen(x));
    statement_parse(&b, y, strlen(y));
    return statements_repeat(&a, &b, &similarity);
}

TEST(texts_that_say_the_same_differ_in_no_word_that_counts)
{
    assert_true(repeats("Never skip staging before a deploy", "never skip staging before deploy!"));
    assert_true(repeats("Ask the reviewers of the billing team before a release",
                        "Ask the reviewer of the billing team before a release"));
    assert_true(repeats("We never deploy the ledger service on a Friday evening",
                        "We do not deploy the ledger service on Friday evening"));
    static const char *const apart[][2] = {
        {"Before the release of the ledger service we always follow the plan A of the payments "
         "team",
         "Before the release of the ledger service we always follow the plan of the payments team"},
        {"Claire prefers strong green tea in the long afternoon meetings with the whole team",
         "Claire prefers strong green coffee in the long afternoon meetings with the whole team"},
        {"Move the records of the old billing service from the archive to the primary database",
         "Move the records of the old billing service from the primary database to the archive"},
        {"Before the release we do not test the payments queue but drain it and wait for it",
         "Before the release we test the payments queue but do not drain it and wait for it"},
        {"Ask the reviewers of the payments team before each release of the ledger service",
         "Ask the reviewers of the payments team before each failed release of the ledger service"},
        {"デプロイの前に必ずステージング環境で全部のテストを実行して緑茶を飲む",
         "デプロイの前に必ずステージング環境で全部のテストを実行して紅茶を飲む"},
    };
    for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++)
        if (repeats(apart[i][0], apart[i][1]))
            fail_msg("not the same: %s", apart[i][0]);
}

TEST(similarity_is_jaccard)
{
    statement_parse(&a, "abcdef", 6); /* abc bcd cde def */
    statement_parse(&b, "ABCDEG!", 7);
    assert_float_equal(statement_similarity(&a, &b), 3.0 / 5, 1e-9);
    assert_float_equal(statement_similarity(&a, &a), 1, 1e-9);
    statement_parse(&b, "aaaaaaaa", 8); /* one gram, six times */
    assert_int_equal(b.grams, 6);
    assert_float_equal(statement_similarity(&b, &b), 1, 1e-9);
    assert_int_equal(b.grams, 1);
    statement_parse(&a, "", 0);
    assert_float_equal(statement_similarity(&a, &b), 0, 1e-9);
}

TEST(every_rule_is_found)
{
    for (size_t i = 0; i < similarity_rule_count; i++) {
        const struct rule *rule = &similarity_rules[i];
        char text[64];
        if (i && strcmp(similarity_rules[i - 1].word, rule->word) >= 0)
            fail_msg("'%s' is out of order", rule->word);
        snprintf(text, sizeof(text), "9 %s", rule->word);
        statement_parse(&a, text, strlen(text));
        if (strstr(a.subject.buf, rule->word))
            fail_msg("'%s' is an ordinary word", rule->word);
    }
}

/* The work is linear: 128 KiB of anything take a few ms. */
TEST(long_texts_take_linear_time)
{
    static const char *const parts[] = {"a",    "1",     "1.",           "May 1 ", "\xff",
                                        "not ", "A b. ", "\xE2\x80\x8B", "1 h "};
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        strbuf_clear(&text);
        while (text.len < 1 << 17)
            strbuf_addstr(&text, parts[i]);
        clock_t start = clock();
        statement_parse(&a, text.buf, text.len);
        statement_parse(&b, text.buf, text.len);
        double similarity = statement_similarity(&a, &b);
        assert_true(similarity == 1 || a.grams == 0);
        assert_int_equal(difference(text.buf, text.buf), DIFFERS_NOT);
        assert_true(clock() - start < 2 * CLOCKS_PER_SEC);
    }
    strbuf_release(&text);
}
