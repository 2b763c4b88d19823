/*
 * What the MCP listener costs: bench_mcp STORE COPY SCRATCH [writes].
 *
 * STORE is served by `stemma serve` ($STEMMA) and written to; COPY is the same file once more, for what
 * SQLite alone takes for the same writes; SCRATCH is a directory for a socket. With `writes` only those
 * are measured. Everything is measured by
 * the clock, client and all, and set beside what the socket and SQLite alone take in the same run. Exit
 * status 1 where a bar is missed.
 */
#include "../../model/json.h"
#include "../../store/store.h"
#include "bare.h"
#include "report.h"
#include "wire.h"

#include <dirent.h>
#include <unistd.h>

#define REFS         512
#define ROUNDS       6
#define ROUND_MS     120
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

/* ---- requests ---- */

static char refs[REFS][64];
static size_t ref_count;
static int64_t counter;

static const char *ref_of(size_t i)
{
    return refs[i * 7919 % ref_count];
}

/* Memories of all ages that rest on something, so that a lineage has something to walk. */
static void choose_refs(const char *path)
{
    struct error e;
    struct arena a = ARENA_INIT;
    struct store *s = store_open(path, &(struct store_options){.read_only = true}, NULL, &e);
    struct reader *r = s ? reader_open(s, &e) : NULL;
    int64_t rows = bare_mark(path).memories;
    for (int64_t i = 0; r && ref_count < REFS && i < 100 * REFS; i++) {
        struct memory_row row;
        arena_clear(&a);
        if (memory_row_read(r, &a, 1 + i * 7907 % rows, &row, &e) == 0 &&
            row.status == STATUS_ACTIVE &&
            (row.ref.kind == KIND_BELIEF || row.ref.kind == KIND_EPISODE))
            snprintf(refs[ref_count++], sizeof(*refs), "%s:%s", kind_name(row.ref.kind),
                     row.ref.id);
    }
    arena_release(&a);
    reader_close(r);
    store_close(s);
    if (ref_count == 0) {
        fprintf(stderr, "%s: no memory to ask for\n", path);
        exit(2);
    }
}

/* A request: `%s` of the arguments are two refs of the store, `%d` a number that no other has. */
struct request {
    const char *name, *tool, *arguments;
    bool write, scans; /* `scans`: it may look at all of the store, and has no bar */
};

