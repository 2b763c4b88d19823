/*
 * The server's loop in a thread of the test, over its real socket: where calls run, which of them
 * wait for others, and that clients do not block each other. Checks counts, not times.
 */
#include "tests/support/client.h"
#include "tests/support/has.h"
#include "tests/support/loop_service.h"
#include "tests/support/scratch.h"

#include <unistd.h>
#include "store/journal/journal.h"
#include "store/open.h"
#include "tests/support/test.h"

struct place {
    char *path;
    struct store *store;
    struct running server;
    char *socket;
};

static int open_place(void **state)
{
    struct place *p = calloc(1, sizeof(*p));
    p->path = scratch_path("store.db");
    p->store = scratch_store(p->path);
    running_start(&p->server, p->store, true);
    p->socket = strdup(running_path(&p->server));
    *state = p;
    return 0;
}

static int close_place(void **state)
{
    struct place *p = *state;
    running_stop(&p->server);
    store_close(p->store);
    free(p->path);
    free(p->socket);
    free(p);
    return 0;
}

static struct client join(const struct place *p)
{
    struct client c;
    client_connect(&c, p->socket);
    client_initialize(&c, "2025-11-25");
    return c;
}

static int64_t notes(struct client *c)
{
    long long count = -1;
    const char *line = client_ask(c, CALL("\"count\"", "count", "{}"));
    const char *at = strstr(line, "\"structuredContent\":{\"notes\":");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\"structuredContent\":{\"notes\":%lld", &count), 1);
    return count;
}

FIXTURE(open_place, close_place);

TEST(calls_are_answered)
{
    struct client c = join(*state);
    assert_has(client_ask(&c, CALL("1", "echo", "{\"text\":\"a\"}")), "\"text\":\"a\"");
    assert_has(client_ask(&c, CALL("2", "note", "{\"text\":\"b\"}")), "\"ref\":\"note:");
    assert_has(client_ask(&c, CALL("3", "refuse", "{}")), "\"isError\":true");
    assert_int_equal(notes(&c), 1);
    client_close(&c);
}

/* Pipelined: the read is sent before the write is answered. */
TEST(a_read_waits_for_the_writes_before_it)
{
    struct client c = join(*state);
    for (int i = 1; i <= 100; i++) {
        char expected[64];
        client_send(&c, CALL("1", "note", "{\"text\":\"b\"}") "\n" CALL("2", "count", "{}"));
        snprintf(expected, sizeof(expected), "\"structuredContent\":{\"notes\":%d}", i);
        const char *line = client_read(&c);
        assert_has(line, "\"id\":1");
        line = client_read(&c);
        assert_has(line, "\"id\":2");
        assert_has(line, expected);
    }
    client_close(&c);
}

/* The store's clock advances each time it is read, and a transaction reads it once. */
TEST(writes_of_a_turn_share_a_commit)
{
    struct place *p = *state;
    struct client c = join(p);
    AUTO_STRBUF lines = STRBUF_INIT;
    for (int i = 0; i < 60; i++)
        strbuf_addf(&lines, CALL("%d", "note", "{\"text\":\"n\"}") "\n", i);
    client_send_bytes(&c, lines.buf, lines.len);
    for (int i = 0; i < 60; i++)
        assert_has(client_read(&c), "\"ref\":");
    struct error e = {0};
    AUTO_ARENA arena = ARENA_INIT;
    struct event *events;
    size_t count, commits = 0;
    struct reader *r = reader_open(p->store, &e);
    assert_non_null(r);
    assert_int_equal(journal_read(r, &arena, 0, 1000, &events, &count, &e), 0);
    assert_int_equal(count, 60);
    for (size_t i = 0; i < count; i++)
        commits += i == 0 || events[i].at != events[i - 1].at;
    assert_true(commits < 30);
    for (size_t i = 0; i < count; i++)
        assert_true(events[i].session > 0);
    reader_close(r);
    client_close(&c);
}

TEST(long_read_is_repeated_on_a_thread)
{
    struct client c = join(*state);
    const char *line = client_ask(&c, CALL("1", "churn", "{\"steps\":10}"));
    assert_has(line, "\"structuredContent\":{\"thread\":\"loop\",\"rows\":10}");
    line = client_ask(&c, CALL("2", "churn", "{\"steps\":100000}"));
    assert_has(line, "\"structuredContent\":{\"thread\":\"reading\",\"rows\":100000}");
    client_close(&c);
}

