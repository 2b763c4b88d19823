/* Calls of tools: the list, checks and answers; progress, log messages, cancellation and sessions. */
#include "model/base/utf8.h"
#include "model/base/alloc.h"
#include "store/mcp/protocol/connection_internal.h"
#include "store/mcp/metrics/metrics.h"
#include "store/session/session.h"
#include "tests/support/dialogue.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"

#define BOTH_FORMS(inside, json)                                                                   \
    "'content':[{'type':'text','text':'" inside "'}],'structuredContent':" json
#define FAILURE_INSIDE(code, message, hint)                                                        \
    "{\\'type\\':\\'error\\',\\'error\\':{\\'code\\':\\'" code "\\',\\'message\\':\\'" message     \
    "\\',\\'details\\':{\\'todo\\':\\'" hint "\\'}}}"
#define FAILURE(code, message, hint)                                                               \
    BOTH_FORMS(FAILURE_INSIDE(code, message, hint),                                                \
               "{'type':'error','error':{'code':'" code "','message':'" message                    \
               "','details':{'todo':'" hint "'}}}")                                                \
    ",'isError':true"
#define SAID(text, agent)                                                                          \
    BOTH_FORMS("{\\'said\\':\\'" text "\\',\\'agent\\':\\'" agent "\\'}",                          \
               "{'said':'" text "','agent':'" agent "'}")
#define MESSAGE(level, text)                                                                       \
    NOTE("notifications/message", "'level':'" level "','logger':'fake','data':'" text "'")
#define WAITED   BOTH_FORMS("{\\'waited\\':true}", "{'waited':true}")
#define WAIT(id) REQUEST(id, "tools/call", "'name':'wait'")

/* ---- tools/list ---- */

static char *hear_list(struct fake *f, const char *params)
{
    char said[512];
    snprintf(said, sizeof(said), REQUEST("1", "tools/list", "%s"), params);
    AUTO_FREE char *line = dialogue_quoted(said);
    fake_send(f, line);
    return strdup(fake_output(f));
}

static struct json_slice tools_of(const char *line)
{
    struct json_slice result = json_member(line, strlen(line) - 1, "result");
    return json_member(result.ptr, result.len, "tools");
}

FIXTURE(fake_set_up, fake_tear_down);

TEST(tools_are_listed_in_one_page_in_fixed_order)
{
    struct fake *f = *state;
    static const char *const names[] = {"say",  "fail",  "wait",    "count", "write",
                                        "fill", "lines", "picture", "tell"};
    AUTO_FREE char *first = hear_list(f, "'cursor':''"), *second = hear_list(f, "");
    AUTO_FREE char *modern = hear_list(f, META);
    assert_string_equal(first, second);
    struct json_slice tools = tools_of(first), in_modern = tools_of(modern);
    assert_int_equal(tools.len, in_modern.len);
    assert_memory_equal(tools.ptr, in_modern.ptr, tools.len);
    size_t i = 0;
    for (struct json_each it = json_each(tools); json_next(&it); i++) {
        char name[64];
        message_copy_string(message_member(it.value, "name"), name, sizeof(name));
        assert_string_equal(name, names[i]);
        assert_int_equal(message_member(it.value, "outputSchema").ptr != NULL, i == 0);
    }
    assert_int_equal(i, 9);
    assert_non_null(strstr(first, "\"annotations\":{\"title\":\"Say\",\"readOnlyHint\":true,"
                                  "\"destructiveHint\":false,\"idempotentHint\":true,"
                                  "\"openWorldHint\":false}"));
    assert_non_null(strstr(first,
                           "\"annotations\":{\"readOnlyHint\":false,\"destructiveHint\":true,"
                           "\"idempotentHint\":false,\"openWorldHint\":false}"));
}

/* Some clients validate errors too, so members are not required next to `error`. */
TEST(schema_of_answers_allows_errors)
{
    struct fake *f = *state;
    AUTO_FREE char *list = hear_list(f, "");
    struct json_each it = json_each(tools_of(list));
    assert_true(json_next(&it));
    struct json_slice schema = message_member(it.value, "outputSchema");
    assert_null(message_member(schema, "required").ptr);
    struct json_slice otherwise = message_member(message_member(schema, "else"), "required");
    assert_memory_equal(otherwise.ptr, "[\"said\"]", otherwise.len);
    struct json_slice when = message_member(message_member(schema, "if"), "required");
    assert_memory_equal(when.ptr, "[\"error\"]", when.len);
    assert_null(message_member(schema, "additionalProperties").ptr);
}

/* ---- tools/call ---- */

