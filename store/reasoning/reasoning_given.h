/* Chains and steps as JSON: parsing a given chain in the shape of the specification's
 * ChainOfThoughtOutput, and reading and writing their details. */
#ifndef STEMMA_REASONING_GIVEN_H
#define STEMMA_REASONING_GIVEN_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "model/reasoning/source.h"

struct step_given {
    int64_t number; /* > 0 */
    const char *question, *answer, *trace;
    const char *model; /* which model reasoned; NULL if not given */
    size_t question_len, answer_len, trace_len;
    double confidence;     /* NAN for the default of the kind */
    double execution_time; /* seconds, >= 0; NAN if unknown */
    struct json_slice token_usage;
    struct json_slice results; /* retrieved_documents; ptr NULL if absent */
    /* source_attributions of a recorded chain; used in place of the others if not empty */
    struct json_slice attributions;
    const char **contexts;
    size_t context_count;
    /* The JSON object it was read from, whose unknown members are kept; ptr NULL if none. */
    struct json_slice whole;
};

struct chain_given {
    const char *question, *answer, *strategy, *model; /* the latter two NULL if none */
    size_t question_len, answer_len;                  /* the texts may contain a NUL */
    double confidence, total_time;                    /* NAN if not given */
    struct json_slice token_usage, summary;           /* ptr NULL if absent */
    struct json_slice whole;
    struct step_given *step; /* sorted by number */
    size_t step_count;
};

/*
 * Parses a valid JSON object. Everything is in the arena or within the input. ERROR_INVALID names
 * the step and the member that is wrong, such as a missing or blank question, a number that is
 * repeated or not positive, or a confidence out of range.
 */
int chain_given_read(struct json_slice whole, struct arena *arena, struct chain_given *out,
                     struct error *e);

/* ---- checks of a step, however it is given ---- */

/* Checks question, number and times. ERROR_INVALID. */
int step_given_check(const struct step_given *s, struct error *e);
int question_check(const char *question, size_t len, struct error *e);
int confidence_check(double confidence, struct error *e); /* NAN is valid */
int time_check(double seconds, struct error *e);

/* The details of chains and steps. Other programs may have written anything there; invalid members
 * count as absent. */

/* Strings are in the arena, valid UTF-8 without NUL; slices point into the detail. NULL, NAN or 0
 * if absent. */
struct reasoning_detail {
    const char *answer;
    const char *words; /* strategy of a chain or trace of a step */
    double seconds;    /* execution time */
    const char *model;
    bool unstated; /* no confidence was given: see reasoning_stated */
    struct json_slice token_usage;
    int64_t number; /* of a step */
    struct json_slice context_used;
    struct json_slice passages; /* whole texts of the sources, by their position */
    struct json_slice
        summary; /* the source_summary given with a chain, where it differs from ours */
};
/* Reads the detail of a chain or of a step. `detail` may be NULL. */
void reasoning_detail_read(const char *detail, bool of_step, struct arena *arena,
                           struct reasoning_detail *out);

/* Return the detail to store, in the arena. Members of `whole` without a meaning of their own are
 * kept as they are. */
const char *chain_detail_write(const struct chain_given *c, struct arena *arena);
/* `sources` are those that were taken: `passages` keeps the whole texts of excerpts that were cut. */
const char *step_detail_write(const struct step_given *s, const struct source_list *sources,
                              struct arena *arena);
/* Returns `detail` (may be NULL) of a step with the contexts and whole texts of other sources. */
const char *step_detail_replace(const char *detail, const struct step_given *s,
                                const struct source_list *sources, struct arena *arena);
/* Returns `detail` (may be NULL) of a chain with its answer and, unless NAN, its time added.
 * `unstated`: no confidence was given. */
const char *chain_detail_finish(const char *detail, const char *answer, size_t answer_len,
                                double total_time, bool unstated, struct arena *arena);

/*
 * Every memory has a confidence. If its writer gave none, it has the kind's default and
 * `confidence_unstated` in its detail. Returns NAN then, so that a default is never taken for a
 * statement, unless it was changed since.
 */
double reasoning_stated(enum kind kind, bool unstated, double confidence);

#endif
