/* The support of one memory as a Boolean function of its sources, evaluated bit by bit in parallel. */
#include "model/graph/assignment.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/graph/ancestry.h"

/* A table is computed by this many words at once, so that a link is read once for all of them. */
#define LANES 8

struct support_function {
    struct ancestry a;
    uint64_t *value; /* [a.count][LANES] */
};

struct support_function *support_function_new(const struct graph *g, const struct labels *labels,
                                              uint32_t target)
{
    struct support_function *f = xmalloc(sizeof(*f));
    ancestry_make(&f->a, g, labels, target);
    f->value = xmalloc(f->a.count * LANES * sizeof(*f->value));
    return f;
}

void support_function_free(struct support_function *f)
{
    if (!f)
        return;
    ancestry_release(&f->a);
    free(f->value);
    free(f);
}

size_t support_sources(const struct support_function *f, const uint32_t **source)
{
    *source = f->a.source;
    return f->a.source_count;
}

/* The value of a member from those of the others. Returns whether it changed. `lanes` is a constant
 * where this is inlined: with 1 a word is derived in a sixth of the time of LANES. */
static inline bool derive(struct support_function *f, uint32_t member, int lanes)
{
    const struct ancestry *a = &f->a;
    uint64_t *value = &f->value[(size_t)member * (size_t)lanes], changed = 0;
    uint64_t any[LANES] = {0};
    for (uint32_t j = a->just_first[member]; j < a->just_first[member + 1]; j++) {
        uint64_t all[LANES];
        memset(all, 0xff, sizeof(all));
        for (uint32_t i = a->link_first[j]; i < a->link_first[j + 1]; i++)
            for (int k = 0; k < lanes; k++)
                all[k] &= f->value[(size_t)a->link[i] * (size_t)lanes + (size_t)k];
        for (int k = 0; k < lanes; k++)
            any[k] |= all[k];
    }
    for (int k = 0; k < lanes; k++) {
        changed |= value[k] ^ any[k];
        value[k] = any[k];
    }
    return changed != 0;
}

/*
 * Derives all members from the sources, whose values are set. The others begin at 0, so what a circle
 * ends at is the least fixed point; values only rise, at most once for each of its members.
 */
static inline const uint64_t *evaluate(struct support_function *f, int lanes)
{
    const struct ancestry *a = &f->a;
    for (uint32_t c = 0; c < a->components; c++) {
        uint32_t from = a->component_first[c], to = a->component_first[c + 1];
        bool changed = true;
        while (changed) {
            changed = false;
            for (uint32_t m = from; m < to; m++)
                if (a->just_first[m] < a->just_first[m + 1])
                    changed |= derive(f, m, lanes);
            changed &= to - from > 1;
        }
    }
    return &f->value[(size_t)(a->count - 1) * (size_t)lanes];
}

uint64_t support_evaluate(struct support_function *f, const uint64_t *leaf)
{
    memset(f->value, 0, f->a.count * sizeof(*f->value));
    for (size_t s = 0; s < f->a.source_count; s++)
        f->value[f->a.source_member[s]] = leaf[s];
    return *evaluate(f, 1);
}

uint64_t support_assigned(size_t s, size_t word)
{
    static const uint64_t within[] = {
        UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc), UINT64_C(0xf0f0f0f0f0f0f0f0),
        UINT64_C(0xff00ff00ff00ff00), UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000),
    };
    return s < 6 ? within[s] : -(uint64_t)(word >> (s - 6) & 1);
}

void support_truth_table(struct support_function *f, uint64_t *out)
{
    size_t n = f->a.source_count, words = n > 6 ? (size_t)1 << (n - 6) : 1;
    for (size_t word = 0; word < words; word += LANES) {
        memset(f->value, 0, f->a.count * LANES * sizeof(*f->value));
        for (size_t s = 0; s < n; s++)
            for (size_t k = 0; k < LANES; k++)
                f->value[(size_t)f->a.source_member[s] * LANES + k] = support_assigned(s, word + k);
        const uint64_t *value = evaluate(f, LANES);
        for (size_t k = 0; k < LANES && word + k < words; k++)
            out[word + k] = value[k];
    }
    if (n < 6)
        out[0] &= (UINT64_C(1) << (1u << n)) - 1;
}

/* weight[a] of the 2^count assignments of the sources: the product of p, or 1 - p. */
static void weigh(double *weight, const double *p, size_t count)
{
    weight[0] = 1;
    for (size_t s = 0; s < count; s++)
        for (size_t a = 0; a < (size_t)1 << s; a++) {
            weight[a | (size_t)1 << s] = weight[a] * p[s];
            weight[a] *= 1 - p[s];
        }
}

double support_probability(struct support_function *f, const double *p)
{
    size_t n = f->a.source_count, low = n < 6 ? n : 6, words = (size_t)1 << (n - low);
    double within[64], sum = 0;
    AUTO_FREE uint64_t *table = xmalloc(words * sizeof(*table));
    AUTO_FREE double *weight = xmalloc(words * sizeof(*weight));
    support_truth_table(f, table);
    weigh(within, p, low);
    weigh(weight, p + low, n - low);
    for (size_t word = 0; word < words; word++) {
        double part = 0;
        for (unsigned b = 0; b < 64 && table[word] >> b; b++)
            if (table[word] >> b & 1)
                part += within[b];
        sum += weight[word] * part;
    }
    return sum;
}
