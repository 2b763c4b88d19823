#include "model/subgraph/scene.h"

#include <stdlib.h>
#include <string.h>
#include "model/subgraph/scene_build.h"

/* Strokes are named from the weakest on. */
static int strength(unsigned strokes)
{
    return strokes ? 31 - __builtin_clz(strokes) : -1;
}

int scene_link_order(const struct scene_link *a, const struct scene_link *b)
{
    int x = strength(a->strokes), y = strength(b->strokes);
    if (x != y)
        return x > y ? -1 : 1;
    if (a->memory.at != b->memory.at)
        return a->memory.at > b->memory.at ? -1 : 1;
    return strcmp(a->memory.id, b->memory.id);
}

static void init(struct scene_build *b, struct scene *s, const struct scene_wishes *w,
                 const struct scene_source *source)
{
    *s = (struct scene){.arena = ARENA_INIT};
    *b = (struct scene_build){.wishes = w,
                              .source = source,
                              .arena = &s->arena,
                              .scratch = ARENA_INIT,
                              .rows = ROW_INDEX_INIT};
}

static void release(struct scene_build *b)
{
    arena_release(&b->scratch);
    row_index_release(&b->rows);
    free(b->seen);
    free(b->tie);
}

int scene_make(struct scene *s, const struct scene_wishes *w, const struct scene_source *source,
               struct error *e)
{
    struct scene_build b;
    init(&b, s, w, source);
    int result = rings_show(&b, e) || wishes_settle(&b, e) || gather_mark(&b, e) ||
                         wishes_show(&b, e) || scene_write(s, &b, e)
                     ? -1
                     : 0;
    release(&b);
    return result;
}

void scene_release(struct scene *s)
{
    arena_release(&s->arena);
    *s = (struct scene){.arena = ARENA_INIT};
}
