/* Reasoning with the tools: the specification's cases, step by step and at once, and errors. */
#include "store/journal/journal.h"
#include "store/mcp/tools/tools.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

/* ---- chains, written as "doc_1 .9, doc_2 .75; doc_1 .85": the sources of each step ---- */

/* Calls a tool with the chain as first argument. */
static const char *call_on(struct fixture *f, const char *tool, const char *chain, const char *more)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line, "{'chain':'%s'%s%s}", chain, *more ? "," : "", more);
    return tool_ask(f, tool, line.buf);
}

static const char *begin_chain(struct fixture *f)
{
    return answer_text(f, tool_ask(f, "cot_begin", "{'question':'q'}"), "ref");
}

/* ---- large ---- */

#define STEPS   200
#define SOURCES 10 /* of each */

/* 200 steps with 2,000 sources, each with a title, a full excerpt and a trace of `trace` bytes. */
static const char *large_chain(struct fixture *f, size_t trace)
{
    AUTO_STRBUF out = STRBUF_INIT;
    strbuf_addstr(&out, "{'original_question':'q','final_answer':'a','reasoning_steps':[");
    for (int i = 1; i <= STEPS; i++) {
        strbuf_addf(&out,
                    "%s{'step_number':%d,'question':'step %d','confidence_score':0.5,"
                    "'reasoning_trace':'",
                    i > 1 ? "," : "", i, i);
        strbuf_addchars(&out, 't', trace);
        strbuf_addstr(&out, "','source_attributions':[");
        for (int k = 0; k < SOURCES; k++) {
            strbuf_addf(&out,
                        "%s{'document_id':'doc_%d','document_title':'Document %d of them',"
                        "'relevance_score':0.%03d,'chunk_index':%d,'retrieval_rank':%d,'excerpt':'",
                        k ? "," : "", i * SOURCES + k, i * SOURCES + k, (i * 7 + k) % 1000, k,
                        k + 1);
            for (int c = 0; c < 200; c++)
                strbuf_addstr(&out, "デ");
            strbuf_addstr(&out, "'}");
        }
        strbuf_addstr(&out, "]}");
    }
    strbuf_addstr(&out, "]}");
    const char *answer = tool_ask(f, "cot_record", out.buf);
    answer_is(answer, "steps", "200");
    assert_null(answer_at(answer, "refused").ptr);
    return answer_text(f, answer, "ref");
}

FIXTURE(fixture_set_up, fixture_tear_down);

TEST(a_large_chain_is_recorded_and_read)
{
    struct fixture *f = *state;
    const char *chain = large_chain(f, 10);
    const char *got = call_on(f, "cot_get", chain, "");
    assert_int_equal(answer_count(got, "reasoning_steps"), STEPS);
    assert_int_equal(answer_count(got, "source_summary.all_sources"), STEPS * SOURCES);
    answer_is(got, "excerpts_left_out", "true"); /* always stated */
    assert_null(answer_at(got, "left_out").ptr);
    got = call_on(f, "cot_get", chain, "'include_excerpts':false");
    assert_int_equal(answer_count(got, "reasoning_steps"), STEPS);
    assert_null(answer_at(got, "excerpts_left_out").ptr);
    got = call_on(f, "cot_sources", chain, "'include_excerpts':false");
    answer_is(got, "total_sources", "2000");
}

/* Each step occurs once, in order, wherever the limit cuts. */
TEST(long_chain_comes_in_parts)
{
    struct fixture *f = *state;
    const char *chain = large_chain(f, 20000);
    size_t given = 0, parts = 0;
    for (bool more = true; more; parts++) {
        char offset[40];
        snprintf(offset, sizeof(offset), "'offset':%zu", given);
        const char *got = call_on(f, "cot_get", chain, offset);
        size_t count = answer_count(got, "reasoning_steps");
        assert_true(count > 0 && strlen(got) <= 3u << 20);
        for (size_t i = 0; i < count; i++) {
            char path[60];
            snprintf(path, sizeof(path), "reasoning_steps.%zu.step_number", i);
            assert_int_equal(answer_number(got, path), ++given);
        }
        more = answer_at(got, "next").ptr != NULL;
        if (more) {
            assert_int_equal(answer_number(got, "next"), given);
            assert_int_equal(answer_number(got, "steps_left_out"), STEPS - given);
        }
    }
    assert_int_equal(given, STEPS);
    assert_true(parts > 1);
    answer_is(call_on(f, "cot_get", chain, "'offset':1000"), "reasoning_steps", "[]");
}

