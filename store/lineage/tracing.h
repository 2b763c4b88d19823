/*
 * A trace and a hypothetical retraction with all they need: what is near is loaded, or the whole graph
 * where that is much, and labelled. The answers for people and those for programs are made of these.
 */
#ifndef STEMMA_TRACING_H
#define STEMMA_TRACING_H

#include "store/lineage/kept_labels.h"

/* The closure of one memory, labelled; `root` is its node. With `near` it ends with what a walk to `depth`
 * shows, and `beyond` says the rest. */
struct trace {
    struct graph graph;
    struct labels labels;
    uint32_t root;
    enum direction direction;
    uint32_t depth;
    bool near;
    struct beyond beyond;
};
/* trace_release frees it, also after an error. */
int trace_load(struct trace *t, struct reader *r, int64_t row, enum direction direction,
               uint32_t depth, struct error *e);
/* The same for who walks to `depth` and no further: what lies deeper is counted and not loaded. */
int trace_load_shown(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                     uint32_t depth, struct error *e);
/* The same as the reader's caller may see it: what others rest on, and what is not seen, is left out of it. `view`, of
 * each node an enum sight, is the caller's to free; NULL where all is seen whole. */
int trace_load_seen(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                    uint32_t depth, uint8_t **view, struct error *e);
void trace_release(struct trace *t);

/*
 * What would become of what rests on these memories if they were retracted. `graph_row` gives the rows of the
 * nodes; labels and what holds are told of those named, of what falls and of what is weakened. Of what only
 * descends there is but the number.
 */
struct retraction {
    uint32_t *nodes; /* [count] of those named, in their order */
    size_t count;
    struct graph graph;
    struct labels labels;
    struct whatif outcome;
};
/* Of these rows, each once. retraction_release frees it, also after an error. */
int retraction_load(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                    struct error *e);
/* The same as the reader's caller may see it, always with the graph of what they carry: for whoever walks it as well. */
int retraction_load_graph(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                          struct error *e);
/* The same as the reader's caller may see it: links to and from entries that are hidden from him are as if they were not,
 * so that no verdict and no count tells of them. Of the memories of others he is told no less. */
int retraction_load_seen(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                         struct error *e);
/* The same by what they carry alone, without a graph: 1; 0 where that does not tell, -1 on error. */
int retraction_near(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                    struct error *e);
void retraction_release(struct retraction *q);

#endif
