/*
 * The page of a memory: the changes of its confidence with their formulas, from exact values; who locked and approved
 * it; what replaces it; the effect of decay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "store/db/store_state.h"
#include "store/ops/operation.h"
#include "store/query/ref.h"
#include "tui/render/facts.h"
#include "tests/support/golden.h"
#include "tests/support/viewed.h"

static int set_up(void **state)
{
    struct viewed *s = viewed_open();
    fixture_put(
        &s->fixture,
        "{\"ref\":\"episode:52a8b0c0-1\",\"agent_id\":\"ash\",\"text\":\"Skipped staging\","
        "\"created_at\":1794990000000}",
        "{\"ref\":\"belief:54c5507f-2\",\"agent_id\":\"ash\",\"confidence\":0.7,\"text\":\"Never "
        "skip staging before a deploy\",\"created_at\":1794990000000,\"source\":\"told by "
        "Claire\",\"derived_from\":[\"episode:52a8b0c0-1\"]}",
        "{\"ref\":\"belief:old-3\",\"agent_id\":\"ash\",\"confidence\":0.8,\"text\":\"It is "
        "old\",\"created_at\":1790000000000}",
        "{\"ref\":\"belief:told-4\",\"agent_id\":\"ash\",\"confidence\":0.8,\"text\":\"From "
        "elsewhere\",\"created_at\":1794990000000,\"history\":[{\"at\":1794991000000,\"old\":"
        "0.7,\"new\":0.8,\"reason\":\"theirs\",\"origin\":\"kernle\"}]}",
        NULL);
    s->script.columns = 120;
    s->script.rows = 50;
    *state = s;
    return 0;
}

static void operate(struct viewed *s, enum operation op, const char *ref, const char *evidence,
                    const char *reason)
{
    struct actor sean = {.class = ACTOR_PERSON, .name = "sean", .origin = "command"};
    struct request q = REQUEST_INIT;
    struct arena arena = ARENA_INIT;
    struct plan plan;
    struct error e = {0};
    q.refs = &ref;
    q.ref_count = ref != NULL;
    q.evidence = &evidence;
    q.evidence_count = evidence != NULL;
    q.reason = reason;
    q.text = op == OPERATION_REPLACE ? "Always stage first" : NULL;
    q.text_len = q.text ? strlen(q.text) : 0;
    if (operation_run_now(s->fixture.store, &sean, op, &q, &arena, &plan, &e))
        fail_msg("%s: %s %s", op_spec(op)->name, e.what, e.hint);
    arena_release(&arena);
}

#define BELIEF "belief:54c5507f-2"

static void change(struct viewed *s)
{
    operate(s, OPERATION_REINFORCE, BELIEF, "episode:52a8b0c0-1", "outage");
    operate(s, OPERATION_APPROVE, BELIEF, NULL, "read the report");
    operate(s, OPERATION_REINFORCE, BELIEF, NULL, "postmortem");
    operate(s, OPERATION_LOCK, BELIEF, NULL, NULL);
}

static void test_frames_match(void **state)
{
    static const struct golden_view changed = {"memory-confidence", ":" BELIEF "<Enter>"},
                                    decayed = {"memory-decayed", ":belief:old-3<Enter>"};
    struct viewed *s = *state;
    change(s);
    golden_check_views(&s->script, &changed, 1);
    s->fixture.store->confidence.decay = true;
    golden_check_views(&s->script, &decayed, 1);
}

/* The numbers of the specification: 0.7 becomes 0.713181…, and continues from there, whatever is displayed. */
static void test_the_reinforcement_formula_has_exact_digits(void **state)
{
    struct viewed *s = *state;
    char row[9][40], sum[9][60];
    double c = 0.7;
    int n = 0;
    for (int i = 0; i < 9; i++) {
        double before = c;
        operate(s, OPERATION_REINFORCE, BELIEF, NULL, "why");
        n++;
        c += 0.05 / (1 + 0.1 * n) * (0.99 - c);
        assert_true(i > 0 || fabs(c - 0.713181818181) < 1e-9);
        snprintf(row[i], sizeof(row[i]), "   %.3f  %+.3f  ", c, c - before);
        snprintf(sum[i], sizeof(sum[i]), "0.05/(1+0.1·%d)·(0.99−%.3f)", n, before);
    }
    const char *frame = script_run(&s->script, ":" BELIEF "<Enter>");
    for (int i = 9; i-- > 0;) { /* in reverse order */
        frame = strstr(frame, row[i]);
        if (!frame)
            fail_msg("%s is not there, or not below what came after it", row[i]);
        const char *beside = strstr(frame, sum[i]);
        assert_non_null(beside);
        assert_true(beside < frame + strcspn(frame, "\n"));
    }
    assert_non_null(strstr(frame, "   0.700          "));
}