/* ---- as a resource ---- */

/* The usage by step is as long as all steps together, so each part has only its own. */
TEST(usage_by_step_comes_in_parts)
{
    struct fixture *f = *state;
    enum {
        LONG_STEPS = 12,
        USED = 400
    };
    const char *chain = begin_chain(f);
    for (int i = 1; i <= LONG_STEPS; i++) {
        AUTO_STRBUF more = STRBUF_INIT;
        strbuf_addf(&more, "'step_number':%d,'question':'s','retrieved_documents':[", i);
        for (int k = 0; k < USED; k++) {
            strbuf_addf(&more, "%s{'document_id':'%d-%d-", k ? "," : "", i, k);
            strbuf_addchars(&more, 'd', 200);
            strbuf_addstr(&more, "','score':0.5,'title':'");
            strbuf_addchars(&more, 't', 1000);
            strbuf_addstr(&more, "'}");
        }
        strbuf_addch(&more, ']');
        call_on(f, "cot_step", chain, more.buf);
    }
    size_t given = 0;
    for (bool more = true; more;) {
        char offset[40];
        snprintf(offset, sizeof(offset), "'offset':%zu", given);
        const char *got = call_on(f, "cot_get", chain, offset);
        assert_true(strlen(got) <= 3u << 20);
        size_t count = answer_count(got, "reasoning_steps");
        assert_true(count > 0);
        assert_int_equal(answer_count(got, "reasoning_steps.0.source_attributions"), USED);
        assert_int_equal(answer_count(got, "search.reasoning_trace"), count);
        for (size_t i = 1; i <= LONG_STEPS; i++) {
            char path[60];
            bool is_given = i > given && i <= given + count;
            snprintf(path, sizeof(path), "search.source_breakdown.%zu", i);
            assert_int_equal(answer_at(got, path).ptr != NULL, is_given);
            snprintf(path, sizeof(path), "source_summary.source_usage_by_step.%zu", i);
            assert_int_equal(answer_at(got, path).ptr != NULL, is_given);
        }
        answer_is(got, "texts_cut", "true");
        given += count;
        more = answer_at(got, "next").ptr != NULL;
    }
    assert_int_equal(given, LONG_STEPS);
}

TEST(too_long_summary_says_so)
{
    struct fixture *f = *state;
    const char *chain = begin_chain(f);
    AUTO_STRBUF more = STRBUF_INIT;
    strbuf_addstr(&more, "'step_number':1,'question':'s','retrieved_documents':[");
    for (int i = 0; i < 1000; i++) {
        strbuf_addf(&more, "%s{'document_id':'d%d','score':0.%03d,'title':'", i ? "," : "", i, i);
        strbuf_addchars(&more, 't', 5000);
        strbuf_addstr(&more, "'}");
    }
    strbuf_addch(&more, ']');
    const char *step = call_on(f, "cot_step", chain, more.buf);
    size_t told = answer_count(step, "sources");
    assert_int_equal(answer_number(step, "left_out"), 1000 - told);
    const char *finished = call_on(f, "cot_finish", chain, "'final_answer':'a'");
    told = answer_count(finished, "source_summary.all_sources");
    assert_true(told > 100 && told < 1000);
    assert_int_equal(answer_number(finished, "left_out"), 1000 - told);
    answer_is_text(f, finished, "source_summary.all_sources.0.document_id", "d999");
    const char *shown = call_on(f, "cot_sources", chain, "");
    assert_int_equal(answer_number(shown, "left_out"), 1000 - answer_count(shown, "all_sources"));
}
