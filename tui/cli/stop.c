/* Handles signals that ask a command to stop, and writes the progress line. */
#include "tui/cli/stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "store/db/store.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"
#include "tui/text/times.h"

/*
 * The handler only sets a flag and interrupts SQLite, which sets another flag. It is reset after one signal of each
 * kind, so the second ends the program as usual.
 */

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

int stop_check(const char *what, struct error *e)
{
    return wanted ? error_set(e, ERROR_INTERRUPTED, "Run it again to complete it.",
                              "the %s was interrupted", what)
                  : 0;
}

int stop_poll(struct pollfd *fds, unsigned long count, int timeout)
{
    sigset_t ours, before;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGHUP);
    /* A signal between checking the flag and going to sleep must not be lost. */
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    int result = -1;
    errno = EINTR;
    if (!wanted)
        result = platform_poll(fds, count, timeout, &before);
    int saved = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return result;
}

#define EVERY 100 /* ms between updates and before the first, so that short work shows no line */

void progress_begin(struct progress *p, const char *doing)
{
    const char *term = getenv("TERM");
    *p = (struct progress){.doing = doing, .shown = isatty(STDERR_FILENO)};
    if (!term || strcmp(term, "dumb") == 0) /* it cannot rewrite a line */
        p->shown = false;
    p->began = monotonic_ms();
    p->next = p->began + EVERY;
}

int progress_tick(struct progress *p, int64_t done, int64_t total)
{
    int64_t now = monotonic_ms();
    if (p->shown && now >= p->next) {
        AUTO_STRBUF words = STRBUF_INIT;
        p->next = now + EVERY;
        p->written = true;
        progress_add(&words, done, total, p->is_bytes, now - p->began);
        fprintf(stderr, "\r\033[K%s: %s  Ctrl-C stops", p->doing, words.buf);
        fflush(stderr);
    }
    return stop_wanted();
}

void progress_end(struct progress *p)
{
    if (p->written)
        fputs("\r\033[K", stderr);
    p->written = false;
}
