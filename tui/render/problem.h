/* What a problem of the lineage means, in the words of the explorer and of `stemma orphans` alike. */
#ifndef STEMMA_PROBLEM_H
#define STEMMA_PROBLEM_H

#include "store/lineage/orphans.h"

/* "names something that is not in this store": the memory is its subject. A constant. */
const char *problem_explained(enum problem problem);

#endif
