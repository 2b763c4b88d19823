/*
 * The operations on a memory: their formulas, what they leave in the store and in the journal, what they refuse. What is
 * expected is written out by hand.
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
    operated_open("operated.db");
    operated_put("{\"ref\":\"raw:one\",\"text\":\"as it came\",\"agent_id\":\"ash\"}");
    operated_put("{\"ref\":\"episode:met\",\"text\":\"met Claire\",\"agent_id\":\"ash\"}");
    operated_put("{\"ref\":\"belief:b\",\"text\":\"holds\",\"agent_id\":\"ash\",\"confidence\":0.7,"
                 "\"derived_from\":[\"raw:one\"],\"source_episodes\":[\"met\"],\"tags\":[\"t\"],"
                 "\"detail\":{\"belief_type\":\"rule\"}}");
    return 0;
}

static void refused(const struct actor *actor, enum operation op, const struct request *q,
                    enum error_code code)
{
    struct error e;
    int64_t before = journal_last(operated.reader, &e);
    assert_int_equal(operated_try(actor, op, q, &e), -1);
    assert_int_equal(e.code, code);
    assert_true(e.what[0] != '\0');
    assert_int_equal(journal_last(operated.reader, &e), before);
}

static struct event last_event(const char *ref)
{
    struct error e;
    struct event *events;
    size_t count;
    int64_t node = ref_resolve(operated.reader, ref, &e);
    assert_int_equal(journal_of(operated.reader, &operated.arena, node, &events, &count, &e), 0);
    assert_true(count > 0);
    return events[count - 1];
}

static void close_to(double a, double b)
{
    if (fabs(a - b) > 1e-12)
        fail_msg("%.17g is not %.17g", a, b);
}

/* ---- reinforce ---- */

/* 0.05/(1+0.1·n)·(0.99−c), n = 1, 2, 3, from 0.7; computed with bc -l to 20 digits. */
static void reinforcing_is_by_the_formula(void **state)
{
    static const double expected[] = {0.71318181818181818, 0.72471590909090909,
                                      0.73491914335664336};
    static const double kept[][2] = {{0.7, 0.713}, {0.713, 0.725}, {0.725, 0.735}};
    (void)state;
    struct request q = ABOUT("belief:b");
    for (size_t i = 0; i < 3; i++) {
        operated_must(&agent, OPERATION_REINFORCE, &q);
        struct memory m = operated_read("belief:b");
        close_to(m.confidence, expected[i]);
        assert_int_equal(m.history_count, i + 1);
        close_to(m.history[i].old, kept[i][0]);
        close_to(m.history[i].new_, kept[i][1]);
        assert_int_equal(m.version, i + 2);
    }
    assert_string_equal(operated_read("belief:b").detail,
                        "{\"belief_type\":\"rule\",\"times_reinforced\":3}");
    assert_string_equal(operated_read("belief:b").history[0].reason, "Reinforced (count: 1)");
}

static void evidence_joins_once(void **state)
{
    static const char *const written[] = {"episode:met", "met",     "episode:new",
                                          "new",         "raw:one", "context:a talk"};
    static const size_t groups[] = {2, 2, 3, 3, 3, 3};
    (void)state;
    operated_put("{\"ref\":\"episode:new\",\"text\":\"met again\",\"agent_id\":\"ash\"}");
    struct request q = ABOUT("belief:b");
    for (size_t i = 0; i < 6; i++) {
        const char *evidence[] = {written[i]};
        q.evidence = evidence;
        q.evidence_count = 1;
        operated_must(&agent, OPERATION_REINFORCE, &q);
        assert_int_equal(operated_read("belief:b").justification_count, groups[i]);
    }
    struct memory m = operated_read("belief:b");
    assert_int_equal(m.justifications[2].role, ROLE_EVIDENCE);
    assert_string_equal(m.history[1].evidence_source, "episode:met");
    assert_string_equal(m.history[5].evidence_source, "context:a talk");
}

static void evidence_never_makes_it_easier_to_fall(void **state)
{
    const char *evidence[] = {"raw:one"};
    (void)state;
    operated_put("{\"ref\":\"belief:bare\",\"text\":\"x\"}");
    struct request q = ABOUT("belief:bare");
    q.evidence = evidence;
    q.evidence_count = 1;
    operated_must(&agent, OPERATION_REINFORCE, &q);
    struct memory m = operated_read("belief:bare");
    assert_int_equal(m.justification_count, 2);
    assert_int_equal(m.justifications[0].count, 0);
    assert_int_equal(m.justifications[1].role, ROLE_REINFORCEMENT);
}

