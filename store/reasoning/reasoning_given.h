/*
 * A whole chain as it is given, in the shape of the specification's ChainOfThoughtOutput. For
 * store/ alone.
 */
#ifndef STEMMA_REASONING_GIVEN_H
#define STEMMA_REASONING_GIVEN_H

#include "store/reasoning/reasoning.h"

struct chain_given {
    const char *question, *answer, *strategy; /* strategy NULL: none */
    size_t question_len, answer_len;          /* they may hold a NUL */
    double confidence, total_time;            /* NAN: not given */
    struct json_slice token_usage, summary;   /* ptr NULL: none */
    struct json_slice whole;
    struct step_given *step; /* by number */
    size_t step_count;
};

/*
 * Reads a checked JSON object; everything in the arena or within it. ERROR_INVALID names the step
 * and the member that is wrong: a question that is missing or blank, a number that is not above 0
 * or there twice, a confidence out of range…
 */
int chain_given_read(struct json_slice whole, struct arena *arena, struct chain_given *out,
                     struct error *e);

/* ---- what holds for a step however it is given ---- */

/* Its question, numbers and times. ERROR_INVALID. */
int step_given_check(const struct step_given *s, struct error *e);
int question_check(const char *question, size_t len, struct error *e);
int confidence_check(double confidence, struct error *e); /* NAN is none, and good */
int time_check(double seconds, struct error *e);

/*
 * What the details of chains and steps hold next to their text. Others may have written anything
 * there: what is not as it should be is as if it were not there. For store/ alone.
 */

/* Strings in the arena, valid UTF-8 without NUL; slices within the detail. NULL, NAN, 0: absent. */
struct reasoning_detail {
    const char *answer;
    const char *words; /* the strategy of a chain, the trace of a step */
    double seconds;    /* that it took */
    bool unstated;     /* nobody said how sure it is: see reasoning_stated */
    struct json_slice token_usage;
    int64_t number; /* of a step */
    struct json_slice context_used;
};
/* Of a chain, or of a step. `detail` may be NULL. */
void reasoning_detail_read(const char *detail, bool of_step, struct arena *arena,
                           struct reasoning_detail *out);

/* The details as they are stored, in the arena. Members of `whole` that no place is made for elsewhere are kept as they
 * are. */
const char *chain_detail_write(const struct chain_given *c, struct arena *arena);
const char *step_detail_write(const struct step_given *s, struct arena *arena);
/* `detail` (NULL: none) of a chain with its answer and, unless NAN, its time. `unstated`: nobody said how
 * sure it is. */
const char *chain_detail_finish(const char *detail, const char *answer, size_t answer_len,
                                double total_time, bool unstated, struct arena *arena);

/*
 * A memory always has a confidence; one whose writer said none has its kind's, and `confidence_unstated` in its
 * detail tells. NAN then, so that a default is never taken for somebody's word, unless it was changed since.
 */
double reasoning_stated(enum kind kind, bool unstated, double confidence);

#endif
