/* A chain of thought, its steps and its sources, laid out: a step is a view's page, a chain what a command writes. */
#ifndef STEMMA_CHAIN_SHEET_H
#define STEMMA_CHAIN_SHEET_H

#include "store/reasoning/chain.h"
#include "tui/render/facts.h"
#include "tui/text/output.h"

/* What a document's column is called in the matrix: A … Z, AA … */
void matrix_letter(char out[16], size_t document);

/* Each appends, nothing where nothing is known. "the answers of steps 1 and 2" */
void step_add_earlier(struct strbuf *out, const struct chain_step *step);
/* "supported by its sources, sean: read them", where a person said so. */
void step_add_faithful(struct strbuf *out, const struct chain_step *step);
/* "confidence 0.79 · 0.9 s" */
void step_add_state(struct strbuf *out, bool ascii, const struct chain_step *step);

#define STEP_NO_SOURCE (-1)
/* The whole step from an empty sheet of look->width. `value` of a line is the number of its source, or STEP_NO_SOURCE.
 * `by_confidence`: relevance times the confidence stands next to it. */
void step_sheet(struct sheet *s, const struct chain *chain, size_t number, bool by_confidence,
                const struct facts_look *look);

/*
 * The chain of that row, or the chain that the step of that row is part of: its question and answer, its
 * steps with what each used, the documents by relevance, and other chains on the same question. A step
 * that was asked for is marked. One transaction.
 */
int chain_print(struct output *out, struct reader *r, int64_t node, struct error *e);
/* Each document that it rests on once, with its passage where that is wanted, and which step used which. */
int sources_print(struct output *out, struct reader *r, int64_t node, bool excerpts,
                  struct error *e);

#endif
