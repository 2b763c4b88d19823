#include "model/base/alloc.h"
#include "model/reasoning/citation.h"

#include <math.h>

/* A citation and its place among all that were given. */
struct entry {
    const struct citation *citation;
    size_t place;
};

static int compare_places(const struct entry *x, const struct entry *y)
{
    return (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
    return compare_places(a, b);
}

static const char *section_of(const struct citation *c)
{
    return c->section ? c->section : "";
}

static int64_t page_of(const struct citation *c)
{
    return c->page > 0 ? c->page : 0;
}

/* An id that was made up is no other's, even if somebody gave the same. */
static int compare_passages(const struct citation *x, const struct citation *y)
{
    if (x->invented != y->invented)
        return x->invented ? 1 : -1;
    if (page_of(x) != page_of(y))
        return page_of(x) < page_of(y) ? -1 : 1;
    int order = strcmp(x->document_id, y->document_id);
    return order ? order : strcmp(section_of(x), section_of(y));
}

static int by_passage(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = compare_passages(x->citation, y->citation);
    return order ? order : compare_places(x, y);
}

/* One that nobody scored is less than any. */
static double score_of(const struct citation *c)
{
    return isnan(c->relevance) ? -INFINITY : c->relevance;
}

static int by_relevance(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    double left = score_of(x->citation), right = score_of(y->citation);
    if (left != right)
        return left > right ? -1 : 1;
    return compare_places(x, y);
}

static struct entry *list_entries(const struct citation *in, size_t count)
{
    struct entry *list = xcalloc(count, sizeof(*list));
    for (size_t i = 0; list && i < count; i++)
        list[i] = (struct entry){&in[i], i};
    return list;
}

/* Keeps of each passage the best, in the place of its first; they are sorted by passage. */
static size_t keep_best(struct entry *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct entry *last = kept ? &list[kept - 1] : NULL;
        if (!last || compare_passages(last->citation, list[i].citation) != 0)
            list[kept++] = list[i];
        else if (score_of(list[i].citation) > score_of(last->citation))
            last->citation = list[i].citation;
    }
    return kept;
}

size_t citations_deduplicate(struct citation *out, const struct citation *in, size_t count)
{
    if (count == 0)
        return 0;
    struct entry *list = list_entries(in, count);
    if (!list)
        return SIZE_MAX;
    qsort(list, count, sizeof(*list), by_passage);
    size_t kept = keep_best(list, count);
    qsort(list, kept, sizeof(*list), by_place);
    for (size_t i = 0; i < kept; i++)
        out[i] = *list[i].citation;
    free(list);
    return kept;
}

size_t citations_rank(struct citation *out, const struct citation *in, size_t count, size_t limit)
{
    size_t kept = count < limit ? count : limit;
    if (kept == 0)
        return 0;
    struct entry *list = list_entries(in, count);
    if (!list)
        return SIZE_MAX;
    qsort(list, count, sizeof(*list), by_relevance);
    for (size_t i = 0; i < kept; i++)
        out[i] = *list[i].citation;
    free(list);
    return kept;
}

enum uncertainty citations_uncertainty(const struct citation *c, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += c[i].relevance;
    double mean = sum / (double)count;
    if (count == 0)
        return UNCERTAINTY_COMPLETE;
    return mean > 0.7   ? UNCERTAINTY_NONE
           : mean > 0.5 ? UNCERTAINTY_LOW
           : mean > 0.3 ? UNCERTAINTY_MEDIUM
                        : UNCERTAINTY_HIGH;
}

const char *uncertainty_name(enum uncertainty u)
{
    static const char *const words[] = {"none", "low", "medium", "high", "complete"};
    return words[u];
}
