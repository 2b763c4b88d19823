/*
 * A bulk load writes the first rows of an empty store in one transaction. It drops the secondary
 * indexes, runs jobs, then writes the links and creates the indexes before it commits. Others see
 * the empty store until the commit; a killed load leaves it empty. Only for store/.
 *
 * It is one job of the writer, which does nothing else meanwhile: end it soon. One thread makes all
 * calls (bulk_*).
 */
#ifndef STEMMA_LOAD_H
#define STEMMA_LOAD_H

#include <pthread.h>
#include "model/base/map.h"
#include "store/record/put.h"
#include "store/txn/txn.h"
#include "store/txn/writer.h"

/* A ref that was named before its memory was written. */
struct load_pending {
    size_t key;   /* index of its ref in `refs` */
    int64_t node; /* its row; 0 if not written yet */
};

/*
 * Buffers of a bulk load: links, written when the row of each ref is known, and the text index.
 * Only the writer's thread uses it.
 *
 * So each memory is one appended row and never a stub first. In an export three of four memories
 * are named before they are written: this saves a fifth of the work (measured).
 *
 * A thread builds the text index in an in-memory database while the writer writes rows; its tables
 * are then copied into the store. Measured: this takes a sixth off a load; the copied tables are a
 * tenth of a store.
 */
struct load {
    struct key_index refs; /* a letter for the kind, then the id */
    int64_t *target;       /* [refs.count] what a link stores for each: see load_target */
    size_t target_alloc;
    struct strbuf key;
    struct load_pending *waiting;
    size_t waiting_count, waiting_alloc;
    struct link_row *links; /* reasons are in the arena */
    size_t link_count, link_alloc;
    struct arena arena;
    struct text_load *texts;
};

/* Assigns a row to a ref. Returns 0 if it has one already. */
int load_assign(struct load *l, struct ref ref, int64_t node);
/* The target of a link to a ref: its row, or a negative number while the row is unknown. */
int64_t load_target(struct load *l, struct ref ref);
/* Buffers a copy of the link. */
void load_link(struct load *l, const struct link_row *link);
extern const struct load_ops load_ops;

enum bulk_state {
    BULK_CLOSED, /* not begun, or bulk_end has returned */
    BULK_QUEUED, /* the writer has not started it */
    BULK_OPEN,   /* accepts jobs */
    BULK_ENDED   /* committed, failed, or the store was not empty: see `error` */
};

struct bulk {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    /* under `lock` */
    enum bulk_state state;
    bool ending; /* no more jobs */
    job_run run; /* the next job; NULL if none waits */
    job_done done;
    void *arg;
    struct error error;
};

void bulk_init(struct bulk *b);
void bulk_release(struct bulk *b); /* it must have ended */

/*
 * Starts a bulk load and waits until it accepts jobs. If the store is not empty it stays closed.
 * Returns -1 with `e` if no transaction can begin.
 */
int bulk_begin(struct bulk *b, struct store *s, struct error *e);
bool bulk_is_open(struct bulk *b);

/*
 * As store_submit, but `done` is called when the job has run; only bulk_end commits. A failing job
 * does not affect the others. Waits while another job waits. Returns -1 with the reason if the
 * transaction was lost.
 */
int bulk_submit(struct bulk *b, job_run run, job_done done, void *arg, struct error *e);

/*
 * Creates the indexes, commits and waits for it. Returns 0 also if it is closed; after -1 nothing
 * was written.
 */
int bulk_end(struct bulk *b, struct error *e);

#endif
