/* Starts threads, and reads the monotonic clock. */
#include "store/db/thread.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>
#include "store/platform/platform.h"

static const int crashing[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *arg)
{
    sigset_t block, before;
    sigfillset(&block);
    for (size_t i = 0; i < sizeof(crashing) / sizeof(crashing[0]); i++)
        sigdelset(&block, crashing[i]);
    pthread_sigmask(SIG_SETMASK, &block, &before);
    int failed = pthread_create(thread, NULL, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        platform_name_thread(*thread, name);
    return failed;
}

int64_t monotonic_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t monotonic_ms(void)
{
    return monotonic_us() / 1000;
}
