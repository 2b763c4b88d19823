/* If a caller may list no entry, lists skip the kind `entry`, however many entries there are. */
#include "tests/support/scratch.h"

#include "store/guard/guard.h"
#include "store/query/known_names.h"
#include "store/query/list.h"
#include "store/db/reader.h"
#include "tests/support/entries.h"
#include "tests/support/listed.h"
#include "tests/support/test.h"

#define ENTRIES  300
#define VM_STEPS 1500 /* fewer than a scan of these rows takes */

static const char *const shown[] = {"shown.*"};
static struct guard_rules *rules;

static int setup(void **state)
{
    struct error e;
    struct permissions p;
    char key[40];
    static struct agent_grants bo = {.agent = "bo"};
    entries_open();
    for (int i = 0; i < ENTRIES; i++) {
        snprintf(key, sizeof(key), "key%d", i);
        assert_int_equal(entries_put("hidden.x", key, "1", -1, NULL, NULL), ERROR_NONE);
    }
    permissions_init(&p);
    bo.grant[MEMORY_TOOL_LIST].given = true;
    p.agents = &bo;
    p.agent_count = 1;
    p.share = true;
    p.grant[MEMORY_TOOL_LIST].namespaces = shown;
    p.grant[MEMORY_TOOL_LIST].namespace_count = 1;
    rules = guard_rules_new(&p, &e);
    assert_non_null(rules);
    return 0;
}

static int teardown(void **state)
{
    guard_rules_release(rules);
    entries_close();
    return 0;
}

/* Counts the agent's entries in each kind of list, within the limit of steps. */
static void expect(const char *agent, int64_t entries)
{
    struct error e;
    struct ref refs[KNOWN_NAMES_MAX];
    const char *agents[KNOWN_NAMES_MAX];
    size_t names;
    int64_t met;
    bool any;
    struct reader *r = entries_reader;
    const struct list_query all = {.order = ORDER_CREATED};
    const struct guard guard = {.rules = rules, .agent = agent};
    reader_guard(r, &guard);
    reader_limit(r, entries ? 0 : VM_STEPS);
    assert_int_equal(list_any(r, &all, &any, &e), 0);
    assert_int_equal(any, entries > 0);
    for (int way = 0; way < 4 && (entries == 0 || way == 0); way++) {
        reader_limit(r, entries ? 0 : VM_STEPS); /* limit for each list */
        int result =
            way == 0   ? listed_count(r, &all, &met, &e)
            : way == 1 ? known_ids(r, KINDS_ALL, "", &entries_arena, refs, &names, &met, &e)
            : way == 2 ? known_ids(r, KINDS_ALL, "0", &entries_arena, refs, &names, &met, &e)
                       : known_agents(r, "", &entries_arena, agents, &names, &met, &e);
        if (result || met != entries)
            fail_msg("way %d: %d, %lld", way, result, (long long)met);
    }
    reader_limit(r, 0);
    reader_guard(r, NULL);
}

GROUP(setup, teardown);

TEST(unlisted_entries_are_not_scanned)
{
    for (int i = 0; i < 2; i++) {
        expect("ash", 0);
        expect("bo", 0);
    }
}

/* The cached answer about namespaces is dropped when a namespace is added. */
TEST(a_new_namespace_is_listed)
{
    expect("ash", 0);
    assert_int_equal(entries_put("hidden.y", "k", "1", -1, NULL, NULL), ERROR_NONE);
    expect("ash", 0);
    assert_int_equal(entries_put("shown.x", "k", "1", -1, NULL, NULL), ERROR_NONE);
    expect("bo", 0);
    expect("ash", 1);
    expect("ash", 1);
    expect("bo", 0);
}
