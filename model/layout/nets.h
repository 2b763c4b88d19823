/* Which edges are drawn as one tree. */
#ifndef STEMMA_NETS_H
#define STEMMA_NETS_H

#include "model/layout/layered.h"

/* A side of a node has room for as many lines that each have a port of their own. */
#define NETS_PORTS 12

/*
 * Fills edge_net, net and nets from upper, lower and reversed, by a greedy cover with stars: the
 * star with the most edges that are in none yet becomes a net, as long as there is one with two. A
 * star has one node in common, all edges on the same side of it, of the same stroke, and all
 * reversed or none; of STROKE_ALL the node that needs them is in common. Where `bundle` is false
 * only stars count whose node has more than NETS_PORTS edges on that side; what is left is a net
 * for each edge.
 *
 * Nets are numbered by their first edge. -1 where memory ran out. O(nodes + edges).
 */
int nets_make(struct layered *g, bool bundle);

#endif
