/*
 * Chains of thought in a store: what is written of them as they grow or whole, what is refused, and
 * that what is read is what was written.
 */
#include "tests/support/reasoned.h"

#include <string.h>
#include "model/format/exchange.h"
#include "model/base/strbuf.h"
#include "store/ops/operation.h"
#include "store/history/past.h"

#define RESULTS                                                                                    \
    "[{\"document_id\":\"manual\",\"title\":\"The manual\",\"score\":0.92,\"content\":\"Oil the "  \
    "pump "                                                                                        \
    "weekly.\",\"chunk_index\":2},{\"document_id\":\"wiki\",\"score\":0.6,\"content\":\"Pumps "    \
    "are pumps.\"}]"

static struct memory memory_of(int64_t node)
{
    struct error e;
    struct memory m;
    if (memory_read(reasoned.reader, &reasoned.arena, node, &m, &e))
        fail_msg("%s", e.what);
    return m;
}

static const char *line_of(int64_t node)
{
    struct strbuf out = STRBUF_INIT;
    struct memory m = memory_of(node);
    exchange_write(&out, &m, NULL);
    const char *copy = arena_strndup(&reasoned.arena, out.buf, out.len);
    strbuf_release(&out);
    return copy;
}

static void expect_error(int result, const struct error *e, enum error_code code, const char *part)
{
    assert_int_equal(result, -1);
    assert_int_equal(e->code, code);
    if (!strstr(e->what, part))
        fail_msg("“%s” is not said in: %s", part, e->what);
}

static int64_t last_event(void)
{
    struct error e;
    return journal_last(reasoned.reader, &e);
}

/* ---- as it grows ---- */

static void a_chain_is_written_step_by_step(void **state)
{
    (void)state;
    struct error e;
    struct added added;
    assert_int_equal(reasoned_begin("Why did the pump fail?", "decomposition", &added, &e), 0);
    assert_int_equal(added.ref.kind, KIND_CHAIN);
    struct step_given one = reasoned_given(1, "What does the manual say?", "Oil it.");
    one.results = reasoned_slice(RESULTS);
    one.trace = "I looked at it";
    one.trace_len = strlen(one.trace);
    one.confidence = 0.9;
    one.execution_time = 1.5;
    struct step_added first = reasoned_must(added.node, &one);
    assert_int_equal(first.sources.count, 2);
    assert_int_equal(first.sources.refused_count, 0);

    struct step_given two = reasoned_given(2, "Was it oiled?", "No.");
    const char *contexts[] = {"id:log nobody was there", "  ", "Oil it.", "a bare remark"};
    two.contexts = contexts;
    two.context_count = 4;
    two.confidence = 0.7;
    struct step_added second = reasoned_must(added.node, &two);
    assert_int_equal(second.sources.count, 2);

    struct chain c = reasoned_read(added.node);
    assert_string_equal(c.question, "Why did the pump fail?");
    assert_string_equal(c.strategy, "decomposition");
    assert_null(c.answer);
    assert_int_equal(c.step_count, 2);
    assert_true(fabs(c.confidence - 0.8) < 1e-12);
    assert_string_equal(c.step[0].question, "What does the manual say?");
    assert_string_equal(c.step[0].answer, "Oil it.");
    assert_string_equal(c.step[0].trace, "I looked at it");
    assert_true(c.step[0].confidence == 0.9 && c.step[0].execution_time == 1.5);
    assert_int_equal(c.step[0].source_count, 2);
    const struct chain_source *manual = &c.step[0].source[0];
    assert_string_equal(manual->source.document_id, "manual");
    assert_false(manual->source.invented);
    assert_string_equal(manual->source.title, "The manual");
    assert_string_equal(manual->source.excerpt, "Oil the pump weekly.");
    assert_true(manual->source.relevance == 0.92);
    assert_int_equal(manual->source.origin, SCORE_MEASURED);
    assert_int_equal(manual->source.chunk, 2);
    assert_int_equal(manual->source.rank, 1);
    assert_int_equal(strlen(manual->source.version_hash), 64);
    assert_false(manual->changed);
    assert_false(manual->guessed);

    /* The white space and the earlier answer used up their places; neither is a document. */
    assert_int_equal(c.step[1].source_count, 2);
    assert_string_equal(c.step[1].source[0].source.document_id, "log");
    assert_string_equal(c.step[1].source[1].source.document_id, "context_doc_3");
    assert_true(c.step[1].source[1].source.invented);
    assert_true(fabs(c.step[1].source[1].source.relevance - 0.7) < 1e-12);
    assert_int_equal(c.step[1].source[1].source.origin, SCORE_HEURISTIC);
    assert_int_equal(c.step[1].earlier_count, 1);
    assert_int_equal(c.step[1].earlier[0], 1);

    /* The columns: the best first. */
    assert_int_equal(c.document_count, 4);
    assert_string_equal(c.document[0].id, "log");
    assert_string_equal(c.document[1].id, "manual");
    assert_string_equal(c.document[1].title, "The manual");
    assert_string_equal(c.document[2].id, "context_doc_3");
    assert_string_equal(c.document[3].id, "wiki");
    assert_null(c.document[3].title);
    assert_true(c.document[0].primary && c.document[1].primary && !c.document[3].primary);
    assert_int_equal(c.step[0].source[0].column, 1);
    assert_int_equal(reasoned_faults(), 0);
}

