/*
 * What the MCP listener costs: bench_mcp STORE COPY [writes].
 *
 * STORE is served by `stemma serve` ($STEMMA) and written to; COPY is the same file once more, for what
 * SQLite alone takes for the same writes. With `writes` only those are measured; reads are bench_reads' part.
 * Everything is measured by the clock, client and all, and set beside what SQLite alone takes in the same
 * run. Exit status 1 where a bar is missed.
 */
#include "tests/bench/asking.h"
#include "tests/bench/bare.h"
#include "tests/bench/report.h"
#include "tests/bench/serving.h"
#include "tests/bench/wire.h"

#include <unistd.h>

#define WRITE_ROUNDS 9
#define WRITES       2000
#define IN_FLIGHT    64
#define CLIENTS      50
#define STARTS       21

static const char *program;
static int missed;

static void least(const char *name, double bar, double measured, const char *unit)
{
    missed |= bench_report_least(name, bar, measured, unit);
}

static const struct request writes[] = {
    {"memory_raw", "memory_raw",
     "{\"blob\":\"14:02:11 payments-queue depth %d and rising, worker heartbeat lost\","
     "\"agent_id\":\"ash\"}",
     BAR_NONE},
    {"memory_episode", "memory_episode",
     "{\"objective\":\"Ship payments %d\",\"outcome\":\"twelve workers in nine minutes\","
     "\"outcome_type\":\"success\",\"lessons\":[\"watch the queue\"],\"tags\":[\"deploy\"],"
     "\"derived_from\":[\"%s\"],\"agent_id\":\"ash\"}",
     BAR_NONE},
    {"memory_belief", "memory_belief",
     "{\"statement\":\"Deploy %d needs a staging run before the workers restart.\","
     "\"confidence\":0.7,\"derived_from\":[\"%s\",\"%s\"],\"agent_id\":\"ash\"}",
     BAR_NONE},
    {"memory_note", "memory_note",
     "{\"content\":\"Restart %d came before the queue was empty\",\"type\":\"decision\","
     "\"reason\":\"nobody looked\",\"derived_from\":[\"%s\"],\"agent_id\":\"ash\"}",
     BAR_NONE},
    {"log_source_attribution", "log_source_attribution",
     "{\"agent_id\":\"ash\",\"source_type\":\"web_scrape\",\"source_uri\":\"doc://page/%d\","
     "\"retrieval_timestamp\":1700000000000,\"content_summary\":\"a page on locks and queues\"}",
     BAR_NONE},
};

/* ---- what is measured ---- */

static void bench_start(const char *store)
{
    double times[STARTS];
    struct strbuf answer = STRBUF_INIT;
    for (int i = 0; i < STARTS; i++) {
        int in, out;
        double start = bench_clock_ms(CLOCK_MONOTONIC), waited = bench_waited_ms();
        pid_t pid =
            wire_start((const char *const[]){program, "mcp", "--store", store, NULL}, &in, &out);
        if (write(in, serving_hello, strlen(serving_hello)) < 0 || write(in, "\n", 1) != 1)
            exit(2);
        wire_read_line(out, &answer);
        times[i] = bench_clock_ms(CLOCK_MONOTONIC) - start - serving_waited_ms(pid) -
                   (bench_waited_ms() - waited);
        close(in);
        close(out);
        wire_stop(pid);
    }
    strbuf_release(&answer);
    missed |= bench_report("exec of `stemma mcp` to its first answer, median", 10,
                           bench_percentile(times, STARTS, 50), "ms");
}

static double per_second(struct wire_run run, const char *name)
{
    if (run.failures)
        fprintf(stderr, "%s: %zu of %zu calls failed\n", name, run.failures, run.answers);
    return (double)run.answers / run.ms * 1e3;
}

/* What one of the rounds took, ours and without stemma. */
struct written {
    double ours[WRITE_ROUNDS], bare[WRITE_ROUNDS];          /* a second */
    double our_time[WRITE_ROUNDS], bare_time[WRITE_ROUNDS]; /* of the processor for each, us */
    double share[WRITE_ROUNDS];                             /* ours of bare, % */
    size_t memories, commits;
};

static double median(double values[WRITE_ROUNDS])
{
    return bench_percentile(values, WRITE_ROUNDS, 50);
}

/*
 * Durable writes, then the same rows in transactions of the same sizes without stemma, and again: both
 * meet what others do to the disk and the processor, so each round has its own share.
 */
