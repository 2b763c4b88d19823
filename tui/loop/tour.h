/* A tour of the demo: a few steps, each of which waits for the key that it names. */
#ifndef STEMMA_TOUR_H
#define STEMMA_TOUR_H

#include "tui/action/action.h"
#include "tui/explorer/app.h"

/* Begins with the first step. */
void tour_begin(struct app *x);
/* Ends the tour if the key is Esc. Returns false if the key is not for the tour. */
bool tour_take_key(struct app *x, uint32_t key);
/* An action has been run by its key: goes on to the next step if the tour waited for it. */
void tour_advance(struct app *x, const struct action *done);
/* Appends the text of the step; nothing without a tour. */
void tour_add_text(const struct app *x, struct strbuf *out);

#endif
