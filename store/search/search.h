/*
 * Full-text search: every word of the query must occur somewhere in the text that memory_search_text gives, case
 * folded, as any run of characters. Memories that hold all of them as whole words come first; in each part the last
 * recorded comes first. Words of three code points or more use the trigram index, shorter ones are looked for in
 * what those leave (or in everything).
 *
 * White space of any script parts the words of a query; quotes, operators and all else in it are plain text. A word is
 * whole where neither a letter or digit of any script nor a combining mark stands next to it; pictures (emoji) are a
 * class of their own. Letters are folded one by one as SQLite's trigram tokenizer folds them (fold_code_point,
 * model/base/utf8.h). A query without words matches everything.
 */
#ifndef STEMMA_SEARCH_H
#define STEMMA_SEARCH_H

#include "store/db/db.h"
#include "store/db/store.h"
#include "store/search/search_words.h"

struct search_query {
    const char *words;
    unsigned kinds;    /* 0: all */
    const char *agent; /* NULL: any */
    unsigned statuses; /* 0: STATUSES_LISTED */
};

/* Calls `each` for each match in order until it returns non-zero; `exact`: as whole words. */
int search_run(struct reader *r, const struct search_query *query,
               int (*each)(void *arg, int64_t node, bool exact), void *arg, struct error *e);

/* Is there a word in it, and not white space alone? Without one it matches everything. */
bool search_has_words(const char *words);

/* An excerpt of the row's search text around the first match, at most `width` code points, one line, appended to `out`;
 * nothing where there is no such row. */
int search_snippet_of_row(struct reader *r, struct arena *arena, int64_t node, const char *words,
                          size_t width, struct strbuf *out, struct error *e);

#endif
