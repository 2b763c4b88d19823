/*
 * HTTP from who means no good or is broken: requests that could be read as two, answers that nobody reads, bodies that
 * nobody ends, clients that go; and what is counted of all that, at /metrics.
 */
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
#include "store/mcp/metrics/metrics.h"
#include "tests/support/has.h"
#include "tests/support/held.h"
#include "tests/support/notes.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/web.h"

#define META                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}" /* 40 bytes */

/* What comes back until it closes, or nothing has come for a moment after something did. */
static void hear_all(int fd, struct strbuf *got)
{
    struct pollfd in = {fd, POLLIN, 0};
    while ((got->len == 0 || poll(&in, 1, 300) > 0) && web_read_more(fd, got))
        ;
}

/* ---- one request, or none ---- */

struct odd {
    const char *line, *headers, *body;
    const char *status; /* of the answer; NULL: it is a request */
};

#define LENGTH  "Content-Length: 40\r\n"
#define CHUNKED "Transfer-Encoding: chunked\r\n"
#define POST    "POST /mcp HTTP/1.1"

static const struct odd odd[] = {
    {POST, LENGTH, PING, NULL},
    {POST, CHUNKED, "28\r\n" PING "\r\n0\r\n\r\n", NULL},
    {POST, "Transfer-Encoding: Chunked\r\n", "28\r\n" PING "\r\n0\r\n\r\n", NULL},
    {POST, "Content-Length: 4\r\n" CHUNKED, "28\r\n" PING "\r\n0\r\n\r\n", " 400 "},
    {POST, CHUNKED LENGTH, "28\r\n" PING "\r\n0\r\n\r\n", " 400 "},
    {POST, LENGTH "Content-Length: 4\r\n", PING, " 400 "},
    {POST, LENGTH LENGTH, PING, " 400 "},
    {POST, CHUNKED CHUNKED, "28\r\n" PING "\r\n0\r\n\r\n", " 400 "},
    {POST, "Content-Length: -1\r\n", PING, " 400 "},
    {POST, "Content-Length: +40\r\n", PING, " 400 "},
    {POST, "Content-Length: 0x28\r\n", PING, " 400 "},
    {POST, "Content-Length: 40, 40\r\n", PING, " 400 "},
    {POST, "Content-Length:\r\n", PING, " 400 "},
    {POST, "Transfer-Encoding: gzip, chunked\r\n", "28\r\n" PING "\r\n0\r\n\r\n", " 501 "},
    {POST, "Transfer-Encoding: xchunked\r\n", "28\r\n" PING "\r\n0\r\n\r\n", " 501 "},
    {POST, "Transfer-Encoding: identity\r\n", PING, " 501 "},
    {POST, "Transfer-Encoding : chunked\r\n" LENGTH, PING, " 400 "},
    {POST, "X Y: a\r\n" LENGTH, PING, " 400 "},
    {POST, "(x): a\r\n" LENGTH, PING, " 400 "},
    {POST, "no colon\r\n" LENGTH, PING, " 400 "},
    {POST, CHUNKED, "FFFFFFFFFFFFFFFFF\r\n" PING "\r\n0\r\n\r\n", " 4"},
    {POST, CHUNKED, "-1\r\n" PING "\r\n0\r\n\r\n", " 400 "},
    {POST, CHUNKED, "0x28\r\n" PING "\r\n0\r\n\r\n", " 400 "},
    {POST, CHUNKED, "g\r\n", " 400 "},
    {"POST //mcp HTTP/1.1", LENGTH, PING, " 404 "},
    {"POST /%6dcp HTTP/1.1", LENGTH, PING, " 404 "},
    {"POST /mcp%00x HTTP/1.1", LENGTH, PING, " 404 "},
    {"POST /mcp/../mcp HTTP/1.1", LENGTH, PING, " 404 "},
    {"POST /mcp HTTP/2.0", LENGTH, PING, " 505 "},
    {"POST /mcp", "", "", " 400 "},
    {"CONNECT localhost:80 HTTP/1.1", "", "", " 40"},
    {"TRACE /mcp HTTP/1.1", "", "", " 405 "},
    {"GET /metrics HTTP/1.1", "Transfer-Encoding: gzip\r\n", "", " 501 "},
};

