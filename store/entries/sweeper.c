/* Erases expired values: the sweep as a transaction, and the timer of a process that runs it. */

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include "model/base/alloc.h"
#include "store/db/thread.h"
#include "store/entries/entry.h"
#include "store/ops/fix.h"
#include "store/record/get.h"
#include "store/record/put.h"

/* ---- the next expiry ---- */

static int take_earlier(struct reader *r, const char *sql, int64_t *next, struct error *e)
{
    int64_t at;
    if (db_int(reader_db(r), &at, 0, e, sql, ""))
        return -1;
    if (at && (!*next || at < *next))
        *next = at;
    return 0;
}

int64_t entry_next_expiry(struct reader *r, struct error *e)
{
    static const char active[] =
        "SELECT expires FROM entry INDEXED BY entry_expires WHERE state = 0"
        " AND expires IS NOT NULL ORDER BY expires LIMIT 1";
    static const char ended[] = "SELECT expires FROM entry WHERE state > 0 AND bytes > 0"
                                " AND expires IS NOT NULL ORDER BY expires LIMIT 1";
    static const char events[] = "SELECT expires FROM event INDEXED BY event_expires"
                                 " WHERE expires IS NOT NULL ORDER BY expires LIMIT 1";
    int64_t next = 0;
    return take_earlier(r, active, &next, e) || take_earlier(r, ended, &next, e) ||
                   take_earlier(r, events, &next, e)
               ? -1
               : next;
}

/* ---- expired values of entries ---- */

/* Finds up to `most` + 1 rows with an expired value, in the arena. */
static int find_expired(struct txn *t, struct arena *arena, size_t most, int64_t **out,
                        size_t *count, struct error *e)
{
    static const char sql[] =
        "SELECT memory, expires FROM (SELECT memory, expires FROM entry INDEXED BY entry_expires"
        " WHERE state = 0 AND expires IS NOT NULL AND expires <= ?1 ORDER BY expires LIMIT ?2)"
        " UNION ALL SELECT memory, expires FROM (SELECT memory, expires FROM entry WHERE state > 0"
        " AND bytes > 0 AND expires IS NOT NULL AND expires <= ?1 ORDER BY expires LIMIT ?2)"
        " LIMIT ?2";
    *count = 0;
    *out = arena_array(arena, most + 1, sizeof(**out));
    struct query rows = db_query(t->db, e, sql, "ii", txn_now(t), (int64_t)most + 1);
    while (db_next(&rows))
        (*out)[(*count)++] = sqlite3_column_int64(rows.stmt, 0);
    return db_end(&rows);
}

static int sweep_present(struct txn *t, const struct actor *actor, size_t most, bool *left,
                         struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    int64_t *rows;
    size_t count;
    int result = find_expired(t, &arena, most, &rows, &count, e);
    *left = result == 0 && count > most;
    for (size_t i = 0; i < count && i < most && result == 0; i++)
        result = entry_expire_now(t, actor, rows[i], "expire", e);
    return result;
}

/* ---- expired values in the journal ---- */

/* A memory and its last event whose patch contains an expired value. */
struct past_value {
    int64_t node, event;
};

/* Groups the first `most` events with expired values by memory, in the arena. */
static int find_past(struct txn *t, struct arena *arena, size_t most, struct past_value **out,
                     size_t *count, bool *left, struct error *e)
{
    static const char sql[] =
        "SELECT subject, max(seq), count(*) FROM (SELECT subject, seq FROM event"
        " INDEXED BY event_expires WHERE expires IS NOT NULL AND expires <= ? ORDER BY expires"
        " LIMIT ?) GROUP BY subject";
    size_t events = 0;
    *count = 0;
    *out = arena_array(arena, most, sizeof(**out));
    struct query rows = db_query(t->db, e, sql, "ii", txn_now(t), (int64_t)most);
    while (db_next(&rows)) {
        (*out)[(*count)++] = (struct past_value){sqlite3_column_int64(rows.stmt, 0),
                                                 sqlite3_column_int64(rows.stmt, 1)};
        events += (size_t)sqlite3_column_int64(rows.stmt, 2);
    }
    *left = events == most;
    return db_end(&rows);
}

static int sweep_one(struct txn *t, const struct actor *actor, const struct past_value *v,
                     struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    int result =
        memory_read_db(t->db, &arena, v->node, &m, e) || txn_sweep(t, actor, &m, v->event, e);
    return result ? -1 : 0;
}

