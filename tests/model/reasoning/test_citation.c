/* Citations of a response: reading, formatting, deduplicating, ranking, and events. */
#include "model/reasoning/citation.h"
#include "tests/support/test.h"

#define NOW INT64_C(1700000000123) /* 2023-11-14T22:13:20.123Z */

static struct arena arena = ARENA_INIT;
static struct citation_list list;

static int teardown(void **state)
{
    arena_release(&arena);
    return 0;
}

static void read_list(const char *json)
{
    struct error e;
    assert_int_equal(json_check_lax(json, strlen(json), JSON_DEPTH_MAX, &e), 0);
    citations_read(&list, &arena, json_trim(json, strlen(json)), NOW);
}

/* The only citation, in the form of an event. */
static void expect_written(const char *expected)
{
    AUTO_STRBUF out = STRBUF_INIT;
    assert_int_equal(list.count, 1);
    citation_write(&out, &list.citation[0]);
    assert_string_equal(out.buf, expected);
}

static void expect_refused(const char *json, const char *reason)
{
    read_list(json);
    assert_int_equal(list.count, 0);
    assert_int_equal(list.refused_count, 1);
    assert_string_equal(list.refused[0].reason, reason);
}

/* ---- reading ---- */

GROUP(NULL, teardown);

TEST(a_whole_citation_is_read_and_written)
{
    read_list("[{\"documentId\":\"doc-1\",\"documentName\":\"Report\",\"location\":{\"page\":5,"
              "\"section\":\"Chapter 1\",\"paragraph\":0},\"snippet\":\"words\","
              "\"relevanceScore\":0.85,\"retrievedAt\":\"2026-01-11T10:00:00.5+02:00\"}]");
    expect_written("{\"documentId\":\"doc-1\",\"documentName\":\"Report\",\"location\":{\"page\":5,"
                   "\"section\":\"Chapter 1\",\"paragraph\":0},\"snippet\":\"words\","
                   "\"relevanceScore\":0.85,\"retrievedAt\":\"2026-01-11T08:00:00.500Z\"}");
    assert_int_equal(list.citation[0].origin, SCORE_ASSERTED);
    assert_false(list.citation[0].invented || list.citation[0].unnamed);
}

TEST(absent_members_are_made_up_or_omitted)
{
    read_list("[{}]");
    expect_written("{\"documentId\":\"source-1\",\"documentName\":\"Unknown source\","
                   "\"relevanceScore\":0.5,\"retrievedAt\":\"2023-11-14T22:13:20.123Z\","
                   "\"score_origin\":\"default\"}");
    assert_true(list.citation[0].invented && list.citation[0].unnamed);
    read_list("[{\"documentId\":null,\"documentName\":null,\"location\":null,\"snippet\":null,"
              "\"relevanceScore\":null,\"retrievedAt\":null,\"score_origin\":null}]");
    expect_written("{\"documentId\":\"source-1\",\"documentName\":\"Unknown source\","
                   "\"relevanceScore\":0.5,\"retrievedAt\":\"2023-11-14T22:13:20.123Z\","
                   "\"score_origin\":\"default\"}");
    read_list("[{\"documentId\":\"x\",\"documentName\":\"\",\"location\":{\"page\":null,"
              "\"section\":\"\",\"paragraph\":null},\"snippet\":\"\",\"relevanceScore\":-0,"
              "\"score_origin\":\"measured\"}]");
    expect_written("{\"documentId\":\"x\",\"documentName\":\"Unknown source\",\"snippet\":\"\","
                   "\"relevanceScore\":0,\"retrievedAt\":\"2023-11-14T22:13:20.123Z\","
                   "\"score_origin\":\"measured\"}");
    assert_null(list.citation[0].section);
}

TEST(made_up_ids_are_numbered_in_the_response)
{
    read_list("[{\"documentId\":\"a\"},{\"documentId\":\"\"},{\"relevanceScore\":2},{}]");
    assert_int_equal(list.count, 3);
    assert_string_equal(list.citation[1].document_id, "source-2");
    assert_string_equal(list.citation[2].document_id, "source-4");
    assert_int_equal(list.refused_count, 1);
    assert_int_equal(list.refused[0].index, 2);
}

