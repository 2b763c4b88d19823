/* The rules of a configuration in stemma mcp and stemma serve when the file changes. */
#include <sqlite3.h>
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "store/open.h"
#include "store/session/session.h"
#include "tests/support/client.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/has.h"
#include "tests/support/loop_service.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define MASKED   "[redacted-email]"
#define UNMASKED "jane.doe@example.com"

static char *memory_path, *config_path;

static int setup(void **state)
{
    memory_path = scratch_path("memory.db");
    config_path = scratch_path("config.yaml");
    struct store *s = scratch_store(memory_path);
    scratch_put(s,
                "{\"ref\":\"note:11111111-1111-4111-8111-111111111111\",\"agent_id\":\"unnamed\","
                "\"text\":\"write to " UNMASKED " of B-123456\"}");
    store_close(s);
    return 0;
}

static int teardown(void **state)
{
    free(memory_path);
    free(config_path);
    return 0;
}

static void configure(const char *text)
{
    scratch_write(config_path, text, strlen(text));
}

/* Checks what a session reads of the note. */
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

/* The same dialogue for both servers. */
static void follows_the_file(struct client *c)
{
    client_initialize(c, "2025-11-25");
    assert_reads(c, MASKED, UNMASKED);
    configure("pii: {mask: no}\n");
    assert_reads(c, UNMASKED, MASKED);
    configure("pii: {mask: maybe}\n");
    assert_reads(c, UNMASKED, MASKED);
    remove(config_path);
    assert_reads(c, UNMASKED, MASKED);
    configure("pii: {patterns: {badge: 'B-[0-9]{6}'}}\n");
    assert_reads(c, "[redacted-badge]", "B-123456");
    assert_reads(c, MASKED, UNMASKED);
    configure("pii: {patterns: {badge: 'B-[0-9]{6'}}\nshare: [\n");
    assert_reads(c, "[redacted-badge]", "B-123456");
}

FIXTURE(setup, teardown);

TEST(mcp_follows_the_configuration_file)
{
    struct client c;
    configure("pii: {mask: yes}\n");
    CLIENT_START(&c, "mcp", "--store", memory_path, "--config", config_path);
    follows_the_file(&c);
    client_end(&c);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
}

/* The configuration may be created after the server started. */
TEST(serve_follows_the_configuration_file)
{
    struct served s;
    struct client c;
    char *base = scratch_path("stemma"), *under = strrchr(base, '/');
    free(config_path);
    config_path = xformat("%s/config.yaml", base);
    assert_int_equal(mkdir(base, 0700), 0);
    *under = '\0';
    setenv("XDG_CONFIG_HOME", base, 1);
    served_start(&s, memory_path);
    unsetenv("XDG_CONFIG_HOME");
    client_connect(&c, s.path);
    follows_the_file(&c);
    client_close(&c);
    assert_int_equal(served_stop(&s), 0);
    free(base);
}

TEST(sharing_applies_to_agents)
{
    struct client c;
    configure("share: no\npii: {mask: no}\n");
    CLIENT_START(&c, "mcp", "--store", memory_path, "--config", config_path, "--agent", "claire");
    client_initialize(&c, "2025-11-25");
    assert_reads(&c, "withheld", "write to");
    configure("share: yes\npii: {mask: no}\n");
    assert_reads(&c, "write to " UNMASKED, "withheld");
    configure("share: no\n");
    assert_reads(&c, "withheld", "write to");
    client_close(&c);
}

/* A server does not start with an invalid configuration. */
TEST(an_invalid_configuration_stops_the_start)
{
    static const char *const commands[] = {"mcp", "serve"};
    configure("share: no\ntool_permissions:\n  putMemory: {operation: [write]}\n");
    for (size_t i = 0; i < 2; i++) {
        struct client c;
        CLIENT_START(&c, commands[i], "--store", memory_path, "--config", config_path);
        assert_int_equal(client_wait(&c), 3);
        client_close(&c);
    }
}

/* ---- refused calls are in the call log with the memory that they were about ---- */

#define BELIEF "belief:11111111-1111-4111-8111-111111111111"
#define RAW    "raw:22222222-2222-4222-8222-222222222222"
#define CHAIN  "chain:33333333-3333-4333-8333-333333333333"
#define HIDDEN "note:44444444-4444-4444-8444-444444444444"

