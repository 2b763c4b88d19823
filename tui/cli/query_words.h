/* Queries on the command line (model/query/query.h): the words of a command, joined by spaces. */
#ifndef STEMMA_QUERY_WORDS_H
#define STEMMA_QUERY_WORDS_H

#include "model/query/query.h"
#include "tui/cli/command.h"

/* Joins the words from `first` on, in the arena. */
const char *joined_words(struct invocation *i, size_t first);
/* Parses a query in the invocation's arena. A mistake is pointed at on stderr; returns -1 and sets ERROR_USAGE. */
int query_words_read(struct invocation *i, const char *query, enum query_on on,
                     struct query_terms *out, struct error *e);
/* Nothing matched a query: points at a word whose name before the colon is no field, and lists the fields. */
void query_words_unmatched(const char *query, enum query_on on);
/* Appends how a query is written, and the table of fields. */
void query_words_help(struct strbuf *out);

#endif