static void evidence_that_is_wrong_is_refused(void **state)
{
    const char *itself[] = {"belief:b"}, *gone[] = {"raw:one"}, *later[] = {"raw:later"};
    (void)state;
    struct request q = ABOUT("belief:b"), retract = ABOUT("raw:one");
    q.evidence_count = 1;
    q.evidence = itself;
    refused(&agent, OPERATION_REINFORCE, &q, ERROR_INVALID);
    operated_must(&scratch_actor, OPERATION_RETRACT, &retract);
    q.evidence = gone;
    refused(&agent, OPERATION_REINFORCE, &q, ERROR_REFUSED);
    q.evidence = later;
    operated_must(&agent, OPERATION_REINFORCE, &q);
    assert_int_equal(operated.done.unresolved_count, 1);
    assert_string_equal(operated.done.unresolved[0], "raw:later");
}

/* ---- process ---- */

static void a_raw_becomes_a_belief(void **state)
{
    (void)state;
    struct request q = ABOUT("raw:one");
    q.as = KIND_BELIEF;
    operated_must(&agent, OPERATION_PROCESS, &q);
    assert_int_equal(operated.done.count, 2);
    struct memory m = *operated.done.change[0].after, raw = operated_read("raw:one");
    assert_string_equal(m.text, "as it came");
    close_to(m.confidence, 0.7);
    assert_string_equal(m.source, "raw-processing");
    assert_string_equal(m.source_type, "direct_experience");
    assert_string_equal(m.agent_id, "ash");
    assert_int_equal(m.tag_count, 0);
    assert_int_equal(m.justification_count, 1);
    assert_int_equal(m.justifications[0].role, ROLE_DERIVED_FROM);
    assert_string_equal(m.justifications[0].antecedents[0].ref.id, "one");
    assert_int_equal(raw.relation_count, 1);
    assert_int_equal(raw.relations[0].type, RELATION_PROCESSED_INTO);
    assert_string_equal(raw.relations[0].to.id, m.ref.id);
    q.as = KIND_NOTE;
    operated_must(&agent, OPERATION_PROCESS, &q);
    assert_int_equal(operated_read("raw:one").relation_count, 2);
    assert_string_equal(last_event("raw:one").operation, "process");
    assert_non_null(last_event("raw:one").correlation);
}

/* ---- supersede ---- */

static void a_belief_is_superseded(void **state)
{
    (void)state;
    struct request q = ABOUT("belief:b"), reinforce = ABOUT("belief:b");
    operated_must(&agent, OPERATION_REINFORCE, &reinforce);
    q.text = "holds mostly";
    q.text_len = strlen(q.text);
    q.reason = "seen since";
    operated_must(&agent, OPERATION_SUPERSEDE, &q);
    struct memory m = *operated.done.change[1].after;
    assert_int_equal(operated_read("belief:b").status, STATUS_SUPERSEDED);
    assert_string_equal(m.text, "holds mostly");
    assert_string_equal(m.source_type, "inference");
    assert_int_equal(m.history_count, 0);
    assert_string_equal(m.detail, "{\"belief_type\":\"rule\"}");
    assert_string_equal(m.tags[0], "t");
    assert_int_equal(m.justification_count, 2);
    assert_string_equal(m.justifications[0].antecedents[0].ref.id, "b");
    assert_int_equal(m.justifications[1].role, ROLE_EVIDENCE);
    assert_string_equal(m.justifications[1].antecedents[0].ref.id, "met");
    assert_int_equal(m.relations[0].type, RELATION_SUPERSEDES);
    close_to(m.confidence, operated_read("belief:b").confidence);
    refused(&agent, OPERATION_SUPERSEDE, &q, ERROR_CONFLICT); /* there is a newer one */
}

/* ---- revise ---- */

