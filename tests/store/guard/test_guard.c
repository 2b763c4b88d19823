/* What agents see of each other's memories, and what they may change. */
#include "store/entries/entry.h"
#include "tests/support/entry_calls.h"
#include "tests/support/guarded.h"
#include "tests/support/has.h"
#include "tests/support/test.h"

/* A chunk shows nothing that is masked in the whole text, wherever it begins and ends. */
TEST(chunks_are_cut_from_masked_text)
{
    static const char masked[] = "write to [redacted-email] or not";
    static const char in_detail[] = "{\"captured_by\":\"[redacted-email]\"}";
    struct guarded g;
    struct permissions p;
    char arguments[128], expected[64];
    guarded_open(&g);
    fixture_put(&g.f,
                "{\"ref\":\"raw:mail\",\"text\":\"write to jane.doe@example.com or not\","
                "\"detail\":{\"captured_by\":\"jane.doe@example.com\"},"
                "\"history\":[{\"at\":1,\"operation\":\"Edit\",\"origin\":\"claude\","
                "\"before\":\"ask jane.doe@example.com\",\"after\":\"or jane.doe@example.com\"}]}",
                NULL);
    permissions_init(&p);
    p.mask = true;
    guarded_begin(&g, &p, "ash");
    for (int offset = 0; offset < (int)sizeof(masked) - 1; offset += 3) {
        snprintf(arguments, sizeof(arguments), "{'ref':'raw:mail','offset':%d,'length':3}", offset);
        snprintf(expected, sizeof(expected), "\"text\":\"%.3s\"", masked + offset);
        assert_has(guarded_tool(&g, "memory_get", arguments), expected);
    }
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'raw:mail','part':'detail','length':26}"),
               "[redacted");
    for (int offset = 0; offset < (int)sizeof(in_detail) - 1; offset++) {
        snprintf(arguments, sizeof(arguments),
                 "{'ref':'raw:mail','part':'detail','offset':%d,'length':9}", offset);
        assert_lacks(guarded_tool(&g, "memory_get", arguments), "ane");
    }
    assert_lacks(guarded_tool(&g, "memory_history", "{'ref':'raw:mail'}"), "ane");
    assert_lacks(guarded_tool(&g, "memory_history", "{'ref':'raw:mail','format':'json'}"), "ane");
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'raw:mail','detail':'full'}"),
               "ask [redacted-email]");
    assert_lacks(guarded_tool(&g, "memory_get", "{'ref':'raw:mail','detail':'full'}"), "ane");
    guarded_close(&g);
}

/* ---- refs whose ids contain personal data ---- */

#define REF_MAX 64

struct mails {
    struct guarded g;
    char first[REF_MAX], second[REF_MAX]; /* as the agent sees them */
};

/* ---- subscribers get no notifications about hidden memories or their dependants ---- */

#define QUIET_MS 400 /* without a notification; longer than the poll interval */

static const char *const resources[] = {
    "stemma://belief/b2", "stemma://belief/b2/lineage", "stemma://belief/b2/lineage.json",
    "stemma://agent/ash", "stemma://belief/b3/lineage",
};
enum {
    MEMORY = 1,
    LINEAGE = 2,
    LINEAGE_JSON = 4,
    AGENT = 8,
    BEHIND = 16,
};

#define RESOURCES (sizeof(resources) / sizeof(*resources))

struct denied {
    struct guarded g;
    const char *ref; /* of the entry that b2 is based on, besides r1 */
};

static void rest_on(struct denied *d, const char *ref, const char *text, const char *from)
{
    char line[400];
    snprintf(line, sizeof(line),
             "{\"ref\":\"%s\",\"agent_id\":\"ash\",\"text\":\"%s\",\"created_at\":4000,"
             "\"derived_from\":[\"%s\",\"raw:r1\"]}",
             ref, text, from);
    fixture_put(&d->g.f, line, NULL);
}

static void subscribe(struct denied *d)
{
    for (size_t i = 0; i < RESOURCES; i++) {
        char params[200];
        snprintf(params, sizeof(params), "{'uri':'%s'}", resources[i]);
        const char *answer = guarded_ask(&d->g, "resources/subscribe", params);
        if (strstr(answer, "\"error\""))
            fail_msg("%s: %s", resources[i], answer);
    }
}

static void begin_changes(struct denied *d, struct permissions *p)
{
    guarded_open(&d->g);
    fixture_put(&d->g.f,
                "{\"ref\":\"raw:r1\",\"agent_id\":\"ash\",\"text\":\"deploy\",\"created_at\":1000}",
                NULL);
    d->ref = guarded_put(&d->g, "zoe", "vault.x", "z", "1");
    rest_on(d, "belief:b1", "one", d->ref);
    rest_on(d, "belief:b2", "two", "belief:b1");
    fixture_put(&d->g.f,
                "{\"ref\":\"raw:r2\",\"agent_id\":\"ash\",\"text\":\"far\",\"created_at\":1000}",
                NULL);
    fixture_put(&d->g.f,
                "{\"ref\":\"entry:e9\",\"text\":\"k\",\"created_at\":5000,\"detail\":{"
                "\"namespace\":\"vault.x\",\"key\":\"k\",\"value\":1},"
                "\"derived_from\":[\"raw:r2\"]}",
                NULL);
    rest_on(d, "belief:b3", "three", "entry:e9");
    guarded_begin(&d->g, p, "ash");
    subscribe(d);
}

