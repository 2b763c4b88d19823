/* The parts of the main loop. */
#ifndef STEMMA_LOOP_H
#define STEMMA_LOOP_H

#include "tui/action/action.h"
#include "tui/explorer/app.h"
#include "tui/loop/explorer.h"

void app_draw(struct app *x);
/* Until the person leaves: 0, or the signal that ended it. */
int app_loop(struct app *x);
/* The same for a script. */
int app_script(struct app *x);

#endif
