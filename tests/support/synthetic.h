/* A random lineage as a source for subgraphs, stored as a list of links that is searched
 * linearly. */
#ifndef STEMMA_TEST_SYNTHETIC_H
#define STEMMA_TEST_SYNTHETIC_H

#include "model/subgraph/subgraph.h"
#include "model/base/strbuf.h"
#include "tests/support/random.h"

struct synthetic_link {
    uint32_t from, to; /* `from` is based on `to` */
    unsigned strokes;
};

struct synthetic {
    struct subgraph_memory *memory; /* [nodes] ids are in the arena */
    int64_t *row;                   /* [nodes] the row of each node */
    uint32_t nodes;
    struct synthetic_link *link; /* each pair once */
    size_t links;
    size_t node_alloc, row_alloc, link_alloc;
    size_t counted;       /* the most links that are counted; 0 for all */
    long calls_left;      /* calls until one fails; negative for never */
    struct random random; /* for the order of the answers of `among` */
    struct arena arena;
};
#define SYNTHETIC_INIT                                                                             \
    {                                                                                              \
        .calls_left = -1, .arena = ARENA_INIT                                                      \
    }

/* Adds a node, whose row is its number + 1. Returns its number. */
uint32_t synthetic_add(struct synthetic *s, const char *id, enum kind kind, enum status status,
                       int64_t at);
/* Adds a link, or adds strokes to an existing one. */
void synthetic_link(struct synthetic *s, uint32_t from, uint32_t to, unsigned strokes);
/* Adds nodes of several kinds, statuses and times, some of them equal, and about `links` links,
 * mostly to earlier nodes. */
void synthetic_fill(struct synthetic *s, struct random *r, uint32_t nodes, uint32_t links);
/* Makes a lineage of up to SYNTHETIC_MOST nodes, with groups of similar nodes and chains. */
#define SYNTHETIC_MOST 48
void synthetic_any(struct synthetic *s, struct random *r);
/* Makes a random request without expansions: any focus, side, depth, budget and fan. */
void synthetic_request(const struct synthetic *s, struct random *r, struct subgraph_request *w);
/* Permutes the rows, as if the store had its memories in another order. */
void synthetic_renumber(struct synthetic *s, struct random *r);
void synthetic_release(struct synthetic *s);

struct subgraph_source synthetic_source(struct synthetic *s);
/* Returns UINT32_MAX if no node has that row. */
uint32_t synthetic_node(const struct synthetic *s, int64_t row);
unsigned synthetic_strokes(const struct synthetic *s, uint32_t from, uint32_t to);
/* The number of neighbours on that side, without itself. */
size_t synthetic_degree(const struct synthetic *s, uint32_t node, enum direction side);
/* All links on that side, ordered by subgraph_link_order, in the arena. */
struct subgraph_link *synthetic_links(const struct synthetic *s, struct arena *a, uint32_t node,
                                      enum direction side, size_t *count);

/* Writes the subgraph as text without rows, so equal subgraphs give equal texts. */
void synthetic_render(const struct synthetic *s, const struct subgraph *subgraph,
                      struct strbuf *out);

#endif