static void stop_scan(struct client *c, const char *id)
{
    client_sendf(c,
                 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
                 "\"requestId\":%s}}",
                 id);
}

/* Each scan would never end, so any answer shows that nothing waits for it. */
TEST(long_reads_do_not_block_others)
{
    struct client long_ones[3], quick = join(*state);
    for (int i = 0; i < 3; i++) {
        long_ones[i] = join(*state);
        client_send(&long_ones[i], CALL("1", "scan", "{}"));
        client_send(&long_ones[i], CALL("2", "scan", "{}"));
    }
    for (int i = 0; i < 100; i++)
        client_ask(&quick, CALL("7", "echo", "{\"text\":\"a\"}"));
    assert_has(client_ask(&long_ones[0], CALL("3", "echo", "{}")), "\"id\":3");
    client_ask(&long_ones[1], CALL("4", "note", "{\"text\":\"b\"}"));
    for (int i = 0; i < 3; i++)
        client_close(&long_ones[i]);
    /* Their threads are free again. */
    assert_has(client_ask(&quick, CALL("5", "churn", "{\"steps\":100000}")), "\"reading\"");
    client_close(&quick);
}

TEST(one_client_has_one_read_thread)
{
    struct client greedy = join(*state), other = join(*state);
    for (int i = 0; i < 20; i++)
        client_send(&greedy, CALL("1", "scan", "{}"));
    client_ask(&greedy, CALL("2", "echo", "{}"));
    assert_has(client_ask(&other, CALL("5", "churn", "{\"steps\":100000}")), "\"reading\"");
    client_close(&greedy);
    client_close(&other);
}

TEST(cancelled_call_ends_without_answer)
{
    struct client c = join(*state);
    for (int i = 0; i < 20; i++) {
        client_send(&c, CALL("\"long\"", "scan", "{}"));
        if (i % 2)
            client_ask(&c, CALL("1", "echo", "{}"));
        stop_scan(&c, "\"long\"");
        const char *line = client_ask(&c, CALL("2", "churn", "{\"steps\":100000}"));
        assert_has(line, "\"id\":2");
    }
    client_close(&c);
}

TEST(sent_requests_are_answered_after_end_of_input)
{
    struct client c = join(*state);
    AUTO_STRBUF lines = STRBUF_INIT;
    for (int i = 0; i < 300; i++)
        strbuf_addf(&lines, CALL("%d", "note", "{\"text\":\"n\"}") "\n", i);
    strbuf_addstr(&lines, CALL("300", "count", "{}")); /* a line without its end */
    client_send_bytes(&c, lines.buf, lines.len);
    client_end(&c);
    for (int i = 0; i < 300; i++)
        assert_has(client_read(&c), "\"ref\":");
    assert_has(client_read(&c), "{\"notes\":300}");
    assert_null(client_read(&c));
    client_close(&c);
}

/* The client disconnects without waiting; its requests were accepted. */
TEST(client_that_disconnects_at_once_has_written)
{
    struct client c = join(*state), other = join(*state);
    for (int i = 0; i < 100; i++)
        client_sendf(&c, CALL("%d", "note", "{\"text\":\"n\"}"), i);
    client_close(&c);
    for (int i = 0; notes(&other) < 100; i++) {
        assert_true(i < 60000);
        usleep(1000);
    }
    client_close(&other);
}

TEST(next_process_takes_over)
{
    struct place *p = *state;
    struct running second, third;
    struct client before = join(p);
    struct store *stores[] = {scratch_store(p->path), scratch_store(p->path)};
    running_start(&second, stores[0], false);
    running_start(&third, stores[1], false);
    assert_null(mcp_server_path(second.server));
    client_ask(&before, CALL("1", "echo", "{}"));
    running_stop(&p->server);
    assert_null(client_read(&before));
    client_close(&before);
    while (!mcp_server_path(second.server) && !mcp_server_path(third.server))
        usleep(1000);
    bool is_second = mcp_server_path(second.server) != NULL;
    struct client c = join(p);
    assert_has(client_ask(&c, CALL("1", "note", "{\"text\":\"b\"}")), "\"ref\":");
    running_stop(is_second ? &second : &third);
    assert_null(client_read(&c));
    client_close(&c);
    store_close(p->store);
    store_close(stores[is_second ? 0 : 1]);
    p->store = stores[is_second ? 1 : 0];
    p->server = is_second ? third : second;
    running_path(&p->server);
    c = join(p);
    client_ask(&c, CALL("1", "echo", "{}"));
    client_close(&c);
}
