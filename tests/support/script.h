/* Runs the explorer on a virtual screen with a script of keys. */
#ifndef STEMMA_TEST_SCRIPT_H
#define STEMMA_TEST_SCRIPT_H

#include <stdint.h>
#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "tui/config/config.h"

struct opened_store;

struct script {
    struct store *store;
    struct config config;
    int rows, columns;
    bool no_colour;
    bool inbox_first;   /* begin with the inbox if something waits */
    bool tour;          /* begin with the tour of the demo */
    const char *person; /* the name of the person, or NULL */
    const char *name;   /* of the store, in the header, or NULL */
    const char *visit;  /* the file of the last visit, or NULL */
    const char *place;  /* the file of where the person was, or NULL */
    const char *as_of;  /* the event or time to start at; NULL for the present */
    const char *origin; /* what opens the store again, for :open; or NULL */
    int (*open)(void *open_arg, const char *path, struct opened_store *out, struct error *e);
    void *open_arg;
    const char *follow; /* the source that the store is a working copy of, or NULL */
    const struct import_format *format; /* of `follow` */
    /* Called at each shot, during the run. A test may write to the store here. */
    void (*at_shot)(struct script *s, const char *name);
    const char *frame;    /* the last frame */
    struct strbuf frames; /* all shots: "== NAME" and the frame for each */
};

/* Opens the demo story at a fixed time, 24 rows by 80 columns. */
void script_open_demo(struct script *s);
/* The same on a store of the caller, who closes it. */
void script_open(struct script *s, struct store *store);
void script_close(struct script *s);

/* Set-up on the demo story, and a tear-down that also closes its store. *state is the script. */
int script_set_up_demo(void **state);
int script_tear_down(void **state);

/* Runs the keys in a new explorer and discards earlier frames. Returns the last frame, valid
 * until the next run. Fails the test if the explorer fails. */
const char *script_run(struct script *s, const char *keys);
/* The shot of that name in the last run, or NULL. The caller frees it. */
char *script_shot(const struct script *s, const char *name);

/* Puts memories with escape sequences, bidi controls, combining marks and similar in every text
 * field. Some are based on others. */
void script_put_hostile(struct store *s, uint64_t seed);
/* Puts long texts of wide characters and combining marks that begin in every column. */
void script_put_wide(struct store *s);

#endif
