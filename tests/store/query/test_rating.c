/* A person's word on the sources of a step, and on the step: marks beside the recorded numbers. */
#include "tests/support/scratch.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "tests/support/operated.h"

static const struct actor sean = {ACTOR_PERSON, "sean", NULL, "command", NULL, 0};
static const struct actor ann = {ACTOR_PERSON, "ann", NULL, "explorer", NULL, 0};

static int setup(void **state)
{
    (void)state;
    operated_open("rated.db");
    operated_put("{\"ref\":\"document:d\",\"text\":\"D\"}");
    operated_put("{\"ref\":\"document:two words\",\"text\":\"W\"}");
    operated_put("{\"ref\":\"step:s\",\"text\":\"q\",\"detail\":{\"step_number\":1},"
                 "\"justifications\":[{\"role\":\"source\",\"reading\":\"any\",\"antecedents\":["
                 "{\"ref\":\"document:d\",\"relevance\":0.4,\"score\":\"measured\"},"
                 "{\"ref\":\"document:two words\",\"relevance\":0.3},"
                 "{\"ref\":\"document:sha256-aaaa1\"},{\"ref\":\"document:sha256-aaaa2\"}]},"
                 "{\"role\":\"step\",\"antecedents\":[\"step:before\"]}]}");
    operated_put("{\"ref\":\"step:none\",\"text\":\"q\"}");
    operated_put("{\"ref\":\"belief:b\",\"text\":\"b\"}");
    return 0;
}

static int say(const struct actor *actor, enum operation op, const char *ref, const char *mark,
               const char *value, const char *reason, struct error *e)
{
    struct request q = REQUEST_INIT;
    q.refs = &ref;
    q.ref_count = 1;
    q.mark = mark;
    q.value = value;
    q.reason = reason;
    memset(e, 0, sizeof(*e));
    return operation_run_now(operated.store, actor, op, &q, &operated.arena, &operated.done, e);
}

static void rate(const struct actor *actor, const char *value, const char *reason)
{
    struct error e;
    if (say(actor, OPERATION_MARK, "step:s", "rating", value, reason, &e))
        fail_msg("%s", e.what);
}