/* Invalid values are reported in the tool's result, because a model reads results, not protocol errors. */
TEST(wrong_arguments_are_a_result)
{
    static const char *const wrong[] = {"", "'text':7", "'text':null", "'text':'a','more':1",
                                        "'Text':'a'"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct fake f;
        char said[256];
        fake_open(&f, fake_service());
        snprintf(said, sizeof(said), CALL("1", "say", "%s"), wrong[i]);
        AUTO_FREE char *line = dialogue_quoted(said);
        fake_send(&f, line);
        const char *heard = fake_output(&f);
        assert_non_null(strstr(heard, "\"code\":\"INVALID_REQUEST\""));
        assert_non_null(strstr(heard, ",\"isError\":true}}\n"));
        assert_int_equal(f.started, 0);
        fake_close(&f);
    }
}

TEST(each_failure_has_its_code)
{
    static const struct {
        enum error_code how;
        const char *code;
    } rows[] = {
        {ERROR_NOT_FOUND, "NOT_FOUND"},     {ERROR_USAGE, "INVALID_REQUEST"},
        {ERROR_INVALID, "INVALID_REQUEST"}, {ERROR_STORE, "INTERNAL_ERROR"},
        {ERROR_BUSY, "INTERNAL_ERROR"},     {ERROR_REFUSED, "PERMISSION_DENIED"},
        {ERROR_CONFLICT, "CONFLICT"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct fake f;
        char said[256], heard[768];
        fake_open(&f, fake_service());
        snprintf(said, sizeof(said), CALL("1", "fail", "'how':%d"), (int)rows[i].how);
        snprintf(heard, sizeof(heard),
                 "%s" RESULT("1", FAILURE("%s", "there is none", "Try another.")),
                 rows[i].how == ERROR_REFUSED ? MESSAGE("notice", "fail was refused: there is none")
                                              : "",
                 rows[i].code, rows[i].code);
        dialogue_expect(&f, said, heard);
        fake_close(&f);
    }
}

TEST(too_long_answer_asks_for_less)
{
    static const int sizes[] = {1000000, 4990000, 4999500, 6000000, 12000000};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        struct fake f;
        char said[256];
        fake_open(&f, fake_service());
        snprintf(said, sizeof(said), CALL("1", "fill", "'bytes':%d"), sizes[i]);
        AUTO_FREE char *line = dialogue_quoted(said);
        fake_send(&f, line);
        const char *heard = fake_output(&f);
        bool fits = i < 2;
        assert_int_equal(strlen(heard) > (size_t)sizes[i] * 2, fits);
        assert_int_equal(strstr(heard, "smaller limit or depth") != NULL, !fits);
        assert_int_equal(strstr(heard, "\"isError\":true") != NULL, !fits);
        fake_close(&f);
    }
}

/* ---- in flight ---- */

TEST(answers_are_sent_when_ready)
{
    struct fake *f = *state;
    dialogue_expect(f, WAIT("1") WAIT("'1'") WAIT("''") REQUEST("0", "ping", ""), RESULT("0", ""));
    assert_int_equal(f->c->in_flight, 3);
    dialogue_expect(f, WAIT("1"), ERROR("1", "-32600", "a request with this id is in flight"));
    while (fake_finish(f))
        ;
    dialogue_expect(f, "", RESULT("1", WAITED) RESULT("'1'", WAITED) RESULT("''", WAITED));
    dialogue_expect(f, REQUEST("1", "ping", ""), RESULT("1", "")); /* its id is free again */
}

#define CANCEL(id) NOTE("notifications/cancelled", "'requestId':" id ",'reason':'enough'")

TEST(cancelled_call_is_not_answered)
{
    for (int at_once = 0; at_once < 2; at_once++) {
        struct fake f;
        fake_open(&f, fake_service());
        f.answers_cancelled = at_once;
        dialogue_expect(&f, WAIT("1") WAIT("'1'") WAIT("2"), "");
        dialogue_expect(&f, CANCEL("'1'") CANCEL("'1'") CANCEL("3") CANCEL("'2'"), "");
        assert_int_equal(f.cancelled, 1);
        assert_int_equal(f.c->in_flight, at_once ? 2 : 3);
        dialogue_expect(&f, WAIT("'1'"), ""); /* its id may be used again */
        while (fake_finish(&f))
            ;
        dialogue_expect(&f, "", RESULT("1", WAITED) RESULT("2", WAITED) RESULT("'1'", WAITED));
        dialogue_expect(&f, CANCEL("1") REQUEST("5", "ping", ""), RESULT("5", ""));
        assert_int_equal(f.c->in_flight, 0);
        fake_close(&f);
    }
}

TEST(disconnected_client_is_not_answered)
{
    for (int at_once = 0; at_once < 2; at_once++) {
        struct fake f;
        fake_open(&f, fake_service());
        f.answers_cancelled = at_once;
        dialogue_expect(&f, WAIT("1") WAIT("2") WAIT("3") CANCEL("2"), "");
        fake_close(&f);
        assert_int_equal(f.cancelled, 3);
        assert_int_equal(fake_waiting(&f), 0);
    }
}

