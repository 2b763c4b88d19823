/*
 * Walks over the graph: ancestors, descendants and cycles of a memory, the effect of a retraction,
 * and an outline of a lineage. None of them recurses; each uses its own queue or stack, so a chain
 * may be of any depth.
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
 * A trace: the nodes reached, each once, ordered by shortest distance (breadth first), and within a
 * distance in the order of the links. node[0] is the root at depth 0.
 *
 * A cycle lists its nodes; each is based on the next and the last on the first, whichever way the
 * walk goes. There is one cycle for each strongly connected component of several nodes, a shortest
 * one through its least row, which comes first; and one for each node that is based on itself.
 * Cycles are ordered by the row of their first node; of two with the same row the shorter comes
 * first.
 */
struct lineage {
    uint32_t *node;  /* [count] */
    uint32_t *depth; /* [count] */
    size_t count;
    size_t cut;          /* reachable nodes that are deeper than the given depth: "+37 deeper" */
    uint32_t *cycle;     /* the nodes of all cycles, one after the other */
    size_t *cycle_first; /* [cycle_count + 1] indexes into `cycle`; NULL if there are no cycles */
    size_t cycle_count;
};

/*
 * Finds all nodes within `depth` steps of `root` in that direction, through links of support only.
 * Cycles are those among all nodes that can be reached at any depth (Tarjan 1972, iterative). A
 * diamond is not a cycle. O(nodes + links reached), whatever the size of the graph. Release `out`.
 */
void lineage_walk(struct lineage *out, const struct graph *g, uint32_t root,
                  enum direction direction, uint32_t depth);
void lineage_release(struct lineage *l);

struct whatif_weakened {
    uint32_t node;
    uint32_t before, after; /* number of valid justifications */
};

/* The effect of a hypothetical retraction. */
struct whatif {
    /* nodes that would lose all support, without the retracted ones; ascending */
    uint32_t *unsupported;
    size_t unsupported_count;
    /* nodes that would still stand, with fewer valid justifications; ascending */
    struct whatif_weakened *weakened;
    size_t weakened_count;
    uint32_t *descending; /* all other descendants of the retracted nodes; ascending */
    size_t descending_count;
};

/*
 * What if the `count` nodes of `retracted` were ended? Over-deletes all nodes that can be reached
 * through valid justifications, then re-derives (Gupta, Mumick, Subrahmanian 1993), so a cycle
 * does not support itself. `labels` are the current labels of `g`. O(descendants and their links),
 * whatever the size of the graph. Release `out`.
 */
void whatif_retract(struct whatif *out, const struct graph *g, const struct labels *labels,
                    const uint32_t *retracted, size_t count);
void whatif_release(struct whatif *w);

/*
 * A lineage as an indented list: depth first in the order of the links, one line for each link of
 * an open node. Each node is opened once: a line for a node that was opened elsewhere is marked
 * `again`, one for a node on the path to itself `circle`. A line at `depth` is not opened and
 * marked `cut`; the node may still be opened by a line that is less deep. `more` is the number of
 * nodes below a cut line that no line shows. A node below several cut lines is counted at the
 * first, so that the numbers add up to what is hidden.
 */
struct outline_line {
    uint32_t node;
    uint32_t parent_line; /* index of the parent's line; NODE_NONE at the root */
    uint32_t just;        /* the justification of the link; NODE_NONE at the root */
    uint32_t depth;
    bool again, circle, cut, last; /* `last` among its siblings */
    uint32_t more;
};
struct outline {
    struct outline_line *line;
    size_t count;
    bool bounded; /* truncated after `max_lines` lines */
};
/*
 * Makes at most `max_lines` lines (at least 1). O(links of the opened nodes + hidden nodes).
 * Release `out`.
 */
void outline_make(struct outline *out, const struct graph *g, uint32_t root,
                  enum direction direction, uint32_t depth, size_t max_lines);
void outline_release(struct outline *o);

#endif