static void what_is_made_up_is_the_document_of_its_content(void **state)
{
    (void)state;
    const char *remark = "a bare remark";
    int64_t chain = reasoned_chain("q"), other = reasoned_chain("r");
    struct step_given s = reasoned_given(1, "a", NULL);
    s.contexts = &remark;
    s.context_count = 1;
    int64_t one = reasoned_must(chain, &s).step.node, two = reasoned_must(other, &s).step.node;
    struct memory m = memory_of(one), n = memory_of(two);
    assert_int_equal(m.justification_count, 1);
    assert_true(
        ref_equal(m.justifications[0].antecedents[0].ref, n.justifications[0].antecedents[0].ref));
    assert_memory_equal(m.justifications[0].antecedents[0].ref.id, "sha256-", 7);
    assert_string_equal(m.justifications[0].antecedents[0].use->label, "context_doc_0");
    /* Another content of the same name is another document. */
    const char *others = "another remark";
    s.contexts = &others;
    s.number = 2;
    struct memory o = memory_of(reasoned_must(chain, &s).step.node);
    assert_string_equal(o.justifications[0].antecedents[0].use->label, "context_doc_0");
    assert_false(
        ref_equal(m.justifications[0].antecedents[0].ref, o.justifications[0].antecedents[0].ref));
    struct chain c = reasoned_read(chain);
    assert_int_equal(c.document_count, 2);
}

static void a_document_that_comes_again_keeps_its_place(void **state)
{
    (void)state;
    static const char results[] =
        "[{\"document_id\":\"a\",\"score\":0.1,\"chunk_index\":1},{\"document_id\":\"b\",\"score\":"
        "0.2},{\"document_id\":\"a\",\"score\":0.3,\"chunk_index\":2},{\"document_id\":\"c\"},"
        "{\"document_id\":\"b\",\"score\":0.4},{\"document_id\":\"a\",\"score\":0.5}]";
    int64_t chain = reasoned_chain("q");
    struct step_given s = reasoned_given(1, "a", NULL);
    s.results = reasoned_slice(results);
    struct memory m = memory_of(reasoned_must(chain, &s).step.node);
    assert_int_equal(m.justification_count, 3);
    assert_int_equal(m.justifications[0].count, 2);
    assert_int_equal(m.justifications[1].count, 3);
    assert_int_equal(m.justifications[2].count, 1);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(m.justifications[i].role, ROLE_SOURCE);
        assert_int_equal(m.justifications[i].reading, READING_ANY);
    }
    struct chain c = reasoned_read(chain);
    assert_int_equal(c.document_count, 3);
    const char *order[] = {"a", "b", "a", "c", "b", "a"};
    assert_int_equal(c.step[0].source_count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(c.step[0].source[i].source.document_id, order[i]);
        assert_int_equal(c.step[0].source[i].source.rank, (int64_t)i + 1);
    }
    assert_string_equal(c.document[0].id, "a"); /* .5 before c's .5: it was met first */
    assert_true(c.document[0].best == 0.5);
    assert_int_equal(c.document[0].steps, 1);
}

