/*
 * A bulk load: the first rows of an empty store, in one transaction that drops the secondary indexes,
 * takes jobs as they come, and writes the links and makes the indexes before it commits. So no committed state ever
 * lacks an index: others see the empty store until the whole load is there, and a load that is killed
 * leaves it as it was. For store/ alone.
 *
 * It is one job of the writer, which does nothing else until it ends: whoever begins one sees to it
 * that it ends soon. All calls are made by one thread, which waits for nothing else meanwhile.
 */
#ifndef STEMMA_BULK_H
#define STEMMA_BULK_H

#include <pthread.h>
#include "store/txn/writer.h"

enum bulk_state {
    BULK_CLOSED, /* it was never begun, or its end was answered */
    BULK_QUEUED, /* the writer has not come to it */
    BULK_OPEN,   /* its transaction takes jobs */
    BULK_ENDED   /* committed, lost, or the store was not empty: `error` says which */
};

struct bulk {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    /* under `lock` */
    enum bulk_state state;
    bool ending; /* no further job will come */
    job_run run; /* the next job; NULL: none waits */
    job_done done;
    void *arg;
    struct error error;
    /* Once it has ended: the rows of refs that links name and that did not come are those after the
     * first of these, up to the last. */
    int64_t stubs_after, stubs_last;
};

void bulk_init(struct bulk *b);
void bulk_release(struct bulk *b); /* it has ended */

/* Waits until it takes jobs. Where the store is not empty any more it stays closed. -1 with `e` where
 * no transaction can begin. */
int bulk_begin(struct bulk *b, struct store *s, struct error *e);
bool bulk_is_open(struct bulk *b);

/*
 * As store_submit, but that `done` is called when the job has run, and what it wrote is committed by
 * bulk_end alone. A job that fails takes nothing of the others with it. Waits while another job
 * waits. -1 where the transaction was lost, with the reason.
 */
int bulk_submit(struct bulk *b, job_run run, job_done done, void *arg, struct error *e);

/* Makes the indexes and commits; waits for that. 0 where it is closed. -1: nothing was written. */
int bulk_end(struct bulk *b, struct error *e);

#endif
