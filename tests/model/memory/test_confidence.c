/* Effective confidence, with numbers computed in bc: fallen reinforcements, then decay. */
#include "model/memory/confidence.h"

#include "model/base/strbuf.h"
#include "tests/support/test.h"

#define DAY INT64_C(86400000)
#define NOW INT64_C(1795000000000)

static const struct confidence_rules decaying = {.decay = true};

static struct decay decay_of(const struct memory *m)
{
    return effective_compute(m, &decaying, true, NULL, NOW).decay;
}

static struct memory made(enum kind kind, double confidence, double days)
{
    struct memory m;
    memory_init(&m, (struct ref){kind, "x"});
    m.confidence = confidence;
    m.created_at = NOW - (int64_t)(days * (double)DAY);
    return m;
}

static void expect(enum kind kind, double confidence, double days, double left)
{
    struct memory m = made(kind, confidence, days);
    struct decay d = decay_of(&m);
    if (fabs(d.now - left) > 1e-12)
        fail_msg("%s of %g after %g days: %.17g, not %.17g", kind_name(kind), confidence, days,
                 d.now, left);
}

TEST(decay_follows_the_formula)
{
    expect(KIND_BELIEF, 0.8, 45.5, 0.78483333333333333333); /* .8 - .01*45.5/30 */
    expect(KIND_EPISODE, 0.9, 1, 0.89966666666666666667);
    expect(KIND_GOAL, 0.8, 300, 0.7);
    expect(KIND_RELATIONSHIP, 0.8, 30, 0.79);
    expect(KIND_VALUE, 0.9, 600, 0.85); /* .9 - .005*600/60 */
    expect(KIND_NOTE, 0.8, 100, 0.75);
    expect(KIND_DRIVE, 0.8, 90, 0.7925);
}

TEST(decay_stops_at_the_floor)
{
    expect(KIND_BELIEF, 0.8, 900, 0.5); /* just there */
    expect(KIND_BELIEF, 0.8, 100000, 0.5);
    expect(KIND_VALUE, 0.9, 100000, 0.7);
    expect(KIND_NOTE, 0.8, 100000, 0.4);
    expect(KIND_DRIVE, 0.8, 100000, 0.6);
    expect(KIND_BELIEF, 0.3, 100000, 0.3); /* already below the floor */
    expect(KIND_BELIEF, 0, 100000, 0);
}

TEST(some_memories_do_not_decay)
{
    struct memory m = made(KIND_BELIEF, 0.8, 0.999);
    assert_true(decay_of(&m).now == 0.8); /* under a day */
    m = made(KIND_BELIEF, 0.8, -5);       /* created tomorrow */
    assert_true(decay_of(&m).now == 0.8);
    m = made(KIND_BELIEF, 0.8, 100);
    m.is_protected = true;
    assert_true(decay_of(&m).now == 0.8);
    static const enum kind others[] = {KIND_RAW,  KIND_SUGGESTION, KIND_ATTRIBUTION, KIND_CHAIN,
                                       KIND_STEP, KIND_CITATION,   KIND_ENTRY,       KIND_DOCUMENT};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        m = made(others[i], 0.8, 100);
        assert_true(decay_of(&m).now == 0.8);
    }
}

TEST(a_confirmation_restarts_decay)
{
    struct history_entry history[] = {
        {.at = NOW - 60 * DAY, .old = 0.7, .new_ = 0.8},
        {.at = NOW - 10 * DAY,
         .old = NAN,
         .new_ = NAN,
         .origin = "kernle"}, /* from the audit of another system */
    };
    struct memory m = made(KIND_BELIEF, 0.8, 300);
    m.history = history;
    m.history_count = 2;
    struct decay d = decay_of(&m);
    assert_true(d.days == 60 && d.since == NOW - 60 * DAY);
    assert_true(fabs(d.now - 0.78) < 1e-12);
    m.detail = "{\"last_verified\":\"2026-10-19T00:00:00+00:00\"}";
    assert_int_equal(decay_of(&m).since, INT64_C(1792368000000));
    m.detail = "{\"last_verified\":\"long ago\"}";
    assert_true(decay_of(&m).days == 60);
    m.detail = "{\"last_verified\":7}";
    assert_true(decay_of(&m).days == 60);
    m = made(KIND_BELIEF, 0.8, 0);
    m.created_at = INT64_MIN; /* nothing overflows */
    assert_true(decay_of(&m).now == 0.5);
}

