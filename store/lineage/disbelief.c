#include "store/lineage/disbelief.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/db/reader.h"
#include "store/lineage/loaded.h"

struct disbelief *disbelief_new(const int64_t *rows, size_t count)
{
    struct disbelief *d = xcalloc(1, sizeof(*d));
    atomic_init(&d->holders, 1);
    d->graph = graph_cache_new();
    for (size_t i = 0; i < count; i++)
        row_set_add(&d->rows, rows[i]);
    return d;
}

struct disbelief *disbelief_hold(struct disbelief *d)
{
    if (d)
        atomic_fetch_add(&d->holders, 1);
    return d;
}

void disbelief_release(struct disbelief *d)
{
    if (!d || atomic_fetch_sub(&d->holders, 1) > 1)
        return;
    graph_cache_free(d->graph);
    row_set_release(&d->rows);
    free(d);
}

enum status disbelief_status(const struct reader *r, int64_t row, enum status stored)
{
    const struct disbelief *d = reader_disbelief(r);
    return d && STATUS_LIVES(stored) && row_set_has(&d->rows, row) ? STATUS_RETRACTED : stored;
}
