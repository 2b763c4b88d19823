/*
 * What takes support away, and what is worked out from it: forget and propagate. What is expected is
 * written out by hand; what a preview lists is what is done.
 */
#include "tests/support/scratch.h"

#include "model/format/exchange.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "tests/support/operated.h"

static const struct actor agent = {ACTOR_AGENT, "ash", "ash", "mcp", NULL, 0};

static int setup(void **state)
{
    (void)state;
    operated_open("harmed.db");
    return 0;
}

static void put(const char *ref, const char *more)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "{\"ref\":\"%s\",\"text\":\"says %s\",\"agent_id\":\"ash\"%s%s}", ref, ref,
                *more ? "," : "", more);
    operated_put(line.buf);
    strbuf_release(&line);
}

static const struct memory *subject(const struct planned *c)
{
    return c->before ? c->before : c->after;
}

/*
 * A preview changes nothing; the commit does what the preview said: the same changes of the same memories in the
 * same order, and each comes out as it was shown, times apart.
 */
static void must(const struct actor *actor, enum operation op, const struct request *q)
{
    struct error e;
    struct plan preview;
    int64_t before = operated_last();
    if (operation_preview(operated.reader, actor, op, q, &operated.arena, &preview, &e))
        fail_msg("%s %s", e.what, e.todo);
    assert_int_equal(operated_last(), before);
    if (operation_run_now(operated.store, actor, op, q, &operated.arena, &operated.done, &e))
        fail_msg("%s %s", e.what, e.todo);
    assert_int_equal(operated_last(), before + (int64_t)preview.count);
    assert_int_equal(operated.done.count, preview.count);
    assert_int_equal(operated.done.named, preview.named);
    for (size_t i = 0; i < operated.done.count; i++) {
        const struct planned *a = &preview.change[i], *b = &operated.done.change[i];
        assert_string_equal(a->operation, b->operation);
        assert_true(ref_equal(subject(a)->ref, subject(b)->ref));
        assert_true(a->after->confidence == b->after->confidence);
        assert_int_equal(a->after->status, b->after->status);
        assert_int_equal(a->after->mark_count, b->after->mark_count);
        assert_int_equal(a->after->justification_count, b->after->justification_count);
    }
    assert_int_equal(operated.done.fall_count, preview.fall_count);
    assert_int_equal(operated.done.weakened_count, preview.weakened_count);
    assert_int_equal(operated.done.descends, preview.descends);
    assert_int_equal(operated.done.left_count, preview.left_count);
    assert_int_equal(operated.done.remark_count, preview.remark_count);
}

static void refused(const struct actor *actor, enum operation op, const struct request *q,
                    enum error_code code)
{
    struct error e = {0}, previewed = {0};
    struct plan preview;
    int64_t before = operated_last();
    assert_int_equal(
        operation_preview(operated.reader, actor, op, q, &operated.arena, &preview, &previewed),
        -1);
    assert_int_equal(
        operation_run_now(operated.store, actor, op, q, &operated.arena, &operated.done, &e), -1);
    assert_int_equal(e.code, code);
    assert_int_equal(previewed.code, code);
    assert_string_equal(e.what, previewed.what);
    assert_true(e.what[0] != '\0');
    assert_int_equal(operated_last(), before);
}

/* Refs of the consequences, each followed by "weakened" ones' numbers. */
static void expect_consequences(const char *falls, const char *weakened, int64_t descends)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < operated.done.fall_count; i++) {
        strbuf_addstr(&text, i ? " " : "");
        ref_add(&text, operated.done.falls[i].ref);
    }
    strbuf_addch(&text, '|');
    for (size_t i = 0; i < operated.done.weakened_count; i++) {
        strbuf_addstr(&text, i ? " " : "");
        ref_add(&text, operated.done.weakened[i].ref);
        strbuf_addf(&text, " %u>%u", operated.done.weakened[i].holds,
                    operated.done.weakened[i].remain);
    }
    struct strbuf expected = STRBUF_INIT;
    strbuf_addf(&expected, "%s|%s", falls, weakened);
    assert_string_equal(text.buf, expected.buf);
    assert_int_equal(operated.done.descends, descends);
    strbuf_release(&text);
    strbuf_release(&expected);
}

