/* Parsing a line as a message: its class, its id, and the error of an invalid one. */
#include "store/mcp/protocol/message.h"
#include "tests/support/test.h"

static struct message read_line(const char *line, size_t len)
{
    struct message m;
    message_read(&m, line, len);
    return m;
}

static void expect_slice(struct json_slice got, const char *wanted)
{
    if (!wanted) {
        assert_null(got.ptr);
        return;
    }
    assert_non_null(got.ptr);
    assert_int_equal(got.len, strlen(wanted));
    assert_memory_equal(got.ptr, wanted, got.len);
}

/* ---- ids ---- */

TEST(id_is_a_string_or_an_integer_and_is_echoed)
{
    static const char *const good[] = {
        "0",
        "1",
        "-1",
        "-0",
        "9007199254740993",
        "123456789012345678901234567890",
        "\"\"",
        "\"a\"",
        "\"0\"",
        "\"a \\\"quoted\\\" \\u00e9\\n\\ud83d\\ude00 \\/ \xc3\xa9\"",
        "\"null\"",
        "\"\\u0000\"",
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        char line[256];
        int len =
            snprintf(line, sizeof(line),
                     " { \"method\" : \"ping\" , \"id\" : %s ,\"jsonrpc\":\"2.0\"}\r", good[i]);
        struct message m = read_line(line, (size_t)len);
        assert_int_equal(m.class, MESSAGE_REQUEST);
        expect_slice(m.id, good[i]);
        assert_string_equal(m.method, "ping");
    }
}

TEST(invalid_id_is_refused_and_not_echoed)
{
    static const char *const bad[] = {
        "null",       "true", "false", "1.5",        "1.0",
        "1e0",        "1E3",  "-2.0",  "[1]",        "{}",
        "[]",         "0.0",  "1e15",  "{\"id\":1}", "\"half \\ud800\"",
        "\"\\udc00\""};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        char line[128];
        int len = snprintf(line, sizeof(line),
                           "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}", bad[i]);
        struct message m = read_line(line, (size_t)len);
        assert_int_equal(m.class, MESSAGE_BROKEN);
        assert_int_equal(m.code, RPC_INVALID_REQUEST);
        assert_null(m.id.ptr);
    }
}

TEST(id_has_a_maximum_length)
{
    for (size_t extra = 0; extra < 2; extra++) {
        AUTO_STRBUF line = STRBUF_INIT;
        strbuf_addstr(&line, "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":\"");
        strbuf_addchars(&line, 'i', MCP_ID_MAX - 2 + extra);
        strbuf_addstr(&line, "\"}");
        struct message m = read_line(line.buf, line.len);
        assert_int_equal(m.class, extra ? MESSAGE_BROKEN : MESSAGE_REQUEST);
        assert_int_equal(m.id.len, extra ? 0 : MCP_ID_MAX);
    }
}

TEST(ids_are_the_same_by_type_and_text)
{
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {
        {"1", "1", true},           {"1", "\"1\"", false},       {"\"a\"", "\"a\"", true},
        {"\"a\"", "\"A\"", false},  {"\"\"", "\"\"", true},      {"\"a\"", "\"\\u0061\"", true},
        {"\"/\"", "\"\\/\"", true}, {"\"\\n\"", "\"n\"", false}, {"\"a\\u0000b\"", "\"a\"", false},
        {"10", "1", false},         {"\"\\u0000\"", "0", false},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        struct json_slice a = {pairs[i].a, strlen(pairs[i].a)};
        struct json_slice b = {pairs[i].b, strlen(pairs[i].b)};
        assert_int_equal(message_same_id(a, b), pairs[i].same);
        assert_int_equal(message_same_id(b, a), pairs[i].same);
    }
}

/* ---- lines ---- */

