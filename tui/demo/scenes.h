/* The scenes of the live demo's agents (tui/demo/scenes.json). */
#ifndef STEMMA_DEMO_SCENES_H
#define STEMMA_DEMO_SCENES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "tui/demo/demo_agents.h"

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
/* A random number from `low` to `high`, inclusive. */
unsigned demo_text_random(struct demo_scene_state *t, unsigned low, unsigned high);
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

/* Chooses the next scene after `played` scenes, of which `last` was the last: first each scene once, so that a viewer
 * soon sees all, then a random one, but never the same twice in a row. */
int demo_scene_next(const struct cJSON *agent, int played, int last, struct demo_scene_state *t);

/* Plays a scene. Returns DEMO_GONE if it was interrupted. Skips steps that need a value that an earlier step did not
 * give. */
enum demo_answer demo_scene_play(struct demo_stage *stage, const struct cJSON *scene);

#endif