TEST(fallen_evidence_confirms_nothing)
{
    struct history_entry h = {
        .at = NOW - 10 * DAY, .old = 0.79, .new_ = 0.8, .evidence_source = "episode:e"};
    bool fallen = true;
    struct memory m = made(KIND_BELIEF, 0.8, 300);
    m.history = &h;
    m.history_count = 1;
    assert_true(decay_of(&m).days == 10);
    struct effective with = effective_compute(&m, &decaying, true, &fallen, NOW);
    m.history_count = 0;
    m.confidence = 0.79;
    struct effective without = effective_compute(&m, &decaying, true, NULL, NOW);
    assert_true(with.decay.days == 300 && fabs(with.value - without.value) < 1e-12);
}

static void expect_text(enum kind kind, double confidence, double days, const char *text)
{
    struct memory m = made(kind, confidence, days);
    AUTO_STRBUF out = STRBUF_INIT;
    struct decay d = decay_of(&m);
    decay_write(&out, &d);
    assert_string_equal(out.buf, text);
}

TEST(the_computation_is_shown)
{
    expect_text(KIND_BELIEF, 0.8, 45.5, "0.800 - 0.01 * 45.5 / 30 = 0.785");
    expect_text(KIND_VALUE, 0.9, 10000, "0.900 - 0.005 * 10000.0 / 60, not below 0.7 = 0.700");
    expect_text(KIND_BELIEF, 0.3, 100, "0.300, at or below its floor already");
}

/* ---- reinforcements ---- */

static double left(const struct memory *m, const bool *fallen)
{
    return effective_compute(m, NULL, true, fallen, NOW).value;
}

TEST(fallen_reinforcements_are_taken_back)
{
    struct history_entry history[] = {
        {.at = NOW - 4 * DAY, .old = 0.7, .new_ = 0.713, .evidence_source = "episode:a"},
        {.at = NOW - 3 * DAY, .old = 0.713, .new_ = 0.813, .reason = "read the report"},
        {.at = NOW - 2 * DAY, .old = 0.813, .new_ = 0.821, .evidence_source = "episode:b"},
    };
    struct memory m = made(KIND_BELIEF, 0.82114, 5);
    m.history = history;
    m.history_count = 3;
    const bool none[3] = {false}, first[3] = {true}, both[3] = {true, false, true};
    const bool edit[3] = {false, true, false}; /* an edit has no evidence that could fall */
    assert_true(left(&m, NULL) == m.confidence && left(&m, none) == m.confidence);
    assert_true(left(&m, edit) == m.confidence);
    assert_true(fabs(left(&m, first) - 0.808) < 1e-9);
    assert_true(fabs(left(&m, both) - 0.8) < 1e-9);
    assert_true(effective_compute(&m, NULL, false, first, NOW).value == 0);
    /* What no entry explains stays: it was raised by 0.1 without a record. */
    m.confidence = 0.921;
    assert_true(fabs(left(&m, both) - 0.9) < 1e-9);
}

TEST(the_changes_are_replayed_in_order)
{
    struct history_entry history[] = {
        {.at = NOW - 4 * DAY, .old = 0.7, .new_ = 0.8, .evidence_source = "episode:a"},
        {.at = NOW - 3 * DAY, .old = 0.8, .new_ = 0.05, .reason = "I doubt it"},
        {.at = NOW - 2 * DAY, .old = 0.05, .new_ = 0.1, .evidence_source = "episode:b"},
    };
    struct memory m = made(KIND_BELIEF, 0.1, 5);
    m.history = history;
    m.history_count = 3;
    const bool first[3] = {true};
    assert_true(fabs(left(&m, first) - 0.05) < 1e-9); /* the edit ends at 0, not at -0.05 */
    /* Decay starts from what is left. */
    m.created_at = NOW - 300 * DAY;
    for (size_t i = 0; i < 3; i++)
        history[i].at = NOW - 300 * DAY;
    history[1] = (struct history_entry){
        .at = NOW - 300 * DAY, .old = 0.8, .new_ = 0.9, .evidence_source = "episode:c"};
    m.confidence = 0.9;
    m.history_count = 2;
    struct effective e = effective_compute(&m, &decaying, true, first, NOW);
    assert_true(fabs(e.kept - 0.8) < 1e-9 && fabs(e.value - 0.7) < 1e-9);
}

static double weight(const struct trust_rules *rules, int64_t type, const char *entity)
{
    return trust_weight(rules, &(struct trust_source){.type = type, .entity = entity});
}