static int set_up(void **state)
{
    scratch_set_up_path(state);
    struct store *s = scratch_store(*state);
    scratch_put(s, "{\"ref\":\"" BELIEF "\",\"agent_id\":\"ash\",\"text\":\"it matters\"}");
    scratch_put(s, "{\"ref\":\"" RAW "\",\"agent_id\":\"ash\",\"text\":\"as it came\"}");
    scratch_put(s, "{\"ref\":\"" CHAIN "\",\"agent_id\":\"ash\",\"text\":\"Why?\"}");
    scratch_put(s, "{\"ref\":\"" HIDDEN "\",\"agent_id\":\"lat\",\"text\":\"not ash's\"}");
    store_close(s);
    return 0;
}

static const char *call(struct client *c, const char *tool, const char *arguments)
{
    static int id = 100;
    client_sendf(c,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"%s\",\"arguments\":{%s}}}",
                 ++id, tool, arguments);
    const char *answer;
    do /* skip log messages */
        assert_non_null(answer = client_read(c));
    while (!strstr(answer, "\"id\":"));
    return answer;
}

static void refused(struct client *c, const char *tool, const char *arguments, const char *why)
{
    assert_has(call(c, tool, arguments), why);
}

/* The call log of one memory. */
static void assert_logged(const char *store, const char *ref, const char *const *tools)
{
    struct program p = {0};
    char expected[200];
    PROGRAM(&p, "log", "--calls", "--json", "--ref", ref, "--store", store);
    for (; *tools; tools++) {
        snprintf(expected, sizeof(expected), "\"operation\":\"%s\"", *tools);
        if (!strstr(p.out, expected))
            fail_msg("%s of %s is not in: %s", *tools, ref, p.out);
    }
    program_release(&p);
}

FIXTURE(set_up, scratch_tear_down_path);

TEST(a_refused_call_names_its_memory)
{
    static const char *const tools[] = {"memory_retract", "memory_forget", "memory_protect",
                                        "memory_restore", NULL};
    struct client c;
    CLIENT_START(&c, "mcp", "--store", *state, "--agent", "ash");
    client_initialize(&c, "2025-11-25");
    for (size_t i = 0; tools[i]; i++)
        refused(&c, tools[i], "\"ref\":\"" BELIEF "\"", "is not for agents here");
    client_end(&c);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    assert_logged(*state, BELIEF, tools);
}

TEST(a_refused_write_of_a_read_only_session_names_its_memory)
{
    static const char *const on_belief[] = {"memory_update", "memory_supersede", "memory_mark",
                                            NULL};
    static const char *const on_raw[] = {"memory_process_raw", NULL};
    static const char *const on_chain[] = {"cot_finish", NULL};
    struct client c;
    struct program p = {0};
    CLIENT_START(&c, "mcp", "--store", *state, "--agent", "ash");
    client_initialize(&c, "2025-11-25");
    call(&c, "memory_note", "\"content\":\"by which the session is in the store\"");
    PROGRAM(&p, "sessions", "--make-read-only", "1", "--store", *state);
    assert_int_equal(p.status, 0);
    /* Either thread may refuse first. */
    refused(&c, "memory_mark", "\"ref\":\"" BELIEF "\",\"mark\":\"for_review\"", "read-only");
    refused(&c, "memory_update", "\"ref\":\"belief:11111111\",\"text\":\"x\"", "read-only");
    refused(&c, "memory_supersede", "\"ref\":\"" BELIEF "\",\"statement\":\"y\"", "read-only");
    refused(&c, "memory_process_raw", "\"ref\":\"" RAW "\",\"as\":\"note\"", "read-only");
    refused(&c, "cot_finish", "\"chain\":\"" CHAIN "\",\"final_answer\":\"so\"", "read-only");
    client_end(&c);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    program_release(&p);
    assert_logged(*state, BELIEF, on_belief);
    assert_logged(*state, RAW, on_raw);
    assert_logged(*state, CHAIN, on_chain);
}

TEST(malformed_arguments_still_name_their_memory)
{
    static const char *const on_belief[] = {"memory_update", "memory_whatif", NULL};
    struct client c;
    CLIENT_START(&c, "mcp", "--store", *state, "--agent", "ash");
    client_initialize(&c, "2025-11-25");
    refused(&c, "memory_update", "\"ref\":\"" BELIEF "\",\"txt\":\"x\"", "no argument 'txt'");
    refused(&c, "memory_whatif", "\"refs\":[\"" BELIEF "\",7]", "refs[1]");
    refused(&c, "memory_mark", "\"ref\":{\"a\":[]},\"mark\":\"reviewed\"", "ref is an object");
    refused(&c, "memory_whatif", "\"refs\":[]", "refs has too few");
    client_end(&c);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    assert_logged(*state, BELIEF, on_belief);
}

