/* Reasoning through the tools: the specification's own cases, step by step and whole, and what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/journal/journal.h"
#include "store/mcp/tools/tools.h"
#include "tests/support/tool_call.h"

#define SIZE(list) (sizeof(list) / sizeof(*(list)))

/* ---- chains, written as "doc_1 .9, doc_2 .75; doc_1 .85": the sources of each step ---- */

/* {'document_id':…,NAME:…} for each source of a step. */
static void add_given_sources(struct strbuf *out, const char *sources, size_t len,
                              const char *score)
{
    char id[64];
    double number;
    int used, count = 0;
    strbuf_addch(out, '[');
    for (const char *at = sources; at < sources + len; at += used) {
        used = 1;
        if (*at == ' ')
            continue;
        if (sscanf(at, " %63s %lf%n", id, &number, &used) != 2)
            fail_msg("no source in %s", at);
        used += at[used] == ',';
        strbuf_addf(out, "%s{'document_id':'%s','%s':%.17g}", count++ ? "," : "", id, score,
                    number);
    }
    strbuf_addch(out, ']');
}

/* The arguments of cot_record. */
static const char *whole_chain(struct fixture *f, const char *steps)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addstr(&out, "{'original_question':'q','final_answer':'a','reasoning_steps':[");
    for (int number = 1; *steps; number++) {
        size_t len = strcspn(steps, ";");
        strbuf_addf(&out, "%s{'step_number':%d,'question':'s','source_attributions':",
                    number > 1 ? "," : "", number);
        add_given_sources(&out, steps, len, "relevance_score");
        strbuf_addch(&out, '}');
        steps += len + (steps[len] == ';');
    }
    strbuf_addstr(&out, "]}");
    const char *kept = arena_strndup(&f->arena, out.buf, out.len);
    strbuf_release(&out);
    return kept;
}

/* A call whose arguments begin with the chain. */
static const char *call_on(struct fixture *f, const char *tool, const char *chain, const char *more)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "{'chain':'%s'%s%s}", chain, *more ? "," : "", more);
    const char *answer = tool_ask(f, tool, line.buf);
    strbuf_release(&line);
    return answer;
}

static void refuse_on(struct fixture *f, const char *tool, const char *chain, const char *more,
                      enum error_code code, const char *what)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "{'chain':'%s'%s%s}", chain, *more ? "," : "", more);
    tool_objects(f, tool, line.buf, code, what);
    strbuf_release(&line);
}

static const char *begin_chain(struct fixture *f)
{
    return answer_text(f, tool_ask(f, "cot_begin", "{'question':'q'}"), "ref");
}

/* The same a step at a time; what cot_finish answers. */
static const char *step_by_step(struct fixture *f, const char *steps)
{
    const char *chain = begin_chain(f);
    for (int number = 1; *steps; number++) {
        struct strbuf more = STRBUF_INIT;
        size_t len = strcspn(steps, ";");
        strbuf_addf(&more, "'step_number':%d,'question':'s','retrieved_documents':", number);
        add_given_sources(&more, steps, len, "score");
        call_on(f, "cot_step", chain, more.buf);
        strbuf_release(&more);
        steps += len + (steps[len] == ';');
    }
    return call_on(f, "cot_finish", chain, "'final_answer':'a'");
}

/* "doc_1 0.9, doc_3 0.8" */
static void expect_list(struct fixture *f, const char *answer, const char *list,
                        const char *expected)
{
    struct strbuf got = STRBUF_INIT;
    for (size_t i = 0; i < answer_count(answer, list); i++) {
        char path[120];
        snprintf(path, sizeof(path), "%s.%zu.document_id", list, i);
        strbuf_addf(&got, "%s%s ", i ? ", " : "", answer_text(f, answer, path));
        snprintf(path, sizeof(path), "%s.%zu.relevance_score", list, i);
        struct json_slice score = answer_at(answer, path);
        strbuf_add(&got, score.ptr, score.len);
    }
    if (strcmp(got.buf, expected) != 0)
        fail_msg("%s: %s, not %s", list, got.buf, expected);
    strbuf_release(&got);
}

