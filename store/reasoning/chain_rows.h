/* The parts of chain.h's functions. For store/ alone. */
#ifndef STEMMA_CHAIN_ROWS_H
#define STEMMA_CHAIN_ROWS_H

#include "store/reasoning/chain.h"

/* The row of the chain that `node` is, or is a step of. ERROR_NOT_FOUND: it is neither. -1 */
int64_t chain_row(struct reader *r, int64_t node, struct error *e);
/* Its steps, each once, in the arena: those that are part of it, and those that it rests on. */
int chain_step_rows(struct reader *r, struct arena *arena, int64_t chain, int64_t **out,
                    size_t *count, struct error *e);
/* The state of a chain with these steps. */
int chain_state_of(struct reader *r, int64_t chain, const int64_t *steps, size_t count,
                   bool answered, enum chain_state *out, struct error *e);
/* Its documents from the sources of its steps, and in these their columns. */
int chain_fill_documents(struct reader *r, struct arena *arena, struct chain *c, struct error *e);

#endif
