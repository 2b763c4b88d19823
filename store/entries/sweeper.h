/*
 * Sweeps expired entries while a process keeps the store open (entry_sweep). A main loop has one
 * sweeper and uses it from its own thread only. Sweepers of several processes do not disturb each
 * other.
 */
#ifndef STEMMA_SWEEPER_H
#define STEMMA_SWEEPER_H

#include "store/ops/fix.h"
#include "store/txn/writer.h"

struct sweeper;
/* The store must stay open until sweeper_close. */
struct sweeper *sweeper_new(struct store *s);
/* Call after a write: it may have added an entry that expires earlier. */
void sweeper_wake(struct sweeper *w);
/* Returns the ms until sweeper_run has something to do; -1 for never. */
int sweeper_due(const struct sweeper *w);
/* Checks for expired entries if it is time to, and submits a sweep to the writer. Does not wait for
 * it. */
void sweeper_run(struct sweeper *w, struct reader *r);
/*
 * Waits for a running sweep, which gives up soon if it cannot get the write lock. `w` may be NULL.
 */
void sweeper_close(struct sweeper *w);

#endif
