/*
 * Measures the store and the model without a process around them: bench NAME [ARGUMENT].
 * tests/bench/run calls it, and itself measures commands, the explorer and the MCP listener. Exit
 * status 1 if a bar is missed.
 */
#include "tests/bench/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/layout/layout.h"
#include "model/layout/raster.h"
#include "model/pii/pii.h"
#include "tests/support/families.h"

struct error bench_error;
bool bench_missed;

void bench_check(int64_t result)
{
    if (result >= 0)
        return;
    fprintf(stderr, "bench: %s\n", bench_error.what);
    exit(2);
}

void *bench_must(void *made)
{
    bench_check(made ? 0 : -1);
    return made;
}

double bench_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

double bench_now(void)
{
    double ran = 0, waited = 0;
    FILE *f = fopen("/proc/thread-self/schedstat", "r");
    if (f && fscanf(f, "%lf %lf", &ran, &waited) != 2)
        waited = 0;
    if (f)
        fclose(f);
    return bench_ms(CLOCK_MONOTONIC) - waited / 1e6;
}

uint32_t bench_random(uint32_t below)
{
    static uint64_t state = 20260201;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % below;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_percentile(double *values, size_t count, unsigned percent)
{
    qsort(values, count, sizeof(*values), compare);
    return values[(count - 1) * percent / 100];
}

void bench_report(double bar, double measured, const char *unit, const char *name, ...)
{
    char line[120], limit[40] = "-";
    va_list args;
    va_start(args, name);
    vsnprintf(line, sizeof(line), name, args);
    va_end(args);
    if (bar > 0)
        snprintf(limit, sizeof(limit), "%.5g %s", bar, unit);
    bool missed = bar > 0 && measured > bar;
    printf("%-58s %10s %12.4g %s%s\n", line, limit, measured, unit, missed ? "  MISSED" : "");
    fflush(stdout);
    bench_missed = bench_missed || missed;
}

/* ---- personal data ---- */

#define TEXT (1 << 20)

/* Nanoseconds per byte, the least of several rounds. */
static double cost(const struct pii *p, const struct strbuf *json)
{
    double best = 1e9;
    struct strbuf out = STRBUF_INIT;
    int times = json->len < 100000 ? 200 : 1;
    for (int round = 0; round < 7; round++) {
        double start = bench_ms(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < times; i++) {
            strbuf_clear(&out);
            pii_mask_json(p, json->buf, json->len, &out, NULL);
        }
        double took = (bench_ms(CLOCK_THREAD_CPUTIME_ID) - start) / times;
        best = took < best ? took : best;
    }
    strbuf_release(&out);
    return best * 1e6 / (double)json->len;
}

/* The form of most answers: memories with refs, times and text. */
static void make_answer(struct strbuf *json, const char *also)
{
    strbuf_clear(json);
    strbuf_addstr(json, "{\"memories\":[");
    for (int i = 0; i < 8; i++) {
        strbuf_addf(json, "{\"ref\":\"belief:3f2b8c1%d-91c4-4e0a-9d5b-7a6e2f01c3d4\",", i);
        strbuf_addf(json, "\"created_at\":17320%05d123,\"confidence\":0.8%d,", i, i);
        strbuf_addf(json, "\"text\":\"The deploy of 2024-05-1%dT10:30:00Z took 12.5 s longer", i);
        strbuf_addf(json, ": the load stood at 3 of 4.%s\"},", also);
    }
    strbuf_addstr(json, "{}]}");
}

/* The slowest known input, and usual answers. */
static void bench_pii(char **argv)
{
    static const char *const pieces[] = {"@",
                                         "a@",
                                         "a@b.",
                                         "5",
                                         "555-123-4567 ",
                                         "4111 ",
                                         "1-",
                                         "(1",
                                         "+1 ",
                                         "(((",
                                         "\\u0031",
                                         "5\xe2\x80\x8b",
                                         "\\\\\\\"",
                                         "\\\"token\\\":[",
                                         "\\\"token\\\":\\\"[redacted]\\\" ",
                                         "{[",
                                         "\xff",
                                         "\\u0061\\u0040",
                                         "4111-1111-1111-1112 ",
                                         "12345678-1234-1234-1234-123456789012 "};
    static const struct pii_pattern patterns[] = {{"badge", "\\bB-\\d{4}\\b"},
                                                  {"iban", "[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){3,7}"},
                                                  {"slow", "(a+)+[!?]"}};
    struct pii *p = bench_must(pii_new(NULL, 0, &bench_error));
    struct pii *own = bench_must(pii_new(patterns, 3, &bench_error));
    struct strbuf json = STRBUF_INIT;
    make_answer(&json, "");
    bench_report(2, cost(p, &json), "ns", "an answer without personal data, for a byte");
    bench_report(20, cost(own, &json), "ns", "  with three patterns of one's own");
    make_answer(&json, " Ask jane@example.com.");
    bench_report(20, cost(p, &json), "ns", "one with eight addresses, for a byte");
    for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
        strbuf_clear(&json);
        strbuf_addch(&json, '"');
        while (json.len < TEXT)
            strbuf_addstr(&json, pieces[i]);
        strbuf_addch(&json, '"');
        bench_report(200, cost(p, &json), "ns", "1 MB of '%.36s', for a byte", pieces[i]);
    }
    strbuf_release(&json);
    pii_free(p);
    pii_free(own);
}

