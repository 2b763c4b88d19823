/* Suggested fixes work: each complete request can be run, and then the problem is gone. */
#include "store/ops/fix.h"

#include "tests/support/scratch.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

static struct fixture f;
static struct arena arena;

static int set_up(void **state)
{
    fixture_open(&f);
    return 0;
}

static int tear_down(void **state)
{
    arena_release(&arena);
    fixture_close(&f);
    return 0;
}

struct sought {
    enum problem problem;
    struct orphan found;
    size_t count;
};

static int take(void *arg, const struct orphan *o)
{
    struct sought *s = arg;
    if (o->problem != s->problem)
        return 0;
    if (s->count++ == 0) {
        s->found = *o;
        s->found.ref.id = arena_strdup(&arena, o->ref.id);
        s->found.field = arena_strdup(&arena, o->field);
        s->found.target = arena_strdup(&arena, o->target);
    }
    return 0;
}

static struct sought seek(enum problem problem)
{
    struct error e;
    struct sought s = {.problem = problem};
    assert_int_equal(orphans_find(f.reader, &(struct orphan_query){0}, take, &s, &e), 0);
    return s;
}

static size_t fixes_of(enum problem problem, struct fix fixes[FIX_MAX])
{
    struct error e;
    size_t count;
    struct sought s = seek(problem);
    assert_int_equal(s.count, 1);
    assert_int_equal(fix_find(f.reader, &arena, &s.found, fixes, &count, &e), 0);
    assert_true(count <= FIX_MAX);
    return count;
}

static void carry_out(const struct fix *m, size_t problems_left, enum problem problem)
{
    struct error e;
    struct plan plan;
    if (operation_run_now(f.store, &scratch_actor, m->operation, &m->request, &arena, &plan, &e))
        fail_msg("%s: %s %s", m->about, e.what, e.hint);
    assert_true(plan.count > 0);
    assert_int_equal(seek(problem).count, problems_left);
}

/* The first suggestion is that operation, is complete, and fixes the problem. */
static void expect_fixed(enum problem problem, enum operation op)
{
    struct fix fixes[FIX_MAX];
    assert_true(fixes_of(problem, fixes) > 0);
    assert_int_equal(fixes[0].operation, op);
    assert_int_equal(fixes[0].need, FIX_NEEDS_NOTHING);
    carry_out(&fixes[0], 0, problem);
}

FIXTURE(set_up, tear_down);

TEST(an_undone_addition_is_restored)
{
    struct fix fixes[FIX_MAX];
    struct error e;
    struct plan plan;
    struct request q = REQUEST_INIT;
    int64_t seq = 1;
    fixture_put(&f, "{\"ref\":\"raw:r\",\"text\":\"t\"}", NULL);
    fixture_put(&f, "{\"ref\":\"note:n\",\"text\":\"t\",\"derived_from\":[\"raw:r\"]}", NULL);
    q.seqs = &seq;
    q.seq_count = 1;
    assert_int_equal(
        operation_run_now(f.store, &scratch_actor, OPERATION_UNDO, &q, &arena, &plan, &e), 0);
    expect_fixed(PROBLEM_MISSING, OPERATION_UNDO);
    fixture_put(&f, "{\"ref\":\"note:m\",\"text\":\"t\",\"derived_from\":[\"raw:never\"]}", NULL);
    assert_int_equal(fixes_of(PROBLEM_MISSING, fixes), 0);
    struct sought s = seek(PROBLEM_MISSING);
    assert_non_null(strstr(fix_advice(f.reader, &arena, &s.found), "import"));
}

/* An agent named a memory that it may not see by a short ref. A person is told which one that is. */
TEST(a_short_ref_of_a_hidden_memory_is_explained)
{
    struct fix fixes[FIX_MAX];
    fixture_put(&f, "{\"ref\":\"note:n\",\"text\":\"t\",\"derived_from\":[\"raw:54c5507f\"]}",
                NULL);
    fixture_put(&f, "{\"ref\":\"raw:54c5507f-1111\",\"text\":\"t\"}", NULL);
    assert_int_equal(fixes_of(PROBLEM_MISSING, fixes), 0);
    struct sought s = seek(PROBLEM_MISSING);
    assert_string_equal(s.found.target, "raw:54c5507f");
    assert_non_null(
        strstr(fix_advice(f.reader, &arena, &s.found), "is short for raw:54c5507f-1111,"));
}

