#include "tui/widget/marks.h"

#include "model/base/alloc.h"

void marks_release(struct marks *m)
{
    free(m->bits);
    *m = (struct marks){0};
}

bool marks_has(const struct marks *m, int64_t node)
{
    size_t word = (size_t)node / 64;
    return node > 0 && word < m->words && (m->bits[word] >> (node % 64) & 1);
}

static void grow(struct marks *m, size_t word)
{
    size_t words = m->words ? m->words : 64;
    while (words <= word)
        words *= 2;
    m->bits = xrealloc(m->bits, words * sizeof(*m->bits));
    memset(m->bits + m->words, 0, (words - m->words) * sizeof(*m->bits));
    m->words = words;
}

void marks_set(struct marks *m, int64_t node, bool marked)
{
    size_t word = (size_t)node / 64;
    if (node <= 0 || marks_has(m, node) == marked)
        return;
    if (word >= m->words)
        grow(m, word);
    m->bits[word] ^= (uint64_t)1 << (node % 64);
    if (marked)
        m->count++;
    else
        m->count--;
}

void marks_clear(struct marks *m)
{
    if (m->bits)
        memset(m->bits, 0, m->words * sizeof(*m->bits));
    m->count = 0;
    m->range = 0;
}

int64_t marks_next(const struct marks *m, int64_t after)
{
    for (int64_t node = after + 1; (size_t)node / 64 < m->words; node++) {
        if (m->bits[node / 64] >> (node % 64) == 0)
            node |= 63; /* nothing more in this word */
        else if (marks_has(m, node))
            return node;
    }
    return 0;
}
