/* What sources a retrieval gives: the specification's own cases, and what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/tool_call.h"

#define EXTRACT "extract_sources"

/* "doc_1 0.9 1, doc_2 0.75 2": the sources of a list with their score and rank. */
static void expect_sources(struct fixture *f, const char *answer, const char *list,
                           const char *expected)
{
    struct strbuf got = STRBUF_INIT;
    for (size_t i = 0; i < answer_count(answer, list); i++) {
        char path[120];
        snprintf(path, sizeof(path), "%s.%zu.document_id", list, i);
        strbuf_addf(&got, "%s%s", i ? ", " : "", answer_text(f, answer, path));
        snprintf(path, sizeof(path), "%s.%zu.relevance_score", list, i);
        struct json_slice score = answer_at(answer, path);
        strbuf_addf(&got, " %.*s", (int)score.len, score.ptr);
        snprintf(path, sizeof(path), "%s.%zu.retrieval_rank", list, i);
        struct json_slice rank = answer_at(answer, path);
        if (rank.ptr[0] != 'n')
            strbuf_addf(&got, " %.*s", (int)rank.len, rank.ptr);
    }
    if (strcmp(got.buf, expected) != 0)
        fail_msg("%s: %s, not %s", list, got.buf, expected);
    strbuf_release(&got);
}

/* ---- extract_sources ---- */

static void contexts_become_sources(void **state)
{
    (void)state;
    static const struct {
        const char *contexts, *sources;
    } cases[] = {
        {"'one','two','three'", "context_doc_0 1 1, context_doc_1 0.9 2, context_doc_2 0.8 3"},
        {"'id: doc_abc123 Some content here','id: doc_xyz789 More content'",
         "doc_abc123 1 1, doc_xyz789 0.9 2"},
        {"'id:doc_123 Machine learning content...','Deep learning overview...'",
         "doc_123 1 1, context_doc_1 0.9 2"},
        {"'Valid content','','   ','More valid content'", "context_doc_0 1 1, context_doc_3 0.7 4"},
        {"'id:'", "context_doc_0 1 1"},
        {"'id: doc_unicode émojis 🎉'", "doc_unicode 1 1"},
        {"'id:a id:b rest'", "a 1 1"},
        {"'id:id:x'", "context_doc_0 1 1"},
        {"'ID:doc_1 upper'", "context_doc_0 1 1"},
        {"'The valid: answer','paid:500 now'", "context_doc_0 1 1, context_doc_1 0.9 2"},
        {"", ""},
        {"'a','b','c','d','e','f','g','h','i','j'",
         "context_doc_0 1 1, context_doc_1 0.9 2, context_doc_2 0.8 3, context_doc_3 0.7 4, "
         "context_doc_4 0.6 5, context_doc_5 0.5 6, context_doc_6 0.3999999999999999 7, "
         "context_doc_7 0.3 8, context_doc_8 0.3 9, context_doc_9 0.3 10"},
    };
    struct fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char arguments[400];
        snprintf(arguments, sizeof(arguments), "{'context_documents':[%s]}", cases[i].contexts);
        expect_sources(&f, tool_ask(&f, EXTRACT, arguments), "sources", cases[i].sources);
    }
    assert_int_equal(event_count(&f), 0);
    fixture_close(&f);
}

static void results_are_preferred_to_contexts(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    const char *answer =
        tool_ask(&f, EXTRACT,
                 "{'context_documents':['id:ctx text'],'search_results':[{'document_id':'doc_123',"
                 "'title':'Introduction to AI','score':0.92,'content':'Artificial intelligence "
                 "involves...','chunk_index':0}]}");
    answer_is(answer, "sources",
              "[{'document_id':'doc_123','document_title':'Introduction to AI',"
              "'relevance_score':0.92,'excerpt':'Artificial intelligence involves...',"
              "'chunk_index':0,'retrieval_rank':1,'score_origin':'measured'}]");
    answer = tool_ask(&f, EXTRACT, "{'context_documents':['id:ctx text'],'search_results':[]}");
    expect_sources(&f, answer, "sources", "ctx 1 1");
    answer_says(&f, answer, "sources.0.score_origin", "heuristic");
    answer = tool_ask(&f, EXTRACT, "{'context_documents':null,'search_results':null}");
    answer_is(answer, "sources", "[]");
    fixture_close(&f);
}

