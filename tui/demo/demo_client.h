/*
 * A small MCP client over a store's socket, as the agents of a live demo use it: one request at a
 * time, in the era of the handshake or in the one without.
 *
 * It blocks, but never longer than its leash is held: a pipe whose other end the explorer keeps.
 */
#ifndef STEMMA_DEMO_CLIENT_H
#define STEMMA_DEMO_CLIENT_H

#include <stdbool.h>
#include <stdint.h>
#include "model/json/json.h"
#include "store/mcp/server/endpoint.h"

struct demo_client {
    const char *name, *version; /* as it introduces itself */
    bool modern;                /* says who it is with each request, and shakes no hands */
    int leash;                  /* to be closed by the caller */
    int fd;                     /* -1: not connected */
    int64_t last_id;
    struct strbuf in; /* what was read */
    size_t taken;     /* of it, by earlier answers */
};

enum demo_answer {
    DEMO_GONE = -1, /* there is nobody there any more, or the leash was let go */
    DEMO_FAILED,    /* an error, or a tool's own failure */
    DEMO_DONE,
};

/* Connects and introduces itself: DEMO_DONE or DEMO_GONE. */
enum demo_answer demo_client_connect(struct demo_client *c, const struct endpoint *where);
void demo_client_close(struct demo_client *c);
/* `params`: the members of the object, without braces. What was answered (its `result`, or the `error`)
 * is in *result until the next request. */
enum demo_answer demo_client_request(struct demo_client *c, const char *method, const char *params,
                                     struct json_slice *result);
/* A call of that tool; *result is its structuredContent. */
enum demo_answer demo_client_call(struct demo_client *c, const char *tool, const char *arguments,
                                  struct json_slice *result);
/* Waits so long: false where the leash was let go. */
bool demo_client_pause(const struct demo_client *c, int ms);

#endif