static void expect_left(size_t at, const char *said)
{
    assert_true(at < operated.done.left_count);
    assert_string_equal(operated.done.left[at], said);
}

/* The only mark, by reason; NULL: there is none. */
static void expect_mark(const char *ref, const char *reason)
{
    struct memory m = operated_read(ref);
    assert_int_equal(m.mark_count, reason ? 1 : 0);
    if (!reason)
        return;
    assert_string_equal(m.marks[0].mark, "for_review");
    assert_string_equal(m.marks[0].reason, reason);
    assert_string_equal(m.marks[0].actor, scratch_actor.name);
}

/* ---- forget ---- */

/* raw:one carries a (alone), b (with raw:two), c (by a and raw:two, all), d (which is retracted), and e by b. */
static void make_lineage(void)
{
    put("raw:one", "");
    put("raw:two", "");
    put("belief:a", "\"derived_from\":[\"raw:one\"]");
    put("belief:b", "\"derived_from\":[\"raw:one\",\"raw:two\"]");
    put("belief:c", "\"derived_from\":[\"belief:a\",\"raw:two\"],\"derivation\":\"all\"");
    put("belief:d", "\"derived_from\":[\"raw:one\"],\"status\":\"retracted\"");
    put("belief:e", "\"derived_from\":[\"belief:b\"]");
}

static void forgetting_marks_what_it_carried(void **state)
{
    (void)state;
    make_lineage();
    struct request q = ABOUT("raw:one");
    q.reason = "made up";
    must(&scratch_actor, OPERATION_FORGET, &q);
    expect_consequences("belief:a belief:c", "belief:b 2>1", 2);
    assert_int_equal(operated.done.named, 1);
    assert_int_equal(operated.done.count, 4);
    struct memory one = operated_read("raw:one");
    assert_int_equal(one.status, STATUS_FORGOTTEN);
    assert_string_equal(one.text, "says raw:one");
    expect_mark("belief:a", "rests on raw:one, which was forgotten");
    expect_mark("belief:b", "rests on raw:one, which was forgotten");
    expect_mark("belief:c", "rests on raw:one, which was forgotten");
    expect_mark("belief:d", NULL);
    expect_mark("belief:e", NULL);
    assert_int_equal(operated_read("belief:a").justification_count, 1); /* the skeleton stays */
    assert_int_equal(operated_read("belief:a").status, STATUS_ACTIVE);
}

static void forgetting_several_says_which(void **state)
{
    (void)state;
    make_lineage();
    put("raw:three", "");
    put("belief:f", "\"derived_from\":[\"raw:three\"]");
    struct request q = ABOUT("raw:one", "raw:two", "raw:three", "raw:one", "belief:d");
    must(&scratch_actor, OPERATION_FORGET, &q);
    assert_int_equal(operated.done.named, 4);
    expect_consequences("belief:a belief:b belief:c belief:e belief:f", "", 0);
    expect_mark("belief:a", "rests on raw:one, which was forgotten");
    expect_mark("belief:b", "rests on raw:one and others that were forgotten");
    expect_mark("belief:f", "rests on raw:three, which was forgotten");
    assert_int_equal(operated_read("belief:d").status, STATUS_FORGOTTEN); /* it was retracted */
    struct event *all;
    size_t count;
    struct error e;
    assert_int_equal(
        journal_of(operated.reader, &operated.arena, operated_row("belief:f"), &all, &count, &e),
        0);
    assert_string_equal(all[count - 1].operation, "mark");
    assert_non_null(all[count - 1].correlation);
    q = ABOUT("raw:one");
    must(&scratch_actor, OPERATION_FORGET, &q);
    assert_int_equal(operated.done.count, 0);
    expect_left(0, "raw:one is forgotten already");
}

