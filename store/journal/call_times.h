/*
 * The times and outcomes of calls that share a row, as text: "1700000000000,0x20,1x21,3r" is 20 calls in
 * the first millisecond, 21 in the next and, three later, one that was refused. Runs of the same
 * millisecond and outcome are one, so 20,000 equal calls in a second take a few kilobytes. For store/
 * alone.
 */
#ifndef STEMMA_CALL_TIMES_H
#define STEMMA_CALL_TIMES_H

#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"

struct call_times {
    struct strbuf text;       /* the runs that are closed */
    int64_t first, last, run; /* when: the first call, the last closed run, the open one */
    size_t count;             /* of all calls */
    size_t open;              /* of the open run */
    enum error_code outcome;  /* of the open run */
};

/* How many calls may share a row: what reads one allocates for so many. */
#define CALL_TIMES_MAX (1u << 18)

void call_times_init(struct call_times *t);
void call_times_release(struct call_times *t);
/* `at` in ms since the epoch, in any order. text.failed: memory ran out. */
void call_times_add(struct call_times *t, int64_t at, enum error_code outcome);
/* That many at once; together no more than CALL_TIMES_MAX, or none reads them back. */
void call_times_add_many(struct call_times *t, int64_t at, enum error_code outcome, size_t count);
/* Closes the open run: `text` is all of it. */
void call_times_close(struct call_times *t);

/* The other way: arrays in the arena, *count of each. -1: it is no such text, or memory ran out. */
int call_times_read(const char *text, struct arena *arena, int64_t **at, enum error_code **outcome,
                    size_t *count);

#endif
