/* Over HTTP: clients whose session a person ended. */
#include "tests/support/has.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/web.h"

#include <unistd.h>

#define REQUEST(method, params)                                                                    \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":{" params "}}"
#define INITIALIZE                                                                                 \
    REQUEST("initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":" \
                          "{\"name\":\"tester\",\"version\":\"9\"}")
#define META(client)                                                                               \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{},"                                           \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"" client "\",\"version\":\"1\"}}"
#define LISTS          "\"name\":\"memory_list\",\"arguments\":{}"
#define MODERN(method) "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " method "\r\n"
#define CALLS          MODERN("tools/call") "Mcp-Name: memory_list\r\n"
#define TRIES          6000

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

/* What is decided is heeded within a second. */
static void expect_soon(const struct web *w, const char *headers, const char *body,
                        const char *part)
{
    char *answer = ask(w, headers, body);
    for (int i = 0; i < TRIES && !strstr(answer, part); i++) {
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
    for (int i = 0; i < TRIES && !(p.out && strstr(p.out, "was ended")); i++) {
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
    char *answer = ask(w, "", INITIALIZE);
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
static void expect_end(int stream)
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
    expect_end(stream);
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
    expect_end(stream);
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
    expect(w, MODERN("subscriptions/listen"),
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

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, web_new_store, web_forget_store)
    const struct CMUnitTest tests[] = {
        CASE(a_stream_ends_with_what_its_client_ends),
        CASE(an_ended_label_is_unknown),
        CASE(who_has_nothing_to_begin_anew_is_told_how_long),
        CASE(a_connection_may_be_made_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
