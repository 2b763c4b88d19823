/* Threads. Signals are the main thread's: what one asks for is known to it before it does anything more. */
#ifndef STEMMA_THREAD_H
#define STEMMA_THREAD_H

#include <pthread.h>
#include <stdint.h>

/* Starts one that takes no signal but its own crash, as do those that it starts; `name` has 15 bytes at most. 0, or
 * what errno would be. */
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *arg);

/* The clock that nobody sets: for how long something took and when something is due, never for when. */

int64_t monotonic_us(void);
int64_t monotonic_ms(void);

#endif
