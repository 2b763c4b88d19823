/*
 * Runs random schedules of a team's replicas (tests/support/schedule.h): COUNT of them from SEED on, each tenth on a
 * PostgreSQL server and the others in folders. The first that fails is printed with its seed and its steps, and
 * ends the bench; `schedules 1 SEED` runs it again.
 */
#include "tests/bench/bench.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "tests/support/postgres.h"
#include "tests/support/schedule.h"
#include "tests/support/scratch.h"

static struct postgres_server server;
static pid_t owner;

/* Also when a schedule failed: then this process exits. */
static void end(void)
{
    if (getpid() != owner)
        return;
    fflush(stdout);
    schedule_report(NULL);
    if (server.dir[0])
        postgres_stop(&server);
}

static void on_crash(int number)
{
    schedule_report(NULL);
    signal(number, SIG_DFL);
    raise(number);
}

static void run_one(uint64_t seed)
{
    static uint64_t count;
    AUTO_FREE char *address = NULL;
    char *place = scratch_path("place");
    if (seed % 10 == 0) {
        AUTO_FREE char *sql = xformat("CREATE DATABASE t%llu", (unsigned long long)++count);
        if (!server.dir[0])
            postgres_start(&server);
        postgres_do(&server, "postgres", "postgres", sql);
        address =
            xformat("host=%s user=postgres dbname=t%llu", server.dir, (unsigned long long)count);
    }
    schedule_run(address ? address : place, seed);
    if (address) {
        AUTO_FREE char *sql = xformat("DROP DATABASE t%llu", (unsigned long long)count);
        postgres_do(&server, "postgres", "postgres", sql);
    }
    scratch_clear(place);
}

void bench_schedules(char **argv)
{
    uint64_t count = strtoull(argv[0], NULL, 10), first = strtoull(argv[1], NULL, 10);
    owner = getpid();
    atexit(end);
    signal(SIGSEGV, on_crash);
    signal(SIGABRT, on_crash);
    scratch_home();
    double began = bench_ms(CLOCK_MONOTONIC);
    for (uint64_t n = 0; n < count; n++) {
        run_one(first + n);
        if (isatty(1) || (n + 1) % 100 == 0 || n + 1 == count) {
            printf("%s%llu schedules, %.0f s%s", isatty(1) ? "\r" : "", (unsigned long long)(n + 1),
                   (bench_ms(CLOCK_MONOTONIC) - began) / 1e3, isatty(1) ? "" : "\n");
            fflush(stdout);
        }
    }
    printf("%sno schedule failed\n", isatty(1) ? "\n" : "");
}