static void results_are_read_as_they_come(void **state)
{
    (void)state;
    static const struct {
        const char *result, *source;
    } cases[] = {
        {"{}", "'doc_0','document_title':null,'relevance_score':0.5,'excerpt':'','chunk_index':"
               "null,'retrieval_rank':1,'score_origin':'default'"},
        {"{'document_id':null,'title':null,'document_title':'no','score':null,'relevance_score':1,"
         "'content':null,'text':'no','chunk_index':null}",
         "'doc_0','document_title':null,'relevance_score':0.5,'excerpt':'','chunk_index':null,"
         "'retrieval_rank':1,'score_origin':'default'"},
        {"{'document_id':12345,'title':7,'score':'high','chunk_index':2.0}",
         "'12345','document_title':'7','relevance_score':0.5,'excerpt':'','chunk_index':2,"
         "'retrieval_rank':1,'score_origin':'default'"},
        {"{'document_id':'','document_title':'T','relevance_score':0.25,'text':'t','chunk_index':"
         "' 7 ','more':{'a':[1]}}",
         "'doc_0','document_title':'T','relevance_score':0.25,'excerpt':'t','chunk_index':7,"
         "'retrieval_rank':1,'score_origin':'measured'"},
        {"{'document_id':'d','chunk_index':'seven','score':0}",
         "'d','document_title':null,'relevance_score':0,'excerpt':'','chunk_index':null,"
         "'retrieval_rank':1,'score_origin':'measured'"},
        {"{'document_id':'d','chunk_index':2.5,'score':1}",
         "'d','document_title':null,'relevance_score':1,'excerpt':'','chunk_index':null,"
         "'retrieval_rank':1,'score_origin':'measured'"},
    };
    struct fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char arguments[400], source[400];
        snprintf(arguments, sizeof(arguments), "{'context_documents':[],'search_results':[%s]}",
                 cases[i].result);
        snprintf(source, sizeof(source), "[{'document_id':%s}]", cases[i].source);
        answer_is(tool_ask(&f, EXTRACT, arguments), "sources", source);
        tool_allows(&f, EXTRACT, arguments);
    }
    fixture_close(&f);
}

static void an_excerpt_is_of_code_points(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    struct strbuf line = STRBUF_INIT;
    for (int results = 0; results < 2; results++) {
        strbuf_clear(&line);
        strbuf_addstr(&line, results ? "{'context_documents':[],'search_results':[{'content':'"
                                     : "{'context_documents':['");
        for (int i = 0; i < 201; i++)
            strbuf_addstr(&line, "🌍");
        strbuf_addstr(&line, results ? "'}]}" : "']}");
        const char *answer = tool_ask(&f, EXTRACT, line.buf);
        assert_int_equal(strlen(answer_text(&f, answer, "sources.0.excerpt")), 200 * 4);
    }
    strbuf_release(&line);
    fixture_close(&f);
}

