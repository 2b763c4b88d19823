/*
 * A service for tests of the server, with a real store and a server that runs in a thread of the
 * test. Its tools show how a call was run.
 */
#ifndef STEMMA_TESTS_LOOP_SERVICE_H
#define STEMMA_TESTS_LOOP_SERVICE_H

#include <pthread.h>
#include "store/mcp/http/http.h"

/*
 * `echo` {text} reads nothing; `note` {text} adds a note; `count` {} returns the number of notes;
 * `churn` {steps} reads that many rows and returns how many, and in which thread ("loop" or
 * "reading"); `scan` {} is a long read that never ends by itself; `refuse` {} is a write that
 * fails.
 */
const struct mcp_service *loop_service(void);

struct running {
    struct mcp_server *server;
    pthread_t thread;
};
/* Serves in a thread. With `wait` returns once it listens. */
void running_start(struct running *r, struct store *s, bool wait);
void running_start_with(struct running *r, struct store *s,
                        const struct mcp_server_options *options, bool wait);
void running_stop(struct running *r);
/* Waits until it listens, and returns the path. */
const char *running_path(struct running *r);

/* A line: tools/call of `tool` with these arguments. */
#define CALL(id, tool, arguments)                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool    \
    "\",\"arguments\":" arguments "}}"

#endif