/* ---- progress and log messages ---- */

#define PROGRESS(token, members)                                                                   \
    NOTE("notifications/progress", "'progressToken':" token "," members)

TEST(progress_grows_and_the_latest_is_sent)
{
    struct fake *f = *state;
    dialogue_expect(f, REQUEST("1", "tools/call", "'_meta':{'progressToken':1},'name':'wait'"), "");
    struct mcp_call *call = f->waiting;
    mcp_call_progress(call, 0.5, 0);
    mcp_call_progress(call, 1.5, 0);
    mcp_call_progress(call, 1, 0);
    assert_int_equal(f->told, 1); /* waking the loop once is enough */
    mcp_connection_send_progress(call);
    dialogue_expect(f, "", PROGRESS("1", "'progress':1.5"));
    mcp_connection_send_progress(call); /* nothing is new */
    mcp_call_progress(call, 1.5, 0);
    mcp_connection_send_progress(call);
    dialogue_expect(f, "", "");
    mcp_call_progress(call, 2, 0);
    assert_true(fake_finish(f));
    dialogue_expect(f, "", PROGRESS("1", "'progress':2") RESULT("1", WAITED));
}

TEST(cancelled_call_sends_no_progress)
{
    struct fake *f = *state;
    dialogue_expect(
        f, REQUEST("1", "tools/call", "'_meta':{'progressToken':1},'name':'wait'") CANCEL("1"), "");
    mcp_call_progress(f->waiting, 1, 0);
    mcp_connection_send_progress(f->waiting);
    assert_true(fake_finish(f));
    dialogue_expect(f, "", "");
}

/* ---- sessions ---- */

struct served {
    struct fixture fixture;
    struct call_log *log;
    struct fake fake;
};

static void serve(struct served *s)
{
    fixture_open(&s->fixture);
    s->log = call_log_open(s->fixture.store);
    assert_non_null(s->log);
    fake_open(&s->fake, fake_service());
    s->fake.host.log = s->log;
}

static int set_up_served(void **state)
{
    struct served *s = xcalloc(1, sizeof(*s));
    serve(s);
    *state = s;
    return 0;
}

/* The fixture of served calls closes itself. */
static int tear_down_served(void **state)
{
    struct served *s = *state;
    fixture_close(&s->fixture);
    free(s);
    return 0;
}

/* Returns the only session, after all writes. */
static struct session_row only_session(struct served *s)
{
    struct session_row *rows;
    size_t count;
    struct error e;
    call_log_close(s->log);
    assert_int_equal(
        session_list(s->fixture.reader, &s->fixture.arena, SESSIONS_ALL, 0, 0, &rows, &count, &e),
        0);
    assert_int_equal(count, 1);
    return rows[0];
}

FIXTURE(set_up_served, tear_down_served);

TEST(a_connection_is_a_session)
{
    struct served *s = *state;
    dialogue_expect(&s->fake, REQUEST("9", "ping", ""), RESULT("9", ""));
    assert_null(mcp_connection_session(s->fake.c));
    fake_send(&s->fake,
              "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
              "\"protocolVersion\":\"2025-06-18\",\"clientInfo\":{\"name\":\"test\\u0065r\","
              "\"version\":\"9\"}}}\n");
    assert_non_null(mcp_connection_session(s->fake.c));
    fake_output(&s->fake);
    dialogue_expect(&s->fake, CALL("1", "say", "'text':'hi'"), RESULT("1", SAID("hi", "?tester")));
    dialogue_expect(&s->fake, CALL("1", "say", "'text':'hi','agent_id':'ash'"),
                    RESULT("1", SAID("hi", "?ash")));
    AUTO_FREE char *bad = dialogue_quoted(CALL("2", "say", ""));
    fake_send(&s->fake, bad);
    fake_output(&s->fake);
    dialogue_expect(&s->fake, WAIT("3") CANCEL("3") WAIT("4"), "");
    assert_true(fake_finish(&s->fake));
    fake_close(&s->fake); /* one call returns after the connection is closed, and counts */
    struct session_row row = only_session(s);
    assert_string_equal(row.client, "tester");
    assert_string_equal(row.client_version, "9");
    assert_string_equal(row.era, "2025-06-18");
    assert_string_equal(row.transport, "stdio");
    assert_int_equal(row.calls, 5);
    assert_int_equal(row.errors, 1);
}

