/*
 * What reads over MCP cost: bench_reads STORE SCRATCH [NAME]: all of them, or those whose name begins so.
 *
 * STORE is served by `stemma serve` ($STEMMA), to each read by a server of its own: "first" are questions that nobody asked
 * it before, each once; "later" are others, each once, of a server that was asked for a while. SCRATCH is a directory for a
 * socket. Everything is measured by the clock, client and all. The store's file is read once before, so that no disk is
 * measured.
 */
#include "tests/bench/asking.h"
#include "tests/bench/report.h"
#include "tests/bench/serving.h"
#include "tests/bench/wire.h"

#include <fcntl.h>
#include <unistd.h>

#define MOST 512 /* questions of one read */

static const char *program, *store;

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

static double per_second(struct wire_run run, const char *name)
{
    if (run.failures)
        fprintf(stderr, "%s: %zu of %zu calls failed\n", name, run.failures, run.answers);
    return (double)run.answers / run.ms * 1e3;
}

/* ---- a read ---- */

struct measured {
    double first, later;       /* calls a second */
    double first_us, later_us; /* of the server's processor for each */
};

static void ask(int fd, pid_t server, const struct request *q, size_t count, bool later,
                double *rate, double *us)
{
    double before = serving_worked_ms(server);
    if (count == 0)
        return;
    *rate =
        per_second(wire_pump(fd, later ? asking_make_later : asking_make, q, 1, count, 0), q->name);
    *us = (serving_worked_ms(server) - before) / (double)count * 1e3;
}

static struct measured measure(const struct request *q, struct answers *a)
{
    char path[200];
    struct measured m = {.later = 0};
    pid_t server = serving_start(program, store, path);
    int fd = serving_greet(path);
    ask(fd, server, q, a->count, false, &m.first, &m.first_us);
    wire_each(fd, asking_make, q, a->count, hear, a);
    ask(fd, server, q, asking_later(q), true, &m.later, &m.later_us);
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
    printf("%s (%zu B)\n", q->name, a.bytes / a.count);
    snprintf(name, sizeof(name), "  first, %zu different, a second", a.count);
    bench_report_least(name, 0, m.first, "/s");
    bench_report("  the server's processor time for each, first", 0, m.first_us, "us");
    if (asking_later(q)) {
        snprintf(name, sizeof(name), "  later, %zu others, a second", asking_later(q));
        bench_report_least(name, 0, m.later, "/s");
        bench_report("  the server's processor time for each, later", 0, m.later_us, "us");
    }
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
    bring_to_memory(store);
    serving_keep_awake();
    for (size_t i = 0; i < asking_read_count; i++)
        if (argc < 4 || strncmp(asking_reads[i].name, argv[3], strlen(argv[3])) == 0) {
            asking_choose(store);
            bench_read(&asking_reads[i]);
        }
    return 0;
}