struct row {
    const char *line;
    enum message_class class;
    enum rpc_code code; /* of an invalid message */
    const char *id;     /* NULL if none */
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct message m = read_line(rows[i].line, strlen(rows[i].line));
        if (m.class != rows[i].class || (m.class == MESSAGE_BROKEN && m.code != rows[i].code))
            fail_msg("%s: class %d, code %d (%s)", rows[i].line, m.class, m.code, m.problem);
        expect_slice(m.id, rows[i].id);
        if (m.class == MESSAGE_BROKEN)
            assert_true(m.problem[0]);
    }
}
#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof(*rows))

TEST(invalid_json_is_a_parse_error_without_id)
{
    static const char *const lines[] = {
        "",
        "nonsense",
        "{",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} {}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",}",
        "{'jsonrpc':'2.0','id':1,'method':'ping'}",
        "{\"jsonrpc\":\"2.0\",\"id\":NaN,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":01,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":5.}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"/*why*/}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\tng\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\\x69ng\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\\u00zzng\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xffng\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc0\xafng\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xed\xa0\x80\"}",     /* CESU-8 */
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xf4\x90\x80\x80\"}", /* beyond Unicode */
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\ud800\xff\"}",
        "{\"jsonrpc\":\"2.0\",\v\"id\":1,\"method\":\"ping\"}",
        "\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":1,\"a\":1}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\",\"params\":{\"a\":1,\"a\":1}}",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        struct row row = {lines[i], MESSAGE_BROKEN, RPC_PARSE_ERROR, NULL};
        check_rows(&row, 1);
    }
    struct message m = read_line("{\"jsonrpc\":\"2.0\"\0}", 18); /* a NUL is not white space */
    assert_int_equal(m.code, RPC_PARSE_ERROR);
}

#define PING "\"jsonrpc\":\"2.0\",\"method\":\"ping\""
#define BAD  MESSAGE_BROKEN, RPC_INVALID_REQUEST

/* The sender of JSON that is refused waits for an answer. */
TEST(refused_json_has_its_id)
{
    static const struct row rows[] = {
        {"{\"id\":1," PING ",\"params\":{\"a\":1,\"a\":1}}", BAD, "1"},
        {"{" PING ",\"params\":{\"a\":1,\"a\":{\"id\":5}},\"id\":\"x\"}", BAD, "\"x\""},
        {"{" PING ",\"m\\u0065thod\":\"pong\",\"\\u0069d\":2}", BAD, "2"},
        {"{\"id\":1," PING ",\"params\":{\"a\":1,\"a\":\"\\ud83d\"}}", BAD, "1"},
        /* two ids, or none */
        {"{\"id\":1," PING ",\"id\":2}", BAD, NULL},
        {"{\"id\":1," PING ",\"\\u0069d\":1}", BAD, NULL},
        {"{\"id\":1.5," PING ",\"params\":{\"a\":1,\"a\":1}}", BAD, NULL},
        {"{\"id\":\"\\ud83d\"," PING ",\"params\":{\"a\":1,\"a\":1}}", BAD, NULL},
        {"{" PING ",\"params\":{\"id\":3,\"id\":3}}", BAD, NULL},
        {"[{\"id\":1," PING ",\"params\":{\"a\":1,\"a\":1}}]", BAD, NULL},
        /* of a request of ours */
        {"{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{\"a\":1,\"a\":1}}", BAD, NULL},
    };
    CHECK(rows);
    struct message m = read_line(rows[3].line, strlen(rows[3].line));
    assert_string_equal(m.problem, "JSON with a duplicate key at byte 57");
    /* The tool that takes a number refuses it. */
    static const struct row too_large[] = {
        {"{\"id\":1," PING ",\"params\":{\"a\":1e400}}", MESSAGE_REQUEST, 0, "1"},
    };
    CHECK(too_large);
}

TEST(too_long_id_is_reported)
{
    for (size_t bytes = MCP_ID_MAX; bytes <= MCP_ID_MAX + 1; bytes++) {
        AUTO_STRBUF line = STRBUF_INIT;
        strbuf_addstr(&line, "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":\"");
        strbuf_addchars(&line, 'i', bytes - 2);
        strbuf_addstr(&line, "\"}");
        struct message m = read_line(line.buf, line.len);
        bool fits = bytes == MCP_ID_MAX;
        assert_int_equal(m.class, fits ? MESSAGE_REQUEST : MESSAGE_BROKEN);
        assert_string_equal(m.problem, fits ? "" : "id is longer than 4096 bytes");
        assert_int_equal(m.id.len, fits ? bytes : 0);
    }
}

