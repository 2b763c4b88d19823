/* Threads without signals, and the monotonic clock. Only the main thread handles signals. */
#ifndef STEMMA_THREAD_H
#define STEMMA_THREAD_H

#include <pthread.h>
#include <stdint.h>

/*
 * Starts a thread that blocks all signals except those of a crash; threads that it starts inherit
 * this. `name` has at most 15 bytes. Returns 0, or an errno.
 */
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *arg);

/* CLOCK_MONOTONIC, for durations and deadlines, never for a time of day. */
int64_t monotonic_us(void);
int64_t monotonic_ms(void);

#endif
