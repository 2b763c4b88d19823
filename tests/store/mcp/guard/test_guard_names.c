/* What says nothing but the ref or the URI of a hidden entry says nothing, by whatever door; what says more, and what
 * the caller wrote himself, is told as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/entry_calls.h"

static const char *const doors[][2] = {
    {"memory_get", "{'ref':'attribution:a1'}"},
    {"memory_get", "{'ref':'attribution:a2'}"},
    {"memory_get", "{'ref':'note:n1'}"},
    {"memory_history", "{'ref':'attribution:a1'}"},
    {"memory_history", "{'ref':'attribution:a2'}"},
    {"memory_history", "{'ref':'note:n1'}"},
    {"memory_list", "{}"},
    {"memory_list", "{'kind':'attribution'}"},
    {"memory_search", "{'query':'stemma'}"},
    {"memory_search", "{'query':'%.8s'}"},
    {"memory_lineage", "{'ref':'belief:b1'}"},
    {"memory_orphans", "{}"},
    {"get_source_attributions", "{'agent_id':'ash'}"},
    {"resources/list", "{}"},
    {"resources/read", "{'uri':'stemma://agent/ash'}"},
    {"resources/read", "{'uri':'stemma://belief/b1/lineage'}"},
    {"resources/read", "{'uri':'stemma://belief/b1/lineage.json'}"},
    {"prompts/get", "{'name':'why_believed','arguments':{'ref':'belief:b1'}}"},
    {"prompts/get", "{'name':'review_belief','arguments':{'ref':'attribution:a2'}}"},
    {"prompts/get", "{'name':'what_changed','arguments':{'since':'2000-01-01'}}"},
};

static const char *ask(struct guarded *g, size_t door, const char *id)
{
    char params[300];
    const char *rest = strstr(doors[door][1], "%.8s");
    snprintf(params, sizeof(params), "%.*s%.8s%s",
             rest ? (int)(rest - doors[door][1]) : (int)strlen(doors[door][1]), doors[door][1],
             rest ? id : "", rest ? rest + strlen("%.8s") : "");
    return strchr(doors[door][0], '/') ? guarded_ask(g, doors[door][0], params)
                                       : guarded_tool(g, doors[door][0], params);
}

/* A line in which @ stands for the name. */
static void put(struct guarded *g, const char *format, const char *name)
{
    struct strbuf line = STRBUF_INIT;
    for (const char *at = format; *at; at++)
        if (*at == '@')
            strbuf_addstr(&line, name);
        else
            strbuf_addch(&line, *at == '\'' ? '"' : *at);
    fixture_put(&g->f, line.buf, NULL);
    strbuf_release(&line);
}

/* Of ash: a retrieval by its ref and one by its URI, a belief that rests on them, and a note. */
static const char *fill(struct guarded *g)
{
    const char *ref = guarded_put(g, "ash", "sensitive.x", "launchcode", "1");
    char uri[200];
    snprintf(uri, sizeof(uri), "stemma://entry/%s", strchr(ref, ':') + 1);
    put(g,
        "{'ref':'attribution:a1','agent_id':'ash','text':'@','created_at':1000,'detail':"
        "{'source_type':'db','source_uri':'@','retrieval_timestamp':1700000000000}}",
        ref);
    put(g,
        "{'ref':'attribution:a2','agent_id':'ash','text':'@','created_at':2000,'detail':"
        "{'source_type':'db','source_uri':'@','retrieval_timestamp':1700000000001}}",
        uri);
    put(g,
        "{'ref':'belief:b1','agent_id':'ash','text':'rests on both','created_at':3000,"
        "'derived_from':['attribution:a1','attribution:a2']}",
        ref);
    put(g, "{'ref':'note:n1','agent_id':'ash','text':'@','source':'@','created_at':4000}", ref);
    return ref;
}

static void a_name_alone_is_told_by_no_door(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    const char *ref = fill(&g), *id = strchr(ref, ':') + 1;
    permissions_init(&p);
    p.share = true;
    guarded_begin(&g, &p, "bob");
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < ROWS(doors); i++) {
            const char *answer = ask(&g, i, id);
            if (strstr(answer, id))
                fail_msg("%s %s: %s", doors[i][0], doors[i][1], answer);
        }
    const char *told = guarded_tool(&g, "get_source_attributions", "{'agent_id':'ash'}");
    assert_int_equal(answer_count(told, "attributions"), 2);
    assert_true(answer_is_null(told, "attributions.0.source_uri"));
    answer_says(&g.f, guarded_tool(&g, "memory_get", "{'ref':'attribution:a1'}"), "text",
                "attribution");
    guarded_close(&g);
}

static void ones_own_words_and_those_that_say_more_are_told(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    const char *ref = fill(&g), *id = strchr(ref, ':') + 1;
    put(&g, "{'ref':'note:n2','agent_id':'ash','text':'entry: seen @ today','created_at':5000}",
        ref);
    permissions_init(&p);
    p.share = true;
    guarded_begin(&g, &p, "ash");
    answer_says(&g.f, guarded_tool(&g, "memory_get", "{'ref':'attribution:a1'}"), "text", ref);
    const char *told = guarded_tool(&g, "get_source_attributions", "{'agent_id':'ash'}");
    assert_non_null(strstr(told, id));
    assert_non_null(strstr(guarded_tool(&g, "memory_lineage", "{'ref':'belief:b1'}"), id));
    guarded_end(&g);
    permissions_init(&p);
    p.share = true;
    guarded_begin(&g, &p, "bob");
    told = guarded_tool(&g, "memory_get", "{'ref':'note:n2'}");
    assert_non_null(strstr(told, "\"entry: seen entry:"));
    guarded_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_alone_is_told_by_no_door),
        cmocka_unit_test(ones_own_words_and_those_that_say_more_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
