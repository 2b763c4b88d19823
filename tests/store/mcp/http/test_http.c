/*
 * HTTP as bytes: what is refused and how, both eras, streams, and that one who is slow or huge is nobody
 * else's trouble. Over TCP and over the Unix socket, against the program.
 */
#include "tests/support/has.h"
#include "tests/support/notes.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/web.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "store/session/session.h"

#define JSON   WEB_JSON
#define ACCEPT WEB_ACCEPT
#define META                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define MODERN(method) "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " method "\r\n"
#define PING           "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define DISCOVER                                                                                   \
    "{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"method\":\"server/discover\",\"params\":{" META "}}"
#define GET_TOOL(name)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"" name         \
    "\",\"arguments\":{}," META "}}"
#define INITIALIZE                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"     \
    "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"tester\",\"version\":\"9\"}}}"

static void expect(const struct web *w, const char *headers, const char *body, const char *status,
                   const char *part)
{
    int fd = web_dial(w);
    char *answer = web_post_on(w, fd, headers, body);
    assert_has(answer, status);
    assert_has(answer, part);
    free(answer);
    close(fd);
}

/* The whole of a request as it is; what comes until it closes, or an answer is whole. */
static void expect_raw(int fd, const char *request, const char *status)
{
    struct strbuf got = STRBUF_INIT;
    web_say(fd, request);
    char *answer = web_take_answer(fd, &got);
    assert_has(answer, status);
    free(answer);
    strbuf_release(&got);
    close(fd);
}

/* ---- who is let in ---- */

static void expect_sender(const struct web *w, const char *host, const char *token,
                          const char *more, const char *status)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addstr(&out, "POST /mcp HTTP/1.1\r\n");
    if (host)
        strbuf_addf(&out, "Host: %s\r\n", host);
    if (token)
        strbuf_addf(&out, "Authorization: %s\r\n", token);
    strbuf_addf(&out, "%s" JSON "Content-Length: %zu\r\n\r\n" PING, more, strlen(PING));
    expect_raw(web_dial(w), out.buf, status);
    strbuf_release(&out);
}

static void only_who_has_the_token_is_let_in(void **state)
{
    struct web *w = *state;
    char good[80], bad[80];
    snprintf(good, sizeof(good), "Bearer %s", w->token);
    snprintf(bad, sizeof(bad), "Bearer %s", w->token);
    bad[strlen(bad) - 1] = bad[strlen(bad) - 1] == '0' ? '1' : '0';
    expect_sender(w, "localhost", good, "", "HTTP/1.1 200 ");
    expect_sender(w, "localhost", bad, "", "HTTP/1.1 401 ");
    bad[strlen(bad) - 1] = '\0';
    expect_sender(w, "localhost", bad, "", "HTTP/1.1 401 ");
    expect_sender(w, "localhost", "Bearer ", "", "HTTP/1.1 401 ");
    expect_sender(w, "localhost", w->token, "", "HTTP/1.1 401 ");
    expect_sender(w, "localhost", NULL, "", "HTTP/1.1 401 ");
    expect_sender(w, "localhost", good, "Authorization: Bearer x\r\n", "HTTP/1.1 401 ");
}

static void names_of_others_are_refused(void **state)
{
    struct web *w = *state;
    static const char *const own[] = {"localhost", "127.0.0.1:80", "[::1]:9999", "LOCALHOST:1"};
    static const char *const others[] = {"evil.example.com", "localhost.evil.example.com",
                                         "127.0.0.1.nip.io", "localhost:x",
                                         "localhost:",       "[::1]x",
                                         "evil@localhost",   "0.0.0.0"};
    char good[80];
    snprintf(good, sizeof(good), "Bearer %s", w->token);
    for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
        expect_sender(w, own[i], good, "", "HTTP/1.1 200 ");
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        expect_sender(w, others[i], good, "", "HTTP/1.1 403 ");
    expect_sender(w, "localhost", good, "Host: evil.example.com\r\n", "HTTP/1.1 403 ");
    expect_sender(w, "localhost", good, "Origin: http://localhost:5173\r\n", "HTTP/1.1 200 ");
    expect_sender(w, "localhost", good, "Origin: http://evil.example.com\r\n", "HTTP/1.1 403 ");
    expect_sender(w, "localhost", good, "Origin: http://localhost.evil.com\r\n", "HTTP/1.1 403 ");
    expect_sender(w, "localhost", good, "Origin: null\r\n", "HTTP/1.1 403 ");
    expect_sender(w, "localhost", good, "Origin: file://localhost\r\n", "HTTP/1.1 403 ");
}

