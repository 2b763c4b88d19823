/*
 * What the agents of a live demo say: templates that are filled anew each time, so that an hour of it
 * does not read like a loop.
 *
 * In a template `<name>` is one of a list of words (demo_words.c), which may hold marks of its own; a
 * list that is drawn once keeps its word for the scene. `<3-9>` is a number, `<$name>` what the scene
 * has kept under that name, `<@name>` the URI of the memory whose ref that is, `<now>` the time in ms,
 * `<clock>` the time of day, `<uuid>` an id that nobody has.
 */
#ifndef STEMMA_DEMO_TEXT_H
#define STEMMA_DEMO_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/strbuf.h"

struct demo_words {
    const char *name;
    bool once; /* drawn once for a scene */
    const char *const *choices;
};
/* Ends with an entry whose name is NULL. */
extern const struct demo_words demo_words[];

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

/* Appends the template filled. -1: it names something that the scene has not kept. */
int demo_text_fill(struct demo_telling *t, const char *template, struct strbuf *out);
/* The same for JSON written with ' for ": what is filled in is escaped as within a string. */
int demo_text_fill_json(struct demo_telling *t, const char *template, struct strbuf *out);

#endif
