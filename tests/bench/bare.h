/*
 * What SQLite alone takes for the writes that a store has just taken: the same rows into the same
 * tables with the same indexes, in transactions of the same sizes, on the same disk.
 */
#ifndef STEMMA_BENCH_BARE_H
#define STEMMA_BENCH_BARE_H

#include "store/db/store.h"

/* Where a store ends, before and after some writes. */
struct bare_mark {
    int64_t memories, events;
};
struct bare_mark bare_mark(const char *path);

struct bare_run {
    size_t memories, commits;
    double ms, worked_ms; /* by the clock; the processor's */
};
/* A connection with the settings of a store's writer, kept as that keeps its own. */
struct bare;
struct bare *bare_open(const char *path);
void bare_close(struct bare *w);
/*
 * Copies what came to `written` between the two marks into the file, which must be a copy of it as it was
 * at the first, or as this left it. The transactions are those that the store made, told by the time that
 * their events share, or with `one_by_one` each memory has its own.
 */
struct bare_run bare_write(struct bare *w, const char *written, struct bare_mark from,
                           struct bare_mark to, bool one_by_one);

#endif
