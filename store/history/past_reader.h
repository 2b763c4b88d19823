/* What makes a reader one of the past. For store/ alone: a reader has it, and asks it to follow. */
#ifndef STEMMA_PAST_READER_H
#define STEMMA_PAST_READER_H

#include "store/db/reader.h"

struct past;
int64_t past_seq(const struct past *p);
/* In a transaction that has just begun: what other events came meanwhile is no more seen than the
 * others. */
int past_follow(struct past *p, struct error *e);
void past_free(struct past *p); /* once the connection is closed; NULL is allowed */

/* From here on the reader reads the past; `p` becomes its own. */
void reader_turn(struct reader *r, struct past *p);

/* Of temp.then_entry, which has the rows of those entries that were other then than they are now. */
#define ENTRY_PAST_COLUMNS "memory, namespace, key, state, created, updated, expires, bytes"

#endif
