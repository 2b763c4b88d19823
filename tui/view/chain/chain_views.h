/* The pages of steps and documents, chains compared, and what lies behind a memory. */
#ifndef STEMMA_CHAIN_VIEWS_H
#define STEMMA_CHAIN_VIEWS_H

#include "store/db/store.h"
#include "tui/widget/view.h"

/* A step of reasoning in full: question, answer, trace, confidence, time, and its sources ranked. */
struct view *step_view_new(struct app *x, int64_t node);
/* The cursor begins on that source of it; SIZE_MAX: on none. */
struct view *step_view_at(struct app *x, int64_t node, size_t source);

bool view_is_step(const struct view *v);
/* Where the view is one of a step: the use under the cursor; NULL: it is on none. */
const struct chain_source *step_view_source(const struct view *v);
/* The step's number in its chain; 0: it has none, or is not read yet. */
int64_t step_view_number(const struct view *v);
/* Relevance by the step's confidence is shown next to the recorded one, or not any more; which. */
bool step_view_by_confidence(struct view *v);

/* A document: every step, chain, citation and belief that used it, its versions, and where it was
 * retrieved. */
struct view *document_view_new(struct app *x, int64_t node);

#define STRATEGIES_MOST 40 /* chains that are compared at once */
/* Chains on the same question side by side, by their strategy: answers, confidence, steps, sources, which they share.
 * `nodes`: chains, copied; at most STRATEGIES_MOST of them are read. */
struct view *strategies_view_new(struct app *x, const int64_t *nodes, size_t count);

/*
 * What lies behind a memory: the chains of thought that led to it or that used it, and the sources that it
 * goes back to.
 */

#define BEHIND_NODES                                                                               \
    4000 /* memories that are looked through at most; where there are more, it is said */
#define BEHIND_MOST 500 /* rows that are given */

struct behind {
    int64_t *row; /* [count] the nearest first, each once */
    size_t count;
    bool bounded; /* there may be others, further away */
};

/*
 * Chains: of a step its own; of a document and of what it was retrieved from or cited as, those that used it;
 * of any other memory those whose steps it rests on, at whatever depth. In the arena; -1 with `e`.
 */
int behind_chains(struct reader *r, struct arena *arena, int64_t node, struct behind *out,
                  struct error *e);
/* What it rests on that is a source by itself: documents, retrievals, raws, entries; of a retrieval the documents
 * that were made of it. */
int behind_sources(struct reader *r, struct arena *arena, int64_t node, struct behind *out,
                   struct error *e);

#endif
