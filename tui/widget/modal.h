/*
 * What stands open over a view and takes every key: a field, a popup, a form. They form a stack; the topmost has the
 * keys and the key bar.
 */
#ifndef STEMMA_MODAL_H
#define STEMMA_MODAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "tui/term/input.h"
#include "tui/term/paint.h"
#include "tui/widget/text_edit.h"

struct ui;

#define BAR_WORDS 8

/* A key and what it does, for the key bar. */
struct bar_word {
    const char *key, *word;
};

struct modal_ops {
    /* A key, a button of the mouse, or KEY_PASTED with its text in ui->input. */
    void (*key)(struct ui *ui, const struct input_event *event);
    void (*draw)(struct ui *ui, const struct pane *body);         /* over the view; NULL: nothing */
    void (*bar)(struct ui *ui, struct bar_word words[BAR_WORDS]); /* zeroed before */
};

/* The first member of each kind. */
struct modal {
    const struct modal_ops *ops; /* NULL: it is closed */
    struct modal *below;
};

/* A small list over the view: a choice to make, each with a key of its own where it has one. */

struct app;

struct popup_item {
    uint32_t key;  /* chooses it at once; KEY_NONE: none */
    uint32_t also; /* a second one */
    char *text, *help;
    char *shown;         /* in place of the text, where that is masked; NULL: it is not */
    const char *blocked; /* why it cannot be chosen; NULL: it can */
    int64_t value;
};

struct popup {
    struct modal modal;
    struct ui *ui;
    const char *title; /* a constant */
    struct popup_item *items;
    size_t count, alloc, selected, top;
    void (*chosen)(struct app *x, const struct popup_item *item);
    bool any_key; /* letters are values of their own: `chosen` gets NULL and `letter` */
    uint32_t letter;
    struct pane pane; /* where its lines were drawn */
    bool framed;      /* around them stood a frame with the title */
};

/* Opens it over what is open; `chosen` runs once it is closed again. */
void popup_open(struct popup *p, const char *title,
                void (*chosen)(struct app *x, const struct popup_item *item));
struct popup_item *popup_add(struct popup *p, uint32_t key, const char *text, const char *help);
/* One of a table of them. */
struct choice {
    uint32_t key;
    const char *text, *help;
    int64_t value;
};
void popup_offer(struct popup *p, const struct choice *list, size_t count);
/* Opens it with these. */
void popup_choose(struct popup *p, const char *title, const struct choice *list, size_t count,
                  void (*chosen)(struct app *x, const struct popup_item *item));
/* The same for a word that was typed behind an action: the one of that name is chosen at once; where none is called so
 * it is said which there are. Without a word it begins on the one of that value. */
void popup_by_name(struct popup *p, const char *word, const char *title, const struct choice *list,
                   size_t count, int64_t value,
                   void (*chosen)(struct app *x, const struct popup_item *item));
/* Puts the cursor on the one of that value. */
void popup_select(struct popup *p, int64_t value);
void popup_close(struct popup *p);
void popup_release(struct popup *p);

/*
 * The text field in the status line: commands, searches, filters, answers to what is asked.
 */

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

/* What each key of a text field does, for `?`; ends with NULL. */
extern const struct bar_word prompt_keys[];

#endif
