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

#define TEST(f) cmocka_unit_test_setup_teardown(f, reasoned_open, reasoned_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_made_up_is_the_document_of_its_content),
        TEST(a_document_that_comes_again_keeps_its_place),
        TEST(attributions_come_before_results_and_these_before_contexts),
        TEST(a_confidence_that_nobody_said_is_none),
        TEST(a_recorded_chain_is_undone_at_once),
        TEST(what_others_use_by_then_stays),
        TEST(chains_that_others_wrote_are_read),
        TEST(questions_are_the_same_but_for_case_and_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