static const struct {
    const char *steps, *all, *primary, *usage;
} summaries[] = {
    {"doc_1 .9, doc_2 .75; doc_1 .85, doc_3 .8", "doc_1 0.9, doc_3 0.8, doc_2 0.75",
     "doc_1 0.9, doc_3 0.8, doc_2 0.75", "{'1':['doc_1','doc_2'],'2':['doc_1','doc_3']}"},
    {"a .95, b .85, c .75, d .72", "a 0.95, b 0.85, c 0.75, d 0.72", "a 0.95, b 0.85, c 0.75",
     "{'1':['a','b','c','d']}"},
    {"a .5, b .4, c .3, d .2", "a 0.5, b 0.4, c 0.3, d 0.2", "a 0.5, b 0.4, c 0.3",
     "{'1':['a','b','c','d']}"},
    {"a .9, b .6", "a 0.9, b 0.6", "a 0.9", "{'1':['a','b']}"},
    {"a .7, b .6, c .5, d .4", "a 0.7, b 0.6, c 0.5, d 0.4", "a 0.7, b 0.6, c 0.5",
     "{'1':['a','b','c','d']}"},
    {"a .5, b .5; c .5, a .5", "a 0.5, b 0.5, c 0.5", "a 0.5, b 0.5, c 0.5",
     "{'1':['a','b'],'2':['c','a']}"},
    {"a .5, b .9; a .9", "a 0.9, b 0.9", "a 0.9, b 0.9", "{'1':['a','b'],'2':['a']}"},
    {"a .9, a .8, a .9", "a 0.9", "a 0.9", "{'1':['a','a','a']}"},
    {"a .9; ;b .1", "a 0.9, b 0.1", "a 0.9", "{'1':['a'],'2':[],'3':['b']}"},
    {"", "", "", "{}"},
};

static void expect_summary(struct fixture *f, const char *answer, const char *within, size_t i)
{
    char path[80];
    snprintf(path, sizeof(path), "%sall_sources", within);
    expect_list(f, answer, path, summaries[i].all);
    snprintf(path, sizeof(path), "%sprimary_sources", within);
    expect_list(f, answer, path, summaries[i].primary);
    snprintf(path, sizeof(path), "%ssource_usage_by_step", within);
    answer_is(answer, path, summaries[i].usage);
}

static void a_chain_is_summarised(void **state)
{
    struct fixture *f = *state;
    for (size_t i = 0; i < SIZE(summaries); i++) {
        const char *whole = tool_ask(f, "cot_record", whole_chain(f, summaries[i].steps));
        expect_summary(f, whole, "source_summary.", i);
        const char *stepped = step_by_step(f, summaries[i].steps);
        expect_summary(f, stepped, "source_summary.", i);
        const char *got = call_on(f, "cot_get", answer_text(f, stepped, "ref"), "");
        expect_summary(f, got, "source_summary.", i);
        answer_is(got, "search.source_breakdown", summaries[i].usage);
        expect_list(f, got, "search.sources", summaries[i].primary);
    }
}

/* Who says so is never lost on the way. */
static void the_origin_of_a_score_is_kept(void **state)
{
    struct fixture *f = *state;
    const char *answer =
        tool_ask(f, "cot_record",
                 "{'original_question':'q','final_answer':'a','reasoning_steps':[{'step_number':1,"
                 "'question':'s','source_attributions':[{'document_id':'a','relevance_score':0.9},"
                 "{'document_id':'b','relevance_score':0.8,'score_origin':'measured'},"
                 "{'document_id':'c'}]},{'step_number':2,'question':'t','context_used':['id:d x']}"
                 "]}");
    const char *got = call_on(f, "cot_get", answer_text(f, answer, "ref"), "");
    static const char *const origins[] = {"asserted", "measured", "default"};
    for (size_t i = 0; i < 3; i++) {
        char path[80];
        snprintf(path, sizeof(path), "reasoning_steps.0.source_attributions.%zu.score_origin", i);
        answer_says(f, got, path, origins[i]);
    }
    answer_says(f, got, "reasoning_steps.1.source_attributions.0.score_origin", "heuristic");
    answer_says(f, got, "source_summary.all_sources.0.score_origin", "heuristic"); /* d, 1 */
}

/* ---- the form for display ---- */

static void sources_are_displayed(void **state)
{
    struct fixture *f = *state;
    static const char chain[] =
        "{'original_question':'q','final_answer':'a','reasoning_steps':[{'step_number':1,"
        "'question':'s','source_attributions':[{'document_id':'a','document_title':'A title',"
        "'relevance_score':0.92,'excerpt':'words','retrieval_rank':2},{'document_id':'b',"
        "'document_title':null,'relevance_score':0.87,'excerpt':''},{'document_id':'c',"
        "'relevance_score':0.123456789}]},{'step_number':4,'question':'t'}]}";
    const char *ref = answer_text(f, tool_ask(f, "cot_record", chain), "ref");
    answer_is(call_on(f, "cot_sources", ref, ""), "",
              "{'total_sources':3,'primary_sources':[{'document_id':'a','title':'A title',"
              "'relevance':0.92,'rank':2,'excerpt':'words'},{'document_id':'b','title':'b',"
              "'relevance':0.87}],'all_sources':[{'document_id':'a','title':'A title',"
              "'relevance':0.92,'excerpt':'words'},{'document_id':'b','title':'b','relevance':"
              "0.87},{'document_id':'c','title':'c','relevance':0.12}],'step_breakdown':{"
              "'step_1':{'step_number':1,'sources_used':3,'document_ids':['a','b','c']},"
              "'step_4':{'step_number':4,'sources_used':0,'document_ids':[]}}}");
    const char *without = call_on(f, "cot_sources", ref, "'include_excerpts':false");
    assert_null(strstr(without, "excerpt"));
    without = call_on(f, "cot_get", ref, "'include_excerpts':false");
    assert_null(strstr(without, "words"));
}

