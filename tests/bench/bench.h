/* What the rows of the bench share: clocks, figures, and the lines that they print. */
#ifndef STEMMA_BENCH_H
#define STEMMA_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include "model/base/error.h"

extern struct error bench_error;
extern bool bench_missed; /* some bar was */

/* Ends the program where a call failed: it returned less than 0, or no pointer. */
void bench_check(int64_t result);
void *bench_must(void *made);

double bench_ms(clockid_t clock);
/* By the clock, less the time for which this thread waited for a processor. */
double bench_now(void);
/* The same numbers in every run. */
uint32_t bench_random(uint32_t below);
/* The value that so many of a hundred do not exceed; sorts them. */
double bench_percentile(double *values, size_t count, unsigned percent);
/* `bar`: the most that may be measured; 0: there is none. The name is as for printf. */
__attribute__((format(printf, 4, 5))) void bench_report(double bar, double measured,
                                                        const char *unit, const char *name, ...);

/* The rows; `argv` is what follows the name. */
void bench_store(char **argv);
void bench_bare(char **argv);

#endif
