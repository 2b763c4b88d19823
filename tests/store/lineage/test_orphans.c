/* Health: each problem found once for what it is, in order, and nothing that is sound. */
#include "store/lineage/orphans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "model/base/strbuf.h"
#include "store/lineage/orphans.h"
#include "tests/support/store_fixture.h"

static int set_up(void **state)
{
    static struct fixture f;
    fixture_open(&f);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture_close(*state);
    return 0;
}

struct found {
    struct strbuf text;
    size_t count, stop_at;
    enum problem last;
};

static int collect(void *arg, const struct orphan *o)
{
    struct found *f = arg;
    assert_true(f->count == 0 || o->problem >= f->last);
    f->last = o->problem;
    strbuf_addf(&f->text, "%s ", problem_name(o->problem));
    ref_add(&f->text, o->ref);
    if (o->field)
        strbuf_addf(&f->text, " %s", o->field);
    if (o->target)
        strbuf_addf(&f->text, " %s", o->target);
    strbuf_addch(&f->text, '\n');
    return ++f->count == f->stop_at;
}

typedef int (*finder)(struct reader *r, const char *agent,
                      int (*each)(void *arg, const struct orphan *orphan), void *arg,
                      struct error *e);

static void check_by(finder find, struct reader *r, const char *agent, const char *wanted)
{
    struct error e = {0};
    struct found found = {.text = STRBUF_INIT};
    assert_int_equal(reader_begin(r, &e), 0);
    if (find(r, agent, collect, &found, &e))
        fail_msg("%s", e.what);
    reader_end(r);
    assert_string_equal(found.text.buf, wanted);
    strbuf_release(&found.text);
}

static void check(struct fixture *f, const char *agent, const char *wanted)
{
    check_by(orphans_find, f->reader, agent, wanted);
}

static void test_missing(void **state)
{
    fixture_put(*state,
                /* twice in two fields and once more in another group of one field */
                "{\"ref\":\"belief:b\",\"text\":\"t\",\"justifications\":["
                "{\"role\":\"derived_from\",\"antecedents\":[\"raw:gone\",\"raw:r\"]},"
                "{\"role\":\"evidence\",\"antecedents\":[\"raw:gone\"]},"
                "{\"role\":\"evidence\",\"antecedents\":[\"raw:gone\",\"episode:too\"]}]}",
                "{\"ref\":\"raw:r\",\"text\":\"t\",\"processed_into\":[\"note:never\"]}",
                /* a relation of another type may name what it likes, and the dead are left alone */
                "{\"ref\":\"note:n\",\"text\":\"t\",\"derived_from\":[\"raw:r\"],"
                "\"relations\":[{\"type\":\"supersedes\",\"to\":\"note:old\"}]}",
                "{\"ref\":\"note:dead\",\"text\":\"t\",\"status\":\"retracted\","
                "\"derived_from\":[\"raw:gone\"]}",
                NULL);
    check(*state, NULL,
          "missing belief:b derived_from raw:gone\n"
          "missing belief:b evidence raw:gone\n"
          "missing belief:b evidence episode:too\n"
          "missing raw:r processed_into note:never\n");
    fixture_put(*state, "{\"ref\":\"raw:gone\",\"text\":\"t\"}",
                "{\"ref\":\"episode:too\",\"text\":\"t\",\"derived_from\":[\"raw:r\"]}",
                "{\"ref\":\"note:never\",\"text\":\"t\",\"derived_from\":[\"raw:r\"]}", NULL);
    check(*state, NULL, "");
}

static void test_labels(void **state)
{
    fixture_put(*state, "{\"ref\":\"raw:dead\",\"text\":\"t\",\"status\":\"deleted\"}",
                "{\"ref\":\"belief:on-dead\",\"text\":\"t\",\"derived_from\":[\"raw:dead\"]}",
                "{\"ref\":\"belief:on-that\",\"text\":\"t\",\"derived_from\":[\"belief:on-dead\"]}",
                "{\"ref\":\"belief:x\",\"text\":\"t\",\"derived_from\":[\"belief:y\"]}",
                "{\"ref\":\"belief:y\",\"text\":\"t\",\"derived_from\":[\"belief:x\"]}",
                "{\"ref\":\"belief:self\",\"text\":\"t\",\"derived_from\":[\"belief:self\"]}",
                "{\"ref\":\"belief:bare\",\"text\":\"t\"}",
                "{\"ref\":\"belief:dead\",\"text\":\"t\",\"status\":\"forgotten\"}", NULL);
    check(*state, NULL,
          "ungrounded belief:on-dead\n"
          "ungrounded belief:on-that\n"
          "circular belief:x\n"
          "circular belief:y\n"
          "circular belief:self\n"
          "unrecorded belief:bare\n");
}

