/*
 * Reads a drawing back: from the signs in its cells and where its nodes stand, and from nothing
 * else, which edges a person would see. Any sign that leads nowhere, or that can be read in two
 * ways, fails the test.
 */
#ifndef STEMMA_TESTS_DRAWING_H
#define STEMMA_TESTS_DRAWING_H

#include "model/layout/layout.h"
#include "model/layout/raster.h"
#include "tests/support/random.h"

struct drawing_edge {
    uint32_t from, to; /* `from` rests on `to` */
    char line;         /* of its straight pieces: '-' '=' ',' ':' '!' or 0 where it has none */
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

/* What was read are the edges of the picture, each once, drawn as it is to be. */
void drawing_check(const struct layout *l);

/* A picture of `nodes` nodes and about `edges` edges of every stroke: with circles, pairs both
 * ways, several parts. Its ids live in the arena. */
void random_picture(struct random *r, struct arena *arena, struct picture *p, uint32_t nodes,
                    uint32_t edges, bool circles);

#endif
