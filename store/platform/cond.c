/* Waits for a condition by the monotonic clock; macOS has no pthread_condattr_setclock. */
#include "store/platform/platform.h"

#include <time.h>

#ifdef __APPLE__

void platform_cond_init(pthread_cond_t *cond)
{
    pthread_cond_init(cond, NULL);
}

int platform_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = until - ((int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    struct timespec wait = {left > 0 ? left / 1000 : 0, left > 0 ? left % 1000 * 1000000 : 0};
    return pthread_cond_timedwait_relative_np(cond, lock, &wait);
}

#else

void platform_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

int platform_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until)
{
    struct timespec due = {until / 1000, until % 1000 * 1000000};
    return pthread_cond_timedwait(cond, lock, &due);
}

#endif