TEST(invalid_envelope_is_an_invalid_request)
{
    static const struct row rows[] = {
        {"{}", MESSAGE_BROKEN, RPC_INVALID_REQUEST, NULL},
        {"5", MESSAGE_BROKEN, RPC_INVALID_REQUEST, NULL},
        {"null", MESSAGE_BROKEN, RPC_INVALID_REQUEST, NULL},
        {"\"ping\"", MESSAGE_BROKEN, RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\"}", MESSAGE_BROKEN, RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1}", MESSAGE_BROKEN, RPC_INVALID_REQUEST, "1"},
        {"{\"id\":1,\"method\":\"ping\"}", MESSAGE_BROKEN, RPC_INVALID_REQUEST, "1"},
        {"{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}", MESSAGE_BROKEN,
         RPC_INVALID_REQUEST, "\"a\""},
        {"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", MESSAGE_BROKEN, RPC_INVALID_REQUEST,
         "1"},
        {"{\"jsonrpc\":2,\"id\":1,\"method\":\"ping\"}", MESSAGE_BROKEN, RPC_INVALID_REQUEST, "1"},
        {"{\"JSONRPC\":\"2.0\",\"id\":1,\"method\":\"ping\"}", MESSAGE_BROKEN, RPC_INVALID_REQUEST,
         "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"Method\":\"ping\"}", MESSAGE_BROKEN, RPC_INVALID_REQUEST,
         "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", MESSAGE_BROKEN, RPC_INVALID_REQUEST, "1"},
        {"{\"jsonrpc\":\"2.0\",\"method\":5}", MESSAGE_BROKEN, RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}", MESSAGE_BROKEN, RPC_INVALID_REQUEST,
         "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}", MESSAGE_BROKEN,
         RPC_INVALID_PARAMS, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}", MESSAGE_BROKEN,
         RPC_INVALID_PARAMS, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":\"\"}", MESSAGE_BROKEN,
         RPC_INVALID_PARAMS, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"_meta\":null}}",
         MESSAGE_BROKEN, RPC_INVALID_PARAMS, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"_meta\":[]}}",
         MESSAGE_BROKEN, RPC_INVALID_PARAMS, "1"},
        /* not valid names of methods */
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\\u0000\"}", MESSAGE_BROKEN,
         RPC_METHOD_NOT_FOUND, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
         "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
         "aaa"
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}",
         MESSAGE_BROKEN, RPC_METHOD_NOT_FOUND, "1"},
    };
    CHECK(rows);
}

TEST(valid_messages_are_accepted)
{
    static const struct row rows[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", MESSAGE_REQUEST, 0, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{}}", MESSAGE_REQUEST, 0,
         "1"},
        {"{\"id\":1,\"method\":\"\",\"jsonrpc\":\"2.0\"}", MESSAGE_REQUEST, 0, "1"},
        {"{\"\\u006asonrpc\":\"\\u0032.0\",\"id\":1,\"method\":\"\\u0070ing\"}", MESSAGE_REQUEST, 0,
         "1"},
        /* unknown members, and a request that also looks like a response */
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"trace\":{\"a\":[1]},\"result\":1}",
         MESSAGE_REQUEST, 0, "1"},
        /* half a surrogate pair, as clients escape it */
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\\ud83d\"}}",
         MESSAGE_REQUEST, 0, "1"},
        {"[]", MESSAGE_BATCH, 0, NULL},
        {" [ {} ] ", MESSAGE_BATCH, 0, NULL},
    };
    CHECK(rows);
}