/* ---- drawings ---- */

/* Crossings are compared with those of Graphviz by tests/model/layout/test_ordering.c. */
static void draw(enum family family, uint32_t graphs, uint32_t nodes, double bar)
{
    double made[2] = {0, 0}, window = 0;
    for (uint32_t i = 0; i < graphs * 2; i++) {
        bool bundle = i % 2;
        struct family_graph f;
        struct picture p;
        struct layout l;
        struct raster r;
        family_make(&f, family, i / 2, nodes);
        family_picture(&f, &p);
        double start = bench_ms(CLOCK_PROCESS_CPUTIME_ID);
        bench_check(layout_make(&l, &p, &(struct layout_options){FLOW_RIGHT, .bundle = bundle}));
        double laid = bench_ms(CLOCK_PROCESS_CPUTIME_ID);
        raster_make(&r, &l, l.width / 2, l.height / 2, 80, 24, NULL);
        window += bench_ms(CLOCK_PROCESS_CPUTIME_ID) - laid;
        made[bundle] += laid - start;
        raster_release(&r);
        layout_release(&l);
        picture_release(&p);
        family_release(&f);
    }
    printf("%s, %u drawings\n", nodes ? "lineages" : family_name[family], graphs);
    bench_report(bar, made[false] / graphs, "ms", "  a drawing, an edge a line");
    bench_report(bar, made[true] / graphs, "ms", "  a drawing, bundled");
    bench_report(0.5, window / graphs / 2, "ms", "  a window of 80x24");
}

static void bench_layout(char **argv)
{
    for (int family = 0; family < FAMILY_COUNT; family++)
        draw((enum family)family, family_graphs((enum family)family), 0, 0);
    draw(FAMILY_LINEAGE, 3, 200, 10);
    draw(FAMILY_LINEAGE, 3, 1000, 100);
}

/* ---- all of them ---- */

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int arguments;
        void (*run)(char **argv);
    } rows[] = {
        {"pii", 0, bench_pii},
        {"layout", 0, bench_layout},
        {"graph", 0, bench_graph},
        {"roots", 0, bench_roots},
        {"store", 1, bench_store}, /* STORE */
        {"similar", 1, bench_similar},
        {"lineage", 0, bench_lineage},     /* a lineage on standard input */
        {"bare", 2, bench_bare},           /* STORE COPY, and what to copy on standard input */
        {"team", 4, bench_team},           /* ADDRESS CONNECTIONS BATCH SECONDS */
        {"replicas", 5, bench_replicas},   /* ADDRESS DIR MACHINES RATE SECONDS */
        {"sync", 3, bench_sync},           /* ADDRESS DIR EVENTS */
        {"schedules", 2, bench_schedules}, /* COUNT SEED */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (argc == rows[i].arguments + 2 && strcmp(argv[1], rows[i].name) == 0) {
            rows[i].run(argv + 2);
            return bench_missed;
        }
    fprintf(stderr,
            "usage: bench pii | layout | graph | roots | lineage | store STORE | similar "
            "STORE | bare STORE COPY | team ADDRESS CONNECTIONS BATCH SECONDS | replicas ADDRESS "
            "DIR MACHINES RATE SECONDS | sync ADDRESS DIR EVENTS | schedules COUNT SEED\n");
    return 2;
}
