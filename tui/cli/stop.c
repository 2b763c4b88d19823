/*
 * The handler only sets a flag and interrupts SQLite, which is another flag. It is installed for
 * one signal of each kind: the second one ends the program as it would any other.
 */
#include "tui/cli/stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include "store/db/store.h"

static volatile sig_atomic_t wanted;
static _Atomic(struct reader *) watched;

static void on_signal(int number)
{
    (void)number;
    struct reader *r = atomic_load(&watched);
    wanted = 1;
    if (r)
        reader_interrupt(r); /* sets a flag of the connection */
}

void stop_watch(struct reader *r)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    static bool set;
    atomic_store(&watched, r);
    if (set)
        return;
    set = true;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

bool stop_wanted(void)
{
    return wanted;
}

int stop_poll(struct pollfd *fds, unsigned long count, int timeout)
{
    sigset_t ours, before;
    struct timespec wait = {timeout / 1000, (long)(timeout % 1000) * 1000000};
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGHUP);
    /* Between looking at the flag and going to sleep nothing may come unseen. */
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    int result = -1;
    errno = EINTR;
    if (!wanted)
        result = ppoll(fds, count, timeout < 0 ? NULL : &wait, &before);
    int saved = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return result;
}
