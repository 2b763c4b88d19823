/* The explorer on a screen that nobody sees, driven by a script of keys. */
#ifndef STEMMA_TEST_SCRIPT_H
#define STEMMA_TEST_SCRIPT_H

#include <stdint.h>
#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "tui/config/config.h"

struct script {
    struct store *store;
    struct config config;
    int rows, columns;
    bool no_colour;
    const char *person; /* who looks; NULL: nobody known */
    const char *visit;  /* the file of the last visit; NULL: none */
    const char *as_of;  /* the moment to begin at; NULL: now */
    /* Called at each shot, in the middle of the run: a test that writes to the store does it here. */
    void (*at_shot)(struct script *s, const char *name);
    const char *frame;    /* the newest */
    struct strbuf frames; /* each shot: "== NAME", then the frame */
};

/* Opens the demo story at a fixed time, 24 rows by 80 columns. */
void script_open_demo(struct script *s);
/* The same on a store of the caller's, which stays the caller's to close. */
void script_open(struct script *s, struct store *store);
void script_close(struct script *s);

/* A set-up on the demo story, and a tear-down that closes its store too; the state is the script. */
int script_set_up_demo(void **state);
int script_tear_down(void **state);

/* Runs the keys from a fresh explorer; what was there of frames is dropped. Returns the last frame,
 * valid until the next run. Fails the test where the explorer fails. */
const char *script_run(struct script *s, const char *keys);
/* The last run's shot of that name, up to the next one; free() it. NULL where there was none. */
char *script_shot(const struct script *s, const char *name);

/* Memories with escape sequences, bidi controls, combining marks and the like in every field of text,
 * some of which rest on each other. */
void script_put_hostile(struct store *s, uint64_t seed);
/* Long texts of wide characters and combining marks, which begin in every column. */
void script_put_wide(struct store *s);

#endif
