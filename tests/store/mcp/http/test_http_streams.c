/* Streams over HTTP that fill all places, and those of whom the token let in that holds no more. */
#include "tests/support/has.h"
#include "tests/support/scratch.h"
#include "tests/support/web.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#define PLACES 256
#define CROWD  100 /* more than are told that there is no room */
#define TRIES  6000
#define PING   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define LISTEN                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"subscriptions/listen\",\"params\":{"           \
    "\"notifications\":{},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","  \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}"
#define MODERN "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"
#define INITIALIZE                                                                                 \
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

static char *ask(const struct web *w)
{
    int fd = web_dial(w);
    char *answer = web_post_on(w, fd, "", PING);
    close(fd);
    return answer;
}

static void expect_no_room(const struct web *w)
{
    char *answer = ask(w);
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
    char *answer = ask(w);
    for (int i = 0; i < TRIES && strstr(answer, " 503 "); i++) {
        usleep(10000);
        free(answer);
        answer = ask(w);
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
    char *answer = web_post_on(w, fd, "", INITIALIZE);
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

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, web_new_store, web_forget_store)
    const struct CMUnitTest tests[] = {
        CASE(who_finds_no_room_is_told),
        CASE(a_stream_ends_with_its_token),
        CASE(who_takes_no_events_has_no_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