TEST(modern_request_starts_a_session)
{
    struct served *s = *state;
    AUTO_FREE char *line = dialogue_quoted(REQUEST(
        "0", "server/discover",
        META_OPEN
        ",'io.modelcontextprotocol/clientInfo':{'name':'first'}}") "{'jsonrpc':'2.0',"
                                                                   "'id':1,'method':"
                                                                   "'server/discover',"
                                                                   "'params':{" META_OPEN
                                                                   ",'io.modelcontextprotocol/"
                                                                   "clientInfo':{'name':'second','"
                                                                   "version':'2'}}}}\n");
    fake_send(&s->fake, line);
    fake_output(&s->fake);
    /* The _meta of one request does not apply to the next. */
    dialogue_expect(&s->fake, CALL("1", "say", "'text':'hi'"), RESULT("1", SAID("hi", "unnamed")));
    fake_close(&s->fake);
    struct session_row row = only_session(s);
    assert_string_equal(row.client, "first"); /* its first name */
    assert_null(row.client_version);
    assert_string_equal(row.era, "2025-11-25"); /* of the last request, which was not initialize */
    assert_int_equal(row.calls, 1);
}

/* Checks the agents of the rows in the log of calls, in order; equal ones are merged. NULL is the session's agent. */
static void assert_calls_of(struct served *s, const char *const *names, size_t count)
{
    struct call_row *rows;
    struct error e;
    size_t found;
    assert_int_equal(call_list(s->fixture.reader, &s->fixture.arena, 0, 100, &rows, &found, &e), 0);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++)
        if (names[i])
            assert_string_equal(rows[i].guard.agent, names[i]);
        else
            assert_null(rows[i].guard.agent);
}

#define NAMED(name)                                                                                \
    META_OPEN ",'io.modelcontextprotocol/clientInfo':{'name':'" name "'}},'name':'say',"           \
              "'arguments':{'text':'hi'}"
#define MODERN_SAID(agent) "'resultType':'complete'," SAID("hi", agent) "," STAMP
#define BEGIN(id, client)                                                                          \
    REQUEST(id, "initialize", "'protocolVersion':'2025-06-18','clientInfo':{" client "}")

/* In the stateless era each request names its sender; initialize names the sender of later legacy requests. */
TEST(each_request_has_its_own_actor)
{
    struct served *s = *state;
    dialogue_expect(&s->fake, REQUEST("1", "tools/call", NAMED("first")),
                    RESULT("1", MODERN_SAID("?first")));
    dialogue_expect(&s->fake, REQUEST("2", "tools/call", NAMED("second")),
                    RESULT("2", MODERN_SAID("?second")));
    dialogue_expect(&s->fake,
                    REQUEST("3", "tools/call", META ",'name':'say','arguments':{'text':'hi'}"),
                    RESULT("3", MODERN_SAID("unnamed")));
    static const char *const begins[] = {BEGIN("4", "'name':'old'"), BEGIN("5", "'name':'new'")};
    for (size_t i = 0; i < 2; i++) {
        AUTO_FREE char *line = dialogue_quoted(begins[i]);
        fake_send(&s->fake, line);
        fake_output(&s->fake);
        dialogue_expect(&s->fake, CALL("6", "say", "'text':'hi'"),
                        i ? RESULT("6", SAID("hi", "?new")) : RESULT("6", SAID("hi", "?old")));
    }
    dialogue_expect(&s->fake,
                    REQUEST("7", "tools/call", META ",'name':'say','arguments':{'text':'hi'}"),
                    RESULT("7", MODERN_SAID("unnamed")));
    fake_close(&s->fake);
    struct session_row row = only_session(s);
    assert_string_equal(row.client, "first");
    assert_string_equal(row.era, "2026-07-28");
    static const char *const names[] = {NULL, "second", "unnamed", "old", "new"};
    assert_calls_of(s, names, 5);
}

static void shake_hands(struct served *s, const char *said)
{
    AUTO_FREE char *line = dialogue_quoted(said);
    fake_send(&s->fake, line);
    fake_output(&s->fake);
}

/* A new name applies to later calls only. */
TEST(new_name_does_not_rename_earlier_calls)
{
    struct served *s = *state;
    shake_hands(s, BEGIN("1", "'name':'alice','version':'1'"));
    dialogue_expect(&s->fake, CALL("2", "say", "'text':'hi'"), RESULT("2", SAID("hi", "?alice")));
    call_log_flush(s->log);
    shake_hands(s, BEGIN("3", "'name':'mallory','version':'2'"));
    dialogue_expect(&s->fake, CALL("4", "say", "'text':'hi'"), RESULT("4", SAID("hi", "?mallory")));
    fake_close(&s->fake);
    struct session_row row = only_session(s);
    assert_string_equal(row.label, "?alice");
    assert_string_equal(row.client, "alice");
    assert_string_equal(row.client_version, "1");
    static const char *const names[] = {NULL, "mallory"};
    assert_calls_of(s, names, 2);
}