static void a_bad_item_is_refused_by_itself(void **state)
{
    (void)state;
    static const char *const bad[] = {"{'score':1.5}",
                                      "{'score':-0.1}",
                                      "{'score':1e9}",
                                      "{'document_id':{'a':1}}",
                                      "{'title':[]}",
                                      "{'content':{}}",
                                      "7",
                                      "null",
                                      "'text'",
                                      "{'version_hash':'abc'}"};
    struct fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        char arguments[300];
        snprintf(arguments, sizeof(arguments),
                 "{'context_documents':[],'search_results':[{'score':0.9},%s,{'score':0.2}]}",
                 bad[i]);
        const char *answer = tool_ask(&f, EXTRACT, arguments);
        expect_sources(&f, answer, "sources", "doc_0 0.9 1, doc_2 0.2 3");
        assert_int_equal(answer_count(answer, "refused"), 1);
        assert_int_equal(answer_number(answer, "refused.0.index"), 1);
        assert_true(strlen(answer_text(&f, answer, "refused.0.reason")) > 8);
    }
    const char *answer = tool_ask(&f, EXTRACT, "{'context_documents':['a',{},null,7,[1],'b']}");
    expect_sources(&f, answer, "sources",
                   "context_doc_0 1 1, context_doc_3 0.7 4, "
                   "context_doc_5 0.5 6");
    assert_int_equal(answer_count(answer, "refused"), 2);
    assert_int_equal(answer_number(answer, "refused.1.index"), 4);
    answer_says(&f, answer, "refused.0.reason", "context_documents[1] is no text");
    fixture_close(&f);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    tool_refuses(&f, EXTRACT, "{}", ERROR_INVALID, "context_documents is missing");
    tool_refuses(&f, EXTRACT, "{\"context_documents\":\"a\"}", ERROR_INVALID, "is a string");
    tool_refuses(&f, EXTRACT, "{\"context_documents\":[],\"search_results\":{}}", ERROR_INVALID,
                 "search_results is an object");
    fixture_close(&f);
}

/* So many sources that an answer has no room for all of them. */
static void what_is_left_out_is_counted(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    struct strbuf line = STRBUF_INIT;
    strbuf_addstr(&line, "{'context_documents':[],'search_results':[");
    for (int i = 0; i < 1000; i++) {
        strbuf_addf(&line, "%s{'title':'", i ? "," : "");
        strbuf_addchars(&line, 't', 4000);
        strbuf_addstr(&line, "'}");
    }
    strbuf_addstr(&line, "]}");
    const char *answer = tool_ask(&f, EXTRACT, line.buf);
    size_t told = answer_count(answer, "sources");
    assert_true(told > 100 && told < 1000);
    assert_int_equal(answer_number(answer, "left_out"), 1000 - (int64_t)told);
    strbuf_release(&line);
    fixture_close(&f);
}

/* A logged retrieval that a source names is checked; one that is not here yet is told. */
static void an_attribution_names_a_logged_retrieval(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f);
    const char *chain = answer_text(&f, tool_ask(&f, "cot_begin", "{'question':'q'}"), "ref");
    const char *raw = answer_text(&f, tool_ask(&f, "memory_raw", "{'blob':'seen'}"), "ref");
    struct strbuf more = STRBUF_INIT;
    strbuf_addf(&more,
                "{'chain':'%s','step_number':1,'question':'s','retrieved_documents':["
                "{'document_id':'a','attribution':'%s'},"
                "{'document_id':'b','attribution':'attribution:never-logged'},"
                "{'document_id':'c','attribution':'attribution:never-logged'},"
                "{'document_id':'d','attribution':'belief:b'},{'document_id':'e'}]}",
                chain, raw);
    const char *step = tool_ask(&f, "cot_step", more.buf);
    answer_is(step, "unresolved", "['attribution:never-logged']");
    assert_int_equal(answer_count(step, "sources"), 3);
    assert_int_equal(answer_count(step, "refused"), 2);
    const char *reason = answer_text(&f, step, "refused.0.reason");
    assert_non_null(strstr(reason, "retrieved_documents[0] (“a”): attribution: raw:"));
    assert_non_null(strstr(reason, "is no logged retrieval"));
    answer_is(step, "refused.1.index", "3");
    strbuf_clear(&more);
    strbuf_addf(&more, "{'chain':'%s','step_number':2,'question':'s'}", chain);
    step = tool_ask(&f, "cot_step", more.buf);
    assert_null(answer_at(step, "unresolved").ptr);
    strbuf_release(&more);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_attribution_names_a_logged_retrieval),
        cmocka_unit_test(contexts_become_sources),
        cmocka_unit_test(results_are_preferred_to_contexts),
        cmocka_unit_test(results_are_read_as_they_come),
        cmocka_unit_test(an_excerpt_is_of_code_points),
        cmocka_unit_test(a_bad_item_is_refused_by_itself),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(what_is_left_out_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
