/* The first row of a frame: the way to what is shown, and at its right what is said of it. */
#ifndef STEMMA_HEADER_H
#define STEMMA_HEADER_H

#include "tui/term/paint.h"

struct app;

void header_draw(struct app *x, const struct pane *row);

#endif
