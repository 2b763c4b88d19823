/*
 * The first matches of searches that were asked before, for who asks the same again, and for several
 * agents that ask alike: exact at the moment of the reader's transaction.
 *
 * Whether a memory matches, and where it stands among the others, only an event on that memory changes. So
 * an answer holds for as long as no event is about one of its memories, nor about one that has the words; and of
 * entries among them no longer than until the first expires, which no event tells.
 */
#ifndef STEMMA_KEPT_SEARCHES_H
#define STEMMA_KEPT_SEARCHES_H

#include "store/search/search.h"

struct kept_searches;
struct kept_searches *kept_searches_new(void);
void kept_searches_free(struct kept_searches *k); /* NULL is allowed */

/*
 * The first `limit` matches in the order of search_run, into `rows`, which has room for limit + 1; *count
 * of them, and *more where others follow. Within a transaction of the reader's.
 */
int kept_search_run(struct reader *r, const struct search_query *query, size_t limit, int64_t *rows,
                    size_t *count, bool *more, struct error *e);

/*
 * What is said beside the matches of that answer, as their snippets: given up with it, so that it may say nothing that
 * changes without an event. kept_search_said appends what kept_search_say was given; nothing where the answer is
 * not kept at this moment, or said nothing. Each line of it is a value of JSON. `masked`: something in them was, which is noted
 * again whenever they are said (guard_masked). *clean: they hold no personal data by the
 * rules for the reader's caller; false: it is not known. Within the transaction of kept_search_run.
 */
void kept_search_said(struct reader *r, const struct search_query *query, size_t limit,
                      struct strbuf *said, bool *clean);
void kept_search_say(struct reader *r, const struct search_query *query, size_t limit,
                     const struct strbuf *said, bool masked);

#endif
