/*
 * Answers from the lineage, labelled: `struct trace` (what a memory is based on, or what is based on it), `struct
 * retraction` (what would lose support), `struct orphan` (a problem of the lineage). They come from the whole graph
 * if it is loaded; else only what is near is read, and the whole graph is loaded if that is much. Output for people
 * and for programs is made of these.
 */
#ifndef STEMMA_ORPHANS_H
#define STEMMA_ORPHANS_H

#include "model/graph/graph.h"
#include "store/db/store.h"
#include "store/lineage/loaded.h"
#include "store/lineage/subgraph.h"

/* A graph with its labels: a piece of its own, or what is shared (then `shared` owns both). */
struct labelled {
    struct graph graph;
    struct labels labels;
    const struct loaded *shared;
};

/* The closure of one memory, labelled, as the reader's caller may see it. `root` is its node. */
struct trace {
    struct graph graph; /* and these are of `loaded` */
    struct labels labels;
    uint32_t root;
    enum direction direction;
    uint32_t depth;
    struct labelled loaded;
};
/* trace_release frees it, also after an error. */
int trace_load(struct trace *t, struct reader *r, int64_t row, enum direction direction,
               uint32_t depth, struct error *e);
/* The same without the links of what the caller does not see, whose labels stand. `view`, of each node an enum
 * sight, is the caller's to free; NULL where all is seen whole. */
int trace_load_seen(struct trace *t, struct reader *r, int64_t row, enum direction direction,
                    uint32_t depth, uint8_t **view, struct error *e);
void trace_release(struct trace *t);

/*
 * What would become of what is based on these memories if they were retracted. `graph_row` gives the rows of the nodes.
 * Links to and from entries that are hidden from the reader's caller are as if they were not, so that no verdict and no
 * count tells of them.
 */
struct retraction {
    uint32_t *nodes; /* [count] of those named, in their order */
    size_t count;
    struct graph graph; /* and these are of `loaded` */
    struct labels labels;
    struct whatif outcome;
    struct labelled loaded;
};
/* Of these rows, each once. retraction_release frees it, also after an error. */
int retraction_load(struct retraction *q, struct reader *r, const int64_t *rows, size_t count,
                    struct error *e);
void retraction_release(struct retraction *q);

/* A problem of the lineage, as `stemma orphans` and `stemma check` name it. */
enum problem {
    PROBLEM_MISSING, /* an antecedent, or a processed_into, that names nothing; target: the ref */
    PROBLEM_UNSUPPORTED,  /* label */
    PROBLEM_CIRCULAR,     /* label */
    PROBLEM_UNRECORDED,   /* labelled unsourced, no annotation, and no chain without an answer */
    PROBLEM_DISAGREEING,  /* processed_into names a memory that is not derived from that raw */
    PROBLEM_SUSPECT_TIME, /* before 2000 or after tomorrow; of a retrieval, seconds for ms */
    PROBLEM_UNEXPLAINED, /* confidence that changed without an entry in its history; target: what it should be */
    PROBLEM_COUNT
};
const char *problem_name(enum problem problem); /* "missing", …, "unexplained" */

struct orphan {
    int64_t node;
    struct ref ref;
    int64_t agent; /* its agent's row */
    enum problem problem;
    enum label label;  /* what became of its own support, whatever the problem */
    const char *field; /* "derived_from", "evidence", "processed_into", "created_at", … or NULL */
    const char *target; /* the ref or value it is about, or NULL */
};

/* Calls `each` for every problem of living memories, by problem, then by row. A missing id is
 * reported once for each memory and field that names it. Strings live for the call alone. */
int orphans_find(struct reader *r, const char *agent,
                 int (*each)(void *arg, const struct orphan *orphan), void *arg, struct error *e);

#endif
