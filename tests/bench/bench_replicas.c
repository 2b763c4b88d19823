/*
 * Measures a team end to end, in one process: each machine is a store with its own writer and a thread that
 * follows the team.
 *
 *   replicas ADDRESS DIR MACHINES RATE SECONDS   each machine adds RATE memories a second; how long it takes
 *                                                until an event is on each machine
 *   sync ADDRESS DIR EVENTS                      one machine appends EVENTS events, and another one fetches all;
 *                                                the first leaves a snapshot and appends a tenth more, and a third
 *                                                machine begins from that. Each with its ms by the clock and of the
 *                                                processor, without the server's. What is in DIR is used again.
 */
#include "tests/bench/bench.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "store/db/db.h"
#include "store/open.h"
#include "store/ops/add.h"
#include "store/team/team.h"
#include "store/txn/writer.h"

static const struct actor agent = {
    .class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};

static void check(int result, const struct error *e)
{
    if (result == 0)
        return;
    fprintf(stderr, "bench: %s\n", e->what);
    exit(2);
}

static void add_one(struct store *s, unsigned machine, unsigned n)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e;
    struct added out;
    char text[200];
    snprintf(text, sizeof(text), "Machine %u noted for the %uth time that the build was %s.",
             machine, n, n % 3 ? "green" : "red");
    struct add_request add = {
        .kind = KIND_NOTE, .text = text, .agent_id = "ash", .confidence = 0.8};
    check(store_add(s, &agent, &add, strlen(text), &arena, &out, &e), &e);
}

static struct store *open_machine(const char *directory, unsigned n)
{
    struct error e;
    AUTO_FREE char *path = xformat("%s/machine-%u.db", directory, n);
    struct store *s = store_open(path, &(struct store_options){.create = true}, NULL, &e);
    check(s ? 0 : -1, &e);
    return s;
}

static void join(const char *directory, const char *address, unsigned n)
{
    struct error e;
    AUTO_FREE char *path = xformat("%s/machine-%u.db", directory, n), *name = xformat("m%u", n);
    check(team_join(path, address, NULL, name, &e), &e);
}

/* ---- lag ---- */

#define AGENTS 4 /* of a machine; each waits for its answer before it writes again */

struct machine;

struct writer {
    struct machine *machine;
    double slowest;
    pthread_t thread;
};

struct machine {
    struct store *store;
    struct team_follower *follower;
    unsigned number;
    double rate, until;
    _Atomic int64_t written;
    struct writer writer[AGENTS];
    double *lag; /* ms of each event, of its own, too */
    size_t lags, alloc;
    pthread_t watcher;
};

static void *write_memories(void *arg)
{
    struct writer *w = arg;
    struct machine *m = w->machine;
    double next = bench_ms(CLOCK_MONOTONIC) + 1e3 / m->rate * (double)(w - m->writer);
    /* Who is late makes up for it, but ends in time: then less was written. */
    while (next < m->until && bench_ms(CLOCK_MONOTONIC) < m->until) {
        double began = bench_ms(CLOCK_MONOTONIC);
        if (began < next)
            usleep((useconds_t)((next - began) * 1e3));
        began = bench_ms(CLOCK_MONOTONIC);
        add_one(m->store, m->number, (unsigned)atomic_fetch_add(&m->written, 1));
        double took = bench_ms(CLOCK_MONOTONIC) - began;
        w->slowest = took > w->slowest ? took : w->slowest;
        next += 1e3 * AGENTS / m->rate;
    }
    return NULL;
}

/* An event's time is that of its transaction, which began before it was acknowledged. */
static void *watch(void *arg)
{
    struct machine *m = arg;
    struct error e;
    int64_t seen = 0;
    struct reader *r = reader_open(m->store, &e);
    check(r ? 0 : -1, &e);
    check(db_int(reader_db(r), &seen, 0, &e, "SELECT max(seq) FROM event", ""), &e);
    while (bench_ms(CLOCK_MONOTONIC) < m->until + 3000) {
        usleep(2000);
        double now = bench_ms(CLOCK_REALTIME);
        struct query rows = db_query(
            reader_db(r), &e, "SELECT seq, at FROM event WHERE seq > ? ORDER BY seq", "i", seen);
        while (db_next(&rows)) {
            seen = sqlite3_column_int64(rows.stmt, 0);
            *ARRAY_ADD(m->lag, m->lags, m->alloc) =
                now - (double)sqlite3_column_int64(rows.stmt, 1);
        }
        check(db_end(&rows), &e);
    }
    reader_close(r);
    return NULL;
}

