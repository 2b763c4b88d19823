/* The support of one memory as a Boolean function of its sources, evaluated bit by bit in parallel. */
#include "model/graph/assignment.h"

#include <math.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/graph/ancestry.h"

/* A table is computed by this many words at once, so that a link is read once for all of them. */
#define LANES 8

/* Of a table: members and links to look at, each for LANES words; about 40 ms. */
#define TABLE_STEPS 8000000

struct support_function {
    const struct ancestry *a;
    struct ancestry own; /* if it was made here */
    uint64_t *value;     /* [a.count][LANES] */
    uint32_t *
        use_first; /* [a.count + 1] of members on circles, those on the same circle that use them; or NULL */
    uint32_t *use;
    uint32_t *queue; /* [a.count] a ring of members on a circle to derive again … */
    uint32_t queue_from, queue_count;
    uint8_t *queued; /* [a.count] bool: it is in the queue */
    uint64_t steps;
};

/* Lists the uses on circles, if there are circles. */
static void find_uses(struct support_function *f)
{
    const struct ancestry *a = f->a;
    if (a->components == a->count)
        return;
    AUTO_FREE uint32_t *of = xmalloc(a->count * sizeof(*of));
    for (uint32_t c = 0; c < a->components; c++)
        for (uint32_t m = a->component_first[c]; m < a->component_first[c + 1]; m++)
            of[m] = c;
    f->use_first = xcalloc((size_t)a->count + 2, sizeof(*f->use_first));
    f->use = xmalloc(((size_t)ancestry_links(a) + 1) * sizeof(*f->use));
    f->queue = xmalloc(a->count * sizeof(*f->queue));
    f->queued = xcalloc(a->count, 1);
    for (int fill = 0; fill < 2;
         fill++) { /* counts them, then fills the ranges from their beginning */
        for (uint32_t m = 0; m < a->count; m++)
            for (uint32_t i = a->link_first[a->just_first[m]];
                 i < a->link_first[a->just_first[m + 1]]; i++) {
                uint32_t to = a->link[i];
                if (of[to] == of[m] && fill)
                    f->use[f->use_first[to + 1]++] = m;
                else if (of[to] == of[m])
                    f->use_first[to + 2]++;
            }
        for (uint32_t m = 2; m < a->count + 2 && !fill; m++)
            f->use_first[m] += f->use_first[m - 1];
    }
}

struct support_function *support_function_of(const struct ancestry *a)
{
    struct support_function *f = xcalloc(1, sizeof(*f));
    f->a = a;
    f->value = xmalloc(a->count * LANES * sizeof(*f->value));
    find_uses(f);
    return f;
}

struct support_function *support_function_new(const struct graph *g, const struct labels *labels,
                                              uint32_t target)
{
    struct ancestry a;
    ancestry_make(&a, g, labels, target);
    ancestry_condense(&a);
    struct support_function *f = support_function_of(&a);
    f->own = a;
    f->a = &f->own;
    return f;
}

void support_function_free(struct support_function *f)
{
    if (!f)
        return;
    ancestry_release(&f->own);
    FREE_ALL(f->value, f->use_first, f->use, f->queue, f->queued, f);
}

uint64_t support_steps(const struct support_function *f)
{
    return f->steps;
}

size_t support_sources(const struct support_function *f, const uint32_t **source)
{
    *source = f->a->source;
    return f->a->source_count;
}

/* The value of a member from those of the others. Returns whether it changed. `lanes` is a constant
 * where this is inlined: with 1 a word is derived in a sixth of the time of LANES. */
