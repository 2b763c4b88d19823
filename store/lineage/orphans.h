/* Health: what is wrong with the lineage of a store. */
#ifndef STEMMA_ORPHANS_H
#define STEMMA_ORPHANS_H

#include "model/graph/graph.h"
#include "store/db/store.h"

enum problem {
    PROBLEM_MISSING, /* an antecedent, or a processed_into, that names nothing; target: the ref */
    PROBLEM_UNGROUNDED,   /* label */
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
