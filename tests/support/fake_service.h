/*
 * A service without a store, and whoever runs its connection: tools that answer, fail, wait, tell progress and
 * write. Every test of the protocol engine talks to it.
 */
#ifndef STEMMA_FAKE_SERVICE_H
#define STEMMA_FAKE_SERVICE_H

#include "store/mcp/protocol/connection.h"

/*
 * Tools: `say` {text, agent_id?} -> {said, agent}; `fail` {how}; `wait` {}, answered by fake_finish alone; `count`
 * {to}, which tells progress and logs; `write` {}; `fill` {bytes}; `lines`, whose JSON has line breaks;
 * `picture`, which writes its whole result; `tell` {how}, which has two events, and where it fails that
 * way another one. Prompt `greet` {name}. Resources fake://thing/1 to /9, and
 * fake://things, which is of all of them.
 */
const struct mcp_service *fake_service(void);

struct fake {
    struct mcp_host host; /* first */
    struct mcp_connection *c;
    struct mcp_call *waiting; /* the newest first */
    size_t started, cancelled, told;
    bool answers_cancelled; /* a call that is cancelled comes back at once */
    bool bytewise;          /* input is fed a byte at a time */
    char *heard;            /* of fake_output */
};

void fake_open(struct fake *f, const struct mcp_service *service);
void fake_close(struct fake *f);
/* The things from the first to the last change: who subscribed is told. */
void fake_change(struct fake *f, int first, int last);
/* The same around a test, of fake_service: *state is it. */
int fake_set_up(void **state);
int fake_tear_down(void **state);
#define WITH_FAKE(test_) cmocka_unit_test_setup_teardown(test_, fake_set_up, fake_tear_down)
/* Feeds text and takes every whole line of it. */
void fake_send(struct fake *f, const char *text);
void fake_send_bytes(struct fake *f, const char *text, size_t len);
/* What was to be sent since the last time; it stays until the next call. Checked: whole lines, each JSON
 * in itself, of the shape that clients read. */
const char *fake_output(struct fake *f);
/* Carries out and answers the call that waits longest; false where none does. */
bool fake_finish(struct fake *f);
size_t fake_waiting(const struct fake *f);

/* Fails the test where a line that a server sends would not be read by a client: see the file. */
void shape_check(const char *line, size_t len);

#endif