/* A session that began without a name gets the client's name later, even if its row exists already. */
TEST(session_takes_the_name_of_its_client)
{
    struct served *s = *state;
    dialogue_expect(&s->fake,
                    REQUEST("1", "tools/call", META ",'name':'say','arguments':{'text':'hi'}"),
                    RESULT("1", MODERN_SAID("unnamed")));
    call_log_flush(s->log);
    AUTO_FREE char *line = dialogue_quoted(BEGIN("2", "'name':'claude-code','version':'2.1'"));
    fake_send(&s->fake, line);
    fake_output(&s->fake);
    fake_close(&s->fake);
    struct session_row row = only_session(s);
    assert_string_equal(row.label, "?claude-code");
    assert_string_equal(row.client, "claude-code");
    assert_string_equal(row.client_version, "2.1");
    assert_string_equal(row.era, "2025-06-18");
    assert_null(row.agent);
}

static void say_quoted(struct fake *f, const char *format, int i)
{
    char said[200];
    snprintf(said, sizeof(said), format, i);
    AUTO_FREE char *line = dialogue_quoted(said);
    fake_send(f, line);
    assert_non_null(strstr(fake_output(f), "-32602"));
}

static uint64_t failures_of(const struct call_counts *c)
{
    return metrics_calls(c) - c->ended[ERROR_NONE] - c->ended[ERROR_INTERRUPTED];
}

/* The client gets a protocol error, and the log has failed calls. Unknown names are counted as one, because a client
 * can invent any number. */
TEST(malformed_call_is_counted_and_logged)
{
    struct served *s = *state;
    struct call_row *rows;
    size_t count;
    struct error e;
    struct metrics *m = s->fake.host.metrics = metrics_new(1, 1);
    s->fake.host.count = metrics_count;
    for (int i = 0; i < 50; i++)
        say_quoted(&s->fake, REQUEST("1", "tools/call", "'name':'none%d'"), i);
    say_quoted(&s->fake, REQUEST("1", "tools/call", "'name':%d"), 7);
    say_quoted(&s->fake, REQUEST("1", "tools/call", "'name':'say','arguments':[%d]"), 1);
    assert_int_equal(m->call_count, 2);
    assert_int_equal(failures_of(metrics_row(m, "unknown_tool", true)), 51);
    assert_int_equal(failures_of(metrics_row(m, "say", true)), 1);
    fake_close(&s->fake);
    metrics_free(m);
    struct session_row row = only_session(s);
    assert_int_equal(row.calls, 52);
    assert_int_equal(row.errors, 52);
    assert_int_equal(call_list(s->fixture.reader, &s->fixture.arena, 0, 100, &rows, &count, &e), 0);
    /* The first ones keep what each was told; the others share a row. */
    assert_int_equal(count, FAILURES_PER_FLUSH + 2);
    assert_int_equal(rows[0].count, 1);
    assert_non_null(strstr(rows[1].error, "none1"));
    assert_string_equal(rows[count - 2].tool, "unknown_tool");
    assert_int_equal(rows[count - 2].count, 51 - FAILURES_PER_FLUSH);
    assert_int_equal(rows[count - 2].outcome[0], ERROR_INVALID);
    assert_null(rows[count - 2].error);
    assert_string_equal(rows[count - 1].tool, "say");
}

static void refused(struct fake *f, const char *said)
{
    AUTO_FREE char *line = dialogue_quoted(said);
    fake_send(f, line);
    assert_non_null(strstr(fake_output(f), "\"error\""));
}

/* The same for unknown methods and invalid messages. They do not start a session. */
TEST(invalid_method_is_counted_and_logged)
{
    struct served *s = *state;
    struct call_row *rows;
    size_t count;
    struct error e;
    struct metrics *m = s->fake.host.metrics = metrics_new(1, 1);
    s->fake.host.count = metrics_count;
    refused(&s->fake, REQUEST("0", "memory/none", ""));
    assert_null(mcp_connection_session(s->fake.c));
    assert_int_equal(m->call_count, 0);
    AUTO_FREE char *begin =
        dialogue_quoted(REQUEST("0", "initialize", "'protocolVersion':'2025-06-18'"));
    fake_send(&s->fake, begin);
    fake_output(&s->fake);
    refused(&s->fake, REQUEST("1", "memory/none", ""));
    refused(&s->fake, REQUEST("2", "memory/other", "'_meta':{'dev.stemma/agent_id':5}"));
    refused(&s->fake, "{'jsonrpc':'2.0','id':[3],'method':'ping'}\n");
    refused(&s->fake, "nonsense\n");
    refused(&s->fake, REQUEST("4", "logging/setLevel", "'level':'loud'"));
    refused(&s->fake, REQUEST("5", "ping", "'_meta':{'progressToken':[]}"));
    refused(&s->fake, REQUEST("6", "tools/list", "'cursor':'x'"));
    refused(&s->fake, REQUEST("7", "tools/call", "'name':'say','_meta':{'dev.stemma/task_id':''}"));
    dialogue_expect(&s->fake, REQUEST("8", "ping", ""), RESULT("8", ""));
    dialogue_expect(&s->fake, CALL("9", "say", "'text':'hi'"), RESULT("9", SAID("hi", "unnamed")));
    assert_int_equal(failures_of(metrics_row(m, "unknown_method", false)), 2);
    assert_int_equal(failures_of(metrics_row(m, "invalid_message", false)), 1);
    assert_int_equal(failures_of(metrics_row(m, "ping", false)), 2);
    assert_int_equal(failures_of(metrics_row(m, "say", true)), 1);
    fake_close(&s->fake);
    metrics_free(m);
    struct session_row row = only_session(s);
    assert_int_equal(row.calls, 9);
    assert_int_equal(row.errors, 8);
    assert_int_equal(call_list(s->fixture.reader, &s->fixture.arena, 0, 100, &rows, &count, &e), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(rows[i].tool, "unknown_method");
        assert_int_equal(rows[i].count, 1);
    }
    assert_non_null(strstr(rows[0].error, "memory/none"));
    struct metrics_totals totals;
    m = metrics_of_log(s->fixture.reader, &totals, &e);
    assert_non_null(m);
    assert_int_equal(failures_of(metrics_row(m, "unknown_method", false)), 2);
    assert_int_equal(failures_of(metrics_row(m, "invalid_message", false)), 1);
    assert_int_equal(failures_of(metrics_row(m, "ping", false)), 2);
    assert_int_equal(totals.failures, 8);
    metrics_free(m);
}

