/*
 * The server's loop, in a thread of the test, over its real socket: what is carried out where, what waits
 * for what, and that one client is not held up by another. Counts, not times.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/journal/journal.h"
#include "tests/support/client.h"
#include "tests/support/has.h"
#include "tests/support/loop_service.h"
#include "tests/support/notes.h"
#include "tests/support/scratch.h"

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

static void calls_are_answered(void **state)
{
    struct client c = join(*state);
    assert_has(client_ask(&c, CALL("1", "echo", "{\"text\":\"a\"}")), "\"text\":\"a\"");
    assert_has(client_ask(&c, CALL("2", "note", "{\"text\":\"b\"}")), "\"ref\":\"note:");
    assert_has(client_ask(&c, CALL("3", "refuse", "{}")), "\"isError\":true");
    assert_int_equal(notes(&c), 1);
    client_close(&c);
}

/* Pipelined: the read is sent before the write is answered. */
static void a_read_waits_for_the_writes_before_it(void **state)
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

/* The clock of the store goes on with each look, and a transaction looks once. */
static void writes_of_a_turn_share_a_commit(void **state)
{
    struct place *p = *state;
    struct client c = join(p);
    struct strbuf lines = STRBUF_INIT;
    for (int i = 0; i < 60; i++)
        strbuf_addf(&lines, CALL("%d", "note", "{\"text\":\"n\"}") "\n", i);
    client_send_bytes(&c, lines.buf, lines.len);
    for (int i = 0; i < 60; i++)
        assert_has(client_read(&c), "\"ref\":");
    struct error e = {0};
    struct arena arena = ARENA_INIT;
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
    arena_release(&arena);
    strbuf_release(&lines);
    client_close(&c);
}

static void a_read_that_turns_out_long_is_begun_again_elsewhere(void **state)
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

/* Each scan would go on for ever: that anything is answered shows that nobody waits for one. */
static void long_reads_hold_up_nobody(void **state)
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

static void one_client_has_one_reading_thread(void **state)
{
    struct client greedy = join(*state), other = join(*state);
    for (int i = 0; i < 20; i++)
        client_send(&greedy, CALL("1", "scan", "{}"));
    client_ask(&greedy, CALL("2", "echo", "{}"));
    assert_has(client_ask(&other, CALL("5", "churn", "{\"steps\":100000}")), "\"reading\"");
    client_close(&greedy);
    client_close(&other);
}

static void what_is_cancelled_ends_and_is_not_answered(void **state)
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

static void what_was_sent_is_answered_after_the_end(void **state)
{
    struct client c = join(*state);
    struct strbuf lines = STRBUF_INIT;
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
    strbuf_release(&lines);
}

/* The client goes without waiting: what it sent was accepted. */
static void who_goes_at_once_has_written(void **state)
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

static void the_next_takes_over(void **state)
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

#define AT(test) cmocka_unit_test_setup_teardown(test, open_place, close_place)

/* ---- Clients that ask for more than is good ---- */

/*
 * What may be added to the memory of a server: room for a queue that is full (8 MB, and as much again while
 * it grows), and what ASan keeps of freed memory, which QUARANTINE bounds.
 */
#define QUARANTINE ":quarantine_size_mb=8:thread_local_quarantine_size_kb=64"

#ifdef __SANITIZE_THREAD__
#define GROWTH (1024u << 20) /* it keeps several times what it watches */

#else
#define GROWTH (256u << 20) /* answers that wait: a list of the tools is long */

#endif

#define LIST "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}\n"
#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"

struct place_flood {
    char *store;
    struct served served;
    struct client other; /* who must be served all the same */
    size_t before;       /* resident bytes */
};

static struct client join_flood(const struct place_flood *p)
{
    struct client c;
    client_connect(&c, p->served.path);
    client_initialize(&c, "2025-11-25");
    return c;
}

