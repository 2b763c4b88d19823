/*
 * The tools of reasoning and citations with each of their allocations made to fail in turn: a call says that
 * there is no memory and stores nothing, or its answer is whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/no_memory.h"
#include "tests/support/tool_call.h"

static struct fixture f;
static const struct mcp_tool *tool;
static const char *format; /* of the arguments, with a %d for a number that is another each time */
static int number;

static int run_write(struct txn *t, void *arg, struct error *e)
{
    struct mcp_call *call = arg;
    if (call->tool->write(call, t, e))
        return -1;
    return call->result.failed ? error_set(e, ERROR_MEMORY, "", "the answer finds no memory") : 0;
}

static int carry_out(struct mcp_call *call, struct error *e)
{
    if (tool->work == WORK_WRITE)
        return store_run(f.store, run_write, call, e);
    int result = tool->read(call, f.reader, e);
    return result == 0 && call->result.failed ? error_set(e, ERROR_MEMORY, "", "no memory")
                                              : result;
}

/* Once more, with all the memory there is. */
static int64_t events(void)
{
    memory_spared++;
    int64_t count = event_count(&f);
    memory_spared--;
    return count;
}

static int call_once(void)
{
    static char arguments[4096];
    struct mcp_call call = {.service = stemma_service(true), .tool = tool, .result = STRBUF_INIT};
    struct error e = {.code = ERROR_NONE}, ignored;
    int64_t before = events();
    call.arena = (struct arena)ARENA_INIT;
    call.actor =
        (struct actor){.class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};
    snprintf(arguments, sizeof(arguments), format, ++number);
    for (char *at = arguments; *at; at++)
        *at = (char)(*at == '\'' ? '"' : *at);
    call.arguments = json_trim(arguments, strlen(arguments));
    int result = carry_out(&call, &e);
    memory_spared++;
    if (result == 0 && json_check(call.result.buf, call.result.len, JSON_DEPTH_LIMIT, &ignored))
        fail_msg("%s answers %s", tool->name, call.result.buf);
    if (result && e.code != ERROR_MEMORY && e.code != ERROR_STORE)
        fail_msg("%s: %s: %s", tool->name, error_name(e.code), e.what);
    if (result)
        assert_int_equal(event_count(&f), before);
    memory_spared--;
    strbuf_release(&call.result);
    arena_release(&call.arena);
    return result;
}

static void fail_in_turn(const char *name, const char *arguments)
{
    tool = tool_named(name);
    format = arguments;
    fail_each_allocation(call_once);
}

static void no_memory_refuses_a_call_alone(void **state)
{
    (void)state;
    struct strbuf step = STRBUF_INIT, read = STRBUF_INIT;
    fixture_open(&f);
    const char *chain = answer_text(&f, tool_ask(&f, "cot_begin", "{'question':'q'}"), "ref");
    fail_in_turn("cot_begin", "{'question':'why %d?','strategy':'iterative'}");
    strbuf_addf(&step,
                "{'chain':'%s','step_number':%%d,'question':'q','intermediate_answer':'a',"
                "'context_used':['a',{}],'retrieved_documents':[{'document_id':'d','title':'T',"
                "'score':0.9,'content':'c','chunk_index':1},{'score':7}]}",
                chain);
    fail_in_turn("cot_step", step.buf);
    strbuf_addf(&read, "{'chain':'%s','offset':%%d}", chain);
    fail_in_turn("cot_get", read.buf);
    strbuf_clear(&read);
    strbuf_addf(&read, "{'chain':'%s','include_excerpts':true,'more':%%d}", chain);
    fail_in_turn("cot_sources", read.buf);
    fail_in_turn("cot_record",
                 "{'original_question':'q %d','final_answer':'a','agent_id':'ash',"
                 "'reasoning_steps':[{'step_number':1,'question':'s','source_attributions':["
                 "{'document_id':'d','relevance_score':0.5},{'relevance_score':2}]}],"
                 "'source_summary':{'all_sources':[]}}");
    fail_in_turn("extract_sources", "{'context_documents':['id:a x',{},'plain %d']}");
    fail_in_turn("cite_sources",
                 "{'conversation_id':'c','message_id':'m','sources':[{'documentId':'d','snippet':"
                 "'s %d','relevanceScore':0.5},{'documentId':'e'},{'relevanceScore':9}]}");
    fail_in_turn("get_citations", "{'conversation_id':'c','limit':%d}");
    strbuf_release(&step);
    strbuf_release(&read);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_refuses_a_call_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