/* ---- a step ---- */

static void a_step_takes_what_a_search_gave(void **state)
{
    struct fixture *f = *state;
    const char *chain = begin_chain(f);
    const char *step = call_on(
        f, "cot_step", chain,
        "'step_number':1,'question':'Which stage?','intermediate_answer':null,"
        "'reasoning_trace':null,'confidence_score':null,'execution_time':null,'token_usage':null,"
        "'context_used':['id:ignored x'],'source_attributions':null,'retrieved_documents':["
        "{'document_id':'ml_handbook_ch3','title':'Machine Learning Handbook','score':0.85,"
        "'content':'Machine learning algorithms','chunk_index':2,'metadata':{'a':[null]}},"
        "{'score':'none'},7]");
    expect_list(f, step, "sources", "ml_handbook_ch3 0.85, doc_1 0.5");
    assert_int_equal(answer_count(step, "refused"), 1);
    assert_int_equal(answer_number(step, "refused.0.index"), 2);
    const char *got = call_on(f, "cot_get", answer_text(f, step, "ref"), "");
    answer_says(f, got, "ref", chain);
    answer_is(got, "final_answer", "null");
    answer_is(got, "reasoning_steps.0.intermediate_answer", "null");
    answer_is(got, "reasoning_steps.0.execution_time", "null");
    answer_says(f, got, "reasoning_steps.0.source_attributions.0.document_title",
                "Machine Learning Handbook");
    answer_is(got, "reasoning_steps.0.source_attributions.0.chunk_index", "2");
    answer_says(f, got, "reasoning_steps.0.source_attributions.0.ref", "document:ml_handbook_ch3");
}

/* What is given as a context because an earlier step answered it is no document. */
static void an_earlier_answer_is_a_link_to_its_step(void **state)
{
    struct fixture *f = *state;
    const char *chain = begin_chain(f);
    call_on(f, "cot_step", chain,
            "'step_number':1,'question':'a','intermediate_answer':'Linking takes 71 s.'");
    const char *step = call_on(f, "cot_step", chain,
                               "'step_number':2,'question':'b','context_used':["
                               "'Linking takes 71 s.','another text']");
    expect_list(f, step, "sources", "context_doc_1 0.9");
    const char *got = call_on(f, "cot_get", chain, "");
    answer_is(got, "reasoning_steps.1.earlier_steps", "[1]");
}

/* From a belief over the step and the document to the retrieval that was logged. */
static void a_belief_goes_back_to_the_retrieval(void **state)
{
    struct fixture *f = *state;
    struct strbuf line = STRBUF_INIT;
    const char *log = tool_ask(f, "log_source_attribution",
                               "{'agent_id':'ash','source_type':'web','source_uri':'https://x.org',"
                               "'retrieval_timestamp':1678886400000}");
    const char *retrieval = answer_text(f, log, "ref");
    strbuf_addf(&line,
                "'step_number':1,'question':'s','retrieved_documents':[{'document_id':'d',"
                "'score':0.9,'content':'c','attribution':'%s'}]",
                retrieval);
    const char *step = answer_text(f, call_on(f, "cot_step", begin_chain(f), line.buf), "ref");
    strbuf_clear(&line);
    strbuf_addf(&line, "{'statement':'so it is','derived_from':['%s']}", step);
    const char *belief = answer_text(f, tool_ask(f, "memory_belief", line.buf), "ref");
    strbuf_clear(&line);
    strbuf_addf(&line, "{'ref':'%s'}", belief);
    const char *lineage = tool_ask(f, "memory_lineage", line.buf);
    assert_int_equal(answer_count(lineage, "nodes"), 4);
    answer_says(f, lineage, "nodes.1.ref", step);
    answer_says(f, lineage, "nodes.2.ref", "document:d");
    answer_says(f, lineage, "nodes.3.ref", retrieval);
    strbuf_clear(&line);
    strbuf_addf(&line, "{'refs':['%s']}", retrieval);
    assert_non_null(strstr(tool_ask(f, "memory_whatif", line.buf), belief));
    strbuf_release(&line);
}

