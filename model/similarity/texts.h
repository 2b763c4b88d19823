/*
 * Signatures of texts, and groups of similar texts among millions: MinHash (Broder 1997) by one permutation (Li, Owen
 * and Zhang 2012) with optimal densification (Shrivastava 2017), and bands (Leskovec, Rajaraman and Ullman, Mining of
 * Massive Datasets, chapter 3). What the bands suggest is checked exactly (statement.h).
 */
#ifndef STEMMA_TEXTS_H
#define STEMMA_TEXTS_H

#include "model/similarity/statement.h"

/* ---- signatures ---- */

/*
 * MinHash of the 3-grams by one permutation: 96 bins with a byte each, 24 bands of four. Texts of similarity s have a
 * band in common with probability 1 - (1 - s^4)^24: 0.999 at 0.7, 0.14 at 0.3.
 */
#define SIGNATURE_BANDS 24
#define BAND_BYTES      4
#define SIGNATURE_BYTES (SIGNATURE_BANDS * BAND_BYTES)
struct signature {
    uint8_t byte[SIGNATURE_BYTES];
};
/* Returns false if the statement has no 3-gram. */
bool statement_sign(const struct statement *s, struct signature *out);
/* The similarity that two signatures suggest; its standard error is at most 0.05. */
double signature_similarity(const struct signature *a, const struct signature *b);

/* ---- grouping ---- */

/*
 * Work is bounded, however many texts share a band: each is compared with the PAIRS_NEAR before it in the order of
 * signatures, and PAIRS_TRIED times in vain at most.
 */
#define PAIRS_NEAR  8
#define PAIRS_TRIED 16

struct signed_text {
    int64_t row;
    uint32_t values; /* statement_values */
    uint8_t kind;    /* only texts of a kind are compared */
    uint8_t tried;   /* comparisons in vain so far */
    bool skip;       /* compared with none */
};
struct texts {
    struct signed_text *text; /* [count], at most UINT32_MAX */
    struct signature *signature;
    size_t count, alloc, signature_alloc;
    uint32_t *parent;  /* [count] of the union-find; made by texts_group */
    float *similarity; /* [count] of a root: the least by which a member was joined; 1 if alone */
};
/* clang-format off */
#define TEXTS_INIT {.text = NULL}
/* clang-format on */
/* Adds a text. Nothing is added for one without 3-grams. */
void texts_add(struct texts *t, int64_t row, int kind, const struct statement *s);
void texts_release(struct texts *t);
/* The group of a text: the number of one of its members, the same for all. */
uint32_t texts_root(const struct texts *t, uint32_t text);
/*
 * Marks as `skip` the wordings that more than TEMPLATE_VALUES texts fill with different values: "user # logged in" is
 * no subject. Returns how many there are.
 */
#define TEMPLATE_VALUES 16
size_t texts_skip_templates(struct texts *t);

/* Where the texts come from. Parses a text into `out`. Returns 0, or -1 to stop with an error. */
struct text_reader {
    int (*read)(void *arg, size_t text, struct statement *out);
    /* Called now and then, before the texts of a band are compared. Non-zero stops with an error. */
    int (*check)(void *arg, size_t band);
    void *arg;
};
/* Groups the texts that repeat each other (statements_repeat), directly or through others. Returns 0 or -1. */
int texts_group(struct texts *t, const struct text_reader *from);
/*
 * Calls `each` for pairs of groups that may contradict each other (statements_conflict), with a member of each, maybe
 * more than once. Call it after texts_group. Returns 0 or -1.
 */
int texts_conflicts(struct texts *t, const struct text_reader *from,
                    int (*each)(void *arg, size_t a, size_t b));

#endif
