/*
 * Answers that were given before, whole, for who asks the very same again while nothing changed: a client that looks every
 * second, several of a kind. Exact at the moment of the reader's transaction.
 *
 * Such an answer must depend on nothing but the question, for whom it is asked and what the store holds. So any event
 * gives up all of them, and none is given once an entry expired since, or the time came that reader_holds_until said.
 *
 * Kept is what is asked for the second time, as most questions are never asked again, and at once what took long to
 * find. They are kept compressed (LZ4), 2.5 MB at most; where there is no room, others give way.
 */
#ifndef STEMMA_KEPT_ANSWERS_H
#define STEMMA_KEPT_ANSWERS_H

#include "model/base/strbuf.h"
#include "store/db/store.h"

struct kept_answers;
struct kept_answers *kept_answers_new(void);
void kept_answers_free(struct kept_answers *k); /* NULL is allowed */

/*
 * Appends the answer to the question, any bytes, and says the memory that it is about. 1; 0 where it is not kept; -1 on
 * error. Within a transaction of the reader's, as is the next.
 */
int kept_answer_find(struct reader *r, const struct strbuf *question, struct strbuf *answer,
                     int64_t *subject, struct error *e);

/* Keeps it, or leaves it. `took_us`: to find it. -1 on error. */
int kept_answer_keep(struct reader *r, const struct strbuf *question, const struct strbuf *answer,
                     int64_t subject, int64_t took_us, struct error *e);

#endif
