/* What is said of a step of reasoning and of its uses of documents, in words and laid out. */
#ifndef STEMMA_VIEW_STEP_H
#define STEMMA_VIEW_STEP_H

#include "tui/render/chain_sheet.h"
#include "tui/render/facts.h"
#include "tui/render/sheet.h"
#include "tui/view/chain/chain_matrix.h"

/* "rank 2 · chunk 14 · .83 measured · changed since" appended; `signs`: the number as a column has it. */
void step_add_use(struct strbuf *out, bool ascii, const struct chain_source *s, bool signs);
/* "step 2 of 3" appended, or "step 7, 3rd of 3" where its number is not its place (from 0) among them. */
void step_add_place(struct strbuf *out, const struct chain *chain, size_t step, size_t place);
#endif
