/* Which edges are drawn as one tree. */
#ifndef STEMMA_NETS_H
#define STEMMA_NETS_H

#include "layered.h"

/*
 * Fills edge_net, net and nets from upper, lower and reversed. Nets are numbered by their first edge. -1 where memory ran
 * out. O(nodes + edges).
 */
int nets_make(struct layered *g, bool bundle);

#endif
