/*
 * Checks of a response against its citations: which sentences cite nothing, whether a passage is in a text, and whether
 * two passages say the same with other numbers.
 */
#ifndef STEMMA_CROSSCHECK_H
#define STEMMA_CROSSCHECK_H

#include "model/reasoning/citation.h"

/*
 * The sentences of a response in which nothing is cited, in order, in the arena. A sentence ends at . ! or ? before
 * white space, unless the point is that of an abbreviation, at the signs of other scripts such as U+3002, at an empty
 * line, and where an item of a list or a heading begins; a citation directly after its end belongs to it. Citations are
 * those that citations_in_text finds, what citation_format writes of `cited`, and "[2]" or "[^2]" up to their number.
 * Lines without a letter, and headings that begin with #, are no sentences.
 */
void sentences_uncited(const char *text, const struct citation *cited, size_t count,
                       struct arena *arena, const char ***out, size_t *out_count);

/* Whether the text contains the passage. Any white space counts as one space. */
bool text_has_passage(const char *text, const char *passage);

/* Whether both passages have the same words, but at least one other number: "€5.2M", "€5.4M". */
bool numbers_differ(const char *a, const char *b);

#endif