static void an_episode_confirms_and_contradicts(void **state)
{
    const char *yes[] = {"belief:b"}, *no[] = {"belief:c"};
    (void)state;
    operated_put("{\"ref\":\"belief:c\",\"text\":\"x\",\"protected\":true}");
    struct request q = ABOUT("episode:met");
    q.evidence = yes;
    q.evidence_count = 1;
    q.contradicts = no;
    q.contradict_count = 1;
    refused(&agent, OPERATION_REVISE, &q, ERROR_REFUSED); /* all or none */
    operated_must(&scratch_actor, OPERATION_REVISE, &q);
    struct memory b = operated_read("belief:b"), c = operated_read("belief:c"),
                  episode = operated_read("episode:met");
    close_to(b.confidence, 0.71318181818181818);
    assert_string_equal(b.history[0].evidence_source, "episode:met");
    assert_true(c.is_protected);
    close_to(c.confidence, 0.8);
    assert_string_equal(c.marks[0].mark, "for_review");
    assert_int_equal(episode.relations[0].type, RELATION_CONTRADICTS);
    assert_string_equal(last_event("belief:b").correlation, last_event("belief:c").correlation);
    q.contradicts = yes;
    refused(&scratch_actor, OPERATION_REVISE, &q, ERROR_INVALID);
}

/* ---- consolidate, seed ---- */

static void consolidation_names_its_day_and_its_raws(void **state)
{
    const char *from[] = {"raw:one", "raw:two"};
    (void)state;
    operated_put("{\"ref\":\"raw:two\",\"text\":\"more\"}");
    struct request q = ABOUT("belief:b");
    q.evidence = from;
    q.evidence_count = 2;
    q.date = "2026-02-01";
    operated_must(&agent, OPERATION_CONSOLIDATE, &q);
    struct memory m = operated_read("belief:b");
    close_to(m.confidence, 0.71318181818181818);
    assert_string_equal(m.history[0].evidence_source, "consolidation:2026-02-01");
    assert_string_equal(m.history[0].reason, "Consolidated from raw:one, raw:two");
    assert_string_equal(m.annotations[0], "consolidation:2026-02-01");
    assert_int_equal(m.justification_count, 3); /* raw:one supports it already */
    assert_int_equal(m.justifications[2].role, ROLE_REINFORCEMENT);
    q.date = "the first";
    refused(&agent, OPERATION_CONSOLIDATE, &q, ERROR_INVALID);
}

static void seeds_say_that_they_are(void **state)
{
    const char *tags[] = {"core"};
    const struct seed seeds[] = {{"Truth is rarely binary", 22, 0.65, tags, 1},
                                 {"Mistakes are information", 24, NAN, NULL, 0}};
    struct request q = REQUEST_INIT;
    (void)state;
    q.seeds = seeds;
    q.seed_count = 2;
    q.agent = "ash";
    operated_must(&scratch_actor, OPERATION_SEED, &q);
    struct memory m = *operated.done.change[0].after;
    assert_string_equal(m.source_type, "seed");
    assert_string_equal(m.source, "seed-initialization");
    assert_string_equal(m.context, "kernle_seed");
    assert_string_equal(m.annotations[0], "kernle:seed-beliefs");
    assert_string_equal(m.detail, "{\"belief_type\":\"foundational\",\"foundational\":true}");
    close_to(m.confidence, 0.65);
    close_to(operated.done.change[1].after->confidence, 0.8);
}

/* ---- verify, protect, retract, restore ---- */

static void verifying_adds_a_tenth_up_to_one(void **state)
{
    (void)state;
    struct request q = ABOUT("belief:b");
    for (int i = 0; i < 4; i++)
        operated_must(&scratch_actor, OPERATION_VERIFY, &q);
    struct memory m = operated_read("belief:b");
    close_to(m.confidence, 1);
    close_to(m.history[0].new_, 0.8);
    close_to(m.history[3].old, 1);
}

static void what_a_person_decided_an_agent_leaves(void **state)
{
    static const enum operation decided[] = {OPERATION_PROTECT, OPERATION_VERIFY, OPERATION_RETRACT,
                                             OPERATION_MARK};
    static const enum operation by_agent[] = {OPERATION_REINFORCE, OPERATION_RESTORE,
                                              OPERATION_VERIFY,    OPERATION_RETRACT,
                                              OPERATION_MARK,      OPERATION_EDIT};
    char ref[32], line[96];
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        snprintf(ref, sizeof(ref), "belief:decided%zu", i);
        snprintf(line, sizeof(line), "{\"ref\":\"%s\",\"text\":\"x\",\"status\":\"%s\"}", ref,
                 "superseded");
        operated_put(line);
        struct request q = ABOUT(ref);
        q.mark = "quarantined";
        operated_must(&scratch_actor, decided[i], &q);
        q.confidence = 0.3;
        q.mark = "faithful";
        for (size_t k = 0; k < 6; k++)
            if (decided[i] != OPERATION_RETRACT || by_agent[k] != OPERATION_RETRACT)
                refused(&agent, by_agent[k], &q, ERROR_REFUSED);
    }
}

