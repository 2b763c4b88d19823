/* A memory in one line within something else: its mark, its ref, and what it says. */
#ifndef STEMMA_BRIEF_H
#define STEMMA_BRIEF_H

#include "store/lineage/subgraph.h"
#include "store/record/get.h"
#include "tui/text/output.h"

struct brief {
    struct memory_row row;
    const char *ref;  /* as short as it is unique */
    enum label label; /* LABEL_COUNT: no mark is shown */
};

/* Strings in the arena. */
int brief_read(struct reader *r, struct arena *arena, int64_t node, enum label label,
               struct brief *b, struct error *e);

/*
 * "● episode:52a8b0c0  Skipped staging on deploy  note", and ends the line; `used` columns of it are
 * taken already. A dead memory says its status, another agent's than `agent` (NULL: of no one) says
 * whose it is. On a terminal the text gives way, never the note.
 */
void brief_print(struct output *out, const struct brief *b, const char *agent, size_t used,
                 const char *note);

/* The whole ref, clean and in one piece. */
void output_ref(struct output *out, enum style style, struct ref ref);

/* "belief:54c5507f" as short as it is unique, in the arena. */
const char *short_ref(struct reader *r, struct arena *arena, struct ref ref);
/* The same of a text that may be a ref or anything else, which stays as it is. */
const char *short_source(struct reader *r, struct arena *arena, const char *text);

/* "2026-02-01 00:55:39Z (3w)" */
void add_time(struct strbuf *out, int64_t ms, int64_t now);
/* A confidence with two or three decimals: 0.82, 0.713. */
void add_confidence(struct strbuf *out, double confidence);

#endif
