/*
 * The store of `stemma demo`, some weeks of work by agents and a person that are replayed for each demo, and the agents
 * of `stemma demo --live`: two processes that use the store as any agent would, over the socket of the
 * listener, until the demo ends.
 */
#ifndef STEMMA_DEMO_H
#define STEMMA_DEMO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <stddef.h>
#include "model/base/error.h"
#include "model/json/json.h"
#include "model/policy/permission.h"
#include "store/mcp/server/server.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"

/*
 * Makes a new store at `path` by replaying each line of tui/demo/story.jsonl in the name of its actor, with the clock
 * at its time. All times are shifted so that the last one is just before `now` (ms).
 *
 * A line is a memory in the JSON of a memory, which its agent adds, or a new state of an existing one; or an
 * operation: {"at", "agent" or "person", "operation", and its parameters by their names (store/ops/operation.h)},
 * where "id" is that of the memory that it makes. Lines are sorted by time.
 */
int story_replay(const char *path, int64_t now, struct error *e);

/* ---- the agents ---- */

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

/* Permissions of the demo's agents, used if the configuration has none. */

/* Adds limits for some namespaces of the story, and grants: all list agent.*, Ash also writes to agent.oncall, and
 * Claire only to agent.claire. Does nothing if the configuration has rules of its own. */
void demo_rules_add(struct permissions *p);

struct cJSON;

/*
 * What the agents of a live demo do is in tui/demo/scenes.json. A scene is a few calls that use values from earlier
 * answers. To add a scene, write it there and add its name to an agent's list.
 *
 * "words": [{name, once (choose once per scene), choices}]
 *
 * "scenes": [{name, steps: [{call, arguments, pause, chance, from, keep, fails}]}]
 *
 * - call: a tool, or a method (which has a '/' in its name, or is "ping")
 * - arguments: a template for demo_text_fill_json; those of a method without braces
 * - pause: about so many tenths of a second before the call
 * - chance: in percent; 0 for always
 * - from: the value to take from the answer: "ref"; "attribution", the ref of attribution_id; "any", the ref of one
 *   of memories; "source", the ref of one of reasoning_steps, which also stores a source of that step as "source"
 * - keep: the name under which the value is stored for later steps
 * - fails: the call is expected to fail
 *
 * "agents": [{name, version (of its client), modern (protocol era), scenes (names)}]
 *
 * Arguments and choices are templates that are filled anew each time, for variety. In a template `<name>` is a random
 * choice of a list of words, which may have placeholders, too. `<3-9>` is a number, `<$name>` a stored value,
 * `<@name>` the URI of the memory with that stored ref, `<now>` the time in ms, `<clock>` the time of day, `<uuid>` a
 * new id.
 */
/* One of the three lists of scenes.json, which is read once and never freed. The first call must not race with
 * another. */
const struct cJSON *demo_list(const char *name);
/* The element of a list with that name, or NULL. */
const struct cJSON *demo_named(const struct cJSON *list, const char *name);
/* A string member, or NULL. */
const char *demo_member(const struct cJSON *object, const char *name);

#define DEMO_BOUND_MAX 24

/* State of a scene of one agent. */
struct demo_scene_state {
    uint64_t seed; /* not 0 */
    struct demo_bound {
        const char *name; /* a string constant */
        char *text;       /* freed by demo_text_begin */
    } bound[DEMO_BOUND_MAX];
    size_t count;
};

/* Clears the values of the last scene. Call it also at the end, to free them. */
void demo_text_begin(struct demo_scene_state *t);
/* Stores a text under a name for the rest of the scene. Ignored if there are DEMO_BOUND_MAX already. */
void demo_text_store(struct demo_scene_state *t, const char *name, const char *text);

/*
 * Appends the filled template, which is JSON with ' for ". Inserted text is escaped as in a string. Returns -1 if it
 * uses a name that the scene has not stored.
 */
int demo_text_fill_json(struct demo_scene_state *t, const char *template, struct strbuf *out);

struct demo_stage {
    struct demo_client client;
    struct demo_scene_state telling;
    bool hurried; /* no pauses */
    /* Called after each call; may be NULL. */
    void (*reported)(void *arg, const struct cJSON *step, enum demo_answer answer);
    void *arg;
};

/* Chooses the next scene after `played` scenes, `last` being the latest: first each scene once, so that a viewer soon
 * sees all, then a random one, but never the same twice in a row. */
int demo_scene_next(const struct cJSON *agent, int played, int last, struct demo_scene_state *t);

/* Plays a scene. Returns DEMO_ENDED if it was interrupted. Skips steps that need a value that an earlier step did not
 * give. */
enum demo_answer demo_scene_play(struct demo_stage *stage, const struct cJSON *scene);

#endif
