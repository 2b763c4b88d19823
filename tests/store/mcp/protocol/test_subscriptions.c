/* Who is told of changes: by resources/subscribe, by subscriptions/listen, and how that ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "store/mcp/protocol/changes.h"
#include "store/mcp/protocol/connection_internal.h"
#include "tests/support/dialogue.h"

#define ROWS(rows)         rows, sizeof(rows) / sizeof(*rows)
#define SUBSCRIBE(id, n)   SAY(id, "resources/subscribe", "'uri':'fake://thing/" n "'")
#define UNSUBSCRIBE(id, n) SAY(id, "resources/unsubscribe", "'uri':'fake://thing/" n "'")
#define LISTEN(id, wanted) SAY(id, "subscriptions/listen", META ",'notifications':{" wanted "}")
#define THINGS(list)       "'resourceSubscriptions':[" list "]"
#define STAMPED(id)        "'_meta':{'io.modelcontextprotocol/subscriptionId':" id "}"
#define ACKNOWLEDGED(id, honoured)                                                                 \
    NOTE("notifications/subscriptions/acknowledged", "'notifications':{" honoured "}," STAMPED(id))
#define UPDATED(n) NOTE("notifications/resources/updated", "'uri':'fake://thing/" n "'")
#define TOLD(id, n)                                                                                \
    NOTE("notifications/resources/updated", "'uri':'fake://thing/" n "'," STAMPED(id))

static void change(struct fake *f, int64_t first, int64_t last)
{
    int64_t nodes[16];
    size_t count = 0;
    while (first <= last)
        nodes[count++] = first++;
    mcp_connection_changed(f->c, &(struct changes){.row = nodes, .count = count});
}

static void a_subscriber_is_told_until_it_has_enough(void **state)
{
    (void)state;
    struct fake f;
    fake_open(&f, fake_service());
    assert_false(mcp_connection_subscribed(f.c));
    dialogue_expect(&f, SUBSCRIBE("1", "3") SUBSCRIBE("2", "3") SUBSCRIBE("3", "5"),
                    RESULT("1", "") RESULT("2", "") RESULT("3", ""));
    assert_true(mcp_connection_subscribed(f.c));
    change(&f, 1, 2);
    dialogue_expect(&f, "", "");
    change(&f, 3, 3);
    dialogue_expect(&f, "", UPDATED("3"));
    change(&f, 1, 9);
    dialogue_expect(&f, "", UPDATED("5") UPDATED("3"));
    dialogue_expect(&f, UNSUBSCRIBE("4", "3") UNSUBSCRIBE("5", "3"),
                    RESULT("4", "") RESULT("5", ""));
    change(&f, 1, 9);
    dialogue_expect(&f, "", UPDATED("5"));
    dialogue_expect(&f, UNSUBSCRIBE("6", "5"), RESULT("6", ""));
    assert_false(mcp_connection_subscribed(f.c));
    dialogue_expect(&f, SAY("7", "resources/subscribe", "'uri':'fake://things'"), RESULT("7", ""));
    change(&f, 8, 8);
    dialogue_expect(&f, "", NOTE("notifications/resources/updated", "'uri':'fake://things'"));
    fake_close(&f);
}

static void only_what_there_is_can_be_subscribed_to(void **state)
{
    (void)state;
    static const char no_uri[] =
        ERROR("1", "-32602", "params.uri must be a string of less than 2048 bytes");
    static const struct dialogue rows[] = {
        {SUBSCRIBE("1", "0"), ERROR_WITH("1", "-32002", "no such thing", "'uri':'fake://thing/0'")},
        {SAY("1", "resources/subscribe", ""), no_uri},
        {SAY("1", "resources/subscribe", "'uri':''"), no_uri},
        {SAY("1", "resources/subscribe", "'uri':7"), no_uri},
        {SAY("1", "resources/subscribe", "'uri':'fake://thing/1\\u0000'"), no_uri},
        {SAY("1", "resources/unsubscribe", ""), no_uri},
        {UNSUBSCRIBE("1", "9"), RESULT("1", "")},
        {LISTEN("1", "'resourceSubscriptions':'fake://thing/1'"),
         ERROR("1", "-32602",
               "params.notifications.resourceSubscriptions must be an array of strings")},
        {LISTEN("1", THINGS("'fake://thing/1',7")),
         ERROR("1", "-32602",
               "params.notifications.resourceSubscriptions must be an array of strings")},
        {SAY("1", "subscriptions/listen", META),
         ERROR("1", "-32602", "params.notifications must be an object")},
    };
    dialogues_run(ROWS(rows), NULL);
}

static void a_stream_is_acknowledged_and_stamped(void **state)
{
    (void)state;
    struct fake f;
    fake_open(&f, fake_service());
    dialogue_expect(&f,
                    LISTEN("7", THINGS("'fake://thing/1','nothing','fake://thing/2',"
                                       "'fake:\\/\\/thing/1',''") ",'toolsListChanged':true"),
                    ACKNOWLEDGED("7", THINGS("'fake://thing/1','fake://thing/2'")));
    dialogue_expect(&f, LISTEN("'7'", THINGS("'fake://thing/2'")),
                    ACKNOWLEDGED("'7'", THINGS("'fake://thing/2'")));
    dialogue_expect(&f, LISTEN("''", "'promptsListChanged':true"), ACKNOWLEDGED("''", ""));
    dialogue_expect(&f, SUBSCRIBE("1", "2"), RESULT("1", ""));
    assert_int_equal(mcp_connection_in_flight(f.c), 0);
    change(&f, 1, 9);
    dialogue_expect(&f, "", UPDATED("2") TOLD("'7'", "2") TOLD("7", "2") TOLD("7", "1"));
    dialogue_expect(&f, LISTEN("7", "") SAY("'7'", "ping", ""),
                    ERROR("7", "-32600", "a request with this id is in flight")
                        ERROR("'7'", "-32600", "a request with this id is in flight"));
    dialogue_expect(&f, NOTE("notifications/cancelled", "'requestId':7"), "");
    change(&f, 1, 9);
    dialogue_expect(&f, "", UPDATED("2") TOLD("'7'", "2"));
    dialogue_expect(&f, SAY("7", "ping", ""), RESULT("7", "")); /* the id is free again */
    mcp_connection_goodbye(f.c);