/* The error came before the method was looked up, but the method is known. */
TEST(invalid_message_is_counted_under_its_method)
{
    struct served *s = *state;
    static const struct {
        const char *said, *name;
        bool is_tool;
    } rows[] = {
        {REQUEST("1", "tools/call", "'name':'say','arguments':{'text':'hi'}"), "say", true},
        {REQUEST("[]", "tools/call", "'name':'say'"), "say", true},
        {"{'jsonrpc':'1.0','id':2,'method':'tools/call','params':{'name':'say'}}\n", "say", true},
        {REQUEST("2", "tools/call", "'name':'say','_meta':5"), "say", true},
        {"{'jsonrpc':'2.0','id':2,'method':'tools/call','params':null}\n", "unknown_tool", true},
        {"{'jsonrpc':'1.0','id':2,'method':'tools/list'}\n", "tools/list", false},
        {"{'jsonrpc':'2.0','id':2,'method':'tools/list','params':[]}\n", "tools/list", false},
        {"{'jsonrpc':'1.0','id':2,'method':'tools/none'}\n", "unknown_method", false},
        {"{'jsonrpc':'2.0','id':2,'method':'a\\u0000'}\n", "unknown_method", false},
        {"{'jsonrpc':'2.0','id':2,'method':''}\n", "unknown_method", false},
        {"{'jsonrpc':'2.0','id':2,'method':5}\n", "invalid_message", false},
        {"{'jsonrpc':'2.0','id':2}\n", "invalid_message", false},
        {"5\n", "invalid_message", false},
        {"not JSON\n", "invalid_message", false},
    };
    struct metrics *m = s->fake.host.metrics = metrics_new(1, 1);
    s->fake.host.count = metrics_count;
    shake_hands(s, BEGIN("0", "'name':'old'"));
    dialogue_expect(&s->fake, WAIT("1"), "");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct call_counts *c = metrics_row(m, rows[i].name, rows[i].is_tool);
        uint64_t before = failures_of(c);
        refused(&s->fake, rows[i].said);
        if (failures_of(c) != before + 1)
            fail_msg("%s is not counted as %s", rows[i].said, rows[i].name);
    }
    assert_true(fake_finish(&s->fake));
    fake_close(&s->fake);
    metrics_free(m);
    assert_int_equal(only_session(s).errors, sizeof(rows) / sizeof(*rows));
}

/* An invalid message does not start a session. */
TEST(invalid_call_starts_no_session)
{
    struct served *s = *state;
    refused(&s->fake, "{'jsonrpc':'1.0','id':2,'method':'tools/call','params':{'name':'say'}}\n");
    assert_null(mcp_connection_session(s->fake.c));
    fake_close(&s->fake);
    call_log_close(s->log);
}

