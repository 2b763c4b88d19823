/* A small list over the view: a choice to make, each with a key of its own where it has one. */
#ifndef STEMMA_POPUP_H
#define STEMMA_POPUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tui/term/input.h"
#include "tui/term/paint.h"
#include "tui/widget/modal.h"

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
void popup_close(struct popup *p);
void popup_release(struct popup *p);

#endif