/* Displayed values are rounded once, from the exact value, not from the rounded history. */
static void test_values_are_rounded_once(void **state)
{
    struct strbuf sum = STRBUF_INIT;
    struct fact_step step = {.operation = "reinforce", .before = 0.7, .n = 1};
    (void)state;
    step.after = 0.7 + 0.05 / 1.1 * (0.99 - 0.7);
    assert_true(fact_step_sum(&step, false, &sum));
    assert_string_equal(sum.buf, "0.05/(1+0.1·1)·(0.99−0.700)");
    strbuf_clear(&sum);
    assert_true(fact_step_sum(&step, true, &sum)); /* in the syntax of bc */
    assert_string_equal(sum.buf, "0.05/(1+0.1*1)*(0.99-0.700)");
    strbuf_clear(&sum);
    step.after = 0.8; /* the formula of another system */
    assert_false(fact_step_sum(&step, false, &sum));
    step = (struct fact_step){.operation = "reinforce", .before = 1, .after = 1, .n = 3};
    assert_true(fact_step_sum(&step, false, &sum));
    assert_string_equal(sum.buf, "nothing above 0.99");
    strbuf_clear(&sum);
    step = (struct fact_step){.operation = "verify", .before = 0.95, .after = 1};
    assert_true(fact_step_sum(&step, false, &sum));
    assert_string_equal(sum.buf, "+0.1, at most 1");
    strbuf_clear(&sum);
    step = (struct fact_step){.operation = "edit", .before = 0.5, .after = 0.6};
    assert_false(fact_step_sum(&step, false, &sum));
    strbuf_release(&sum);
}

/* Undone changes are not in the history; the others keep their formulas. */
static void test_undone_changes_are_left_out(void **state)
{
    struct viewed *s = *state;
    operate(s, OPERATION_REINFORCE, BELIEF, NULL, "first");
    operate(s, OPERATION_REINFORCE, BELIEF, NULL, "second");
    operate(s, OPERATION_UNDO, NULL, NULL, NULL);
    operate(s, OPERATION_REINFORCE, BELIEF, NULL, "third");
    const char *frame = viewed_shows(s, ":" BELIEF "<Enter>", "third");
    assert_non_null(strstr(frame, "   0.725  +0.012  "));
    assert_non_null(strstr(frame, "   0.713  +0.013  "));
    assert_null(strstr(frame, "second"));
    operate(s, OPERATION_UNDO, NULL, NULL, NULL);
    frame = viewed_shows(s, ":" BELIEF "<Enter>", "first");
    assert_null(strstr(frame, "approved")); /* it was undone */
}

static void test_operations_are_listed(void **state)
{
    struct viewed *s = *state;
    change(s);
    const char *frame = viewed_shows(s, ":" BELIEF "<Enter>", " by sean");
    const char *protected_by = strstr(frame, " locked       20"),
               *verified = strstr(frame, " approved     20");
    assert_non_null(protected_by);
    assert_non_null(verified);
    operate(s, OPERATION_UNLOCK, BELIEF, NULL, NULL);
    frame = viewed_shows(s, ":" BELIEF "<Enter>", " approved     20");
    assert_null(strstr(frame, " locked       20"));
    operate(s, OPERATION_RETRACT, BELIEF, NULL, "wrong");
    viewed_shows(s, ":" BELIEF "<Enter>", " retracted    20");
}

static void test_relations_are_listed(void **state)
{
    struct viewed *s = *state;
    operate(s, OPERATION_REPLACE, BELIEF, NULL, NULL);
    viewed_shows(s, ":" BELIEF "<Enter>", "   replaced by      ");
    viewed_shows(s, ":" BELIEF "<Enter>", "Always stage first");
    viewed_shows(s, ":" BELIEF "<Enter>", " replaced     20");
}

