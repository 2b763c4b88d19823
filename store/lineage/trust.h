/*
 * The trust of memories (model/graph/fold.h), as the reader's caller may see it. Nothing of it is
 * stored. A few rows cost what they are based on; of many, or of a large lineage, all are computed:
 * two scans, and one more of all memories if the configuration names who told them.
 */
#ifndef STEMMA_STORE_TRUST_H
#define STEMMA_STORE_TRUST_H

#include "model/memory/confidence.h"
#include "store/lineage/subgraph.h"

struct loaded;

/* Sets `trust` of the rows. */
int trust_fill(struct reader *r, const int64_t *rows, size_t count, struct row_label *io,
               struct error *e);
/* Sets `class` of the rows: the least of the classes along the best support. Costs about as much as their labels. */
int trust_class_fill(struct reader *r, const int64_t *rows, size_t count, struct row_label *io,
                     struct error *e);
/* Trust, and the memory that limits it: itself, or one that it is based on; 0 if it does not stand. */
struct trust {
    double value;
    int64_t weakest;
};
int trust_of_row(struct reader *r, int64_t row, struct trust *out, struct error *e);
/* Of all rows: `out` [rows], by row - 1; 0 for a stub. The reader must be in a transaction. */
int trust_of_all(struct reader *r, size_t rows, double *out, struct error *e);
/* The same of a snapshot with its graph: `out` [l->rows]. */
int trust_of_loaded(struct reader *r, const struct loaded *l, double *out, struct error *e);
/* Of nodes of a graph that has all that they are based on. `weakest` may be 0 where it is another one. */
int trust_of_nodes(struct reader *r, const struct graph *g, const uint32_t *node, size_t count,
                   struct trust *out, struct error *e);

/* What an order by trust compares. Unsourced memories come after all others that stand: their trust is only what their
 * author said of the source. */
static inline double trust_rank(enum label label, double trust)
{
    return label == LABEL_UNSOURCED ? trust * 1e-6 : trust;
}

/* Of each line of an outline of the graph. The caller frees the result; NULL on error. */
struct trust *trust_of_outline(struct reader *r, const struct graph *g, const struct outline *o,
                               struct error *e);

/* For this room: links_nature, and the weight of a memory for its own source; and its trust, if short paths decide it
 * (returns 1, else 0). `weakest` is 0 if it is another one. */
int trust_nature(struct reader *r, const struct trust_rules *rules, int64_t row, enum kind *kind,
                 enum status *status, double *weight, struct error *e);
int trust_by_paths(struct reader *r, const struct trust_rules *rules, int64_t row,
                   struct trust *out, struct error *e);

/* What became of the memories that somebody told, or that are directly based on what was read at an address. */
struct trust_record {
    const char *name; /* whom, without `agent:`; or the address of a page or document */
    int64_t source;   /* 0; or the row of its document or latest retrieval there */
    int64_t memories;
    int64_t confirmed;    /* approved, verified in Kernle, or reinforced by evidence that stands */
    int64_t contradicted; /* retracted, flagged as poisoned, or contradicted by one that lives */
    double trust;         /* the least weight of these memories for their own source */
    double calibrated;    /* what to expect of the next memory; NAN if nothing is known */
};
/* The records in the arena, the least trusted first: by the lower of `trust` and `calibrated`. One scan of all
 * memories, and one of retrievals. For a person. */
int trust_records(struct reader *r, struct arena *arena, struct trust_record **out, size_t *count,
                  struct error *e);

#endif
