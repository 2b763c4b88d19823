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
    struct json_slice *step_whole;
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

#endif