static void write_beside(struct written *w, int fd, pid_t server, const struct request *q,
                         size_t in_flight, const char *store, struct bare *copy)
{
    size_t count = in_flight > 1 ? WRITES : WRITES / 10;
    *w = (struct written){.memories = 0};
    for (int i = 0; i < WRITE_ROUNDS; i++) {
        struct bare_mark from = bare_mark(store);
        double before = serving_worked_ms(server);
        struct wire_run run = wire_pump(fd, asking_make, q, in_flight, count, 0);
        w->our_time[i] = (serving_worked_ms(server) - before) / (double)count * 1e3;
        struct bare_run bare = bare_write(copy, store, from, bare_mark(store), in_flight == 1);
        w->ours[i] = per_second(run, q->name);
        w->bare[i] = (double)bare.memories / bare.ms * 1e3;
        w->share[i] = w->ours[i] / w->bare[i] * 100;
        w->bare_time[i] = bare.worked_ms / (double)bare.memories * 1e3;
        w->memories += bare.memories;
        w->commits += bare.commits;
    }
}

static void bench_write(int fd, pid_t server, const struct request *q, const char *store,
                        struct bare *copy)
{
    char name[100];
    struct written w;
    write_beside(&w, fd, server, q, 1, store, copy);
    snprintf(name, sizeof(name), "%s, durable, a second", q->name);
    least(name, 0, median(w.ours), "/s");
    least("  bare SQLite, the same rows one by one", 0, median(w.bare), "/s");
    write_beside(&w, fd, server, q, IN_FLIGHT, store, copy);
    snprintf(name, sizeof(name), "%s, 64 in flight, durable, a second", q->name);
    least(name, 0, median(w.ours), "/s");
    snprintf(name, sizeof(name), "  bare SQLite, the same rows, %.3g in a commit",
             (double)w.memories / (double)w.commits);
    least(name, 0, median(w.bare), "/s");
    least("  the share of it that ours is", 80, median(w.share), "%");
    bench_report("  the server's processor time for each", 0, median(w.our_time), "us");
    bench_report("  bare SQLite's", 0, median(w.bare_time), "us");
}

static void bench_writes(const char *path, pid_t server, const char *store, const char *other)
{
    int fd = serving_greet(path);
    struct bare *copy = bare_open(other);
    for (size_t i = 0; i < sizeof(writes) / sizeof(*writes); i++)
        bench_write(fd, server, &writes[i], store, copy);
    bare_close(copy);
    close(fd);
}

#define AGAIN   3
#define REST_US 500000 /* after which a server has given back what it does not keep */

/* Each client its own question of each read, and what is asked of the whole store one of them. */
static void ask_all(const int *fds, bool with_writes)
{
    struct strbuf line = STRBUF_INIT, answer = STRBUF_INIT;
    for (int i = 0; i < CLIENTS; i++) {
        for (size_t k = 0; k < asking_read_count; k++) {
            if (i > 0 && asking_reads[k].bar == BAR_FOUND)
                continue;
            strbuf_clear(&line);
            asking_make(&line, (size_t)i, &asking_reads[k]);
            wire_ask(fds[i], line.buf, &answer);
        }
        if (!with_writes)
            continue;
        strbuf_clear(&line);
        asking_make(&line, (size_t)i, &writes[0]);
        wire_ask(fds[i], line.buf, &answer);
    }
    strbuf_release(&line);
    strbuf_release(&answer);
}

static void report_resident(pid_t server, const char *what)
{
    usleep(REST_US);
    missed |= bench_report(what, 20, serving_resident_mb(server, "VmRSS:"), "MB");
}

/* What is kept is given up by writes, and so is asked for again without any. */
static void bench_clients(const char *path, pid_t server)
{
    int fds[CLIENTS];
    for (int i = 0; i < CLIENTS; i++)
        fds[i] = serving_greet(path);
    ask_all(fds, true);
    report_resident(server, "resident memory with 50 clients");
    for (int i = 0; i < AGAIN; i++)
        ask_all(fds, false);
    report_resident(server, "resident memory with 50 clients that ask again");
    missed |=
        bench_report("resident memory at most", 0, serving_resident_mb(server, "VmHWM:"), "MB");
    for (int i = 0; i < CLIENTS; i++)
        close(fds[i]);
}

int main(int argc, char **argv)
{
    char path[200];
    program = getenv("STEMMA");
    bool writes_alone = argc == 4 && strcmp(argv[3], "writes") == 0;
    if ((argc != 3 && !writes_alone) || !program) {
        fprintf(stderr, "usage: STEMMA=PROGRAM bench_mcp STORE COPY [writes]\n");
        return 2;
    }
    asking_choose(argv[1]);
    if (!writes_alone)
        bench_start(argv[1]);
    pid_t server = serving_start(program, argv[1], path);
    if (!writes_alone)
        bench_clients(path, server);
    bench_writes(path, server, argv[1], argv[2]);
    wire_stop(server);
    return missed;
}
