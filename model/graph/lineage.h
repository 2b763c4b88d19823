/*
 * Walks over the graph: what a memory rests on, what it carries, the circles on the way, and what a
 * retraction would do. None recurses; a chain of any depth is walked with a queue or a stack of its
 * own.
 */
#ifndef STEMMA_LINEAGE_H
#define STEMMA_LINEAGE_H

#include "model/graph/graph.h"

enum direction {
    ANCESTORS = 0,
    DESCENDANTS
};

#define DEPTH_UNLIMITED UINT32_MAX

/*
 * A trace: the nodes reached, each once, by shortest distance (breadth first); within a distance in the
 * order of the links. node[0] is the root at depth 0.
 *
 * A circle is the nodes on it, each of which rests on the next and the last on the first, whichever way
 * the walk goes. There is one for each strongly connected component of several nodes, a shortest through
 * its least row, where it begins; and one for each node that rests on itself. They stand by the row they begin at,
 * a node that rests on itself before the circle that begins there.
 */
struct lineage {
    uint32_t *node;  /* [count] */
    uint32_t *depth; /* [count] */
    size_t count;
    size_t cut;          /* reachable nodes deeper than the depth asked for: "+37 deeper" */
    uint32_t *cycle;     /* the nodes of all circles, one after the other */
    size_t *cycle_first; /* [cycle_count + 1] into `cycle`; NULL where there is none */
    size_t cycle_count;
};

/*
 * Everything within `depth` steps of `root` in that direction, through support only. Circles are those
 * among all nodes reached, cut or not (Tarjan 1972, iterative). A diamond is no circle. O(nodes + links
 * reached), whatever the size of the graph. Release `out`.
 */
void lineage_walk(struct lineage *out, const struct graph *g, uint32_t root,
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
    uint32_t *descending; /* the others that descend from what is retracted; ascending */
    size_t descends;
};

/*
 * What if the `count` nodes of `retracted` were dead? Over-deletes what can be reached through
 * justifications that hold, and re-derives (Gupta, Mumick, Subrahmanian 1993), so a circle does not
 * hold itself up. `labels` are those of `g` as it stands. O(the descendants and their links),
 * whatever the size of the graph. Release `out`.
 */
void whatif_retract(struct whatif *out, const struct graph *g, const struct labels *labels,
                    const uint32_t *retracted, size_t count);
void whatif_release(struct whatif *w);

/*
 * An outline of a trace for a list: depth first in the order of the links, a line for each link of a node
 * that is opened. A node opened already is referred to (`again`), one on the path to itself is a circle
 * (`circle`); neither is opened a second time. A line at `depth` is not opened (`cut`), though the node is
 * where it stands less deep. `more` says how many nodes that no line shows lie below a cut line; one below
 * several is counted at the first of them, so that they sum to what is hidden.
 */
struct outline_line {
    uint32_t node;
    uint32_t parent_line; /* index of the line above in the tree; NODE_NONE at the root */
    uint32_t just;        /* the justification that leads here; NODE_NONE at the root */
    uint32_t depth;
    bool again, circle, cut, last; /* last: of its siblings */
    uint32_t more;
};
struct outline {
    struct outline_line *line;
    size_t count;
    bool bounded; /* there are more than `max_lines`; the first ones stand */
};
/*
 * At most `max_lines` lines (at least 1). O(links of the nodes opened + nodes hidden). Release `out`.
 */
void outline_make(struct outline *out, const struct graph *g, uint32_t root,
                  enum direction direction, uint32_t depth, size_t max_lines);
void outline_release(struct outline *o);

#endif