static int sweep_past(struct txn *t, const struct actor *actor, size_t most, bool *left,
                      struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct past_value *all;
    size_t count;
    int result = find_past(t, &arena, most, &all, &count, left, e);
    for (size_t i = 0; i < count && result == 0; i++)
        result = sweep_one(t, actor, &all[i], e);
    return result;
}

/* Current values are swept first: that also erases all older values of these entries. */
int entry_sweep(struct txn *t, const struct actor *actor, size_t most, bool *left, struct error *e)
{
    if (sweep_present(t, actor, most, left, e))
        return -1;
    return *left ? 0 : sweep_past(t, actor, most, left, e);
}

#define SWEEP_BATCH       64    /* per transaction, so that other writes do not wait long */
#define WRITE_DELAY_MS    1000  /* delay of the next check after a write */
#define CHECK_INTERVAL_MS 60000 /* between checks, in case the clock is set */
#define RETRY_MS          5000  /* after a failed sweep */
#define POLL_MS           50    /* poll interval while a sweep runs */
#define LOCK_WAIT_MS      1000  /* how long to wait for the write lock */

struct sweeper {
    struct store *store;
    int64_t check_at; /* next check, monotonic ms */
    /* True while the job below belongs to the writer thread. */
    atomic_bool running;
    bool left; /* the last sweep left some */
    struct store_job job;
    struct error error;
    _Atomic int64_t until;
};

/* ---- in the writer thread ---- */

static int sweep(struct txn *t, void *arg, struct error *e)
{
    struct sweeper *w = arg;
    return entry_sweep(t, &sweeper_actor, SWEEP_BATCH, &w->left, e);
}

/* After `running` is false the sweeper may be freed. */
static void swept(void *arg, const struct error *e)
{
    struct sweeper *w = arg;
    (void)e; /* kept in `error` */
    atomic_store_explicit(&w->running, false, memory_order_release);
}

/* ---- in the thread of the loop ---- */

struct sweeper *sweeper_new(struct store *s)
{
    struct sweeper *w = xcalloc(1, sizeof(*w));
    w->store = s;
    w->check_at = monotonic_ms() + WRITE_DELAY_MS;
    return w;
}

void sweeper_wake(struct sweeper *w)
{
    int64_t soon = monotonic_ms() + WRITE_DELAY_MS;
    if (soon < w->check_at)
        w->check_at = soon;
}

static bool is_running(const struct sweeper *w)
{
    return atomic_load_explicit(&w->running, memory_order_acquire);
}

int sweeper_due(const struct sweeper *w)
{
    if (store_is_read_only(w->store))
        return -1;
    if (is_running(w))
        return POLL_MS;
    int64_t left = w->check_at - monotonic_ms();
    return left > 0 ? (int)left : 0;
}

static void submit(struct sweeper *w)
{
    atomic_store(&w->until, monotonic_ms() + LOCK_WAIT_MS);
    w->job = (struct store_job){
        .run = sweep, .done = swept, .arg = w, .error = &w->error, .until = &w->until};
    atomic_store(&w->running, true);
    if (store_submit_list(w->store, &w->job, &w->error))
        atomic_store(&w->running, false);
}

void sweeper_run(struct sweeper *w, struct reader *r)
{
    struct error ignored;
    if (store_is_read_only(w->store) || is_running(w))
        return;
    if (w->error.code != ERROR_NONE)
        w->check_at = monotonic_ms() + RETRY_MS;
    else if (w->left)
        w->check_at = monotonic_ms();
    w->left = false;
    w->error.code = ERROR_NONE;
    if (monotonic_ms() < w->check_at)
        return;
    int64_t next = entry_next_expiry(r, &ignored);
    int64_t left = next > 0 ? next - store_now(w->store) : CHECK_INTERVAL_MS;
    w->check_at = monotonic_ms() + (next < 0                   ? RETRY_MS
                                    : left < CHECK_INTERVAL_MS ? left > 0 ? left : RETRY_MS
                                                               : CHECK_INTERVAL_MS);
    if (next > 0 && left <= 0)
        submit(w);
}

void sweeper_close(struct sweeper *w)
{
    if (!w)
        return;
    atomic_store(&w->until, monotonic_ms());
    while (is_running(w))
        nanosleep(&(struct timespec){0, 200000}, NULL);
    free(w);
}
