/* Labels for what a command lists: of a few rows by their surroundings, of many from the labels of all. */
#ifndef STEMMA_LABELLING_H
#define STEMMA_LABELLING_H

#include "store/lineage/loaded.h"
#include "store/lineage/subgraph.h"

struct labelling {
    struct reader *reader;
    const struct known_labels *all; /* NULL: they are not loaded */
};

/* `expected` rows will be asked for; SIZE_MAX: nobody knows. labelling_close releases it, also after an error. */
int labelling_open(struct labelling *l, struct reader *r, size_t expected, struct error *e);
int labelling_get(struct labelling *l, const int64_t *rows, size_t count, struct row_label *out,
                  struct error *e);
void labelling_close(struct labelling *l);

#endif
