/* The engine on strings: lines that arrive in any way, invalid input, arrays, and many requests at once. */
#include "store/mcp/protocol/connection_internal.h"
#include "tests/support/dialogue.h"
#include "tests/support/test.h"

#define ROWS(rows) rows, sizeof(rows) / sizeof(*rows)
#define PING(id)   REQUEST(id, "ping", "")
#define PONG(id)   RESULT(id, "")

FIXTURE(fake_set_up, fake_tear_down);

TEST(lines_may_end_with_any_line_end)
{
    static const struct dialogue rows[] = {
        {"{'jsonrpc':'2.0','id':1,'method':'ping'}\n", PONG("1")},
        {"{'jsonrpc':'2.0','id':1,'method':'ping'}\r\n", PONG("1")},
        {"\n\r\n  \n\t\n" PING("1") "\n\n", PONG("1")},
        {"\xef\xbb\xbf" PING("1") PING("2"), PONG("1") PONG("2")},
        {"\xef\xbb\xbf\r\n" PING("1"), PONG("1")},
        {"\xef\xbb\xbf", ""},
        {PING("1") "\xef\xbb\xbf" PING("2"),
         PONG("1") LOST("-32700", "not JSON: an unexpected character at byte 1")},
        {PING("1") PING("'b'") PING("-3"), PONG("1") PONG("'b'") PONG("-3")},
        {"{'jsonrpc':'2.0','id':1,'method':'ping'}", ""}, /* without its line end */
        {" \t{ 'jsonrpc' : '2.0' , 'id' : '\\u00e9\\/' , 'method' : 'ping' } \r\n",
         PONG("'\\u00e9\\/'")},
        {PING("''") PING("0") PING("-0") PING("123456789012345678901234567890"),
         PONG("''") PONG("0") PONG("-0") PONG("123456789012345678901234567890")},
        {PING("'\xf0\x9f\x98\x80'"), PONG("'\xf0\x9f\x98\x80'")},
    };
    dialogues_run(ROWS(rows), NULL);
}

