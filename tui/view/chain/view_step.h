/* Texts about a step of reasoning and its uses of documents. */
#ifndef STEMMA_VIEW_STEP_H
#define STEMMA_VIEW_STEP_H

#include "tui/render/chain_page.h"
#include "tui/render/facts.h"
#include "tui/render/page.h"
#include "tui/view/chain/chain_matrix.h"

/* Appends "rank 2 · chunk 14 · .83 measured · changed since". With `signs` the score has its sign. */
void step_add_use(struct strbuf *out, bool ascii, const struct chain_source *s, bool signs);
/* Appends "step 2 of 3", or "step 7, 3rd of 3" if its number is not its place (from 0). */
void step_add_place(struct strbuf *out, const struct chain *chain, size_t step, size_t place);
#endif
