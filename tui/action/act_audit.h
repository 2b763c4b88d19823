/* Copying what happened, for views whose lines are that. */
#ifndef STEMMA_ACT_AUDIT_H
#define STEMMA_ACT_AUDIT_H

#include <stdbool.h>

struct app;

/* Is JSON here that of events? Not where memories are marked. */
bool yanks_events(const struct app *x);
/* The one under the cursor, or all lines that are read so far: JSON lines as `stemma log --json` has them. */
void yank_events(struct app *x, bool all);

#endif