/* A ref that the caller may not find is not recorded in the log. */
TEST(unknown_refs_are_not_logged)
{
    static const char config[] = "share: no\n";
    struct client c;
    struct program p = {0};
    AUTO_FREE char *path = scratch_path("config.yaml");
    scratch_write(path, config, strlen(config));
    CLIENT_START(&c, "mcp", "--store", *state, "--agent", "ash", "--config", path);
    client_initialize(&c, "2025-11-25");
    refused(&c, "memory_forget", "\"ref\":\"note:4444\"", "is not for agents here");
    refused(&c, "memory_forget", "\"ref\":\"note:nothing\"", "is not for agents here");
    refused(&c, "memory_forget", "", "is not for agents here");
    client_end(&c);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    PROGRAM(&p, "log", "--calls", "--json", "--ref", HIDDEN, "--store", *state);
    assert_null(strstr(p.out, "memory_forget"));
    PROGRAM(&p, "log", "--calls", "--json", "--store", *state);
    assert_has(p.out, "memory_forget");
    program_release(&p);
}

/* ---- calls that were rolled back ---- */

static void add_snippets(struct strbuf *out, size_t count, size_t len)
{
    strbuf_addstr(out, "\"conversation_id\":\"c\",\"message_id\":\"m\",\"sources\":[");
    for (size_t i = 0; i < count; i++) {
        strbuf_addf(out,
                    "%s{\"documentId\":\"d%zu\",\"documentName\":\"N\",\"relevanceScore\":0.5,"
                    "\"snippet\":\"",
                    i ? "," : "", i);
        for (size_t at = 0; at < len; at++)
            strbuf_addch(out, 's');
        strbuf_addstr(out, "\"}");
    }
    strbuf_addch(out, ']');
}

/* The memory that one call in the log was about; NULL if none. */
static const char *subject_of(struct arena *arena, const char *store, const char *tool)
{
    struct error e;
    struct call_row *rows;
    const char *id = NULL;
    size_t count, found = 0;
    struct store *s = store_open(store, &(struct store_options){.read_only = true}, NULL, &e);
    struct reader *r = reader_open(s, &e);
    assert_int_equal(call_list(r, arena, 0, SIZE_MAX, &rows, &count, &e), 0);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].tool, tool) == 0) {
            id = rows[i].ref.id;
            found++;
        }
    assert_int_equal(found, 1);
    reader_close(r);
    store_close(s);
    return id;
}

/* Rows of a transaction that was rolled back are reused; the log must not attribute the call to the
 * new memories. */
TEST(rolled_back_rows_are_not_logged)
{
    struct client c;
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF sources = STRBUF_INIT;
    add_snippets(&sources, 5, 250000);
    CLIENT_START(&c, "mcp", "--store", *state, "--agent", "ash");
    client_initialize(&c, "2025-11-25");
    refused(&c, "cite_sources", sources.buf, "the answer takes");
    refused(&c, "memory_update", "\"ref\":\"" BELIEF "\",\"text\":\"x\",\"expected_version\":7",
            "CONFLICT");
    for (int i = 0; i < 12; i++) /* at least as many as the failed call would have added */
        assert_has(call(&c, "memory_raw", "\"blob\":\"the next one\""), "\"ref\":\"raw:");
    client_end(&c);
    assert_int_equal(client_wait(&c), 0);
    client_close(&c);
    assert_null(subject_of(&arena, *state, "cite_sources"));
    assert_string_equal(subject_of(&arena, *state, "memory_update"), strchr(BELIEF, ':') + 1);
}

TEST(a_call_that_the_disk_failed_names_no_memory)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct client c;
    struct running server;
    struct store *s = scratch_store(*state);
    running_start(&server, s, true);
    client_connect(&c, running_path(&server));
    client_initialize(&c, "2025-11-25");
    faulty_disk_break(0, SQLITE_FULL, 1);
    assert_has(client_ask(&c, CALL("1", "note", "{\"text\":\"a\"}")), "\"isError\":true");
    assert_true(faulty_disk_repair() > 0);
    assert_has(client_ask(&c, CALL("2", "note", "{\"text\":\"b\"}")), "\"ref\":\"note:");
    client_close(&c);
    running_stop(&server);
    store_close(s);
    assert_null(subject_of(&arena, *state, "note"));
}

int main(void)
{
    faulty_disk_install();
    return tests_run();
}