static char *metrics_of(const struct web *w, const char *more, const char *status)
{
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    int fd = web_dial(w);
    strbuf_addf(&out, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n%s\r\n", more);
    web_put(fd, out.buf, out.len);
    char *answer = web_take_answer(fd, &got);
    assert_has(answer, status);
    close(fd);
    strbuf_release(&out);
    strbuf_release(&got);
    return answer;
}

static char *metrics_now(const struct web *w)
{
    char token[100];
    snprintf(token, sizeof(token), "Authorization: Bearer %s\r\n", w->token);
    return metrics_of(w, token, "HTTP/1.1 200 ");
}

/* Behind each stands another request in what would be its body: that is never carried out. */
static void what_could_be_two_requests_is_none(void **state)
{
    struct web *w = *state;
    for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
        struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
        int fd = web_dial(w);
        strbuf_addf(&out,
                    "%s\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" WEB_JSON "%s\r\n%s",
                    odd[i].line, w->token, odd[i].headers, odd[i].body);
        if (odd[i].status)
            web_add_post(&out, w, "",
                         "{\"jsonrpc\":\"2.0\",\"id\":\"behind\",\"method\":\"ping\"}");
        web_put(fd, out.buf, out.len);
        hear_all(fd, &got);
        const char *status = odd[i].status ? odd[i].status : " 200 ";
        char *line = strndup(got.buf, strcspn(got.buf, "\r"));
        if (!strstr(line, status))
            fail_msg("row %zu: %s is not %s", i, line, status);
        if (odd[i].status)
            assert_lacks(got.buf, "behind");
        else
            assert_has(got.buf, "\"result\":{}");
        free(line);
        close(fd);
        strbuf_release(&out);
        strbuf_release(&got);
    }
}

static void a_head_that_is_too_long_is_counted(void **state)
{
    struct web *w = *state;
    static const struct {
        const char *begins;
        unsigned code;
    } rows[] = {{"GET /", 414}, {"GET /mcp HTTP/1.1\r\nHost: localhost\r\nX: ", 431}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
        char status[8];
        int fd = web_dial(w);
        strbuf_addstr(&out, rows[i].begins);
        strbuf_addchars(&out, 'x', 100000);
        web_put(fd, out.buf, out.len);
        snprintf(status, sizeof(status), " %u ", rows[i].code);
        assert_true(web_hear_until(fd, &got, status));
        close(fd);
        strbuf_release(&out);
        strbuf_release(&got);
    }
}

/* Bytes above ASCII and a folded line in what decides who asks. */
static void a_header_is_what_all_its_bytes_say(void **state)
{
    struct web *w = *state;
    static const struct {
        const char *host;
        size_t len;
        const char *status;
    } rows[] = {
        {"localhost.evil.example.com", 26, " 403 "},
        {"localhost\xff", 10, " 403 "},
        {" localhost", 10, " 200 "},
        {"", 0, " 403 "},
        {"localhost\r\nX: \r\nY:z", 19, " 200 "},
        {"localhost\nX: y", 14, " 200 "},
        /* The library ends a value at a NUL; whoever can send one has the token all the same. */
        {"localhost\0.evil.example.com", 27, " 200 "},
        {"\0localhost", 10, " 403 "},
        {"localhost\r\nX\0: y", 15, " 400 "},
        {"localhost\r\nX:\0y", 15, " 200 "},
        {"localhost\r\n .evil.example.com", 29, " 400 "},
        {"evil.example.com\r\n\tlocalhost", 28, " 400 "},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
        int fd = web_dial(w);
        strbuf_addstr(&out, POST "\r\nHost: ");
        strbuf_add(&out, rows[i].host, rows[i].len);
        strbuf_addf(&out, "\r\nAuthorization: Bearer %s\r\n" WEB_JSON LENGTH "\r\n" PING, w->token);
        web_put(fd, out.buf, out.len);
        hear_all(fd, &got);
        char *line = strndup(got.buf, strcspn(got.buf, "\r"));
        if (!strstr(line, rows[i].status))
            fail_msg("row %zu: %s is not %s", i, line, rows[i].status);
        free(line);
        close(fd);
        strbuf_release(&out);
        strbuf_release(&got);
    }
}

static long metric(const struct web *w, const char *name)
{
    char *text = metrics_now(w), line[200];
    snprintf(line, sizeof(line), "\n%s ", name);
    const char *at = strstr(text, line);
    long value = at ? strtol(at + strlen(line), NULL, 10) : 0;
    free(text);
    return value;
}

static void wait_metric(const struct web *w, const char *name, long value)
{
    for (int i = 0; metric(w, name) != value; i++) {
        if (i > 1200)
            fail_msg("%s is not %ld", name, value);
        usleep(50000);
    }
}

/* ---- what is counted ---- */