/* The source of a change can be opened, and a history from another system keeps its digits. */
static void test_the_source_of_a_change_opens(void **state)
{
    struct viewed *s = *state;
    change(s);
    viewed_shows(s, ":" BELIEF "<Enter><Tab><Tab><Tab><Enter>", "Skipped staging");
    const char *frame = viewed_shows(s, ":belief:told-4<Enter>", "   0.800  +0.100  ");
    assert_null(strstr(frame, "0.05/(1"));
}

static void test_decay_is_shown(void **state)
{
    struct viewed *s = *state;
    assert_null(strstr(script_run(&s->script, ":belief:old-3<Enter>"), "with age"));
    s->fixture.store->confidence.decay = true;
    viewed_shows(s, ":belief:old-3<Enter>", "with age: 0.800 - 0.01 * ");
    assert_null(strstr(script_run(&s->script, ":" BELIEF "<Enter>"), "with age"));
}

/* ---- changes while it is open ---- */

static void protect_by_another(struct script *s, const char *name)
{
    if (!strcmp(name, "before"))
        operate((struct viewed *)s, OPERATION_LOCK, BELIEF, NULL, NULL);
}

/* Lines are added above the cursor, which stays on the second of two rows of one memory. */
static void test_the_cursor_stays_on_its_row(void **state)
{
    struct viewed *s = *state;
    operate(s, OPERATION_REINFORCE, BELIEF, "episode:52a8b0c0-1", "outage");
    s->script.columns = 80;
    s->script.at_shot = protect_by_another;
    const char *keys = ":" BELIEF "<Enter><Tab>j<shot:before><shot:after>";
    const char *after = viewed_shows(s, keys, " locked       20");
    char *before = script_shot(&s->script, "before");
    assert_null(strstr(before, " locked       20"));
    assert_non_null(strstr(before, "\n > \xe2\x97\x8f 2. "));
    if (!strstr(after, "\n > \xe2\x97\x8f 2. "))
        fail_msg("the cursor is elsewhere in\n%s", after);
    free(before);
}

/* ---- dependents ---- */

static void expect_dependents(struct viewed *s, const char *ref, size_t bound, const char *said)
{
    struct error e = {0};
    struct strbuf out = STRBUF_INIT;
    int64_t node = ref_resolve(s->fixture.reader, ref, &e);
    struct facts *f = facts_read(s->fixture.reader, node, bound, bound == 0, NULL, &e);
    assert_non_null(f);
    facts_describe_users(f, false, &out);
    assert_string_equal(out.buf, said);
    strbuf_release(&out);
    facts_free(f);
}

static void test_dependents_are_counted(void **state)
{
    struct viewed *s = *state;
    fixture_put(&s->fixture, "{\"ref\":\"raw:hub\",\"text\":\"h\"}",
                "{\"ref\":\"note:a\",\"text\":\"a\",\"derived_from\":[\"raw:hub\"]}",
                "{\"ref\":\"note:b\",\"text\":\"b\",\"derived_from\":[\"raw:hub\"]}",
                "{\"ref\":\"note:c\",\"text\":\"c\",\"derived_from\":[\"note:a\",\"raw:1\","
                "\"raw:2\",\"raw:3\"]}",
                "{\"ref\":\"note:self\",\"text\":\"s\",\"derived_from\":[\"note:self\"]}", NULL);
    expect_dependents(s, "raw:hub", 0, "2 directly, 3 in all \xc2\xb7 3 with no other support");
    expect_dependents(s, "raw:hub", 2, "more than 2 memories");
    expect_dependents(s, "raw:hub", 3, "2 directly, 3 in all"); /* lost support is not computed */
    expect_dependents(s, "note:a", 2, "1 memory");
    expect_dependents(s, "note:self", 0, "");
    expect_dependents(s, "note:self", 20, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames_match, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_dependents_are_counted, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_the_reinforcement_formula_has_exact_digits, set_up,
                                        viewed_close),
        cmocka_unit_test_setup_teardown(test_values_are_rounded_once, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_undone_changes_are_left_out, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_operations_are_listed, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_relations_are_listed, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_the_source_of_a_change_opens, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_decay_is_shown, set_up, viewed_close),
        cmocka_unit_test_setup_teardown(test_the_cursor_stays_on_its_row, set_up, viewed_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
