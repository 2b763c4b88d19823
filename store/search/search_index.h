/* What the index of trigrams says of a query: the rows that may match. For store/search alone. */
#ifndef STEMMA_SEARCH_INDEX_H
#define STEMMA_SEARCH_INDEX_H

#include "store/db/db.h"
#include "store/search/search_words.h"

/* What looks up rows that may have the words: trigrams that cover each, of which every row that has them all is one of
 * these. Empty where no word is that long. */
void index_match(struct strbuf *match, const struct words *w);
/* The same for rows in which the words may stand whole, to follow what index_match gave. 1; 0 where the index does not
 * tell. */
int index_match_whole(struct strbuf *match, struct db *db, const struct words *w, struct error *e);

/* A bit for each row. */
struct row_bits {
    uint64_t *bit;
    size_t words;
};
/* Of words that are all shorter: rows that may have the longest. 1; 0 where they are too many to tell. The caller frees
 * `bit`, also after an error. */
int index_find_short(struct row_bits *rows, struct db *db, const struct words *w, struct error *e);

#endif
