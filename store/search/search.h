/*
 * Full-text search. Every word of the query must occur in the text of memory_search_text,
 * case-folded, as any sequence of characters. Memories with all words as whole words come first;
 * within each group the last recorded comes first. Words of three or more code points use the
 * trigram index; shorter ones are searched in the remaining rows (or in all).
 *
 * Any Unicode white space separates words; quotes and operators are plain text. A word is whole if
 * it is not adjacent to a letter, digit or combining mark; emoji are a class of their own. Letters
 * are folded one by one as in SQLite's trigram tokenizer (fold_code_point, model/base/utf8.h). A
 * query without words matches everything.
 */
#ifndef STEMMA_SEARCH_H
#define STEMMA_SEARCH_H

#include "store/db/db.h"
#include "store/query/search_words.h"

struct search_query {
    const char *words;   /* query_words of `terms`, or any words */
    unsigned kinds;      /* 0: all */
    const char *agent;   /* NULL: any */
    const char *claimed; /* as in list_query */
    unsigned statuses;   /* 0: STATUSES_LISTED */
    const struct query_terms
        *terms;       /* a query that they must also match (store/query/matcher.h); NULL: none */
    int64_t after;    /* the last match of the page before, to begin after it; 0: the first */
    bool after_exact; /* whether that one was exact */
};

/* Calls `each` for each match in order; non-zero stops it. `exact`: all words as whole words. */
int search_run(struct reader *r, const struct search_query *query,
               int (*each)(void *arg, int64_t node, bool exact), void *arg, struct error *e);

/*
 * Sets `out` to an excerpt of the row's text around the match: at most `width` code points,
 * one line. If another field has the match, the excerpt of that one follows the beginning of the
 * text: "Staging deploys … · project:x". Empty if there is no such row.
 */
int search_snippet_of_row(struct reader *r, struct arena *arena, int64_t node, const char *words,
                          size_t width, struct strbuf *out, struct snippet_match *match,
                          struct error *e);
/* The fields that the search text is made of, as the caller sees them; the others are empty. */
int search_fields_of_row(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                         struct error *e);

#endif
