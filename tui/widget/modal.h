/*
 * What stands open over a view and takes every key: a field, a popup, a form. They form a stack; the topmost has the
 * keys and the key bar.
 */
#ifndef STEMMA_MODAL_H
#define STEMMA_MODAL_H

#include <stdbool.h>

struct input_event;
struct pane;
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

#endif
