/*
 * The process is suspended for longer than a connection's share of a turn at every reading of the
 * clock. Each read must still be carried out. The test replaces the clock.
 */
#include "model/base/alloc.h"
#include "tests/support/client.h"
#include "tests/support/has.h"
#include "tests/support/loop_service.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/web.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#include "store/mcp/server/server_state.h"
#include "store/open.h"

int64_t monotonic_us(void)
{
    static _Atomic int64_t away;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 +
           atomic_fetch_add(&away, 2 * SHARE_US);
}

int64_t monotonic_ms(void)
{
    return monotonic_us() / 1000;
}

struct place {
    char *path;
    struct store *store;
    struct running server;
};

static int open_place(void **state)
{
    struct place *p = calloc(1, sizeof(*p));
    p->path = scratch_path("store.db");
    p->store = scratch_store(p->path);
    running_start(&p->server, p->store, true);
    *state = p;
    return 0;
}

static int close_place(void **state)
{
    struct place *p = *state;
    running_stop(&p->server);
    store_close(p->store);
    free(p->path);
    free(p);
    return 0;
}

FIXTURE(open_place, close_place);

TEST(reads_of_a_connection_are_answered)
{
    struct place *p = *state;
    struct client c;
    client_connect(&c, running_path(&p->server));
    client_initialize(&c, "2025-11-25");
    client_send(&c, CALL("1", "count", "{}") "\n" CALL("2", "note", "{\"text\":\"b\"}") "\n" CALL(
                        "3", "count", "{}") "\n" CALL("4", "count", "{}"));
    for (int i = 0; i < 4; i++)
        assert_has(client_read(&c), "\"result\":{");
    client_close(&c);
}

/* No other event wakes the loop for the peer of an HTTP request. */
TEST(a_read_over_http_is_answered)
{
    struct place *p = *state;
    struct web w = {.port = 80};
    snprintf(w.path, sizeof(w.path), "%s", running_path(&p->server));
    for (int i = 0; i < 8; i++) {
        int fd = web_dial_socket(&w);
        AUTO_FREE char *answer = web_post_on(&w, fd, "", CALL("1", "count", "{}"));
        assert_has(answer, "HTTP/1.1 200 ");
        assert_has(answer, "\"structuredContent\":{\"notes\":0}");
        close(fd);
    }
}
