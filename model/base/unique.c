#include "model/base/unique.h"

#include <stdlib.h>
#include <string.h>

static int same(const struct unique_key *a, const struct unique_key *b)
{
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return strcmp(a->text, b->text);
}

static int by_place(const void *a, const void *b)
{
    const struct unique_key *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_text(const void *a, const void *b)
{
    int order = same(a, b);
    return order ? order : by_place(a, b);
}

void unique_find(struct unique_key *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        keys[i].again = false;
        keys[i].place = i;
    }
    if (count < 2)
        return;
    qsort(keys, count, sizeof(*keys), by_text);
    for (size_t i = 1; i < count; i++)
        keys[i].again = same(&keys[i - 1], &keys[i]) == 0;
    qsort(keys, count, sizeof(*keys), by_place);
}