/* An id that was made up is a label; the document is that of the content. */
static void unrelated_chains_share_no_document_by_accident(void **state)
{
    struct fixture *f = *state;
    const char *ref[3];
    static const char *const contexts[] = {"one text", "another", "one text"};
    for (size_t i = 0; i < 3; i++) {
        char more[100];
        snprintf(more, sizeof(more), "'step_number':1,'question':'s','context_used':['%s']",
                 contexts[i]);
        const char *chain = begin_chain(f);
        expect_list(f, call_on(f, "cot_step", chain, more), "sources", "context_doc_0 1");
        ref[i] = answer_text(f, call_on(f, "cot_get", chain, ""),
                             "reasoning_steps.0.source_attributions.0.ref");
    }
    assert_string_not_equal(ref[0], ref[1]);
    assert_string_equal(ref[0], ref[2]);
}

/* A person took it back: whoever uses it again is told. */
static void what_is_gone_is_told(void **state)
{
    struct fixture *f = *state;
    const char *chain = begin_chain(f);
    const char *step = call_on(f, "cot_step", chain,
                               "'step_number':1,'question':'s','retrieved_documents':["
                               "{'document_id':'a'},{'document_id':'b'}]");
    assert_null(answer_at(step, "gone").ptr);
    tool_ask(f, "memory_retract", "{'ref':'document:a'}");
    step = call_on(f, "cot_step", chain,
                   "'step_number':2,'question':'s','retrieved_documents':[{'document_id':'a',"
                   "'chunk_index':1},{'document_id':'b'},{'document_id':'a','chunk_index':2}]");
    answer_is(step, "gone", "[{'ref':'document:a','status':'retracted'}]");
    assert_int_equal(answer_count(step, "sources"), 3);
}

static void what_is_wrong_with_a_step_is_named(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *more, *what;
    } cases[] = {
        {"'question':'q'", "step_number is missing"},
        {"'step_number':1", "question is missing"},
        {"'step_number':1,'question':''", "question is empty"},
        {"'step_number':0,'question':'q'", "step_number is out of range"},
        {"'step_number':-3,'question':'q'", "step_number is out of range"},
        {"'step_number':1.5,'question':'q'", "step_number is no whole number"},
        {"'step_number':'1','question':'q'", "step_number is a string"},
        {"'step_number':1,'question':'q','confidence_score':1.01", "confidence_score is out of"},
        {"'step_number':1,'question':'q','confidence_score':'high'",
         "confidence_score is a string"},
        {"'step_number':1,'question':'q','execution_time':-0.5", "execution_time is out of range"},
        {"'step_number':1,'question':'q','retrieved_documents':{}}", "is an object"},
        {"'step_number':1,'question':'q','context_used':'text'", "context_used is a string"},
        {"'step_number':1,'question':'q','answer':'x'", "there is no argument 'answer'"},
        {"'step_number':1,'question':'q','token_usage':'\\ud800'", "token_usage cannot be kept"},
    };
    const char *chain = begin_chain(f);
    for (size_t i = 0; i < SIZE(cases); i++)
        refuse_on(f, "cot_step", chain, cases[i].more, ERROR_INVALID, cases[i].what);
    refuse_on(f, "cot_step", "chain:nowhere", "'step_number':1,'question':'q'", ERROR_NOT_FOUND,
              "nowhere");
    const char *belief = answer_text(f, tool_ask(f, "memory_belief", "{'statement':'b'}"), "ref");
    refuse_on(f, "cot_step", belief, "'step_number':1,'question':'q'", ERROR_NOT_FOUND, "no chain");
    refuse_on(f, "cot_finish", belief, "'final_answer':'x'", ERROR_NOT_FOUND, "no chain");
    refuse_on(f, "cot_get", belief, "", ERROR_NOT_FOUND, "no chain");
    refuse_on(f, "cot_sources", belief, "", ERROR_NOT_FOUND, "no chain");
}

static void a_number_is_taken_once_and_an_end_is_one(void **state)
{
    struct fixture *f = *state;
    const char *chain = begin_chain(f);
    call_on(f, "cot_step", chain, "'step_number':2,'question':'q','confidence_score':0.5");
    call_on(f, "cot_step", chain, "'step_number':1,'question':'q','confidence_score':1");
    refuse_on(f, "cot_step", chain, "'step_number':2,'question':'other'", ERROR_CONFLICT,
              "has a step 2 already");
    const char *finished = call_on(f, "cot_finish", chain, "'final_answer':'so'");
    answer_is(finished, "total_confidence", "0.75");
    answer_is(finished, "steps", "2");
    refuse_on(f, "cot_step", chain, "'step_number':3,'question':'late'", ERROR_CONFLICT,
              "finished already");
    refuse_on(f, "cot_finish", chain, "'final_answer':'so'", ERROR_CONFLICT, "finished already");
    struct strbuf reworded = STRBUF_INIT;
    strbuf_addf(&reworded, "{'ref':'%s','text':'another question'}", chain);
    tool_objects(f, "memory_update", reworded.buf, ERROR_CONFLICT, "finished already");
    strbuf_clear(&reworded);
    strbuf_addf(&reworded, "{'ref':'%s','text':'q','tags':['t']}", chain);
    tool_ask(f, "memory_update", reworded.buf);
    strbuf_release(&reworded);
    const char *got = call_on(f, "cot_get", chain, "");
    answer_says(f, got, "state", "finished");
    answer_is(got, "reasoning_steps.0.step_number", "1"); /* by number */
    answer_is(got, "reasoning_steps.1.step_number", "2");
}