static int open_place_flood(void **state)
{
    struct place_flood *p = xcalloc(1, sizeof(*p));
    p->store = scratch_path("store.db");
    served_start(&p->served, p->store);
    p->other = join_flood(p);
    for (int i = 0; i < 20; i++)
        client_ask(&p->other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    p->before = resident_bytes(p->served.program.pid);
    *state = p;
    return 0;
}

static int close_place_flood(void **state)
{
    struct place_flood *p = *state;
    client_close(&p->other);
    assert_int_equal(served_stop(&p->served), 0);
    free(p->store);
    free(p);
    return 0;
}

static void others_are_served(struct place_flood *p, int times)
{
    for (int i = 0; i < times; i++)
        assert_string_equal(client_ask(&p->other, PING), PONG);
}

static void memory_is_bounded(const struct place_flood *p)
{
    size_t now = resident_bytes(p->served.program.pid);
    if (now > p->before + GROWTH)
        fail_msg("%zu MB have become %zu MB", p->before >> 20, now >> 20);
}

/* ---- a slow reader ---- */

/* Sends requests for long answers for as long as the server takes any; how many whole ones. */
static int send_until_full(struct place_flood *p, struct client *c)
{
    char line[128];
    int sent = 0;
    for (int idle = 0; idle < 20;) {
        int len = snprintf(line, sizeof(line), LIST, sent + 1);
        ssize_t n = send(c->in, line, (size_t)len, MSG_DONTWAIT);
        if (n == len) {
            sent++;
            idle = 0;
            continue;
        }
        if (n > 0) /* the rest of a line must not be lost */
            client_send_bytes(c, line + n, (size_t)(len - n));
        sent += n > 0;
        others_are_served(p, 1);
        idle++;
    }
    return sent;
}

static void a_slow_reader_fills_no_memory(void **state)
{
    struct place_flood *p = *state;
    struct client slow = join_flood(p);
    int sent = send_until_full(p, &slow);
    assert_true(sent > 100);
    others_are_served(p, 100);
    memory_is_bounded(p);
    for (int i = 1; i <= sent; i++) { /* it is told all of it, in the end */
        char id[32];
        const char *line = client_read(&slow);
        snprintf(id, sizeof(id), "\"id\":%d,", i);
        if (!line || !strstr(line, id))
            fail_msg("%d of %d: %.200s", i, sent, line ? line : "(the end)");
    }
    memory_is_bounded(p);
    client_close(&slow);
}

/* A queue that is full and a client that goes: the others notice nothing. */
static void slow_readers_may_go(void **state)
{
    struct place_flood *p = *state;
    for (int i = 0; i < 5; i++) {
        struct client slow = join_flood(p);
        for (int k = 0; k < 300; k++)
            client_sendf(&slow, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}", k);
        client_close(&slow);
        others_are_served(p, 20);
    }
    memory_is_bounded(p);
}

/* ---- slow writers ---- */

static void a_byte_at_a_time(void **state)
{
    struct place_flood *p = *state;
    struct client slow = join_flood(p);
    for (int i = 0; i < 20; i++) {
        for (const char *at = PING "\n"; *at; at++) {
            client_send_bytes(&slow, at, 1);
            others_are_served(p, *at == ':');
        }
        assert_string_equal(client_read(&slow), PONG);
    }
    client_close(&slow);
}

static void lines_over_the_limit(void **state)
{
    struct place_flood *p = *state;
    struct client c = join_flood(p);
    size_t len = 1 << 20;
    char *bytes = xmalloc(len);
    memset(bytes, 'x', len);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 40; i++) { /* 40 MB without an end */
            client_send_bytes(&c, bytes, len);
            others_are_served(p, 1);
        }
        client_send_bytes(&c, "\n" PING "\n", sizeof(PING) + 1);
        const char *line = client_read(&c);
        assert_non_null(strstr(line, "\"error\""));
        assert_null(strstr(line, "\"id\""));
        assert_string_equal(client_read(&c), PONG);
    }
    memory_is_bounded(p);
    free(bytes);
    client_close(&c);
}

/* ---- many ---- */

static int descriptors_of(pid_t pid)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    DIR *d = opendir(path);
    assert_non_null(d);
    while (readdir(d))
        count++;
    closedir(d);
    return count;
}

#define IDLE 1000

