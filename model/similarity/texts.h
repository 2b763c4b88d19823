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
 * MinHash of the 3-grams by one permutation: 80 bins with a byte each, 20 bands of four. Texts of similarity s have a
 * band in common with probability 1 - (1 - s^4)^20: 0.99997 at 0.8, 0.996 at 0.7, 0.15 at 0.3.
 */
#define SIGNATURE_BANDS 20
#define BAND_BYTES      4
#define SIGNATURE_BYTES (SIGNATURE_BANDS * BAND_BYTES)
struct signature {
    uint8_t byte[SIGNATURE_BYTES];
};
/* Returns false if the statement has no 3-gram. */
bool statement_sign(const struct statement *s, struct signature *out);
/* The similarity that two signatures suggest; its standard error is at most 0.06. */
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
    uint32_t values;  /* statement_values */
    uint32_t parent;  /* of the union-find */
    uint32_t next;    /* of its group, in a circle; itself if it is alone */
    float similarity; /* of a root: the least by which a member was joined; 1 if alone */
    uint8_t kind;     /* only texts of a kind are compared */
    uint8_t tried;    /* comparisons in vain so far */
    bool skip;        /* a template: no candidate for a conflict */
    bool gone;        /* changed or removed since: compared with none */
};
struct texts {
    struct signed_text *text; /* [count], at most UINT32_MAX */
    struct signature *signature;
    size_t count, alloc, signature_alloc;
    uint32_t
        *order; /* [SIGNATURE_BANDS * ordered] of each band: the texts in the order of their keys */
    size_t ordered; /* the first texts, by ascending row; those after them came later */
};
/* clang-format off */
#define TEXTS_INIT {.text = NULL}
/* clang-format on */
/* Adds a text, which is alone in its group. Returns false if it has no 3-gram: nothing is added then. */
bool texts_add(struct texts *t, int64_t row, int kind, const struct statement *s);
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
/*
 * Groups the texts that repeat each other (statements_repeat), directly or through others, and sorts them for
 * texts_near: 80 bytes for each. They were added by ascending row. Returns 0 or -1.
 */
int texts_group(struct texts *t, const struct text_reader *from);
/*
 * Calls `each` for pairs of groups that may contradict each other (statements_conflict), with a member of each, maybe
 * more than once. Call it after texts_group. Returns 0 or -1.
 */
int texts_conflicts(struct texts *t, const struct text_reader *from,
                    int (*each)(void *arg, size_t a, size_t b));

/* ---- after texts_group: one more ---- */

/* Texts in ascending order. */
struct text_list {
    uint32_t *text; /* release with free */
    size_t count, alloc;
    bool cut; /* a band is crowded: only its last texts, NEAR_LOOKED, were looked at */
};
#define NEAR_LOOKED 2048
/*
 * Texts that may repeat a statement, or with `conflicts` contradict it, as their signatures tell. A binary search in
 * each band, and a look at each text that came later: `texts_later` of them.
 */
void texts_near(const struct texts *t, int kind, const struct statement *s, bool conflicts,
                struct text_list *out);
/*
 * Replaces the text of a row, or adds it: `s` is NULL if it has none any more. Its groups, old and new, become those of
 * texts_group. `from` reads each text by its number. Costs texts_near for each member of the old group, and once more.
 * Returns 0 or -1; after an error the groups are not to be used.
 */
int texts_change(struct texts *t, const struct text_reader *from, int64_t row, int kind,
                 struct statement *s);
static inline size_t texts_later(const struct texts *t)
{
    return t->count - t->ordered;
}

#endif
