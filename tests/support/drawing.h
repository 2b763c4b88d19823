/*
 * Reads a drawing back: finds the edges that a person would see, only from the signs in its cells
 * and the places of its nodes. Fails the test if a sign leads nowhere or is ambiguous.
 */
#ifndef STEMMA_TESTS_DRAWING_H
#define STEMMA_TESTS_DRAWING_H

#include "model/layout/layout.h"
#include "model/layout/raster.h"
#include "tests/support/random.h"

struct drawing_edge {
    uint32_t from, to; /* `from` is based on `to` */
    char line;         /* of its straight parts: '-' '=' ',' ':' '!', or 0 if it has none */
    bool reversed;     /* it leads upwards */
    bool twofold;      /* it leaves a double port */
};

struct drawing {
    struct drawing_edge *edge; /* [edges] by (from, to) */
    size_t edges;
    int32_t width, height;
};

void drawing_read(struct drawing *d, const struct layout *l);
void drawing_release(struct drawing *d);

/* Checks that the edges read back are those of the picture, each once and with the right stroke. */
void drawing_check(const struct layout *l);

/* A random picture of `nodes` nodes and about `edges` edges of every stroke, with cycles, pairs
 * of edges in both directions and several components. Its ids are in the arena. */
void random_picture(struct random *r, struct arena *arena, struct picture *p, uint32_t nodes,
                    uint32_t edges, bool circles);

#endif