static void test_chains_of_thought(void **state)
{
    fixture_put(*state, "{\"ref\":\"document:d\",\"text\":\"t\"}",
                "{\"ref\":\"chain:running\",\"text\":\"t\",\"detail\":{\"strategy\":\"s\"}}",
                "{\"ref\":\"step:sourced\",\"text\":\"t\",\"detail\":{\"step_number\":1},"
                "\"justifications\":[{\"role\":\"source\",\"antecedents\":[\"document:d\"]}],"
                "\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:running\"}]}",
                "{\"ref\":\"step:unsourced\",\"text\":\"t\",\"detail\":{\"step_number\":2},"
                "\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:running\"}]}",
                "{\"ref\":\"chain:null\",\"text\":\"t\",\"detail\":{\"final_answer\":null}}",
                "{\"ref\":\"chain:no-steps\",\"text\":\"t\",\"detail\":{\"final_answer\":\"\"}}",
                "{\"ref\":\"chain:finished\",\"text\":\"t\",\"detail\":{\"final_answer\":\"a\"},"
                "\"justifications\":[{\"role\":\"step\",\"reading\":\"all\",\"antecedents\":["
                "\"step:sourced\"]}]}",
                NULL);
    check(*state, NULL,
          "unrecorded step:unsourced\n"
          "unrecorded chain:no-steps\n");
}

static void test_disagreeing(void **state)
{
    fixture_put(*state,
                "{\"ref\":\"raw:r\",\"text\":\"t\",\"processed_into\":[\"note:a\",\"note:b\","
                "\"note:c\"]}",
                "{\"ref\":\"raw:dead\",\"text\":\"t\",\"status\":\"deleted\","
                "\"processed_into\":[\"note:b\"]}",
                "{\"ref\":\"note:a\",\"text\":\"t\",\"derived_from\":[\"raw:r\"]}",
                "{\"ref\":\"note:b\",\"text\":\"t\",\"derived_from\":[\"note:a\"]}",
                "{\"ref\":\"note:c\",\"text\":\"t\",\"derived_from\":[\"context:c\"]}", NULL);
    check(*state, NULL,
          "disagreeing raw:r processed_into note:b\n"
          "disagreeing raw:r processed_into note:c\n");
}

/* By what a history ends with, to three decimals; without one by what it was made with. */
static void test_unexplained(void **state)
{
    struct fixture *f = *state;
    fixture_put(
        f,
        "{\"ref\":\"belief:told\",\"text\":\"t\",\"confidence\":0.7131818,\"derived_from\":"
        "[\"raw:r\"],\"history\":[{\"at\":1,\"old\":0.5,\"new\":0.7},{\"at\":2,\"old\":0.7,"
        "\"new\":0.713},{\"at\":3,\"reason\":\"no number\"},{\"at\":4,\"new\":0.1,\"origin\":"
        "\"kernle\"}]}",
        "{\"ref\":\"belief:not\",\"text\":\"t\",\"confidence\":0.8,\"derived_from\":[\"raw:r\"],"
        "\"history\":[{\"at\":1,\"old\":0.5,\"new\":0.7}]}",
        "{\"ref\":\"belief:dead\",\"text\":\"t\",\"confidence\":0.8,\"status\":\"retracted\","
        "\"history\":[{\"at\":1,\"old\":0.5,\"new\":0.7}]}",
        "{\"ref\":\"belief:just\",\"text\":\"t\",\"confidence\":0.8005,\"derived_from\":"
        "[\"raw:r\"],\"history\":[{\"at\":1,\"old\":0.5,\"new\":0.8}]}",
        "{\"ref\":\"belief:bare\",\"text\":\"t\",\"confidence\":0.8,\"derived_from\":"
        "[\"raw:r\"],\"detail\":{\"confidence\":1}}",
        "{\"ref\":\"raw:r\",\"text\":\"t\"}", NULL);
    check(f, NULL, "unexplained belief:not confidence 0.7\n");
    /* as a source does that says another one now */
    fixture_put(f,
                "{\"ref\":\"belief:bare\",\"text\":\"t\",\"confidence\":0.6,\"derived_from\":"
                "[\"raw:r\"],\"detail\":{\"confidence\":2}}",
                NULL);
    fixture_put(f,
                "{\"ref\":\"belief:bare\",\"text\":\"t\",\"confidence\":0.5,\"derived_from\":"
                "[\"raw:r\"],\"detail\":{\"confidence\":3}}",
                NULL);
    check(f, NULL,
          "unexplained belief:not confidence 0.7\nunexplained belief:bare confidence 0.8\n");
    fixture_put(f,
                "{\"ref\":\"belief:bare\",\"text\":\"t\",\"confidence\":0.8,\"derived_from\":"
                "[\"raw:r\"]}",
                NULL);
    check(f, NULL, "unexplained belief:not confidence 0.7\n");
}

