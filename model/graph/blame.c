/* Whom to blame: the answer, from a copy of what the target is based on. */
#include "model/graph/blame_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/graph/assignment.h"
#include "model/graph/fold.h"

/* ---- the Banzhaf index of sources: all assignments, or a sample of them ---- */

#define SHARE_STEPS  5000000 /* of a sample, for 64 assignments each: about 20 ms */
#define LEAST_ROUNDS 16      /* of 64 assignments */
#define MOST_ROUNDS  4096

/*
 * The share of source i is 2 · cov(f, s) over all assignments, or over a sample of them: f is whether
 * the target stands, s is +1 where the source is believed and −1 where not. So one sample serves all
 * sources.
 */
struct sample {
    uint64_t count, standing; /* assignments; those in which the target stands */
    uint64_t *believed,
        *both; /* [sources] those in which the source is believed; and the target stands */
};

/* SplitMix64 (Steele, Lea, Flood 2014): the same numbers in every run. */
static uint64_t next_word(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void take_sample(struct sample *sample, struct support_function *f, size_t sources)
{
    AUTO_FREE uint64_t *word = xmalloc(sources * sizeof(*word));
    uint64_t state = 1965; /* any */
    sample->count = sample->standing = 0;
    for (uint64_t round = 0; round < MOST_ROUNDS; round++) {
        if (round >= LEAST_ROUNDS && support_steps(f) + round * 8 * sources > SHARE_STEPS)
            break;
        for (size_t i = 0; i < sources; i++)
            word[i] = next_word(&state);
        uint64_t stands = support_evaluate(f, word);
        sample->count += 64;
        sample->standing += (unsigned)__builtin_popcountll(stands);
        for (size_t i = 0; i < sources; i++) {
            sample->believed[i] += (unsigned)__builtin_popcountll(word[i]);
            sample->both[i] += (unsigned)__builtin_popcountll(word[i] & stands);
        }
    }
}

/* Returns false if these are too many. */
static bool take_all(struct sample *sample, struct support_function *f, size_t sources)
{
    if (sources > EXACT_SOURCES)
        return false;
    size_t words = sources > 6 ? (size_t)1 << (sources - 6) : 1;
    AUTO_FREE uint64_t *table = xmalloc(words * sizeof(*table));
    if (!support_truth_table(f, table))
        return false;
    sample->count = UINT64_C(1) << sources;
    for (size_t word = 0; word < words; word++) {
        sample->standing += (unsigned)__builtin_popcountll(table[word]);
        for (size_t i = 0; i < sources; i++)
            sample->both[i] +=
                (unsigned)__builtin_popcountll(table[word] & support_assigned(i, word));
    }
    for (size_t i = 0; i < sources; i++)
        sample->believed[i] = sample->count / 2;
    return true;
}

/* Half of a 95 % interval: the mean of `count` values of variance 4 p (1 − p). `p` is that of Agresti
 * and Coull (1998), who add two of each, so that it is not 0 if all values are equal. */
static double error_of(const struct sample *sample)
{
    double count = (double)sample->count, p = ((double)sample->standing + 2) / (count + 4);
    return 1.96 * sqrt(4 * p * (1 - p) / count);
}

/* Sets `share` and `error` of those of the sources that make a difference; `source` has these and others, ascending by
 * node. Returns whether they are samples. */
static bool blame_shares(struct blame_source *source, const struct ancestry *a)
{
    const uint32_t *node;
    struct support_function *f = support_function_of(a);
    size_t n = support_sources(f, &node);
    AUTO_FREE uint64_t *believed = xcalloc(n, sizeof(*believed));
    AUTO_FREE uint64_t *both = xcalloc(n, sizeof(*both));
    struct sample sample = {.believed = believed, .both = both};
    bool exact = take_all(&sample, f, n);
    if (!exact)
        take_sample(&sample, f, n);
    for (size_t i = 0; i < n; i++, source++) {
        double count = (double)sample.count, stands = (double)sample.standing / count;
        double believes = (double)believed[i] / count,
               share = 4 * ((double)both[i] / count - stands * believes);
        while (source->node < node[i])
            source++;                          /* it makes no difference */
        source->share = share > 0 ? share : 0; /* support never falls when another is believed */
        source->error = exact ? 0 : error_of(&sample);
    }
    support_function_free(f);
    return !exact;
}

/* ---- the answer ---- */

#define ENOUGH 3 /* sets up to this size are searched with the whole budget */

/* Memories, justifications and links that a search looks at; 3 to 8 ns each. */
#define DEFAULT_BUDGET 20000000

/* Condenses the ancestry, which then belongs to the part. */
static void part_make(struct part *p, struct ancestry *a, const struct graph *g)
{
    AUTO_FREE uint32_t *antecedent = NULL;
    size_t alloc = 0;
    ancestry_condense(a);
    p->a = *a;
    graph_init(&p->g);
    p->g.patience = a->patience;
    graph_reserve(&p->g, a->count, a->justs, ancestry_links(a));
    for (uint32_t m = a->count; m-- > 0;) {
        graph_add_node(&p->g, (enum kind)g->kind[a->node[m]], STATUS_ACTIVE);
        for (uint32_t j = a->just_first[m]; j < a->just_first[m + 1]; j++) {
            size_t count = 0;
            ARRAY_ROOM(antecedent, 0, alloc, a->link_first[j + 1] - a->link_first[j]);
            for (uint32_t i = a->link_first[j]; i < a->link_first[j + 1]; i++)
                antecedent[count++] = a->count - 1 - a->link[i];
            graph_add_group(&p->g, GRAPH_SHAPE(ROLE_DERIVED_FROM, READING_ALL, RECORDED), 0,
                            antecedent, count);
        }
    }
    graph_finish(&p->g);
}

static void part_release(struct part *p)
{
    graph_release(&p->g);
    ancestry_release(&p->a);
}

static int compare_nodes(const void *a, const void *b)
{
    return COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* A set of the answer, to be ordered. */
struct range {
    const uint32_t *member;
    size_t count;
};

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    if (x->count != y->count)
        return COMPARE(x->count, y->count);
    for (size_t i = 0; i < x->count; i++)
        if (x->member[i] != y->member[i])
            return COMPARE(x->member[i], y->member[i]);
    return 0;
}

/* Puts the sets of nodes in order, each with the `forced` nodes. Releases `sets`. */
static void put_sets(struct blame *out, struct blame_sets *sets, const uint32_t *forced,
                     size_t forced_count)
{
    size_t total = sets->members + sets->ends * forced_count, at = 0, begin = 0;
    AUTO_FREE uint32_t *member = xmalloc((total + 1) * sizeof(*member));
    AUTO_FREE struct range *range = xmalloc((sets->ends + 1) * sizeof(*range));
    for (size_t i = 0; i < sets->ends; begin = sets->end[i++]) {
        size_t own = sets->end[i] - begin;
        range[i] = (struct range){member + at, forced_count + own};
        for (size_t k = 0; k < forced_count; k++)
            member[at++] = forced[k];
        for (size_t k = 0; k < own; k++)
            member[at++] = sets->member[begin + k];
        qsort(member + at - range[i].count, range[i].count, sizeof(*member), compare_nodes);
    }
    SORT(range, sets->ends, compare_ranges);
    out->member = xmalloc((total + 1) * sizeof(*out->member));
    free(out->first);
    out->first = xcalloc(sets->ends + 1, sizeof(*out->first));
    out->set_count = sets->ends;
    for (size_t i = 0; i < sets->ends; i++) {
        memcpy(out->member + out->first[i], range[i].member, range[i].count * sizeof(*member));
        out->first[i + 1] = out->first[i] + range[i].count;
    }
    free(sets->member);
    free(sets->end);
}

/* The source may be in a set, as far as is known. */
static void set_possible(struct blame *out, uint32_t node)
{
    size_t from = 0, to = out->source_count;
    while (to - from > 1) { /* ascending by node */
        size_t middle = from + (to - from) / 2;
        if (out->source[middle].node <= node)
            from = middle;
        else
            to = middle;
    }
    out->source[from].at_most = true;
}

/* Searches the sets of what is left without the forced sources, if the target still stands. Returns false if not. */
static bool search_rest(struct blame *out, struct part *p, const struct labels *labels,
                        size_t forced, uint64_t budget, struct blame_sets *sets)
{
    struct part rest;
    struct ancestry a;
    if (!labels->stands[0])
        return false;
    ancestry_make(&a, &p->g, labels, 0);
    part_make(&rest, &a, &p->g);
    size_t exact_to =
        blame_search(sets, &rest, forced < ENOUGH ? ENOUGH - forced : 0, budget, &out->greedy);
    if (exact_to != SIZE_MAX)
        out->exact_to = exact_to + forced;
    for (size_t i = 0; i < sets->members; i++)
        sets->member[i] = part_origin(p, part_origin(&rest, sets->member[i]));
    for (size_t i = 0; i < rest.a.source_count; i++)
        set_possible(out, part_origin(p, rest.a.source[i]));
    part_release(&rest);
    return true;
}

/*
 * Finds the sets. Every set has the forced sources. What the target is based on without these is often
 * much less, and all that is searched. Sets `at_most` of each source that may be in a set. Ends the forced sources in
 * the part.
 */
static void find_sets(struct blame *out, struct part *p, uint64_t budget)
{
    AUTO_FREE uint32_t *forced = NULL;
    size_t count = blame_forced(&forced, p);
    struct blame_sets sets = {.member = NULL};
    struct labels labels;
    out->exact_to = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        p->g.status[forced[i]] = STATUS_RETRACTED;
    labels_compute(&labels, &p->g);
    if (!search_rest(out, p, &labels, count, budget, &sets))
        *ARRAY_ADD(sets.end, sets.ends, sets.end_alloc) = 0;
    for (size_t i = 0; i < count; i++)
        set_possible(out, forced[i] = part_origin(p, forced[i]));
    labels_release(&labels);
    put_sets(out, &sets, forced, count);
}

/*
 * `least` is the size of the smallest listed set with the source; SIZE_MAX if none has it. All sets up
 * to `exact_to` are listed, so none is smaller if that is one more at most.
 */
static void set_responsibility(struct blame_source *source, size_t least, size_t exact_to)
{
    source->at_most = source->at_most && exact_to != SIZE_MAX && least > exact_to + 1;
    if (source->at_most)
        source->responsibility = 1 / (double)(exact_to + 1);
    else if (least != SIZE_MAX)
        source->responsibility = 1 / (double)least;
}

static int compare_sources(const void *a, const void *b)
{
    const struct blame_source *x = a, *y = b;
    int order = COMPARE(y->responsibility, x->responsibility);
    order = order ? order : COMPARE(y->share, x->share);
    return order ? order : COMPARE(x->node, y->node);
}

/* Completes the rows of the sources, of which `at_most` says which may be in a set. */
static void put_sources(struct blame *out)
{
    struct map least = MAP_INIT; /* from node to size */
    for (size_t i = out->set_count; i-- > 0;)
        for (size_t k = out->first[i]; k < out->first[i + 1]; k++)
            *map_at(&least, out->member[k]) = (int64_t)(out->first[i + 1] - out->first[i]);
    for (size_t i = 0; i < out->source_count; i++) {
        const int64_t *size = map_find(&least, out->source[i].node);
        set_responsibility(&out->source[i], size ? (size_t)*size : SIZE_MAX, out->exact_to);
    }
    SORT(out->source, out->source_count, compare_sources);
    map_release(&least);
}

void blame_compute(struct blame *out, const struct graph *g, const struct labels *labels,
                   uint32_t target, uint64_t budget)
{
    struct part p;
    struct ancestry a;
    *out = (struct blame){.exact_to = SIZE_MAX, .first = xcalloc(1, sizeof(*out->first))};
    if (!labels->stands[target] || fold_is_leaf(g, labels, target))
        return;
    ancestry_make(&a, g, labels, target);
    out->source = xcalloc(a.source_count + 1, sizeof(*out->source));
    for (size_t i = 0; i < a.source_count; i++)
        out->source[out->source_count++].node = a.source[i];
    part_make(&p, &a, g);
    if (!graph_gives_up(g, 0)) {
        out->sampled = blame_shares(out->source, &p.a);
        find_sets(out, &p, budget ? budget : DEFAULT_BUDGET);
        put_sources(out);
    }
    part_release(&p);
}

void blame_release(struct blame *b)
{
    FREE_ALL(b->member, b->first, b->source);
    *b = (struct blame){.member = NULL};
}
