/* The scenes that the agents of a live demo play (tui/demo/scenes.json). */
#ifndef STEMMA_DEMO_SCENES_H
#define STEMMA_DEMO_SCENES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "tui/demo/demo_agents.h"

/*
 * What the agents of a live demo do: tui/demo/scenes.json. A scene is a few calls that build on what the calls before
 * them gave back; to add one, write it there and name it in an agent's list.
 *
 * "words": [{name, once (drawn once for a scene), choices}]
 * "scenes": [{name, steps: [{call (a tool, or a method: it has a '/' in it, or is "ping"), arguments (as
 * demo_text_fill_json reads them; a method's params without braces), pause (tenths of a second before it, more or
 * less), chance (in a hundred; 0: always), from (what of the answer is kept: "ref"; "attribution", the ref of
 * attribution_id; "any", the ref of one of memories; "source", that of one of reasoning_steps, and as "source" one that
 * it used), keep (under that name), fails (as it is meant to)}]}]
 * "agents": [{name, version (of its client), modern (the era it speaks), scenes (their names)}]
 *
 * Arguments and choices are templates that are filled anew each time, so that an hour of it does not read like a loop.
 * In a template `<name>` is one of a list of words, which may hold marks of its own. `<3-9>` is a number, `<$name>` what
 * the scene has kept under that name, `<@name>` the URI of the memory whose ref that is, `<now>` the time in ms,
 * `<clock>` the time of day, `<uuid>` an id that nobody has.
 */
struct cJSON;
/* One of its three lists; read once, kept until the program ends. Not to be called first by two threads. */
const struct cJSON *demo_list(const char *name);
/* What of a list is called so; NULL: there is none. */
const struct cJSON *demo_named(const struct cJSON *list, const char *name);
/* A text of it; NULL: it has none. */
const char *demo_member(const struct cJSON *object, const char *name);

#define DEMO_BOUND_MAX 24

/* What one scene of one agent holds on to. */
struct demo_telling {
    uint64_t seed; /* any number but 0 */
    struct demo_bound {
        const char *name; /* a constant */
        char *text;       /* freed by demo_text_begin */
    } bound[DEMO_BOUND_MAX];
    size_t count;
};

/* Forgets what the last scene kept. Also frees: call it at the end. */
void demo_text_begin(struct demo_telling *t);
/* From `low` to `high`, both included. */
unsigned demo_text_draw(struct demo_telling *t, unsigned low, unsigned high);
/* Keeps the text for the rest of the scene. Nothing where there are DEMO_BOUND_MAX already. */
void demo_text_bind(struct demo_telling *t, const char *name, const char *text);

/*
 * Appends the template filled; it is JSON with ' for ", and what is filled in is escaped as within a string. -1: it names
 * something that the scene has not kept.
 */
int demo_text_fill_json(struct demo_telling *t, const char *template, struct strbuf *out);

struct demo_stage {
    struct demo_client client;
    struct demo_telling telling;
    bool hurried; /* no pauses */
    /* Told of each call; may be NULL. */
    void (*told)(void *arg, const struct cJSON *step, enum demo_answer answer);
    void *arg;
};

/* Which of its scenes comes after so many, of which that was the last: each in its turn once, so that who begins to
 * watch soon sees all, then any, but no two alike in a row. */
int demo_scene_next(const struct cJSON *agent, int played, int last, struct demo_telling *t);

/* Plays one scene: DEMO_GONE where it was cut short. A step that needs what an earlier one did not
 * give is left out. */
enum demo_answer demo_scene_play(struct demo_stage *stage, const struct cJSON *scene);

#endif
