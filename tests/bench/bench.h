/* Shared by the rows of the bench: clocks, figures, and printed lines. */
#ifndef STEMMA_BENCH_H
#define STEMMA_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include "model/base/error.h"

extern struct error bench_error;
extern bool bench_missed; /* whether any bar was missed */

/* Ends the program if a call failed: it returned less than 0, or no pointer. */
void bench_check(int64_t result);
void *bench_must(void *made);

double bench_ms(clockid_t clock);
/* Wall-clock time, without the time in which this thread waited for a processor. */
double bench_now(void);
/* Returns the same numbers in every run. */
uint32_t bench_random(uint32_t below);
/* The value that this percentage does not exceed. Sorts the values. */
double bench_percentile(double *values, size_t count, unsigned percent);
/* `bar`: the maximum; 0 for none. The name is as for printf. */
__attribute__((format(printf, 4, 5))) void bench_report(double bar, double measured,
                                                        const char *unit, const char *name, ...);

/* The graph of bench_graph.c: a million memories. Of the beliefs, one in `all` needs all of a group. */
struct graph;
struct labels;
void bench_make_graph(struct graph *g, uint32_t all);

/* The rows. `argv` begins after the name. */
void bench_store(char **argv);
void bench_similar(char **argv);
void bench_bare(char **argv);
void bench_graph(char **argv);
void bench_roots(char **argv);
void bench_lineage(char **argv);
void bench_team(char **argv);
void bench_replicas(char **argv);
void bench_sync(char **argv);
void bench_schedules(char **argv);

/* Parts of a row. */
void bench_blame(const struct graph *g, const struct labels *l);

#endif