static int take_away(struct txn *t, void *arg, struct error *e)
{
    static const struct actor zoe = {
        .class = ACTOR_AGENT, .name = "zoe", .agent = "zoe", .origin = "mcp"};
    struct arena *arena = arg;
    return entry_delete(t, &zoe, "vault.x", "z", NULL, arena, e);
}

static void delete_it(struct denied *d)
{
    struct error e = {0};
    if (store_run(d->g.f.store, take_away, &d->g.f.arena, &e))
        fail_msg("%s", e.what);
}

static void hear_nothing(struct denied *d, const char *of)
{
    const char *line = client_read_within(&d->g.client, QUIET_MS);
    if (line)
        fail_msg("%s is notified: %s", of, line);
}

/* Expects notifications for exactly these resources (bits by index), in any order. */
static void hear(struct denied *d, unsigned wanted)
{
    const char *line;
    unsigned told = 0;
    while (told != wanted && (line = client_read_within(&d->g.client, 4000)))
        for (size_t i = 0; i < RESOURCES; i++) {
            char uri[100];
            snprintf(uri, sizeof(uri), "\"uri\":\"%s\"}", resources[i]);
            told |= strstr(line, uri) ? 1u << i : 0;
        }
    assert_int_equal(told, wanted);
    hear_nothing(d, "what is the same");
}

static void put_again(struct denied *d, const char *ref)
{
    char line[200];
    snprintf(line, sizeof(line),
             "{\"ref\":\"%s\",\"agent_id\":\"ash\",\"text\":\"again\",\"version\":2,"
             "\"created_at\":1000}",
             ref);
    fixture_put(&d->g.f, line, NULL);
}

TEST(a_denied_entry_sends_no_notifications)
{
    struct denied d;
    struct permissions p;
    permissions_init(&p);
    begin_changes(&d, &p);
    guarded_put(&d.g, "zoe", "vault.x", "z", "2");
    hear_nothing(&d, "what was overwritten");
    delete_it(&d);
    hear_nothing(&d, "what was deleted");
    put_again(&d, "raw:r1");
    hear(&d, LINEAGE | LINEAGE_JSON | AGENT | BEHIND);
    guarded_close(&d.g);
}

/* An agent that may read the entry is notified. */
TEST(a_visible_entry_sends_notifications)
{
    struct denied d;
    struct permissions p;
    calls_grant_all(&p);
    begin_changes(&d, &p);
    guarded_put(&d.g, "zoe", "vault.x", "z", "2");
    hear_nothing(&d, "what shows no value");
    delete_it(&d);
    hear(&d, LINEAGE | LINEAGE_JSON | AGENT);
    guarded_close(&d.g);
}

TEST(lineages_stop_at_hidden_memories)
{
    struct denied d;
    struct permissions p;
    permissions_init(&p);
    begin_changes(&d, &p);
    put_again(&d, "raw:r2");
    hear(&d, AGENT);
    put_again(&d, "raw:r1");
    hear(&d, LINEAGE | LINEAGE_JSON | AGENT | BEHIND);
    guarded_close(&d.g);
}

/* A ref in an answer is as short as its caller finds it, so its length tells nothing of what is hidden; one that the
 * caller would not find by a prefix is whole. */
TEST(short_refs_reveal_nothing)
{
    struct guarded g;
    struct permissions p;
    guarded_open(&g);
    fixture_put(&g.f,
                "{\"ref\":\"raw:47d1fa63-0000-4000-8000-000000000001\",\"agent_id\":\"bee\","
                "\"text\":\"theirs\"}",
                "{\"ref\":\"raw:47d1fa63-0000-4000-8000-000000000002\",\"agent_id\":\"ash\","
                "\"text\":\"mine\"}",
                "{\"ref\":\"note:n\",\"agent_id\":\"ash\",\"text\":\"n\",\"derived_from\":"
                "[\"raw:47d1fa63-0000-4000-8000-000000000001\"]}",
                NULL);
    permissions_init(&p);
    guarded_begin(&g, &p, "ash");
    assert_has(guarded_tool(&g, "memory_list", "{}"), "\"raw:47d1fa63\",\"text\":\"mine\"");
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'raw:47d1fa63'}"), "\"mine\"");
    assert_has(guarded_tool(&g, "memory_get", "{'ref':'note:n'}"),
               "{\"ref\":\"raw:47d1fa63-0000-4000-8000-000000000001\",\"agent_id\":\"bee\","
               "\"withheld\":true}");
    p.share = true;
    guarded_rules(&g, &p);
    assert_has(guarded_tool(&g, "memory_list", "{}"),
               "\"raw:47d1fa63-0000-4000-8000-000000000002\",\"text\":\"mine\"");
    guarded_close(&g);
}
