/*
 * Bulk loads: buffered links, the text index built by a thread of its own, and the job that runs
 * the load.
 */
#include "store/record/load.h"

#include <pthread.h>
#include <stdlib.h>
#include "model/base/array.h"
#include "store/db/schema.h"
#include "store/db/text_index.h"
#include "store/db/thread.h"
#include "store/record/entry_row.h"
#include "store/record/waiting.h"
#include "store/txn/txn.h"

static void load_close(struct load *l);

/* ---- the index of texts ---- */

struct text_load {
    pthread_t thread;
    bool started;
    struct db *db; /* used by the thread until it ends */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    /* under `lock` */
    bool full;   /* the thread has to apply `batch` */
    bool ending; /* no more batches */
    struct text_index batch;
    struct error error; /* the first error */
};

/* ---- the thread ---- */

static bool next_batch(struct text_load *l)
{
    pthread_mutex_lock(&l->lock);
    while (!l->full && !l->ending)
        pthread_cond_wait(&l->wake, &l->lock);
    bool more = l->full;
    pthread_mutex_unlock(&l->lock);
    return more;
}

static void batch_done(struct text_load *l, const struct error *e)
{
    pthread_mutex_lock(&l->lock);
    if (l->error.code == ERROR_NONE)
        l->error = *e;
    l->full = false;
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
}

static void *text_load_main(void *arg)
{
    struct text_load *l = arg;
    struct error e = {.code = ERROR_NONE};
    while (next_batch(l)) {
        if (e.code == ERROR_NONE)
            text_index_flush(&l->batch, l->db, &e);
        batch_done(l, &e);
    }
    /* A search looks into each segment of the index for each of its terms, so leave one. */
    if (e.code == ERROR_NONE)
        db_exec(l->db, "INSERT INTO memory_fts(memory_fts) VALUES ('optimize')", &e);
    batch_done(l, &e);
    return NULL;
}

/* ---- the writer's thread ---- */

/* Creates an index as in a new store, in a transaction that lasts until it is complete. */
static int make_database(struct text_load *l, struct error *e)
{
    l->db = db_open(":memory:", DB_WRITE, e);
    return !l->db || schema_make_search(l->db, e) || db_exec(l->db, "BEGIN", e) ? -1 : 0;
}

static int start(struct text_load *l, struct error *e)
{
    int failed = thread_start(&l->thread, "texts", text_load_main, l);
    if (failed)
        return error_set(e, ERROR_STORE, "", "cannot start the indexing of texts: %s",
                         strerror(failed));
    l->started = true;
    return 0;
}

/* No batch follows: the thread ends once it has applied what it has. */
static void text_load_end(struct text_load *l)
{
    pthread_mutex_lock(&l->lock);
    l->ending = true;
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
}

static void stop(struct text_load *l)
{
    text_load_end(l);
    if (l->started)
        pthread_join(l->thread, NULL);
    l->started = false;
}

/* Ends the thread and frees everything. NULL is allowed. */
static void text_load_close(struct text_load *l)
{
    if (!l)
        return;
    stop(l);
    db_close(l->db);
    text_index_release(&l->batch);
    pthread_cond_destroy(&l->wake);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

/* Creates an empty index; close it with text_load_close. NULL with `e`. */
static struct text_load *text_load_open(struct error *e)
{
    struct text_load *l = xcalloc(1, sizeof(*l));
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->wake, NULL);
    if (make_database(l, e) == 0)
        return l;
    text_load_close(l);
    return NULL;
}

/*
 * Moves all changes of `x` to the thread, which applies them; waits for the batch before. Returns
 * -1 if an earlier batch failed.
 */
static int text_load_submit(struct text_load *l, struct text_index *x, struct error *e)
{
    if (!l->started && start(l, e))
        return -1;
    pthread_mutex_lock(&l->lock);
    while (l->full)
        pthread_cond_wait(&l->wake, &l->lock);
    const struct text_index made = l->batch; /* applied: its memory is reused */
    l->batch = *x;
    *x = made;
    l->full = true;
    pthread_cond_signal(&l->wake);
    int failed = l->error.code != ERROR_NONE;
    if (failed)
        *e = l->error;
    pthread_mutex_unlock(&l->lock);
    return failed ? -1 : 0;
}

