#include "model/graph/nogood.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/graph/assignment.h"
#include "model/graph/derivation.h"

struct both {
    const struct nogood_of *of;
    struct support_function *f[2];
    size_t sources[2];
    size_t *at[2];   /* [sources] the place of each source in `source` */
    int64_t *source; /* [count] the rows of the sources of both, ascending */
    uint64_t *leaf;  /* [count] */
    size_t count;
};

static void both_make(struct both *b, const struct nogood_of *of)
{
    const uint32_t *node[2];
    size_t count = 0;
    *b = (struct both){.of = of};
    for (size_t k = 0; k < 2; k++) {
        b->f[k] = support_function_new(of[k].g, of[k].labels, of[k].node);
        b->sources[k] = support_sources(b->f[k], &node[k]);
        b->at[k] = xmalloc((b->sources[k] + 1) * sizeof(*b->at[k]));
    }
    b->source = xmalloc((b->sources[0] + b->sources[1] + 1) * sizeof(*b->source));
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < b->sources[k]; i++)
            b->source[count++] = graph_row(of[k].g, node[k][i]);
    qsort(b->source, count, sizeof(*b->source), row_compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || b->source[i] != b->source[b->count - 1])
            b->source[b->count++] = b->source[i];
    b->leaf = xcalloc(b->count + 1, sizeof(*b->leaf));
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < b->sources[k]; i++) {
            int64_t row = graph_row(of[k].g, node[k][i]),
                    *found = bsearch(&row, b->source, b->count, sizeof(row), row_compare);
            b->at[k][i] = (size_t)(found - b->source);
        }
}

static void both_release(struct both *b)
{
    for (size_t k = 0; k < 2; k++)
        support_function_free(b->f[k]);
    free(b->at[0]);
    free(b->at[1]);
    free(b->source);
    free(b->leaf);
}

/* Do both stand when bit b of leaf[i] says whether source i is believed? */
static uint64_t both_stand(struct both *b)
{
    AUTO_FREE uint64_t *own = xmalloc((b->count + 1) * sizeof(*own));
    uint64_t result = UINT64_MAX;
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < b->sources[k]; i++)
            own[i] = b->leaf[b->at[k][i]];
        result &= support_evaluate(b->f[k], own);
    }
    return result;
}

static void add_member(struct nogoods *out, size_t *members, size_t *alloc, int64_t source)
{
    *ARRAY_ADD(out->member, *members, *alloc) = source;
    out->first[out->count + 1] = *members;
}

/* Of each assignment a bit, in words as support_truth_table: both stand, and with none of its sources less. */
static uint64_t *find_minimal(struct both *b, size_t words)
{
    uint64_t *stand = xmalloc(words * sizeof(*stand)), *minimal = xmalloc(words * sizeof(*minimal));
    for (size_t word = 0; word < words; word++) {
        for (size_t i = 0; i < b->count; i++)
            b->leaf[i] = support_assigned(i, word);
        stand[word] = both_stand(b);
    }
    for (size_t word = 0; word < words; word++) {
        uint64_t with_less = 0;
        for (size_t i = 0; i < b->count && i < 6; i++)
            with_less |= (stand[word] & ~support_assigned(i, word)) << (1u << i);
        for (size_t i = 6; i < b->count; i++)
            if (word >> (i - 6) & 1)
                with_less |= stand[word ^ (size_t)1 << (i - 6)];
        minimal[word] = stand[word] & ~with_less;
    }
    free(stand);
    if (b->count < 6)
        minimal[0] &= (UINT64_C(1) << (1u << b->count)) - 1;
    return minimal;
}

static void list_all(struct nogoods *out, struct both *b)
{
    size_t words = b->count > 6 ? (size_t)1 << (b->count - 6) : 1, members = 0, alloc = 0;
    AUTO_FREE uint64_t *minimal = find_minimal(b, words);
    out->all = true;
    for (int size = 1; size <= (int)b->count; size++)
        for (size_t a = 0; a < 64 * words; a++) {
            if (!minimal[a / 64])
                a += 63 - a % 64;
            if (!(minimal[a / 64] >> (a % 64) & 1) || __builtin_popcountll(a) != size)
                continue;
            if (out->count == NOGOODS_MOST) {
                out->all = false;
                return;
            }
            for (size_t i = 0; i < b->count; i++)
                if (a >> i & 1)
                    add_member(out, &members, &alloc, b->source[i]);
            out->count++;
        }
}

/* Believes the leaves of the shortest derivation of one. */
static void believe(struct both *b, const struct nogood_of *of)
{
    struct derivations best;
    AUTO_FREE double *weight = xmalloc(((size_t)of->g->nodes + 1) * sizeof(*weight));
    for (uint32_t v = 0; v < of->g->nodes; v++)
        weight[v] = 1;
    derivations_best(&best, of->g, of->labels, of->node, weight, 1);
    for (size_t i = 0; best.count && i < best.item[0].count; i++) {
        int64_t row = graph_row(of->g, best.item[0].step[i].node),
                *found = bsearch(&row, b->source, b->count, sizeof(row), row_compare);
        if (found)
            b->leaf[found - b->source] = UINT64_MAX;
    }
    derivations_release(&best);
}

static void list_one(struct nogoods *out, struct both *b)
{
    size_t members = 0, alloc = 0;
    believe(b, &b->of[0]);
    believe(b, &b->of[1]);
    for (size_t i = 0; i < b->count; i++) {
        if (!b->leaf[i])
            continue;
        b->leaf[i] = 0;
        if (both_stand(b))
            continue; /* the others are enough */
        b->leaf[i] = UINT64_MAX;
        add_member(out, &members, &alloc, b->source[i]);
    }
    out->count = 1;
    out->all = false;
}

void nogoods_compute(struct nogoods *out, const struct nogood_of of[2])
{
    struct both both;
    *out = (struct nogoods){.first = xcalloc(NOGOODS_MOST + 1, sizeof(*out->first)), .all = true};
    if (!of[0].labels->stands[of[0].node] || !of[1].labels->stands[of[1].node])
        return;
    both_make(&both, of);
    if (both.count <= EXACT_SOURCES)
        list_all(out, &both);
    else
        list_one(out, &both);
    both_release(&both);
}

void nogoods_release(struct nogoods *n)
{
    free(n->member);
    free(n->first);
}
