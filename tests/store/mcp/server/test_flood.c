/*
 * Clients that send too much: stemma serve keeps its memory bounded and serves the others. Checks counts and bytes,
 * not times.
 */
#include "tests/support/notes.h"
#include "tests/support/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "tests/support/test.h"

/*
 * Memory that a server may add: a full queue (8 MB, and as much again while it grows), and memory that ASan keeps
 * after it is freed, limited by QUARANTINE.
 */
#define QUARANTINE ":quarantine_size_mb=8:thread_local_quarantine_size_kb=64"
#ifdef __SANITIZE_THREAD__
#define GROWTH (1024u << 20) /* TSan needs several times the memory */
#else
#define GROWTH (256u << 20) /* queued answers: a list of the tools is long */
#endif

#define LIST "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}\n"
#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"

struct place {
    char *store;
    struct served served;
    struct client other; /* which must still be served */
    size_t before;       /* resident bytes */
};

static struct client join(const struct place *p)
{
    struct client c;
    client_connect(&c, p->served.path);
    client_initialize(&c, "2025-11-25");
    return c;
}

static int open_place(void **state)
{
    struct place *p = xcalloc(1, sizeof(*p));
    p->store = scratch_path("store.db");
    served_start(&p->served, p->store);
    p->other = join(p);
    for (int i = 0; i < 20; i++)
        client_ask(&p->other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    p->before = resident_bytes(p->served.program.pid);
    *state = p;
    return 0;
}

static int close_place(void **state)
{
    struct place *p = *state;
    client_close(&p->other);
    assert_int_equal(served_stop(&p->served), 0);
    free(p->store);
    free(p);
    return 0;
}

static void others_are_served(struct place *p, int times)
{
    for (int i = 0; i < times; i++)
        assert_string_equal(client_ask(&p->other, PING), PONG);
}

static void memory_is_bounded(const struct place *p)
{
    size_t now = resident_bytes(p->served.program.pid);
    if (now > p->before + GROWTH)
        fail_msg("%zu MB have become %zu MB", p->before >> 20, now >> 20);
}

/* ---- a slow reader ---- */

/* Sends requests with long answers until the server stops reading. Returns the number of complete requests. */
static int send_until_full(struct place *p, struct client *c)
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
        if (n > 0) /* the rest of the line must be sent */
            client_send_bytes(c, line + n, (size_t)(len - n));
        sent += n > 0;
        others_are_served(p, 1);
        idle++;
    }
    return sent;
}

FIXTURE(open_place, close_place);

TEST(slow_reader_does_not_fill_memory)
{
    struct place *p = *state;
    struct client slow = join(p);
    int sent = send_until_full(p, &slow);
    assert_true(sent > 100);
    others_are_served(p, 100);
    memory_is_bounded(p);
    for (int i = 1; i <= sent; i++) { /* it gets all answers in the end */
        char id[32];
        const char *line = client_read(&slow);
        snprintf(id, sizeof(id), "\"id\":%d,", i);
        if (!line || !strstr(line, id))
            fail_msg("%d of %d: %.200s", i, sent, line ? line : "(the end)");
    }
    memory_is_bounded(p);
    client_close(&slow);
}

/* A client with a full queue disconnects; the others are not affected. */
TEST(slow_readers_may_disconnect)
{
    struct place *p = *state;
    for (int i = 0; i < 5; i++) {
        struct client slow = join(p);
        for (int k = 0; k < 300; k++)
            client_sendf(&slow, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}", k);
        client_close(&slow);
        others_are_served(p, 20);
    }
    memory_is_bounded(p);
}

/* ---- slow writers ---- */

TEST(input_one_byte_at_a_time_is_answered)
{
    struct place *p = *state;
    struct client slow = join(p);
    for (int i = 0; i < 20; i++) {
        for (const char *at = PING "\n"; *at; at++) {
            client_send_bytes(&slow, at, 1);
            others_are_served(p, *at == ':');
        }
        assert_string_equal(client_read(&slow), PONG);
    }
    client_close(&slow);
}

TEST(lines_over_the_limit_are_refused)
{
    struct place *p = *state;
    struct client c = join(p);
    size_t len = 1 << 20;
    AUTO_FREE char *bytes = xmalloc(len);
    memset(bytes, 'x', len);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 40; i++) { /* 40 MB without a line end */
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

TEST(a_thousand_idle_connections_do_not_block_others)
{
    struct place *p = *state;
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
        assert_true(i < 60000); /* their descriptors are closed */
        usleep(1000);
    }
    others_are_served(p, 10);
}

#define CLIENTS   50
#define IN_FLIGHT 64

/* Alternating writes and reads; each is answered once. */
TEST(each_of_many_requests_in_flight_is_answered_once)
{
    struct place *p = *state;
    static struct client clients[CLIENTS];
    static bool answered[IN_FLIGHT];
    for (int i = 0; i < CLIENTS; i++)
        clients[i] = join(p);
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

/* A client that cannot connect now connects when another leaves. */
TEST(clients_wait_if_no_descriptor_is_free)
{
    struct place *p = *state;
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
    AUTO_STRBUF options = STRBUF_INIT;
    struct rlimit files = {4096, 4096};
    const char *asan = getenv("ASAN_OPTIONS");
    strbuf_addf(&options, "%s" QUARANTINE, asan ? asan : "detect_leaks=1");
    setenv("ASAN_OPTIONS", options.buf, 1);
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &files);
    return tests_run();
}
