/*
 * A bulk load: the first rows of an empty store, in one transaction that drops the secondary indexes, takes jobs as
 * they come, and writes the links and makes the indexes before it commits. So no committed state ever lacks an
 * index: others see the empty store until the whole load is there, and a load that is killed leaves it as it was.
 * Only store/ includes it.
 *
 * It is one job of the writer, which does nothing else until it ends: the caller who begins one has to end it soon. One
 * thread makes all calls (bulk_*), and waits for nothing else meanwhile.
 */
#ifndef STEMMA_LOAD_H
#define STEMMA_LOAD_H

#include <pthread.h>
#include "model/base/map.h"
#include "store/db/text_index.h"
#include "store/record/put.h"
#include "store/txn/txn.h"
#include "store/txn/writer.h"

/* A ref that was named before it came. */
struct load_waiting {
    size_t key;   /* its ref among the keys */
    int64_t node; /* 0: it has not come */
};

/*
 * What a bulk load keeps back until its rows are there: the links, which are written once the row of each ref is
 * known, and the index of texts. Only the writer's thread touches it.
 *
 * So each memory is one row that is appended, and none is first a stub that is filled later. In an export three
 * memories of four are named before they come: this saves a fifth of the work (measured).
 *
 * A thread of its own makes the index of texts in a database in memory while the writer writes the rows; it is then
 * taken over into the store as it is. Measured: a sixth of all the work of a load, and what is taken over is a tenth
 * of a store.
 */
struct load {
    struct key_index refs; /* a letter for the kind, and the id */
    int64_t *target;       /* [refs.count] what stands for each in a link */
    size_t target_alloc;
    struct strbuf key;
    struct load_waiting *waiting;
    size_t waiting_count, waiting_alloc;
    struct link_row *links; /* their reasons are in the arena */
    size_t link_count, link_alloc;
    struct arena arena;
    struct text_load *texts;
};

/* That ref is to have that row. 0: it has one already. */
int load_arrives(struct load *l, struct ref ref, int64_t node);
/* What stands for the row of a ref in a link: the row, or below 0 what is not known yet. */
int64_t load_target(struct load *l, struct ref ref);
/* Keeps the link; copies it. */
void load_link(struct load *l, const struct link_row *link);
extern const struct load_ops load_ops;

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
