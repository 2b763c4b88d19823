/* Which of many are there twice. */
#ifndef STEMMA_UNIQUE_H
#define STEMMA_UNIQUE_H

#include <stdbool.h>
#include <stddef.h>

struct unique_key {
    int group;        /* texts of different groups are different */
    const char *text; /* not NULL */
    bool again;       /* equal to one before it */
    size_t place;
};

/* Sets `again` of each, and leaves them in the order they are in. O(n log n) comparisons, whatever the
 * texts are: nobody can choose ones that collide. */
void unique_find(struct unique_key *keys, size_t count);

#endif