/* A cancelled call is a call, and no failure. */
TEST(cancelled_call_is_no_error)
{
    struct served *s = *state;
    struct error e;
    struct metrics_totals totals;
    struct metrics *m = s->fake.host.metrics = metrics_new(1, 1);
    s->fake.host.count = metrics_count;
    s->fake.answers_cancelled = true;
    dialogue_expect(&s->fake, WAIT("1") CANCEL("1") WAIT("2"), "");
    dialogue_expect(&s->fake, CALL("3", "say", "'text':'hi'"), RESULT("3", SAID("hi", "unnamed")));
    fake_close(&s->fake); /* and one by disconnecting */
    struct call_counts *wait = metrics_row(m, "wait", true);
    assert_int_equal(wait->ended[ERROR_INTERRUPTED], 2);
    assert_int_equal(metrics_calls(wait), 2);
    assert_int_equal(failures_of(wait), 0);
    metrics_free(m);
    struct session_row row = only_session(s);
    assert_int_equal(row.calls, 3);
    assert_int_equal(row.errors, 0);
    m = metrics_of_log(s->fixture.reader, &totals, &e);
    assert_non_null(m);
    assert_int_equal(failures_of(metrics_row(m, "wait", true)), 0);
    assert_int_equal(totals.failures, 0);
    metrics_free(m);
}

/* It is logged with the outcome that the client got. */
TEST(too_long_answer_is_logged_as_error)
{
    struct served *s = *state;
    static const char *const said[] = {CALL("1", "fill", "'bytes':100"),
                                       CALL("2", "fill", "'bytes':6000000"),
                                       CALL("3", "fill", "'bytes':4999500")};
    for (size_t i = 0; i < 3; i++) {
        AUTO_FREE char *line = dialogue_quoted(said[i]);
        fake_send(&s->fake, line);
        assert_int_equal(strstr(fake_output(&s->fake), "\"isError\":true") != NULL, i > 0);
    }
    fake_close(&s->fake);
    struct session_row row = only_session(s);
    assert_int_equal(row.calls, 3);
    assert_int_equal(row.errors, 2);
}

static const struct actor person = {.class = ACTOR_PERSON, .name = "ash", .origin = "command"};

/* Returns the only living session. */
static int64_t living(struct served *s)
{
    struct session_row *rows;
    size_t count;
    struct error e;
    call_log_flush(s->log);
    /* The flushed rows are there when the writer has reached them; it works in order. */
    while (session_list(s->fixture.reader, &s->fixture.arena, SESSIONS_LIVING, 0, 0, &rows, &count,
                        &e) == 0 &&
           count == 0)
        ;
    assert_int_equal(count, 1);
    return rows[0].id;
}

/* Applies a person's decisions in the store to the connection. */
static void decide(struct served *s, bool end)
{
    struct error e;
    int64_t id = living(s);
    int bad = end ? store_session_end(s->fixture.store, &person, id, &e)
                  : store_session_read_only(s->fixture.store, &person, id, true, &e);
    if (bad)
        fail_msg("%s", e.what);
    assert_true(call_log_apply_decisions(s->log, s->fixture.reader, &e) >= 0);
}

TEST(decisions_of_a_person_are_applied)
{
    struct served *s = *state;
    dialogue_expect(&s->fake, CALL("1", "say", "'text':'hi'"), RESULT("1", SAID("hi", "unnamed")));
    decide(s, false);
    dialogue_expect(
        &s->fake, CALL("2", "write", "") CALL("3", "say", "'text':'hi'"),
        MESSAGE("notice", "write was refused: a person made this session read-only")
            RESULT("2", FAILURE("PERMISSION_DENIED", "a person made this session read-only",
                                "Read, or ask the person who reviews this store."))
                RESULT("3", SAID("hi", "unnamed")));
    decide(s, true);
    dialogue_expect(
        &s->fake,
        CALL("4", "say", "'text':'hi'") REQUEST("5", "resources/read", "'uri':'fake://thing/1'")
            REQUEST("6", "ping", ""),
        MESSAGE("notice", "say was refused: a person ended this session")
            RESULT("4", FAILURE("PERMISSION_DENIED", "a person ended this session",
                                "Reconnect if you are meant to continue."))
                MESSAGE("notice", "resources/read was refused: a person ended this session")
                    ERROR("5", "-32603",
                          "a person ended this session. Reconnect if you are meant to "
                          "continue.") RESULT("6", ""));
    fake_close(&s->fake);
    call_log_close(s->log);
}

#define WROTE BOTH_FORMS("{\\'ref\\':\\'belief:1\\'}", "{'ref':'belief:1'}")

/* Applies at once, before the next check of the store. */
TEST(write_permission_returns_at_once)
{
    struct served *s = *state;
    struct error e;
    s->fake.host.reader = s->fixture.reader;
    dialogue_expect(&s->fake, CALL("1", "write", ""), RESULT("1", WROTE));
    decide(s, false);
    AUTO_FREE char *line = dialogue_quoted(CALL("2", "write", ""));
    fake_send(&s->fake, line);
    assert_non_null(strstr(fake_output(&s->fake), "PERMISSION_DENIED"));
    assert_int_equal(store_session_read_only(s->fixture.store, &person, living(s), false, &e), 0);
    dialogue_expect(&s->fake, CALL("3", "write", ""), RESULT("3", WROTE));
    fake_close(&s->fake);
    call_log_close(s->log);
}

FIXTURE(NULL, NULL);