TEST(numbers_are_accepted_as_texts)
{
    read_list("[{\"documentId\":12345,\"documentName\":2024,\"location\":{\"section\":4.20}}]");
    assert_string_equal(list.citation[0].document_id, "12345");
    assert_string_equal(list.citation[0].name, "2024");
    assert_string_equal(list.citation[0].section, "4.20");
    read_list("[{\"documentName\":\"a\\u0000\xff\"}]");
    assert_string_equal(list.citation[0].name, "a\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(a_page_is_a_whole_number)
{
    static const struct {
        const char *json;
        int64_t page; /* -1: refused */
    } pages[] = {
        {"12", 12},
        {"12.0", 12},
        {"\"12\"", 12},
        {"\" 12 \"", 12},
        {"0", 0},
        {"-0", 0},
        {"\"0\"", 0},
        {"null", 0},
        {"\"\"", 0},
        {"1e2", 100},
        {"-1", -1},
        {"1e300", -1},
        {"2.5", -1},
        {"true", -1},
        {"\"iv\"", -1},
        {"\"-1\"", -1},
        {"[]", -1},
        {"{}", -1},
        {"9223372036854775807", INT64_MAX},
        {"9223372036854775808", -1},
    };
    for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
        char json[80];
        snprintf(json, sizeof(json), "[{\"location\":{\"page\":%s}}]", pages[i].json);
        if (pages[i].page < 0) {
            expect_refused(json, "sources[0]: location.page is no whole number from 0 on");
            continue;
        }
        read_list(json);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.citation[0].page, pages[i].page);
    }
}

TEST(a_time_is_iso_8601)
{
    static const struct {
        const char *json;
        int64_t at;
    } times[] = {
        {"\"1970-01-01T00:00:01Z\"", 1000},   {"\"1970-01-01T00:00:01.0239Z\"", 1023},
        {"\"1970-01-01T02:00:00+02:00\"", 0}, {"\"1970-01-01T00:00:00-0530\"", 19800000},
        {"\"1970-01-01T00:00:02\"", 2000}, /* no zone means UTC */
        {"\"1970-01-02\"", 86400000},
    };
    static const char *const bad[] = {"\"yesterday\"",
                                      "\"\"",
                                      "5",
                                      "1700000000000",
                                      "true",
                                      "[]",
                                      "\"2026-02-30T00:00:00Z\"",
                                      "\"2026-01-01T00:00:00Zx\"",
                                      "\"2026-01-01\\u0000\""};
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        char json[80];
        snprintf(json, sizeof(json), "[{\"retrievedAt\":%s}]", times[i].json);
        read_list(json);
        assert_int_equal(list.citation[0].retrieved_at, times[i].at);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        char json[80];
        snprintf(json, sizeof(json), "[{\"retrievedAt\":%s}]", bad[i]);
        read_list(json);
        assert_int_equal(list.count, 0);
        assert_non_null(strstr(list.refused[0].reason, "sources[0]: retrievedAt is "));
    }
}

TEST(errors_name_the_item)
{
    expect_refused("[5]", "sources[0]: it is not an object");
    expect_refused("[{\"relevanceScore\":1.0000001}]",
                   "sources[0]: relevanceScore is 1.0000001, which is not between 0 and 1");
    expect_refused("[{\"relevanceScore\":\"0.9\"}]", "sources[0]: relevanceScore is not a number");
    expect_refused("[{\"relevanceScore\":true}]", "sources[0]: relevanceScore is not a number");
    expect_refused("[{\"location\":5}]", "sources[0]: location is not an object");
    expect_refused("[{\"location\":{\"section\":[]}}]",
                   "sources[0]: location.section is neither text nor a number");
    expect_refused("[{\"location\":{\"paragraph\":-2}}]",
                   "sources[0]: location.paragraph is no whole number from 0 on");
    expect_refused("[{\"documentId\":{}}]", "sources[0]: documentId is neither text nor a number");
    expect_refused("[{\"snippet\":false}]", "sources[0]: snippet is neither text nor a number");
    expect_refused("[{\"score_origin\":\"none\"}]",
                   "sources[0]: score_origin is none of measured, heuristic, default and asserted");
}

TEST(citations_survive_a_round_trip)
{
    static const char *const written[] = {
        "[{\"documentId\":\"d\",\"documentName\":\"n\",\"relevanceScore\":1,"
        "\"retrievedAt\":\"2023-11-14T22:13:20.000Z\",\"score_origin\":\"heuristic\"}]",
        "[{\"documentId\":\"d\",\"documentName\":\"n\",\"location\":{\"paragraph\":3},"
        "\"snippet\":\"s\",\"relevanceScore\":0.25,\"retrievedAt\":\"1969-12-31T23:59:59.999Z\"}]",
    };
    for (size_t i = 0; i < 2; i++) {
        AUTO_STRBUF out = STRBUF_INIT;
        read_list(written[i]);
        strbuf_addch(&out, '[');
        citation_write(&out, &list.citation[0]);
        strbuf_addch(&out, ']');
        assert_string_equal(out.buf, written[i]);
    }
}