static void test_suspect_times(void **state)
{
    fixture_put(*state, "{\"ref\":\"raw:seconds\",\"text\":\"t\",\"created_at\":1795000000}",
                "{\"ref\":\"raw:future\",\"text\":\"t\",\"created_at\":1795000000000,"
                "\"updated_at\":1995000000000}",
                "{\"ref\":\"raw:dead\",\"text\":\"t\",\"created_at\":1,\"status\":\"purged\"}",
                "{\"ref\":\"attribution:s\",\"text\":\"t\","
                "\"detail\":{\"source_uri\":\"x\",\"retrieval_timestamp\":1795000000}}",
                "{\"ref\":\"attribution:least\",\"text\":\"t\","
                "\"detail\":{\"retrieval_timestamp\":99999999999}}",
                "{\"ref\":\"attribution:early\",\"text\":\"t\","
                "\"detail\":{\"retrieval_timestamp\":100000000000}}",
                "{\"ref\":\"attribution:nineties\",\"text\":\"t\","
                "\"detail\":{\"retrieval_timestamp\":946684799999}}",
                "{\"ref\":\"attribution:odd\",\"text\":\"t\","
                "\"detail\":{\"retrieval_timestamp\":\"soon\"}}",
                "{\"ref\":\"attribution:huge\",\"text\":\"t\","
                "\"detail\":{\"retrieval_timestamp\":1e300}}",
                NULL);
    check(*state, NULL,
          "suspect-time raw:seconds created_at 1795000000\n"
          "suspect-time raw:seconds updated_at 1795000000\n"
          "suspect-time raw:future updated_at 1995000000000\n"
          "suspect-time attribution:s retrieval_timestamp 1795000000\n"
          "suspect-time attribution:least retrieval_timestamp 99999999999\n"
          "suspect-time attribution:huge retrieval_timestamp 4611686018427387903\n");
}

static void test_of_one_agent(void **state)
{
    fixture_put(*state, "{\"ref\":\"belief:a\",\"agent_id\":\"ash\",\"text\":\"t\"}",
                "{\"ref\":\"belief:c\",\"agent_id\":\"claire\",\"text\":\"t\","
                "\"derived_from\":[\"raw:gone\"]}",
                NULL);
    check(*state, "ash", "unrecorded belief:a\n");
    check(*state, "claire", "missing belief:c derived_from raw:gone\nungrounded belief:c\n");
    check(*state, "nobody", "");
    struct error e = {0};
    struct found found = {.text = STRBUF_INIT, .stop_at = 1};
    assert_int_equal(orphans_find(((struct fixture *)*state)->reader, NULL, collect, &found, &e),
                     0);
    assert_int_equal(found.count, 1);
    strbuf_release(&found.text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_missing),       TEST(test_labels),      TEST(test_chains_of_thought),
        TEST(test_suspect_times), TEST(test_unexplained), TEST(test_disagreeing),
        TEST(test_of_one_agent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
