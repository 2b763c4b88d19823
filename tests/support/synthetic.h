/* A lineage that is made up, as a subgraph asks for it: written down as a list of links, and looked through from end to
 * end. */
#ifndef STEMMA_TEST_SYNTHETIC_H
#define STEMMA_TEST_SYNTHETIC_H

#include "model/subgraph/subgraph.h"
#include "model/base/strbuf.h"
#include "tests/support/random.h"

struct synthetic_link {
    uint32_t from, to; /* `from` rests on `to` */
    unsigned strokes;
};

struct synthetic {
    struct subgraph_memory *memory; /* [nodes] ids are the arena's */
    int64_t *row;                   /* [nodes] of each */
    uint32_t nodes;
    struct synthetic_link *link; /* each pair once */
    size_t links;
    size_t node_alloc, row_alloc, link_alloc;
    size_t counted;       /* so many are counted; 0: all */
    long calls_left;      /* until one fails; below 0: none does */
    struct random random; /* of the order in which `among` answers */
    struct arena arena;
};
#define SYNTHETIC_INIT                                                                             \
    {                                                                                              \
        .calls_left = -1, .arena = ARENA_INIT                                                      \
    }

/* The new node, of the row that is its number + 1. */
uint32_t synthetic_add(struct synthetic *s, const char *id, enum kind kind, enum status status,
                       int64_t at);
/* Adds to the strokes where there is one already. */
void synthetic_link(struct synthetic *s, uint32_t from, uint32_t to, unsigned strokes);
/* Nodes of several kinds, statuses and times, some of them equal, and about `links` links that mostly lead to
 * earlier ones. */
void synthetic_fill(struct synthetic *s, struct random *r, uint32_t nodes, uint32_t links);
/* A new one of up to SYNTHETIC_MOST nodes, with groups of those that are alike or stand in a row. */
#define SYNTHETIC_MOST 48
void synthetic_any(struct synthetic *s, struct random *r);
/* What may be asked for of it, without request: any focus, side, depth, budget and fan. */
void synthetic_request(const struct synthetic *s, struct random *r, struct subgraph_request *w);
/* The same lineage in a store that has its memories in another order. */
void synthetic_renumber(struct synthetic *s, struct random *r);
void synthetic_release(struct synthetic *s);

struct subgraph_source synthetic_source(struct synthetic *s);
/* UINT32_MAX: no node has it. */
uint32_t synthetic_node(const struct synthetic *s, int64_t row);
unsigned synthetic_strokes(const struct synthetic *s, uint32_t from, uint32_t to);
/* How many it has on that side, itself not counted. */
size_t synthetic_degree(const struct synthetic *s, uint32_t node, enum direction side);
/* All that it has on that side in the order of subgraph_link_order, in the arena. */
struct subgraph_link *synthetic_links(const struct synthetic *s, struct arena *a, uint32_t node,
                                      enum direction side, size_t *count);

/* The subgraph as text, without any row: equal for equal subgraphs. */
void synthetic_render(const struct synthetic *s, const struct subgraph *subgraph,
                      struct strbuf *out);

#endif
