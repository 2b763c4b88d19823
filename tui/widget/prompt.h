/*
 * The text field in the status line: commands, searches, filters, answers to what is asked.
 */
#ifndef STEMMA_PROMPT_H
#define STEMMA_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/arena.h"
#include "tui/widget/text_edit.h"
#include "tui/term/input.h"
#include "tui/term/paint.h"
#include "tui/widget/modal.h"

struct app;
struct strbuf;
struct ui;

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

#define OFFERS_MAX 192

/* What could go on, listed above the field. */
struct offers {
    struct offered {
        const char *word;  /* in the arena */
        const char *about; /* at its right; in the arena, too */
        const void *tag;   /* of the prompt's own; NULL: a word that completes what is typed */
        int score;         /* the least is the best */
    } item[OFFERS_MAX];
    struct arena arena;
    size_t count, selected, top;
    bool moved;       /* the person chose one with the arrows */
    struct pane pane; /* where it was drawn */
};

struct prompt_ops {
    const char *name;   /* "filter" */
    const char *prefix; /* ":", "/" */
    /* What is asked, of what: it stands in place of the prefix where there is room. May be NULL. */
    void (*asks)(struct app *x, struct strbuf *out);
    const char *hint; /* while it is empty */
    int history;      /* enum prompt_past; -1: none is kept */
    /* Moves the view's cursor by an arrow or a page key; false where it is no such key. May be NULL. */
    bool (*moves)(struct app *x, uint32_t key);
    bool offers; /* what could go on stands above it: prompt_offer */
    /* Draws an offer that has a tag. May be NULL. */
    void (*draw_offer)(struct app *x, const struct pane *line, const struct offered *offer);
    /* Would Tab do something, though nothing is offered? May be NULL. */
    bool (*completes)(struct app *x);
    /* All in the main thread; `changed` and `abandoned` may be NULL. */
    void (*changed)(struct app *x, const char *text);
    void (*accepted)(struct app *x, const char *text);
    void (*abandoned)(struct app *x);
    /* Keys of its own before the field's: true if it took it. May be NULL. */
    bool (*key)(struct app *x, const struct input_event *event);
    /* What stands at its right while it is typed: how much was found. May be NULL. */
    void (*note)(struct app *x, struct strbuf *out);
};

struct prompt {
    struct modal modal;
    struct offers offers;
    const struct prompt_ops *ops; /* NULL: closed */
    struct text_edit line;
    struct prompt_history {
        char *line[PROMPT_HISTORY]; /* oldest first */
        size_t count;
    } history[HISTORY_COUNT];
    size_t recalled; /* how far back in the history; 0: not at all */
    char draft[PROMPT_MAX];
};

void prompt_open(struct ui *ui, const struct prompt_ops *ops, const char *text);
void prompt_close(struct ui *ui);
void prompt_set(struct ui *ui, const char *text); /* replaces the text, as if typed */
/* Earlier (-1) and later lines of its history; false at the end. */
bool prompt_recall(struct ui *ui, int direction);
void prompt_draw(struct ui *ui, const struct pane *row);
void prompt_release(struct prompt *p);

/* What is offered above the field: nothing, one more, and what keys choose among them. */
void prompt_offer_none(struct ui *ui);
void prompt_offer(struct ui *ui, const char *word, const char *about, const void *tag, int score);
bool prompt_choose(struct ui *ui, uint32_t key);

/* What each key of a text field does, for `?`: pairs of keys and help, ends with NULL. */
extern const char *const prompt_keys[];

#endif
