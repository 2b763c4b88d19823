#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/subgraph/scene.h"

int scene_wish(struct scene_wishes *w, struct scene_wish wish)
{
    void *wishes = w->wish;
    if (!array_grow(&wishes, &w->alloc, w->count, sizeof(*w->wish)))
        return -1;
    w->wish = wishes;
    w->wish[w->count++] = wish;
    return 0;
}

int scene_wish_apart(struct scene_wishes *w, const int64_t *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *apart = w->apart;
        if (!array_grow(&apart, &w->apart_alloc, w->apart_count + i, sizeof(*w->apart)))
            return -1;
        w->apart = apart;
        w->apart[w->apart_count + i] = rows[i];
    }
    w->apart_count += count;
    return 0;
}

/* NULL for none of them as well as where memory ran out. */
static void *copy_of(const void *array, size_t count, size_t size)
{
    void *copy = count ? xmalloc(count * size) : NULL;
    return copy ? memcpy(copy, array, count * size) : NULL;
}

int scene_wishes_copy(struct scene_wishes *to, const struct scene_wishes *from)
{
    *to = *from;
    to->wish = copy_of(from->wish, from->count, sizeof(*from->wish));
    to->apart = copy_of(from->apart, from->apart_count, sizeof(*from->apart));
    to->alloc = to->count;
    to->apart_alloc = to->apart_count;
    if ((from->count == 0 || to->wish) && (from->apart_count == 0 || to->apart))
        return 0;
    scene_wishes_release(to);
    return -1;
}

void scene_wishes_release(struct scene_wishes *w)
{
    free(w->wish);
    free(w->apart);
    w->wish = NULL;
    w->apart = NULL;
    w->count = w->alloc = w->apart_count = w->apart_alloc = 0;
}
