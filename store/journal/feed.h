/*
 * The change feed: reports changes by this process and by others. Its descriptor becomes readable
 * when the store may have changed; feed_next then returns the new events.
 */
#ifndef STEMMA_FEED_H
#define STEMMA_FEED_H

#include "store/journal/journal.h"

struct feed;
/*
 * Opens a feed that starts after the last event. It reads through `r`, on r's thread. NULL on
 * error.
 */
struct feed *feed_open(struct reader *r, struct error *e);
int feed_fd(const struct feed *f); /* -1 if the system has none: use feed_timeout */
/* The longest wait until the next feed_next, in ms; -1 for no limit. */
int feed_timeout(const struct feed *f);
/*
 * Returns the events since the last call, at most `limit`; call again if it returned `limit`. If
 * the store was removed or replaced, it fails with ERROR_STORE until the store is there again.
 */
int feed_next(struct feed *f, struct arena *arena, size_t limit, struct event **out, size_t *count,
              struct error *e);
/* Returns 1 if feed_next would return events, 0 if not, -1 as feed_next. Reads no events. */
int feed_check(struct feed *f, struct error *e);
/* The last event that was returned or skipped. */
int64_t feed_seq(const struct feed *f);
/* Skips the events up to `seq`. Never moves back. */
void feed_skip(struct feed *f, int64_t seq);
/* A counter that grows when a check found the store changed, by events or otherwise. */
uint64_t feed_changes(const struct feed *f);
void feed_close(struct feed *f);

#endif
