/*
 * The agents of `stemma demo --live`: two processes that talk to the store as any other agent would,
 * through the socket of whoever listens there, until the demo ends.
 */
#ifndef STEMMA_DEMO_AGENTS_H
#define STEMMA_DEMO_AGENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "model/base/error.h"
#include "model/json/json.h"
#include "model/policy/permission.h"
#include "store/mcp/server/endpoint.h"

#define DEMO_AGENTS 2

struct demo_agents {
    pid_t pids[DEMO_AGENTS]; /* 0: not started */
    int leash;               /* -1: none */
};
#define DEMO_AGENTS_INIT                                                                           \
    {                                                                                              \
        {0}, -1                                                                                    \
    }

/* Starts them on the store at `path`. To be called while this process has one thread and no store
 * open. They wait until somebody listens, and come back some time after they were sent away. */
int demo_agents_start(struct demo_agents *a, const char *path, struct error *e);
/* Ends them and waits until they have. Does nothing where none was started. */
void demo_agents_stop(struct demo_agents *a);

/*
 * A small MCP client over a store's socket, as the agents of a live demo use it: one request at a
 * time, in the era of the handshake or in the one without.
 *
 * It blocks, but never longer than its leash is held: a pipe whose other end the explorer keeps.
 */

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

/* What the demo's agents are held to, where the configuration holds nobody to anything of its own. */

/* Limits of a few namespaces of the story, and that Claire writes nothing for sessions. */
void demo_rules_add(struct permissions *p);

#endif
