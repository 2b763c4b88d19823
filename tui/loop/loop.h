/* The parts of the main loop. */
#ifndef STEMMA_LOOP_H
#define STEMMA_LOOP_H

#include "tui/action/action.h"
#include "tui/explorer/app.h"
#include "tui/loop/explorer.h"

void app_draw(struct app *x);
/* Runs until the person quits. Returns 0, or the signal that ended it. */
int app_loop(struct app *x);
/* As app_loop, for a script. */
int app_script(struct app *x);

/* Draws the header, in header.c. */
void header_draw(struct app *x, const struct pane *row);
/* Appends a text with its counts in groups of three digits, "1,234 of 56,789"; not a date, a ref or a fraction. */
void header_add_grouped(struct strbuf *out, const char *text);

/* A tour of the demo: a few steps, each of which waits for the key that it names. */

/* Begins with the first step. */
void tour_begin(struct app *x);
/* Appends the text of the step; nothing without a tour. */
void tour_add_text(const struct app *x, struct strbuf *out);

#endif
