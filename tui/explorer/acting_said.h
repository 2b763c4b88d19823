/* What is said of a deed that is done. */
#ifndef STEMMA_ACTING_SAID_H
#define STEMMA_ACTING_SAID_H

struct app;
struct deed;

/* "3 retracted · u undoes it" in the status line. */
void acting_say_done(struct app *x, const struct deed *d);
/* "verify of belief:54c5507f waits for the store; C-c gives it up", while something has waited so long that it was said;
 * else nothing is said. */
void acting_say_waiting(struct app *x);

#endif
