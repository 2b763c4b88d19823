/*
 * What the agents of a live demo do: scenes, each a few calls that build on what the calls before
 * them gave back. Adding one is a table and a line in the agent's list.
 */
#ifndef STEMMA_DEMO_SCENE_H
#define STEMMA_DEMO_SCENE_H

#include <stddef.h>
#include "tui/demo/demo_client.h"
#include "tui/demo/demo_text.h"

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

extern const struct demo_agent demo_ash, demo_claire;

/* demo_scenes_reasoning.c: Ash's, and Claire's two. */
extern const struct demo_step demo_reason[], demo_answer_from_documents[], demo_check_reasoning[];
/* demo_scenes_memory.c: Ash's and Claire's. */
extern const struct demo_step demo_share_state[], demo_share_review[];

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