TEST(a_value_that_is_not_a_list_has_no_citations)
{
    static const char *const none[] = {"[]", "null", "{}", "5"};
    for (size_t i = 0; i < 4; i++) {
        read_list(none[i]);
        assert_int_equal(list.count + list.refused_count, 0);
    }
}

/* ---- formatting ---- */

static void expect_formatted(const char *name, int64_t page, const char *section,
                             const char *expected)
{
    AUTO_STRBUF out = STRBUF_INIT;
    citation_format(&out, name, page, section);
    assert_string_equal(out.buf, expected);
}

TEST(a_citation_is_formatted)
{
    expect_formatted("Management Presentation", 12, NULL, "(Management Presentation, page 12)");
    expect_formatted("CIM Draft", 0, "Executive Summary", "(CIM Draft, Executive Summary)");
    expect_formatted("Report", 5, "Chapter 1", "(Report, page 5, Chapter 1)");
    expect_formatted("Report", 0, NULL, "(Report, document)");
    expect_formatted("Report", 0, "", "(Report, document)");
    expect_formatted("Report", 3, "", "(Report, page 3)");
    expect_formatted("", -1, NULL, "(, document)");
}

/* ---- deduplicating and ranking ---- */

#define CITED(id, at, sec, score, words)                                                           \
    {                                                                                              \
        .document_id = id, .page = at, .section = sec, .relevance = score, .snippet = words,       \
        .paragraph = -1, .name = "N", .retrieved_at = INT64_MIN, .origin = SCORE_ASSERTED          \
    }

static void expect_ids(const struct citation *c, size_t count, const char *expected)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&text, "%s%s", i ? " " : "", c[i].document_id);
    assert_string_equal(text.buf, expected);
}

TEST(a_passage_is_cited_once)
{
    const struct citation in[] = {CITED("doc-1", 1, NULL, .8, "a"),
                                  CITED("doc-1", 1, NULL, .7, "b"),
                                  CITED("doc-2", 1, NULL, .6, "c")};
    struct citation out[3];
    assert_int_equal(citations_deduplicate(out, in, 3), 2);
    expect_ids(out, 2, "doc-1 doc-2");
    assert_true(out[0].relevance == .8);
    const struct citation one[] = {CITED("d", 3, "S", .5, "a"), CITED("d", 3, "S", .9, "b"),
                                   CITED("d", 3, "S", .7, "c")};
    assert_int_equal(citations_deduplicate(out, one, 3), 1);
    assert_string_equal(out[0].snippet, "b");
    assert_int_equal(citations_deduplicate(out, one, 0), 0);
}

TEST(a_better_citation_replaces_the_first)
{
    const struct citation in[] = {CITED("a", 1, NULL, .8, "first"),
                                  CITED("b", 1, NULL, .9, "second"),
                                  CITED("a", 1, NULL, .9, "third")};
    struct citation out[3], ranked[3];
    assert_int_equal(citations_deduplicate(out, in, 3), 2);
    expect_ids(out, 2, "a b");
    assert_string_equal(out[0].snippet, "third");
    assert_int_equal(citations_rank(ranked, out, 2, CITATIONS_MAX), 2);
    expect_ids(ranked, 2, "a b");
}

TEST(passages_are_compared_by_their_fields)
{
    const struct citation in[] = {CITED("a", 0, NULL, .1, NULL),  CITED("a", 0, "", .2, NULL),
                                  CITED("a", -1, NULL, .3, NULL), CITED("a", 1, NULL, .1, NULL),
                                  CITED("a", 1, "2", .1, NULL),   CITED("a", 12, NULL, .1, NULL),
                                  CITED("a:1", 0, "2", .1, NULL), CITED("a", 1, ":2", .1, NULL),
                                  CITED("A", 0, NULL, .1, NULL)};
    struct citation out[9];
    assert_int_equal(citations_deduplicate(out, in, 9), 7);
    expect_ids(out, 7, "a a a a a:1 a A");
    assert_true(out[0].relevance == .3);
}

