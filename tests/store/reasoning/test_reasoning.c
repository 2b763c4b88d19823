/* Chains of thought in a store: written step by step or whole, what is refused, and reading what
 * was written. */
#include "tests/support/reasoned.h"

#include "model/base/strbuf.h"
#include "store/ops/operation.h"
#include "tests/support/test.h"

static void expect_error(int result, const struct error *e, enum error_code code, const char *part)
{
    assert_int_equal(result, -1);
    assert_int_equal(e->code, code);
    if (!strstr(e->what, part))
        fail_msg("“%s” is not said in: %s", part, e->what);
}

/* ---- a whole chain ---- */

/* ---- imported steps and chains ---- */

FIXTURE(reasoned_open, reasoned_close);

TEST(imported_chains_are_read)
{
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
    /* No number is made up: a step without one is named by its ref. */
    struct step_sources *all = chain_step_sources(&c, &reasoned.arena);
    assert_int_equal(all[0].number, 2);
    assert_null(all[0].ref);
    assert_int_equal(all[1].number, 0);
    assert_string_equal(all[1].ref, "step:s2");
    assert_int_equal(all[2].number, 0);
    struct error e;
    assert_int_equal(chain_of_step(reasoned.reader, c.step[0].node, &e), chain);
    assert_int_equal(chain_of_step(reasoned.reader, c.step[1].node, &e), chain);
    struct chain same = reasoned_read(c.step[1].node);
    assert_int_equal(same.node, chain);
    struct chain none;
    expect_error(
        chain_read(reasoned.reader, &reasoned.arena, c.step[0].source[0].document, &none, &e), &e,
        ERROR_NOT_FOUND, "neither a chain");
}

TEST(questions_ignore_case_and_space)
{
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
