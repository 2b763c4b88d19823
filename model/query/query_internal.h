/* Tokens of a query, for its parser and for completion. */
#ifndef STEMMA_QUERY_INTERNAL_H
#define STEMMA_QUERY_INTERNAL_H

#include "model/query/query.h"

struct token {
    const char *from, *to; /* in the query, with the minus, the name and quotes */
    const char *name;      /* before a colon; NULL if it has none, or a kind: belief:54c5 */
    size_t name_len;
    const struct query_spec
        *spec;         /* of that name; NULL if there is no such field: the whole is text */
    const char *value; /* with its quotes or slashes, up to `to` */
    bool negated, quoted, pattern;
    bool open; /* its quote is not closed */
};
/* Reads the next token. Returns false at the end of the query. */
bool query_token(const char **at, struct token *t);

#endif
