/*
 * A reader of a store: its connection and transaction, interruption, limits, progress, and a second
 * connection for shared scans.
 */
#include "store/db/reader.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdatomic.h>
#include "model/base/alloc.h"
#include "model/graph/patience.h"
#include "store/db/store_state.h"

#define LIMIT_STEP     500  /* VM steps between two checks of the limit */
#define INTERRUPT_STEP 4000 /* VM steps between two checks for an interrupt, without a limit */

struct reader {
    struct store *store;
    struct db *db;
    struct db *second; /* opened and closed under `lock` */
    pthread_mutex_t lock;
    atomic_bool interrupted;
    int64_t steps_left; /* of the limit; meaningless if there is none */
    bool limited, exceeded;
    struct patience patience; /* is over if one of these, or `interrupted` */
    bool was_long;            /* it read a whole store since reader_trim_memory */
    int depth;                /* of reader_begin */
    int64_t snapshot_seq;     /* last event of the transaction; -1: not read yet */
    uint32_t slots;           /* bit set of the numbers that open lists have */
    void (*report)(void *arg, int64_t done, int64_t total);
    void *report_arg;
    int part, parts;
    bool borrowed;     /* the connection belongs to the writer */
    bool holds_log;    /* see store_file.h */
    struct past *past; /* NULL if it reads the present */
    struct past_ops past_ops;
    struct guard_known known;
    const struct disbelief *disbelief; /* NULL: none */
};

/* Opens a connection, or takes the one that is given, and gives it the SQL functions of the guard
 * and of the lineage. */
static struct db *open_connection(struct reader *r, struct db *db, const char *path,
                                  struct error *e)
{
    const struct store *s = r->store;
    if (!db)
        db = db_open(path, s->shared ? DB_SHARED : DB_READ, e);
    if (db && s->prepare(r, db, e)) {
        db_close(db);
        return NULL;
    }
    return db;
}

/* What is known about the caller holds for one transaction. */
void reader_forget_caller(struct reader *r)
{
    r->known.hides = r->known.hides_linked = -1;
    r->known.mine = 0;
    r->known.lists_entries = r->known.withholds = -1;
}

