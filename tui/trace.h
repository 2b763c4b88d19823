/* What a memory rests on, or carries: `stemma show --trace` and `--reverse`. */
#ifndef STEMMA_TRACE_H
#define STEMMA_TRACE_H

#include "../store/subgraph.h"
#include "output.h"

/* The closure of one memory, labelled; `root` is its node. trace_release frees it. */
struct trace {
    struct graph graph;
    struct labels labels;
    uint32_t root;
    enum direction direction;
    uint32_t depth;
};

int trace_load(struct trace *t, struct reader *r, int64_t row, enum direction direction,
               uint32_t depth, struct error *e);
void trace_release(struct trace *t);

/* For people: the memory, its history, and an outline in which a shared memory stands once. */
int trace_print(struct output *out, struct reader *r, const struct trace *t, struct error *e);
/* One object: nodes, links, cut, cycles. */
int trace_json(struct output *out, struct reader *r, const struct trace *t, struct error *e);

#endif