static void make_request(struct strbuf *out, size_t i, const void *arg)
{
    const struct request *q = arg;
    const char *at = q->arguments;
    strbuf_addf(out, "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"", i + 1);
    if (q->tool)
        strbuf_addf(out, "tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":", q->tool);
    else
        strbuf_addf(out, "%s\",\"params\":", q->name);
    for (size_t taken = 0; *at; at++) {
        if (at[0] != '%')
            strbuf_addch(out, *at);
        else if (*++at == 's')
            strbuf_addstr(out, ref_of(i + taken++ * 31));
        else
            json_add_int(out, ++counter);
    }
    strbuf_addstr(out, q->tool ? "}}" : "}");
}

static const struct request reads[] = {
    {"ping", NULL, "{}", false, false},
    {"memory_get", "memory_get", "{\"ref\":\"%s\"}", false, false},
    {"memory_list of 10 beliefs", "memory_list", "{\"kind\":\"belief\",\"limit\":10}", false,
     false},
    {"memory_list of 50", "memory_list", "{}", false, false},
    {"memory_search, a rare word", "memory_search", "{\"query\":\"zyxwvut\"}", false, false},
    {"memory_search, a common word", "memory_search", "{\"query\":\"rollback\"}", false, true},
    {"memory_lineage to depth 2", "memory_lineage",
     "{\"ref\":\"%s\",\"direction\":\"ancestors\",\"depth\":2}", false, false},
    {"memory_lineage", "memory_lineage", "{\"ref\":\"%s\",\"direction\":\"ancestors\"}", false,
     true},
    {"get_source_attributions", "get_source_attributions", "{\"agent_id\":\"ash\",\"limit\":10}",
     false, false},
    {"memory_whatif", "memory_whatif", "{\"refs\":[\"%s\"]}", false, true},
};

static const struct request writes[] = {
    {"memory_raw", "memory_raw",
     "{\"blob\":\"14:02:11 payments-queue depth %d and rising, worker heartbeat lost\","
     "\"agent_id\":\"ash\"}",
     true, false},
    {"memory_episode", "memory_episode",
     "{\"objective\":\"Ship payments %d\",\"outcome\":\"twelve workers in nine minutes\","
     "\"outcome_type\":\"success\",\"lessons\":[\"watch the queue\"],\"tags\":[\"deploy\"],"
     "\"derived_from\":[\"%s\"],\"agent_id\":\"ash\"}",
     true, false},
    {"memory_belief", "memory_belief",
     "{\"statement\":\"Deploy %d needs a staging run before the workers restart.\","
     "\"confidence\":0.7,\"derived_from\":[\"%s\",\"%s\"],\"agent_id\":\"ash\"}",
     true, false},
    {"memory_note", "memory_note",
     "{\"content\":\"Restart %d came before the queue was empty\",\"type\":\"decision\","
     "\"reason\":\"nobody looked\",\"derived_from\":[\"%s\"],\"agent_id\":\"ash\"}",
     true, false},
    {"log_source_attribution", "log_source_attribution",
     "{\"agent_id\":\"ash\",\"source_type\":\"web_scrape\",\"source_uri\":\"doc://page/%d\","
     "\"retrieval_timestamp\":1700000000000,\"content_summary\":\"a page on locks and queues\"}",
     true, false},
};

/* ---- the server ---- */

static const char hello[] =
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
    "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}";

static pid_t serve(const char *store, char path[200])
{
    int in, out;
    struct strbuf line = STRBUF_INIT;
    pid_t pid =
        wire_start((const char *const[]){program, "serve", "--store", store, NULL}, &in, &out);
    wire_read_line(out, &line);
    snprintf(path, 200, "%s", line.buf);
    strbuf_release(&line);
    return pid;
}

static int greet(const char *path)
{
    struct strbuf answer = STRBUF_INIT;
    int fd = wire_connect(path);
    wire_ask(fd, hello, &answer);
    strbuf_release(&answer);
    return fd;
}

static double resident_mb(pid_t pid, const char *field)
{
    char name[64], line[200];
    double mb = 0;
    snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
    FILE *f = fopen(name, "r");
    while (f && fgets(line, sizeof(line), f))
        if (strncmp(line, field, strlen(field)) == 0)
            mb = (double)strtol(line + strlen(field), NULL, 10) / 1024;
    if (f)
        fclose(f);
    return mb;
}

/* ---- what is measured ---- */

/* Processor time of all threads of the process so far. */
static double worked_ms(pid_t pid)
{
    char name[64];
    double ms = 0;
    snprintf(name, sizeof(name), "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(name);
    for (struct dirent *d; tasks && (d = readdir(tasks));) {
        double ran = 0;
        snprintf(name, sizeof(name), "/proc/%d/task/%.16s/schedstat", (int)pid, d->d_name);
        FILE *f = d->d_name[0] == '.' ? NULL : fopen(name, "r");
        if (f && fscanf(f, "%lf", &ran) == 1)
            ms += ran / 1e6;
        if (f)
            fclose(f);
    }
    if (tasks)
        closedir(tasks);
    return ms;
}

/* What the process waited for a processor that others had is not its own. */
static double waited_ms(pid_t pid)
{
    char name[64];
    double ran = 0, waited = 0;
    snprintf(name, sizeof(name), "/proc/%d/schedstat", (int)pid);
    FILE *f = fopen(name, "r");
    if (f && fscanf(f, "%lf %lf", &ran, &waited) != 2)
        waited = 0;
    if (f)
        fclose(f);
    return waited / 1e6;
}

static void bench_start(const char *store)
{
    double times[STARTS];
    struct strbuf answer = STRBUF_INIT;
    for (int i = 0; i < STARTS; i++) {
        int in, out;
        double start = bench_clock_ms(CLOCK_MONOTONIC), waited = bench_waited_ms();
        pid_t pid =
            wire_start((const char *const[]){program, "mcp", "--store", store, NULL}, &in, &out);
        if (write(in, hello, sizeof(hello) - 1) < 0 || write(in, "\n", 1) != 1)
            exit(2);
        wire_read_line(out, &answer);
        times[i] =
            bench_clock_ms(CLOCK_MONOTONIC) - start - waited_ms(pid) - (bench_waited_ms() - waited);
        close(in);
        close(out);
        wire_stop(pid);
    }
    strbuf_release(&answer);
    missed |= bench_report("exec of `stemma mcp` to its first answer, median", 10,
                           bench_percentile(times, STARTS, 50), "ms");
}

/* The best of some short rounds, since other programs take the processor now and then. *asked: the
 * calls of all of them. */
static struct wire_run pump_best(int fd, const struct request *q, size_t in_flight, size_t *asked)
{
    struct wire_run best = {.ms = 1};
    *asked = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct wire_run run = wire_pump(fd, make_request, q, in_flight, 0, ROUND_MS);
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

/* The same bytes there and back, without a server: sequential, and with IN_FLIGHT under way. */
static void bench_echo(const char *scratch, double rates[2])
{
    char path[200];
    size_t asked;
    snprintf(path, sizeof(path), "%s/echo", scratch);
    pid_t pid = wire_echo_start(path);
    int fd = wire_connect(path);
    for (int k = 0; k < 2; k++)
        rates[k] = per_second(pump_best(fd, &reads[1], k ? IN_FLIGHT : 1, &asked), "echo");
    close(fd);
    wire_stop(pid);
    unlink(path);
    least("a bare echo over a Unix socket, a second", 0, rates[0], "/s");
    least("a bare echo, 64 in flight, a second", 0, rates[1], "/s");
}

static void bench_reads(const char *path, pid_t server, double echo)
{
    char name[100];
    double bar = echo * 0.9 < 10000 ? echo * 0.9 : 10000;
    int fd = greet(path);
    for (size_t i = 0; i < sizeof(reads) / sizeof(*reads); i++) {
        const struct request *q = &reads[i];
        double before = worked_ms(server);
        size_t asked = 0;
        struct wire_run one = pump_best(fd, q, 1, &asked);
        double each = (worked_ms(server) - before) / (double)asked * 1e3;
        struct wire_run many = pump_best(fd, q, IN_FLIGHT, &asked);
        snprintf(name, sizeof(name), "%s (%zu B), a second", q->name,
                 one.answers ? one.bytes / one.answers : 0);
        least(name, q->scans ? 0 : bar, per_second(one, q->name), "/s");
        snprintf(name, sizeof(name), "%s, 64 in flight, a second", q->name);
        least(name, 0, per_second(many, q->name), "/s");
        bench_report("  the server's processor time for each", 0, each, "us");
    }
    close(fd);
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
        double before = worked_ms(server);
        struct wire_run run = wire_pump(fd, make_request, q, in_flight, count, 0);
        w->our_time[i] = (worked_ms(server) - before) / (double)count * 1e3;
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
    int fd = greet(path);
    struct bare *copy = bare_open(other);
    for (size_t i = 0; i < sizeof(writes) / sizeof(*writes); i++)
        bench_write(fd, server, &writes[i], store, copy);
    bare_close(copy);
    close(fd);
}

static void bench_clients(const char *path, pid_t server)
{
    int fds[CLIENTS];
    struct strbuf line = STRBUF_INIT, answer = STRBUF_INIT;
    for (int i = 0; i < CLIENTS; i++) {
        fds[i] = greet(path);
        for (size_t k = 0; k < sizeof(reads) / sizeof(*reads); k++) {
            strbuf_clear(&line);
            make_request(&line, (size_t)i, &reads[k]);
            wire_ask(fds[i], line.buf, &answer);
        }
        strbuf_clear(&line);
        make_request(&line, (size_t)i, &writes[0]);
        wire_ask(fds[i], line.buf, &answer);
    }
    missed |=
        bench_report("resident memory with 50 clients", 20, resident_mb(server, "VmRSS:"), "MB");
    missed |= bench_report("resident memory at most", 0, resident_mb(server, "VmHWM:"), "MB");
    for (int i = 0; i < CLIENTS; i++)
        close(fds[i]);
    strbuf_release(&line);
    strbuf_release(&answer);
}

int main(int argc, char **argv)
{
    char path[200];
    double echo[2];
    program = getenv("STEMMA");
    bool writes_alone = argc == 5 && strcmp(argv[4], "writes") == 0;
    if ((argc != 4 && !writes_alone) || !program) {
        fprintf(stderr, "usage: STEMMA=PROGRAM bench_mcp STORE COPY SCRATCH [writes]\n");
        return 2;
    }
    choose_refs(argv[1]);
    if (!writes_alone) {
        bench_start(argv[1]);
        bench_echo(argv[3], echo);
    }
    pid_t server = serve(argv[1], path);
    if (!writes_alone) {
        bench_clients(path, server);
        bench_reads(path, server, echo[0]);
    }
    bench_writes(path, server, argv[1], argv[2]);
    wire_stop(server);
    return missed;
}
