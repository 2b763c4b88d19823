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

#endif
