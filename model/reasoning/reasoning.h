/*
 * The sources of a chain of thought: the summary over its steps, and its form for display.
 */
#ifndef STEMMA_REASONING_H
#define STEMMA_REASONING_H

#include "model/reasoning/source.h"
#include "model/base/strbuf.h"

#define PRIMARY_ABOVE 0.7 /* a primary source is more relevant than this */
#define PRIMARY_MAX   3

/* A step and its sources in order. */
struct step_sources {
    int64_t number; /* 0 if none */
    const struct source *source;
    size_t count;
    const char *ref; /* names the step if it has no number, or one of an earlier step; else NULL */
};

/* Everything is in the arena. Strings are shared with the sources. */
struct source_summary {
    struct source *all; /* each document once, by decreasing relevance */
    size_t count;
    struct source *primary;
    size_t primary_count;
    /* the caller's: the sources of each step, duplicates included */
    const struct step_sources *step;
    size_t step_count;
};

/*
 * Makes the summary. A made-up id names the document of that content, else of that use alone. A
 * later source of the same document replaces an earlier one, in its place,
 * only if its score is strictly greater. Title and excerpt are filled in from the other one if
 * absent. Sorts by relevance, descending and stable, NAN last. Primary sources are those above
 * PRIMARY_ABOVE, at most PRIMARY_MAX, or the first PRIMARY_MAX of all if there are none.
 * O(n log n).
 */
void source_summarise(struct source_summary *out, struct arena *arena,
                      const struct step_sources *steps, size_t count);

/* Appends the SourceSummary of the specification: {all_sources, primary_sources,
 * source_usage_by_step}. */
void source_summary_write(struct strbuf *out, const struct source_summary *s);

/* Appends its source_usage_by_step: {"1": [ids in order, duplicates included]}. */
void source_usage_write(struct strbuf *out, const struct step_sources *steps, size_t count);

/* Appends the form for display: {total_sources, primary_sources, all_sources, step_breakdown}. */
void source_summary_display(struct strbuf *out, const struct source_summary *s, bool excerpts);

/*
 * Compares a summary that came with a chain with ours. `out` gets one sentence for each difference,
 * in the arena; there are none if both say the same. A member that only one of them has is not a
 * difference. Of each list only the first different element is reported. Scores within 1e-9 are
 * equal. `given` is a checked JSON value; null or absent is accepted.
 */
void source_summary_compare(const struct source_summary *s, struct json_slice given,
                            struct arena *arena, const char ***out, size_t *count);

/* The tokens of a token_usage: the number, or of an object its member total_tokens or total, else the
 * sum of its members. NAN if there are none. */
double tokens_total(struct json_slice usage);

/* The mean of the values that are not NAN, or NAN if there are none. */
double chain_confidence(const double *confidence, size_t count);

#endif
