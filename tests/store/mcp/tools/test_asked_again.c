/* A question that is asked again, byte for byte, is answered as one that was never asked before: after whatever was
 * written, to whomever, and by whichever rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/guarded.h"
#include "tests/support/random.h"

#define STEPS 60
#define TIMES 4

static const char *const questions[][2] = {
    {"memory_get", "{'ref':'belief:n1'}"},
    {"memory_get", "{'ref':'belief:n2','offset':0,'length':3}"},
    {"memory_get", "{'ref':'belief:never'}"},
    {"memory_list", "{}"},
    {"memory_list", "{'kind':'belief','limit':3}"},
    {"memory_list", "{'agent_id':'ash'}"},
    {"memory_list", "{'label':'ungrounded'}"},
    {"memory_search", "{'query':'river'}"},
    {"memory_lineage", "{'ref':'belief:n1'}"},
    {"memory_lineage", "{'ref':'raw:s1','direction':'descendants','depth':1}"},
    {"memory_whatif", "{'refs':['raw:s1','belief:n2']}"},
    {"memory_orphans", "{}"},
    {"memory_orphans", "{'limit':2}"},
    {"get_source_attributions", "{'agent_id':'ash'}"},
};
#define QUESTIONS (sizeof(questions) / sizeof(*questions))

static void check(struct guarded *g, struct strbuf *anew)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        strbuf_clear(anew);
        strbuf_addstr(anew, guarded_tool_anew(g, questions[i][0], questions[i][1]));
        for (int k = 0; k < TIMES; k++) {
            const char *again = guarded_tool(g, questions[i][0], questions[i][1]);
            if (strcmp(again, anew->buf) != 0)
                fail_msg("%s %s the time %d:\n%s\nand anew:\n%s", questions[i][0], questions[i][1],
                         k, again, anew->buf);
        }
    }
}

static void write_something(struct guarded *g, struct random *random)
{
    static const char *const texts[] = {"a river", "says ann@example.com", "a stone", "river bed"};
    static const char *const statuses[] = {"active", "active", "retracted", "superseded"};
    static const char *const agents[] = {"ash", "birch"};
    char line[400];
    snprintf(line, sizeof(line),
             "{\"ref\":\"belief:n%u\",\"text\":\"%s\",\"agent_id\":\"%s\",\"status\":\"%s\","
             "\"derived_from\":[\"raw:s%u\",\"belief:n%u\"]}",
             (unsigned)random_below(random, 6), texts[random_below(random, 4)],
             agents[random_below(random, 2)], statuses[random_below(random, 4)],
             (unsigned)random_below(random, 3), (unsigned)random_below(random, 6));
    if (random_chance(random, 80))
        fixture_put(&g->f, line, NULL);
    else
        fixture_put(&g->f, "{\"ref\":\"raw:s1\",\"text\":\"the river\",\"agent_id\":\"ash\"}",
                    NULL);
}

static void open_filled(struct guarded *g, struct random *random)
{
    guarded_open(g);
    for (int i = 0; i < 20; i++)
        write_something(g, random);
}

static void after_whatever_was_written(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    struct random random = {21};
    struct strbuf anew = STRBUF_INIT;
    open_filled(&g, &random);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    for (int step = 0; step < STEPS; step++) {
        check(&g, &anew);
        write_something(&g, &random);
    }
    strbuf_release(&anew);
    guarded_close(&g);
}

/* Agents that do not see what others wrote, one after another of the same store. */
static void to_whomever_asks(void **state)
{
    (void)state;
    static const char *const agents[] = {"ash", "birch", NULL};
    struct guarded g;
    struct random random = {22};
    struct strbuf anew = STRBUF_INIT;
    open_filled(&g, &random);
    for (size_t i = 0; i < 12; i++) {
        struct permissions p;
        permissions_init(&p);
        p.share = i >= 6;
        guarded_begin(&g, &p, agents[i % 3]);
        check(&g, &anew);
        guarded_end(&g);
    }
    strbuf_release(&anew);
    guarded_close(&g);
}

static void by_whichever_rules(void **state)
{
    (void)state;
    struct guarded g;
    struct random random = {23};
    struct strbuf anew = STRBUF_INIT;
    struct permissions p;
    open_filled(&g, &random);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    for (int i = 0; i < 8; i++) {
        check(&g, &anew);
        permissions_init(&p);
        p.mask = i % 2 == 0;
        p.share = i % 4 < 2;
        guarded_rules(&g, &p);
    }
    strbuf_release(&anew);
    guarded_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_whatever_was_written),
        cmocka_unit_test(to_whomever_asks),
        cmocka_unit_test(by_whichever_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