static void the_token_is_its_owners_alone(void **state)
{
    struct web *w = *state;
    struct stat st;
    assert_int_equal(lstat(w->token_file, &st), 0);
    assert_true(S_ISREG(st.st_mode));
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(st.st_uid, geteuid());
    assert_int_equal(strlen(w->token), 64);
    char token[65];
    memcpy(token, w->token, sizeof(token));
    web_stop(w);
    web_start(w, w->store); /* clients need no new configuration */
    assert_string_equal(token, w->token);
    web_stop(w);
    assert_int_equal(chmod(w->token_file, 0644), 0);
    struct program p = {0};
    PROGRAM(&p, "serve", "--http", "0", "--store", w->store);
    assert_int_not_equal(p.status, 0);
    assert_has(p.err, "not a token that is yours alone");
    program_release(&p);
    unlink(w->token_file);
    web_start(w, w->store);
    assert_string_not_equal(token, w->token);
}

static void read_token(struct web *w)
{
    size_t len;
    char *text = scratch_read(w->token_file, &len);
    assert_int_equal(len, 65);
    snprintf(w->token, sizeof(w->token), "%.64s", text);
    free(text);
}

/* By the next request, of whoever it is, and on a connection that was let in before. */
static void a_token_holds_as_long_as_its_file(void **state)
{
    struct web *w = *state, old = *w;
    int fd = web_dial(w);
    free(web_post_on(w, fd, "", PING));
    assert_int_equal(unlink(w->token_file), 0);
    char *answer = web_post_on(&old, fd, "", PING);
    assert_has(answer, " 401 ");
    free(answer);
    close(fd);
    read_token(w);
    assert_string_not_equal(w->token, old.token);
    expect(w, "", PING, " 200 ", "\"result\"");
    expect(&old, "", PING, " 401 ", "Authorization");
    assert_int_equal(chmod(w->token_file, 0644), 0); /* who read it meanwhile gets nothing by it */
    expect(w, "", PING, " 503 ", "the token file");
    assert_int_equal(chmod(w->token_file, 0600), 0);
    expect(w, "", PING, " 200 ", "\"result\"");
    scratch_write(w->token_file, old.token, strlen(old.token));
    expect(w, "", PING, " 401 ", "Authorization");
    expect(&old, "", PING, " 200 ", "\"result\"");
}

/* Nothing but the loopback, and both of its addresses where the machine has them. */
static void it_listens_on_the_loopback_alone(void **state)
{
    struct web *w = *state;
    char line[512], wanted[16];
    int seen = 0;
    snprintf(wanted, sizeof(wanted), ":%04X ", (unsigned)w->port);
    FILE *f = fopen("/proc/net/tcp", "r");
    while (f && fgets(line, sizeof(line), f)) {
        char *at = strstr(line, wanted);
        if (!at || !strstr(line, " 0A "))
            continue;
        assert_has(line, "0100007F:");
        seen++;
    }
    if (f)
        fclose(f);
    assert_int_equal(seen, 1);
    int fd = web_dial_at(AF_INET6, w->port);
    if (fd >= 0) {
        struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
        web_add_post(&out, w, "", PING);
        web_put(fd, out.buf, out.len);
        char *answer = web_take_answer(fd, &got);
        assert_has(answer, "HTTP/1.1 200 ");
        free(answer);
        strbuf_release(&out);
        strbuf_release(&got);
        close(fd);
    }
}

