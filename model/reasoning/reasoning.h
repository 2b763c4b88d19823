/*
 * What a chain of thought says of its sources: the summary over its steps and the form it is
 * displayed in.
 */
#ifndef STEMMA_REASONING_H
#define STEMMA_REASONING_H

#include "model/reasoning/source.h"
#include "model/base/strbuf.h"

#define PRIMARY_ABOVE 0.7 /* a primary source is more relevant than this */
#define PRIMARY_MAX   3

/* A step and its sources, in their order. */
struct step_sources {
    int64_t number;
    const struct source *source;
    size_t count;
};

/* Everything in the arena; the strings are those of the sources. */
struct source_summary {
    struct source *all; /* each document once, the most relevant first */
    size_t count;
    struct source *primary;
    size_t primary_count;
    const struct step_sources *step; /* the caller's: which step used what, duplicates kept */
    size_t step_count;
};

/*
 * Keyed by document_id; a later source replaces an earlier one only where its score is strictly
 * greater, in the place of the first; what the winner lacks of title and excerpt is the other's.
 * Sorted by relevance, descending and stable; a NAN is less than any. Primary: above PRIMARY_ABOVE,
 * at most PRIMARY_MAX; where there is none, the first PRIMARY_MAX of all. No two steps have the same number. O(n log n).
 */
void source_summarise(struct source_summary *out, struct arena *arena,
                      const struct step_sources *steps, size_t count);

/* Appends the specification's SourceSummary: {all_sources, primary_sources, source_usage_by_step}.
 */
void source_summary_write(struct strbuf *out, const struct source_summary *s);

/* Its source_usage_by_step: {"1": [ids in order, duplicates kept]}. */
void source_usage_write(struct strbuf *out, const struct step_sources *steps, size_t count);

/* Appends the form for display: {total_sources, primary_sources, all_sources, step_breakdown}. */
void source_summary_display(struct strbuf *out, const struct source_summary *s, bool excerpts);

/*
 * How a summary that came with a chain differs from ours as it is written: one sentence for each difference, *count of
 * them in the arena, 0 where they say the same. What one of them does not say is none; of each list the first element
 * that differs is told. Scores are the same within 1e-9. `given`: a checked JSON value; null or absent says nothing.
 */
void source_summary_compare(const struct source_summary *s, struct json_slice given,
                            struct arena *arena, const char ***out, size_t *count);

/* The mean of those that are not NAN; NAN: of none. */
double chain_confidence(const double *confidence, size_t count);

#endif