static void what_is_protected_is_not_forgotten(void **state)
{
    (void)state;
    make_lineage();
    put("belief:kept", "\"protected\":true,\"derived_from\":[\"raw:one\"]");
    struct request q = ABOUT("raw:two", "belief:kept");
    refused(&scratch_actor, OPERATION_FORGET, &q, ERROR_REFUSED);
    refused(&agent, OPERATION_FORGET, &q, ERROR_REFUSED);
    assert_int_equal(operated_read("raw:two").status, STATUS_ACTIVE);
    q = ABOUT("raw:one"); /* what follows is not asked */
    must(&scratch_actor, OPERATION_FORGET, &q);
    expect_mark("belief:kept", "rests on raw:one, which was forgotten");
    q = ABOUT("raw:never");
    refused(&scratch_actor, OPERATION_FORGET, &q, ERROR_NOT_FOUND);
}

/* ---- propagate ---- */

static void expect_confidence(const char *ref, double confidence)
{
    double found = operated_read(ref).confidence;
    if (found != confidence)
        fail_msg("%s has %.17g, not %.17g", ref, found, confidence);
}

/*
 * belief:r 0.55 carries a (0.8, on it), b (0.9, on it or on note:n 0.6), c (0.7, on a and note:n), d (0.5, on
 * a), e and f on each other and a, g on what was retracted.
 */
static void propagating_lowers_what_it_carries(void **state)
{
    (void)state;
    put("note:n", "\"confidence\":0.6");
    put("belief:r", "\"confidence\":0.55");
    put("belief:a", "\"confidence\":0.8,\"derived_from\":[\"belief:r\"]");
    put("belief:b", "\"confidence\":0.9,\"derived_from\":[\"belief:r\",\"note:n\"]");
    put("belief:c",
        "\"confidence\":0.7,\"derived_from\":[\"belief:a\",\"note:n\"],\"derivation\":\"all\"");
    put("belief:d", "\"confidence\":0.5,\"derived_from\":[\"belief:a\"]");
    put("belief:e", "\"confidence\":0.9,\"derived_from\":[\"belief:a\",\"belief:f\"]");
    put("belief:f", "\"confidence\":0.9,\"derived_from\":[\"belief:e\"]");
    put("belief:x", "\"status\":\"retracted\",\"derived_from\":[\"belief:r\"]");
    put("belief:g", "\"confidence\":0.9,\"derived_from\":[\"belief:x\"]");
    struct request q = ABOUT("belief:r");
    q.reason = "it was hearsay";
    must(&scratch_actor, OPERATION_PROPAGATE, &q);
    assert_int_equal(operated.done.count, 3);
    expect_confidence("belief:r", 0.55);
    expect_confidence("belief:a", 0.55);
    expect_confidence("belief:b", 0.6);
    expect_confidence("belief:c", 0.55);
    expect_confidence("belief:d", 0.5);
    expect_confidence("belief:e", 0.9);
    expect_confidence("belief:g", 0.9);
    assert_int_equal(operated.done.left_count, 4);
    struct memory b = operated_read("belief:b"), a = operated_read("belief:a");
    assert_int_equal(b.history_count, 1);
    assert_true(b.history[0].old == 0.9 && b.history[0].new_ == 0.6);
    assert_string_equal(a.history[0].reason, "propagated from belief:r; it was hearsay");
    assert_string_equal(b.history[0].reason,
                        "propagated from belief:r: note:n bears no more; it was hearsay");
    must(&scratch_actor, OPERATION_PROPAGATE, &q);
    assert_int_equal(operated.done.count, 0);
}

