/* A binary heap. */
#include "model/graph/candidates.h"

#include <stdbool.h>
#include <stdlib.h>
#include "model/base/array.h"

static bool is_before(const struct candidate *a, const struct candidate *b)
{
    if (a->strength != b->strength)
        return a->strength > b->strength;
    return a->steps != b->steps ? a->steps < b->steps : a->number < b->number;
}

void candidates_push(struct candidates *s, struct candidate c)
{
    size_t at = s->count;
    *ARRAY_ADD(s->heap, s->count, s->alloc) = c;
    for (size_t up; at && is_before(&c, &s->heap[up = (at - 1) / 2]); at = up)
        s->heap[at] = s->heap[up];
    s->heap[at] = c;
}

struct candidate candidates_pop(struct candidates *s)
{
    struct candidate best = s->heap[0], last = s->heap[--s->count];
    size_t at = 0;
    for (size_t down; (down = 2 * at + 1) < s->count; at = down) {
        down += down + 1 < s->count && is_before(&s->heap[down + 1], &s->heap[down]);
        if (!is_before(&s->heap[down], &last))
            break;
        s->heap[at] = s->heap[down];
    }
    s->heap[at] = last;
    return best;
}

void candidates_release(struct candidates *s)
{
    free(s->heap);
    *s = CANDIDATES_INIT;
}