static double weight_of_retrieval(const char *type)
{
    return trust_weight(&trust_defaults,
                        &(struct trust_source){.type = SOURCE_OBSERVATION, .retrieved = type});
}

TEST(a_retrieval_is_worth_what_it_retrieved)
{
    assert_true(weight_of_retrieval("web_scrape") == 0.6);
    assert_true(weight_of_retrieval("tavily_search") == 0.6);
    assert_true(weight_of_retrieval("user_input") == 0.9);
    assert_true(weight_of_retrieval("database_query") == 1);
    assert_true(weight_of_retrieval(NULL) == 1);
}

static enum trust_class class_of(enum source_type type, const char *entity, const char *retrieved)
{
    struct trust_source from = {.type = type, .entity = entity, .retrieved = retrieved};
    assert_int_equal(trust_class_of_weight(trust_weight(&trust_classes, &from)),
                     trust_class_of(&from));
    return trust_class_of(&from);
}

TEST(a_name_raises_no_class)
{
    assert_int_equal(class_of(SOURCE_OBSERVATION, NULL, "web_scrape"), CLASS_WEB);
    assert_int_equal(class_of(SOURCE_EXTERNAL, "human:sean", "web_scrape"), CLASS_WEB);
    assert_int_equal(class_of(SOURCE_EXTERNAL, NULL, NULL), CLASS_EXTERNAL);
    assert_int_equal(class_of(SOURCE_OBSERVATION, NULL, "database_query"), CLASS_OWN);
    assert_int_equal(class_of(SOURCE_INFERENCE, "human:sean", NULL), CLASS_OWN);
    assert_int_equal(class_of(SOURCE_TOLD_BY_HUMAN, "human:sean", NULL), CLASS_PERSON);
    assert_int_equal(class_of(SOURCE_TOLD_BY_HUMAN, "agent:claire", NULL), CLASS_AGENT);
    assert_int_equal(class_of(SOURCE_UNKNOWN, NULL, NULL), CLASS_UNKNOWN);
    assert_int_equal(trust_class_of_weight(0), CLASS_NONE);
    assert_string_equal(trust_class_name(CLASS_PERSON), "person");
    assert_null(trust_class_name(CLASS_NONE));
}

TEST(trust_is_of_the_source_or_of_who_told_it)
{
    struct trust_entity entities[] = {{"claire", 0.6}, {"human:zoe", 1}, {"agent:max", 0}};
    struct trust_rules rules = trust_defaults;
    assert_true(weight(&rules, SOURCE_DIRECT_EXPERIENCE, NULL) == 1);
    assert_true(weight(&rules, SOURCE_TOLD_BY_AGENT, "claire") == 0.7);
    assert_true(weight(&rules, SOURCE_EXTERNAL, NULL) == 0.6);
    assert_true(weight(&rules, SOURCE_UNKNOWN, NULL) == 0.5);
    assert_true(weight(&rules, SOURCE_TYPE_COUNT, NULL) == 0.5); /* a type of an import */
    rules.entities = entities;
    rules.entity_count = 3;
    assert_true(weight(&rules, SOURCE_TOLD_BY_AGENT, "claire") == 0.6);
    assert_true(weight(&rules, SOURCE_TOLD_BY_AGENT, "agent:claire") == 0.6);
    assert_true(weight(&rules, SOURCE_TOLD_BY_AGENT, "human:claire") == 0.7);
    assert_true(weight(&rules, SOURCE_TOLD_BY_HUMAN, "human:zoe") == 1);
    assert_true(weight(&rules, SOURCE_TOLD_BY_AGENT, "agent:max") == 0);
    assert_true(weight(&rules, SOURCE_TOLD_BY_AGENT, "max") == 0.7);
}

TEST(trust_caps_only_where_configured)
{
    struct trust_rules capping = trust_defaults;
    struct confidence_rules rules = {.trust = &capping};
    struct memory m = made(KIND_BELIEF, 0.8, 0);
    struct effective e = effective_compute(&m, &rules, true, NULL, NOW);
    effective_cap(&e, &rules, 0.6);
    assert_true(e.value == 0.8 && !e.capped);
    capping.cap = true;
    effective_cap(&e, &rules, 0.9);
    assert_true(e.value == 0.8 && !e.capped);
    effective_cap(&e, &rules, 0.6);
    assert_true(e.value == 0.6 && e.capped && e.stored == 0.8 && e.kept == 0.8);
}
