/* What is said of a deed that is done. */
#ifndef STEMMA_ACTING_SAID_H
#define STEMMA_ACTING_SAID_H

struct app;
struct deed;

/* "3 retracted · u undoes it" in the status line. */
void acting_say_done(struct app *x, const struct deed *d);

#endif
