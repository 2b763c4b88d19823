/* Over HTTP: what the store says of sessions, of whom they are and who ended them. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "store/mcp/http/http_state.h"
#include "tests/support/has.h"
#include "tests/support/held.h"
#include "tests/support/notes.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/web.h"

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

#define CASE(test) cmocka_unit_test_setup_teardown(test, web_new_store, web_forget_store)

/* ---- Streams over HTTP that fill all places, and those of whom the token let in that  ---- */

#define PLACES        256
#define CROWD         100 /* more than are told that there is no room */
#define TRIES_STREAMS 6000
#define PING          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define LISTEN                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"subscriptions/listen\",\"params\":{"           \
    "\"notifications\":{},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","  \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}"

#define MODERN "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"
#define INITIALIZE_STREAMS                                                                         \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"     \
    "\"2025-11-25\",\"capabilities\":{}}}"

static void listen_on(const struct web *w, int fd)
{
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    web_add_post(&out, w, MODERN, LISTEN);
    web_put(fd, out.buf, out.len);
    assert_true(web_hear_until(fd, &got, "notifications/subscriptions/acknowledged"));
    strbuf_release(&out);
    strbuf_release(&got);
}

static char *ask_streams(const struct web *w)
{
    int fd = web_dial(w);
    char *answer = web_post_on(w, fd, "", PING);
    close(fd);
    return answer;
}

static void expect_no_room(const struct web *w)
{
    char *answer = ask_streams(w);
    assert_has(answer, "HTTP/1.1 503 ");
    assert_has(answer, "\r\nRetry-After: 1\r\n");
    assert_has(answer, "\r\nConnection: close\r\n");
    free(answer);
}

/* Whoever else comes is told so, however many say nothing, and has a place again once one is free. */
static void who_finds_no_room_is_told(void **state)
{
    struct web *w = *state;
    int streams[PLACES], silent[CROWD];
    time_t began = time(NULL);
    for (int i = 0; i < PLACES; i++) {
        streams[i] = web_dial(w);
        listen_on(w, streams[i]);
    }
    assert_true(time(NULL) - began < 30); /* none waits for the next time that the server looks */
    for (int i = 0; i < 3; i++)
        expect_no_room(w);
    for (int i = 0; i < CROWD; i++)
        silent[i] = web_dial(w);
    expect_no_room(w);
    close(streams[0]);
    char *answer = ask_streams(w);
    for (int i = 0; i < TRIES_STREAMS && strstr(answer, " 503 "); i++) {
        usleep(10000);
        free(answer);
        answer = ask_streams(w);
    }
    assert_has(answer, " 200 ");
    free(answer);
    for (int i = 1; i < PLACES; i++)
        close(streams[i]);
    for (int i = 0; i < CROWD; i++)
        close(silent[i]);
}

/* ---- the token ---- */

static int get_stream(const struct web *w)
{
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    int fd = web_dial(w), stream = web_dial(w);
    char *answer = web_post_on(w, fd, "", INITIALIZE_STREAMS);
    const char *label = strstr(answer, "Mcp-Session-Id: ");
    assert_non_null(label);
    strbuf_addf(&out,
                "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" WEB_ACCEPT
                "%.48s\r\n\r\n",
                w->token, label);
    web_put(stream, out.buf, out.len);
    assert_true(web_hear_until(stream, &got, "text/event-stream"));
    free(answer);
    close(fd);
    strbuf_release(&out);
    strbuf_release(&got);
    return stream;
}

/* In good order, as a stream ends. */
static void expect_end(int fd, const char *last)
{
    struct strbuf got = STRBUF_INIT;
    assert_true(web_hear_until(fd, &got, "0\r\n\r\n"));
    assert_has(got.buf, last);
    close(fd);
    strbuf_release(&got);
}

/* Who needs none stays. */
static void a_stream_ends_with_its_token(void **state)
{
    struct web *w = *state;
    int local = web_dial_socket(w);
    listen_on(w, local);
    for (int i = 0; i < 2; i++) {
        size_t len;
        int stream = web_dial(w), get = get_stream(w);
        listen_on(w, stream);
        if (i == 0)
            assert_int_equal(unlink(w->token_file), 0);
        else
            scratch_write(w->token_file, "00", 2); /* it is none */
        expect_end(stream, "\"resultType\":\"complete\"");
        expect_end(get, "");
        if (i > 0)
            break;
        char *text = scratch_read(w->token_file, &len);
        snprintf(w->token, sizeof(w->token), "%.64s", text);
        free(text);
    }
    assert_int_equal(poll(&(struct pollfd){local, POLLIN, 0}, 1, 0), 0);
    close(local);
    unlink(
        w->token_file); /* or it is in the way of a later store that the system gives the same inode */
}