/* ---- requests ---- */

static void what_is_no_request_of_ours_is_refused(void **state)
{
    struct web *w = *state;
    static const struct {
        const char *line, *headers, *status;
    } rows[] = {
        {"POST / HTTP/1.1", JSON "Content-Length: 0\r\n", " 404 "},
        {"POST /mcp/x HTTP/1.1", JSON "Content-Length: 0\r\n", " 404 "},
        {"POST /MCP HTTP/1.1", JSON "Content-Length: 0\r\n", " 404 "},
        {"PUT /mcp HTTP/1.1", JSON "Content-Length: 0\r\n", " 405 "},
        {"OPTIONS /mcp HTTP/1.1", "", " 405 "},
        {"GET /mcp HTTP/1.1", "", " 405 "},
        {"DELETE /mcp HTTP/1.1", "", " 405 "},
        {"GET /mcp HTTP/1.1", "Mcp-Session-Id: 0123456789abcdef0123456789abcdef\r\n", " 404 "},
        {"DELETE /mcp HTTP/1.1", "Mcp-Session-Id: 0123456789abcdef0123456789abcdef\r\n", " 404 "},
        {"POST /mcp HTTP/1.1", "Content-Length: 2\r\n", " 415 "},
        {"POST /mcp HTTP/1.1", "Content-Type: text/plain\r\nContent-Length: 2\r\n", " 415 "},
        {"POST /mcp HTTP/1.1", "Content-Type: application/jsonp\r\nContent-Length: 2\r\n", " 415 "},
        {"POST /mcp HTTP/1.1", "Content-Type: application/json x\r\nContent-Length: 2\r\n",
         " 415 "},
        {"POST /mcp HTTP/1.1", JSON "Content-Encoding: gzip\r\nContent-Length: 2\r\n", " 415 "},
        {"POST /mcp HTTP/1.1", JSON "Content-Encoding: br, gzip\r\nContent-Length: 2\r\n", " 415 "},
        {"POST /mcp HTTP/1.1", JSON "Accept: text/html\r\nContent-Length: 2\r\n", " 406 "},
        {"POST /mcp HTTP/1.1", JSON "Content-Length: 16777217\r\n", " 413 "},
        {"POST /mcp HTTP/1.1", JSON "Content-Length: 99999999999999999999999\r\n", " 4"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct strbuf out = STRBUF_INIT;
        strbuf_addf(&out, "%s\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\n",
                    rows[i].line, w->token, rows[i].headers);
        expect_raw(web_dial(w), out.buf, rows[i].status);
        strbuf_release(&out);
    }
}

static void a_legacy_client_is_served(void **state)
{
    struct web *w = *state;
    expect(w, "", INITIALIZE, " 200 ", "\"protocolVersion\":\"2025-11-25\"");
    expect(w, "", PING, " 200 ", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    expect(w, "MCP-Protocol-Version: 2025-11-25\r\n", PING, " 200 ", "\"result\":{}");
    expect(w, "MCP-Protocol-Version: 1999-01-01\r\n", PING, " 400 ", "-32022");
    expect(w, "MCP-Protocol-Version: 2025-11-25\r\nMCP-Protocol-Version: 2025-11-25\r\n", PING,
           " 400 ", "-32020");
    expect(w, "", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", " 202 ",
           "Content-Length: 0");
    expect(w, "", "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}", " 202 ", "Content-Length: 0");
    expect(w, "", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"no/such\"}", " 200 ", "-32601");
    expect(w, "", "{\n \"jsonrpc\": \"2.0\",\r\n \"id\": 1, \"method\":\n\"ping\"}\n", " 200 ",
           "\"result\":{}");
    expect(w, "", "{\"jsonrpc\":", " 400 ", "-32700");
    expect(w, "", "", " 400 ", "-32700");
    expect(w, "", "\"a\nb\"", " 400 ", "-32700");
    expect(w, "", "[" PING "," PING "]", " 200 ", "[{\"jsonrpc\":\"2.0\",\"id\":1,");
    expect(w, "MCP-Protocol-Version: 2025-11-25\r\n", "[" PING "]", " 400 ", "-32600");
}

static void a_modern_request_says_the_same_in_its_headers(void **state)
{
    struct web *w = *state;
    expect(w, MODERN("server/discover"), DISCOVER, " 200 ", "\"resultType\":\"complete\"");
    expect(w, "", DISCOVER, " 400 ", "-32020");
    expect(w, "MCP-Protocol-Version: 2026-07-28\r\n", DISCOVER, " 400 ", "-32020");
    expect(w, MODERN("tools/list"), DISCOVER, " 400 ", "-32020");
    expect(w, "MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: server/discover\r\n", DISCOVER,
           " 400 ", "-32020");
    expect(w, MODERN("ping"), PING, " 400 ", "-32602");
    expect(w, MODERN("ping"),
           "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{" META "}}", " 404 ",
           "-32601");
    expect(w, MODERN("tools/call"), GET_TOOL("memory_list"), " 400 ", "-32020");
    expect(w, MODERN("tools/call") "Mcp-Name: memory_get\r\n", GET_TOOL("memory_list"), " 400 ",
           "-32020");
    expect(w, MODERN("tools/call") "Mcp-Name: memory_list  \r\n", GET_TOOL("memory_list"), " 200 ",
           "\"resultType\":\"complete\"");
    expect(w, MODERN("tools/call") "Mcp-Name: =?base64?bWVtb3J5X2xpc3Q=?=\r\n",
           GET_TOOL("memory_list"), " 200 ", "\"resultType\":\"complete\"");
    expect(w, MODERN("tools/call") "Mcp-Name: =?base64?bWVt!!!!?=\r\n", GET_TOOL("memory_list"),
           " 400 ", "-32020");
    expect(w, MODERN("tools/call") "Mcp-Name: =?base64?bWVtb3J5X2dldA==?=\r\n",
           GET_TOOL("memory_list"), " 400 ", "-32020");
    expect(w, "MCP-Protocol-Version: 2099-01-01\r\nMcp-Method: ping\r\n",
           "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"_meta\":{"
           "\"io.modelcontextprotocol/protocolVersion\":\"2099-01-01\","
           "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
           " 400 ", "\"supported\":[\"2026-07-28\"]");
}

static void chunks_pipelines_and_bytes_are_all_the_same(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    int fd = web_dial(w);
    strbuf_addf(&out,
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" JSON
                "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"jso\r\n%zx;x=y\r\n%s\r\n0\r\n\r\n",
                w->token, strlen(PING) - 5, &PING[5]);
    for (size_t i = 0; i < out.len; i++)
        web_put(fd, out.buf + i, 1);
    char *answer = web_take_answer(fd, &got);
    assert_has(answer, "\"result\":{}");
    free(answer);
    strbuf_clear(&out);
    for (int i = 0; i < 100; i++) {
        char body[80];
        snprintf(body, sizeof(body), "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}", i);
        web_add_post(&out, w, "", body);
    }
    web_put(fd, out.buf, out.len);
    for (int i = 0; i < 100; i++) {
        char wanted[32];
        snprintf(wanted, sizeof(wanted), "\"id\":%d,", i);
        answer = web_take_answer(fd, &got);
        assert_has(answer, wanted);
        free(answer);
    }
    close(fd);
    strbuf_release(&out);
    strbuf_release(&got);
}

/* ---- what is too much ---- */

static void a_body_without_an_end_is_not_kept(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    static char chunk[65536 + 16];
    int fd = web_dial(w);
    strbuf_addf(&out,
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" JSON
                "Transfer-Encoding: chunked\r\n\r\n",
                w->token);
    web_put(fd, out.buf, out.len);
    int len = snprintf(chunk, sizeof(chunk), "10000\r\n");
    memset(chunk + len, ' ', 65536);
    memcpy(chunk + len + 65536, "\r\n", 2);
    for (int i = 0; i < 400; i++)
        web_put(fd, chunk, (size_t)len + 65538);
    while (web_read_more(fd, &got) && got.len < 1000)
        ;
    assert_has(got.buf, "HTTP/1.1 413 ");
    assert_true(resident_bytes(w->program.pid) < (400u << 20));
    close(fd);
    expect(w, "", PING, " 200 ", "\"result\":{}");
    strbuf_release(&out);
    strbuf_release(&got);
}

static void heads_have_a_size(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    int fd = web_dial(w);
    strbuf_addstr(&out, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ");
    strbuf_addchars(&out, 'x', 100000);
    web_put(fd, out.buf, out.len);
    while (web_read_more(fd, &got) && got.len < 100)
        ;
    assert_has(got.len ? got.buf : "", "HTTP/1.1 431 ");
    close(fd);
    fd = web_dial(w);
    web_say(fd, "no http at all\r\n\r\n");
    strbuf_clear(&got);
    while (web_read_more(fd, &got) && got.len < 1000)
        ;
    assert_lacks(got.len ? got.buf : "", " 200 ");
    close(fd);
    strbuf_release(&out);
    strbuf_release(&got);
}

/* What says of a body no more than that it is JSON as it is. */
static void bodies_may_be_described(void **state)
{
    struct web *w = *state;
    static const char *const rows[] = {
        "Content-Type: application/json\r\nContent-Encoding: identity\r\n",
        "Content-Type: application/json\r\nContent-Encoding:\r\n",
        "Content-Type: Application/JSON;charset=UTF-8\r\n",
        "Content-Type: application/json ; a=\"b;c\"; charset=\"utf-8\" ;\r\n",
        "Content-Type: application/json;\r\n",
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct strbuf out = STRBUF_INIT;
        strbuf_addf(&out,
                    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
                    "%sContent-Length: 40\r\n\r\n" PING,
                    w->token, rows[i]);
        expect_raw(web_dial(w), out.buf, " 200 ");
        strbuf_release(&out);
    }
}

#define CROWD 300

/* More than it takes, each in the middle of a head or a body: the first of them are told that they are slow, and
 * whoever is there already is answered all the time. */
static void a_slow_crowd_is_nobody_elses_trouble(void **state)
{
    struct web *w = *state;
    struct strbuf got = STRBUF_INIT, out = STRBUF_INIT;
    int crowd[CROWD], good = web_dial(w), local = web_dial_socket(w), body = web_dial(w);
    char *answer = web_post_on(w, good, "", PING);
    free(answer);
    answer = web_post_on(w, local, "", PING);
    free(answer);
    web_add_post(&out, w, "", PING);
    web_put(body, out.buf, out.len - 1); /* its head is whole, its body is not */
    for (int i = 0; i < CROWD; i++) {
        crowd[i] = web_dial(w);
        web_say(crowd[i], "POST /mcp HTTP/1.1\r\nHost: local");
    }
    for (int i = 0; i < 20; i++) {
        answer = web_post_on(w, good, "", PING);
        assert_has(answer, "\"result\":{}");
        free(answer);
    }
    answer = web_post_on(w, local, "", PING);
    assert_has(answer, "\"result\":{}");
    free(answer);
    assert_true(resident_bytes(w->program.pid) < (400u << 20));
    while (web_read_more(crowd[0], &got))
        ;
    assert_has(got.buf, "HTTP/1.1 408 ");
    strbuf_clear(&got);
    while (web_read_more(body, &got))
        ;
    assert_has(got.buf, "HTTP/1.1 408 ");
    for (int i = 0; i < CROWD; i++)
        close(crowd[i]);
    close(body);
    close(good);
    close(local);
    expect(w, "", PING, " 200 ", "\"result\":{}");
    strbuf_release(&got);
    strbuf_release(&out);
}

/* ---- streams ---- */

static void what_is_told_on_the_way_makes_a_stream(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    int fd = web_dial(w);
    web_add_post(&out, w, "",
                 "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"extract_sources\",\"arguments\":{\"documents\":[{\"id\":\"d1\",\"content\":"
                 "\"The door is blue.\"}]}}}");
    web_put(fd, out.buf, out.len);
    web_hear_until(fd, &got, "\r\n\r\n");
    web_hear_until(fd, &got, "\"id\":8");
    assert_has(got.buf, "HTTP/1.1 200 ");
    close(fd);
    strbuf_release(&out);
    strbuf_release(&got);
}

static void changes_arrive_on_a_listen_stream(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    int fd = web_dial(w);
    web_add_post(
        &out, w, MODERN("subscriptions/listen"),
        "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"subscriptions/listen\",\"params\":{"
        "\"notifications\":{\"resourceSubscriptions\":[\"stemma://beliefs\","
        "\"stemma://raw/r1\"]}," META "}}");
    web_put(fd, out.buf, out.len);
    assert_true(web_hear_until(fd, &got, "notifications/subscriptions/acknowledged"));
    assert_has(got.buf, "Content-Type: text/event-stream");
    assert_has(got.buf, "event: message\ndata: {");
    web_stop(w); /* in good order: its last answer, and the end of the stream */
    assert_true(web_hear_until(fd, &got, "\"resultType\":\"complete\""));
    while (web_read_more(fd, &got))
        ;
    assert_has(got.buf, "\r\n0\r\n");
    close(fd);
    web_start(w, w->store);
    strbuf_release(&out);
    strbuf_release(&got);
}

/* ---- a client that has a label ---- */

static void label_of(const char *answer, char *out, size_t size)
{
    const char *at = strstr(answer, "Mcp-Session-Id: ");
    if (!at)
        fail_msg("no label: %.400s", answer);
    snprintf(out, size, "Mcp-Session-Id: %.32s\r\n", at + 16);
}

static void add_get(struct strbuf *out, const struct web *w, const char *method, const char *label)
{
    strbuf_addf(
        out, "%s /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n" ACCEPT "%s\r\n",
        method, w->token, label);
}

static void a_session_has_a_stream_until_it_is_ended(void **state)
{
    struct web *w = *state;
    struct strbuf out = STRBUF_INIT, got = STRBUF_INIT;
    char label[80];
    int fd = web_dial(w), stream = web_dial(w);
    char *answer = web_post_on(w, fd, "", INITIALIZE);
    label_of(answer, label, sizeof(label));
    free(answer);
    add_get(&out, w, "GET", label);
    web_put(stream, out.buf, out.len);
    assert_true(web_hear_until(stream, &got, "text/event-stream"));
    expect_raw(web_dial(w), out.buf, " 409 ");
    answer =
        web_post_on(w, fd, label,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                    "\"memory_raw\",\"arguments\":{\"blob\":\"seen over http\"}}}");
    assert_has(answer, "raw:");
    const char *ref = strstr(answer, "raw:");
    char subscribe[200];
    snprintf(subscribe, sizeof(subscribe),
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\",\"params\":{\"uri\":"
             "\"stemma://raw/%.36s\"}}",
             ref + 4);
    char said[200];
    snprintf(said, sizeof(said),
             "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":"
             "\"memory_mark\",\"arguments\":{\"ref\":\"raw:%.36s\",\"mark\":\"starred\"}}}",
             ref + 4);
    free(answer);
    answer = web_post_on(w, fd, label, subscribe);
    assert_has(answer, "\"result\":{}");
    free(answer);
    free(web_post_on(w, fd, label, said));
    assert_true(web_hear_until(stream, &got, "notifications/resources/updated"));
    strbuf_clear(&out);
    add_get(&out, w, "DELETE", label);
    web_put(fd, out.buf, out.len);
    struct strbuf rest = STRBUF_INIT;
    answer = web_take_answer(fd, &rest);
    assert_has(answer, " 200 ");
    free(answer);
    assert_true(web_hear_until(stream, &got, "0\r\n\r\n")); /* in good order */
    answer = web_post_on(w, fd, label, PING);
    assert_has(answer, " 404 ");
    free(answer);
    close(fd);
    close(stream);
    strbuf_release(&out);
    strbuf_release(&got);
    strbuf_release(&rest);
}

static void requests_of_one_client_are_one_session(void **state)
{
    struct web *w = *state;
    struct program p = {0};
    char label[80];
    int fd = web_dial(w);
    char *answer = web_post_on(w, fd, "", INITIALIZE);
    label_of(answer, label, sizeof(label));
    free(answer);
    for (int i = 0; i < 3; i++) {
        expect(w, label,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
               "\"memory_raw\",\"arguments\":{\"blob\":\"one of three\"}}}",
               " 200 ", "raw:");
        expect(w, MODERN("tools/call") "Mcp-Name: memory_list\r\n", GET_TOOL("memory_list"),
               " 200 ", "\"resultType\"");
    }
    close(fd);
    for (int i = 0; i < 600 && !(p.out && strstr(p.out, "\"era\":\"2026-07-28\"")); i++) {
        usleep(i ? 100000 : 0); /* rows are written a moment after */
        PROGRAM(&p, "sessions", "--all", "--store", w->store, "--json");
    }
    assert_has(p.out, "\"transport\":\"http\"");
    assert_has(p.out, "\"client\":\"tester\"");
    assert_has(p.out, "\"era\":\"2026-07-28\"");
    int count = 0;
    for (const char *at = p.out; (at = strstr(at, "\"transport\":")); at++)
        count++;
    assert_int_equal(count, 2);
    PROGRAM(&p, "sessions", "--all", "--store", w->store);
    assert_has(p.out, "loopback"); /* the system does not say who is there */
    program_release(&p);
}

#define UNKNOWN "Mcp-Session-Id: 0123456789abcdef0123456789abcdef\r\n"
#define CALL(tool, arguments)                                                                      \
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"" tool         \
    "\",\"arguments\":" arguments "}}"

/* Whose session is not known any more is told so, and begins anew. */
static void an_unknown_session_is_no_session(void **state)
{
    struct web *w = *state;
    expect(w, UNKNOWN, PING, " 404 ", "\"id\":1,\"error\":{\"code\":-32600");
    expect(w, UNKNOWN "MCP-Protocol-Version: 2025-11-25\r\n",
           CALL("memory_raw", "{\"blob\":\"x\"}"), " 404 ", "there is no such session");
    expect(w, UNKNOWN, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", " 404 ",
           "\"error\"");
    expect(w, "Mcp-Session-Id:\r\n", PING, " 404 ", "there is no such session");
    expect(w, UNKNOWN, INITIALIZE, " 200 ", "Mcp-Session-Id: ");
    expect(w, UNKNOWN MODERN("server/discover"), DISCOVER, " 200 ", "\"resultType\"");
}

/* Arrays are of one revision: the session's, whatever a request says or leaves out. */
static void a_session_keeps_its_revision(void **state)
{
    static const char *const revisions[] = {"2025-03-26", "2025-11-25"};
    struct web *w = *state;
    for (size_t i = 0; i < 2; i++) {
        char begin[300], label[64], headers[200];
        const char *status = i ? " 400 " : " 200 ", *part = i ? "-32600" : "[{\"jsonrpc\"";
        snprintf(begin, sizeof(begin),
                 "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
                 "{\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":"
                 "{\"name\":\"tester\",\"version\":\"9\"}}}",
                 revisions[i]);
        int fd = web_dial(w);
        char *answer = web_post_on(w, fd, "", begin);
        label_of(answer, label, sizeof(label));
        free(answer);
        close(fd);
        expect(w, label, "[" PING "]", status, part);
        for (size_t k = 0; k < 2; k++) {
            snprintf(headers, sizeof(headers), "%sMCP-Protocol-Version: %s\r\n", label,
                     revisions[k]);
            expect(w, headers, "[" PING "]", status, part);
        }
    }
}

static void who_has_no_session_is_not_in_anothers(void **state)
{
    struct web *w = *state;
    int one = web_dial(w), other = web_dial(w);
    free(web_post_on(w, one, "", CALL("memory_raw", "{\"blob\":\"x\"}")));
    char *answer = web_post_on(w, one, "", CALL("getContext", "{\"include_history\":true}"));
    assert_has(answer, "{\"tool_name\":\"memory_raw\"");
    free(answer);
    answer = web_post_on(w, other, "", CALL("getContext", "{\"include_history\":true}"));
    assert_has(answer, "\"tool_history\":[]");
    free(answer);
    close(one);
    close(other);
    expect(w, "", CALL("getContext", "{\"include_history\":true}"), " 200 ", "\"tool_history\":[]");
}

#define CONTEXT(agent)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"getContext\"," \
    "\"arguments\":{\"include_history\":true},\"_meta\":{"                                         \
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                  \
    "\"io.modelcontextprotocol/clientCapabilities\":{},"                                           \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"host\",\"version\":\"1\"}" agent "}}}"
#define AS(name) ",\"dev.stemma/agent_id\":\"" name "\""

/* Where nothing but what it says tells a client from another; what names no agent is of none of them. */
static void agents_of_one_client_have_a_session_each(void **state)
{
    static const char headers[] = MODERN("tools/call") "Mcp-Name: getContext\r\n";
    struct web *w = *state;
    static const char *const calls[] = {CONTEXT(AS("ash")), CONTEXT(AS("bob")), CONTEXT("")};
    for (size_t i = 0; i < 3; i++)
        expect(w, headers, calls[i], " 200 ", "\"tool_history\":[]");
    for (size_t i = 0; i < 3; i++)
        expect(w, headers, calls[i], " 200 ", "\"tool_history\":[{\"tool_name\":\"getContext\"");
}

/* ---- the Unix socket ---- */

static void the_socket_speaks_both(void **state)
{
    struct web *w = *state;
    struct client lines;
    int fd = web_dial_socket(w);
    expect_raw(fd,
               "POST /mcp HTTP/1.1\r\nHost: anything\r\n" JSON "Content-Length: 40\r\n\r\n" PING,
               " 200 ");
    client_connect(&lines, w->path);
    assert_string_equal(client_ask(&lines, PING), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    client_close(&lines);
    client_connect(&lines, w->path);
    client_send(&lines, "nonsense");
    assert_has(client_read(&lines), "-32700");
    client_close(&lines);
    fd = web_dial_socket(w);
    expect_raw(fd,
               "POST /mcp HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.example.com\r\n" JSON
               "Content-Length: 40\r\n\r\n" PING,
               " 403 ");
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, web_new_store, web_forget_store)
    const struct CMUnitTest tests[] = {
        CASE(only_who_has_the_token_is_let_in),
        CASE(names_of_others_are_refused),
        CASE(the_token_is_its_owners_alone),
        CASE(a_token_holds_as_long_as_its_file),
        CASE(it_listens_on_the_loopback_alone),
        CASE(what_is_no_request_of_ours_is_refused),
        CASE(a_legacy_client_is_served),
        CASE(a_modern_request_says_the_same_in_its_headers),
        CASE(chunks_pipelines_and_bytes_are_all_the_same),
        CASE(a_body_without_an_end_is_not_kept),
        CASE(heads_have_a_size),
        CASE(bodies_may_be_described),
        CASE(a_slow_crowd_is_nobody_elses_trouble),
        CASE(what_is_told_on_the_way_makes_a_stream),
        CASE(changes_arrive_on_a_listen_stream),
        CASE(a_session_has_a_stream_until_it_is_ended),
        CASE(requests_of_one_client_are_one_session),
        CASE(an_unknown_session_is_no_session),
        CASE(a_session_keeps_its_revision),
        CASE(who_has_no_session_is_not_in_anothers),
        CASE(agents_of_one_client_have_a_session_each),
        CASE(the_socket_speaks_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