TEST(too_long_or_invalid_client_name_is_cut)
{
    static const char *const names[] = {"7", "null", "\"\"", "\"\\ud800\"", "\"\\u0000x\""};
    for (size_t i = 0; i <= sizeof(names) / sizeof(*names); i++) {
        struct fake f;
        AUTO_STRBUF line = STRBUF_INIT;
        fake_open(&f, fake_service());
        strbuf_addstr(&line, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                             "\"protocolVersion\":\"2025-06-18\",\"clientInfo\":{\"name\":");
        if (i < sizeof(names) / sizeof(*names)) {
            strbuf_addstr(&line, names[i]);
        } else {
            strbuf_addch(&line, '"');
            for (int j = 0; j < 10000; j++)
                strbuf_addstr(&line, "\\u00fc\xe2\x82\xac");
            strbuf_addch(&line, '"');
        }
        strbuf_addstr(&line, "}}}\n");
        fake_send(&f, line.buf);
        fake_output(&f);
        if (i < sizeof(names) / sizeof(*names))
            assert_null(f.c->client);
        else
            assert_int_equal(utf8_count(f.c->client), 200); /* including the "…" */
        fake_close(&f);
    }
}

/* Input that is refused as a whole counts once; each message of an accepted array counts. */
TEST(refused_input_counts_once)
{
    static const struct {
        const char *revision, *said;
        size_t count;
    } rows[] = {
        {"2025-03-26", "[]\n", 1},
        {"2025-03-26", "[1,{},[]]\n", 3},
        {"2025-06-18", "[]\n", 1},
        {"2025-06-18", "[1,{},[]]\n", 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct served s;
        char begin[200];
        serve(&s);
        struct metrics *m = s.fake.host.metrics = metrics_new(1, 1);
        s.fake.host.count = metrics_count;
        snprintf(begin, sizeof(begin),
                 REQUEST("0", "initialize", "'protocolVersion':'%s','clientInfo':{'name':'old'}"),
                 rows[i].revision);
        shake_hands(&s, begin);
        refused(&s.fake, rows[i].said);
        assert_int_equal(failures_of(metrics_row(m, "invalid_message", false)), rows[i].count);
        fake_close(&s.fake);
        metrics_free(m);
        assert_int_equal(only_session(&s).errors, rows[i].count);
        fixture_close(&s.fixture);
    }
}

TEST(too_long_line_is_counted)
{
    size_t len = (16u << 20) + 2;
    AUTO_FREE char *line = malloc(len);
    struct served s;
    assert_non_null(line);
    memset(line, 'x', len);
    line[len - 1] = '\n';
    serve(&s);
    shake_hands(&s, BEGIN("0", "'name':'old'"));
    fake_send_bytes(&s.fake, line, len);
    assert_non_null(strstr(fake_output(&s.fake), "was not read"));
    fake_close(&s.fake);
    assert_int_equal(only_session(&s).errors, 1);
    fixture_close(&s.fixture);
}

/* The sender is the session's client; the invalid line does not change its revision. A valid request states both. */
FIXTURE(set_up_served, tear_down_served);

TEST(invalid_line_does_not_change_its_session)
{
    struct served *s = *state;
    dialogue_expect(&s->fake, REQUEST("1", "tools/call", NAMED("first")),
                    RESULT("1", MODERN_SAID("?first")));
    refused(&s->fake, "not JSON\n");
    refused(&s->fake, "{'jsonrpc':'2.0','id':77}\n");
    refused(&s->fake, "[]\n");
    refused(&s->fake, "{'jsonrpc':'2.0','id':2,'method':'memory/none','params':[]}\n");
    refused(&s->fake, REQUEST("3", "memory/none", ""));
    refused(&s->fake, REQUEST("4", "memory/none", META));
    refused(&s->fake, REQUEST("5", "ping", NAMED("second")));
    fake_close(&s->fake);
    struct session_row row = only_session(s);
    assert_string_equal(row.era, "2026-07-28");
    assert_string_equal(row.client, "first");
    assert_int_equal(row.errors, 7);
    static const char *const names[7] = {NULL};
    /* say, 3 invalid_message, 3 unknown_method of which two were told the same, ping */
    assert_calls_of(s, names, 7);
}

TEST(invalid_line_without_session_is_not_logged)
{
    struct served *s = *state;
    dialogue_expect(&s->fake,
                    REQUEST("1", "tools/call", META ",'name':'say','arguments':{'text':'hi'}"),
                    RESULT("1", MODERN_SAID("unnamed")));
    refused(&s->fake, "not JSON\n");
    fake_close(&s->fake);
    struct session_row row = only_session(s);
    assert_string_equal(row.era, "2026-07-28");
    assert_null(row.client);
    static const char *const names[] = {NULL, NULL};
    assert_calls_of(s, names, 2);
}