TEST(made_up_ids_never_equal_given_ones)
{
    read_list("[{\"documentId\":\"source-2\",\"relevanceScore\":0.1},{\"relevanceScore\":0.2}]");
    struct citation out[2];
    assert_int_equal(citations_deduplicate(out, list.citation, 2), 2);
    expect_ids(out, 2, "source-2 source-2-2");
}

TEST(ranks_are_stable_and_limited)
{
    const struct citation in[] = {CITED("a", 0, NULL, .5, NULL), CITED("b", 0, NULL, .9, NULL),
                                  CITED("c", 0, NULL, .5, NULL), CITED("d", 0, NULL, .9, NULL)};
    struct citation out[7], seven[7];
    assert_int_equal(citations_rank(out, in, 4, SIZE_MAX), 4);
    expect_ids(out, 4, "b d a c");
    expect_ids(in, 4, "a b c d");
    assert_int_equal(citations_rank(out, in, 4, 0), 0);
    assert_int_equal(citations_rank(out, in, 4, 1), 1);
    expect_ids(out, 1, "b");
    assert_int_equal(citations_rank(NULL, NULL, 0, 5), 0);
    for (size_t i = 0; i < 7; i++)
        seven[i] = (struct citation)CITED("x", 0, NULL, 0.3 + (double)i / 10, NULL);
    assert_int_equal(citations_rank(out, seven, 7, CITATIONS_MAX), 5);
    assert_true(fabs(out[0].relevance - .9) < 1e-9 && fabs(out[4].relevance - .5) < 1e-9);
    seven[0].relevance = NAN;
    assert_int_equal(citations_rank(out, seven, 2, 2), 2);
    assert_true(isnan(out[1].relevance));
}

static void expect_uncertainty(const double *scores, size_t count, const char *expected)
{
    struct citation c[4];
    for (size_t i = 0; i < count; i++)
        c[i] = (struct citation)CITED("x", 0, NULL, scores[i], NULL);
    assert_string_equal(uncertainty_name(citations_uncertainty(c, count)), expected);
}

TEST(uncertainty_follows_the_mean)
{
    expect_uncertainty(NULL, 0, "complete");
    expect_uncertainty((double[]){1}, 1, "none");
    expect_uncertainty((double[]){.7}, 1, "low");
    expect_uncertainty((double[]){.7, .7, .7, .7}, 4, "low");
    expect_uncertainty((double[]){.9, .5}, 2, "low");
    expect_uncertainty((double[]){.71}, 1, "none");
    expect_uncertainty((double[]){.5}, 1, "medium");
    expect_uncertainty((double[]){.51, .5}, 2, "low");
    expect_uncertainty((double[]){.3}, 1, "high");
    expect_uncertainty((double[]){.31}, 1, "medium");
    expect_uncertainty((double[]){0}, 1, "high");
}

/* ---- events ---- */

TEST(events_are_as_specified)
{
    const struct citation c = CITED("d", 0, NULL, .5, NULL);
    struct strbuf out = STRBUF_INIT;
#define SOURCE "{\"documentId\":\"d\",\"documentName\":\"N\",\"relevanceScore\":0.5}"
    citation_added_event(&out, &c, "conv", NOW);
    assert_string_equal(out.buf, "{\"type\":\"source_added\",\"source\":" SOURCE
                                 ",\"conversationId\":\"conv\","
                                 "\"timestamp\":\"2023-11-14T22:13:20.123Z\"}");
    strbuf_clear(&out);
    citation_added_event(&out, &c, NULL, NOW);
    assert_string_equal(out.buf, "{\"type\":\"source_added\",\"source\":" SOURCE
                                 ",\"timestamp\":\"2023-11-14T22:13:20.123Z\"}");
    strbuf_clear(&out);
    citation_done_event(&out, &c, 1, "conv", "msg", NOW);
    assert_string_equal(out.buf, "{\"type\":\"done\",\"messageId\":\"msg\",\"sources\":[" SOURCE
                                 "],\"conversationId\":\"conv\","
                                 "\"timestamp\":\"2023-11-14T22:13:20.123Z\"}");
    strbuf_clear(&out);
    citation_done_event(&out, NULL, 0, NULL, NULL, NOW);
    assert_string_equal(out.buf, "{\"type\":\"done\",\"sources\":[],"
                                 "\"timestamp\":\"2023-11-14T22:13:20.123Z\"}");
    strbuf_release(&out);
}