static void what_is_given_stands_above_what_is_computed(void **state)
{
    struct fixture *f = *state;
    const char *chain = begin_chain(f);
    call_on(f, "cot_step", chain,
            "'step_number':1,'question':'q','confidence_score':0.5,'execution_time':1.5");
    call_on(f, "cot_step", chain,
            "'step_number':2,'question':'q','confidence_score':0.7,'execution_time':2");
    call_on(f, "cot_finish", chain,
            "'final_answer':'so','total_confidence':0.9,'total_execution_time':null");
    const char *got = call_on(f, "cot_get", chain, "");
    answer_is(got, "total_confidence", "0.9");
    answer_is(got, "total_execution_time", "3.5");
}

/* ---- a whole chain ---- */

/* As the specification's services put it out, with all that they may leave null, and more than it says. */
static void an_output_is_recorded_unchanged(void **state)
{
    struct fixture *f = *state;
    static const char output[] =
        "{'original_question':'What is machine learning?','final_answer':'A subset of AI.',"
        "'reasoning_steps':[{'step_number':1,'question':'What is AI?','context_used':['id:ai x'],"
        "'intermediate_answer':'Intelligent systems','confidence_score':0.8,'reasoning_trace':"
        "'Step 1: Analyzing','execution_time':0.5,'token_usage':null,'source_attributions':["
        "{'document_id':'ml_guide_ch1','document_title':'Machine Learning Guide - Chapter 1',"
        "'relevance_score':0.92,'excerpt':'Machine learning algorithms...','chunk_index':0,"
        "'retrieval_rank':1,'metadata':{'x':1}}],'sub_steps':[]},{'step_number':2,'question':"
        "'And learning?','context_used':[],'intermediate_answer':null,'confidence_score':null,"
        "'reasoning_trace':null,'execution_time':null,'source_attributions':[]}],"
        "'source_summary':{'all_sources':[{'document_id':'ml_guide_ch1','document_title':"
        "'Machine Learning Guide - Chapter 1','relevance_score':0.92,'excerpt':"
        "'Machine learning algorithms...','chunk_index':0,'retrieval_rank':1}],'primary_sources':"
        "[{'document_id':'ml_guide_ch1','document_title':null,'relevance_score':0.92,'excerpt':"
        "null,'chunk_index':null,'retrieval_rank':null}],'source_usage_by_step':{'1':"
        "['ml_guide_ch1'],'2':[]}},'total_confidence':0.85,'token_usage':412,"
        "'total_execution_time':1.25,'reasoning_strategy':'decomposition'}";
    const char *answer = tool_ask(f, "cot_record", output);
    answer_is(answer, "steps", "2");
    answer_is(answer, "total_confidence", "0.85");
    assert_null(answer_at(answer, "refused").ptr);
    assert_null(answer_at(answer, "differences").ptr);
    const char *got = call_on(f, "cot_get", answer_text(f, answer, "ref"), "");
    answer_says(f, got, "state", "finished");
    answer_says(f, got, "original_question", "What is machine learning?");
    answer_says(f, got, "final_answer", "A subset of AI.");
    answer_says(f, got, "reasoning_strategy", "decomposition");
    answer_is(got, "total_execution_time", "1.25");
    answer_is(got, "token_usage", "412");
    answer_is(got, "reasoning_steps.0.context_used", "['id:ai x']");
    answer_is(got, "reasoning_steps.0.source_attributions.0.retrieval_rank", "1");
    answer_is(got, "reasoning_steps.1.source_attributions", "[]");
    answer_says(f, got, "search.answer", "A subset of AI.");
    assert_int_equal(answer_count(got, "search.reasoning_trace"), 2);
}

