/*
 * What reads over MCP cost: bench_reads STORE SCRATCH [NAME]: all of them, or those whose name begins so.
 *
 * STORE is served by `stemma serve` ($STEMMA), to each read by a server of its own, so that nothing is kept from
 * another: "first" are questions that nobody asked it before, each once; "again" are the same ones in turn; "later" are
 * others, each once, of a server that was asked for a while.
 * SCRATCH is a directory for a socket. Everything is measured by the clock, client and all, and set beside what
 * the socket takes for answers of the same lengths in the same run. The store's file is read once before, so that no
 * disk is measured. Exit status 1 where a bar is missed.
 */
#include "asking.h"
#include "report.h"
#include "serving.h"
#include "wire.h"

#include <fcntl.h>
#include <unistd.h>

#define ROUNDS    6
#define ROUND_MS  120
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

/* The best of some short rounds, since other programs take the processor now and then. *asked: the
 * calls of all of them. */
static struct wire_run pump_best(int fd, wire_make make, const void *arg, size_t in_flight,
                                 size_t *asked)
{
    struct wire_run best = {.ms = 1};
    *asked = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct wire_run run = wire_pump(fd, make, arg, in_flight, 0, ROUND_MS);
        size_t failures = best.failures + run.failures;
        *asked += run.answers;
        if ((double)run.answers / run.ms > (double)best.answers / best.ms)
            best = run;
        best.failures = failures;
    }
    return best;
}

static double per_second(struct wire_run run, const char *name)
{
    if (run.failures)
        fprintf(stderr, "%s: %zu of %zu calls failed\n", name, run.failures, run.answers);
    return (double)run.answers / run.ms * 1e3;
}

/* Answers of the same lengths, without a server. */
static double bench_echo(const struct answers *a)
{
    char path[200];
    size_t asked;
    snprintf(path, sizeof(path), "%s/echo", scratch);
    pid_t pid = wire_lines_start(path);
    int fd = wire_connect(path);
    double rate = per_second(pump_best(fd, make_size, a, 1, &asked), "echo");
    close(fd);
    wire_stop(pid);
    unlink(path);
    return rate;
}

/* ---- a read ---- */

struct measured {
    double first, again, flight, later;  /* calls a second */
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

static struct measured measure(const struct request *q, struct answers *a)
{
    char path[200];
    struct measured m = {.later = 0};
    size_t asked;
    pid_t server = serving_start(program, store, path);
    int fd = serving_greet(path);
    double before = serving_worked_ms(server);
    m.first = per_second(wire_pump(fd, asking_make, q, 1, a->count, 0), q->name);
    m.first_us = (serving_worked_ms(server) - before) / (double)a->count * 1e3;
    wire_each(fd, asking_make, q, a->count, hear, a);
    before = serving_worked_ms(server);
    m.again = per_second(pump_best(fd, asking_make, q, 1, &asked), q->name);
    m.again_us = (serving_worked_ms(server) - before) / (double)asked * 1e3;
    m.flight = per_second(pump_best(fd, asking_make, q, IN_FLIGHT, &asked), q->name);
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
    double echo = bench_echo(&a), bar = echo * OF_ECHO;
    bar = bar > BAR ? BAR : bar;
    snprintf(name, sizeof(name), "%s (%zu B)", q->name, a.bytes / a.count);
    printf("%s\n", name);
    snprintf(name, sizeof(name), "  first, %zu different, a second", a.count);
    missed |= bench_report_least(name, a.count > 1 ? bar : 0, m.first, "/s");
    snprintf(name, sizeof(name), "  later, %zu others, a second", asking_later(q));
    if (asking_later(q))
        missed |= bench_report_least(name, bar, m.later, "/s");
    missed |= bench_report_least("  again, a second", bar, m.again, "/s");
    bench_report_least("  again, 64 in flight, a second", 0, m.flight, "/s");
    bench_report_least("  a bare echo of answers as long, a second", 0, echo, "/s");
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
    for (size_t i = 0; i < asking_read_count; i++)
        if (argc < 4 || strncmp(asking_reads[i].name, argv[3], strlen(argv[3])) == 0) {
            asking_choose(store);
            bench_read(&asking_reads[i]);
        }
    return missed;
}