static inline bool derive(struct support_function *f, uint32_t member, int lanes)
{
    const struct ancestry *a = f->a;
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

/* Derives a member of a circle. If it changed, its users up to the member `last` are queued. */
static inline void derive_in_circle(struct support_function *f, uint32_t member, uint32_t last,
                                    int lanes)
{
    const struct ancestry *a = f->a;
    f->steps += 1 + a->link_first[a->just_first[member + 1]] - a->link_first[a->just_first[member]];
    if (!derive(f, member, lanes))
        return;
    for (uint32_t i = f->use_first[member]; i < f->use_first[member + 1]; i++) {
        uint32_t user = f->use[i];
        if (f->queued[user] || user > last)
            continue;
        f->queued[user] = 1;
        f->queue[(f->queue_from + f->queue_count++) % a->count] = user;
    }
}

/*
 * Derives the members of a circle: once in their order, then those again of which an antecedent has changed. They begin
 * at 0, so what this ends at is the least fixed point; each of their bits rises once at most.
 */
static inline void derive_circle(struct support_function *f, uint32_t from, uint32_t to, int lanes)
{
    uint64_t before = f->steps;
    for (uint32_t m = from; m < to; m++)
        derive_in_circle(f, m, m, lanes);
    while (f->queue_count > 0) {
        uint32_t member = f->queue[f->queue_from];
        f->queue_from = f->queue_from + 1 < f->a->count ? f->queue_from + 1 : 0;
        f->queue_count--;
        f->queued[member] = 0;
        if (!patience_is_over(f->a->patience,
                              f->steps - before)) /* otherwise the queue runs empty */
            derive_in_circle(f, member, UINT32_MAX, lanes);
        before = f->steps;
    }
}

/* Derives all members from the sources, whose values are set; the others are 0. */
static inline const uint64_t *evaluate(struct support_function *f, int lanes)
{
    const struct ancestry *a = f->a;
    bool over = patience_is_over(a->patience, 0);
    for (uint32_t c = 0; c < a->components && !over; c++) {
        uint32_t from = a->component_first[c], to = a->component_first[c + 1];
        if (to - from > 1)
            derive_circle(f, from, to, lanes);
        else if (!ancestry_is_source(a, from))
            derive(f, from, lanes);
    }
    uint64_t steps = (uint64_t)a->count + ancestry_links(a);
    f->steps += steps;
    patience_is_over(a->patience, over ? 0 : steps);
    return &f->value[(size_t)(a->count - 1) * (size_t)lanes];
}

uint64_t support_evaluate(struct support_function *f, const uint64_t *leaf)
{
    memset(f->value, 0, f->a->count * sizeof(*f->value));
    for (size_t s = 0; s < f->a->source_count; s++)
        f->value[f->a->source_member[s]] = leaf[s];
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

bool support_truth_table(struct support_function *f, uint64_t *out)
{
    size_t n = f->a->source_count, words = n > 6 ? (size_t)1 << (n - 6) : 1;
    uint64_t before = f->steps;
    for (size_t word = 0; word < words; word += LANES) {
        memset(f->value, 0, f->a->count * LANES * sizeof(*f->value));
        for (size_t s = 0; s < n; s++)
            for (size_t k = 0; k < LANES; k++)
                f->value[(size_t)f->a->source_member[s] * LANES + k] =
                    support_assigned(s, word + k);
        const uint64_t *value = evaluate(f, LANES);
        for (size_t k = 0; k < LANES && word + k < words; k++)
            out[word + k] = value[k];
        /* So many, if the others take as many as the mean of those so far. */
        uint64_t steps = (f->steps - before) / (word / LANES + 1) * (words / LANES + 1);
        if (steps > TABLE_STEPS || patience_is_over(f->a->patience, 0))
            return false;
    }
    if (n < 6)
        out[0] &= (UINT64_C(1) << (1u << n)) - 1;
    return true;
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
    size_t n = f->a->source_count, low = n < 6 ? n : 6, words = (size_t)1 << (n - low);
    double within[64], sum = 0;
    AUTO_FREE uint64_t *table = xmalloc(words * sizeof(*table));
    AUTO_FREE double *weight = xmalloc(words * sizeof(*weight));
    if (!support_truth_table(f, table))
        return NAN;
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