static void a_chain_is_whose_the_call_says(void **state)
{
    struct fixture *f = *state;
    const char *answer = tool_ask(f, "cot_record",
                                  "{'agent_id':'ash','original_question':'q','final_answer':'a',"
                                  "'reasoning_steps':[{'step_number':1,'question':'s'}]}");
    const char *chain = answer_text(f, answer, "ref");
    char arguments[100];
    snprintf(arguments, sizeof(arguments), "{'ref':'%s'}", chain);
    const char *got = tool_ask(f, "memory_get", arguments);
    answer_says(f, got, "agent_id", "ash");
    assert_null(answer_at(got, "detail.agent_id").ptr);
    const char *steps = tool_ask(f, "memory_list", "{'kind':'step','agent_id':'ash'}");
    assert_int_equal(answer_count(steps, "memories"), 1);
}

static void a_fault_refuses_all_and_names_the_step(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *steps, *what;
    } cases[] = {
        {"{'step_number':1,'question':'q'},{'step_number':1,'question':'r'}",
         "step 1 is there twice"},
        {"{'step_number':1,'question':'q'},7", "reasoning_steps[1]"},
        {"{'step_number':1,'question':'q'},{'question':'r'}", "reasoning_steps[1]"},
        {"{'step_number':0,'question':'q'}", "reasoning_steps[0]"},
        {"{'step_number':3,'question':'q','confidence_score':2}", "step 3: a confidence of 2"},
        {"{'step_number':3,'question':'q','execution_time':-1}", "step 3"},
        {"{'step_number':3}", "question"},
        {"{'step_number':3,'question':7.5}", "question"},
        {"{'step_number':'x','question':'q'}", "step_number"},
    };
    for (size_t i = 0; i < SIZE(cases); i++) {
        char arguments[300];
        snprintf(arguments, sizeof(arguments),
                 "{'original_question':'q','final_answer':'a','reasoning_steps':[%s]}",
                 cases[i].steps);
        tool_objects(f, "cot_record", arguments, ERROR_INVALID, cases[i].what);
    }
    tool_objects(f, "cot_record",
                 "{'original_question':'q','final_answer':'a','reasoning_steps':null}",
                 ERROR_INVALID, "reasoning_steps is null");
    tool_objects(f, "cot_record",
                 "{'original_question':'q','final_answer':'a','reasoning_steps':[],"
                 "'total_confidence':-1}",
                 ERROR_INVALID, "total_confidence is out of range");
    assert_int_equal(event_count(f), 0);
}

static void a_bad_source_is_named_with_its_step(void **state)
{
    struct fixture *f = *state;
    const char *answer = tool_ask(
        f, "cot_record",
        "{'original_question':'q','final_answer':'a','reasoning_steps':[{'step_number':4,"
        "'question':'s','source_attributions':[{'document_id':'a','relevance_score':0.5},"
        "{'document_id':'b','relevance_score':1.5}]},{'step_number':5,'question':'t',"
        "'source_attributions':[null,{'document_id':'c','relevance_score':0.4,'score_origin':"
        "'guessed'}]}]}");
    assert_int_equal(answer_count(answer, "refused"), 3);
    answer_is(answer, "refused.0.step_number", "4");
    answer_is(answer, "refused.0.index", "1");
    answer_is(answer, "refused.2.step_number", "5");
    answer_is(answer, "refused.2.index", "1");
    assert_non_null(strstr(answer_text(f, answer, "refused.0.reason"), "between 0 and 1"));
    expect_list(f, answer, "source_summary.all_sources", "a 0.5");
}

static void a_summary_that_says_otherwise_is_reported(void **state)
{
    struct fixture *f = *state;
    const char *answer =
        tool_ask(f, "cot_record",
                 "{'original_question':'q','final_answer':'a','reasoning_steps':[{'step_number':1,"
                 "'question':'s','source_attributions':[{'document_id':'a','relevance_score':0.5}"
                 "]}],'source_summary':{'all_sources':[{'document_id':'a','relevance_score':0.6}],"
                 "'primary_sources':[],'source_usage_by_step':{'1':['a','b']}}}");
    assert_true(answer_count(answer, "differences") >= 3);
    expect_list(f, answer, "source_summary.all_sources", "a 0.5"); /* ours is kept */
}

static void all_of_it_is_one_act(void **state)
{
    struct fixture *f = *state;
    tool_ask(f, "cot_record", whole_chain(f, "a .5, b .4; c .3"));
    struct event *events;
    struct error e;
    size_t count;
    assert_int_equal(journal_read(f->reader, &f->arena, 0, 100, &events, &count, &e), 0);
    assert_true(count >= 6);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(events[i].correlation, events[0].correlation);
    assert_int_equal(answer_count(tool_ask(f, "memory_list", "{'kind':'chain'}"), "memories"), 1);
    assert_int_equal(answer_count(tool_ask(f, "memory_list", "{'kind':'step'}"), "memories"), 2);
    assert_int_equal(answer_count(tool_ask(f, "memory_list", "{'kind':'document'}"), "memories"),
                     3);
}

/* ---- what is odd ---- */