static void propagating_names_what_it_leaves(void **state)
{
    (void)state;
    put("belief:r", "\"confidence\":0.1");
    put("belief:self", "\"confidence\":0.9,\"derived_from\":[\"belief:self\",\"belief:r\"]");
    put("belief:x", "\"status\":\"forgotten\",\"derived_from\":[\"belief:r\"]");
    put("belief:g", "\"derived_from\":[\"belief:x\"]");
    struct request q = ABOUT("belief:r");
    must(&scratch_actor, OPERATION_PROPAGATE, &q);
    assert_int_equal(operated.done.count, 0);
    assert_int_equal(operated.done.left_count, 3);
    expect_left(0, "belief:self is on a circle of support");
    expect_left(1, "belief:x is forgotten");
    expect_left(2, "belief:g has no justification that holds");
}

static void propagating_is_a_persons(void **state)
{
    (void)state;
    make_lineage();
    struct request q = ABOUT("raw:one");
    refused(&agent, OPERATION_PROPAGATE, &q, ERROR_REFUSED);
    q = ABOUT("raw:one", "raw:two");
    refused(&scratch_actor, OPERATION_PROPAGATE, &q, ERROR_INVALID);
    q = ABOUT("belief:nobody");
    refused(&scratch_actor, OPERATION_PROPAGATE, &q, ERROR_NOT_FOUND);
}

/* ---- fix-provenance ---- */

static void expect_seed(const char *ref, bool is)
{
    struct memory m = operated_read(ref);
    bool annotated = false;
    for (size_t i = 0; i < m.annotation_count; i++)
        annotated |= strcmp(m.annotations[i], "kernle:seed-beliefs") == 0;
    assert_int_equal(strcmp(m.source_type, "seed") == 0, is);
    assert_int_equal(annotated, is);
}

/* The antecedents of its last justification, which was migrated. */
static void expect_derived(const char *ref, size_t justifications, const char *from)
{
    struct strbuf refs = STRBUF_INIT;
    struct memory m = operated_read(ref);
    assert_int_equal(m.justification_count, justifications);
    const struct justification *j = &m.justifications[justifications - 1];
    assert_int_equal(j->role, ROLE_DERIVED_FROM);
    assert_int_equal(j->recorded, RECORDED_MIGRATED);
    assert_int_equal(j->reading, READING_ANY);
    for (size_t i = 0; i < j->count; i++) {
        strbuf_addstr(&refs, i ? " " : "");
        ref_add(&refs, j->antecedents[i].ref);
    }
    assert_string_equal(refs.buf, from);
    strbuf_release(&refs);
}

static void put_unfixed(void)
{
    put("belief:by-context", "\"context\":\"kernle_seed\",\"source_type\":\"unknown\"");
    put("belief:by-annotation", "\"annotations\":[\"kernle:seed-beliefs\"]");
    put("belief:by-words", "\"source_type\":\"unknown\"");
    put("belief:inferred", "\"source_type\":\"inference\"");
    put("belief:fixed",
        "\"source_type\":\"seed\",\"annotations\":[\"kernle:seed-beliefs\"],\"context\":\"x\"");
    put("note:no-belief", "\"context\":\"kernle_seed\"");
    put("raw:one", "\"processed_into\":[\"episode:e\",\"belief:both\"]");
    put("raw:two", "\"processed_into\":[\"belief:both\",\"belief:named\",\"note:never\"]");
    put("raw:dead", "\"status\":\"deleted\",\"processed_into\":[\"episode:e\"]");
    put("episode:e", "");
    put("belief:both", "\"derived_from\":[\"episode:e\"],\"context\":\"kernle_seed\"");
    put("belief:named", "\"relates_to\":[],\"derived_from\":[\"raw:two\"]");
}