static void refused(const char *ref, const char *mark, const char *value, const char *says)
{
    struct error e;
    int64_t before = journal_last(operated.reader, &e);
    assert_int_equal(say(&sean, OPERATION_MARK, ref, mark, value, NULL, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    if (!strstr(e.what, says))
        fail_msg("%s", e.what);
    assert_int_equal(journal_last(operated.reader, &e), before);
}

static void unmark(const struct actor *actor, const char *value)
{
    struct error e;
    if (say(actor, OPERATION_UNMARK, "step:s", "rating", value, NULL, &e))
        fail_msg("%s", e.what);
}

/* "sean document:d relevant (why); ..." */
static const char *marks(const char *ref)
{
    struct error e;
    struct memory m;
    struct strbuf out = STRBUF_INIT;
    int64_t node = ref_resolve(operated.reader, ref, &e);
    assert_int_equal(memory_read(operated.reader, &operated.arena, node, &m, &e), 0);
    for (size_t i = 0; i < m.mark_count; i++)
        strbuf_addf(&out, "%s%s %s%s%s%s", i ? "; " : "", m.marks[i].actor,
                    m.marks[i].value ? m.marks[i].value : m.marks[i].mark,
                    m.marks[i].reason ? " (" : "", m.marks[i].reason ? m.marks[i].reason : "",
                    m.marks[i].reason ? ")" : "");
    const char *copy = arena_strdup(&operated.arena, out.buf);
    strbuf_release(&out);
    return copy;
}

static void each_source_has_one_of_each_actor(void **state)
{
    (void)state;
    rate(&sean, "document:d relevant", NULL);
    rate(&sean, "document:two words irrelevant", "says nothing");
    rate(&ann, "document:d irrelevant", NULL);
    rate(&sean, "document:d irrelevant", "read it again");
    assert_string_equal(marks("step:s"),
                        "sean document:two words irrelevant (says nothing); ann document:d "
                        "irrelevant; sean document:d irrelevant (read it again)");
    rate(&sean, "document:d irrelevant", NULL);
    assert_int_equal(operated.done.count, 0);
    rate(&sean, "document:d irrelevant", "another reason");
    assert_int_equal(operated.done.count, 1);
}

static void the_recorded_numbers_stay(void **state)
{
    struct error e;
    struct memory m;
    (void)state;
    rate(&sean, "document:d irrelevant", NULL);
    assert_int_equal(memory_read(operated.reader, &operated.arena,
                                 ref_resolve(operated.reader, "step:s", &e), &m, &e),
                     0);
    assert_true(m.justifications[0].antecedents[0].use->relevance == 0.4);
    assert_int_equal(m.justifications[0].antecedents[0].use->score, SCORE_MEASURED);
}

static void only_its_sources_are_rated(void **state)
{
    (void)state;
    refused("step:s", "rating", "document:other relevant", "is not a source of step:s");
    refused("step:s", "rating", "step:before relevant", "is not a source");
    refused("step:none", "rating", "document:d relevant", "is not a source");
    refused("step:s", "rating", "document:d", "relevant or irrelevant");
    refused("step:s", "rating", "document:d perhaps", "relevant or irrelevant");
    refused("step:s", "rating", "document:sha256-aaaa relevant", "is not a source"); /* two do */
    assert_string_equal(marks("step:s"), "");
}

static void one_rating_is_taken_away(void **state)
{
    (void)state;
    rate(&sean, "document:d relevant", NULL);
    rate(&ann, "document:d irrelevant", NULL);
    rate(&sean, "document:two words relevant", NULL);
    unmark(&sean, "document:d");
    assert_string_equal(marks("step:s"),
                        "ann document:d irrelevant; sean document:two words relevant");
    unmark(&sean, "document:two words");
    assert_string_equal(marks("step:s"), "ann document:d irrelevant");
    unmark(&sean, "document:two words");
    assert_int_equal(operated.done.left_count, 1);
    unmark(&sean, "document:d relevant"); /* not one's own: whoever's it is */
    assert_string_equal(marks("step:s"), "");
    rate(&sean, "document:d relevant", NULL);
    rate(&sean, "0.9", NULL); /* of the whole */
    rate(&sean, "0.8", NULL);
    assert_string_equal(marks("step:s"), "sean document:d relevant; sean 0.8");
    unmark(&sean, NULL);
    assert_string_equal(marks("step:s"), "");
}

/* "d relevant" is said of the step's document d, and never of the step. */
static void a_source_is_named_by_its_id(void **state)
{
    struct error e;
    (void)state;
    rate(&sean, "d relevant", NULL);
    rate(&sean, "two words irrelevant", NULL);
    rate(&sean, "sha256-aaaa1 relevant", NULL);
    assert_string_equal(marks("step:s"), "sean document:d relevant; sean document:two words "
                                         "irrelevant; sean document:sha256-aaaa1 relevant");
    rate(&sean, "d irrelevant", NULL);
    refused("step:s", "rating", "d0 relevant", "d0 is not a source of step:s");
    refused("step:s", "rating", "sha256-aaaa relevant", "is not a source"); /* two do */
    refused("step:s", "rating", "before irrelevant", "is not a source");
    refused("step:s", "rating", " relevant", "is not a source");
    refused("step:s", "rating", "d", "relevant or irrelevant");
    assert_int_equal(say(&sean, OPERATION_UNMARK, "step:s", "rating", "d0", NULL, &e), -1);
    assert_int_equal(e.code, ERROR_INVALID);
    unmark(&sean, "d");
    unmark(&sean, "two words");
    assert_string_equal(marks("step:s"), "sean document:sha256-aaaa1 relevant");
}

static void faithful_says_yes_or_no(void **state)
{
    struct error e;
    (void)state;
    refused("step:s", "faithful", NULL, "faithful");
    refused("step:s", "faithful", "maybe", "faithful");
    assert_int_equal(say(&sean, OPERATION_MARK, "step:s", "faithful", "yes", "read it", &e), 0);
    assert_int_equal(say(&sean, OPERATION_MARK, "step:s", "faithful", "no", NULL, &e), 0);
    assert_int_equal(say(&ann, OPERATION_MARK, "step:s", "faithful", "yes", NULL, &e), 0);
    assert_string_equal(marks("step:s"), "sean no; ann yes");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, operated_close)
    const struct CMUnitTest tests[] = {
        TEST(each_source_has_one_of_each_actor), TEST(the_recorded_numbers_stay),
        TEST(only_its_sources_are_rated),        TEST(one_rating_is_taken_away),
        TEST(a_source_is_named_by_its_id),       TEST(faithful_says_yes_or_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
