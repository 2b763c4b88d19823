/* Queries: what their terms mean, where a mistake is, and what is offered while one is typed. */
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/query/query.h"
#include "tests/support/test.h"

#define NOW INT64_C(1769907339000) /* 2026-02-01 00:55:39 */

static int parse(const char *query, enum query_on on, struct arena *arena, struct query_terms *t,
                 struct error *e)
{
    return query_parse(query, on, (struct query_clock){NOW, clock_parse_when}, arena, t, e);
}

TEST(a_term_is_a_word_a_phrase_a_pattern_or_a_field)
{
    static const struct {
        const char *query, *text;
        enum query_field field;
        bool negated;
    } cases[] = {
        {"retry", "retry", QUERY_TEXT, false},
        {"-retry", "retry", QUERY_TEXT, true},
        {"-5", "-5", QUERY_TEXT, false},
        {"\"exact words\"", "exact words", QUERY_TEXT, false},
        {"\"\\\"closed\"", "\"closed", QUERY_TEXT, false},
        {"\"a \\\"b\\\" \\\\ c\"", "a \"b\" \\ c", QUERY_TEXT, false},
        {"5\"", "5\"", QUERY_TEXT, false},
        {"/re(try|do)/", "re(try|do)", QUERY_REGEX, false},
        {"/a\\/b c/", "a/b c", QUERY_REGEX, false},
        {"/etc/hosts", "/etc/hosts", QUERY_TEXT, false},
        {"http://x.org", "http://x.org", QUERY_TEXT, false},
        {"belief:54c5", "belief:54c5", QUERY_TEXT, false},
        {"10:30", "10:30", QUERY_TEXT, false},
        {"\u3000\n\u8a9e\u3000", "\u8a9e", QUERY_TEXT, false},
        {"std:sort", "std:sort", QUERY_TEXT, false},
        {"agent:ash", "ash", QUERY_AGENT, false},
        {"actor:ash", "ash", QUERY_AGENT, false},
        {"-tag:\"two words\"", "two words", QUERY_TAG, true},
        {"\"agent:ash\"", "agent:ash", QUERY_TEXT, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        AUTO_ARENA arena = ARENA_INIT;
        struct query_terms t;
        struct error e;
        assert_int_equal(parse(cases[i].query, QUERY_MEMORIES, &arena, &t, &e), 0);
        assert_int_equal(t.count, 1);
        assert_string_equal(t.term[0].text, cases[i].text);
        assert_int_equal(t.term[0].field, cases[i].field);
        assert_int_equal(t.term[0].negated, cases[i].negated);
    }
}

TEST(numbers_and_times_are_ranges)
{
    static const struct {
        const char *query;
        double in, out;
    } cases[] = {
        {"confidence:<0.7", 0.69, 0.7},
        {"confidence:<=0.7", 0.7, 0.71},
        {"confidence:>0.7", 0.71, 0.7},
        {"confidence:0.3..0.7", 0.3, 0.71},
        {"confidence:..0.7", 0, 0.71},
        {"confidence:0.3..<0.7", 0.3, 0.7},
        {"confidence:..<0.7", 0.69, 0.7},
        {"uses:3", 3, 4},
        {"roots:2+", 2, 1},
        {"created:2026-01-01", 1767225600000, 1767312000000},
        {"after:2026-01-01", 1767225600000, 1767225599999},
        {"before:\"2 days ago\"", NOW - 172800000, NOW - 172799999},
        {"updated:>2d", NOW, NOW - 172800000},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        AUTO_ARENA arena = ARENA_INIT;
        struct query_terms t;
        struct error e;
        assert_int_equal(parse(cases[i].query, QUERY_MEMORIES, &arena, &t, &e), 0);
        assert_true(term_has(&t.term[0], cases[i].in));
        assert_false(term_has(&t.term[0], cases[i].out));
    }
}

TEST(a_mistake_is_shown_where_it_is)
{
    static const struct {
        const char *query, *bad, *hint; /* what the error points at, and a part of its hint */
        enum query_on on;
    } cases[] = {
        {"x lable:supported", "lable", "label:", QUERY_MEMORIES},
        {"label:suported y", "suported", "label:supported", QUERY_MEMORIES},
        {"kind:belief,nte", "belief,nte", "kind:note", QUERY_MEMORIES},
        {"confidence:high", "high", "<0.7", QUERY_MEMORIES},
        {"after:soonish", "soonish", "a date", QUERY_MEMORIES},
        {"x agent:", "agent:", "", QUERY_MEMORIES},
        {"operation:edit", "operation", "confidence", QUERY_MEMORIES},
        {"label:supported", "label", "operation", QUERY_EVENTS},
        {"/a(b/ x", "/a(b/", "quotes", QUERY_MEMORIES},
        {"x \"not closed y", "\"not closed y", "Close it", QUERY_MEMORIES},
        {"x -\"", "\"", "Close it", QUERY_MEMORIES},
        {"agent:\"not closed", "\"not closed", "Close it", QUERY_MEMORIES},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        AUTO_ARENA arena = ARENA_INIT;
        struct query_terms t;
        struct error e;
        assert_int_equal(parse(cases[i].query, cases[i].on, &arena, &t, &e), -1);
        assert_int_equal(e.code, ERROR_INVALID);
        assert_non_null(strstr(e.hint, cases[i].hint));
        assert_int_equal(t.bad_to - t.bad_from, strlen(cases[i].bad));
        assert_memory_equal(cases[i].query + t.bad_from, cases[i].bad, strlen(cases[i].bad));
    }
}

static int matches(const char *query, const char *raw, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF folded = STRBUF_INIT;
    struct query_terms t;
    assert_int_equal(parse(query, QUERY_MEMORIES, &arena, &t, e), 0);
    fold_text(&folded, raw, strlen(raw));
    struct query_text text = {raw, folded.buf, strlen(raw)};
    return query_matches_text(&t, &text, e);
}

TEST(words_and_patterns_match_a_text)
{
    struct error e;
    const char *text = "Never skip staging before a DEPLOY: Größe 7";
    assert_int_equal(matches("deploy GRÖSSE", "x", &e), 0);
    assert_int_equal(matches("deploy größe", text, &e), 1);
    assert_int_equal(matches("\"skip staging\" -restart", text, &e), 1);
    assert_int_equal(matches("\"staging skip\"", text, &e), 0);
    assert_int_equal(matches("-/never/", text, &e), 0);
    assert_int_equal(matches("/gr.ße\\s\\d/", text, &e), 1);
    assert_int_equal(matches("/Deploy/", text, &e), 0); /* a capital letter: with case */
}

TEST(a_pattern_is_bounded)
{
    struct error e;
    assert_int_equal(
        matches("/^(a+)+$/", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
}

static void offer(void *arg, const char *word, const char *about, int score)
{
    strbuf_addf(arg, "%s ", word);
}

static void name(void *arg, struct query_offering *to, enum query_field field, const char *typed)
{
    if (field == QUERY_AGENT)
        query_offer_value(to, "ash the second", "an agent");
}

static void assert_offers(const char *query, size_t from, const char *offered)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct query_offers offers = {offer, name, &out};
    assert_int_equal(query_complete(query, QUERY_MEMORIES, &offers), from);
    assert_string_equal(out.buf, offered);
}

TEST(the_last_term_is_completed)
{
    assert_offers("x cl", 2, "claims: ");
    assert_offers("x -cl", 2, "-claims: ");
    assert_offers("label:cir", 0, "label:circular ");
    assert_offers("-label:weakened,cir", 0, "-label:weakened,circular ");
    assert_offers("by:sec", 0, "by:\"ash the second\" ");
    assert_offers("by:\"ash t", 0, "by:\"ash the second\" ");
    assert_offers("\"cl", 0, "");
}

TEST(a_value_is_replaced_and_a_half_term_left_out)
{
    AUTO_STRBUF out = STRBUF_INIT;
    query_put(&out, "actor:ash x \"y z\"", "agent", "b \"c\"");
    assert_string_equal(out.buf, "x \"y z\" agent:\"b \\\"c\\\"\"");
    assert_int_equal(query_whole("x agent:a"), 2);
    assert_int_equal(query_whole("x agent:a "), 10);
    assert_int_equal(query_whole("x \"y"), 2);
    assert_int_equal(query_whole("x y"), 3);
}
