#include "model/reasoning/reasoning_steps.h"

#include "model/base/alloc.h"

/* A step with its place among all of them; of equal numbers the first has the sources of all. */
struct numbered {
    struct step_sources step;
    size_t place;
};

static int compare_places(const struct numbered *x, const struct numbered *y)
{
    return (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
    return compare_places(a, b);
}

static int by_number(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->step.number != y->step.number)
        return x->step.number < y->step.number ? -1 : 1;
    return compare_places(x, y);
}

static size_t count_same(const struct numbered *list, size_t count)
{
    size_t same = 1;
    while (same < count && list[same].step.number == list[0].step.number)
        same++;
    return same;
}

/* The sources of steps that have the same number, one after the other. */
static int join(struct step_sources *out, const struct numbered *list, size_t count,
                struct arena *arena)
{
    size_t total = 0, place = 0;
    for (size_t i = 0; i < count; i++)
        total += list[i].step.count;
    struct source *all = arena_array(arena, total, sizeof(*all));
    if (!all)
        return -1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < list[i].step.count; k++)
            all[place++] = list[i].step.source[k];
    *out = (struct step_sources){list[0].step.number, all, total};
    return 0;
}

/* Sorted by number; how many there are once equal ones are joined. SIZE_MAX: memory ran out. */
static size_t join_same(struct numbered *list, size_t count, struct arena *arena)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; kept++) {
        struct numbered first = list[i];
        size_t same = count_same(list + i, count - i);
        if (same > 1 && join(&first.step, list + i, same, arena))
            return SIZE_MAX;
        list[kept] = first;
        i += same;
    }
    return kept;
}

static int unite(struct numbered *list, size_t count, struct arena *arena,
                 const struct step_sources **out, size_t *out_count)
{
    qsort(list, count, sizeof(*list), by_number);
    size_t kept = join_same(list, count, arena);
    if (kept == count)
        return 0;
    struct step_sources *united =
        kept == SIZE_MAX ? NULL : arena_array(arena, kept, sizeof(*united));
    if (!united)
        return -1;
    qsort(list, kept, sizeof(*list), by_place);
    for (size_t i = 0; i < kept; i++)
        united[i] = list[i].step;
    *out = united;
    *out_count = kept;
    return 0;
}

int steps_unite(const struct step_sources *steps, size_t count, struct arena *arena,
                const struct step_sources **out, size_t *out_count)
{
    *out = steps;
    *out_count = count;
    if (count < 2)
        return 0;
    struct numbered *list = xcalloc(count, sizeof(*list));
    if (!list)
        return -1;
    for (size_t i = 0; i < count; i++)
        list[i] = (struct numbered){steps[i], i};
    int failed = unite(list, count, arena, out, out_count);
    free(list);
    return failed;
}