static void an_agent_takes_its_own_decisions_back(void **state)
{
    (void)state;
    struct request q = ABOUT("belief:b");
    operated_must(&agent, OPERATION_RETRACT, &q);
    assert_int_equal(operated_read("belief:b").status, STATUS_RETRACTED);
    operated_must(&agent, OPERATION_RESTORE, &q);
    assert_int_equal(operated_read("belief:b").status, STATUS_ACTIVE);
    operated_must(&agent, OPERATION_VERIFY, &q);
    operated_must(&agent, OPERATION_REINFORCE, &q);
    refused(&agent, OPERATION_UNPROTECT, &q, ERROR_REFUSED);
}

static void whose_quarantine_it_is_counts(void **state)
{
    (void)state;
    struct request q = ABOUT("belief:b");
    q.mark = "quarantined";
    operated_must(&agent, OPERATION_MARK, &q);
    q.mark = "reviewed";
    operated_must(&scratch_actor, OPERATION_MARK, &q);
    q.confidence = 0.5;
    operated_must(&agent, OPERATION_EDIT, &q);
    q.mark = "quarantined";
    operated_must(&scratch_actor, OPERATION_MARK, &q);
    q.confidence = 0.6;
    refused(&agent, OPERATION_EDIT, &q, ERROR_REFUSED);
}

static void a_preview_is_what_is_done(void **state)
{
    struct error e = {0};
    struct plan preview;
    (void)state;
    operated_put("{\"ref\":\"goal:g\",\"text\":\"x\",\"derived_from\":[\"belief:b\"]}");
    struct request q = ABOUT("belief:b", "episode:met");
    int64_t before = journal_last(operated.reader, &e);
    assert_int_equal(operation_preview(operated.reader, &scratch_actor, OPERATION_RETRACT, &q,
                                       &operated.arena, &preview, &e),
                     0);
    assert_int_equal(journal_last(operated.reader, &e), before);
    operated_must(&scratch_actor, OPERATION_RETRACT, &q);
    assert_int_equal(preview.count, 2);
    assert_int_equal(operated.done.count, 2);
    assert_int_equal(preview.fall_count, 1);
    assert_string_equal(preview.falls[0].ref.id, "g");
    assert_int_equal(operated.done.fall_count, 1);
    assert_int_equal(journal_last(operated.reader, &e), before + 2);
    operated_must(&scratch_actor, OPERATION_RETRACT, &q); /* nothing is left to do */
    assert_int_equal(operated.done.count, 0);
    assert_int_equal(operated.done.left_count, 2);
}

static void several_are_all_or_none(void **state)
{
    (void)state;
    operated_put("{\"ref\":\"belief:kept\",\"text\":\"x\",\"protected\":true}");
    struct request q = ABOUT("belief:b", "belief:kept");
    refused(&agent, OPERATION_RETRACT, &q, ERROR_REFUSED);
    assert_int_equal(operated_read("belief:b").status, STATUS_ACTIVE);
    q = ABOUT("belief:b", "belief:nowhere");
    refused(&agent, OPERATION_RETRACT, &q, ERROR_NOT_FOUND);
    q = ABOUT("belief:b", "belief:b");
    operated_must(&agent, OPERATION_RETRACT, &q);
    assert_int_equal(operated.done.count, 1);
}

/* ---- edit, mark ---- */