static void metrics_are_behind_the_same_doors(void **state)
{
    struct web *w = *state;
    struct strbuf got = STRBUF_INIT;
    char good[100], bad[200];
    snprintf(good, sizeof(good), "Authorization: Bearer %s\r\n", w->token);
    snprintf(bad, sizeof(bad), "%sOrigin: http://evil.example.com\r\n", good);
    free(metrics_of(w, "", "HTTP/1.1 401 "));
    free(metrics_of(w, "Authorization: Bearer 0\r\n", "HTTP/1.1 401 "));
    free(metrics_of(w, bad, "HTTP/1.1 403 "));
    snprintf(bad, sizeof(bad), "%sHost: evil.example.com\r\n", good);
    free(metrics_of(w, bad, "HTTP/1.1 403 "));
    char *text = metrics_of(w, good, "HTTP/1.1 200 ");
    assert_has(text, "Content-Type: text/plain; version=0.0.4");
    assert_has(text, "# TYPE memory_tool_requests_total counter\n");
    free(text);
    int fd = web_dial_socket(w); /* there the system says who asks */
    web_say(fd, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    for (int i = 0; i < 2; i++) {
        text = web_take_answer(fd, &got);
        assert_has(text, "HTTP/1.1 200 ");
        free(text);
    }
    close(fd);
    fd = web_dial_socket(w);
    web_say(fd, "HEAD /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    hear_all(fd, &got);
    assert_has(got.buf, "HTTP/1.1 200 ");
    assert_lacks(got.buf, "# TYPE");
    close(fd);
    fd = web_dial_socket(w);
    strbuf_clear(&got);
    web_say(fd, "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    hear_all(fd, &got);
    assert_has(got.buf, "HTTP/1.1 405 ");
    assert_has(got.buf, "Allow: GET, HEAD\r\n");
    close(fd);
    strbuf_release(&got);
}

static void calls_are_counted_whoever_makes_them(void **state)
{
    struct web *w = *state;
    struct client c;
    int fd = web_dial(w);
    free(web_post_on(w, fd, "",
                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                     "\"memory_raw\",\"arguments\":{\"blob\":\"the vault code is 7261\"}}}"));
    free(web_post_on(w, fd, "",
                     "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":"
                     "\"memory_get\",\"arguments\":{\"ref\":\"raw:vault\"}}}"));
    client_connect(&c, w->path);
    client_initialize(&c, "2025-11-25");
    client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":"
                   "\"memory_protect\",\"arguments\":{\"ref\":\"raw:vault\"}}}");
    client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":"
                   "\"memory_raw\",\"arguments\":{\"blob\":7}}}");
    client_ask(&c, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"resources/list\"}");
    char *text = metrics_now(w);
    static const char *const lines[] = {
        "\nmemory_tool_requests_total{tool_name=\"memory_raw\",namespace=\"\",status=\"success\"} "
        "1\n",
        "\nmemory_tool_requests_total{tool_name=\"memory_raw\",namespace=\"\",status=\"INVALID_"
        "REQUEST\"} 1\n",
        "\nmemory_tool_requests_total{tool_name=\"memory_get\",namespace=\"\",status=\"NOT_FOUND\"}"
        " "
        "1\n",
        "\nmemory_tool_permission_denies_total{tool_name=\"memory_protect\",reason=\"tool\"} 1\n",
        "\nmemory_tool_latency_seconds_count{tool_name=\"memory_raw\"} 2\n",
        "\nstemma_requests_total{method=\"resources/list\",status=\"success\"} 1\n",
        "\nstemma_http_responses_total{code=\"200\"} 2\n",
        "\nstemma_sessions 2\n",
        "\nstemma_connections 3\n",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
        assert_has(text, lines[i]);
    assert_lacks(text, "vault"); /* never what they say */
    free(text);
    client_close(&c);
    close(fd);
}

/* ---- who does not read, does not end, or goes ---- */

#define ASKED 400

/* Answers that nobody takes wait at the client's own cost: nothing more is read from it. */
static void who_does_not_read_is_not_answered_on(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    size_t sent = 0;
    int deaf = web_dial(w), other = web_dial(w);
    for (int i = 0; i < ASKED; i++) {
        char body[100];
        snprintf(body, sizeof(body), "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}",
                 i);
        web_add_post(&out, w, "", body);
    }
    for (ssize_t n; sent < out.len; sent += (size_t)n)
        if ((n = send(deaf, out.buf + sent, out.len - sent, MSG_DONTWAIT | MSG_NOSIGNAL)) <= 0)
            break;
    for (int i = 0; i < 20; i++) {
        char *answer = web_post_on(w, other, "", PING);
        assert_has(answer, "\"result\":{}");
        free(answer);
    }
    assert_true(resident_bytes(w->program.pid) < (400u << 20));
    for (int i = 0; i < ASKED; i++) {
        char wanted[40];
        struct pollfd ready = {deaf, POLLOUT, 0};
        char *answer = web_take_answer(deaf, &got);
        snprintf(wanted, sizeof(wanted), "\"id\":%d,", i);
        assert_has(answer, wanted);
        free(answer);
        while (sent < out.len && poll(&ready, 1, 0) > 0) {
            ssize_t n = send(deaf, out.buf + sent, out.len - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (n <= 0)
                break;
            sent += (size_t)n;
        }
    }
    close(deaf);
    close(other);
    strbuf_release(&out);
    strbuf_release(&got);
}

#define BODIES 6
#define PART   (15u << 20)

/* Together they would be more than is kept of all bodies: some are refused, who is small is served. */
static void bodies_without_an_end_have_a_bound_together(void **state)
{
    struct web *w = *state;
    char *part = malloc(PART);
    int fds[BODIES];
    int refused = 0;
    memset(part, ' ', PART);
    for (int i = 0; i < BODIES; i++) {
        struct strbuf out = STRBUF_INIT;
        fds[i] = web_dial(w);
        strbuf_addf(&out,
                    POST "\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" WEB_JSON
                         "Content-Length: 16777216\r\n\r\n",
                    w->token);
        web_put(fds[i], out.buf, out.len);
        web_put(fds[i], part, PART);
        strbuf_release(&out);
        int fd = web_dial(w);
        char *answer = web_post_on(w, fd, "", "{}");
        assert_has(answer, "HTTP/1.1 ");
        free(answer);
        close(fd);
    }
    for (int i = 0; i < BODIES; i++) {
        struct pollfd in = {fds[i], POLLIN, 0};
        struct strbuf got = STRBUF_INIT;
        if (poll(&in, 1, 300) > 0) {
            hear_all(fds[i], &got);
            assert_has(got.buf, "HTTP/1.1 503 ");
            refused++;
        }
        strbuf_release(&got);
    }
    assert_int_equal(refused, BODIES - (64u << 20) / PART);
    assert_true(resident_bytes(w->program.pid) < (600u << 20));
    for (int i = 0; i < BODIES; i++)
        close(fds[i]);
    wait_metric(w, "stemma_connections", 1);
    int fd = web_dial(w);
    char *answer = web_post_on(w, fd, "", PING);
    assert_has(answer, "\"result\":{}");
    free(answer);
    close(fd);
    free(part);
}

#define CROWD 400

/* Whoever has no token takes no place from who has one: who speaks at once is answered, who was there stays. */
static void a_crowd_without_a_token_gives_way(void **state)
{
    struct web *w = *state;
    static const char *const rows[] = {POST "\r\nHost: 127.0.0.1\r\n", "",
                                       "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
                                       "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\nGET"};
    int crowd[CROWD], kept = web_dial(w);
    free(web_post_on(w, kept, "", PING));
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        for (int k = 0; k < CROWD; k++) {
            crowd[k] = web_dial(w);
            web_say(crowd[k], rows[i]);
        }
        for (int k = 0; k < 5; k++) {
            int fd = web_dial(w);
            char *answer = web_post_on(w, k ? fd : kept, "", PING);
            assert_has(answer, "\"result\":{}");
            free(answer);
            close(fd);
        }
        for (int k = 0; k < CROWD; k++)
            close(crowd[k]);
    }
    close(kept);
}

/* A request of the stateless era ends with its connection, one of the other is carried out for nobody. */
static void who_goes_cancels_what_is_stateless(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT;
    int fd = web_dial(w);
    free(web_post_on(w, fd, "",
                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                     "\"memory_note\",\"arguments\":{\"content\":\"first\"}}}"));
    close(fd);
    wait_metric(w, "stemma_connections", 1);
    sqlite3 *db = held_take(w->store);
    int modern = web_dial(w), legacy = web_dial(w);
    web_add_post(&out, w,
                 "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: "
                 "memory_note\r\n",
                 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"memory_note\",\"arguments\":{\"content\":\"cancelled\"}," META "}}");
    web_put(modern, out.buf, out.len);
    strbuf_clear(&out);
    web_add_post(&out, w, "",
                 "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"memory_note\",\"arguments\":{\"content\":\"carried out\"}}}");
    web_put(legacy, out.buf, out.len);
    wait_metric(w, "stemma_connections", 3);
    shutdown(modern, SHUT_RDWR);
    close(modern);
    close(legacy);
    wait_metric(w, "stemma_connections", 2);
    held_give_back(db);
    for (int i = 0; i < 1200 && notes_saying(w->store, "carried out") == 0; i++)
        usleep(50000);
    fd = web_dial(w); /* whatever was there is done when this one is */
    free(web_post_on(w, fd, "",
                     "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":"
                     "\"memory_note\",\"arguments\":{\"content\":\"last\"}}}"));
    close(fd);
    assert_int_equal(notes_saying(w->store, "carried out"), 1);
    assert_int_equal(notes_saying(w->store, "last"), 1);
    assert_int_equal(notes_saying(w->store, "cancelled"), 0);
    strbuf_release(&out);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, web_new_store, web_forget_store)

/* ---- More at once than there are places ---- */

#define PLACES      256
#define CROWD_CROWD 600
#define PING_CROWD  "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define NOTE                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"                                            \
    "call\",\"params\":{\"name\":\"memory_note\","                                                 \
    "\"arguments\":{\"content\":\"crowd\"}}}"

static int dial(const struct web *w, bool local)
{
    return local ? web_dial_socket(w) : web_dial(w);
}

static void ask(const struct web *w, int fd, const char *body)
{
    struct strbuf out = STRBUF_INIT;
    web_add_post(&out, w, "", body);
    web_put(fd, out.buf, out.len);
    strbuf_release(&out);
}

static void expect_answer(int fd, const char *status)
{
    struct strbuf got = STRBUF_INIT;
    char *answer = web_take_answer(fd, &got);
    assert_has(answer, status);
    free(answer);
    strbuf_release(&got);
    close(fd);
}

/* With its request, or a moment before that. */
static void all_are_answered_over(const struct web *w, bool local, int count, bool later)
{
    int crowd[CROWD_CROWD];
    for (int i = 0; i < count; i++) {
        crowd[i] = dial(w, local);
        if (!later)
            ask(w, crowd[i], PING_CROWD);
    }
    for (int i = 0; later && i < count; i++)
        ask(w, crowd[i], PING_CROWD);
    for (int i = 0; i < count; i++)
        expect_answer(crowd[i], " 200 ");
}

static void a_crowd_that_comes_at_once_is_answered(void **state)
{
    all_are_answered_over(*state, false, CROWD_CROWD, false);
    all_are_answered_over(*state, true, CROWD_CROWD / 2, false);
}

static void a_crowd_that_asks_a_moment_later_is_answered(void **state)
{
    all_are_answered_over(*state, false, CROWD_CROWD / 2, true);
}

/* Their places are free for others at once, and none of them asks in vain. */
static void who_was_answered_makes_room(void **state)
{
    struct web *w = *state;
    int resting[PLACES];
    for (int i = 0; i < PLACES; i++) {
        resting[i] = web_dial(w);
        free(web_post_on(w, resting[i], "", PING_CROWD));
    }
    all_are_answered_over(w, false, PLACES / 2, false);
    for (int i = 0; i < PLACES; i++)
        close(resting[i]);
}

/* ---- where it lasts ---- */

/* Each is told, and nothing of it is carried out; who has a place keeps it until it is answered. */
static void who_waits_in_vain_is_told(void **state)
{
    struct web *w = *state;
    int busy[PLACES], crowd[PLACES], first = web_dial(w);
    free(web_post_on(w, first, "", NOTE));
    close(first);
    sqlite3 *db = held_take(w->store);
    for (int i = 0; i < PLACES; i++) {
        busy[i] = web_dial(w);
        ask(w, busy[i], NOTE);
    }
    for (int i = 0; i < PLACES; i++) {
        crowd[i] = web_dial(w);
        ask(w, crowd[i], NOTE);
    }
    for (int i = 0; i < PLACES; i++)
        expect_answer(crowd[i], "\r\nRetry-After: 1\r\n");
    held_give_back(db);
    for (int i = 0; i < PLACES; i++)
        expect_answer(busy[i], " 200 ");
    all_are_answered_over(w, false, 1, false);
}

#define CASE_CROWD(name) cmocka_unit_test_setup_teardown(name, web_new_store, web_forget_store)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_could_be_two_requests_is_none),
        CASE(a_head_that_is_too_long_is_counted),
        CASE(a_header_is_what_all_its_bytes_say),
        CASE(metrics_are_behind_the_same_doors),
        CASE(calls_are_counted_whoever_makes_them),
        CASE(who_does_not_read_is_not_answered_on),
        CASE(bodies_without_an_end_have_a_bound_together),
        CASE(a_crowd_without_a_token_gives_way),
        CASE(who_goes_cancels_what_is_stateless),
        CASE_CROWD(a_crowd_that_comes_at_once_is_answered),
        CASE_CROWD(a_crowd_that_asks_a_moment_later_is_answered),
        CASE_CROWD(who_was_answered_makes_room),
        CASE_CROWD(who_waits_in_vain_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
