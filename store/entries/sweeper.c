#include "store/entries/sweeper.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include "model/base/alloc.h"
#include "store/entries/entry.h"
#include "store/db/monotonic.h"

#define MOST       64    /* in one transaction, so that writes need not wait for long */
#define STIR_MS    1000  /* after a write, until it looks for what expires now */
#define LONGEST_MS 60000 /* the clock may be set meanwhile */
#define RETRY_MS   5000  /* where it could not be swept */
#define UP_MS      50    /* until it looks whether one is done */
#define PATIENT_MS 1000  /* what it waits for other programs */

enum flight {
    FLIGHT_NONE,
    FLIGHT_UP,
    FLIGHT_DONE, /* and there is no more */
    FLIGHT_MORE,
    FLIGHT_FAILED,
};

struct sweeper {
    struct store *store;
    int64_t look_at; /* ms, monotonic */
    atomic_int flight;
    bool left; /* of the flight, as `job` and `error` are */
    struct store_job job;
    struct error error;
    _Atomic int64_t until;
};

/* ---- in the writer's thread ---- */

static int sweep(struct txn *t, void *arg, struct error *e)
{
    struct sweeper *w = arg;
    return entry_sweep(t, &sweeper_actor, MOST, &w->left, e);
}

/* Once it is down the sweeper may be gone. */
static void swept(void *arg, const struct error *e)
{
    struct sweeper *w = arg;
    int flight = e->code != ERROR_NONE ? FLIGHT_FAILED : w->left ? FLIGHT_MORE : FLIGHT_DONE;
    atomic_store_explicit(&w->flight, flight, memory_order_release);
}

/* ---- in the loop's ---- */

struct sweeper *sweeper_new(struct store *s)
{
    struct sweeper *w = xcalloc(1, sizeof(*w));
    w->store = s;
    w->look_at = monotonic_ms() + STIR_MS;
    return w;
}

void sweeper_stir(struct sweeper *w)
{
    int64_t soon = monotonic_ms() + STIR_MS;
    if (soon < w->look_at)
        w->look_at = soon;
}

static bool is_up(const struct sweeper *w)
{
    return atomic_load_explicit(&w->flight, memory_order_acquire) == FLIGHT_UP;
}

int sweeper_due(const struct sweeper *w)
{
    if (store_is_read_only(w->store))
        return -1;
    if (is_up(w))
        return UP_MS;
    int64_t left = w->look_at - monotonic_ms();
    return left > 0 ? (int)left : 0;
}

/* What became of the last one. */
static void land(struct sweeper *w)
{
    int flight = atomic_exchange(&w->flight, FLIGHT_NONE);
    if (flight == FLIGHT_MORE)
        w->look_at = monotonic_ms();
    else if (flight == FLIGHT_FAILED)
        w->look_at = monotonic_ms() + RETRY_MS;
}

static void submit(struct sweeper *w)
{
    struct error ignored;
    w->error.code = ERROR_NONE;
    atomic_store(&w->until, monotonic_ms() + PATIENT_MS);
    w->job = (struct store_job){
        .run = sweep, .done = swept, .arg = w, .error = &w->error, .until = &w->until};
    atomic_store(&w->flight, FLIGHT_UP);
    if (store_submit_list(w->store, &w->job, &ignored))
        atomic_store(&w->flight, FLIGHT_FAILED);
}

void sweeper_turn(struct sweeper *w, struct reader *r)
{
    struct error ignored;
    if (store_is_read_only(w->store) || is_up(w))
        return;
    land(w);
    if (monotonic_ms() < w->look_at)
        return;
    int64_t next = entry_next_expiry(r, &ignored);
    int64_t left = next > 0 ? next - store_now(w->store) : LONGEST_MS;
    w->look_at = monotonic_ms() + (next < 0            ? RETRY_MS
                                   : left < LONGEST_MS ? left > 0 ? left : RETRY_MS
                                                       : LONGEST_MS);
    if (next > 0 && left <= 0)
        submit(w);
}

void sweeper_close(struct sweeper *w)
{
    if (!w)
        return;
    atomic_store(&w->until, monotonic_ms());
    while (is_up(w))
        nanosleep(&(struct timespec){0, 200000}, NULL);
    free(w);
}