void bench_replicas(char **argv)
{
    struct error e;
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
    double seconds = strtod(argv[4], NULL), *all = NULL, slowest = 0;
    size_t lags = 0, alloc = 0;
    int64_t written = 0;
    struct machine *machines = xcalloc(count, sizeof(*machines));
    for (unsigned n = 0; n < count; n++) {
        if (n)
            join(argv[1], argv[0], n);
        machines[n] = (struct machine){
            .store = open_machine(argv[1], n), .number = n, .rate = strtod(argv[3], NULL)};
        if (!n)
            check(team_create(machines[n].store, argv[0], "m0", &e), &e);
        machines[n].follower = team_follow(machines[n].store);
    }
    double until = bench_ms(CLOCK_MONOTONIC) + seconds * 1e3;
    for (unsigned n = 0; n < count; n++) {
        machines[n].until = until;
        pthread_create(&machines[n].watcher, NULL, watch, &machines[n]);
        for (int i = 0; i < AGENTS; i++) {
            machines[n].writer[i].machine = &machines[n];
            pthread_create(&machines[n].writer[i].thread, NULL, write_memories,
                           &machines[n].writer[i]);
        }
    }
    for (unsigned n = 0; n < count; n++) {
        for (int i = 0; i < AGENTS; i++) {
            pthread_join(machines[n].writer[i].thread, NULL);
            slowest =
                machines[n].writer[i].slowest > slowest ? machines[n].writer[i].slowest : slowest;
        }
        pthread_join(machines[n].watcher, NULL);
        written += machines[n].written;
        for (size_t i = 0; i < machines[n].lags; i++)
            *ARRAY_ADD(all, lags, alloc) = machines[n].lag[i];
    }
    printf("%lld %zu %.1f %.1f %.1f %.1f\n", (long long)written, lags,
           bench_percentile(all, lags, 50), bench_percentile(all, lags, 99),
           bench_percentile(all, lags, 100), slowest);
    for (unsigned n = 0; n < count; n++) {
        team_follow_end(machines[n].follower);
        store_close(machines[n].store);
        free(machines[n].lag);
    }
    free(machines);
    free(all);
}

/* ---- the first sync ---- */

#define TOGETHER 1000 /* additions of one transaction */

struct addition {
    struct store_job job;
    struct error error;
    unsigned n;
};

static int run_addition(struct txn *t, void *arg, struct error *e)
{
    const struct addition *a = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct added out;
    char text[200];
    snprintf(text, sizeof(text), "For the %uth time it was noted that the build of the day was %s.",
             a->n, a->n % 3 ? "green" : "red");
    struct add_request add = {
        .kind = KIND_NOTE, .text = text, .agent_id = "ash", .confidence = 0.8};
    return add_memory(t, &agent, &add, strlen(text), &arena, &out, e);
}

static atomic_int waiting;

static void added(void *arg, const struct error *e)
{
    check(e->code == ERROR_NONE ? 0 : -1, e);
    atomic_fetch_sub(&waiting, 1);
}

static void add_many(struct store *s, unsigned first, unsigned count)
{
    struct error e;
    struct addition *list = xcalloc(count, sizeof(*list));
    for (unsigned i = 0; i < count; i++) {
        list[i].n = first + i;
        list[i].job = (struct store_job){.run = run_addition,
                                         .arg = &list[i],
                                         .done = added,
                                         .error = &list[i].error,
                                         .again = true,
                                         .next = i + 1 < count ? &list[i + 1].job : NULL};
    }
    atomic_store(&waiting, (int)count);
    check(store_submit_list(s, &list[0].job, &e), &e);
    while (atomic_load(&waiting))
        usleep(1000);
    free(list);
}

/* Prints what the clock and the processor took since they were read into `began`. */
static void print_since(const double began[2], const char *what)
{
    printf("%s %.0f %.0f\n", what, bench_ms(CLOCK_MONOTONIC) - began[0],
           bench_ms(CLOCK_PROCESS_CPUTIME_ID) - began[1]);
    fflush(stdout);
}

static void start_clocks(double began[2])
{
    began[0] = bench_ms(CLOCK_MONOTONIC);
    began[1] = bench_ms(CLOCK_PROCESS_CPUTIME_ID);
}

static void join_and_sync(char **argv, unsigned n, const char *what)
{
    struct error e;
    double began[2];
    AUTO_FREE char *path = xformat("%s/machine-%u.db", argv[1], n);
    unlink(path);
    start_clocks(began);
    join(argv[1], argv[0], n);
    struct store *other = open_machine(argv[1], n);
    check(team_sync(other, &e), &e);
    print_since(began, what);
    store_close(other);
}

void bench_sync(char **argv)
{
    struct error e;
    double began[2];
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10), also = count / 10;
    AUTO_FREE char *first = xformat("%s/machine-0.db", argv[1]);
    AUTO_FREE char *second = xformat("%s/machine-1.db", argv[1]);
    bool again = access(first, F_OK) == 0;
    struct store *s = open_machine(argv[1], 0);
    if (!again) {
        check(team_create(s, argv[0], "m0", &e), &e);
        start_clocks(began);
        for (unsigned n = 0; n < count; n += TOGETHER)
            add_many(s, n, count - n < TOGETHER ? count - n : TOGETHER);
        print_since(began, "append");
    }
    if (access(second, F_OK))
        join_and_sync(argv, 1, "all");
    start_clocks(began);
    check(team_snapshot(s, &e), &e);
    print_since(began, "snapshot");
    for (unsigned n = 0; n < also; n += TOGETHER)
        add_many(s, count + n, also - n < TOGETHER ? also - n : TOGETHER);
    join_and_sync(argv, 2, "from-snapshot");
    store_close(s);
}
