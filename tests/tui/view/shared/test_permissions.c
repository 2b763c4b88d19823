/* Permissions of an agent, in the explorer and in `stemma permissions`. */
#include "tests/support/test.h"
#include "tui/demo/demo_agents.h"
#include "tests/support/frame.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/story.h"

static int set_up(void **state)
{
    script_set_up_demo(state);
    struct script *s = *state;
    demo_rules_add(&s->config.permissions);
    return 0;
}

/* ---- in the explorer ---- */

GROUP(story_open, story_close);
FIXTURE(set_up, script_tear_down);

TEST(it_opens_by_name_from_any_view)
{
    static const char *const places[] = {
        "",       ":namespaces<Enter>", ":namespaces<Enter><Enter>", ":permissions<Enter>", "9",
        "<Enter>"};
    struct script *s = *state;
    struct strbuf keys = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        strbuf_clear(&keys);
        strbuf_addf(&keys, "%s:permissions claire<Enter>", places[i]);
        frame_after(s, keys.buf, "permissions \xe2\x80\xba claire");
    }
    strbuf_release(&keys);
}

/* In the row of a namespace, and in full in the preview. */
TEST(rates_are_shown)
{
    struct script *s = *state;
    struct permissions *p = &s->config.permissions;
    p->rate[MEMORY_TOOL_LIST] = (struct rate_limit){.window_seconds = 60, .window_calls = 2};
    p->rate[MEMORY_TOOL_CONTEXT] = (struct rate_limit){.per_second = 5, .burst = 10};
    for (size_t size = 0; size < FRAME_SIZES; size++) {
        frame_resize(s, size);
        const char *frame = frame_after(s, ":permissions<Enter>", "listMemory 2 calls in");
        assert_has(frame, "getContext  session, agent, task; 10 at once, 5 a second; other");
    }
    s->config.preview = PREVIEW_OFF;
    assert_has(strstr(frame_after(s, ":permissions<Enter>", "limits"), "deploy  "),
               "personal data masked; listMemory 2 calls in 60 s");
    p->rate[MEMORY_TOOL_LIST] = p->rate[MEMORY_TOOL_CONTEXT] = (struct rate_limit){0};
    assert_lacks(script_run(s, ":permissions<Enter>"), "2 calls");
}

/* The preview has the whole time, since a cut one would be wrong. */
TEST(the_longest_time_to_live_is_shown)
{
    struct script *s = *state;
    s->config.permissions.grant[MEMORY_TOOL_PUT].max_ttl_seconds = 604799;
    for (size_t size = 0; size < FRAME_SIZES; size++) {
        frame_resize(s, size);
        const char *frame =
            frame_after(s, ":permissions<Enter>jjjjj", "604799 at"); /* session.rollout */
        assert_has(frame, " write\xe2\x80\xa6 ");
        assert_lacks(frame, "write 6");
    }
    s->config.permissions.grant[MEMORY_TOOL_PUT].max_ttl_seconds = 5400;
    assert_has(frame_after(s, ":permissions<Enter>jjjjj", "5400 at"), " write 90m ");
}

/* ---- the command ---- */

static void configure(const char *text)
{
    char path[300];
    story_path(path, sizeof(path), "rules.yaml");
    story_write(path, text);
    STORY("--config", path, "permissions", "--why");
    assert_int_equal(story.p.status, 0);
}

FIXTURE(NULL, NULL);

TEST(the_command_shows_rates)
{
    configure("namespaces: {session.r: {pii: refuse, rate_limits: {listMemory: {}}}}\n"
              "rate_limits: {listMemory: {window_seconds: 60, window_calls: 2}}\n");
    STORY_OUT_HAS("personal data masked; listMemory 2 calls in 60 s\n");
    STORY_OUT_HAS("    limits: personal data masked; listMemory 2 calls in 60 s\n");
    STORY_OUT_HAS("    limits: personal data refused; ttl_seconds 3600 at most (1h)\n");
}

TEST(the_command_shows_the_longest_time_to_live)
{
    configure("tool_permissions: {putMemory: {allowed_namespaces: [session.*], operations: [write],"
              " max_ttl_seconds: 604799}}\n");
    STORY_OUT_HAS("  write 6d 23h 59m 59s  ");
    STORY_OUT_HAS("masked; ttl_seconds 604799 at most (6d 23h 59m 59s)\n");
}

TEST(it_shows_where_personal_data_is_masked)
{
    configure("pii: {mask: no}\n");
    STORY_OUT_HAS("personal data outside entries is not masked\n");
    STORY_OUT_HAS("  personal data masked\n"); /* for namespaces without their own limits */
    configure("namespaces: {\"*\": {pii: off}}\n");
    STORY_OUT_HAS("personal data outside entries is masked\n");
    STORY_OUT_HAS("  personal data not masked\n");
}

/* JSON has the same information. */
TEST(json_has_the_limits)
{
    char path[300];
    story_path(path, sizeof(path), "rules.yaml");
    story_write(path,
                "namespaces: {session.r: {pii: refuse, max_items: 5, max_bytes: 100,"
                " evict: oldest, consistency: strong, rate_limits: {listMemory: {}}}}\n"
                "rate_limits: {listMemory: {window_seconds: 1.5, window_calls: 2},"
                " putMemory: {per_second: 5, burst: 10}, getContext: {per_second: 1, burst: 3},"
                " memory_search: {window_seconds: 3, window_calls: 1}}\nshare: yes\n");
    STORY("--config", path, "--json", "permissions");
    assert_int_equal(story.p.status, 0);
    STORY_OUT_HAS("\"rate_limit\":{\"per_second\":1,\"burst\":3},\"search_rate_limit\":{"
                  "\"window_seconds\":3,\"window_calls\":1},\"share\":true,\"mask\":true}\n");
    STORY_OUT_HAS("\"policy\":{\"pii\":\"mask\",\"max_items\":0,\"max_bytes\":0,\"evict\":null,"
                  "\"consistency\":\"eventual\",\"policy_of\":\"*\"},"
                  "\"rate_limit\":{\"window_seconds\":1.5,\"window_calls\":2}}\n");
    STORY_OUT_HAS("\"policy\":{\"pii\":\"refuse\",\"max_items\":5,\"max_bytes\":100,"
                  "\"evict\":\"oldest\",\"consistency\":\"strong\",\"policy_of\":\"session.r\"},"
                  "\"rate_limit\":{}}\n");
    STORY_OUT_HAS("\"policy_of\":\"session.r\"},\"rate_limit\":{\"per_second\":5,\"burst\":10}}\n");
}
