/* Keys of a session as text: written while a person types, and read to play them again. */
#ifndef STEMMA_SCRIPT_H
#define STEMMA_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "tui/config/config.h"

/*
 * The keys of this session in the notation of scripts (tui/explorer/script.h), from its start on: `:record FILE` may
 * come after what it is to show. Keys are written before they are handled, so that a file ends with the key that ended
 * the explorer.
 */

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

/*
 * A file with the keys of a session: what --record writes and `stemma replay` plays. The scenes of the tests have the
 * same notation (tests/tui/README.md); this is the part that both share.
 */

struct script_line {
    char *text;
    int number;
};

/* The lines of a file, without empty ones and comments. */
struct script_file {
    char *text; /* the buffer of the lines */
    const char *path;
    struct script_line *line;
    size_t count;
};
/* Keeps `path`. Returns -1 and sets ERROR_STORE if the file cannot be read. */
int script_file_read(struct script_file *f, const char *path, struct error *e);
void script_file_release(struct script_file *f);

/* The rest of the line after the word; NULL if the line does not begin with it. */
const char *script_rest(const char *line, const char *word);
/* Takes a line "NAME: VALUE", as in config.yaml, into `all`, in place of an earlier one, and reads all of them. */
int script_set(struct strbuf *all, struct config *config, const char *line, struct error *e);

/* Checks the names of keys. Returns -1 and sets ERROR_INVALID with the one that is wrong. */
int script_check_keys(const char *keys, struct error *e);

/* The text between bars at its ends: "| 15\n|" has a blank at its begin, and a line end. The caller frees it. */
char *script_text(const char *text);
/* The line of a frame with the cursor; the caller frees it. NULL without any. */
char *script_cursor_line(const char *frame);
/* Checks a line as "  TEXT", "! TEXT", "on TEXT", "times 3 TEXT" against a frame. Returns 1 if it holds, 0 if it is
 * no check, -1 and sets `e` if it does not hold. */
int script_check(const char *frame, const char *line, struct error *e);

#endif
