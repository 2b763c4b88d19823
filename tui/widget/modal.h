/*
 * What is open over a view and takes every key: a prompt, a popup or a form. They form a stack. The topmost gets the
 * keys and owns the key bar.
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
    void (*draw)(struct ui *ui, const struct pane *body);         /* over the view; may be NULL */
    void (*bar)(struct ui *ui, struct bar_word words[BAR_WORDS]); /* `words` is zeroed */
};

/* The first member of each kind of modal. */
struct modal {
    const struct modal_ops *ops; /* NULL while it is closed */
    struct modal *below;
};

/* A popup: a small list of choices over the view. A choice may have its own key. */

struct app;

struct popup_item {
    uint32_t key;  /* chooses it at once; or KEY_NONE */
    uint32_t also; /* a second such key */
    char *text, *help;
    char *shown;         /* masked text to show instead of `text`; NULL if it is not masked */
    const char *blocked; /* why it cannot be chosen; NULL if it can */
    char *command;       /* the command line that does the same, which C-y copies; NULL for none */
    int64_t value;
};

struct popup {
    struct modal modal;
    struct ui *ui;
    const char *title; /* a string constant */
    struct popup_item *items;
    size_t count, alloc, selected, top;
    void (*chosen)(struct app *x, const struct popup_item *item);
    void (*copied)(struct app *x, const char *command); /* C-y; NULL without commands */
    /* Takes a key about an item, and leaves the popup open. Returns false for other keys. May be NULL. */
    bool (*key)(struct app *x, struct popup_item *item, uint32_t key);
    const struct bar_word *keys; /* of `key`, ended by one without a key */
    bool any_key; /* any letter closes it: `chosen` then gets NULL, and `letter` is set */
    uint32_t letter;
    struct pane pane; /* where its lines were drawn, for the mouse */
    bool framed;      /* it was drawn with a frame and title */
};

/* Opens an empty popup on top. `chosen` runs after it is closed. */
void popup_open(struct popup *p, const char *title,
                void (*chosen)(struct app *x, const struct popup_item *item));
struct popup_item *popup_add(struct popup *p, uint32_t key, const char *text, const char *help);
/* A constant popup item. */
struct choice {
    uint32_t key;
    const char *text, *help;
    int64_t value;
};
void popup_offer(struct popup *p, const struct choice *list, size_t count);
/* Opens a popup with these choices. */
void popup_choose(struct popup *p, const char *title, const struct choice *list, size_t count,
                  void (*chosen)(struct app *x, const struct popup_item *item));
/* As popup_choose, for an action that was typed with an argument: chooses the item of that name at once, or shows the
 * valid names if there is none. Without `word` the item with `value` is selected first. */
void popup_by_name(struct popup *p, const char *word, const char *title, const struct choice *list,
                   size_t count, int64_t value,
                   void (*chosen)(struct app *x, const struct popup_item *item));
void popup_close(struct popup *p);
void popup_release(struct popup *p);

/* The prompt: the text field in the status line, for commands, searches, filters and questions. */

#define PROMPT_MAX     1024 /* bytes; a longer paste is cut, with a message */
#define PROMPT_HISTORY 64

/* Each kind of prompt has its own history. */
enum prompt_history_kind {
    HISTORY_COMMAND = 0,
    HISTORY_SEARCH,
    HISTORY_FILTER,
    HISTORY_REASON,
    HISTORY_COUNT
};

#define OFFERS_MAX 192

/* Suggestions, listed above the prompt. */
struct offers {
    struct offered {
        const char *word;  /* in the arena */
        const char *about; /* right-aligned; in the arena */
        const void *tag;   /* belongs to the prompt; NULL for a word that completes the text */
        int score;         /* the lowest is the best */
    } item[OFFERS_MAX];
    struct arena arena;
    size_t count, selected, top;
    bool moved;       /* the person chose one with the arrow keys */
    bool named;       /* what is typed names the first one: Enter takes it */
    struct pane pane; /* where it was drawn, for the mouse */
};

struct prompt_ops {
    const char *prefix; /* ":", "/" */
    /* Writes the question, which replaces the prefix if there is room. May be NULL. */
    void (*asks)(struct app *x, struct strbuf *out);
    const char *hint;  /* shown while the field is empty */
    const char *enter; /* what Enter does, for the key bar: "search" */
    /* Whether Enter has an effect now. NULL: it always has. */
    bool (*enters)(struct app *x);
    int history;     /* enum prompt_history_kind; -1 for no history */
    bool type_ahead; /* takes keys that were typed before it was drawn: it changes no store */
    /* Moves the view's cursor by an arrow or page key. Returns false for other keys. May be NULL. */
    bool (*moves)(struct app *x, uint32_t key);
    bool offers; /* shows suggestions (prompt_offer) */
    bool copies; /* `key` takes C-y, which copies a command: said in the key bar */
    /* Draws a suggestion with a tag. May be NULL. */
    void (*draw_offer)(struct app *x, const struct pane *line, const struct offered *offer);
    /* Whether Tab has an effect although there are no suggestions. May be NULL. */
    bool (*completes)(struct app *x);
    /* These run in the main thread. `changed` and `abandoned` may be NULL. */
    void (*changed)(struct app *x, const char *text);
    void (*accepted)(struct app *x, const char *text);
    void (*abandoned)(struct app *x);
    /* Handles keys before the field does; returns true if it used the key. May be NULL. */
    bool (*key)(struct app *x, const struct input_event *event);
    /* Writes a note at the right while the person types, such as the number of matches. May be NULL. */
    void (*note)(struct app *x, struct strbuf *out);
};

struct prompt {
    struct modal modal;
    struct offers offers;
    const struct prompt_ops *ops; /* NULL while it is closed */
    struct text_edit line;
    char wrong[512]; /* what is wrong with the text; "" for nothing */
    struct prompt_history {
        char *line[PROMPT_HISTORY]; /* oldest first */
        size_t count;
    } history[HISTORY_COUNT];
    size_t recalled; /* steps back in the history; 0 for none */
    char draft[PROMPT_MAX];
};

void prompt_open(struct ui *ui, const struct prompt_ops *ops, const char *text);
void prompt_close(struct ui *ui);
/* Shows what is wrong with the typed text, and underlines those bytes; NULL for nothing. */
void prompt_wrong(struct ui *ui, const char *what, size_t from, size_t to);
void prompt_set(struct ui *ui, const char *text); /* replaces the text as if it was typed */
/* Recalls an earlier (-1) or later line of the history. Returns false at the end. */
bool prompt_recall(struct ui *ui, int direction);
void prompt_draw(struct ui *ui, const struct pane *row);
void prompt_release(struct prompt *p);

/* Suggestions: remove all, add one, and handle the keys that select one. */
void prompt_offer_none(struct ui *ui);
void prompt_offer(struct ui *ui, const char *word, const char *about, const void *tag, int score);
bool prompt_choose(struct ui *ui, uint32_t key);

/* The keys of a text field for `?` (help); ends with NULL. */
extern const struct bar_word prompt_keys[];

#endif
