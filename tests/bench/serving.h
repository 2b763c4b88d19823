/* The server that is measured: starting it, greeting it, and what it takes of the machine. */
#ifndef STEMMA_BENCH_SERVING_H
#define STEMMA_BENCH_SERVING_H

#include <sys/types.h>

extern const char serving_hello[]; /* the first line of a client */

/*
 * Keeps the processors from sleeping until this program ends, and says so, or why it could not: who waits for an answer
 * sleeps, and where a machine is virtual each waking may take longer than the answer, of an echo as of a server.
 */
void serving_keep_awake(void);
/* `program serve` on that store; `path` is its socket. */
pid_t serving_start(const char *program, const char *store, char path[200]);
/* A connection that was greeted. */
int serving_greet(const char *path);

double serving_resident_mb(pid_t pid, const char *field); /* "VmRSS:" */
/* Processor time of all threads of the process so far. */
double serving_worked_ms(pid_t pid);
/* What the process waited for a processor that others had, which is not its own. */
double serving_waited_ms(pid_t pid);

#endif
