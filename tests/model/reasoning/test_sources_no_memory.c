/*
 * Sources, citations and summaries with each allocation made to fail in turn: what was asked for fails
 * and says so, or is whole, and nothing leaks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "model/reasoning/citation.h"
#include "model/memory/rating.h"
#include "model/reasoning/reasoning.h"
#include "tests/support/no_memory.h"

#define SLICE(text)                                                                                \
    (struct json_slice)                                                                            \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

/* Several items of each kind, refused ones among them, and what must be mended. */
static const char items[] =
    "[{\"document_id\":\"a\xff\",\"title\":\"t\\u0000\",\"score\":0.9,\"content\":\"c\\u0000\","
    "\"chunk_index\":\" 5 \",\"uri\":\"u\",\"attribution\":\"at\"},5,{\"score\":2},{},"
    "{\"version_hash\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\","
    "\"score\":0."
    "1000000000000000000000000000000000000000000000000000000000000000000000000000000000000},"
    "{\"relevance_score\":0.5,\"score_origin\":\"measured\",\"excerpt\":\"e\","
    "\"retrieval_rank\":\"3\"},{\"title\":[]}]";

static int failed_for_want_of_memory(int result, const struct error *e)
{
    if (result)
        assert_int_equal(e->code, ERROR_MEMORY);
    return result;
}

static int reading_results(void)
{
    struct arena arena = ARENA_INIT;
    struct source_list list;
    struct error e = {0};
    int result = sources_from_results(&list, &arena, SLICE(items), "item", &e);
    if (result == 0) {
        assert_int_equal(list.count, 4);
        assert_int_equal(list.refused_count, 3);
        assert_string_equal(list.source[0].document_id, "a\xef\xbf\xbd");
        assert_int_equal(list.source[0].chunk, 5);
        assert_int_equal(list.source[2].origin, SCORE_MEASURED);
        assert_non_null(list.source[0].version_hash);
    }
    arena_release(&arena);
    return failed_for_want_of_memory(result, &e);
}

static int reading_attributions(void)
{
    struct arena arena = ARENA_INIT;
    struct source_list list;
    struct error e = {0};
    int result = sources_from_attributions(&list, &arena, SLICE(items), "item", &e);
    if (result == 0) {
        assert_int_equal(list.count, 4);
        assert_int_equal(list.source[3].rank, 3);
    }
    arena_release(&arena);
    return failed_for_want_of_memory(result, &e);
}

static int reading_contexts(void)
{
    struct arena arena = ARENA_INIT;
    struct source_list list;
    struct error e = {0};
    const char **text;
    size_t count;
    int result = sources_read_contexts(&text, &count, &arena,
                                       SLICE("[\"id:a\xff b\",\"\",\"x\\u0000\",7,\"id:\"]"), &e);
    if (result == 0)
        result = sources_extract(&list, &arena, SLICE("[]"), "item", text, count, &e);
    if (result == 0)
        assert_int_equal(list.count, 4);
    arena_release(&arena);
    return failed_for_want_of_memory(result, &e);
}

static struct source list[] = {{.document_id = "a", .relevance = .9},
                               {.document_id = "b", .relevance = .8},
                               {.document_id = "a", .relevance = .1}};
static const struct step_sources steps[] = {{1, list, 3}, {2, list, 1}, {1, list, 2}, {3, NULL, 0}};

static int summarising(void)
{
    struct arena arena = ARENA_INIT;
    struct source_summary s;
    struct error e = {0};
    int result = source_summarise(&s, &arena, steps, 4, &e);
    if (result == 0) {
        assert_int_equal(s.count, 2);
        assert_int_equal(s.step_count, 3);
        assert_int_equal(s.step[0].count, 5);
    }
    arena_release(&arena);
    return failed_for_want_of_memory(result, &e);
}

