/* Over HTTP: what the store says of sessions, of whom they are and who ended them. */
#include "tests/support/has.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/web.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "store/mcp/http/http_state.h"

#define INITIALIZE                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"     \
    "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"old\",\"version\":\"1\"}}}"
/* What a client of 2026-07-28 writes; `own` is more of its _meta, each with a comma before it. */
#define WRITES(client, own)                                                                        \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"memory_raw\"," \
    "\"arguments\":{\"blob\":\"x\"},\"_meta\":{"                                                   \
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                  \
    "\"io.modelcontextprotocol/clientCapabilities\":{},"                                           \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"" client "\",\"version\":\"1\"}" own "}}}"
#define NAMELESS                                                                                   \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"memory_raw\"," \
    "\"arguments\":{\"blob\":\"x\"},\"_meta\":{"                                                   \
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                  \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}"
/* What it asks for that there is not. */
#define ASKS_NOTHING                                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\",\"params\":{\"_meta\":{"                 \
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                  \
    "\"io.modelcontextprotocol/clientCapabilities\":{},"                                           \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"asks\",\"version\":\"1\"}" AGENT(          \
        "ash") "}}}"
#define AGENT(name) ",\"dev.stemma/agent_id\":\"" name "\""
#define TASK(name)  ",\"dev.stemma/task_id\":\"" name "\""
#define HEADERS                                                                                    \
    "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: memory_raw\r\n"

/* What one of many asks, by its number. */
#define DISCOVERS                                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{"         \
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                  \
    "\"io.modelcontextprotocol/clientCapabilities\":{},"                                           \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"other%d\",\"version\":\"1\"}}}}"
#define DISCOVER_HEADERS "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n"
#define TRIES            6000

/* What is answered over a connection of its own; free() it. */
static char *ask(const struct web *w, const char *headers, const char *body)
{
    int fd = web_dial(w);
    char *answer = web_post_on(w, fd, headers, body);
    close(fd);
    return answer;
}

static void expect(const struct web *w, const char *headers, const char *body, const char *part)
{
    char *answer = ask(w, headers, body);
    assert_has(answer, part);
    free(answer);
}

/* A line of JSON for each session, the newest first. */
static void list_all(const struct web *w, struct program *p)
{
    PROGRAM(p, "sessions", "--all", "--json", "--store", w->store);
    assert_int_equal(p->status, 0);
}

/* Does one line say all of these? Ends with NULL. */
static bool one_says(const char *lines, const char *const *parts)
{
    char line[8192];
    for (; *lines; lines += strcspn(lines, "\n") + 1) {
        const char *const *part = parts;
        snprintf(line, sizeof(line), "%.*s", (int)strcspn(lines, "\n"), lines);
        while (*part && strstr(line, *part))
            part++;
        if (!*part)
            return true;
    }
    return false;
}

static void expect_one(const struct web *w, const char *const *parts)
{
    struct program p = {0};
    list_all(w, &p);
    if (!one_says(p.out, parts))
        fail_msg("none of these has %s: %s", *parts, p.out);
    program_release(&p);
}
#define EXPECT_ONE(w, ...) expect_one(w, (const char *const[]){__VA_ARGS__, NULL})

static void add_delete(struct strbuf *out, const struct web *w, const char *label)
{
    strbuf_addf(out,
                "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" WEB_ACCEPT
                "%s\r\n",
                w->token, label);
}

static void label_of(const char *answer, char *out, size_t size)
{
    const char *at = strstr(answer, "Mcp-Session-Id: ");
    assert_non_null(at);
    snprintf(out, size, "%.48s\r\n", at);
}

static void who_ended_it_is_said(void **state)
{
    struct web *w = *state;
    char label[80];
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    expect(w, HEADERS, WRITES("stays", ""), "raw:");
    char *answer = ask(w, "", INITIALIZE);
    label_of(answer, label, sizeof(label));
    free(answer);
    int fd = web_dial(w);
    add_delete(&out, w, label);
    web_put(fd, out.buf, out.len);
    free(web_take_answer(fd, &got));
    close(fd);
    web_stop(w);
    web_start(w, w->store);
    EXPECT_ONE(w, "\"client\":\"stays\"", "\"ended_by\":\"server\"");
    EXPECT_ONE(w, "\"client\":\"old\"", "\"ended_by\":\"client\"");
    strbuf_release(&out);
    strbuf_release(&got);
}

/* Else nobody could say which of them is to be ended. Of its task the last stands. */
static void whose_it_is_is_said(void **state)
{
    struct web *w = *state;
    expect(w, HEADERS, WRITES("host", AGENT("ash")), "raw:");
    expect(w, HEADERS, WRITES("host", AGENT("bob") TASK("T8")), "raw:");
    expect(w, HEADERS, WRITES("host", AGENT("bob") TASK("T9")), "raw:");
    expect(w, HEADERS, WRITES("host", AGENT("bob")), "raw:");
    expect(w, HEADERS, WRITES("host", ""), "raw:");
    web_stop(w);
    web_start(w, w->store);
    EXPECT_ONE(w, "\"id\":1,", "\"agent\":\"ash\",\"task\":null", "\"calls\":1,");
    EXPECT_ONE(w, "\"id\":2,", "\"agent\":\"bob\",\"task\":\"T9\"", "\"calls\":3,");
    EXPECT_ONE(w, "\"id\":3,", "\"actor\":\"host\",\"agent\":null", "\"calls\":1,");
}

