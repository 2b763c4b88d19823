/*
 * The agents of `stemma demo --live`: two processes that use the store as any agent would, over the socket of the
 * listener, until the demo ends.
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
    pid_t pids[DEMO_AGENTS]; /* 0 if not started */
    int leash;               /* -1 if none */
    const char *runtime_dir; /* of the listener, as configured; may be NULL */
};
#define DEMO_AGENTS_INIT                                                                           \
    {                                                                                              \
        {0}, -1, NULL                                                                              \
    }

/* Sets `where` to the agent's own socket, next to that of the store at `path`. */
int demo_agent_socket(struct endpoint *where, const char *path, const char *runtime_dir,
                      const char *agent, struct error *e);
/* Grants each agent its name at its own socket. Call it before the agents start. */
int demo_sockets_add(struct permissions *p, const char *path, const char *runtime_dir,
                     struct error *e);
/* Starts the agents on the store at `path`. This process must have only one thread and no open store. The agents wait
 * for a listener, and return some time after they were disconnected. */
int demo_agents_start(struct demo_agents *a, const char *path, struct error *e);
/* Ends the agents and waits for them. Does nothing if none was started. */
void demo_agents_stop(struct demo_agents *a);

/*
 * A small MCP client over a store's socket for the demo agents: one request at a time, in either protocol era (with
 * or without handshake).
 *
 * It blocks, but only while its leash exists: a pipe whose other end the explorer holds.
 */
struct demo_client {
    const char *name, *version; /* sent to the server */
    bool modern;                /* identifies itself with each request, without a handshake */
    int leash;                  /* closed by the caller */
    int fd;                     /* -1 if not connected */
    int64_t last_id;
    struct strbuf in; /* received bytes */
    size_t taken;     /* bytes used by earlier answers */
};

enum demo_answer {
    DEMO_ENDED = -1, /* the server stopped, or the demo ended */
    DEMO_FAILED,     /* a protocol error or a tool error */
    DEMO_DONE,
};

/* Connects and initializes. Returns DEMO_DONE or DEMO_ENDED. */
enum demo_answer demo_client_connect(struct demo_client *c, const struct endpoint *where);
void demo_client_close(struct demo_client *c);
/* `params` has the members of the object, without braces. *result is the `result` or `error` of the answer, valid
 * until the next request. */
enum demo_answer demo_client_request(struct demo_client *c, const char *method, const char *params,
                                     struct json_slice *result);
/* Calls a tool; *result is its structuredContent. */
enum demo_answer demo_client_call(struct demo_client *c, const char *tool, const char *arguments,
                                  struct json_slice *result);
/* Waits. Returns false if the leash ended. */
bool demo_client_pause(const struct demo_client *c, int ms);

/* Permissions of the demo's agents, used if the configuration has none. */

/* Adds limits for some namespaces of the story, and grants: all list agent.*, Ash also writes to agent.oncall, and Claire
 * only to agent.claire. Does nothing if the configuration has rules of its own. */
void demo_rules_add(struct permissions *p);

#endif
