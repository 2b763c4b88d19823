/* What others change all the time is not read again all the time: the longer it took, the longer it rests. */
#ifndef STEMMA_CALM_H
#define STEMMA_CALM_H

#include <stdbool.h>
#include <stdint.h>

struct app;

/* All zero at first. */
struct calm {
    bool wanted;   /* something was written since it was read */
    int64_t until; /* monotonic ms: not before */
};

/* It was read, from that monotonic time on. */
void calm_rest(struct calm *c, int64_t begun);
/* Is it to be read now? Where its time is still to come, a frame will ask again then. */
bool calm_is_due(const struct calm *c, struct app *x);

#endif
