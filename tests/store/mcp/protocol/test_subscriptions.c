/* Notifications of changes: by resources/subscribe, by subscriptions/listen, and how they end. */
#include "model/base/alloc.h"
#include "store/mcp/protocol/connection_internal.h"
#include "tests/support/dialogue.h"
#include "tests/support/has.h"
#include "tests/support/notes.h"
#include "tests/support/scratch.h"
#include "tests/support/store_fixture.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

#define SUBSCRIBE(id, n)   REQUEST(id, "resources/subscribe", "'uri':'fake://thing/" n "'")
#define UNSUBSCRIBE(id, n) REQUEST(id, "resources/unsubscribe", "'uri':'fake://thing/" n "'")
#define LISTEN(id, wanted) REQUEST(id, "subscriptions/listen", META ",'notifications':{" wanted "}")
#define THINGS(list)       "'resourceSubscriptions':[" list "]"
#define STAMPED(id)        "'_meta':{'io.modelcontextprotocol/subscriptionId':" id "}"
#define ACKNOWLEDGED(id, honoured)                                                                 \
    NOTE("notifications/subscriptions/acknowledged", "'notifications':{" honoured "}," STAMPED(id))

#define UPDATED(n) NOTE("notifications/resources/updated", "'uri':'fake://thing/" n "'")
#define TOLD(id, n)                                                                                \
    NOTE("notifications/resources/updated", "'uri':'fake://thing/" n "'," STAMPED(id))

FIXTURE(fake_set_up, fake_tear_down);

TEST(subscriber_is_notified_until_it_unsubscribes)
{
    struct fake *f = *state;
    assert_false(mcp_connection_subscribed(f->c));
    dialogue_expect(f, SUBSCRIBE("1", "3") SUBSCRIBE("2", "3") SUBSCRIBE("3", "5"),
                    RESULT("1", "") RESULT("2", "") RESULT("3", ""));
    assert_true(mcp_connection_subscribed(f->c));
    fake_change(f, 1, 2);
    dialogue_expect(f, "", "");
    fake_change(f, 3, 3);
    dialogue_expect(f, "", UPDATED("3"));
    fake_change(f, 1, 9);
    dialogue_expect(f, "", UPDATED("5") UPDATED("3"));
    dialogue_expect(f, UNSUBSCRIBE("4", "3") UNSUBSCRIBE("5", "3"),
                    RESULT("4", "") RESULT("5", ""));
    fake_change(f, 1, 9);
    dialogue_expect(f, "", UPDATED("5"));
    dialogue_expect(f, UNSUBSCRIBE("6", "5"), RESULT("6", ""));
    assert_false(mcp_connection_subscribed(f->c));
    dialogue_expect(f, REQUEST("7", "resources/subscribe", "'uri':'fake://things'"),
                    RESULT("7", ""));
    fake_change(f, 8, 8);
    dialogue_expect(f, "", NOTE("notifications/resources/updated", "'uri':'fake://things'"));
}

TEST(stream_is_acknowledged_with_its_id)
{
    struct fake *f = *state;
    dialogue_expect(f,
                    LISTEN("7", THINGS("'fake://thing/1','nothing','fake://thing/2',"
                                       "'fake:\\/\\/thing/1',''") ",'toolsListChanged':true"),
                    ACKNOWLEDGED("7", THINGS("'fake://thing/1','fake://thing/2'")));
    dialogue_expect(f, LISTEN("'7'", THINGS("'fake://thing/2'")),
                    ACKNOWLEDGED("'7'", THINGS("'fake://thing/2'")));
    dialogue_expect(f, LISTEN("''", "'promptsListChanged':true"), ACKNOWLEDGED("''", ""));
    dialogue_expect(f, SUBSCRIBE("1", "2"), RESULT("1", ""));
    assert_int_equal(f->c->in_flight, 0);
    fake_change(f, 1, 9);
    dialogue_expect(f, "", UPDATED("2") TOLD("'7'", "2") TOLD("7", "2") TOLD("7", "1"));
    dialogue_expect(f, LISTEN("7", "") REQUEST("'7'", "ping", ""),
                    ERROR("7", "-32600", "a request with this id is in flight")
                        ERROR("'7'", "-32600", "a request with this id is in flight"));
    dialogue_expect(f, NOTE("notifications/cancelled", "'requestId':7"), "");
    fake_change(f, 1, 9);
    dialogue_expect(f, "", UPDATED("2") TOLD("'7'", "2"));
    dialogue_expect(f, REQUEST("7", "ping", ""), RESULT("7", "")); /* the id is free again */
    mcp_connection_end_streams(f->c);
#define GOODBYE(id)                                                                                \
    RESULT(id, "'resultType':'complete'," STAMPED(id))                                             \
    NOTE("notifications/cancelled", "'requestId':" id ",'reason':'the server ends the stream'")

    dialogue_expect(f, "", GOODBYE("''") GOODBYE("'7'"));
    fake_change(f, 1, 9);
    dialogue_expect(f, "", UPDATED("2"));
    mcp_connection_end_streams(f->c);
    dialogue_expect(f, "", ""); /* only once */
}

/* A peer that does not read gets each notification once, when it reads again. */
TEST(changes_wait_for_room_and_are_sent_once)
{
    struct fake *f = *state;
    dialogue_expect(f, SUBSCRIBE("1", "3") SUBSCRIBE("2", "4"), RESULT("1", "") RESULT("2", ""));
    strbuf_addchars(&f->c->out, ' ', MCP_OUT_HIGH + 1);
    for (int i = 0; i < 1000; i++)
        fake_change(f, 3, 3);
    fake_change(f, 4, 4);
    assert_int_equal(mcp_connection_out(f->c)->len, MCP_OUT_HIGH + 1);
    strbuf_cut(mcp_connection_out(f->c), 0);
    dialogue_expect(f, "", UPDATED("4") UPDATED("3"));
    fake_change(f, 1, 2);
    dialogue_expect(f, "", "");
}