static void odd_text_is_kept_readable(void **state)
{
    struct fixture *f = *state;
    const char *chain = answer_text(
        f, tool_ask(f, "cot_begin", "{'question':'why \\u0000 \\ud800 \\u202e🐤?'}"), "ref");
    call_on(f, "cot_step", chain,
            "'step_number':1,'question':'\\u0001','intermediate_answer':'half \\udc00','"
            "context_used':['nul \\u0000 within']");
    const char *got = call_on(f, "cot_get", chain, "");
    answer_says(f, got, "original_question", "why \ufffd \ufffd\ufffd\ufffd \u202e🐤?");
    assert_non_null(strstr(answer_text(f, got, "reasoning_steps.0.intermediate_answer"), "half "));
    answer_says(f, got, "reasoning_steps.0.source_attributions.0.excerpt", "nul \ufffd within");
}

/* ---- large ---- */

#define STEPS   200
#define SOURCES 10 /* of each */

/* 200 steps with 2,000 sources, each with a title, a whole excerpt and a trace of so many bytes. */
static const char *large_chain(struct fixture *f, size_t trace)
{
    struct strbuf out = STRBUF_INIT;
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
    strbuf_release(&out);
    answer_is(answer, "steps", "200");
    assert_null(answer_at(answer, "refused").ptr);
    return answer_text(f, answer, "ref");
}

static void a_large_chain_is_recorded_and_read(void **state)
{
    struct fixture *f = *state;
    const char *chain = large_chain(f, 10);
    const char *got = call_on(f, "cot_get", chain, "");
    assert_int_equal(answer_count(got, "reasoning_steps"), STEPS);
    assert_int_equal(answer_count(got, "source_summary.all_sources"), STEPS * SOURCES);
    answer_is(got, "excerpts_left_out", "true"); /* said, and never silently */
    assert_null(answer_at(got, "left_out").ptr);
    got = call_on(f, "cot_get", chain, "'include_excerpts':false");
    assert_int_equal(answer_count(got, "reasoning_steps"), STEPS);
    assert_null(answer_at(got, "excerpts_left_out").ptr);
    got = call_on(f, "cot_sources", chain, "'include_excerpts':false");
    answer_is(got, "total_sources", "2000");
}

/* Each step is given once, in its order, whatever the bound cuts off. */
static void what_is_too_long_comes_in_parts(void **state)
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

static const char *with_text(struct fixture *f, const char *before, char c, size_t count)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addf(&out, "%s'", before);
    strbuf_addchars(&out, c, count);
    strbuf_addch(&out, '\'');
    const char *kept = arena_strndup(&f->arena, out.buf, out.len);
    strbuf_release(&out);
    return kept;
}

/* What is too long by itself is named, and does not stand before what follows. */
static void a_step_that_is_too_long_is_named(void **state)
{
    struct fixture *f = *state;
    const char *chain = begin_chain(f);
    call_on(f, "cot_step", chain, "'step_number':1,'question':'first'");
    const char *step = answer_text(
        f,
        call_on(f, "cot_step", chain,
                with_text(f, "'step_number':2,'question':'s','reasoning_trace':", 't', 2000000)),
        "ref");
    call_on(f, "cot_step", chain, "'step_number':3,'question':'last'");
    const char *got = call_on(f, "cot_get", chain, "");
    assert_int_equal(answer_count(got, "reasoning_steps"), 1);
    answer_is(got, "next", "1");
    answer_is(got, "steps_left_out", "2");
    refuse_on(f, "cot_get", chain, "'offset':1", ERROR_INVALID, step);
    refuse_on(f, "cot_get", chain, "'offset':1", ERROR_INVALID, "is too long for an answer");
    got = call_on(f, "cot_get", chain, "'offset':2");
    answer_says(f, got, "reasoning_steps.0.question", "last");
    assert_null(answer_at(got, "texts_cut").ptr);
}

/* ---- as a resource ---- */

static const char *read_uri(struct fixture *f, const char *ref, const char *view)
{
    struct strbuf params = STRBUF_INIT;
    struct error e;
    strbuf_addf(&params, "{\"uri\":\"stemma://chain/%s%s\"}", strchr(ref, ':') + 1, view);
    const char *answer = service_answer(f, read_resource, params.buf, &e);
    if (!answer)
        fail_msg("%s: %s", params.buf, e.what);
    strbuf_release(&params);
    return answer_text(f, answer, "contents.0.text");
}

