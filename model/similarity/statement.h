/*
 * How alike two texts are, and in what they differ. A text becomes a statement: its subject, which is the normalised
 * text without its values, and the values (numbers, dates, opposites, negation). Two statements about the same subject
 * with the same values say the same; with another value they may contradict each other.
 */
#ifndef STEMMA_STATEMENT_H
#define STEMMA_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/strbuf.h"

/* The least Jaccard index of the 3-grams of two subjects: for duplicates, and for statements about the same subject. */
#define SIMILAR_DUPLICATE 0.8
#define SIMILAR_SUBJECT   0.7

enum value_kind {
    VALUE_NUMBER,   /* in the base unit of its dimension: "5 minutes" equals "300 s" */
    VALUE_DATE,     /* a day, a month, a day of the week */
    VALUE_OPPOSITE, /* one side of a pair: enabled, disabled */
};
struct value {
    enum value_kind kind;
    uint64_t key;   /* equal for equal values */
    size_t at, len; /* where the text has it, in bytes */
};

struct word {
    size_t at, len;           /* in the subject */
    size_t text_at, text_len; /* in the text */
    bool name;                /* capitalised within a sentence */
    bool denied;              /* a negation stands before it */
};

struct statement {
    struct strbuf
        subject;       /* case-folded words with a space between them; values are placeholders */
    struct word *word; /* [words] */
    size_t words, word_alloc;
    struct value *value; /* [values] */
    size_t values, value_alloc;
    uint64_t *gram; /* [grams] of the subject; distinct and ascending once compared */
    size_t grams, gram_alloc;
    size_t letters; /* code points of the subject besides spaces and placeholders */
    bool denied;    /* an odd number of negations */
    bool sorted;    /* `gram` is */
};
/* clang-format off */
#define STATEMENT_INIT {.subject = STRBUF_INIT}
/* clang-format on */

/* Parses `len` bytes; what is not valid UTF-8 is skipped. Reuses the memory of `s`. O(len). */
void statement_parse(struct statement *s, const char *text, size_t len);
void statement_release(struct statement *s);
/* The same for statements with the same values, in the same order. */
uint32_t statement_values(const struct statement *s);
/* The Jaccard index of the 3-grams of the subjects, exact: 0 to 1. 0 if either has none. Sorts the grams. */
double statement_similarity(struct statement *a, struct statement *b);

enum difference {
    DIFFERS_NOT,
    DIFFERS_NUMBER,
    DIFFERS_DATE,
    DIFFERS_OPPOSITE, /* one says the opposite: enabled, disabled */
    DIFFERS_DENIED,   /* one denies what the other says */
    DIFFERS_NAME,
    DIFFERS_MUCH, /* in several values: they are about different things */
};
const char *difference_name(
    enum difference d); /* "number", "date", "opposite", "negation", "name" */
/* The values of two similar statements that differ. `a_at` and `b_at`: where their texts have them, empty for a
 * negation. Finds one difference; of two it is DIFFERS_MUCH. */
struct span {
    size_t at, len;
};
enum difference statement_difference(const struct statement *a, const struct statement *b,
                                     struct span *a_at, struct span *b_at);
/* Whether they may contradict each other: same subject, with letters enough to be one, and one difference. */
bool statements_conflict(struct statement *a, struct statement *b, double *similarity,
                         enum difference *how, struct span *a_at, struct span *b_at);
/* Whether they say the same: the same values and, besides articles and a plural, the same words in the same order. */
bool statements_repeat(struct statement *a, struct statement *b, double *similarity);

/* ---- the rules ---- */

/* What a word means. One table, English; numbers, dates in digits and the rest are language-neutral. */
enum rule_kind {
    RULE_NEGATION, /* not, never */
    RULE_FILLER,   /* always, does: says nothing that its absence does not */
    RULE_OPPOSITE, /* `group`: the pair; `value`: the side */
    RULE_NUMBER,   /* two, three */
    RULE_UNIT,     /* after a number. `group`: the dimension; `value`: in base units */
    RULE_MONTH,    /* next to a number */
    RULE_WEEKDAY,
};
struct rule {
    const char *word; /* folded, without apostrophes */
    enum rule_kind kind;
    const char *
        stays; /* what stays of a negation or filler in the subject: "is" of "isn't". NULL: nothing */
    int group;
    double value;
};
extern const struct rule similarity_rules[]; /* ascending by word */
extern const size_t similarity_rule_count;

#endif
