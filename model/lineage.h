/*
 * Walks over the graph: what a memory rests on, what it carries, the circles on the way, and what a
 * retraction would do. None recurses; a chain of any depth is walked with a queue or a stack of its
 * own.
 */
#ifndef STEMMA_LINEAGE_H
#define STEMMA_LINEAGE_H

#include "graph.h"

enum direction {
    ANCESTORS = 0,
    DESCENDANTS
};

#define DEPTH_UNLIMITED UINT32_MAX

/* A trace: the nodes reached, each once, by shortest distance (breadth first); within a distance in
 * the order of the links. node[0] is the root at depth 0. */
struct lineage {
    uint32_t *node;  /* [count] */
    uint32_t *depth; /* [count] */
    size_t count;
    size_t cut;            /* reachable nodes deeper than the depth asked for: "+37 deeper" */
    uint32_t *cycle;       /* the nodes of all circles, one after the other */
    uint32_t *cycle_first; /* [cycle_count + 1] into `cycle` */
    size_t cycle_count;    /* one for each strongly connected component with a circle: a shortest
                              circle of it, beginning at its least node; a link to itself is one */
};

/*
 * Everything within `depth` steps of `root` in that direction, through support only. Circles are
 * those among all nodes reached, cut or not (Tarjan 1972, iterative). A diamond is no circle.
 * O(nodes + links reached), plus O(nodes) to clear. -1 where memory ran out.
 */
int lineage_walk(struct lineage *out, const struct graph *g, uint32_t root,
                 enum direction direction, uint32_t depth);
void lineage_release(struct lineage *l);

/* A hypothetical retraction. */
struct whatif {
    uint32_t *falls; /* stood, and would not; those retracted left out; ascending */
    size_t fall_count;
    struct whatif_weakened {
        uint32_t node;
        uint32_t before, after; /* justifications that hold */
    } * weakened;               /* still stands, with fewer that hold; ascending */
    size_t weakened_count;
    size_t descends; /* how many more only descend from what is retracted */
};

/*
 * What if the `count` nodes of `retracted` were dead? Over-deletes what can be reached through
 * justifications that hold, and re-derives (Gupta, Mumick, Subrahmanian 1993), so a circle does not
 * hold itself up. `labels` are those of `g` as it stands. O(the descendants and their links), plus
 * O(nodes) to clear. -1 where memory ran out.
 */
int whatif_retract(struct whatif *out, const struct graph *g, const struct labels *labels,
                   const uint32_t *retracted, size_t count);
void whatif_release(struct whatif *w);

/*
 * An outline of a trace for a list: depth first in the order of the links, a node that has stood
 * already once is referred to (`again`) and not opened a second time; one on the path to itself is
 * a circle (`circle`). Not deeper than `depth`; `more` counts the hidden lines' nodes at a cut line.
 */
struct outline_line {
    uint32_t node;
    uint32_t parent_line; /* index of the line above in the tree; NODE_NONE at the root */
    uint32_t just;        /* the justification that leads here; NODE_NONE at the root */
    uint32_t depth;
    bool again, circle, last; /* last: of its siblings */
    uint32_t more;
};
struct outline {
    struct outline_line *line;
    size_t count;
};
int outline_make(struct outline *out, const struct graph *g, uint32_t root,
                 enum direction direction, uint32_t depth, size_t max_lines);
void outline_release(struct outline *o);

#endif
