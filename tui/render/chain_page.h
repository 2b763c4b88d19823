/* Pages of a chain of thought, its steps and its sources. A view shows a step; a command prints a chain. */
#ifndef STEMMA_CHAIN_PAGE_H
#define STEMMA_CHAIN_PAGE_H

#include "store/reasoning/chain.h"
#include "tui/render/facts.h"
#include "tui/text/output.h"
#include "store/reasoning/responses.h"
#include "tui/render/page.h"

/* The name of a document's column in the matrix: A … Z, AA … */
void matrix_letter(char out[16], size_t document);

/* The step_add_ functions append nothing if the value is unknown. "the answers of steps 1 and 2" */
void step_add_earlier(struct strbuf *out, const struct chain_step *step);
/* "supported by its sources, sean: read them", if somebody checked it. */
void step_add_faithful(struct strbuf *out, const struct chain_step *step, enum judge judge);

/* ---- what it cost: chain_cost.c ---- */

#define CHAIN_INDENT 3 /* columns before the lines of a section */

/* "confidence 0.79 · 0.9 s · 1,200 tokens · model" */
void step_add_state(struct strbuf *out, bool ascii, const struct chain_step *step);
/* "3,180 tokens" of a chain, or if it does not say, of its steps together. */
void chain_add_tokens(struct strbuf *out, const struct chain *chain);
/* The field "tokens": "3,180 tokens (input 2,000, output 1,180)". */
void chain_put_tokens(struct page *s, const struct chain *chain);
/* Adds a section with a bar for the time of each step, one after the other, its tokens and its model. Adds nothing if
 * no step tells any of them. */
void chain_put_waterfall(struct page *s, const struct chain *chain);

/* ---- the pages: chain_page.c ---- */

#define STEP_NO_SOURCE (-1)
/* Fills an empty page of options->width with a step. The `value` of a line is its source number, or STEP_NO_SOURCE.
 * `by_confidence` also shows relevance times confidence. */
void step_page(struct page *s, const struct chain *chain, size_t number, bool by_confidence,
               const struct page_options *options);

/*
 * Prints the chain of that row (or of that step): question, answer, steps with their sources, documents by relevance,
 * and other chains for the same question. Highlights the step if `node` is one. One transaction.
 */
int chain_print(struct output *out, struct reader *r, int64_t node, struct error *e);
/* Prints each document that the chain is based on, with its excerpt if `excerpts`, and the steps that used it. */
int sources_print(struct output *out, struct reader *r, int64_t node, bool excerpts,
                  struct error *e);

/* ---- responses: responses_page.c ---- */

/* Fills a page that is empty and options->width wide: conversations, their responses, and under each its citations in
 * order, its sentences without a citation, and citations that contradict each other. Enter opens a citation. */
void responses_page(struct page *s, const struct responses *all,
                    const struct page_options *options);

#endif
