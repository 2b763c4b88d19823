/*
 * A service without a store, and a host that runs its connection, for tests of the protocol. Its
 * tools answer, fail, wait, report progress and write.
 */
#ifndef STEMMA_FAKE_SERVICE_H
#define STEMMA_FAKE_SERVICE_H

#include "store/mcp/protocol/connection.h"

/*
 * Tools: `say` {text, agent_id?} -> {said, agent}; `fail` {how}; `wait` {}, answered only by
 * fake_finish; `count` {to}, which reports progress and logs; `write` {}; `fill` {bytes}; `lines`,
 * whose JSON has line breaks; `picture`, which writes its whole result; `tell` {how}, which sends
 * two events, and another one if it fails. Prompt `greet` {name}. Resources fake://thing/1 to /9,
 * and fake://things, which covers all of them.
 */
const struct mcp_service *fake_service(void);

struct fake {
    struct mcp_host host; /* first */
    struct mcp_connection *c;
    struct mcp_call *waiting; /* newest first */
    size_t started, cancelled, told;
    bool answers_cancelled; /* cancelled calls are answered at once */
    bool bytewise;          /* feeds input a byte at a time */
    char *heard;            /* the result of fake_output */
};

void fake_open(struct fake *f, const struct mcp_service *service);
void fake_close(struct fake *f);
/* Changes the things from first to last, and notifies subscribers. */
void fake_change(struct fake *f, int first, int last);
/* Set-up and tear-down with fake_service. *state is the struct fake. */
int fake_set_up(void **state);
int fake_tear_down(void **state);
/* Feeds text to the connection and handles every complete line. */
void fake_send(struct fake *f, const char *text);
void fake_send_bytes(struct fake *f, const char *text, size_t len);
/* The output since the last call, valid until the next call. Checks that it is whole lines of
 * JSON in the form that clients read. */
const char *fake_output(struct fake *f);
/* Runs and answers the oldest waiting call. Returns false if there is none. */
bool fake_finish(struct fake *f);
size_t fake_waiting(const struct fake *f);

/* Fails the test if a client could not read a line from the server; see shape.c. */
void shape_check(const char *line, size_t len);

#endif
