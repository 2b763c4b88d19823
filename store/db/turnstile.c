#include "store/db/turnstile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/lock_holder.h"
#include "store/db/monotonic.h"
#include "store/db/standstill.h"

static int open_lock(const char *path, const char *suffix, struct error *e)
{
    char *name = xformat("%s%s", path, suffix);
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        error_set(e, errno == EACCES || errno == EROFS ? ERROR_REFUSED : ERROR_STORE,
                  "Check the permissions of the store's directory.", "cannot write %s: %s", name,
                  strerror(errno));
    free(name);
    return fd;
}

int turnstile_open(struct turnstile *t, const char *path, struct error *e)
{
    t->next = open_lock(path, "-next", e);
    t->write = t->next < 0 ? -1 : open_lock(path, "-write", e);
    if (t->write >= 0)
        return 0;
    turnstile_close(t);
    return -1;
}

#define TO_STAND_STILL EOWNERDEAD /* which flock never says */

/*
 * flock has no time limit, so it is asked again and again, at most 2 ms apart. The turns do not
 * depend on it: nobody passes whoever holds `next`. TO_STAND_STILL: the process does that first.
 */
static int lock_until(const struct turnstile *t, int fd, int64_t deadline)
{
    for (long pause = 50;; pause = pause < 1600 ? pause * 2 : 2000) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return 0;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return -1;
        if (standstill_wanted()) {
            errno = TO_STAND_STILL;
            return -1;
        }
        bool unwanted = t->gives_up && t->gives_up(t->arg);
        if (unwanted || monotonic_us() >= deadline) {
            errno = unwanted ? ECANCELED : ETIMEDOUT;
            return -1;
        }
        nanosleep(&(struct timespec){0, pause * 1000}, NULL);
    }
}

/* Both, one after the other; neither after -1. */
static int pass(const struct turnstile *t, int64_t deadline)
{
    int passed = lock_until(t, t->next, deadline);
    if (passed == 0) {
        passed = lock_until(t, t->write, deadline);
        int saved = errno;
        flock(t->next, LOCK_UN);
        errno = saved;
    }
    return passed;
}

/* Who passed it last holds `write`; only where nobody does, who stands in it holds the others up. */
static int say_busy(const struct turnstile *t, int wait_ms, struct error *e)
{
    int seconds = (wait_ms + 999) / 1000;
    bool stopped;
    pid_t pid = lock_holder(t->write, &stopped);
    if (!pid)
        pid = lock_holder(t->next, &stopped);
    if (pid && stopped) {
        error_set(e, ERROR_BUSY, "", "process %d, which is stopped, keeps others from writing",
                  (int)pid);
        snprintf(e->todo, sizeof(e->todo), "Let it go on (fg, or kill -CONT %d), then try again.",
                 (int)pid);
        return -1;
    }
    if (pid)
        return error_set(e, ERROR_BUSY, "Wait for it to finish, then try again.",
                         "process %d has been writing to the store for %d s", (int)pid, seconds);
    return error_set(e, ERROR_BUSY, "Wait for it to finish, then try again.",
                     "another process has been writing to the store for %d s", seconds);
}

int turnstile_enter(struct turnstile *t, int wait_ms, struct error *e)
{
    int passed;
    do { /* how long the process stood still does not count */
        standstill_enter();
        passed = pass(t, monotonic_us() + (int64_t)wait_ms * 1000);
        int saved = errno;
        t->passed = passed == 0;
        if (passed)
            standstill_leave();
        errno = saved;
    } while (passed && errno == TO_STAND_STILL);
    if (passed == 0)
        return 0;
    if (errno == ETIMEDOUT)
        return say_busy(t, wait_ms, e);
    if (errno == ECANCELED)
        return error_set(e, ERROR_BUSY, "Try again later.",
                         "another process was writing to the store, and this one had to go on");
    return error_set(e, ERROR_STORE, "Check the file system: it must support flock.",
                     "cannot lock the store: %s", strerror(errno));
}

void turnstile_leave(struct turnstile *t)
{
    if (!t->passed)
        return;
    flock(t->write, LOCK_UN);
    t->passed = false;
    standstill_leave();
}

void turnstile_close(struct turnstile *t)
{
    turnstile_leave(t);
    if (t->next >= 0)
        close(t->next);
    if (t->write >= 0)
        close(t->write);
    t->next = t->write = -1;
}
