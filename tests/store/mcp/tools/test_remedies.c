/* What to do next: an agent is told of its own means, and never of a person's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/mcp/tools/service.h"
#include "tests/support/guarded.h"

static void begin(struct guarded *g)
{
    struct permissions p;
    guarded_open(g);
    fixture_put(
        &g->f, "{\"ref\":\"raw:one\",\"text\":\"heard\"}",
        "{\"ref\":\"belief:a\",\"text\":\"so it is\",\"derived_from\":[\"raw:one\"]}",
        "{\"ref\":\"step:s\",\"text\":\"why?\",\"derived_from\":[\"raw:none\"]}",
        "{\"ref\":\"entry:e\",\"text\":\"k\",\"detail\":{\"namespace\":\"session.a\",\"key\":\"k\","
        "\"value\":1}}",
        NULL);
    permissions_init(&p);
    guarded_begin(g, &p, NULL);
}

static void an_agent_is_told_what_it_can_do(void **state)
{
    static const struct {
        const char *tool, *arguments, *todo;
    } calls[] = {
        {"cot_get", "{'chain':'belief:a'}", "memory_list of the kind chain lists them."},
        {"memory_mark", "{'ref':'step:s','mark':'rating','value':'document:none relevant'}",
         "memory_get tells what it rests on."},
        {"memory_get", "{'ref':'raw:none'}",
         "memory_lineage with the direction descendants tells who names it."},
        {"memory_forget", "{'ref':'belief:a'}",
         "Ask the person who reviews this memory: only they can unprotect it."},
        {"memory_process_raw", "{'ref':'raw:one','as':'note'}",
         "Restore it first, with memory_restore."},
        {"memory_update", "{'ref':'entry:e','text':'x'}", "Use putMemory or deleteMemory."},
        {"memory_supersede", "{'ref':'entry:e','statement':'x'}", "Use putMemory or deleteMemory."},
        {"memory_process_raw", "{'ref':'entry:e','as':'note'}", "Use putMemory or deleteMemory."},
    };
    (void)state;
    struct guarded g;
    begin(&g);
    guarded_tool(&g, "memory_protect", "{'ref':'belief:a'}");
    guarded_tool(&g, "memory_retract", "{'ref':'raw:one'}");
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        const char *answer = guarded_tool(&g, calls[i].tool, calls[i].arguments);
        if (!strstr(answer, "\"error\"") || !strstr(answer, calls[i].todo))
            fail_msg("%s: %s", calls[i].tool, answer);
    }
    const char *answer = guarded_ask(&g, "resources/read", "{'uri':'stemma://raw/none'}");
    if (!strstr(answer, "memory_lineage with the direction descendants tells who names it."))
        fail_msg("%s", answer);
    guarded_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_is_told_what_it_can_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
