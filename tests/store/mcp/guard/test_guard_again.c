/* What is asked again and again is answered from what is kept of it: personal data is masked each time, whatever changed
 * in between, and what holds none is told as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/support/guarded.h"

#define TIMES 5

static const char *const doors[][2] = {
    {"memory_lineage", "{'ref':'belief:top'}"},
    {"memory_lineage", "{'ref':'raw:low','direction':'descendants'}"},
    {"memory_search", "{'query':'deploy'}"},
    {"memory_search", "{'query':'eplo'}"},
    {"memory_list", "{}"},
    {"memory_get", "{'ref':'raw:low'}"},
};

static void put(struct guarded *g, const char *low, const char *top)
{
    char lines[2][300];
    snprintf(lines[0], sizeof(lines[0]), "{\"ref\":\"raw:low\",\"text\":\"deploy %s\"}", low);
    snprintf(lines[1], sizeof(lines[1]),
             "{\"ref\":\"belief:top\",\"text\":\"deploy %s\",\"derived_from\":[\"raw:low\"]}", top);
    fixture_put(&g->f, lines[0], lines[1], NULL);
}

static void check_doors(struct guarded *g, const char *shown, const char *hidden)
{
    for (size_t i = 0; i < TIMES * sizeof(doors) / sizeof(*doors); i++) {
        const char *const *door = doors[i / TIMES];
        const char *answer = guarded_tool_anew(g, door[0], door[1]);
        if (strstr(answer, hidden) || !strstr(answer, shown))
            fail_msg("%s %s: %s", door[0], door[1], answer);
    }
}

static void it_is_masked_each_time(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    put(&g, "on monday", "on tuesday");
    permissions_init(&p);
    p.mask = true;
    guarded_begin(&g, &p, "ash");
    check_doors(&g, "on monday", "@");
    put(&g, "says ann@example.com", "on tuesday");
    check_doors(&g, "[redacted-email]", "ann@");
    put(&g, "on friday", "says ann@example.com");
    for (size_t i = 0; i < TIMES; i++)
        if (strstr(guarded_tool_anew(&g, "memory_lineage", "{'ref':'belief:top'}"), "ann@"))
            fail_msg("it was told in round %zu", i);
    put(&g, "on friday", "on sunday");
    check_doors(&g, "on friday", "@");
    guarded_close(&g);
}

/* With a pattern of its own for days. */
static void take_days_for_personal(struct guarded *g)
{
    struct permissions p;
    permissions_init(&p);
    p.patterns = arena_array(&p.arena, 1, sizeof(*p.patterns));
    assert_non_null(p.patterns);
    p.patterns[0] = (struct pii_pattern){"day", "[a-z]+day"};
    p.pattern_count = 1;
    guarded_rules(g, &p);
}

/* What was looked through by other rules is looked through again. */
static void other_rules_look_again(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    put(&g, "on monday", "on monday");
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    for (int i = 0; i < 2; i++) {
        check_doors(&g, "on monday", "[redacted-");
        take_days_for_personal(&g);
        check_doors(&g, "[redacted-day]", "monday");
        permissions_init(&p);
        guarded_rules(&g, &p);
    }
    guarded_close(&g);
}

static void check_orphans(struct guarded *g, const char *shown, const char *hidden)
{
    for (size_t i = 0; i < TIMES; i++) {
        const char *answer = guarded_tool_anew(g, "memory_orphans", i % 2 ? "{'limit':1}" : "{}");
        if (strstr(answer, hidden) || !strstr(answer, shown))
            fail_msg("round %zu: %s", i, answer);
    }
}

/* Of what is lost there is nothing but its name, in an answer that is kept whole. */
static void what_is_lost_is_masked_each_time(void **state)
{
    (void)state;
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    fixture_put(&g.f,
                "{\"ref\":\"belief:one\",\"text\":\"deploy\",\"derived_from\":[\"raw:of-monday\"]}",
                NULL);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    for (int i = 0; i < 2; i++) {
        check_orphans(&g, "raw:of-monday", "[REDACTED]");
        take_days_for_personal(&g);
        check_orphans(&g, "\"target\":\"raw:[REDACTED]_", "monday");
        permissions_init(&p);
        guarded_rules(&g, &p);
    }
    fixture_put(
        &g.f,
        "{\"ref\":\"belief:two\",\"text\":\"deploy\",\"derived_from\":[\"raw:ann@example.com\"]}",
        NULL);
    for (size_t i = 0; i < TIMES; i++) {
        const char *answer = guarded_tool(&g, "memory_orphans", "{}");
        if (strstr(answer, "ann@") || !strstr(answer, "\"target\":\"raw:[REDACTED]_"))
            fail_msg("round %zu: %s", i, answer);
    }
    guarded_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_masked_each_time),
        cmocka_unit_test(other_rules_look_again),
        cmocka_unit_test(what_is_lost_is_masked_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
