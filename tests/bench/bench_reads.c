/*
 * What reads over MCP cost: bench_reads STORE SCRATCH [NAME]: all of them, or those whose name begins so.
 *
 * STORE is served by `stemma serve` ($STEMMA), to each read by a server of its own, so that nothing is kept from
 * another: "first" are questions that nobody asked it before, each once; "again" are the same ones in turn; "later" are
 * others, each once, of a server that was asked for a while. The bar is of "again"; the others stand beside it, for to
 * find words or to walk a lineage for the first time takes SQLite and the walk alone longer than it allows.
 * SCRATCH is a directory for a socket. Everything is measured by the clock, client and all, and set beside what
 * the socket takes for answers of the same lengths in the same run. The store's file is read once before, so that no
 * disk is measured. Exit status 1 where a bar is missed.
 */
#include "tests/bench/asking.h"
#include "tests/bench/report.h"
#include "tests/bench/serving.h"
#include "tests/bench/wire.h"

#include <fcntl.h>
#include <unistd.h>

#define ROUNDS    10
#define ROUND_MS  100
#define IN_FLIGHT 64
#define BAR       10000.0
#define OF_ECHO   0.9
#define MOST      512 /* questions of one read */

static const char *program, *store, *scratch;
static int missed;

/* What is known of one read's answers: their lengths, and how many memories were walked over for them. */
struct answers {
    size_t count, size[MOST];
    bool failed[MOST];
    size_t failures, bytes, walked;
};

static size_t count_of(const char *line, size_t len, const char *what)
{
    size_t count = 0, each = strlen(what);
    const char *end = line + len;
    for (const char *at = line; (at = memmem(at, (size_t)(end - at), what, each)); at += each)
        count++;
    return count;
}

static size_t number_after(const char *line, size_t len, const char *what)
{
    const char *at = memmem(line, len, what, strlen(what));
    return at ? strtoull(at + strlen(what), NULL, 10) : 0;
}

/* Of the two forms of the answer only structuredContent has its quotes as they are. */
static void hear(void *heard, size_t i, const char *line, size_t len)
{
    struct answers *a = heard;
    a->size[i] = len;
    a->failed[i] = wire_is_failure(line, len);
    a->failures += a->failed[i];
    a->bytes += len;
    a->walked += count_of(line, len, "\"depth\":") + number_after(line, len, "\"cut\":");
    a->walked += number_after(line, len, "\"descends\":");
}

/* What lies in an answer that is longer than one may be is not asked for. */
static void leave_out_refused(const struct request *q)
{
    char path[200];
    struct answers a = {.count = 0};
    pid_t server = serving_start(program, store, path);
    int fd = serving_greet(path);
    size_t all = asking_refs();
    wire_each(fd, asking_make, q, all, hear, &a);
    asking_leave_out(a.failed);
    close(fd);
    wire_stop(server);
    if (a.failures)
        printf(
            "%s: %zu of %zu refs are left out, as their answer would be longer than one may be\n",
            q->name, a.failures, all);
}

static void bring_to_memory(const char *path)
{
    static char bytes[1 << 20];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && read(fd, bytes, sizeof(bytes)) > 0)
        ;
    if (fd >= 0)
        close(fd);
}

/* ---- the socket alone ---- */

static void make_size(struct strbuf *out, size_t i, const void *arg)
{
    const struct answers *a = arg;
    strbuf_addf(out, "%zu", a->size[i % a->count]);
}

/* Keeps the better of two runs, and the failures of both. */
static void keep_best(struct wire_run *best, struct wire_run run)
{
    size_t failures = best->failures + run.failures;
    if ((double)run.answers / run.ms > (double)best->answers / best->ms)
        *best = run;
    best->failures = failures;
}

static double per_second(struct wire_run run, const char *name)
{
    if (run.failures)
        fprintf(stderr, "%s: %zu of %zu calls failed\n", name, run.failures, run.answers);
    return (double)run.answers / run.ms * 1e3;
}

/* What answers with as many bytes as it is asked for, without a server. */
struct echo {
    char path[200];
    pid_t pid;
    int fd;
};

static struct echo echo_start(void)
{
    struct echo e;
    snprintf(e.path, sizeof(e.path), "%s/echo", scratch);
    e.pid = wire_lines_start(e.path);
    e.fd = wire_connect(e.path);
    return e;
}

static void echo_stop(struct echo *e)
{
    close(e->fd);
    wire_stop(e->pid);
    unlink(e->path);
}

/* ---- a read ---- */

struct measured {
    double first, again, flight, later; /* calls a second */
    double echo;
    double first_us, again_us, later_us; /* of the server's processor for each */
};

