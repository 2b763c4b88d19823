#include "store/record/text_load.h"

#include <pthread.h>
#include "model/base/alloc.h"
#include "store/db/fts_tables.h"
#include "store/schema.h"
#include "store/db/thread.h"

struct text_load {
    pthread_t thread;
    bool started;
    struct db *db; /* the thread's until it has ended */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    /* under `lock` */
    bool full;   /* `batch` is to be made, and the thread's */
    bool ending; /* no further one will come */
    struct text_index batch;
    struct error error; /* of the first that failed */
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

static void batch_is_made(struct text_load *l, const struct error *e)
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
        batch_is_made(l, &e);
    }
    return NULL;
}

/* ---- its owner ---- */

/* An index as a new store has it, in a transaction that lasts until all is made. */
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

struct text_load *text_load_open(struct error *e)
{
    struct text_load *l = xcalloc(1, sizeof(*l));
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->wake, NULL);
    if (make_database(l, e) == 0)
        return l;
    text_load_close(l);
    return NULL;
}

int text_load_take(struct text_load *l, struct text_index *x, struct error *e)
{
    if (!l->started && start(l, e))
        return -1;
    pthread_mutex_lock(&l->lock);
    while (l->full)
        pthread_cond_wait(&l->wake, &l->lock);
    const struct text_index made = l->batch; /* emptied: its room is used again */
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

static void stop(struct text_load *l)
{
    pthread_mutex_lock(&l->lock);
    l->ending = true;
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
    if (l->started)
        pthread_join(l->thread, NULL);
    l->started = false;
}

/* `delete-all` makes the index in the store forget what it has read of its tables. */
int text_load_finish(struct text_load *l, struct db *to, struct error *e)
{
    stop(l);
    if (l->error.code != ERROR_NONE) {
        *e = l->error;
        return -1;
    }
    return db_exec(l->db, "COMMIT", e) ||
                   db_exec(to, "INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')", e) ||
                   fts_tables_copy(l->db, to, e)
               ? -1
               : 0;
}

void text_load_close(struct text_load *l)
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
