/*
 * Answers from the lineage, with labels: `struct trace` (what a memory is based on, or what is
 * based on it), `struct retraction` (what would lose support), `struct orphan` (a problem of the
 * lineage). They use the whole graph if it is loaded; otherwise they read the surroundings, and
 * load the whole graph if these are large. All output is made from these structs.
 */
#ifndef STEMMA_ORPHANS_H
#define STEMMA_ORPHANS_H

#include "model/graph/graph.h"
#include "store/lineage/loaded.h"

/* A graph with labels: an own one, or one of the shared snapshot, which then owns both. */
struct labelled {
    struct graph graph;
    struct labels labels;
    const struct loaded *shared;
};

/* The closure of a memory with labels, as the reader's caller may see it. `root` is its node. */
struct trace {
    struct graph graph; /* owned by `loaded`, like the labels */
    struct labels labels;
    uint32_t root;
    enum direction direction;
    uint32_t depth;
    struct labelled loaded;
};
/* Call trace_release, also after an error. */
int trace_load(struct trace *t, struct reader *r, int64_t row, enum direction direction,
               uint32_t depth, struct error *e);
/*
 * The same without links of memories that the caller does not see; labels still count them. `view`
 * is the visibility of each node (enum visibility), which the caller frees; NULL if everything is
 * visible.
 */
int trace_load_visible(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                       uint32_t depth, uint8_t **view, struct error *e);
/* The same of all memories, without a root. O(memories), with a query for each: for callers who may
 * not see everything. */
int trace_load_all_visible(struct trace *t, struct reader *r, struct error *e);
/*
 * Removes the links that the caller does not see (graph_thin, which explains `users`). `view` as above,
 * also to be freed after an error.
 */
int graph_thin_visible(struct graph *g, struct reader *r, bool users, uint8_t **view,
                       struct error *e);
/*
 * As trace_load_visible, but without labels, for what lies at most `depth` steps away and the next
 * step. It costs what these are, however much lies deeper.
 */
int trace_load_near(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                    uint32_t depth, struct error *e);
void trace_release(struct trace *t);

/*
 * What would happen to dependants if these memories were retracted. `graph_row` maps nodes to rows.
 * Links to and from hidden entries are ignored, so that results do not reveal them.
 */
struct retraction {
    uint32_t *nodes; /* [count] the retracted memories, in order */
    size_t count;
    struct graph graph; /* and these are of `loaded` */
    struct labels labels;
    struct whatif outcome;
    struct labelled loaded;
};
/* `rows` must be distinct. Call retraction_release, also after an error. */
int retraction_load(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                    struct error *e);
void retraction_release(struct retraction *q);

/* A problem of the lineage, as `stemma orphans` and `stemma check` name it. */
enum problem {
    PROBLEM_MISSING,     /* an antecedent or processed_into without a memory; target: the ref */
    PROBLEM_UNSUPPORTED, /* label */
    PROBLEM_CIRCULAR,    /* label */
    PROBLEM_UNRECORDED, /* label unsourced, without annotation, and not a chain without an answer */
    PROBLEM_DISAGREEING, /* processed_into names a memory that is not derived from the raw entry */
    PROBLEM_SUSPECT_TIME, /* before 2000 or after tomorrow; for a retrieval also seconds instead of ms */
    PROBLEM_UNEXPLAINED, /* the confidence changed without a history entry; target: the expected value */
    PROBLEM_COUNT
};
const char *problem_name(enum problem problem); /* "missing", …, "unexplained" */

struct orphan {
    int64_t node;
    struct ref ref;
    int64_t agent; /* its agent's row */
    enum problem problem;
    enum label label;  /* its label, independent of the problem */
    const char *field; /* "derived_from", "evidence", "processed_into", "created_at", … or NULL */
    const char *target; /* the ref or value of the problem, or NULL */
    double confidence;  /* as stored */
};

/* Which problems, and where they begin; {0} is all. */
struct orphan_query {
    const char *agent; /* NULL: any */
    unsigned problems; /* bits 1 << problem; 0: all */
    int64_t from;      /* the first of these problems begins at this row */
};

/*
 * Calls `each` for every problem of living memories, ordered by problem, then row, until it returns
 * non-zero. A missing ref is reported once for each memory and field that names it. Strings are
 * valid during the call. A page costs what lies between its first and its last row; of suspect times
 * and unexplained confidences all are found first.
 */
int orphans_find(struct reader *r, const struct orphan_query *query,
                 int (*each)(void *arg, const struct orphan *orphan), void *arg, struct error *e);

#endif
