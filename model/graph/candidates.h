/* What can be derived next, the best first, for Knuth's generalization of Dijkstra's algorithm (1977). */
#ifndef STEMMA_CANDIDATES_H
#define STEMMA_CANDIDATES_H

#include <stddef.h>
#include <stdint.h>

struct candidate {
    double strength; /* the greatest first; */
    uint32_t steps;  /* of equal ones that with the fewest steps, then with the lowest number */
    uint32_t number;
    uint32_t just; /* by which it is derived */
};

struct candidates {
    struct candidate *heap;
    size_t count, alloc;
};
#define CANDIDATES_INIT ((struct candidates){.heap = NULL})

void candidates_push(struct candidates *c, struct candidate candidate);
/* There must be one. */
struct candidate candidates_pop(struct candidates *c);
void candidates_release(struct candidates *c);

#endif
