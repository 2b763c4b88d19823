/*
 * What was made of memories, kept by their rows for who asks about the same ones again and again. It is for what
 * changes only by an event on the memory itself: an event gives up what is kept of its subject, and nothing else.
 *
 * Kept is only what was to be kept twice, since most of a large store is asked for once, and to keep that would cost its
 * time and put out the rest. Where there is no room, what is kept of other rows gives way. One lock for the readers of all
 * threads.
 */
#ifndef STEMMA_KEPT_ROWS_H
#define STEMMA_KEPT_ROWS_H

#include <pthread.h>
#include "store/db/store.h"

/* What is kept begins with it. */
struct kept_row {
    uint32_t size; /* of all of it */
};

struct kept_rows {
    pthread_mutex_t lock;
    int64_t seq;             /* the event up to which all of it holds */
    size_t slots;            /* a power of two */
    size_t bytes, bytes_max; /* of what is kept, and of its places in the heap */
    uint64_t random;         /* tells what gives way next */
    uint64_t *met;           /* bits by a hash of rows: each was to be kept once already */
    size_t met_count;
    struct kept_rows_slot {
        int64_t row;
        struct kept_row *kept; /* NULL: empty */
    } * slot;
};

#define KEPT_ROWS_WAYS 8 /* places that a row may have */

/* `slots`: a power of two. Ends the program where there is no memory for them. */
void kept_rows_init(struct kept_rows *k, size_t slots, size_t bytes_max);
void kept_rows_release(struct kept_rows *k);

/*
 * The rest is called with the lock held, and what is found holds as long.
 */
/* 1: what is kept of the row, which holds at the event `seq` of the reader's transaction; 0: nothing is; -1 on error. */
int kept_rows_find(struct kept_rows *k, struct reader *r, int64_t seq, int64_t row,
                   struct kept_row **out, struct error *e);
/* Of whatever moment; NULL: nothing is. */
struct kept_row *kept_rows_at(const struct kept_rows *k, int64_t row);
/* Room of that size for what is made of the row as of `seq`, which the caller fills; NULL: it is not kept. */
struct kept_row *kept_rows_add(struct kept_rows *k, int64_t seq, int64_t row, size_t size);

#endif
