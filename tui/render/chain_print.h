/* A chain of thought for reading, in lines of a command's output. */
#ifndef STEMMA_CHAIN_PRINT_H
#define STEMMA_CHAIN_PRINT_H

#include "store/reasoning/chain.h"
#include "tui/text/output.h"

/*
 * The chain of that row, or the chain that the step of that row is part of: its question and answer, its
 * steps with what each used, the documents by relevance, and other chains on the same question. A step
 * that was asked for is marked. One transaction.
 */
int chain_print(struct output *out, struct reader *r, int64_t node, struct error *e);

/* Its ref and, in its own lines, the question. */
void chain_print_head(struct output *out, const struct chain *c);

#endif