TEST(last_line_needs_no_line_end)
{
    struct fake *f = *state;
    dialogue_expect(f, "{'jsonrpc':'2.0','id':1,'method':'ping'}", "");
    mcp_connection_end(f->c);
    assert_int_equal(mcp_connection_next(f->c), 1);
    assert_int_equal(mcp_connection_next(f->c), 0);
    assert_string_equal(fake_output(f), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    dialogue_expect(f, PING("2"), ""); /* input after its end is ignored */
}

/* ---- lines over the limit ---- */

static void say_long(struct fake *f, size_t spaces, size_t chunk)
{
    static char blank[1 << 16];
    memset(blank, ' ', sizeof(blank));
    while (spaces > 0) {
        size_t n = spaces < chunk ? spaces : chunk;
        fake_send_bytes(f, blank, n);
        spaces -= n;
    }
}

TEST(line_may_be_as_long_as_the_limit)
{
    static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    for (size_t extra = 0; extra < 2; extra++) {
        struct fake f;
        fake_open(&f, fake_service());
        fake_send(&f, ping);
        say_long(&f, MCP_LINE_MAX - strlen(ping) + extra, 1 << 16);
        dialogue_expect(&f, "\r\n" PING("2"),
                        extra ? LOST("-32600", "a line is longer than 16 MiB and was not read")
                                    PONG("2")
                              : PONG("1") PONG("2"));
        fake_close(&f);
    }
}

TEST(too_long_line_is_refused_once_and_discarded)
{
    struct fake *f = *state;
    fake_send(f, "{\"a\":\"");
    for (int i = 0; i < 4; i++) {
        say_long(f, MCP_LINE_MAX, (1 << 16) - 7);
        assert_true(f->c->in.bytes.alloc <= 2 * (MCP_LINE_MAX + (2 << 16)));
        if (i > 1)
            assert_int_equal(f->c->in.bytes.alloc, 0);
    }
    dialogue_expect(f, "still the same line",
                    LOST("-32600", "a line is longer than 16 MiB and was not read"));
    dialogue_expect(f, "\n" PING("1"), PONG("1"));
}

TEST(buffer_is_freed_between_lines)
{
    struct fake *f = *state;
    dialogue_expect(
        f, HANDSHAKE("2025-11-25") PING("1") PING("2") "{'half",
        RESULT("0", "'protocolVersion':'2025-11-25','capabilities':{'tools':{},"
                    "'resources':{'subscribe':true},'prompts':{},'completions':{},"
                    "'logging':{}},'serverInfo':{'name':'fake','title':'A fake',"
                    "'version':'1.2.3'},'instructions':'Use it.\\nNo name is granted to you here: "
                    "an agent_id is kept as a claim.'") PONG("1") PONG("2"));
    assert_true(f->c->in.bytes.alloc > 0);
    fake_send(f, "\n");
    assert_int_equal(f->c->in.bytes.alloc, 0);
    assert_true(sizeof(struct mcp_connection) < 512);
}

/* ---- arrays of messages ---- */

#define ITEM(id, method, params)                                                                   \
    "{'jsonrpc':'2.0','id':" id ",'method':'" method "','params':{" params "}}"
#define GOT(id, members) "{'jsonrpc':'2.0','id':" id ",'result':{" members "}}"
#define FAILED(id, code, message)                                                                  \
    "{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'" message "'}}"

TEST(one_revision_has_arrays)
{
    static const struct dialogue rows[] = {
        {"[" ITEM("1", "ping", "") "]\n", "[" GOT("1", "") "]\n"},
        {" [ " ITEM("1", "ping", "") " , " ITEM("'b'", "no", "") " ]\r\n",
         "[" GOT("1", "") "," FAILED("'b'", "-32601", "no method \\'no\\'") "]\n"},
        {"[]\n", LOST("-32600", "an array without messages")},
        {"[7," ITEM("1", "ping", "") ",[]]\n",
         "[{'jsonrpc':'2.0','error':{'code':-32600,'message':'a message must be a JSON "
         "object'}}," GOT(
             "1", "") ",{'jsonrpc':'2.0','error':{'code':-32600,'message':'a message must be a "
                      "JSON object'}}]\n"},
        {"[{'jsonrpc':'2.0','method':'notifications/initialized'}]\n", ""},
        {"[{'jsonrpc':'2.0','id':1,'result':{}}]\n", ""},
        {"[{'jsonrpc':'2.0','method':'x'}," ITEM("1", "ping", "") "]\n", "[" GOT("1", "") "]\n"},
        {"[" ITEM("1", "initialize", "'protocolVersion':'2025-03-26'") "]\n",
         "[" FAILED("1", "-32600", "this request cannot be in an array") "]\n"},
        {"[" ITEM("1", "tools/list", META) "]\n",
         "[" FAILED("1", "-32600", "this request cannot be in an array") "]\n"},
    };
    dialogues_run(ROWS(rows), HANDSHAKE("2025-03-26"));
}

TEST(array_is_answered_when_complete)
{
    struct fake f;
    fake_open(&f, fake_service());
    fake_send(&f, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                  "\"protocolVersion\":\"2025-03-26\"}}\n");
    fake_output(&f);
#define WAIT(id) ITEM(id, "tools/call", "'name':'wait'")
#define WAITED(id)                                                                                 \
    GOT(id, "'content':[{'type':'text','text':'{\\'waited\\':true}'}],'structuredContent':{"       \
            "'waited':true}")
    dialogue_expect(&f, "[" WAIT("1") "," ITEM("2", "ping", "") "," WAIT("3") "]\n" WAIT("4") "\n",
                    "");
    assert_int_equal(f.c->in_flight, 3);
    assert_true(fake_finish(&f));
    dialogue_expect(&f, "", "");
    assert_true(fake_finish(&f));
    dialogue_expect(&f, "", "[" GOT("2", "") "," WAITED("1") "," WAITED("3") "]\n");
    /* A cancelled request of an array does not delay its answer. */
    dialogue_expect(
        &f, "[" WAIT("5") "," WAIT("6") "]\n" NOTE("notifications/cancelled", "'requestId':5"), "");
    while (fake_finish(&f))
        ;
    dialogue_expect(&f, "", WAITED("4") "\n[" WAITED("6") "]\n");
    dialogue_expect(&f, "[" WAIT("7") "]\n" NOTE("notifications/cancelled", "'requestId':7"), "");
    while (fake_finish(&f))
        ;
    dialogue_expect(&f, PING("8"), PONG("8"));
    dialogue_expect(&f, "[" WAIT("9") "," ITEM("10", "ping", "") "]\n", "");
    fake_close(&f); /* with an array that is not fully answered */
}

TEST(an_array_has_bounds)
{
    struct fake *f = *state;
    AUTO_STRBUF line = STRBUF_INIT;
    fake_send(f, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                 "\"protocolVersion\":\"2025-03-26\"}}\n");
    fake_output(f);
    for (size_t count = MCP_BATCH_MAX; count <= MCP_BATCH_MAX + 1; count++) {
        strbuf_addch(&line, '[');
        for (size_t i = 0; i < count; i++)
            strbuf_addf(&line, "%s{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"ping\"}",
                        i ? "," : "", i);
        strbuf_addstr(&line, "]\n");
        fake_send(f, line.buf);
        strbuf_clear(&line);
        if (count > MCP_BATCH_MAX)
            dialogue_expect(f, "", LOST("-32600", "too many messages in one array"));
        else
            assert_int_equal(fake_output(f)[0], '[');
    }
    /* The answers together must not be longer than a line; the last ones become errors. */
    strbuf_addch(&line, '[');
    for (int i = 0; i < 8; i++)
        strbuf_addf(&line,
                    "%s{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{"
                    "\"name\":\"fill\",\"arguments\":{\"bytes\":1000000}}}",
                    i ? "," : "", i);
    strbuf_addstr(&line, "]\n");
    fake_send(f, line.buf);
    const char *heard = fake_output(f);
    assert_true(strlen(heard) < MCP_ANSWER_MAX);
    assert_non_null(strstr(heard, "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32603,"));
    assert_non_null(strstr(heard, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":"));
}

TEST(number_of_pending_arrays_is_limited)
{
    struct fake *f = *state;
    fake_send(f, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                 "\"protocolVersion\":\"2025-03-26\"}}\n");
    fake_output(f);
    for (int i = 1; i <= MCP_BATCHES_MAX; i++) {
        char said[256];
        assert_false(mcp_connection_full(f->c));
        snprintf(said, sizeof(said), "[" WAIT("%d") "]\n", i);
        dialogue_expect(f, said, "");
    }
    assert_true(mcp_connection_full(f->c));
    assert_true(fake_finish(f));
    dialogue_expect(f, "", "[" WAITED("1") "]\n");
    assert_false(mcp_connection_full(f->c));
}

/* ---- many at once ---- */

TEST(requests_in_flight_are_limited)
{
    struct fake f;
    fake_open(&f, fake_service());
    for (int i = 0; i < MCP_IN_FLIGHT_MAX; i++) {
        char line[128];
        assert_false(mcp_connection_full(f.c));
        snprintf(line, sizeof(line),
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"wait\"}}\n",
                 i);
        fake_send(&f, line);
    }
    assert_true(mcp_connection_full(f.c));
    assert_true(fake_finish(&f));
    assert_false(mcp_connection_full(f.c));
    fake_close(&f);
    assert_int_equal(f.cancelled, MCP_IN_FLIGHT_MAX - 1);
    assert_int_equal(fake_waiting(&f), 0);
}

TEST(bytes_in_flight_are_limited)
{
    struct fake *f = *state;
    size_t count = 0;
    while (!mcp_connection_full(f->c)) {
        char line[128];
        snprintf(line, sizeof(line),
                 "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"wait\",\"x\":\"",
                 count++);
        fake_send(f, line);
        say_long(f, 8u << 20, 1 << 16);
        fake_send(f, "\"}}\n");
    }
    assert_int_equal(count, 4);
    while (fake_finish(f))
        ;
    assert_false(mcp_connection_full(f->c));
    assert_int_equal(f->c->held, 0);
}