/* As wherever else a request says who sends it, whatever else it says. */
static void a_first_request_of_no_method_counts(void **state)
{
    struct web *w = *state;
    expect(w, "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: no/such\r\n", ASKS_NOTHING, " 404 ");
    expect(w, HEADERS, WRITES("asks", AGENT("ash")), "raw:");
    web_stop(w);
    web_start(w, w->store);
    EXPECT_ONE(w, "\"id\":1,", "\"agent\":\"ash\"", "\"client\":\"asks\"", "\"calls\":2,",
               "\"errors\":1,");
}

/* The headers are a part of how it asks. */
static void headers_that_are_wrong_count(void **state)
{
#define SAYS_LESS "MCP-Protocol-Version: 2026-07-28\r\nMcp-Name: memory_raw\r\n"
    struct web *w = *state;
    expect(w, SAYS_LESS, WRITES("short", ""), "-32020");
    expect(w, "Mcp-Method: tools/call\r\n", WRITES("short", ""), "-32020");
    expect(w, HEADERS, WRITES("short", ""), "raw:");
    web_stop(w);
    web_start(w, w->store);
    EXPECT_ONE(w, "\"id\":1,", "\"client\":\"short\"", "\"calls\":3,", "\"errors\":2,");
}

/* Another client's, which did not say a name, is not theirs. */
static void what_nobody_says_of_himself_is_nobodys(void **state)
{
    static const char *const bodies[] = {"not JSON", "{\"jsonrpc\":\"2.0\",\"id\":77}", "[]"};
    struct web *w = *state;
    expect(w, HEADERS, NAMELESS, "raw:");
    for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++)
        expect(w, "MCP-Protocol-Version: 2026-07-28\r\n", bodies[i], " 400 ");
    expect(w, HEADERS, NAMELESS, "raw:");
    web_stop(w);
    web_start(w, w->store);
    EXPECT_ONE(w, "\"id\":1,", "\"client\":null", "\"era\":\"2026-07-28\"", "\"calls\":2,",
               "\"errors\":0,");
}

/* As soon as its row is there, which is written a moment after. */
static void decide(const struct web *w, const char *option, const char *id, const char *said)
{
    struct program p = {0};
    for (int i = 0; i < TRIES && !(p.out && strstr(p.out, said)); i++) {
        usleep(i ? 10000 : 0);
        PROGRAM(&p, "sessions", option, id, "--store", w->store);
    }
    assert_has(p.out, said);
    program_release(&p);
}

static void expect_held(const struct web *w)
{
    expect(w, HEADERS, WRITES("reads", AGENT("bob")), "a person made this session read-only");
    expect(w, HEADERS, WRITES("over", ""), "a person ended this session");
    expect(w, HEADERS, WRITES("reads", AGENT("ash")), "raw:");
}

/* The server forgets who asked nothing for longest, where there is no room for more. */
static void come_in_crowds(const struct web *w)
{
    char body[1024];
    int fd = web_dial(w);
    for (int i = 0; i <= HTTP_CLIENTS_MAX; i++) {
        snprintf(body, sizeof(body), DISCOVERS, i);
        char *answer = web_post_on(w, fd, DISCOVER_HEADERS, body);
        assert_has(answer, " 200 ");
        free(answer);
    }
    close(fd);
}

/* Neither that it was forgotten meanwhile nor another process makes it void, and it is the same session. */
static void what_was_decided_holds(void **state)
{
    struct web *w = *state;
    expect(w, HEADERS, WRITES("reads", AGENT("bob")), "raw:");
    expect(w, HEADERS, WRITES("over", ""), "raw:");
    decide(w, "--make-read-only", "1", "may only read now");
    decide(w, "--end", "2", "was ended");
    for (int i = 0; i < 2; i++) {
        expect_held(w);
        come_in_crowds(w);
        expect_held(w);
        come_in_crowds(w);
        web_stop(w);
        web_start(w, w->store);
    }
    struct program p = {0};
    PROGRAM(&p, "sessions", "--all", "--store", w->store);
    assert_has(p.out, "away, read-only");
    decide(w, "--make-read-write", "1", "may write now");
    expect(w, HEADERS, WRITES("reads", AGENT("bob")), "raw:");
    PROGRAM(&p, "fsck", "--store", w->store);
    assert_int_equal(p.status, 0);
    program_release(&p);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, web_new_store, web_forget_store)
    const struct CMUnitTest tests[] = {
        CASE(who_ended_it_is_said),
        CASE(whose_it_is_is_said),
        CASE(a_first_request_of_no_method_counts),
        CASE(headers_that_are_wrong_count),
        CASE(what_nobody_says_of_himself_is_nobodys),
        CASE(what_was_decided_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