static void a_chain_is_finished(void **state)
{
    (void)state;
    struct error e;
    int64_t chain = reasoned_chain("q");
    struct step_given s = reasoned_given(2, "second", "b");
    s.confidence = 0.5;
    s.execution_time = 0.25;
    int64_t two = reasoned_must(chain, &s).step.node;
    s = reasoned_given(1, "first", "a");
    s.confidence = 1;
    int64_t one = reasoned_must(chain, &s).step.node;
    assert_int_equal(reasoned_finish(chain, "so it is", NAN, NAN, &e), 0);
    struct memory m = memory_of(chain);
    assert_int_equal(m.justification_count, 1);
    assert_int_equal(m.justifications[0].role, ROLE_STEP);
    assert_int_equal(m.justifications[0].reading, READING_ALL);
    assert_int_equal(m.justifications[0].count, 2);
    assert_int_equal(m.justifications[0].antecedents[0].node, one);
    assert_int_equal(m.justifications[0].antecedents[1].node, two);
    assert_true(m.confidence == 0.75);
    assert_string_equal(m.detail, "{\"final_answer\":\"so it is\",\"total_time\":0.25}");
    struct chain c = reasoned_read(chain);
    assert_int_equal(c.state, CHAIN_FINISHED);
    assert_string_equal(c.answer, "so it is");
    assert_true(c.confidence == 0.75 && c.total_time == 0.25);
    expect_error(reasoned_finish(chain, "again", NAN, NAN, &e), &e, ERROR_CONFLICT, "finished");
    struct step_added added;
    s = reasoned_given(3, "third", NULL);
    expect_error(reasoned_step(chain, &s, &added, &e), &e, ERROR_CONFLICT, "finished");
    assert_int_equal(reasoned_faults(), 0);
}

static void what_is_wrong_is_refused_and_writes_nothing(void **state)
{
    (void)state;
    struct error e;
    struct added added;
    struct step_added step;
    int64_t chain = reasoned_chain("q");
    struct step_given good = reasoned_given(1, "a", NULL), s;
    reasoned_must(chain, &good);
    int64_t belief = scratch_put(reasoned.store, "{\"ref\":\"belief:b\",\"text\":\"t\"}");
    int64_t before = last_event();
    expect_error(reasoned_begin(" \n", NULL, &added, &e), &e, ERROR_INVALID, "empty");
    expect_error(reasoned_step(chain, &good, &step, &e), &e, ERROR_CONFLICT, "has a step 1");
    expect_error(reasoned_step(belief, &good, &step, &e), &e, ERROR_NOT_FOUND, "no chain");
    expect_error(reasoned_step(99999, &good, &step, &e), &e, ERROR_NOT_FOUND, "99999");
    expect_error(reasoned_finish(belief, "x", NAN, NAN, &e), &e, ERROR_NOT_FOUND, "no chain");
    s = reasoned_given(0, "a", NULL);
    expect_error(reasoned_step(chain, &s, &step, &e), &e, ERROR_INVALID, "step number of 0");
    s = reasoned_given(2, "", NULL);
    expect_error(reasoned_step(chain, &s, &step, &e), &e, ERROR_INVALID, "question is empty");
    s = reasoned_given(2, "a", NULL);
    s.confidence = 1.5;
    expect_error(reasoned_step(chain, &s, &step, &e), &e, ERROR_INVALID, "confidence of 1.5");
    s.confidence = NAN;
    s.execution_time = -1;
    expect_error(reasoned_step(chain, &s, &step, &e), &e, ERROR_INVALID, "time of -1");
    s.execution_time = (double)INFINITY;
    expect_error(reasoned_step(chain, &s, &step, &e), &e, ERROR_INVALID, "time of inf");
    expect_error(reasoned_finish(chain, "x", 2, NAN, &e), &e, ERROR_INVALID, "confidence of 2");
    expect_error(reasoned_finish(chain, "x", NAN, -2, &e), &e, ERROR_INVALID, "time of -2");
    assert_int_equal(last_event(), before);
}

static void a_bad_source_is_refused_by_itself(void **state)
{
    (void)state;
    static const char results[] =
        "[{\"document_id\":\"a\",\"score\":1.5},{\"document_id\":\"b\",\"score\":0.5},7,"
        "{\"document_id\":\"c\",\"attribution\":\"context:nowhere\"},{\"document_id\":\"d\"}]";
    int64_t chain = reasoned_chain("q");
    struct step_given s = reasoned_given(1, "a", NULL);
    s.results = reasoned_slice(results);
    struct step_added added = reasoned_must(chain, &s);
    assert_int_equal(added.sources.count, 2);
    assert_int_equal(added.sources.refused_count, 3);
    size_t places = 0;
    for (size_t i = 0; i < 3; i++)
        places |= (size_t)1 << added.sources.refused[i].index;
    assert_int_equal(places, 1 << 0 | 1 << 2 | 1 << 3);
    assert_non_null(strstr(added.sources.refused[2].reason, "retrieved_documents[3] (“c”)"));
    struct chain c = reasoned_read(chain);
    assert_int_equal(c.step[0].source_count, 2);
    assert_string_equal(c.step[0].source[0].source.document_id, "b");
    assert_string_equal(c.step[0].source[1].source.document_id, "d");
    assert_int_equal(reasoned_faults(), 0);
}