TEST(sources_are_restored)
{
    struct fix fixes[FIX_MAX];
    fixture_put(&f, "{\"ref\":\"raw:r\",\"text\":\"t\",\"status\":\"retracted\"}",
                "{\"ref\":\"raw:p\",\"text\":\"\",\"status\":\"purged\"}",
                "{\"ref\":\"note:n\",\"text\":\"t\",\"derived_from\":[\"raw:r\",\"raw:p\"]}", NULL);
    assert_int_equal(fixes_of(PROBLEM_UNSUPPORTED, fixes), 3);
    assert_int_equal(fixes[1].need, FIX_NEEDS_EVIDENCE);
    assert_int_equal(fixes[2].operation, OPERATION_RETRACT);
    expect_fixed(PROBLEM_UNSUPPORTED, OPERATION_RESTORE);
}

TEST(a_circle_gets_evidence)
{
    struct fix fixes[FIX_MAX];
    const char *evidence[] = {"raw:r"};
    fixture_put(&f, "{\"ref\":\"raw:r\",\"text\":\"t\"}",
                "{\"ref\":\"belief:b\",\"text\":\"t\",\"derived_from\":[\"belief:b\"]}", NULL);
    assert_int_equal(fixes_of(PROBLEM_CIRCULAR, fixes), 2);
    assert_int_equal(fixes[0].need, FIX_NEEDS_EVIDENCE);
    fixes[0].request.evidence = evidence;
    fixes[0].request.evidence_count = 1;
    carry_out(&fixes[0], 0, PROBLEM_CIRCULAR);
}

TEST(provenance_is_fixed)
{
    fixture_put(&f, "{\"ref\":\"belief:seed\",\"text\":\"t\",\"context\":\"kernle_seed\"}",
                "{\"ref\":\"raw:r\",\"text\":\"t\",\"processed_into\":[\"note:n\"]}",
                "{\"ref\":\"note:n\",\"text\":\"t\",\"annotations\":[\"context:x\"]}", NULL);
    expect_fixed(PROBLEM_UNRECORDED, OPERATION_REPAIR_ORIGINS);
    expect_fixed(PROBLEM_DISAGREEING, OPERATION_REPAIR_ORIGINS);
}

TEST(seconds_are_read_as_seconds)
{
    struct fix fixes[FIX_MAX];
    fixture_put(&f,
                "{\"ref\":\"raw:r\",\"text\":\"t\",\"created_at\":1790000000,"
                "\"updated_at\":1790000000000}",
                NULL);
    expect_fixed(PROBLEM_SUSPECT_TIME, OPERATION_EDIT);
    fixture_put(&f,
                "{\"ref\":\"attribution:a\",\"text\":\"t\",\"created_at\":1790000000000,"
                "\"detail\":{\"source_type\":\"x\",\"retrieval_timestamp\":1790000000}}",
                NULL);
    expect_fixed(PROBLEM_SUSPECT_TIME, OPERATION_EDIT);
    fixture_put(&f,
                "{\"ref\":\"raw:u\",\"text\":\"t\",\"created_at\":1790000000000,"
                "\"updated_at\":1990000000000}",
                NULL);
    expect_fixed(PROBLEM_SUSPECT_TIME, OPERATION_FLAG);
    fixture_put(&f,
                "{\"ref\":\"raw:far\",\"text\":\"t\",\"created_at\":1990000000000,"
                "\"updated_at\":1790000000000}",
                NULL);
    assert_int_equal(fixes_of(PROBLEM_SUSPECT_TIME, fixes), 1);
    assert_int_equal(fixes[0].need, FIX_NEEDS_TIME);
    fixes[0].request.created_at = INT64_C(1790000000000);
    carry_out(&fixes[0], 0, PROBLEM_SUSPECT_TIME);
}

TEST(confidence_is_set_to_the_end_of_its_history)
{
    static const char line[] =
        "{\"ref\":\"raw:r\",\"text\":\"t\",\"confidence\":0.5,\"history\":[{\"at\":1,"
        "\"old\":0.8,\"new\":0.7}]}";
    fixture_put(&f, line, NULL);
    expect_fixed(PROBLEM_UNEXPLAINED, OPERATION_EDIT);
}

TEST(several_are_fixed_at_once)
{
    struct fix fixes[FIX_MAX];
    struct request together;
    fixture_put(&f, "{\"ref\":\"belief:a\",\"text\":\"t\",\"context\":\"kernle_seed\"}", NULL);
    assert_true(fixes_of(PROBLEM_UNRECORDED, fixes) > 0);
    fixture_put(&f, "{\"ref\":\"belief:b\",\"text\":\"t\",\"context\":\"kernle_seed\"}", NULL);
    int64_t rows[] = {fixture_row(&f, "belief:a"), fixture_row(&f, "belief:b")};
    assert_true(fix_together(&fixes[0], rows, 2, &together));
    struct fix all = fixes[0];
    all.request = together;
    carry_out(&all, 0, PROBLEM_UNRECORDED);
    all.operation = OPERATION_EDIT; /* an operation that needs a request per memory */
    assert_false(fix_together(&all, rows, 2, &together));
}
