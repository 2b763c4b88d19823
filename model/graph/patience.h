/*
 * Gives up a long computation. The caller points `graph.patience` to its patience. A loop that may take longer than
 * one pass over the arrays of the graph counts what it does with graph_gives_up, and ends early once that is true. All
 * results can then be released as usual, but mean nothing: the caller checks for itself why it gave up.
 */
#ifndef STEMMA_PATIENCE_H
#define STEMMA_PATIENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATIENCE_STEPS 100000 /* between two calls of `is_over`: about a ms */

struct patience {
    bool (*is_over)(void *arg); /* is nobody waiting for the result any more? */
    void *arg;
    uint64_t steps; /* counted so far: memories and links that were looked at */
    uint64_t next;  /* the steps at which it is asked again */
    bool over;
};

/* Counts steps. `p` may be NULL: then the computation takes as long as it needs. */
static inline bool patience_is_over(struct patience *p, uint64_t steps)
{
    if (!p)
        return false;
    p->steps += steps;
    if (p->steps >= p->next) {
        p->next = p->steps + PATIENCE_STEPS;
        p->over = p->over || p->is_over(p->arg);
    }
    return p->over;
}

#endif
