/* The demo store: its story, compiled in from tui/demo/demo.jsonl, and the scenes that live agents play. */
#ifndef STEMMA_DEMO_H
#define STEMMA_DEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "tui/demo/demo_agents.h"

/*
 * Makes a store of the story at `path`, where there must be none. All of its times are moved by as much as
 * brings the last of them to just before `now` (ms), so that ages read well.
 */
int demo_unpack(const char *path, int64_t now, struct error *e);

/*
 * What the agents of a live demo do: scenes, each a few calls that build on what the calls before
 * them gave back. Adding one is an entry of tui/demo/scenes.json and its name in the agent's list.
 */

/*
 * What the agents of a live demo say: templates that are filled anew each time, so that an hour of it
 * does not read like a loop.
 *
 * In a template `<name>` is one of a list of words, which may hold marks of its own; a
 * list that is drawn once keeps its word for the scene. `<3-9>` is a number, `<$name>` what the scene
 * has kept under that name, `<@name>` the URI of the memory whose ref that is, `<now>` the time in ms,
 * `<clock>` the time of day, `<uuid>` an id that nobody has.
 */

struct demo_words {
    const char *name;
    bool once; /* drawn once for a scene */
    const char **choices;
    size_t count;
};

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

enum demo_keep {
    KEEP_NOTHING,
    KEEP_REF,         /* "ref" */
    KEEP_ATTRIBUTION, /* the ref of "attribution_id" */
    KEEP_ANY,         /* the ref of one of "memories" */
    KEEP_SOURCE,      /* of one of "reasoning_steps"; and as "source" one that it used */
};

struct demo_step {
    const char *call; /* a tool, or a method (it has a '/' in it, or is "ping") */
    const char
        *arguments;  /* JSON as demo_text_fill_json reads it; a method's params without braces */
    unsigned pause;  /* tenths of a second before it, more or less */
    unsigned chance; /* in a hundred; 0: always */
    enum demo_keep from; /* what of the answer is kept … */
    const char *keep;    /* … under this name */
    bool fails;          /* as it is meant to */
};

struct demo_scene {
    const char *name;
    const struct demo_step *steps; /* ends with one whose call is NULL */
};

struct demo_agent {
    const char *name, *version; /* of its client */
    bool modern;                /* the era it speaks */
    const struct demo_scene *scenes;
    size_t count;
};

/* All that is in tui/demo/scenes.json: read once, kept until the program ends. Not to be called first by two
 * threads. */
struct demo_cast {
    struct demo_words *words;  /* end with one whose name is NULL */
    struct demo_scene *scenes; /* so do these */
    struct demo_agent agent[DEMO_AGENTS];
    struct cJSON *tree; /* holds the strings */
};
const struct demo_cast *demo_cast(void);

struct demo_stage {
    struct demo_client client;
    struct demo_telling telling;
    bool hurried; /* no pauses */
    /* Told of each call; may be NULL. */
    void (*told)(void *arg, const struct demo_step *step, enum demo_answer answer);
    void *arg;
};

/* Which of its scenes comes after so many, of which that was the last: each in its turn once, so that who begins to
 * watch soon sees all, then any, but no two alike in a row. */
size_t demo_scene_next(const struct demo_agent *agent, size_t played, size_t last,
                       struct demo_telling *t);

/* Plays one scene: DEMO_GONE where it was cut short. A step that needs what an earlier one did not
 * give is left out. */
enum demo_answer demo_scene_play(struct demo_stage *stage, const struct demo_scene *scene);

#endif
