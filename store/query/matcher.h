/*
 * Memories that match a query (model/query/query.h), as the reader's caller may see them.
 *
 * A query has two parts. What a list selects by its indexes (kinds, statuses, an agent, times) goes into the
 * list_query;
 * the rest is checked for each row: labels, derivations, uses and flags in an array over all rows, texts by reading
 * them.
 * list_open does both for list_query.terms, and search_run for search_query.terms. A caller that reads in slices makes
 * a matcher itself.
 */
#ifndef STEMMA_MATCHER_H
#define STEMMA_MATCHER_H

#include "model/query/query.h"
#include "store/query/list.h"
#include <stdatomic.h>

struct ranks;

/* Bits of what is known of a term. */
enum term_state {
    TERM_DONE = 1,  /* the list_query or `byte` decides it */
    TERM_EXACT = 2, /* its value is the whole name of an agent */
};

struct matcher {
    const struct query_terms *terms; /* not owned; must live as long as the matcher */
    uint8_t *state;                  /* [terms->count] enum term_state */
    bool words;                      /* it has words or patterns */
    bool texts, rows;                /* it reads texts, and what lists show */
    uint8_t
        *byte; /* [rows] 1 for those that labels, derivations, uses and flags leave; NULL: all */
    size_t byte_count;
    size_t asked;              /* effective confidences that were computed one by one */
    const struct ranks *ranks; /* after a few of them: of all rows */
    const char *also;   /* what else words are searched in, for the next row; NULL for nothing */
    struct arena arena; /* of the row being checked */
};

/*
 * Puts what an index can select into `list` and prepares the rest; with NULL all is checked for each row. Labels of all
 * rows are loaded if the query asks for them. The reader must be in a transaction; `list` must not outlive the matcher.
 * Call matcher_release, also on error.
 */
int matcher_make(struct matcher *m, struct reader *r, const struct query_terms *terms,
                 struct list_query *list, struct error *e);
/* The words are known to occur, since a search found the row: only phrases, patterns and negated words are checked. */
void matcher_words_found(struct matcher *m);
/* Whether nothing is left to check for each row. */
bool matcher_is_done(const struct matcher *m);
/* Whether a row that the list_query selects matches: 1 or 0; -1 on error. The reader must be in a transaction. */
int matcher_passes(struct matcher *m, struct reader *r, int64_t row, struct error *e);
void matcher_release(struct matcher *m);

/* Facets of a list: the values that its memories have in a field of queries, and how many have each. */
struct facet {
    /* As a query takes it, in the arena; QUERY_NONE for memories without tags, or whose flags lists do not show. */
    const char *value;
    size_t count; /* memories; one with several tags counts for each */
};

/* Whether a field has facets: kind, agent, label, status, source, tag, told, flag or confidence. */
bool facet_is_of(enum query_field field);
/* Whether its values are ranges in order, the highest first: a histogram. Those without a memory have a row, too. */
bool facet_is_ranges(enum query_field field);
/* Else the most frequent value is first. Reads each memory of the list as its caller may see it: O(list). Adds
 * to *looked how many it has read so far; any thread may read that. NULL is allowed. */
int facet_count(struct reader *r, const struct list_query *list, enum query_field field,
                struct arena *arena, atomic_size_t *looked, struct facet **out, size_t *count,
                struct error *e);

#endif
