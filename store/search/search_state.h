/* A search under way. For search.c and search_latest.c alone. */
#ifndef STEMMA_SEARCH_STATE_H
#define STEMMA_SEARCH_STATE_H

#include "store/query/filter.h"
#include "store/search/search.h"
#include "store/search/search_index.h"

struct search {
    struct reader *r;
    struct db *db;
    const struct search_query *query;
    struct words words;
    struct candidates candidates;
    int (*each)(void *arg, int64_t node, bool exact);
    void *arg;
    bool stopped; /* `each` has enough */
    /* Matches in whole and in part that were given before the others were looked for: those that are
     * then met first, for all go by the same order. */
    size_t given, given_parts;
    int64_t checked, to_check; /* texts; 0: it is not known how many */
    /* of the memory that is checked */
    int64_t node;
    struct arena arena;
    struct strbuf text, folded;
};

static inline struct list_query search_list(const struct search_query *q)
{
    return (struct list_query){.kinds = q->kinds, .agent = q->agent, .statuses = q->statuses};
}

/* -1, which analysers see here. */
static inline int search_out_of_memory(struct error *e)
{
    error_set(e, ERROR_MEMORY, "Search for a rarer word.", "memory ran out while searching");
    return -1;
}
void search_give(struct search *s, int64_t node, bool exact);

/* Does the text match whose SEARCH_TEXT_COLUMNS begin at `column`? */
int search_match_text(struct search *s, int64_t node, sqlite3_stmt *stmt, int column,
                      enum match *match, struct error *e);

struct dated {
    int64_t created_at, node;
};
int dated_newest_first(const void *a, const void *b); /* of struct dated */

/* Gives the newest matches where they are among the last rows, as they mostly are. *all: those were all. Nothing
 * is given where that is not so. */
int search_latest(struct search *s, bool *all, struct error *e);

#endif
