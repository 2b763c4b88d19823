/* The Banzhaf index of sources: all assignments, or a sample of them. */
#include "model/graph/blame_internal.h"

#include <math.h>
#include "model/base/alloc.h"
#include "model/graph/assignment.h"

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

bool blame_shares(struct blame_source *source, const struct ancestry *a)
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
