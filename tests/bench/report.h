/* A line for each thing that is measured: "name  bar  measured", MISSED at its end where it is. */
#ifndef STEMMA_BENCH_REPORT_H
#define STEMMA_BENCH_REPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double bench_clock_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* How long this thread was ready and had no processor, so far. */
static inline double bench_waited_ms(void)
{
    double ran = 0, waited = 0;
    FILE *f = fopen("/proc/thread-self/schedstat", "r");
    if (f && fscanf(f, "%lf %lf", &ran, &waited) != 2)
        waited = 0;
    if (f)
        fclose(f);
    return waited / 1e6;
}

static inline int bench_line(const char *name, const char *sign, double bar, double measured,
                             const char *unit, int over)
{
    char limit[40] = "-";
    if (bar > 0)
        snprintf(limit, sizeof(limit), "%s%.5g %s", sign, bar, unit);
    int width = 10 + (int)(strlen(sign) > 1 ? 2 : 0); /* "≥" takes three bytes */
    printf("%-58s %*s %12.4g %s%s\n", name, width, limit, measured, unit, over ? "  MISSED" : "");
    fflush(stdout);
    return over;
}

/* `bar`: the most that may be measured; 0: there is none. True where it is missed. */
static inline int bench_report(const char *name, double bar, double measured, const char *unit)
{
    return bench_line(name, "", bar, measured, unit, bar > 0 && measured > bar);
}

/* The same where `bar` is the least. */
static inline int bench_report_least(const char *name, double bar, double measured,
                                     const char *unit)
{
    return bench_line(name, "≥ ", bar, measured, unit, bar > 0 && measured < bar);
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value that so many of a hundred do not exceed; sorts them. */
static inline double bench_percentile(double *values, size_t count, unsigned percent)
{
    qsort(values, count, sizeof(*values), bench_compare);
    return values[(count - 1) * percent / 100];
}

#endif