/* It is told so at once, and what it has of the server is free for its next request. */
static void who_takes_no_events_has_no_stream(void **state)
{
    struct web *w = *state;
    struct strbuf got = STRBUF_INIT, out = STRBUF_INIT;
    int fd = web_dial(w);
    strbuf_addf(&out,
                "POST /mcp HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\n" WEB_JSON
                "Accept: application/json\r\n" MODERN "Content-Length: %zu\r\n\r\n%s",
                w->port, w->token, strlen(LISTEN), LISTEN);
    web_put(fd, out.buf, out.len);
    char *answer = web_take_answer(fd, &got);
    assert_has(answer, "HTTP/1.1 406 ");
    assert_has(answer, "\"id\":\"s\"");
    assert_has(answer, "text/event-stream");
    free(answer);
    answer = web_post_on(w, fd, "", PING);
    assert_has(answer, " 200 ");
    free(answer);
    close(fd);
    strbuf_release(&out);
    strbuf_release(&got);
}

#define CASE_STREAMS(name) cmocka_unit_test_setup_teardown(name, web_new_store, web_forget_store)

/* ---- Over HTTP ---- */

#define REQUEST(method, params)                                                                    \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":{" params "}}"

#define INITIALIZE_ENDED                                                                           \
    REQUEST("initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":" \
                          "{\"name\":\"tester\",\"version\":\"9\"}")

#define META(client)                                                                               \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{},"                                           \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"" client "\",\"version\":\"1\"}}"

#define LISTS                "\"name\":\"memory_list\",\"arguments\":{}"
#define MODERN_ENDED(method) "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " method "\r\n"
#define CALLS                MODERN_ENDED("tools/call") "Mcp-Name: memory_list\r\n"
#define TRIES_ENDED          6000

/* What is decided is heeded within a second. */
static void expect_soon(const struct web *w, const char *headers, const char *body,
                        const char *part)
{
    char *answer = ask(w, headers, body);
    for (int i = 0; i < TRIES_ENDED && !strstr(answer, part); i++) {
        usleep(10000);
        free(answer);
        answer = ask(w, headers, body);
    }
    assert_has(answer, part);
    free(answer);
}

static void end_session(const struct web *w, const char *id)
{
    struct program p = {0};
    for (int i = 0; i < TRIES_ENDED && !(p.out && strstr(p.out, "was ended")); i++) {
        usleep(i ? 10000 : 0); /* its row is written a moment after */
        PROGRAM(&p, "sessions", "--end", id, "--store", w->store);
    }
    assert_has(p.out, "was ended");
    program_release(&p);
}

static void add(struct strbuf *out, const struct web *w, const char *method, const char *label)
{
    strbuf_addf(out,
                "%s /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" WEB_ACCEPT
                "%s\r\n",
                method, w->token, label);
}

/* A session begins: the header with its label, and its line's end. */
static void begin(const struct web *w, char label[80])
{
    char *answer = ask(w, "", INITIALIZE_ENDED);
    const char *at = strstr(answer, "Mcp-Session-Id: ");
    assert_non_null(at);
    snprintf(label, 80, "%.48s\r\n", at);
    free(answer);
}

static int open_stream(const struct web *w, const char *label)
{
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    int stream = web_dial(w);
    add(&out, w, "GET", label);
    web_put(stream, out.buf, out.len);
    assert_true(web_hear_until(stream, &got, "text/event-stream"));
    strbuf_release(&out);
    strbuf_release(&got);
    return stream;
}

/* With its last chunk: what is cut off before that is an error to whoever reads. */
static void expect_end_ended(int stream)
{
    struct strbuf got = STRBUF_INIT;
    assert_true(web_hear_until(stream, &got, "0\r\n\r\n"));
    close(stream);
    strbuf_release(&got);
}

static void a_stream_ends_with_what_its_client_ends(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    char label[80];
    begin(w, label);
    int stream = open_stream(w, label), fd = web_dial(w);
    add(&out, w, "DELETE", label);
    web_put(fd, out.buf, out.len);
    assert_true(web_hear_until(fd, &got, " 200 "));
    close(fd);
    expect_end_ended(stream);
    strbuf_release(&out);
    strbuf_release(&got);
}

/* Its stream ends, and its label is known no more, so that it shakes hands anew. */
static void an_ended_label_is_unknown(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    char label[80], *answer;
    begin(w, label);
    expect(w, label, REQUEST("tools/call", LISTS), " 200 ");
    int stream = open_stream(w, label);
    end_session(w, "1");
    expect_end_ended(stream);
    expect(w, label, REQUEST("tools/call", LISTS), " 404 ");
    add(&out, w, "GET", label);
    stream = web_dial(w);
    web_put(stream, out.buf, out.len);
    answer = web_take_answer(stream, &got);
    assert_has(answer, " 404 ");
    free(answer);
    close(stream);
    begin(w, label);
    expect(w, label, REQUEST("tools/call", LISTS), "\"memories\":[]");
    strbuf_release(&out);
    strbuf_release(&got);
}

/* It is known by what it says of itself: connecting anew changes nothing, and it is told what does. */
static void who_has_nothing_to_begin_anew_is_told_how_long(void **state)
{
    struct web *w = *state;
    static const char first[] = REQUEST("tools/call", LISTS "," META("first"));
    expect(w, CALLS, first, "\"resultType\"");
    end_session(w, "1");
    expect_soon(w, CALLS, first, "Ten minutes after the end another session begins.");
    expect(w, MODERN_ENDED("subscriptions/listen"),
           REQUEST("subscriptions/listen", "\"notifications\":{}," META("first")),
           "a person ended this session");
    expect(w, CALLS, REQUEST("tools/call", LISTS "," META("second")), "\"resultType\"");
    expect(w, CALLS, first, "a person ended this session");
}

/* A write is refused by the store itself before anybody else heard of the end, in the same words. */
static void a_connection_may_be_made_anew(void **state)
{
    struct web *w = *state;
    static const char writes[] =
        REQUEST("tools/call", "\"name\":\"memory_raw\",\"arguments\":{\"blob\":\"x\"}");
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    int fd = web_dial(w);
    free(web_post_on(w, fd, "", writes));
    end_session(w, "1");
    web_add_post(&out, w, "", writes);
    web_put(fd, out.buf, out.len);
    assert_true(web_hear_until(fd, &got, "Connect anew if you are meant to go on."));
    assert_has(got.buf, "a person ended this session");
    close(fd);
    expect(w, "", writes, "raw:");
    strbuf_release(&out);
    strbuf_release(&got);
}

/* ---- Who closes its sending half after what it asked, as `nc -N` does, reads on ---- */

#define PING_HALF_CLOSE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define TIMES           20
#define META_HALF_CLOSE                                                                            \
    ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                      \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

#define NOTE(content, meta)                                                                        \
    "{\"jsonrpc\":\"2.0\",\"id\":\"" content "\",\"method\":\"tools/call\",\"params\":{\"name\":"  \
    "\"memory_note\",\"arguments\":{\"content\":\"" content "\"}" meta "}}"

#define MODERN_HALF_CLOSE                                                                          \
    "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: memory_note\r\n"

static int dial(const struct web *w, bool local)
{
    return local ? web_dial_socket(w) : web_dial(w);
}

static void at_once_over(const struct web *w, bool local)
{
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    for (int i = 0; i < TIMES; i++) {
        int fd = dial(w, local);
        strbuf_clear(&out);
        for (int k = 0; k <= i; k++)
            web_add_post(&out, w, "", PING_HALF_CLOSE);
        web_put(fd, out.buf, out.len);
        shutdown(fd, SHUT_WR);
        for (int k = 0; k <= i; k++) {
            char *answer = web_take_answer(fd, &got);
            assert_has(answer, "\"result\":{}");
            free(answer);
        }
        time_t answered = time(NULL);
        while (i == 0 && web_read_more(fd, &got)) /* and nobody waits for more */
            ;
        assert_true(time(NULL) - answered < 20);
        close(fd);
    }
    strbuf_release(&out);
    strbuf_release(&got);
}

static void all_that_was_asked_is_answered(void **state)
{
    at_once_over(*state, false);
    at_once_over(*state, true);
}

/* ---- what waits ---- */

static int ask_and_shut(const struct web *w, bool local, const char *headers, const char *body)
{
    struct strbuf out = STRBUF_INIT;
    int fd = dial(w, local);
    web_add_post(&out, w, headers, body);
    web_put(fd, out.buf, out.len);
    shutdown(fd, SHUT_WR);
    strbuf_release(&out);
    return fd;
}

/* All that came before was seen by then, the ends of what was sent as well. */
static void wait_until_seen(const struct web *w)
{
    for (int i = 0; i < 3; i++) {
        int fd = web_dial(w);
        free(web_post_on(w, fd, "", PING_HALF_CLOSE));
        close(fd);
    }
}

static void what_takes_longer_is_answered(void **state)
{
    struct web *w = *state;
    free(web_post_on(w, web_dial(w), "", NOTE("first", "")));
    sqlite3 *db = held_take(w->store);
    int fds[] = {
        ask_and_shut(w, false, "", NOTE("tcp", "")),
        ask_and_shut(w, true, "", NOTE("unix", "")),
        ask_and_shut(w, false, MODERN_HALF_CLOSE, NOTE("modern tcp", META_HALF_CLOSE)),
        ask_and_shut(w, true, MODERN_HALF_CLOSE, NOTE("modern unix", META_HALF_CLOSE)),
    };
    static const char *const ids[] = {"tcp", "unix", "modern tcp", "modern unix"};
    wait_until_seen(w);
    held_give_back(db);
    for (int i = 0; i < 4; i++) {
        struct strbuf got = STRBUF_INIT;
        char wanted[40];
        snprintf(wanted, sizeof(wanted), "\"id\":\"%s\",\"result\":", ids[i]);
        if (!web_hear_until(fds[i], &got, wanted))
            fail_msg("%s: no answer: %.300s", ids[i], got.len ? got.buf : "(nothing)");
        assert_has(got.buf, "HTTP/1.1 200 ");
        assert_int_equal(notes_saying(w->store, ids[i]), 1);
        close(fds[i]);
        strbuf_release(&got);
    }
}

/* What is stateless ends with its connection. Where nothing can be sent before the answer, nobody sees that there is
 * somebody left. */
static void who_takes_json_alone_is_not_there(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    static const char body[] = NOTE("json", META_HALF_CLOSE);
    free(web_post_on(w, web_dial(w), "", NOTE("first", "")));
    sqlite3 *db = held_take(w->store);
    int fd = web_dial(w);
    strbuf_addf(&out,
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" WEB_JSON
                "Accept: application/json\r\n" MODERN_HALF_CLOSE "Content-Length: %zu\r\n\r\n%s",
                w->token, strlen(body), body);
    web_put(fd, out.buf, out.len);
    shutdown(fd, SHUT_WR);
    while (web_read_more(fd, &got))
        ;
    assert_int_equal(got.len, 0);
    held_give_back(db);
    free(web_post_on(w, web_dial(w), "", NOTE("last", "")));
    assert_int_equal(notes_saying(w->store, "last"), 1);
    assert_int_equal(notes_saying(w->store, "json"), 0);
    close(fd);
    strbuf_release(&out);
    strbuf_release(&got);
}

#define CASE_HALF_CLOSE(name) cmocka_unit_test_setup_teardown(name, web_new_store, web_forget_store)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(who_ended_it_is_said),
        CASE(whose_it_is_is_said),
        CASE(a_first_request_of_no_method_counts),
        CASE(headers_that_are_wrong_count),
        CASE(what_nobody_says_of_himself_is_nobodys),
        CASE(what_was_decided_holds),
        CASE_STREAMS(who_finds_no_room_is_told),
        CASE_STREAMS(a_stream_ends_with_its_token),
        CASE_STREAMS(who_takes_no_events_has_no_stream),
        CASE(a_stream_ends_with_what_its_client_ends),
        CASE(an_ended_label_is_unknown),
        CASE(who_has_nothing_to_begin_anew_is_told_how_long),
        CASE(a_connection_may_be_made_anew),
        CASE_HALF_CLOSE(all_that_was_asked_is_answered),
        CASE_HALF_CLOSE(what_takes_longer_is_answered),
        CASE_HALF_CLOSE(who_takes_json_alone_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
