/* Views of steps and documents, comparison of chains, and the chains and sources that a memory goes back to. */
#ifndef STEMMA_CHAIN_VIEWS_H
#define STEMMA_CHAIN_VIEWS_H

#include "store/db/store.h"
#include "tui/widget/view.h"

/* The page of a step: question, answer, trace, confidence, time, and its sources by relevance. */
struct view *step_view_new(struct app *x, int64_t node);
/* The cursor starts on that source; SIZE_MAX for none. */
struct view *step_view_at(struct app *x, int64_t node, size_t source);

bool view_is_step(const struct view *v);
/* The use under the cursor of a step view; NULL for none. */
const struct chain_source *step_view_source(const struct view *v);
/* The step's number in its chain; 0 if it has none or is not read yet. */
int64_t step_view_number(const struct view *v);
/* Switches between showing relevance alone, and also relevance times the step's confidence. Returns the new setting. */
bool step_view_by_confidence(struct view *v);

/* The page of a document: the steps, chains, citations and beliefs that use it, its versions and retrievals. */
struct view *document_view_new(struct app *x, int64_t node);

/* What responses cited: of a conversation or a message with that id, or of the response of a citation; of all for ""
 * and 0. */
struct view *responses_view_new(struct app *x, const char *of, int64_t citation);

#define STRATEGIES_MAX 40 /* chains that can be compared */
/* Chains on the same question side by side: strategy, answer, confidence, steps, sources and shared sources. `nodes`
 * are chains (copied); at most STRATEGIES_MAX are read. */
struct view *strategies_view_new(struct ui *ui, const int64_t *nodes, size_t count);

/* The chains that led to a memory or used it, and its original sources. */

#define RELATED_NODES 4000 /* memories that are traversed; if there are more, the view tells so */
#define RELATED_MAX   500  /* rows in the result */

struct related_memories {
    int64_t *row; /* [count] nearest first, without duplicates */
    size_t count;
    bool bounded; /* there may be more, further away */
};

/*
 * Chains: for a step its own; for a document (or its retrieval or citation) those that used it; for any other memory
 * those with steps that it is based on, at any depth. In the arena. Returns -1 and sets *e on failure.
 */
int related_chains(struct reader *r, struct arena *arena, int64_t node,
                   struct related_memories *out, struct error *e);
/* Original sources that it is based on: documents, retrievals, raw entries, shared entries. For a retrieval the
 * documents made from it. */
int related_sources(struct reader *r, struct arena *arena, int64_t node,
                    struct related_memories *out, struct error *e);

#endif
