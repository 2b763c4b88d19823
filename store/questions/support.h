/* What a memory is based on, as the reader's caller may see it, with labels that hold for that part: the input of every
 * question about one memory. */
#ifndef STEMMA_SUPPORT_H
#define STEMMA_SUPPORT_H

#include "model/graph/derivation.h"
#include "model/graph/roots.h"
#include "store/lineage/orphans.h"
#include "store/questions/report.h"

struct support {
    struct trace trace;
    const struct graph *graph;
    const struct labels *labels;
    struct labels own; /* computed here, where the graph was thinned for the caller */
    uint32_t node;     /* the memory */
};

/* Call support_release, also after an error. O(ancestors and their links), or the whole graph if that is loaded. */
int support_load(struct support *s, struct reader *r, int64_t row, struct error *e);
/* Of all memories; `node` is not set. For a caller who may not see everything (guard_hides_linked). */
int support_load_all(struct support *s, struct reader *r, struct error *e);
void support_release(struct support *s);

/* The row of a node. */
static inline int64_t support_row(const struct support *s, uint32_t node)
{
    return graph_row(s->graph, node);
}
/* Rows of nodes, ascending, in the arena: the numbers of nodes depend on what is loaded, and an answer does not. */
int64_t *support_rows_sorted(const struct support *s, struct arena *arena, const uint32_t *node,
                             size_t count);

/* Adds a row to that part for each memory of its lineage that the reader disbelieves, so that it can be believed again
 * from there. */
void support_add_disbelieved(const struct support *s, struct report *p, size_t part,
                             const struct reader *r);

/* "10 of 10 justifications are valid, 1 independent derivation", without a full stop; in the arena, or constant. */
const char *support_sentence(const struct support *s, struct arena *arena,
                             const struct independence *roots);

/* For a caller who does not see what others' memories are based on, each of these is a root: adds to the note of the
 * report that such roots may share a source, if there are several roots. */
int support_note_others(const struct support *s, struct report *p, struct reader *r,
                        const uint32_t *root, size_t count, struct error *e);

/* The sets of sources that support both memories, which cannot all be right if they contradict each other. Release
 * `out` after success. */
int support_nogoods(struct nogoods *out, struct reader *r, int64_t row, int64_t other,
                    struct error *e);

/*
 * The probability that each of these leaves is right: its effective confidence times the trust in its source. Sets
 * p[node] of them; `p` has an element for each node of the graph.
 */
int support_weights(const struct support *s, struct reader *r, const uint32_t *leaf, size_t count,
                    double *p, struct error *e);

#endif
