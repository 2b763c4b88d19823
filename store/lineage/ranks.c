/* All rows in the order of their effective confidence, trust, or what they take away. */
#include "store/lineage/loaded.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/db/store_state.h"
#include "store/lineage/effective.h"
#include "store/lineage/trust.h"

#define DIGIT_BITS  16
#define DIGIT_COUNT (1 << DIGIT_BITS)

/* The bits of a double that is not negative are in the order of its value. */
static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* One pass of a radix sort, which keeps the order of rows with equal digits. False: all are equal. */
static bool sort_by_digit(const struct ranks *k, const uint32_t *from, uint32_t *to, unsigned shift,
                          uint32_t *first)
{
    memset(first, 0, DIGIT_COUNT * sizeof(*first));
    for (size_t i = 0; i < k->rows; i++)
        first[bits_of(k->value[i]) >> shift & (DIGIT_COUNT - 1)]++;
    if (k->rows == 0 || first[bits_of(k->value[0]) >> shift & (DIGIT_COUNT - 1)] == k->rows)
        return false;
    for (uint32_t at = 0, digit = 0, count; digit < DIGIT_COUNT; digit++, at += count) {
        count = first[digit];
        first[digit] = at;
    }
    for (size_t i = 0; i < k->rows; i++)
        to[first[bits_of(k->value[from[i] - 1]) >> shift & (DIGIT_COUNT - 1)]++] = from[i];
    return true;
}

static void sort(struct ranks *k)
{
    uint32_t *other = xmalloc((k->rows + 1) * sizeof(*other));
    AUTO_FREE uint32_t *first = xmalloc(DIGIT_COUNT * sizeof(*first));
    for (size_t i = 0; i < k->rows; i++)
        k->order[i] = (uint32_t)i + 1;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS)
        if (sort_by_digit(k, k->order, other, shift, first)) {
            uint32_t *sorted = other;
            other = k->order;
            k->order = sorted;
        }
    free(other);
}

static void free_ranks(struct ranks *k)
{
    FREE_ALL(k->value, k->order, k);
}

static int read_loses(struct reader *r, const struct loaded *l, double *out, struct error *e)
{
    const struct keystones *k = loaded_keystones(l, r, e);
    for (size_t i = 0; k && i < l->rows; i++)
        out[i] = k->loses[i];
    return k ? 0 : -1;
}

static struct ranks *compute(struct reader *r, const struct loaded *l, enum ranked_by by,
                             struct error *e)
{
    struct ranks *k = xcalloc(1, sizeof(*k));
    k->rows = l->rows;
    k->value = xmalloc((k->rows + 1) * sizeof(*k->value));
    k->order = xmalloc((k->rows + 1) * sizeof(*k->order));
    int result = by == RANKED_BY_TRUST   ? trust_of_loaded(r, l, k->value, e)
                 : by == RANKED_BY_LOSES ? read_loses(r, l, k->value, e)
                                         : effective_of_all(r, l, k->value, e);
    if (result) {
        free_ranks(k);
        return NULL;
    }
    for (size_t i = 0; i < k->rows; i++) {
        if (by == RANKED_BY_TRUST)
            k->value[i] = trust_rank((enum label)l->labels.label[i], k->value[i]);
        k->value[i] = k->value[i] > 0 ? k->value[i] : 0; /* NAN: it has no confidence */
    }
    sort(k);
    return k;
}

const struct ranks *ranks_get(struct reader *r, enum ranked_by by, struct error *e)
{
    bool decays = by == RANKED_BY_EFFECTIVE && confidence_rules_of(r)->decay;
    struct loaded *l =
        (struct loaded *)(by == RANKED_BY_EFFECTIVE ? loaded_labels_get(r, e) : loaded_get(r, e));
    if (!l)
        return NULL;
    struct ranks *k = decays ? NULL : atomic_load(&l->ranks[by]), *other = NULL;
    if (k)
        return k;
    k = compute(r, l, by, e);
    if (k && !decays) {
        k->of = l;
        if (atomic_compare_exchange_strong(&l->ranks[by], &other, k))
            return k;
        free_ranks(k); /* another thread was first */
        return other;
    }
    loaded_release(l);
    return k;
}

void ranks_release(const struct ranks *k)
{
    if (k && k->of)
        loaded_release(k->of);
    else if (k)
        free_ranks((struct ranks *)k);
}

void ranks_drop(struct loaded *l)
{
    for (int by = 0; by < RANKED_BY_COUNT; by++) {
        struct ranks *k = atomic_exchange(&l->ranks[by], NULL);
        if (k)
            free_ranks(k);
    }
}

size_t ranks_place(const struct ranks *k, double value, int64_t row)
{
    size_t from = 0, to = k->rows;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        double at = k->value[k->order[middle] - 1];
        if (at < value || (at == value && k->order[middle] < row))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

int loses_fill(struct reader *r, const int64_t *rows, size_t count, struct row_label *io,
               struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    const struct loaded *l = loaded_get(r, e);
    const struct keystones *k = l ? loaded_keystones(l, r, e) : NULL;
    for (size_t i = 0; k && i < count; i++) {
        io[i].has_loses = rows[i] >= 1 && (uint64_t)rows[i] <= l->rows;
        io[i].loses = io[i].has_loses ? k->loses[rows[i] - 1] : 0;
    }
    loaded_release(l);
    return reader_done(r, k ? 0 : -1);
}
