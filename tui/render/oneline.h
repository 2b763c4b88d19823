/* A memory in one line of a longer output: sign, ref, text. */
#ifndef STEMMA_ONELINE_H
#define STEMMA_ONELINE_H

#include "store/lineage/subgraph.h"
#include "store/record/get.h"
#include "tui/text/output.h"

struct oneline {
    struct memory_row row;
    const char *ref;  /* the shortest unique ref */
    enum label label; /* LABEL_COUNT to show no sign */
};

/* Reads the row of a memory. Strings are in the arena. */
int oneline_read(struct reader *r, struct arena *arena, int64_t node, enum label label,
                 struct oneline *b, struct error *e);

/*
 * Prints "● episode:52a8b0c0  Skipped staging on deploy  note" and ends the line. `used` columns of the line are
 * already taken. Shows the status of an inactive memory, and the agent if it is not `agent` (NULL for none). On a
 * terminal the text is shortened, never the note.
 */
void oneline_print(struct output *out, const struct oneline *b, const char *agent, size_t used,
                   const char *note);

/* Prints the full ref, cleaned, without a line break. */
void output_ref(struct output *out, enum style style, struct ref ref);

/* The shortest unique form, "belief:54c5507f", in the arena. */
const char *short_ref(struct reader *r, struct arena *arena, struct ref ref);

/* Appends "2026-02-01 00:55:39Z (3w)". */
void add_time(struct strbuf *out, int64_t ms, int64_t now);
/* Appends a confidence with two or three decimals: 0.82, 0.713. */
void add_confidence(struct strbuf *out, double confidence);

#endif