TEST(subscriptions_have_a_bound)
{
    struct fake *f = *state;
    for (int i = 0; i < MCP_SUBSCRIPTIONS_MAX; i++) {
        char said[512], heard[512];
        snprintf(said, sizeof(said), LISTEN("%d", ""), i);
        snprintf(heard, sizeof(heard), ACKNOWLEDGED("%d", ""), i);
        dialogue_expect(f, said, heard);
    }
    dialogue_expect(f, LISTEN("'more'", "") SUBSCRIBE("'legacy'", "1"),
                    ERROR("'more'", "-32602", "a connection has at most 1024 subscriptions")
                        ERROR("'legacy'", "-32602", "a connection has at most 1024 subscriptions"));
    dialogue_expect(f, NOTE("notifications/cancelled", "'requestId':5") SUBSCRIBE("5", "1"),
                    RESULT("5", ""));
}

/* ---- stemma serve ---- */

#define NOTES 60

static void begin(struct served *served, struct client *c, const char *store)
{
    served_start(served, store);
    client_connect(c, served->path);
    client_initialize(c, "2025-11-25");
    for (int i = 0; i < NOTES; i++) {
        char content[64];
        snprintf(content, sizeof(content), "note %d of staging", i);
        note_send(c, 100 + i, content);
        assert_non_null(client_read(c));
    }
}

static void end(struct served *served, struct client *c)
{
    client_close(c);
    assert_int_equal(served_stop(served), 0);
}

/* The progress that a read reports. */
struct told {
    int64_t done, total;
};

static void hear(void *arg, int64_t done, int64_t total)
{
    struct told *t = arg;
    if (done > t->done) /* as for clients: only growing progress is sent */
        *t = (struct told){done, total};
}

static struct told ask(struct fixture *f, const char *tool, const char *arguments)
{
    struct told told = {0};
    reader_on_progress(f->reader, hear, &told);
    tool_answer(f, tool, arguments);
    reader_on_progress(f->reader, NULL, NULL);
    return told;
}

TEST(long_reads_report_progress)
{
    struct fixture f;
    fixture_open(&f);
    for (int i = 0; i < NOTES; i++)
        tool_answer(&f, "memory_note", "{\"content\":\"a note of staging\"}");
    /* One pass loads, and one checks each problem. */
    struct told told = ask(&f, "memory_orphans", "{\"limit\":1000}");
    assert_int_equal(told.total, 8 * NOTES);
    assert_int_equal(told.done, told.total);
    told = ask(&f, "memory_list", "{\"label\":\"unsourced\"}");
    assert_int_equal(told.total, 2 * NOTES);
    assert_int_equal(told.done, told.total);
    told = ask(&f, "memory_search", "{\"query\":\"staging\",\"limit\":50}");
    assert_true(told.done >= 50);
    fixture_close(&f);
}

/* A client takes progress that arrives with the answer for progress of an unknown request. */
TEST(short_calls_report_no_progress)
{
    struct served served;
    struct client c;
    AUTO_FREE char *path = scratch_path("progress.db");
    begin(&served, &c, path);
    for (int i = 0; i < 20; i++) {
        client_send(&c, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{"
                        "\"_meta\":{\"progressToken\":\"t\"},\"name\":\"memory_search\","
                        "\"arguments\":{\"query\":\"staging\"}}}");
        assert_has(client_read(&c), "\"id\":7");
    }
    end(&served, &c);
}

static void set_level(struct client *c, const char *level)
{
    client_sendf(c,
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\",\"params\":{"
                 "\"level\":\"%s\"}}",
                 level);
    assert_has(client_read(c), "\"result\":{}");
}

static void call(struct client *c, const char *tool, const char *arguments)
{
    client_sendf(c,
                 "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{"
                 "\"name\":\"%s\",\"arguments\":%s}}",
                 tool, arguments);
}

/* Mistakes are reported in log messages; the text of a memory never is. */
TEST(log_messages_have_no_content)
{
    struct served served;
    struct client c;
    AUTO_FREE char *path = scratch_path("log.db");
    begin(&served, &c, path);
    call(&c, "memory_belief", "{\"statement\":\"secret\",\"derived_from\":[\"raw:a\",\"raw:b\"]}");
    const char *line = client_read(&c);
    assert_has(line, "\"level\":\"warning\"");
    assert_has(line, "2 refs name nothing yet and are kept as given: raw:a, raw:b");
    assert_null(strstr(line, "secret"));
    assert_has(client_read(&c), "\"unresolved\"");
    call(&c, "memory_search", "{\"query\":\"secret\"}");
    assert_has(client_read(&c), "\"id\":9");
    set_level(&c, "debug");
    call(&c, "memory_search", "{\"query\":\"secret\"}");
    line = client_read(&c);
    assert_has(line, "\"level\":\"debug\"");
    assert_has(line, "memory_search");
    assert_null(strstr(line, "secret"));
    assert_has(client_read(&c), "\"id\":9");
    set_level(&c, "error");
    call(&c, "memory_belief", "{\"statement\":\"secret\",\"derived_from\":[\"raw:c\"]}");
    assert_has(client_read(&c), "\"id\":9");
    end(&served, &c);
}
