/* The words of a query, and whether a text has them. For store/ alone; callers see search.h. */
#ifndef STEMMA_SEARCH_WORDS_H
#define STEMMA_SEARCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/strbuf.h"

/* What white space parts; quotes, operators and whatever else are characters like any other. */
struct word {
    const char *text; /* folded */
    size_t len;       /* in bytes */
    size_t count;     /* in code points */
};
struct words {
    struct strbuf folded; /* the query, which the words point into */
    struct word *word;
    size_t count, alloc;
};

/* Bytes that are not UTF-8 are read as U+FFFD. */
void words_parse(struct words *w, const char *query);
void words_release(struct words *w);

enum match {
    MATCH_NONE = 0,
    MATCH_PART,
    MATCH_EXACT
};

/* Are all words somewhere in the folded text, and all of them as whole words? */
enum match words_match(const struct words *w, const char *folded, size_t len);

/* As search_snippet, of a search text, whose last line ends are taken off; the words are looked for in `searched`, which
 * is as long, or the same. */
void words_snippet(struct strbuf *text, const struct strbuf *searched, const char *words,
                   size_t width, struct strbuf *out);

#endif
