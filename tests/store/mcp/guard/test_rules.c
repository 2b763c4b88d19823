/* The rules of a configuration through the doors of stemma mcp and stemma serve, as the file changes under them. */
#include <stdio.h>
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"

#define MASKED   "[redacted-email]"
#define UNMASKED "jane.doe@example.com"

static char *store, *config;

static int setup(void **state)
{
    (void)state;
    store = scratch_path("memory.db");
    config = scratch_path("config.yaml");
    struct store *s = scratch_store(store);
    scratch_put(s, "{\"ref\":\"note:11111111-1111-4111-8111-111111111111\",\"agent_id\":\"ash\","
                   "\"text\":\"write to " UNMASKED " of B-123456\"}");
    store_close(s);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(store);
    free(config);
    return 0;
}

static void configure(const char *text)
{
    scratch_write(config, text, strlen(text));
}

/* What a session reads of the note. */
static void assert_reads(struct client *c, const char *what, const char *what_not)
{
    const char *answer = client_ask(
        c,
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":"
        "\"memory_get\",\"arguments\":{\"ref\":\"note:11111111-1111-4111-8111-111111111111\"}}}");
    assert_non_null(answer);
    if (!strstr(answer, what) || strstr(answer, what_not))
        fail_msg("%s", answer);
}

/* The same dialogue with whoever serves. */
static void follows_the_file(struct client *c)
{
    client_initialize(c, "2025-11-25");
    assert_reads(c, MASKED, UNMASKED);
    configure("pii: {mask: no}\n");
    assert_reads(c, UNMASKED, MASKED);
    configure("pii: {mask: maybe}\n");
    assert_reads(c, UNMASKED, MASKED);
    remove(config);
    assert_reads(c, UNMASKED, MASKED);
    configure("pii: {patterns: {badge: 'B-[0-9]{6}'}}\n");
    assert_reads(c, "[redacted-badge]", "B-123456");
    assert_reads(c, MASKED, UNMASKED);
    configure("pii: {patterns: {badge: 'B-[0-9]{6'}}\nshare: [\n");
    assert_reads(c, "[redacted-badge]", "B-123456");
}

static void mcp_goes_by_what_the_file_says_now(void **state)
{
    struct client c;
    (void)state;
    configure("pii: {mask: yes}\n");
    CLIENT_START(&c, "mcp", "--store", store, "--config", config);
    follows_the_file(&c);
    client_end(&c);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
}

/* And by a file that was not there when it began. */
static void serve_goes_by_what_the_file_says_now(void **state)
{
    struct served s;
    struct client c;
    char *base = scratch_path("stemma"), *under = strrchr(base, '/');
    (void)state;
    free(config);
    config = xformat("%s/config.yaml", base);
    assert_int_equal(mkdir(base, 0700), 0);
    *under = '\0';
    setenv("XDG_CONFIG_HOME", base, 1);
    served_start(&s, store);
    unsetenv("XDG_CONFIG_HOME");
    client_connect(&c, s.path);
    follows_the_file(&c);
    client_close(&c);
    assert_int_equal(served_stop(&s), 0);
    free(base);
}

static void who_shares_is_seen_by_bound_agents(void **state)
{
    struct client c;
    (void)state;
    configure("share: no\npii: {mask: no}\n");
    CLIENT_START(&c, "mcp", "--store", store, "--config", config, "--agent", "claire");
    client_initialize(&c, "2025-11-25");
    assert_reads(&c, "withheld", "write to");
    configure("share: yes\npii: {mask: no}\n");
    assert_reads(&c, "write to " UNMASKED, "withheld");
    configure("share: no\n");
    assert_reads(&c, "withheld", "write to");
    client_close(&c);
}

/* Nothing is served by a configuration that is wrong to begin with. */
static void what_is_wrong_at_the_start_stops_it(void **state)
{
    static const char *const commands[] = {"mcp", "serve"};
    (void)state;
    configure("share: no\ntool_permissions:\n  putMemory: {operation: [write]}\n");
    for (size_t i = 0; i < 2; i++) {
        struct client c;
        CLIENT_START(&c, commands[i], "--store", store, "--config", config);
        assert_int_equal(client_wait(&c), 3);
        client_close(&c);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(mcp_goes_by_what_the_file_says_now),
        TEST(serve_goes_by_what_the_file_says_now),
        TEST(who_shares_is_seen_by_bound_agents),
        TEST(what_is_wrong_at_the_start_stops_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
