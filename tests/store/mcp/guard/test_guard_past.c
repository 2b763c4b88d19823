/* What a memory was while the caller could not see it is told by no door once he can, and what it was then names
 * nothing that is hidden from him now. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "store/ops/operation.h"
#include "tests/support/entry_calls.h"

static void has(const char *answer, const char *part)
{
    if (!strstr(answer, part))
        fail_msg("%s is not in %s", part, answer);
}

static void has_not(const char *answer, const char *part)
{
    if (strstr(answer, part))
        fail_msg("%s is in %s", part, answer);
}

struct edit {
    const char *ref, *fields, *reason;
};

static int edit_in(struct txn *t, void *arg, struct error *e)
{
    static const struct actor person = {.class = ACTOR_PERSON, .name = "ann"};
    struct edit *edit = arg;
    struct arena arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    struct plan p;
    q.refs = &edit->ref;
    q.ref_count = 1;
    q.fields = edit->fields;
    q.reason = edit->reason;
    int result = operation_in(t, &person, OPERATION_EDIT, &q, &arena, &p, e);
    arena_release(&arena);
    return result;
}

static void edit(struct guarded *g, const char *ref, const char *fields, const char *reason)
{
    struct error e;
    struct edit done = {ref, fields, reason};
    if (store_run(g->f.store, edit_in, &done, &e))
        fail_msg("%s", e.what);
}

/* Asks each door that tells what became of a memory, and looks for what none may tell. */
static void look_behind(struct guarded *g, const char *ref, const char *const *secrets)
{
    static const char *const doors[][2] = {
        {"memory_history", "{'ref':'%s'}"},
        {"memory_history", "{'ref':'%s','limit':1}"},
        {"memory_history", "{'ref':'%s','before':3}"},
        {"memory_history", "{'ref':'%s','seq':1}"},
        {"memory_history", "{'ref':'%s','seq':2}"},
        {"memory_history", "{'ref':'%s','seq':3,'part':'before'}"},
        {"memory_history", "{'ref':'%s','seq':4}"},
        {"memory_get", "{'ref':'%s'}"},
        {"memory_lineage", "{'ref':'%s'}"},
        {"memory_update", "{'ref':'%s','text':'x','expected_version':1}"},
        {"memory_update", "{'ref':'%s','text':'x','expected_version':2}"},
        {"prompts/get", "{'name':'review_belief','arguments':{'ref':'%s'}}"},
        {"prompts/get", "{'name':'what_changed','arguments':{'since':'2000-01-01'}}"},
    };
    for (size_t i = 0; i < ROWS(doors); i++) {
        const char *rest = strstr(doors[i][1], "%s");
        char params[300];
        snprintf(params, sizeof(params), "%.*s%s%s",
                 rest ? (int)(rest - doors[i][1]) : (int)strlen(doors[i][1]), doors[i][1],
                 rest ? ref : "", rest ? rest + 2 : "");
        const char *answer = strchr(doors[i][0], '/') ? guarded_ask(g, doors[i][0], params)
                                                      : guarded_tool(g, doors[i][0], params);
        for (size_t k = 0; secrets[k]; k++)
            if (strstr(answer, secrets[k]))
                fail_msg("%s %s tells %s: %s", doors[i][0], params, secrets[k], answer);
    }
}

static const char *history(struct guarded *g, const char *ref)
{
    char params[200];
    snprintf(params, sizeof(params), "{'ref':'%s'}", ref);
    return guarded_tool(g, "memory_history", params);
}

static void a_history_begins_where_an_entry_came_into_sight(void **state)
{
    (void)state;
    static const char *const secrets[] = {"plugh1", "plugh2",     "launchcode", "sensitive",
                                          "why it", "not before", NULL};
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    const char *ref = guarded_put(&g, "ash", "sensitive.x", "launchcode", "\"plugh1\"");
    guarded_put(&g, "ash", "sensitive.x", "launchcode", "\"plugh2\"");
    edit(&g, ref, "{\"value\":\"plugh1 again\"}", "not before it is public");
    edit(&g, ref, "{\"namespace\":\"public.x\",\"key\":\"moved\",\"value\":\"open\"}",
         "why it left sensitive.x");
    permissions_init(&p);
    guarded_begin(&g, &p, "bob");
    look_behind(&g, ref, secrets);
    const char *told = history(&g, ref);
    assert_int_equal(answer_count(told, "events"), 1);
    assert_true(answer_is_null(told, "events.0.before"));
    has(told, "{\"field\":\"detail.value\",\"before\":null,\"after\":\"open\"}");
    edit(&g, ref, "{\"value\":\"wider\"}", "seen");
    told = history(&g, ref);
    assert_int_equal(answer_count(told, "events"), 2);
    has(told, "\"reason\":\"seen\"");
    has(told, "{\"field\":\"detail.value\",\"before\":\"open\",\"after\":\"wider\"}");
    look_behind(&g, ref, secrets);
    guarded_close(&g);
}

