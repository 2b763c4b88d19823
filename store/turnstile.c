#include "turnstile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
#include "../model/alloc.h"
#include "monotonic.h"

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

/*
 * flock has no time limit, so it is asked again and again, at most 2 ms apart. The turns do not
 * depend on it: nobody passes whoever holds `next`.
 */
static int lock_until(const struct turnstile *t, int fd, int64_t deadline)
{
    for (long pause = 50;; pause = pause < 1600 ? pause * 2 : 2000) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return 0;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return -1;
        bool unwanted = t->gives_up && t->gives_up(t->arg);
        if (unwanted || monotonic_us() >= deadline) {
            errno = unwanted ? ECANCELED : ETIMEDOUT;
            return -1;
        }
        nanosleep(&(struct timespec){0, pause * 1000}, NULL);
    }
}

int turnstile_enter(struct turnstile *t, int wait_ms, struct error *e)
{
    int64_t deadline = monotonic_us() + (int64_t)wait_ms * 1000;
    int entered = lock_until(t, t->next, deadline);
    if (entered == 0) {
        entered = lock_until(t, t->write, deadline);
        int saved = errno;
        flock(t->next, LOCK_UN);
        errno = saved;
    }
    if (entered == 0)
        return 0;
    if (errno == ETIMEDOUT)
        return error_set(e, ERROR_BUSY, "Wait for it to finish, then try again.",
                         "another process has been writing to the store for %d s",
                         (wait_ms + 999) / 1000);
    if (errno == ECANCELED)
        return error_set(e, ERROR_BUSY, "Try again later.",
                         "another process was writing to the store, and this one had to go on");
    return error_set(e, ERROR_STORE, "Check the file system: it must support flock.",
                     "cannot lock the store: %s", strerror(errno));
}

void turnstile_leave(struct turnstile *t)
{
    flock(t->write, LOCK_UN);
}

void turnstile_close(struct turnstile *t)
{
    if (t->next >= 0)
        close(t->next);
    if (t->write >= 0)
        close(t->write);
    t->next = t->write = -1;
}