#define GOODBYE(id)                                                                                \
    RESULT(id, "'resultType':'complete'," STAMPED(id))                                             \
    NOTE("notifications/cancelled", "'requestId':" id ",'reason':'the server ends the stream'")
    dialogue_expect(&f, "", GOODBYE("''") GOODBYE("'7'"));
    change(&f, 1, 9);
    dialogue_expect(&f, "", UPDATED("2"));
    mcp_connection_goodbye(f.c);
    dialogue_expect(&f, "", ""); /* once is enough */
    fake_close(&f);
}

/* A peer that does not read is told each thing once, when it does. */
static void changes_wait_for_room_and_are_told_once(void **state)
{
    (void)state;
    struct fake f;
    fake_open(&f, fake_service());
    dialogue_expect(&f, SUBSCRIBE("1", "3") SUBSCRIBE("2", "4"), RESULT("1", "") RESULT("2", ""));
    strbuf_addchars(&f.c->out, ' ', MCP_OUT_HIGH + 1);
    for (int i = 0; i < 1000; i++)
        change(&f, 3, 3);
    change(&f, 4, 4);
    assert_int_equal(mcp_connection_out(f.c)->len, MCP_OUT_HIGH + 1);
    strbuf_cut(mcp_connection_out(f.c), 0);
    dialogue_expect(&f, "", UPDATED("4") UPDATED("3"));
    change(&f, 1, 2);
    dialogue_expect(&f, "", "");
    fake_close(&f);
}

static void subscriptions_have_a_bound(void **state)
{
    (void)state;
    struct fake f;
    fake_open(&f, fake_service());
    for (int i = 0; i < MCP_SUBSCRIPTIONS_MAX; i++) {
        char said[512], heard[512];
        snprintf(said, sizeof(said), LISTEN("%d", ""), i);
        snprintf(heard, sizeof(heard), ACKNOWLEDGED("%d", ""), i);
        dialogue_expect(&f, said, heard);
    }
    dialogue_expect(&f, LISTEN("'more'", "") SUBSCRIBE("'legacy'", "1"),
                    ERROR("'more'", "-32602", "a connection has at most 1024 subscriptions")
                        ERROR("'legacy'", "-32602", "a connection has at most 1024 subscriptions"));
    dialogue_expect(&f, NOTE("notifications/cancelled", "'requestId':5") SUBSCRIBE("5", "1"),
                    RESULT("5", ""));
    fake_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_subscriber_is_told_until_it_has_enough),
        cmocka_unit_test(only_what_there_is_can_be_subscribed_to),
        cmocka_unit_test(a_stream_is_acknowledged_and_stamped),
        cmocka_unit_test(changes_wait_for_room_and_are_told_once),
        cmocka_unit_test(subscriptions_have_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