static void everything_can_be_edited(void **state)
{
    const char *tags[] = {"x", "y", "x"};
    (void)state;
    struct request q = ABOUT("belief:b");
    q.text = "otherwise";
    q.text_len = 9;
    q.confidence = 0.25;
    q.tags = tags;
    q.tag_count = 3;
    q.tags_given = true;
    q.fields = "{ \"foundational\": true, \"belief_type\": null }";
    q.reason = "a slip";
    operated_must(&scratch_actor, OPERATION_EDIT, &q);
    struct memory m = operated_read("belief:b");
    assert_string_equal(m.text, "otherwise");
    assert_string_equal(m.detail, "{\"foundational\":true}");
    assert_int_equal(m.tag_count, 2);
    close_to(m.history[0].new_, 0.25);
    assert_string_equal(m.history[0].reason, "a slip");
    assert_string_equal(last_event("belief:b").reason, "a slip");
    q.fields = NULL;
    operated_must(&scratch_actor, OPERATION_EDIT, &q); /* tags in another form are a change */
    assert_int_equal(operated_read("belief:b").version, 3);
    q.tag_count = 2;
    operated_must(&scratch_actor, OPERATION_EDIT, &q); /* it is so already */
    assert_int_equal(operated.done.count, 0);
    assert_int_equal(operated.done.left_count, 1);
}

static void an_edit_that_is_wrong_changes_nothing(void **state)
{
    static const char *const fields[] = {"[]", "{", "{\"foundational\":\"yes\"}",
                                         "{\"no_such\":1}"};
    (void)state;
    struct request q = ABOUT("belief:b");
    refused(&scratch_actor, OPERATION_EDIT, &q, ERROR_INVALID);
    q.confidence = 1.5;
    refused(&scratch_actor, OPERATION_EDIT, &q, ERROR_INVALID);
    q.confidence = NAN;
    q.text = " \n";
    q.text_len = 2;
    refused(&scratch_actor, OPERATION_EDIT, &q, ERROR_INVALID);
    q.text = NULL;
    for (size_t i = 0; i < 4; i++) {
        q.fields = fields[i];
        refused(&scratch_actor, OPERATION_EDIT, &q, ERROR_INVALID);
    }
}

static void a_stale_edit_is_refused(void **state)
{
    (void)state;
    struct request q = ABOUT("belief:b");
    q.confidence = 0.4;
    q.expected_version = 2;
    refused(&scratch_actor, OPERATION_EDIT, &q, ERROR_CONFLICT);
    q.expected_version = 1;
    operated_must(&scratch_actor, OPERATION_EDIT, &q);
    q.confidence = 0.5;
    refused(&scratch_actor, OPERATION_EDIT, &q, ERROR_CONFLICT);
}

static void marks_are_somebodys_words(void **state)
{
    (void)state;
    struct request q = ABOUT("belief:b");
    q.mark = "rating";
    q.value = "3";
    operated_must(&scratch_actor, OPERATION_MARK, &q);
    operated_must(&scratch_actor, OPERATION_MARK, &q);
    assert_int_equal(operated.done.count, 0);
    q.value = "5";
    operated_must(&scratch_actor, OPERATION_MARK, &q);
    operated_must(&agent, OPERATION_MARK, &q);
    struct memory m = operated_read("belief:b");
    assert_int_equal(m.mark_count, 2);
    assert_string_equal(m.marks[0].value, "5");
    assert_string_equal(m.marks[1].actor, "ash");
    q.value = NULL;
    operated_must(&scratch_actor, OPERATION_UNMARK, &q);
    assert_int_equal(operated_read("belief:b").mark_count, 0);
    q.mark = "esc\x1b";
    refused(&scratch_actor, OPERATION_MARK, &q, ERROR_INVALID);
    q.mark = "two words";
    refused(&scratch_actor, OPERATION_MARK, &q, ERROR_INVALID);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, operated_close)
    const struct CMUnitTest tests[] = {
        TEST(reinforcing_is_by_the_formula),
        TEST(evidence_joins_once),
        TEST(evidence_never_makes_it_easier_to_fall),
        TEST(evidence_that_is_wrong_is_refused),
        TEST(a_raw_becomes_a_belief),
        TEST(a_belief_is_superseded),
        TEST(an_episode_confirms_and_contradicts),
        TEST(consolidation_names_its_day_and_its_raws),
        TEST(seeds_say_that_they_are),
        TEST(verifying_adds_a_tenth_up_to_one),
        TEST(what_a_person_decided_an_agent_leaves),
        TEST(an_agent_takes_its_own_decisions_back),
        TEST(whose_quarantine_it_is_counts),
        TEST(a_preview_is_what_is_done),
        TEST(several_are_all_or_none),
        TEST(everything_can_be_edited),
        TEST(an_edit_that_is_wrong_changes_nothing),
        TEST(a_stale_edit_is_refused),
        TEST(marks_are_somebodys_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