static void attributions_come_before_results_and_these_before_contexts(void **state)
{
    (void)state;
    const char *contexts[] = {"id:c x"};
    int64_t chain = reasoned_chain("q");
    struct step_given s = reasoned_given(1, "a", NULL);
    s.contexts = contexts;
    s.context_count = 1;
    s.results = reasoned_slice("[{\"document_id\":\"b\"}]");
    s.attributions = reasoned_slice("[{\"document_id\":\"a\",\"relevance_score\":0.4}]");
    assert_string_equal(reasoned_must(chain, &s).sources.source[0].document_id, "a");
    s.number = 2;
    s.attributions = reasoned_slice("[ ]");
    assert_string_equal(reasoned_must(chain, &s).sources.source[0].document_id, "b");
    s.number = 3;
    s.results = reasoned_slice("[]");
    assert_string_equal(reasoned_must(chain, &s).sources.source[0].document_id, "c");
    struct chain c = reasoned_read(chain);
    assert_int_equal(c.step[0].source[0].source.origin, SCORE_ASSERTED);
    assert_int_equal(c.step[1].source[0].source.origin, SCORE_DEFAULT);
    assert_int_equal(c.step[2].source[0].source.origin, SCORE_HEURISTIC);
    assert_string_equal(memory_of(c.step[0].node).detail,
                        "{\"step_number\":1,\"confidence_unstated\":true,"
                        "\"context_used\":[\"id:c x\"]}");
}

/* ---- versions ---- */

/* ---- a whole chain ---- */

static const char whole[] =
    "{\"original_question\":\"Why did the pump fail?\",\"final_answer\":\"It ran dry.\","
    "\"reasoning_strategy\":\"decomposition\",\"total_confidence\":0.8,\"token_usage\":900,"
    "\"total_execution_time\":4.5,\"user\":{\"id\":7},\"reasoning_steps\":["
    "{\"step_number\":2,\"question\":\"Was it oiled?\",\"context_used\":[\"Oil it.\"],"
    "\"intermediate_answer\":\"No.\",\"confidence_score\":0.7,\"reasoning_trace\":\"t2\","
    "\"execution_time\":1,\"token_usage\":10,\"source_attributions\":[{\"document_id\":\"manual\","
    "\"relevance_score\":0.95},{\"document_id\":\"wiki\",\"relevance_score\":0.4,"
    "\"score_origin\":\"measured\"}]},"
    "{\"step_number\":1,\"question\":\"What does the manual say?\",\"context_used\":[\"x\"],"
    "\"intermediate_answer\":\"Oil it.\",\"confidence_score\":0.9,\"reasoning_trace\":\"t1\","
    "\"execution_time\":1.5,\"model\":\"m-1\",\"source_attributions\":[{\"document_id\":\"manual\","
    "\"document_title\":\"The manual\",\"relevance_score\":0.9,\"excerpt\":\"Oil the pump "
    "weekly.\",\"chunk_index\":2,\"retrieval_rank\":1}]}],"
    "\"source_summary\":{\"all_sources\":[{\"document_id\":\"manual\",\"relevance_score\":0.9}],"
    "\"primary_sources\":[],\"source_usage_by_step\":{\"1\":[\"manual\"],\"2\":[\"manual\","
    "\"wiki\"]}}}";

static void a_whole_chain_is_recorded(void **state)
{
    (void)state;
    struct chain_recorded r = reasoned_must_record(whole);
    assert_int_equal(r.steps, 2);
    assert_int_equal(r.refused_count, 0);
    assert_true(r.difference_count > 0);
    struct chain c = reasoned_read(r.chain.node);
    assert_int_equal(c.state, CHAIN_FINISHED);
    assert_string_equal(c.question, "Why did the pump fail?");
    assert_string_equal(c.answer, "It ran dry.");
    assert_string_equal(c.strategy, "decomposition");
    assert_true(c.confidence == 0.8 && c.total_time == 4.5);
    assert_int_equal(c.step_count, 2);
    assert_int_equal(c.step[0].number, 1);
    assert_int_equal(c.step[1].number, 2);
    assert_int_equal(c.step[1].earlier_count, 1);
    assert_int_equal(c.step[1].source[0].source.origin, SCORE_ASSERTED);
    assert_int_equal(c.step[1].source[1].source.origin, SCORE_MEASURED);
    assert_string_equal(c.document[0].title, "The manual");
    /* One correlation, and the chain is the last of it. */
    struct event *events;
    size_t count;
    struct error e;
    assert_int_equal(journal_read(reasoned.reader, &reasoned.arena, 0, 100, &events, &count, &e),
                     0);
    assert_int_equal(count, 5); /* two documents, two steps and the chain */
    for (size_t i = 0; i < count; i++)
        assert_string_equal(events[i].correlation, events[0].correlation);
    assert_int_equal(events[count - 1].subject, r.chain.node);
    /* What has no place of its own stays. */
    assert_non_null(strstr(memory_of(r.chain.node).detail, "\"user\":{\"id\":7}"));
    assert_non_null(strstr(memory_of(c.step[0].node).detail, "\"model\":\"m-1\""));
    assert_int_equal(reasoned_faults(), 0);
}

