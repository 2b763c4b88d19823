/*
 * The keys of this session in the notation of scripts (tui/loop/script_file.h), from its start on: `:record FILE` may
 * come after what it is to show. Keys are written before they are handled, so that a file ends with the key that ended
 * the explorer.
 */
#ifndef STEMMA_RECORDING_H
#define STEMMA_RECORDING_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"

#define RECORDING_MAX (1024 * 1024) /* bytes of keys that are kept while no file is written */

struct app;
struct input_event;

struct recording {
    struct strbuf text; /* how the session began, and its keys */
    bool full;          /* there were more keys than RECORDING_MAX */
    int fd;             /* -1 while no file is written */
    char *path;
    int64_t last; /* when the last key came: monotonic ms; 0 for none */
    size_t line;  /* where the last line of `text` begins */
};

/* Notes how the session begins. */
void recording_begin(struct app *x);
void recording_take(struct app *x, const struct input_event *event);
/* Writes what came so far and what comes to a new file, until recording_stop. Returns -1 and sets `e`. */
int recording_start(struct recording *r, const char *path, struct error *e);
void recording_stop(struct recording *r);
void recording_release(struct recording *r);

#endif
