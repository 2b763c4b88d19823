#include "store/record/bulk.h"

#include "store/record/load.h"
#include "store/db/schema.h"
#include "store/txn/txn.h"

void bulk_init(struct bulk *b)
{
    *b = (struct bulk){.state = BULK_CLOSED};
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->wake, NULL);
}

void bulk_release(struct bulk *b)
{
    pthread_cond_destroy(&b->wake);
    pthread_mutex_destroy(&b->lock);
}

/* ---- in the writer's thread ---- */

struct step {
    job_run run;
    job_done done;
    void *arg;
};

static void open_to_jobs(struct bulk *b)
{
    pthread_mutex_lock(&b->lock);
    b->state = BULK_OPEN;
    pthread_cond_broadcast(&b->wake);
    pthread_mutex_unlock(&b->lock);
}

/* Waits for the next job; false where none will come. */
static bool next_step(struct bulk *b, struct step *step)
{
    pthread_mutex_lock(&b->lock);
    while (!b->run && !b->ending)
        pthread_cond_wait(&b->wake, &b->lock);
    *step = (struct step){b->run, b->done, b->arg};
    b->run = NULL;
    pthread_cond_broadcast(&b->wake);
    pthread_mutex_unlock(&b->lock);
    return step->run != NULL;
}

/* In a savepoint within the one that the bulk load as a whole has. -1: the transaction is lost. */
static int run_step(struct txn *t, const struct step *step, struct error *e)
{
    struct error own = {.code = ERROR_NONE};
    int result = txn_save(t, e);
    if (result == 0 && step->run(t, step->arg, &own) == 0 && !t->failed) {
        result = txn_release(t, e);
    } else if (result == 0 && !txn_is_lost(t)) {
        result = txn_undo(t, e);
    } else if (result == 0) {
        *e = own;
        result = -1;
    }
    step->done(step->arg, result ? e : &own);
    return result;
}

static int run_steps(struct bulk *b, struct txn *t, struct error *e)
{
    struct step step;
    open_to_jobs(b);
    while (next_step(b, &step))
        if (run_step(t, &step, e))
            return -1;
    return 0;
}

/* The stubs come after the last row. */
static int finish(struct bulk *b, struct txn *t, struct load *kept, struct error *e)
{
    b->stubs_after = t->last_node;
    if (db_exec(t->db, "PRAGMA cache_size = " DB_WRITER_CACHE, e) || load_finish(kept, t, e))
        return -1;
    b->stubs_last = t->last_node;
    return 0;
}

static int load(struct bulk *b, struct txn *t, struct error *e)
{
    int64_t any;
    if (db_int(t->db, &any, 0, e, "SELECT 1 FROM memory LIMIT 1", ""))
        return -1;
    if (any)
        return 0;
    struct load *kept = load_open(e);
    if (!kept)
        return -1;
    t->load = kept;
    t->load_ops = &load_ops;
    t->refs_complete = false;
    int result = schema_drop_indexes(t->db, e) || schema_drop_refs(t->db, e) || run_steps(b, t, e);
    t->load = NULL;
    if (result == 0)
        result = finish(b, t, kept, e);
    load_close(kept);
    return result ? -1 : 0;
}

/*
 * An empty store has nothing that must be overwritten. And all that is written goes to the end of a
 * table: a small cache, which the processor's own holds, does (measured: a twentieth less work).
 */
static const char while_loading[] = "PRAGMA secure_delete = OFF; PRAGMA cache_size = -4096";
static const char as_before[] = "PRAGMA secure_delete = ON; PRAGMA cache_size = " DB_WRITER_CACHE;

/* What a job restores when it is undone is kept for the load as a whole besides. */
static int run_load(struct txn *t, void *arg, struct error *e)
{
    const struct savepoint saved = t->saved;
    struct error ignored;
    int result = db_exec(t->db, while_loading, e) ? -1 : load(arg, t, e);
    db_exec(t->db, as_before, &ignored); /* whatever came of it */
    t->saved = saved;
    t->failed = false; /* a job that failed was undone */
    return result;
}

/* The job that waits when the transaction is lost is answered too. */
static void end(void *arg, const struct error *e)
{
    struct bulk *b = arg;
    pthread_mutex_lock(&b->lock);
    if (b->run)
        b->done(b->arg, e);
    b->run = NULL;
    b->error = *e;
    b->state = BULK_ENDED;
    pthread_cond_broadcast(&b->wake);
    pthread_mutex_unlock(&b->lock);
}

/* ---- in the caller's thread ---- */

int bulk_begin(struct bulk *b, struct store *s, struct error *e)
{
    b->state = BULK_QUEUED;
    b->ending = false;
    b->stubs_after = b->stubs_last = 0;
    b->run = NULL;
    if (store_submit_alone(s, run_load, end, b, e)) {
        b->state = BULK_CLOSED;
        return -1;
    }
    pthread_mutex_lock(&b->lock);
    while (b->state == BULK_QUEUED)
        pthread_cond_wait(&b->wake, &b->lock);
    bool ended = b->state == BULK_ENDED;
    pthread_mutex_unlock(&b->lock);
    return ended ? bulk_end(b, e) : 0;
}

bool bulk_is_open(struct bulk *b)
{
    pthread_mutex_lock(&b->lock);
    bool open = b->state != BULK_CLOSED;
    pthread_mutex_unlock(&b->lock);
    return open;
}

int bulk_submit(struct bulk *b, job_run run, job_done done, void *arg, struct error *e)
{
    int result = 0;
    pthread_mutex_lock(&b->lock);
    while (b->run && b->state == BULK_OPEN)
        pthread_cond_wait(&b->wake, &b->lock);
    if (b->state == BULK_OPEN) {
        b->run = run;
        b->done = done;
        b->arg = arg;
        pthread_cond_broadcast(&b->wake);
    } else {
        *e = b->error;
        result = -1;
    }
    pthread_mutex_unlock(&b->lock);
    return result;
}

int bulk_end(struct bulk *b, struct error *e)
{
    int result = 0;
    pthread_mutex_lock(&b->lock);
    if (b->state != BULK_CLOSED) {
        b->ending = true;
        pthread_cond_broadcast(&b->wake);
        while (b->state != BULK_ENDED)
            pthread_cond_wait(&b->wake, &b->lock);
        b->state = BULK_CLOSED;
        result = b->error.code == ERROR_NONE ? 0 : -1;
        if (result)
            *e = b->error;
    }
    pthread_mutex_unlock(&b->lock);
    return result;
}