static int comparing(void)
{
    struct arena arena = ARENA_INIT;
    struct source_summary s = {list, 2, list, 2, steps + 1, 1};
    struct error e = {0};
    const char **said;
    size_t count;
    int result = source_summary_compare(
        &s,
        SLICE("{\"all_sources\":[{\"document_id\":\"b\\u0000\",\"document_title\":\"t\"},"
              "{\"document_id\":\"a\",\"excerpt\":\"e\",\"chunk_index\":\"3\","
              "\"relevance_score\":0."
              "9000000000000000000000000000000000000000000000000000000000000000000000}],"
              "\"primary_sources\":[{}],\"source_usage_by_step\":{\"2\":[\"x\"],\"y\":[]}}"),
        &arena, &said, &count, &e);
    if (result == 0)
        assert_int_equal(count, 6);
    arena_release(&arena);
    return failed_for_want_of_memory(result, &e);
}

static int writing(void)
{
    struct strbuf out = STRBUF_INIT;
    struct source_summary s = {list, 2, list, 2, steps, 1};
    source_summary_write(&out, &s);
    source_summary_display(&out, &s, true);
    int result = out.failed ? -1 : 0;
    strbuf_release(&out);
    return result;
}

static int reading_citations(void)
{
    struct arena arena = ARENA_INIT;
    struct citation_list cited;
    struct error e = {0};
    int result = citations_read(
        &cited, &arena,
        SLICE("[{\"documentId\":\"a\",\"location\":{\"page\":\"7\",\"section\":\"s\\u0000\"},"
              "\"relevanceScore\":0."
              "1000000000000000000000000000000000000000000000000000000000000000000000,"
              "\"retrievedAt\":\"2026-01-01\"},{},5,{\"score_origin\":\"x\"}]"),
        7, &e);
    if (result == 0) {
        assert_int_equal(cited.count, 2);
        assert_int_equal(cited.refused_count, 2);
        assert_int_equal(cited.citation[0].page, 7);
    }
    arena_release(&arena);
    return failed_for_want_of_memory(result, &e);
}

static int ranking(void)
{
    const struct citation in[] = {{.document_id = "a", .relevance = .1},
                                  {.document_id = "a", .relevance = .2},
                                  {.document_id = "b", .relevance = .3}};
    struct citation kept[3], out[3];
    size_t count = citations_deduplicate(kept, in, 3);
    if (count == SIZE_MAX)
        return -1;
    assert_int_equal(count, 2);
    count = citations_rank(out, kept, 2, CITATIONS_MAX);
    if (count == SIZE_MAX)
        return -1;
    assert_string_equal(out[0].document_id, "b");
    return 0;
}

static int telling(void)
{
    const struct citation c = {.document_id = "a", .name = "n", .page = 3, .section = "s"};
    struct strbuf out = STRBUF_INIT;
    citation_format(&out, c.name, c.page, c.section);
    citation_added_event(&out, &c, "conversation", 7);
    citation_done_event(&out, &c, 1, "conversation", "message", 7);
    int result = out.failed ? -1 : 0;
    strbuf_release(&out);
    return result;
}

static int finding_citations(void)
{
    struct arena arena = ARENA_INIT;
    struct error e = {0};
    struct cited *found;
    size_t count;
    int result = citations_in_text("(source: a\xff, p.3) (source: b, Section x) (source: c)",
                                   &arena, &found, &count, &e);
    if (result == 0) {
        assert_int_equal(count, 3);
        assert_string_equal(found[1].section, "Section x");
    }
    arena_release(&arena);
    return failed_for_want_of_memory(result, &e);
}

/* Without memory it says what is not: no rating. */
static int rating(void)
{
    struct arena arena = ARENA_INIT;
    struct ref of;
    const char *word;
    int result = rating_parse("document:a relevant", &arena, &of, &word) ? 0 : -1;
    arena_release(&arena);
    return result;
}

static void each_allocation_may_fail(void **state)
{
    static const memory_attempt attempts[] = {
        reading_results, reading_attributions, reading_contexts, summarising, comparing,
        writing,         reading_citations,    ranking,          telling,     finding_citations,
        rating,
    };
    (void)state;
    for (size_t i = 0; i < sizeof(attempts) / sizeof(*attempts); i++)
        fail_each_allocation(attempts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