static void a_chain_is_a_resource(void **state)
{
    struct fixture *f = *state;
    struct error e;
    const char *chain = begin_chain(f);
    call_on(f, "cot_step", chain, "'step_number':1,'question':'s','context_used':['id:d text']");
    answer_says(f, read_uri(f, chain, ""), "text", "q");
    const char *reasoning = read_uri(f, chain, "/reasoning");
    answer_says(f, reasoning, "original_question", "q");
    answer_says(f, reasoning, "reasoning_steps.0.source_attributions.0.document_id", "d");
    answer_is(read_uri(f, chain, "/sources"), "total_sources", "1");
    assert_null(service_answer(f, read_resource, "{\"uri\":\"stemma://belief/x/reasoning\"}", &e));
    assert_int_equal(e.code, ERROR_NOT_FOUND);
    const char *completed = service_answer(
        f, complete_argument,
        "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"stemma://chain/{id}/reasoning\"},"
        "\"argument\":{\"name\":\"id\",\"value\":\"\"}}",
        &e);
    answer_says(f, completed, "completion.values.0", strchr(chain, ':') + 1);
    answer_is(completed, "completion.total", "1"); /* no step, and no document */
}

/* A long answer stands in no step's way: it comes with each part, and is given by its beginning. */
static void a_long_head_is_begun(void **state)
{
    struct fixture *f = *state;
    const char *chain = begin_chain(f);
    call_on(f, "cot_step", chain, "'step_number':1,'question':'tiny'");
    call_on(f, "cot_finish", chain, with_text(f, "'final_answer':", 'a', 3000000));
    for (int offset = 0; offset < 3; offset++) {
        char more[32];
        snprintf(more, sizeof(more), "'offset':%d", offset);
        const char *got = call_on(f, "cot_get", chain, more);
        assert_int_equal(answer_count(got, "reasoning_steps"), offset == 0);
        assert_int_equal(strlen(answer_text(f, got, "final_answer")), 2000);
        assert_int_equal(strlen(answer_text(f, got, "search.answer")), 2000);
        answer_is(got, "texts_cut", "true");
        assert_null(answer_at(got, "next").ptr);
        assert_null(answer_at(got, "steps_left_out").ptr);
    }
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "{'ref':'%s','part':'detail','offset':2999000}", chain);
    assert_non_null(strstr(tool_ask(f, "memory_get", line.buf), "aaaa\\\""));
    strbuf_release(&line);
}

/* Which step used what is as long as all steps together: a part tells it of its own. */
static void what_the_steps_used_comes_in_parts_too(void **state)
{
    struct fixture *f = *state;
    enum {
        LONG_STEPS = 12,
        USED = 400
    };
    const char *chain = begin_chain(f);
    for (int i = 1; i <= LONG_STEPS; i++) {
        struct strbuf more = STRBUF_INIT;
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
        strbuf_release(&more);
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

static void a_summary_that_is_too_long_says_so(void **state)
{
    struct fixture *f = *state;
    const char *chain = begin_chain(f);
    struct strbuf more = STRBUF_INIT;
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
    answer_says(f, finished, "source_summary.all_sources.0.document_id", "d999");
    const char *shown = call_on(f, "cot_sources", chain, "");
    assert_int_equal(answer_number(shown, "left_out"), 1000 - answer_count(shown, "all_sources"));
    strbuf_release(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_chain_is_summarised),
        WITH_FIXTURE(the_origin_of_a_score_is_kept),
        WITH_FIXTURE(sources_are_displayed),
        WITH_FIXTURE(a_step_takes_what_a_search_gave),
        WITH_FIXTURE(an_earlier_answer_is_a_link_to_its_step),
        WITH_FIXTURE(a_belief_goes_back_to_the_retrieval),
        WITH_FIXTURE(unrelated_chains_share_no_document_by_accident),
        WITH_FIXTURE(what_is_gone_is_told),
        WITH_FIXTURE(what_is_wrong_with_a_step_is_named),
        WITH_FIXTURE(a_number_is_taken_once_and_an_end_is_one),
        WITH_FIXTURE(what_is_given_stands_above_what_is_computed),
        WITH_FIXTURE(an_output_is_recorded_unchanged),
        WITH_FIXTURE(a_chain_is_whose_the_call_says),
        WITH_FIXTURE(a_fault_refuses_all_and_names_the_step),
        WITH_FIXTURE(a_bad_source_is_named_with_its_step),
        WITH_FIXTURE(a_summary_that_says_otherwise_is_reported),
        WITH_FIXTURE(all_of_it_is_one_act),
        WITH_FIXTURE(odd_text_is_kept_readable),
        WITH_FIXTURE(a_large_chain_is_recorded_and_read),
        WITH_FIXTURE(what_is_too_long_comes_in_parts),
        WITH_FIXTURE(a_step_that_is_too_long_is_named),
        WITH_FIXTURE(a_chain_is_a_resource),
        WITH_FIXTURE(a_long_head_is_begun),
        WITH_FIXTURE(what_the_steps_used_comes_in_parts_too),
        WITH_FIXTURE(a_summary_that_is_too_long_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
