/* Copying what a step took from a source. */
#ifndef STEMMA_ACT_CHAIN_H
#define STEMMA_ACT_CHAIN_H

#include <stdbool.h>

struct app;

/* Is the cursor on a use of a source by a step? */
bool yanks_use(struct app *x);
/* Copies its excerpt; `quoted`: in quotes, with the source as a citation behind it. */
void yank_use(struct app *x, bool quoted);

#endif
