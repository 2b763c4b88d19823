/*
 * What the store knows of a document beyond one chain: where it was retrieved, which other steps used it,
 * which beliefs rest on it, and how it was cited. Gathered by the worker, owned by whoever asked.
 */
#ifndef STEMMA_CHAIN_CELL_H
#define STEMMA_CHAIN_CELL_H

#include "store/reasoning/document.h"

#define CELL_FACTS_MOST 12 /* of each sort; that there are more is said */

enum cell_fact_sort {
    FACT_LOGGED = 0,
    FACT_USED,
    FACT_BELIEVED,
    FACT_QUOTED,
    FACT_SORTS
};

struct cell_fact {
    int64_t node;     /* what it opens */
    const char *text; /* "chain:19ab44f0 step 1", "belief:7d10e6a2  Canary first" */
    int64_t at;       /* 0: not said */
    bool guessed;     /* the link was not recorded */
};

struct cell_facts {
    struct arena arena;
    int64_t document;
    struct {
        struct cell_fact *fact; /* [count] */
        size_t count;
        bool more;
    } of[FACT_SORTS];
};

/* Of the document's row; the uses of the steps of `chain` (a row; 0: of none) are left out, `own` of them at
 * most. NULL with `e`. */
struct cell_facts *cell_facts_read(struct reader *r, int64_t document, int64_t chain, size_t own,
                                   struct error *e);
void cell_facts_free(void *facts); /* NULL is allowed */

#endif
