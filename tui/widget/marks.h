/* Marked memories: a set of row ids, in every view alike. */
#ifndef STEMMA_MARKS_H
#define STEMMA_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct marks {
    uint64_t *bits;
    size_t words, count;
    int64_t range; /* where `v` began; 0: nowhere */
};
void marks_release(struct marks *m);
bool marks_has(const struct marks *m, int64_t node);
void marks_set(struct marks *m, int64_t node, bool marked);
void marks_clear(struct marks *m);
/* The least marked row above `after`; 0: none. */
int64_t marks_next(const struct marks *m, int64_t after);

#endif