/* One that was in sight, went and came again is told from where it came again. */
static void what_an_entry_was_while_it_was_away_is_not_told(void **state)
{
    (void)state;
    static const char *const secrets[] = {"plugh", "sensitive", NULL};
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    const char *ref = guarded_put(&g, "ash", "public.x", "key", "\"first\"");
    edit(&g, ref, "{\"namespace\":\"sensitive.x\"}", "to sensitive.x");
    edit(&g, ref, "{\"value\":\"plugh\"}", NULL);
    edit(&g, ref, "{\"namespace\":\"public.x\",\"value\":\"last\"}", "from sensitive.x");
    permissions_init(&p);
    guarded_begin(&g, &p, "bob");
    look_behind(&g, ref, secrets);
    assert_int_equal(answer_count(history(&g, ref), "events"), 1);
    calls_grant_all(&p);
    guarded_rules(&g, &p);
    has(history(&g, ref), "plugh");
    guarded_close(&g);
}

static void a_history_begins_where_a_memory_became_the_callers(void **state)
{
    (void)state;
    static const char *const secrets[] = {"private of ash", "ash", NULL};
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    fixture_put(
        &g.f,
        "{\"ref\":\"belief:b\",\"agent_id\":\"ash\",\"text\":\"private of ash\",\"created_at\":1}",
        NULL);
    fixture_put(&g.f,
                "{\"ref\":\"belief:b\",\"agent_id\":\"bob\",\"text\":\"of bob\",\"created_at\":1,"
                "\"version\":2}",
                NULL);
    permissions_init(&p);
    guarded_begin(&g, &p, "bob");
    const char *told = history(&g, "belief:b");
    assert_int_equal(answer_count(told, "events"), 1);
    has(told, "{\"field\":\"text\",\"before\":null,\"after\":\"of bob\"}");
    look_behind(&g, "belief:b", secrets);
    permissions_init(&p);
    p.share = true;
    guarded_rules(&g, &p);
    has(history(&g, "belief:b"), "private of ash");
    guarded_close(&g);
}

/* A change is told without the hidden entry that it names among others, as the memory is. */
static void a_change_is_told_without_what_it_names_of_hidden_entries(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    char line[400];
    guarded_open(&g);
    const char *hidden = guarded_put(&g, "ash", "sensitive.x", "launchcode", "1");
    const char *shown = guarded_put(&g, "ash", "public.x", "open", "1");
    fixture_put(&g.f, "{\"ref\":\"raw:r\",\"agent_id\":\"bob\",\"text\":\"r\",\"created_at\":1}",
                NULL);
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:b\",\"agent_id\":\"bob\",\"text\":\"b\",\"created_at\":2,"
             "\"derived_from\":[\"%s\",\"%s\",\"raw:r\"]}",
             hidden, shown);
    fixture_put(&g.f, line, NULL);
    fixture_put(&g.f,
                "{\"ref\":\"belief:b\",\"agent_id\":\"bob\",\"text\":\"b\",\"created_at\":2,"
                "\"version\":2,\"derived_from\":[\"raw:r\"]}",
                NULL);
    permissions_init(&p);
    guarded_begin(&g, &p, "bob");
    const char *told = history(&g, "belief:b");
    has_not(told, hidden);
    snprintf(line, sizeof(line),
             "{\"field\":\"justifications\",\"before\":null,\"after\":\"derived_from any of %s, "
             "raw:r\"}",
             shown);
    has(told, line);
    guarded_close(&g);
}

/* What is hidden is no version of anything, nor do two belong together for what only it joins. */
static void versions_are_those_in_sight(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    fixture_put(
        &g.f, "{\"ref\":\"belief:a\",\"agent_id\":\"bob\",\"text\":\"a\",\"created_at\":1}",
        "{\"ref\":\"entry:h\",\"text\":\"launchcode\",\"created_at\":2,\"detail\":{\"namespace\":"
        "\"sensitive.x\",\"key\":\"launchcode\",\"value\":1},\"supersedes\":\"belief:a\"}",
        "{\"ref\":\"belief:c\",\"agent_id\":\"bob\",\"text\":\"c\",\"created_at\":3,"
        "\"supersedes\":\"entry:h\"}",
        "{\"ref\":\"belief:d\",\"agent_id\":\"bob\",\"text\":\"d\",\"created_at\":4,"
        "\"supersedes\":\"belief:c\"}",
        NULL);
    permissions_init(&p);
    guarded_begin(&g, &p, "bob");
    has(history(&g, "belief:a"), "\"versions\":[]");
    has(history(&g, "belief:c"), "\"versions\":[\"belief:c\",\"belief:d\"]");
    calls_grant_all(&p);
    guarded_rules(&g, &p);
    has(history(&g, "belief:a"),
        "\"versions\":[\"belief:a\",\"entry:h\",\"belief:c\",\"belief:d\"]");
    guarded_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_history_begins_where_an_entry_came_into_sight),
        cmocka_unit_test(what_an_entry_was_while_it_was_away_is_not_told),
        cmocka_unit_test(a_history_begins_where_a_memory_became_the_callers),
        cmocka_unit_test(a_change_is_told_without_what_it_names_of_hidden_entries),
        cmocka_unit_test(versions_are_those_in_sight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
