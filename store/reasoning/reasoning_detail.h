/*
 * What the details of chains and steps hold beside their text. Others may have written anything
 * there: what is not as it should be is as if it were not there. For store/ alone.
 */
#ifndef STEMMA_REASONING_DETAIL_H
#define STEMMA_REASONING_DETAIL_H

#include "store/reasoning/reasoning_given.h"

/* Strings in the arena, valid UTF-8 without NUL; slices within the detail. NULL, NAN, 0: absent. */
struct chain_detail {
    const char *answer, *strategy;
    double total_time;
    bool unstated; /* nobody said how sure it is: see reasoning_stated */
    struct json_slice token_usage;
};
struct step_detail {
    int64_t number;
    const char *answer, *trace;
    double execution_time;
    bool unstated;
    struct json_slice token_usage, context_used;
};
/* -1: memory ran out. `detail` may be NULL. */
int chain_detail_read(const char *detail, struct arena *arena, struct chain_detail *out);
int step_detail_read(const char *detail, struct arena *arena, struct step_detail *out);

/*
 * The details as they are stored, in the arena; NULL: memory ran out. `others`: an object some of
 * whose members are kept as they are, those that no place is made for elsewhere (ptr NULL: none).
 */
const char *chain_detail_write(const struct chain_given *c, struct json_slice others,
                               struct arena *arena);
const char *step_detail_write(const struct step_given *s, struct json_slice others,
                              struct arena *arena);
/* Can the others be kept as they are? ERROR_INVALID names one that cannot. */
int reasoning_others_check(struct json_slice from, bool of_a_step, struct error *e);
/* `detail` (NULL: none) of a chain with its answer and, unless NAN, its time. `unstated`: nobody said how
 * sure it is. */
const char *chain_detail_finish(const char *detail, const char *answer, size_t answer_len,
                                double total_time, bool unstated, struct arena *arena);

/*
 * A memory always has a confidence; one whose writer said none has its kind's, and `confidence_unstated` in its
 * detail tells. NAN then, so that a default is never taken for somebody's word, unless it was changed since.
 */
double reasoning_stated(enum kind kind, bool unstated, double confidence);

/* A string's text in the arena; NULL in *out: it is none. -1: memory ran out. */
int reasoning_text(struct json_slice value, struct arena *arena, const char **out);

#endif
