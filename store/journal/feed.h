/*
 * The change feed: news of changes, by this process and by others. A descriptor becomes readable
 * when the store may have changed; feed_next then gives the new events.
 */
#ifndef STEMMA_FEED_H
#define STEMMA_FEED_H

#include "store/journal/journal.h"

struct feed;
/* Begins after the last event there is now. It reads through `r`, in r's thread. */
struct feed *feed_open(struct reader *r, struct error *e);
int feed_fd(const struct feed *f);
/* How long to wait at most before feed_next is worth a call: -1 for ever, or ms. */
int feed_timeout(const struct feed *f);
/* The events since the last call, at most `limit` (call again while it gives that many). */
int feed_next(struct feed *f, struct arena *arena, size_t limit, struct event **out, size_t *count,
              struct error *e);
/* Is there something that feed_next would read? 1, 0, or -1. Nothing is read, and what is there waits. Where the
 * store was removed or replaced both are ERROR_STORE, until it is there again. */
int feed_look(struct feed *f, struct error *e);
int64_t feed_seq(const struct feed *f);
/* Passes over the events up to `seq`; never goes back. */
void feed_skip(struct feed *f, int64_t seq);
/* Grows with each look that found the store changed, by events or by anything else. */
uint64_t feed_changes(const struct feed *f);
void feed_close(struct feed *f);

#endif
