/*
 * The text field in the status line: commands, searches, filters, answers to what is asked.
 */
#ifndef STEMMA_PROMPT_H
#define STEMMA_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include "tui/widget/text_edit.h"
#include "tui/term/input.h"
#include "tui/term/paint.h"

struct app;
struct strbuf;

#define PROMPT_MAX     1024 /* bytes; a paste that is longer is cut, and that is said */
#define PROMPT_HISTORY 64

/* What is typed is kept for its like. */
enum prompt_past {
    HISTORY_COMMAND = 0,
    HISTORY_SEARCH,
    HISTORY_FILTER,
    HISTORY_REASON,
    HISTORY_AUDIT,
    HISTORY_COUNT
};

struct prompt_ops {
    const char *name;   /* "filter" */
    const char *prefix; /* ":", "/" */
    /* What is asked, of what: it stands in place of the prefix where there is room. May be NULL. */
    void (*asks)(struct app *x, struct strbuf *out);
    const char *hint; /* while it is empty */
    int history;      /* enum prompt_past; -1: none is kept */
    bool moves_view;  /* arrows and pages move the view's cursor */
    bool offers;      /* what could go on stands above it, in the palette */
    /* All in the main thread; `changed` may be NULL. */
    void (*changed)(struct app *x, const char *text);
    void (*accepted)(struct app *x, const char *text);
    void (*abandoned)(struct app *x);
    /* Keys of its own before the field's: true if it took it. May be NULL. */
    bool (*key)(struct app *x, const struct input_event *event);
    /* What stands at its right while it is typed: how much was found. May be NULL. */
    void (*note)(struct app *x, struct strbuf *out);
};

struct prompt {
    const struct prompt_ops *ops; /* NULL: closed */
    struct text_edit line;
    struct prompt_history {
        char *line[PROMPT_HISTORY]; /* oldest first */
        size_t count;
    } history[HISTORY_COUNT];
    size_t recalled; /* how far back in the history; 0: not at all */
    char draft[PROMPT_MAX];
};

void prompt_open(struct app *x, const struct prompt_ops *ops, const char *text);
void prompt_close(struct app *x);
void prompt_set(struct app *x, const char *text); /* replaces the text, as if typed */
void prompt_key(struct app *x, const struct input_event *event);
void prompt_paste(struct app *x, const char *text, size_t len);
/* Earlier (-1) and later lines of its history; false at the end. */
bool prompt_recall(struct app *x, int direction);
void prompt_draw(struct app *x, const struct pane *row);
void prompt_release(struct prompt *p);

/* What each key of a text field does, for `?`: pairs of keys and help, ends with NULL. */
extern const char *const prompt_keys[];

#endif