/* 'delete-all' clears what the store's index has cached of its tables. */
static int text_load_finish(struct text_load *l, struct db *to, struct error *e)
{
    stop(l);
    if (l->error.code != ERROR_NONE) {
        *e = l->error;
        return -1;
    }
    return failed_if(db_exec(l->db, "COMMIT", e) ||
                     db_exec(to, "INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')", e) ||
                     fts_tables_copy(l->db, to, e));
}

/* ---- rows and links ---- */

/* Small batches use both threads while rows are written; at the end only one works. */
#define TEXTS_BYTES (32u << 20)

/* Close it with load_close. NULL with `e`. */
static struct load *load_open(struct error *e)
{
    struct load *l = xcalloc(1, sizeof(*l));
    strbuf_init(&l->key);
    l->texts = text_load_open(e);
    if (l->texts)
        return l;
    load_close(l);
    return NULL;
}

/* NULL is allowed. */
static void load_close(struct load *l)
{
    if (!l)
        return;
    text_load_close(l->texts);
    key_index_release(&l->refs);
    strbuf_release(&l->key);
    free(l->target);
    arena_release(&l->arena);
    FREE_ALL(l->waiting, l->links, l);
}

/* ---- while rows are written ---- */

/* A negative target is an index into `waiting`; 0 is a key that was rolled back. */
static int64_t pending_target(size_t place)
{
    return -1 - (int64_t)place;
}

static struct load_pending *pending_at(const struct load *l, int64_t target)
{
    return &l->waiting[-1 - target];
}

/* The target of a ref; 0 if it is new. Valid until the next call. */
static int64_t *target_at(struct load *l, struct ref ref)
{
    size_t count = l->refs.count;
    strbuf_clear(&l->key);
    strbuf_addch(&l->key, (char)('A' + ref.kind));
    strbuf_addstr(&l->key, ref.id);
    size_t number = key_index_add(&l->refs, l->key.buf, l->key.len);
    ARRAY_ROOM(l->target, l->refs.count, l->target_alloc, 0);
    if (number == count)
        l->target[number] = 0;
    return &l->target[number];
}

static struct ref ref_of(const struct load *l, const struct load_pending *w)
{
    const char *key = l->refs.key[w->key].text;
    return (struct ref){(enum kind)(key[0] - 'A'), key + 1};
}

int load_assign(struct load *l, struct ref ref, int64_t node)
{
    int64_t *target = target_at(l, ref);
    if (*target > 0 || (*target < 0 && pending_at(l, *target)->node))
        return 0;
    if (*target < 0)
        pending_at(l, *target)->node = node; /* its links keep the negative target */
    else
        *target = node;
    return 1;
}

int64_t load_target(struct load *l, struct ref ref)
{
    int64_t *target = target_at(l, ref);
    if (*target == 0) {
        *target = pending_target(l->waiting_count);
        *ARRAY_ADD(l->waiting, l->waiting_count, l->waiting_alloc) =
            (struct load_pending){(size_t)(target - l->target), 0};
    }
    return *target;
}

void load_link(struct load *l, const struct link_row *link)
{
    struct link_row kept = *link;
    kept.reason = arena_strdup(&l->arena, link->reason);
    *ARRAY_ADD(l->links, l->link_count, l->link_alloc) = kept;
}

static int load_texts(struct load *l, struct text_index *x, struct error *e)
{
    return x->texts.used < TEXTS_BYTES ? 0 : text_load_submit(l->texts, x, e);
}

static void load_save(const struct load *l, struct savepoint *saved)
{
    saved->links = l->link_count;
    saved->waiting = l->waiting_count;
}

static void load_undo(struct load *l, const struct savepoint *saved)
{
    l->link_count = saved->links;
    l->waiting_count = saved->waiting;
    for (size_t i = 0; i < l->waiting_count; i++)
        if (l->waiting[i].node > saved->last_node)
            l->waiting[i].node = 0;
    for (size_t i = 0; i < l->refs.count; i++)
        if (l->target[i] > saved->last_node || l->target[i] < -(int64_t)saved->waiting)
            l->target[i] = 0;
}

const struct load_ops load_ops = {load_save, load_undo, load_texts};

/* ---- after all rows ---- */

static int make_stubs(struct load *l, struct txn *t, struct error *e)
{
    for (size_t i = 0; i < l->waiting_count; i++) {
        struct load_pending *w = &l->waiting[i];
        if (!w->node && (w->node = txn_ref(t, ref_of(l, w), true, e)) < 0)
            return -1;
    }
    return 0;
}

/*
 * The links are in the order of the table, because the memories were written in the order of rows.
 */