static void a_thousand_idle_connections(void **state)
{
    struct place_flood *p = *state;
    struct client *idle = xcalloc(IDLE, sizeof(*idle));
    int before = descriptors_of(p->served.program.pid);
    for (int i = 0; i < IDLE; i++) {
        client_connect(&idle[i], p->served.path);
        if (i % 4 == 0)
            client_initialize(&idle[i], "2025-11-25");
        if (i % 100 == 0)
            others_are_served(p, 1);
    }
    others_are_served(p, 100);
    assert_string_equal(client_ask(&idle[IDLE - 1], PING), PONG);
    memory_is_bounded(p);
    for (int i = 0; i < IDLE; i++)
        client_close(&idle[i]);
    free(idle);
    for (int i = 0; descriptors_of(p->served.program.pid) > before + 10; i++) {
        assert_true(i < 60000); /* their descriptors are given back */
        usleep(1000);
    }
    others_are_served(p, 10);
}

#define CLIENTS   50
#define IN_FLIGHT 64

/* Writes and reads in turn; each is answered once. */
static void many_clients_with_much_in_flight(void **state)
{
    struct place_flood *p = *state;
    static struct client clients[CLIENTS];
    static bool answered[IN_FLIGHT];
    for (int i = 0; i < CLIENTS; i++)
        clients[i] = join_flood(p);
    for (int i = 0; i < CLIENTS; i++)
        for (int k = 0; k < IN_FLIGHT; k++) {
            char content[64];
            snprintf(content, sizeof(content), "client %d note %d", i, k);
            if (k % 2)
                client_sendf(&clients[i],
                             "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}", k);
            else
                note_send(&clients[i], k, content);
        }
    others_are_served(p, 100);
    memory_is_bounded(p);
    for (int i = 0; i < CLIENTS; i++) {
        memset(answered, 0, sizeof(answered));
        for (int k = 0; k < IN_FLIGHT; k++) {
            const char *line = client_read(&clients[i]), *at = strstr(line, "\"id\":");
            int id = -1;
            assert_non_null(at);
            assert_int_equal(sscanf(at, "\"id\":%d", &id), 1);
            assert_true(id >= 0 && id < IN_FLIGHT && !answered[id]);
            answered[id] = true;
        }
        client_close(&clients[i]);
    }
    memory_is_bounded(p);
    assert_int_equal(notes_check(p->store), CLIENTS * IN_FLIGHT / 2);
}

/* ---- no descriptors left ---- */

/* Whoever is not let in now is let in when somebody goes. */
static void where_no_descriptor_is_left_they_wait(void **state)
{
    struct place_flood *p = *state;
    struct rlimit few = {200, 200};
    struct client *many = xcalloc(300, sizeof(*many));
    (void)prlimit(p->served.program.pid, RLIMIT_NOFILE, &few, NULL);
    for (int i = 0; i < 300; i++)
        client_connect(&many[i], p->served.path);
    others_are_served(p, 100);
    for (int i = 0; i < 299; i++)
        client_close(&many[i]);
    assert_string_equal(client_ask(&many[299], PING), PONG);
    client_close(&many[299]);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT(calls_are_answered),
        AT(a_read_waits_for_the_writes_before_it),
        AT(writes_of_a_turn_share_a_commit),
        AT(a_read_that_turns_out_long_is_begun_again_elsewhere),
        AT(long_reads_hold_up_nobody),
        AT(one_client_has_one_reading_thread),
        AT(what_is_cancelled_ends_and_is_not_answered),
        AT(what_was_sent_is_answered_after_the_end),
        AT(who_goes_at_once_has_written),
        AT(the_next_takes_over),
        AT(a_slow_reader_fills_no_memory),
        AT(slow_readers_may_go),
        AT(a_byte_at_a_time),
        AT(lines_over_the_limit),
        AT(a_thousand_idle_connections),
        AT(many_clients_with_much_in_flight),
        AT(where_no_descriptor_is_left_they_wait),
    };
    struct strbuf options = STRBUF_INIT;
    struct rlimit files = {4096, 4096};
    const char *asan = getenv("ASAN_OPTIONS");
    strbuf_addf(&options, "%s" QUARANTINE, asan ? asan : "detect_leaks=1");
    setenv("ASAN_OPTIONS", options.buf, 1);
    strbuf_release(&options);
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &files);

    return cmocka_run_group_tests(tests, NULL, NULL);
}