static void a_chain_is_written_as_it_was_given(void **state)
{
    (void)state;
    struct error e;
    struct strbuf out = STRBUF_INIT;
    struct chain_recorded r = reasoned_must_record(whole);
    assert_int_equal(chain_write(reasoned.reader, r.chain.node, true, &out, &e), 0);
    assert_int_equal(json_check(out.buf, out.len, JSON_DEPTH_MAX, &e), 0);
    static const char *const parts[] = {
        "\"state\":\"finished\"",
        "\"original_question\":\"Why did the pump fail?\"",
        "\"final_answer\":\"It ran dry.\"",
        "\"reasoning_strategy\":\"decomposition\"",
        "\"total_confidence\":0.8",
        "\"total_execution_time\":4.5",
        "\"token_usage\":900",
        "\"excerpt\":\"Oil the pump weekly.\"",
        "\"context_used\":[\"Oil it.\"]",
        "\"earlier_steps\":[1]",
        "\"source_usage_by_step\":{\"1\":[\"manual\"],\"2\":[\"manual\",\"wiki\"]}",
        "\"search\":{\"answer\":\"It ran dry.\",\"sources\":[{\"document_id\":\"manual\"",
        "\"source_breakdown\":{\"1\":[\"manual\"],\"2\":[\"manual\",\"wiki\"]}"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (!strstr(out.buf, parts[i]))
            fail_msg("%s is not in %s", parts[i], out.buf);
    /* What it gives can be recorded again, and is the same chain. */
    struct chain_recorded again = reasoned_must_record(out.buf);
    assert_int_equal(again.difference_count, 0);
    struct strbuf copy = STRBUF_INIT;
    assert_int_equal(chain_write_sources(reasoned.reader, r.chain.node, true, &out, &e), 0);
    size_t at = out.len;
    strbuf_clear(&out);
    assert_true(at > 0);
    assert_int_equal(chain_write_sources(reasoned.reader, r.chain.node, true, &out, &e), 0);
    assert_int_equal(chain_write_sources(reasoned.reader, again.chain.node, true, &copy, &e), 0);
    assert_string_equal(out.buf, copy.buf);
    strbuf_clear(&out);
    assert_int_equal(chain_write_sources(reasoned.reader, r.chain.node, false, &out, &e), 0);
    assert_string_equal(
        out.buf,
        "{\"total_sources\":2,\"primary_sources\":[{\"document_id\":\"manual\",\"title\":\"The "
        "manual\",\"relevance\":0.95}],\"all_sources\":[{\"document_id\":\"manual\",\"title\":"
        "\"The "
        "manual\",\"relevance\":0.95},{\"document_id\":\"wiki\",\"title\":\"wiki\",\"relevance\":"
        "0.4}],\"step_breakdown\":{\"step_1\":{\"step_number\":1,\"sources_used\":1,\"document_"
        "ids\":[\"manual\"]},\"step_2\":{\"step_number\":2,\"sources_used\":2,\"document_ids\":"
        "[\"manual\",\"wiki\"]}}}");
    strbuf_release(&copy);
    strbuf_release(&out);
}

static void a_chain_that_is_wrong_is_refused_whole(void **state)
{
    (void)state;
    static const struct {
        const char *json, *part;
    } cases[] = {
        {"[]", "a chain is an object"},
        {"{\"final_answer\":\"a\"}", "original_question is missing"},
        {"{\"original_question\":\"q\"}", "final_answer is missing"},
        {"{\"original_question\":7,\"final_answer\":\"a\"}", "original_question is not a text"},
        {"{\"original_question\":\" \",\"final_answer\":\"a\"}", "original_question: the question"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"total_confidence\":7}", "of 7"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"total_execution_time\":-7}", "-7"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":{}}",
         "reasoning_steps is not a list"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"source_summary\":[]}",
         "source_summary is not an object"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":[7]}",
         "reasoning_steps[0] is not an object"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":[{\"question\":"
         "\"q\"}]}",
         "reasoning_steps[0]: step_number is missing"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":[{\"step_"
         "number\":"
         "1.5,\"question\":\"q\"}]}",
         "reasoning_steps[0]: step_number is not a whole number"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":[{\"step_"
         "number\":"
         "0,\"question\":\"q\"}]}",
         "reasoning_steps[0]: a step number of 0"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":[{\"step_"
         "number\":"
         "3,\"question\":\"q\",\"confidence_score\":\"high\"}]}",
         "step 3: confidence_score is not a number"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":[{\"step_"
         "number\":"
         "3,\"question\":\"q\",\"confidence_score\":1.01}]}",
         "step 3: a confidence of 1.01"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":[{\"step_"
         "number\":"
         "3,\"question\":\"q\",\"context_used\":[1]}]}",
         "step 3: context_used holds what is not a text"},
        {"{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":[{\"step_"
         "number\":"
         "3,\"question\":\"q\"},{\"step_number\":3.0,\"question\":\"r\"}]}",
         "step 3 is there twice"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct error e = {.code = ERROR_NONE};
        struct chain_recorded r;
        expect_error(reasoned_record(cases[i].json, &r, &e), &e, ERROR_INVALID, cases[i].part);
        assert_int_equal(last_event(), 0);
    }
}

/* What nobody said is no 0.8, and weighs nothing in the mean of those who said something. */
static void a_confidence_that_nobody_said_is_none(void **state)
{
    (void)state;
    struct chain_recorded r = reasoned_must_record(
        "{\"original_question\":\"q\",\"final_answer\":\"a\",\"reasoning_steps\":["
        "{\"step_number\":1,\"question\":\"q\"},"
        "{\"step_number\":2,\"question\":\"q\",\"confidence_score\":0.25},"
        "{\"step_number\":3,\"question\":\"q\",\"confidence_score\":0.8}]}");
    struct chain c = reasoned_read(r.chain.node);
    assert_true(isnan(c.step[0].confidence));
    assert_true(c.step[2].confidence == 0.8);
    assert_true(fabs(c.confidence - 0.525) < 1e-12);
    r = reasoned_must_record("{\"original_question\":\"q2\",\"final_answer\":\"a\","
                             "\"reasoning_steps\":[]}");
    assert_true(isnan(reasoned_read(r.chain.node).confidence));
}

/* ---- undo, the past ---- */

static void undo(int64_t seq)
{
    struct error e;
    struct plan done;
    struct request q = REQUEST_INIT;
    static const struct actor sean = {ACTOR_PERSON, "sean", NULL, "command", NULL, 0};
    q.seqs = &seq;
    q.seq_count = 1;
    if (operation_run_now(reasoned.store, &sean, OPERATION_UNDO, &q, &reasoned.arena, &done, &e))
        fail_msg("%s %s", e.what, e.todo);
}

static void a_recorded_chain_is_undone_at_once(void **state)
{
    (void)state;
    struct error e;
    struct chain_recorded r = reasoned_must_record(whole);
    const char *before = line_of(r.chain.node);
    int64_t step = reasoned_read(r.chain.node).step[0].node;
    undo(last_event());
    assert_int_equal(memory_of(r.chain.node).status, STATUS_MISSING);
    assert_int_equal(memory_of(step).status, STATUS_MISSING);
    int64_t *same;
    size_t count;
    bool more;
    struct chain_recorded other = reasoned_must_record(whole);
    assert_int_equal(chains_on_question(reasoned.reader, &reasoned.arena, other.chain.node, 9,
                                        &same, &count, &more, &e),
                     0);
    assert_int_equal(count, 1);
    assert_int_equal(reasoned_faults(), 0);
    assert_true(strlen(before) > 0);
}

static void what_others_use_by_then_stays(void **state)
{
    (void)state;
    struct chain_recorded r = reasoned_must_record(whole);
    int64_t seq = last_event();
    struct chain c = reasoned_read(r.chain.node);
    int64_t manual = c.step[0].source[0].document, wiki = c.step[1].source[1].document;
    int64_t chain = reasoned_chain("another");
    struct step_given s = reasoned_given(1, "a", NULL);
    s.results = reasoned_slice("[{\"document_id\":\"wiki\",\"title\":\"The wiki\"}]");
    reasoned_must(chain, &s);
    undo(seq);
    assert_int_equal(memory_of(r.chain.node).status, STATUS_MISSING);
    assert_int_equal(memory_of(manual).status, STATUS_MISSING);
    assert_string_equal(memory_of(wiki).text, "The wiki"); /* changed since then, too */
    assert_int_equal(reasoned_read(chain).step[0].source[0].status, STATUS_ACTIVE);
    assert_int_equal(reasoned_faults(), 0);
}

static struct chain read_as_of(int64_t seq, int64_t node)
{
    struct error e;
    struct chain c;
    struct reader *past = reader_open_past(reasoned.store, seq, NULL, NULL, &e);
    assert_non_null(past);
    if (chain_read(past, &reasoned.arena, node, &c, &e))
        fail_msg("%s", e.what);
    reader_close(past);
    return c;
}

static void a_chain_is_seen_growing_in_the_past(void **state)
{
    (void)state;
    struct error e;
    int64_t chain = reasoned_chain("q"), begun = last_event();
    struct step_given s = reasoned_given(1, "a", "x");
    s.results =
        reasoned_slice("[{\"document_id\":\"a\",\"content\":\"as it was\",\"title\":\"T\"}]");
    s.confidence = 0.4;
    reasoned_must(chain, &s);
    int64_t first = last_event();
    s.number = 2;
    s.results = reasoned_slice("[{\"document_id\":\"a\",\"content\":\"as it is\"}]");
    s.confidence = 0.8;
    reasoned_must(chain, &s);
    assert_int_equal(reasoned_finish(chain, "done", NAN, NAN, &e), 0);
    struct chain now = reasoned_read(chain), c = read_as_of(begun, chain);
    assert_int_equal(c.step_count, 0);
    assert_null(c.answer);
    c = read_as_of(first, chain);
    assert_int_equal(c.step_count, 1);
    assert_int_equal(c.state, CHAIN_ABANDONED);
    assert_true(c.confidence == 0.4);
    assert_false(c.step[0].source[0].changed); /* not yet */
    assert_string_equal(c.step[0].source[0].source.title, "T");
    assert_true(now.step[0].source[0].changed);
    c = read_as_of(last_event(), chain);
    assert_int_equal(c.step_count, 2);
    assert_string_equal(c.answer, "done");
    assert_true(c.step[0].source[0].changed);
}

/* ---- steps and chains of imports ---- */

static void chains_that_others_wrote_are_read(void **state)
{
    (void)state;
    scratch_put(reasoned.store, "{\"ref\":\"document:d\",\"text\":\"D\"}");
    scratch_put(reasoned.store,
                "{\"ref\":\"step:s1\",\"text\":\"one\",\"detail\":{\"step_number\":2,"
                "\"intermediate_answer\":7},\"justifications\":[{\"role\":\"source\","
                "\"antecedents\":[{\"ref\":\"document:d\"},{\"ref\":\"document:e\",\"relevance\":"
                "0.9}]}]}");
    scratch_put(reasoned.store,
                "{\"ref\":\"step:s2\",\"text\":\"two\",\"detail\":{\"step_number\":\"1\"},"
                "\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:c\"}]}");
    int64_t chain =
        scratch_put(reasoned.store,
                    "{\"ref\":\"chain:c\",\"text\":\"q\",\"detail\":{\"final_answer\":\"a\"},"
                    "\"justifications\":[{\"role\":\"step\",\"reading\":\"all\",\"antecedents\":"
                    "[{\"ref\":\"step:s1\"},{\"ref\":\"step:gone\"}]}]}");
    struct chain c = reasoned_read(chain);
    assert_int_equal(c.step_count, 3);
    assert_string_equal(c.step[0].ref.id, "s1");
    assert_int_equal(c.step[0].number, 2);
    assert_null(c.step[0].answer);
    assert_int_equal(c.step[1].number, 0);
    assert_int_equal(c.step[0].source[0].source.origin, SCORE_DEFAULT);
    assert_true(c.step[0].source[0].source.relevance == 0.5);
    assert_int_equal(c.step[0].source[1].source.origin, SCORE_ASSERTED);
    assert_int_equal(c.step[0].source[1].status, STATUS_MISSING);
    assert_string_equal(c.document[1].title, "D");
    bool missing = false;
    for (size_t i = 0; i < 3; i++)
        missing |= c.step[i].status == STATUS_MISSING;
    assert_true(missing);
    /* Each has a number of its own in the summary. */
    struct step_sources *all = chain_step_sources(&c, &reasoned.arena);
    assert_int_equal(all[0].number, 2);
    assert_int_equal(all[1].number, 3);
    assert_int_equal(all[2].number, 4);
    struct error e;
    assert_int_equal(chain_of_step(reasoned.reader, c.step[0].node, &e), chain);
    assert_int_equal(chain_of_step(reasoned.reader, c.step[1].node, &e), chain);
    struct chain same = reasoned_read(c.step[1].node);
    assert_int_equal(same.node, chain);
    struct chain none;
    expect_error(
        chain_read(reasoned.reader, &reasoned.arena, c.step[0].source[0].document, &none, &e), &e,
        ERROR_NOT_FOUND, "no chain");
}

static void a_person_has_the_last_word_beside_the_numbers(void **state)
{
    (void)state;
    struct chain_recorded r = reasoned_must_record(whole);
    struct chain c = reasoned_read(r.chain.node);
    struct memory m = memory_of(c.step[0].node);
    struct mark marks[] = {
        {"rating", 1, "ann", "document:manual relevant", NULL},
        {"rating", 2, "sean", "document:manual irrelevant", "another pump"},
        {"faithful", 3, "ann", "yes", NULL},
        {"faithful", 4, "sean", "no", "it does not say so"},
    };
    m.marks = marks;
    m.mark_count = 4;
    struct strbuf line = STRBUF_INIT;
    exchange_write(&line, &m, NULL);
    scratch_replace(reasoned.store, line.buf, NULL);
    strbuf_release(&line);
    c = reasoned_read(r.chain.node);
    assert_string_equal(c.step[0].faithful, "no");
    assert_string_equal(c.step[0].faithful_by, "sean");
    assert_string_equal(c.step[0].faithful_reason, "it does not say so");
    assert_string_equal(c.step[0].source[0].rating, "irrelevant");
    assert_string_equal(c.step[0].source[0].rated_by, "sean");
    assert_true(c.step[0].source[0].source.relevance == 0.9);
    assert_null(c.step[1].source[0].rating);
}

static void questions_are_the_same_but_for_case_and_space(void **state)
{
    (void)state;
    struct error e;
    int64_t first = reasoned_chain("Почему Pump\tfailed?");
    reasoned_chain("something else");
    int64_t second = reasoned_chain(" \xe3\x80\x80ПОЧЕМУ pump\tFAILED?\n");
    reasoned_chain("Почему Pump failed?");
    int64_t *rows;
    size_t count;
    bool more;
    assert_int_equal(
        chains_on_question(reasoned.reader, &reasoned.arena, first, 5, &rows, &count, &more, &e),
        0);
    assert_int_equal(count, 2);
    assert_int_equal(rows[0], second);
    assert_int_equal(rows[1], first);
    assert_false(more);
    assert_int_equal(
        chains_on_question(reasoned.reader, &reasoned.arena, second, 1, &rows, &count, &more, &e),
        0);
    assert_int_equal(count, 1);
    assert_true(more);
}

static void a_brief_says_the_same(void **state)
{
    (void)state;
    struct error e;
    struct chain_brief b;
    struct chain_recorded r = reasoned_must_record(whole);
    assert_int_equal(chain_brief_read(reasoned.reader, &reasoned.arena, r.chain.node, &b, &e), 0);
    assert_int_equal(b.state, CHAIN_FINISHED);
    assert_int_equal(b.steps, 2);
    assert_int_equal(b.sources, 2);
    assert_true(b.total_time == 4.5);
    assert_true(b.confidence == reasoned_read(r.chain.node).confidence);
    assert_string_equal(b.answer, "It ran dry.");
    assert_string_equal(b.strategy, "decomposition");
    int64_t running = reasoned_chain("q");
    assert_int_equal(chain_brief_read(reasoned.reader, &reasoned.arena, running, &b, &e), 0);
    assert_int_equal(b.state, CHAIN_ABANDONED); /* nobody's session wrote it */
    assert_int_equal(b.steps, 0);
    assert_true(b.confidence != b.confidence);
    assert_null(b.answer);
    struct step_given step = reasoned_given(1, "one", NULL);
    step.confidence = 0.5;
    reasoned_must(running, &step);
    step = reasoned_given(2, "two", NULL);
    step.confidence = 0.25;
    reasoned_must(running, &step);
    assert_int_equal(chain_brief_read(reasoned.reader, &reasoned.arena, running, &b, &e), 0);
    assert_true(b.confidence == 0.375);
    assert_true(b.confidence == reasoned_read(running).confidence);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, reasoned_open, reasoned_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_chain_is_written_step_by_step),
        TEST(what_is_made_up_is_the_document_of_its_content),
        TEST(a_document_that_comes_again_keeps_its_place),
        TEST(a_chain_is_finished),
        TEST(what_is_wrong_is_refused_and_writes_nothing),
        TEST(a_bad_source_is_refused_by_itself),
        TEST(attributions_come_before_results_and_these_before_contexts),
        TEST(a_whole_chain_is_recorded),
        TEST(a_chain_is_written_as_it_was_given),
        TEST(a_chain_that_is_wrong_is_refused_whole),
        TEST(a_confidence_that_nobody_said_is_none),
        TEST(a_recorded_chain_is_undone_at_once),
        TEST(what_others_use_by_then_stays),
        TEST(a_chain_is_seen_growing_in_the_past),
        TEST(chains_that_others_wrote_are_read),
        TEST(a_person_has_the_last_word_beside_the_numbers),
        TEST(questions_are_the_same_but_for_case_and_space),
        TEST(a_brief_says_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