static int write_links(struct load *l, struct txn *t, struct error *e)
{
    for (size_t i = 0; i < l->link_count; i++) {
        struct link_row *link = &l->links[i];
        if (link->target < 0)
            link->target = pending_at(l, link->target)->node;
        if (put_link_row(t, link, e))
            return -1;
    }
    return 0;
}

/*
 * Creates the stubs, writes the links, creates all indexes, with the text index, which its thread
 * completes meanwhile.
 */
static int load_finish(struct load *l, struct txn *t, struct error *e)
{
    if (text_load_submit(l->texts, &t->index, e))
        return -1;
    text_load_end(l->texts);
    return failed_if(schema_create_refs(t->db, e) || make_stubs(l, t, e) || write_links(l, t, e) ||
                     schema_fill_targets(t->db, e) || schema_create_indexes(t->db, e) ||
                     entry_row_count(t->db, e) || waiting_fill_flagged(t->db, e) ||
                     text_load_finish(l->texts, t->db, e));
}

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

struct bulk_job {
    job_run run;
    job_done done;
    void *arg;
};

static void accept_jobs(struct bulk *b)
{
    pthread_mutex_lock(&b->lock);
    b->state = BULK_OPEN;
    pthread_cond_broadcast(&b->wake);
    pthread_mutex_unlock(&b->lock);
}

/* Waits for the next job; false if there will be none. */
static bool next_bulk_job(struct bulk *b, struct bulk_job *job)
{
    pthread_mutex_lock(&b->lock);
    while (!b->run && !b->ending)
        pthread_cond_wait(&b->wake, &b->lock);
    *job = (struct bulk_job){b->run, b->done, b->arg};
    b->run = NULL;
    pthread_cond_broadcast(&b->wake);
    pthread_mutex_unlock(&b->lock);
    return job->run != NULL;
}

/* Runs a job in a savepoint inside that of the bulk load. Returns -1 if the transaction is lost. */
static int run_bulk_job(struct txn *t, const struct bulk_job *job, struct error *e)
{
    struct error own = {.code = ERROR_NONE};
    int result = txn_save(t, e);
    if (result == 0 && job->run(t, job->arg, &own) == 0 && !t->failed) {
        result = txn_release(t, e);
    } else if (result == 0 && !txn_is_lost(t)) {
        result = txn_undo(t, e);
    } else if (result == 0) {
        *e = own;
        result = -1;
    }
    job->done(job->arg, result ? e : &own);
    return result;
}

static int run_bulk_jobs(struct bulk *b, struct txn *t, struct error *e)
{
    struct bulk_job job;
    accept_jobs(b);
    while (next_bulk_job(b, &job))
        if (run_bulk_job(t, &job, e))
            return -1;
    return 0;
}

static int load(struct bulk *b, struct txn *t, struct error *e)
{
    int64_t any;
    if (db_int(t->db, &any, 0, e, "SELECT 1 FROM memory LIMIT 1", ""))
        return -1;
    if (any)
        return 0;
    struct load *l = load_open(e);
    if (!l)
        return -1;
    t->load = l;
    t->load_ops = &load_ops;
    t->refs_complete = false;
    int result =
        schema_drop_indexes(t->db, e) || schema_drop_refs(t->db, e) || run_bulk_jobs(b, t, e);
    t->load = NULL;
    if (result == 0)
        result = load_finish(l, t, e);
    load_close(l);
    return result ? -1 : 0;
}

/*
 * An empty store has nothing to overwrite securely. All writes append to tables, so a small cache
 * that fits into the CPU's cache is enough (measured: a twentieth less work).
 */
static const char while_loading[] = "PRAGMA secure_delete = OFF; PRAGMA cache_size = -4096";
static const char as_before[] = "PRAGMA secure_delete = ON; PRAGMA cache_size = " DB_WRITER_CACHE;

/* Runs the whole load. The jobs overwrite t->saved, so it is saved and restored. */
static int run_load(struct txn *t, void *arg, struct error *e)
{
    const struct savepoint saved = t->saved;
    struct error ignored;
    int result = db_exec(t->db, while_loading, e) ? -1 : load(arg, t, e);
    db_exec(t->db, as_before, &ignored); /* also after an error */
    t->saved = saved;
    t->failed = false; /* a failed job was rolled back */
    return result;
}

/* Also answers the waiting job if the transaction is lost. */
static void on_load_end(void *arg, const struct error *e)
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
    b->run = NULL;
    if (store_submit_alone(s, run_load, on_load_end, b, e)) {
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
