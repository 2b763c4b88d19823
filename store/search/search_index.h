/* What the index of trigrams says of a query: the rows that may match. For store/ alone. */
#ifndef STEMMA_SEARCH_INDEX_H
#define STEMMA_SEARCH_INDEX_H

#include "store/db/reader.h"
#include "store/search/search_words.h"

/*
 * A bit for each row. `all`: the index says nothing, so every row may match. A row in it may still
 * not match (three characters of a word may stand apart), but one that is not in it does not.
 */
struct candidates {
    uint64_t *bit; /* of row i: bit[i / 64] >> (i % 64) */
    size_t rows;   /* the greatest row */
    size_t count;
    bool all;
};

/* *many (`unless_many`): the trigrams are in a fiftieth of the rows or more, and what `c` has is not all of them. */
int candidates_find(struct candidates *c, struct reader *r, const struct words *w, bool unless_many,
                    bool *many, struct error *e);
/* What looks up rows that may have the words: trigrams that cover each, of which every row that has them all is one of
 * these. Empty where no word is that long. */
void candidates_match(struct strbuf *match, const struct words *w);
/* The same for rows in which the words may stand whole, to follow what candidates_match gave. 1; 0 where the index does
 * not tell. */
int candidates_match_whole(struct strbuf *match, struct db *db, const struct words *w,
                           struct error *e);
/*
 * Those of `from` in which every word may stand whole, by the terms that begin with a word's last two
 * characters: after them comes what ends a word. A superset, as above, and never `all`.
 */
int candidates_whole(struct candidates *c, const struct candidates *from, struct reader *r,
                     const struct words *w, struct error *e);
void candidates_drop(struct candidates *c, int64_t row); /* not of one that is `all` */
void candidates_release(struct candidates *c);

static inline bool candidates_has(const struct candidates *c, int64_t row)
{
    return c->all || (row > 0 && (size_t)row <= c->rows && c->bit[row / 64] >> (row % 64) & 1);
}

#endif