/* Different ones still, of a server that has served for a while: each once. */
static void measure_later(struct measured *m, int fd, pid_t server, const struct request *q)
{
    size_t count = asking_later(q);
    double before = serving_worked_ms(server);
    if (count == 0)
        return;
    m->later = per_second(wire_pump(fd, asking_make_later, q, 1, count, 0), q->name);
    m->later_us = (serving_worked_ms(server) - before) / (double)count * 1e3;
}

/*
 * The best of some short rounds, since other programs take the processor now and then. The server and the echo of
 * answers as long have their rounds in turn, so that both are measured in the same seconds.
 */
static void measure_again(struct measured *m, int fd, pid_t server, const struct request *q,
                          const struct answers *a)
{
    struct wire_run again = {.ms = 1}, bare = {.ms = 1};
    struct echo echo = echo_start();
    double worked = 0;
    size_t asked = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double before = serving_worked_ms(server);
        struct wire_run run = wire_pump(fd, asking_make, q, 1, 0, ROUND_MS);
        worked += serving_worked_ms(server) - before;
        asked += run.answers;
        keep_best(&again, run);
        keep_best(&bare, wire_pump(echo.fd, make_size, a, 1, 0, ROUND_MS));
    }
    echo_stop(&echo);
    m->again = per_second(again, q->name);
    m->again_us = worked / (double)asked * 1e3;
    m->echo = per_second(bare, "echo");
}

static void measure_flight(struct measured *m, int fd, const struct request *q)
{
    struct wire_run best = {.ms = 1};
    for (int i = 0; i < ROUNDS; i++)
        keep_best(&best, wire_pump(fd, asking_make, q, IN_FLIGHT, 0, ROUND_MS));
    m->flight = per_second(best, q->name);
}

static struct measured measure(const struct request *q, struct answers *a)
{
    char path[200];
    struct measured m = {.later = 0};
    pid_t server = serving_start(program, store, path);
    int fd = serving_greet(path);
    double before = serving_worked_ms(server);
    m.first = per_second(wire_pump(fd, asking_make, q, 1, a->count, 0), q->name);
    m.first_us = (serving_worked_ms(server) - before) / (double)a->count * 1e3;
    wire_each(fd, asking_make, q, a->count, hear, a);
    measure_again(&m, fd, server, q, a);
    measure_flight(&m, fd, q);
    measure_later(&m, fd, server, q);
    close(fd);
    wire_stop(server);
    return m;
}

static void bench_read(const struct request *q)
{
    char name[100];
    struct answers a = {.count = asking_count(q)};
    if (q->bar == BAR_LONG)
        leave_out_refused(q);
    a.count = asking_count(q);
    struct measured m = measure(q, &a);
    double bar = m.echo * OF_ECHO;
    bar = q->bar == BAR_LONG ? 0 : bar > BAR ? BAR : bar;
    snprintf(name, sizeof(name), "%s (%zu B)", q->name, a.bytes / a.count);
    printf("%s\n", name);
    snprintf(name, sizeof(name), "  first, %zu different, a second", a.count);
    bench_report_least(name, 0, m.first, "/s");
    snprintf(name, sizeof(name), "  later, %zu others, a second", asking_later(q));
    if (asking_later(q))
        bench_report_least(name, 0, m.later, "/s");
    missed |= bench_report_least("  again, a second", bar, m.again, "/s");
    bench_report_least("  again, 64 in flight, a second", 0, m.flight, "/s");
    bench_report_least("  a bare echo of answers as long, a second", 0, m.echo, "/s");
    bench_report("  the server's processor time for each, first", 0, m.first_us, "us");
    if (asking_later(q))
        bench_report("  the server's processor time for each, later", 0, m.later_us, "us");
    bench_report("  the server's processor time for each, again", 0, m.again_us, "us");
    if (a.walked > a.count) {
        snprintf(name, sizeof(name), "  first, for each of the %zu memories walked over",
                 a.walked / a.count);
        bench_report(name, 0, m.first_us * (double)a.count / (double)a.walked, "us");
    }
}

int main(int argc, char **argv)
{
    program = getenv("STEMMA");
    if (argc < 3 || !program) {
        fprintf(stderr, "usage: STEMMA=PROGRAM bench_reads STORE SCRATCH [NAME]\n");
        return 2;
    }
    store = argv[1];
    scratch = argv[2];
    bring_to_memory(store);
    serving_keep_awake();
    for (size_t i = 0; i < asking_read_count; i++)
        if (argc < 4 || strncmp(asking_reads[i].name, argv[3], strlen(argv[3])) == 0) {
            asking_choose(store);
            bench_read(&asking_reads[i]);
        }
    return missed;
}