TEST(answers_and_notifications_are_never_answered)
{
    static const struct row rows[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", MESSAGE_RESPONSE, 0, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}", MESSAGE_RESPONSE,
         0, "1"},
        {"{\"jsonrpc\":\"2.0\",\"error\":{}}", MESSAGE_RESPONSE, 0, NULL},
        {"{\"id\":null,\"result\":null}", MESSAGE_RESPONSE, 0, NULL},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", MESSAGE_NOTIFICATION, 0,
         NULL},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{}}", MESSAGE_NOTIFICATION, 0,
         NULL},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":null}", MESSAGE_NOTIFICATION, 0, NULL},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[1]}", MESSAGE_NOTIFICATION, 0, NULL},
        {"{\"jsonrpc\":\"1.0\",\"method\":\"x\"}", MESSAGE_NOTIFICATION, 0, NULL},
        {"{\"method\":\"x\"}", MESSAGE_NOTIFICATION, 0, NULL},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"_meta\":7}}", MESSAGE_NOTIFICATION, 0,
         NULL},
    };
    CHECK(rows);
    struct message m = read_line(rows[6].line, strlen(rows[6].line));
    assert_string_equal(m.method, ""); /* an invalid one has no effect either */
    assert_null(m.params.ptr);
}

TEST(nesting_depth_is_limited)
{
    static const size_t some[] = {126, 127, 100000};
    for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
        size_t levels = some[i];
        AUTO_STRBUF line = STRBUF_INIT;
        strbuf_addstr(&line,
                      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":");
        strbuf_addchars(&line, '[', levels);
        strbuf_addchars(&line, ']', levels);
        strbuf_addstr(&line, "}}");
        struct message m = read_line(line.buf, line.len);
        assert_int_equal(m.class, levels == 126 ? MESSAGE_REQUEST : MESSAGE_BROKEN);
        expect_slice(m.id, "1");
        assert_string_equal(m.problem,
                            levels == 126 ? "" : "JSON nested deeper than 128 levels at byte 181");
    }
}

/* ---- eras ---- */

TEST(the_era_is_in_the_meta)
{
    static const struct {
        const char *meta, *version, *capabilities;
        bool modern;
    } rows[] = {
        {"{}", NULL, NULL, false},
        {"{\"progressToken\":1,\"io.modelcontextprotocol/related-task\":{}}", NULL, NULL, false},
        {"{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}", "\"2026-07-28\"", NULL,
         true},
        {"{\"io.modelcontextprotocol/protocolVersion\":null}", "null", NULL, true},
        {"{\"io.modelcontextprotocol\\/clientCapabilities\":{}}", NULL, "{}", true},
        {"{\"protocolVersion\":\"2026-07-28\"}", NULL, NULL, false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char line[256];
        int len =
            snprintf(line, sizeof(line),
                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{\"_meta\":%s}}",
                     rows[i].meta);
        struct message m = read_line(line, (size_t)len);
        assert_int_equal(m.class, MESSAGE_REQUEST);
        assert_int_equal(m.modern, rows[i].modern);
        expect_slice(m.meta, rows[i].meta);
        expect_slice(m.version, rows[i].version);
        expect_slice(m.capabilities, rows[i].capabilities);
    }
}

TEST(copy_string_fits_or_fails)
{
    static const struct {
        const char *value;
        int len;
        const char *word;
    } rows[] = {
        {"\"abc\"", 3, "abc"},
        {"\"\"", 0, ""},
        {"\"abcdefg\"", 7, "abcdefg"},
        {"\"abcdefgh\"", -1, ""},
        {"\"a\\u0000\"", -1, ""},
        {"\"\\u0061\\n\"", 2, "a\n"},
        {"5", -1, ""},
        {"null", -1, ""},
        {"{}", -1, ""},
        {"\"\\ud83d\\ude00\"", 4, "\xf0\x9f\x98\x80"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char word[8];
        struct json_slice value = {rows[i].value, strlen(rows[i].value)};
        assert_int_equal(message_copy_string(value, word, sizeof(word)), rows[i].len);
        assert_string_equal(word, rows[i].word);
    }
}
