#include "model/reasoning/reasoning.h"

#include <math.h>
#include "model/base/alloc.h"
#include "model/reasoning/reasoning_steps.h"

/* A document on its way into the summary, by its first source. */
struct entry {
    const struct source *source;
    size_t place; /* of all sources, in their order */
};

static int by_id(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->source->document_id, y->source->document_id);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* One that nobody scored is less than any. */
static double score_of(const struct source *s)
{
    return isnan(s->relevance) ? -INFINITY : s->relevance;
}

static const char *or_other(const char *text, const char *other)
{
    return text && *text ? text : other && *other ? other : text;
}

/* The two sources of one document, of which `later` comes later, as one. */
static struct source merge(const struct source *first, const struct source *later)
{
    bool replaces = score_of(later) > score_of(first);
    struct source s = replaces ? *later : *first;
    const struct source *other = replaces ? first : later;
    s.title = or_other(s.title, other->title);
    s.excerpt = or_other(s.excerpt, other->excerpt);
    return s;
}

struct ranked {
    struct source source;
    size_t place;
};

static int by_relevance(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    double left = score_of(&x->source), right = score_of(&y->source);
    if (left != right)
        return left > right ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static size_t count_sources(const struct step_sources *steps, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += steps[i].count;
    return total;
}

static void list_sources(struct entry *list, const struct step_sources *steps, size_t count)
{
    size_t place = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < steps[i].count; k++, place++)
            list[place] = (struct entry){&steps[i].source[k], place};
}

/* Sorted by id, equal ones are neighbours; how many documents there are. */
static size_t merge_all(struct ranked *out, struct entry *list, size_t count)
{
    size_t documents = 0;
    qsort(list, count, sizeof(*list), by_id);
    for (size_t i = 0; i < count; i++) {
        if (i && strcmp(list[i].source->document_id, list[i - 1].source->document_id) == 0) {
            struct ranked *same = &out[documents - 1];
            same->source = merge(&same->source, list[i].source);
        } else {
            out[documents++] = (struct ranked){*list[i].source, list[i].place};
        }
    }
    return documents;
}

static size_t count_primary(const struct source *all, size_t count)
{
    size_t primary = 0;
    size_t most = count < PRIMARY_MAX ? count : PRIMARY_MAX;
    while (primary < most && all[primary].relevance > PRIMARY_ABOVE)
        primary++;
    return primary ? primary : most;
}

static int summarise(struct source_summary *out, struct arena *arena, struct entry *list,
                     struct ranked *ranked, size_t total)
{
    size_t count = merge_all(ranked, list, total);
    qsort(ranked, count, sizeof(*ranked), by_relevance);
    out->all = arena_array(arena, count, sizeof(*out->all));
    if (!out->all)
        return -1;
    for (size_t i = 0; i < count; i++)
        out->all[i] = ranked[i].source;
    out->count = count;
    out->primary = out->all; /* the most relevant first */
    out->primary_count = count_primary(out->all, count);
    return 0;
}

static int summarise_all(struct source_summary *out, struct arena *arena,
                         const struct step_sources *steps, size_t count, size_t total)
{
    struct entry *list = xcalloc(total, sizeof(*list));
    struct ranked *ranked = xcalloc(total, sizeof(*ranked));
    int failed = -1;
    if (list && ranked) {
        list_sources(list, steps, count);
        failed = summarise(out, arena, list, ranked, total);
    }
    free(list);
    free(ranked);
    return failed;
}

int source_summarise(struct source_summary *out, struct arena *arena,
                     const struct step_sources *steps, size_t count, struct error *e)
{
    size_t total = count_sources(steps, count);
    *out = (struct source_summary){.all = NULL};
    if (steps_unite(steps, count, arena, &out->step, &out->step_count) ||
        (total > 0 && summarise_all(out, arena, steps, count, total)))
        return error_set(e, ERROR_MEMORY, "Close what else takes memory and try again.",
                         "not enough memory to summarise %zu sources", total);
    return 0;
}

double chain_confidence(const double *confidence, size_t count)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(confidence[i]))
            continue;
        sum += confidence[i];
        known++;
    }
    return known ? sum / (double)known : NAN;
}
