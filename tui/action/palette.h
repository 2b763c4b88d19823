/*
 * The `:` line: actions by name with their arguments, memories by ref, lines by number; with what
 * fits what is typed so far listed above it.
 */
#ifndef STEMMA_PALETTE_H
#define STEMMA_PALETTE_H

#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "tui/action/action.h"
#include "tui/term/paint.h"

struct input_event;

struct palette {
    struct palette_item {
        const struct action *action; /* NULL: a word that completes the argument */
        const char *word;            /* in the arena */
        const char *about;           /* of a word, at its right; in the arena, too */
        int score;                   /* the least is the best */
    } item[ACTIONS_MAX];
    struct arena arena;
    size_t count, selected, top;
    bool moved;       /* the person chose one with the arrows */
    struct pane pane; /* where it was drawn */
};

void palette_open(struct app *x);
/* Is anything offered above the field that is open? */
bool palette_is_open(const struct app *x);
/* For fields that offer words there: none, one more, and what keys choose among them. */
void palette_clear(struct app *x);
void palette_release(struct app *x);
void palette_offer(struct app *x, const char *word, const char *about, int score);
bool palette_choose(struct app *x, uint32_t key);
/* A ref that is typed in the open field, or begun, becomes whole; else it is said why not. */
void palette_complete_ref(struct app *x);
void palette_draw(struct app *x, const struct pane *body);
/* Would Tab do something? */
bool palette_completes(const struct app *x);
void palette_click(struct app *x, const struct input_event *event);
/* Opens the memory that `text` names, exactly or by its beginning, or says which it may be. */
void palette_open_memory(struct app *x, const char *text);
/* The same, or goes to the line whose number `text` is. */
void palette_goto(struct app *x, const char *text);

#endif
