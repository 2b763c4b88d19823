#include "model/layout/rows.h"

#include <stdlib.h>
#include "model/base/alloc.h"

void rows_make(struct rows *r, uint32_t keys, uint32_t items, const uint32_t *key, size_t stride)
{
    const char *at = (const char *)key;
    r->first = xcalloc(keys + (size_t)2, sizeof(*r->first));
    r->item = xmalloc((items + (size_t)1) * sizeof(*r->item));
    /* Counted two further on; the beginning one further on then moves to where the row ends. */
    for (uint32_t i = 0; i < items; i++)
        r->first[*(const uint32_t *)(const void *)(at + i * stride) + 2]++;
    for (uint32_t k = 0; k < keys; k++)
        r->first[k + 2] += r->first[k + 1];
    for (uint32_t i = 0; i < items; i++)
        r->item[r->first[*(const uint32_t *)(const void *)(at + i * stride) + 1]++] = i;
}

void rows_release(struct rows *r)
{
    free(r->first);
    free(r->item);
    *r = (struct rows){NULL, NULL};
}
