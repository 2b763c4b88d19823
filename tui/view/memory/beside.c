#include "tui/view/memory/memory_views.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/lineage/neighbours.h"

struct beside *beside_copy(const struct beside *b)
{
    struct beside *copy = xmalloc(sizeof(*copy));
    int64_t *row = xmalloc((b->count ? b->count : 1) * sizeof(*row));
    *copy = *b;
    copy->row = row;
    if (b->count)
        memcpy(row, b->row, b->count * sizeof(*row));
    return copy;
}

void beside_free(struct beside *b)
{
    if (b)
        free(b->row);
    free(b);
}

static int read_neighbours(struct reader *r, const struct beside *b, struct arena *arena,
                           int (*each)(void *arg, const int64_t *nodes, size_t count), void *arg,
                           struct error *e)
{
    struct scene_source source = neighbours_of(r);
    struct scene_links links;
    if (source.links(source.of, arena, b->of, b->side, SIZE_MAX, &links, e))
        return -1;
    for (size_t i = 0; i < links.count; i++)
        if (links.link[i].memory.kind == b->kind && each(arg, &links.link[i].row, 1))
            return 0;
    return 0;
}

int beside_read(struct reader *r, const struct beside *b,
                int (*each)(void *arg, const int64_t *nodes, size_t count), void *arg,
                struct error *e)
{
    struct arena arena = ARENA_INIT;
    if (b->of == 0) {
        each(arg, b->row, b->count);
        return 0;
    }
    if (reader_begin(r, e))
        return -1;
    int result = read_neighbours(r, b, &arena, each, arg, e);
    reader_end(r);
    arena_release(&arena);
    return result;
}
