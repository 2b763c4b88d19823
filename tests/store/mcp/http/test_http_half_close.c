/* Who closes its sending half after what it asked, as `nc -N` does, reads on: it is answered. */
#include "tests/support/has.h"
#include "tests/support/held.h"
#include "tests/support/notes.h"
#include "tests/support/scratch.h"
#include "tests/support/web.h"

#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PING  "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define TIMES 20
#define META                                                                                       \
    ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                      \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define NOTE(content, meta)                                                                        \
    "{\"jsonrpc\":\"2.0\",\"id\":\"" content "\",\"method\":\"tools/call\",\"params\":{\"name\":"  \
    "\"memory_note\",\"arguments\":{\"content\":\"" content "\"}" meta "}}"
#define MODERN                                                                                     \
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
            web_add_post(&out, w, "", PING);
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
        free(web_post_on(w, fd, "", PING));
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
        ask_and_shut(w, false, MODERN, NOTE("modern tcp", META)),
        ask_and_shut(w, true, MODERN, NOTE("modern unix", META)),
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
    static const char body[] = NOTE("json", META);
    free(web_post_on(w, web_dial(w), "", NOTE("first", "")));
    sqlite3 *db = held_take(w->store);
    int fd = web_dial(w);
    strbuf_addf(&out,
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" WEB_JSON
                "Accept: application/json\r\n" MODERN "Content-Length: %zu\r\n\r\n%s",
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

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, web_new_store, web_forget_store)
    const struct CMUnitTest tests[] = {
        CASE(all_that_was_asked_is_answered),
        CASE(what_takes_longer_is_answered),
        CASE(who_takes_json_alone_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