static void fixing_says_where_things_came_from(void **state)
{
    const char *statements[] = {"  says belief:by-words\n", "says belief:inferred", "", "nobody"};
    (void)state;
    put_unfixed();
    struct request q = REQUEST_INIT;
    q.statements = statements;
    q.statement_count = 4;
    must(&scratch_actor, OPERATION_FIX_PROVENANCE, &q);
    assert_int_equal(operated.done.count, 5);
    expect_seed("belief:by-context", true);
    expect_seed("belief:by-annotation", true);
    expect_seed("belief:by-words", true);
    expect_seed("belief:both", true);
    expect_seed("belief:inferred", false);
    expect_seed("note:no-belief", false);
    expect_derived("episode:e", 1, "raw:one");
    expect_derived("belief:both", 2, "raw:one raw:two");
    assert_int_equal(operated_read("belief:named").justification_count, 1);
    assert_int_equal(operated.done.left_count, 1);
    expect_left(0, "belief:inferred says what a seed says, and that it comes from elsewhere");
    must(&scratch_actor, OPERATION_FIX_PROVENANCE, &q);
    assert_int_equal(operated.done.count, 0);
    refused(&agent, OPERATION_FIX_PROVENANCE, &q, ERROR_REFUSED);
}

static void fixing_of_some_leaves_the_others(void **state)
{
    (void)state;
    put_unfixed();
    struct request q = ABOUT("raw:two", "belief:by-context");
    must(&scratch_actor, OPERATION_FIX_PROVENANCE, &q);
    assert_int_equal(operated.done.count, 2);
    expect_seed("belief:by-context", true);
    expect_seed("belief:both", false);
    expect_derived("belief:both", 2, "raw:two");
    assert_int_equal(operated_read("episode:e").justification_count, 0);
    assert_string_equal(operated.done.change[0].reason, "it is a seed");
    q = ABOUT("episode:e");
    q.reason = "as the log says";
    must(&scratch_actor, OPERATION_FIX_PROVENANCE, &q);
    expect_derived("episode:e", 1, "raw:one");
    assert_string_equal(operated.done.change[0].reason,
                        "raw:one was processed into it; as the log says");
}

/* What it would derive would hold itself up. */
static void fixing_makes_no_circle(void **state)
{
    (void)state;
    put("note:n", "");
    put("raw:on-it", "\"derived_from\":[\"note:n\"],\"processed_into\":[\"note:n\",\"raw:on-it\"]");
    put("raw:a", "\"processed_into\":[\"raw:b\"]");
    put("raw:b", "\"processed_into\":[\"raw:a\"]");
    struct request q = REQUEST_INIT;
    must(&scratch_actor, OPERATION_FIX_PROVENANCE, &q);
    assert_int_equal(operated.done.count, 1);
    assert_int_equal(operated_read("note:n").justification_count, 0);
    assert_int_equal(
        operated_read("raw:a").justification_count + operated_read("raw:b").justification_count, 1);
    expect_left(0, "note:n cannot be derived from a raw that rests on it");
}

static void fixing_is_taken_back_at_once(void **state)
{
    (void)state;
    put_unfixed();
    struct request q = REQUEST_INIT, undo = REQUEST_INIT;
    must(&scratch_actor, OPERATION_FIX_PROVENANCE, &q);
    size_t fixed = operated.done.count;
    must(&scratch_actor, OPERATION_UNDO, &undo);
    assert_int_equal(operated.done.count, fixed);
    expect_seed("belief:by-context", false);
    assert_int_equal(operated_read("episode:e").justification_count, 0);
    must(&scratch_actor, OPERATION_FIX_PROVENANCE, &q);
    assert_int_equal(operated.done.count, fixed);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, operated_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(forgetting_marks_what_it_carried),
        TEST(forgetting_several_says_which),
        TEST(what_is_protected_is_not_forgotten),
        TEST(propagating_lowers_what_it_carries),
        TEST(propagating_names_what_it_leaves),
        TEST(propagating_is_a_persons),
        TEST(fixing_says_where_things_came_from),
        TEST(fixing_of_some_leaves_the_others),
        TEST(fixing_makes_no_circle),
        TEST(fixing_is_taken_back_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