static struct reader *new_reader(struct store *s)
{
    struct reader *r = xcalloc(1, sizeof(*r));
    r->store = s;
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

struct reader *reader_open(struct store *s, struct error *e)
{
    struct reader *r = new_reader(s);
    r->db = open_connection(r, atomic_exchange(&s->first, NULL), s->read ? s->read : s->path, e);
    if (!r->db) {
        reader_close(r);
        return NULL;
    }
    r->holds_log = store_file_hold_log(s, r->db);
    reader_limit(r, 0);
    return r;
}

struct reader *reader_over(struct store *s, struct db *db, struct error *e)
{
    struct reader *r = new_reader(s);
    r->db = db;
    r->borrowed = true;
    r->depth = 1;
    reader_renew(r);
    if (s->prepare(r, db, e) == 0)
        return r;
    reader_close(r);
    return NULL;
}

void reader_renew(struct reader *r)
{
    r->snapshot_seq = -1;
    reader_forget_caller(r);
    reader_on_progress(r, NULL, NULL);
}

struct guard_known *reader_guard_known(const struct reader *r)
{
    return (struct guard_known *)&r->known;
}

void reader_disbelieve(struct reader *r, const struct disbelief *d)
{
    r->disbelief = d;
}

const struct disbelief *reader_disbelief(const struct reader *r)
{
    return r->disbelief;
}

bool reader_may_cache(const struct reader *r)
{
    return !r->borrowed && !r->past;
}

bool reader_is_writers(const struct reader *r)
{
    return r->borrowed;
}

void reader_set_past(struct reader *r, struct past *p, const struct past_ops *ops)
{
    r->past = p;
    r->past_ops = *ops;
}

int64_t reader_past(const struct reader *r)
{
    return r->past ? r->past_ops.seq : -1;
}

/* Freed memory, in bytes, above which it is returned to the system. */
#define FREE_MAX (256 << 10)

static bool much_is_free(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    return mallinfo2().fordblks > FREE_MAX;
#else
    return false;
#endif
}

static void trim_heap(bool anyway)
{
#ifdef __GLIBC__
    if (anyway || much_is_free())
        malloc_trim(0);
#else
    (void)anyway;
#endif
}

void reader_trim_memory(struct reader *r)
{
    trim_heap(r->was_long);
    r->was_long = false;
}

void reader_close(struct reader *r)
{
    if (!r)
        return;
    db_close(r->second);
    if (r->holds_log)
        store_file_release_log(r->store, r->db);
    if (!r->borrowed)
        db_close(r->db);
    if (r->past)
        r->past_ops.free(r->past);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/*
 * SQLite drops an interrupt that comes while no statement is running, so a flag repeats it. The
 * progress handler and reader_check test the flag.
 */
void reader_interrupt(struct reader *r)
{
    atomic_store(&r->interrupted, true);
    db_interrupt(r->db);
    pthread_mutex_lock(&r->lock);
    if (r->second)
        db_interrupt(r->second);
    pthread_mutex_unlock(&r->lock);
}

/*
 * Progress handlers: non-zero ends the statement. An interrupt only counts in the transaction that
 * it met.
 */
static int is_interrupted(void *arg)
{
    struct reader *r = arg;
    return r->depth > 0 && atomic_load_explicit(&r->interrupted, memory_order_relaxed);
}

static int count_steps(void *arg)
{
    struct reader *r = arg;
    r->steps_left -= LIMIT_STEP;
    r->exceeded |= r->steps_left < 0;
    return r->exceeded || is_interrupted(r);
}

void reader_limit(struct reader *r, int64_t vm_steps)
{
    r->steps_left = vm_steps;
    r->limited = vm_steps > 0;
    r->exceeded = false;
    sqlite3_progress_handler(db_handle(r->db), vm_steps > 0 ? LIMIT_STEP : INTERRUPT_STEP,
                             vm_steps > 0 ? count_steps : is_interrupted, r);
}

bool reader_limit_exceeded(const struct reader *r)
{
    return r->exceeded;
}

int reader_charge(struct reader *r, int64_t vm_steps, struct error *e)
{
    r->steps_left -= r->limited ? vm_steps : 0;
    r->exceeded |= r->limited && r->steps_left < 0;
    return reader_check(r, e);
}

#define STEPS_OF_VM 4 /* of a computation in memory, take about as long as one of SQLite's */

static bool is_given_up(void *arg)
{
    struct error ignored;
    return reader_charge(arg, PATIENCE_STEPS / STEPS_OF_VM, &ignored) != 0;
}

struct patience *reader_patience(struct reader *r)
{
    struct error ignored;
    r->patience = (struct patience){.is_over = is_given_up,
                                    .arg = r,
                                    .next = PATIENCE_STEPS,
                                    .over = reader_check(r, &ignored) != 0};
    return &r->patience;
}

int reader_begin_long(struct reader *r, struct error *e)
{
    r->exceeded |= r->limited;
    r->was_long = true;
    return reader_check(r, e);
}

int reader_check(struct reader *r, struct error *e)
{
    if (!atomic_load_explicit(&r->interrupted, memory_order_relaxed) && !r->exceeded)
        return 0;
    return error_set(e, ERROR_INTERRUPTED, "", "interrupted");
}

void reader_on_progress(struct reader *r, void (*report)(void *arg, int64_t done, int64_t total),
                        void *arg)
{
    r->report = report;
    r->report_arg = arg;
    reader_part(r, 0, 1);
}

void reader_part(struct reader *r, int part, int parts)
{
    r->part = part;
    r->parts = parts;
}

void reader_progress(struct reader *r, int64_t done, int64_t total)
{
    if (r->report)
        r->report(r->report_arg, r->part * total + done, r->parts * total);
}

struct db *reader_db(struct reader *r)
{
    return r->db;
}

struct store *reader_store(struct reader *r)
{
    return r->store;
}

/* Opens the name that SQLite has open, which may be a private copy. */
struct db *reader_second(struct reader *r, struct error *e)
{
    if (r->second)
        return r->second;
    if (r->borrowed) {
        error_set(e, ERROR_STORE, "", "nobody else sees what is being written");
        return NULL;
    }
    struct db *db = open_connection(r, NULL, sqlite3_db_filename(db_handle(r->db), "main"), e);
    pthread_mutex_lock(&r->lock);
    r->second = db;
    pthread_mutex_unlock(&r->lock);
    if (db)
        reader_second_stop_if(r, NULL, NULL);
    return db;
}

void reader_second_stop_if(struct reader *r, int (*stop)(void *arg), void *arg)
{
    sqlite3_progress_handler(db_handle(r->second), INTERRUPT_STEP, stop ? stop : is_interrupted,
                             stop ? arg : r);
}

struct db *reader_begin_present(struct reader *r, struct error *e)
{
    if (!r->past)
        return reader_begin(r, e) ? NULL : r->db;
    struct db *db = reader_second(r, e);
    return db && db_run(db, e, "BEGIN", "") == 0 ? db : NULL;
}

void reader_end_present(struct reader *r)
{
    struct error ignored;
    if (!r->past)
        reader_end(r);
    else
        db_run(r->second, &ignored, "COMMIT", "");
}

int reader_begin(struct reader *r, struct error *e)
{
    if (r->depth == 0) {
        atomic_store(&r->interrupted, false);
        if (db_run(r->db, e, "BEGIN", ""))
            return -1;
        r->snapshot_seq = -1;
        reader_forget_caller(r);
    }
    r->depth++;
    if (r->depth > 1 || !r->past || r->past_ops.follow(r->past, e) == 0)
        return 0;
    reader_end(r);
    return -1;
}

/*
 * An interrupt may hit the COMMIT itself; a transaction left open would keep its snapshot for ever,
 * so COMMIT is repeated. A reader of the past writes temporary rows, so a rollback is the last
 * resort.
 */
void reader_end(struct reader *r)
{
    struct error ignored;
    if (--r->depth > 0)
        return;
    for (int tries = 0; !sqlite3_get_autocommit(db_handle(r->db)); tries++)
        db_run(r->db, &ignored, tries < 100 ? "COMMIT" : "ROLLBACK", "");
}

int reader_snapshot_seq(struct reader *r, int64_t *seq, struct error *e)
{
    bool known = r->depth > 0 && r->snapshot_seq >= 0;
    if (r->past)
        r->snapshot_seq = r->past_ops.seq;
    else if (!known && db_int(r->db, &r->snapshot_seq, 0, e,
                              "SELECT coalesce((SELECT max(seq) FROM event), 0)"
                              " + coalesce((SELECT rewrites FROM team), 0) * 1099511627776",
                              ""))
        return -1;
    *seq = r->snapshot_seq;
    return 0;
}

int reader_take_slot(struct reader *r)
{
    for (int i = 0; i < 32; i++)
        if (!(r->slots >> i & 1)) {
            r->slots |= UINT32_C(1) << i;
            return i;
        }
    return -1;
}

void reader_give_slot(struct reader *r, int slot)
{
    r->slots &= ~(UINT32_C(1) << slot);
}

int reader_damaged(struct error *e, const char *what, int64_t node)
{
    return error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                     "the store is damaged: %s of row %lld", what, (long long)node);
}
