/*
 * What is around a memory: what it rests on, what it carries, its relations. Read in one go, so that
 * all that is shown is labelled by one look at the lineage.
 */
#ifndef STEMMA_SURROUNDINGS_H
#define STEMMA_SURROUNDINGS_H

#include "store/lineage/subgraph.h"
#include "tui/text/output.h"

struct surroundings {
    struct output *out;
    struct reader *reader;
    const struct memory *m;
    struct arena arena;
    struct dependants below;
    size_t shown;            /* of those that rest on it directly */
    struct row_label own;    /* of the memory itself */
    struct row_label *label; /* of all antecedents, of the dependants shown, of all relations */
};

/* `m` must outlive it. surroundings_release frees it, also after an error. */
int surroundings_read(struct surroundings *s, struct output *out, struct reader *r,
                      const struct memory *m, struct error *e);
int surroundings_print(struct surroundings *s, struct error *e);
void surroundings_release(struct surroundings *s);

#endif
