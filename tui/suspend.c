#include "suspend.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include "../store/standstill.h"

/* C-z, and what a job in the background gets that reads the terminal or sets it. */
static const int stopping[] = {SIGTSTP, SIGTTOU, SIGTTIN};

static _Atomic int asked; /* which it stops by */

/* In whatever thread: the process stops as a whole, and as it would have by itself. */
static void stop(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours = usual;
    sigset_t block, before;
    int signal = atomic_load(&asked);
    sigaction(signal, &usual, &ours);
    sigemptyset(&block);
    sigaddset(&block, signal);
    raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &block, &before);
    /* Here it stands still until SIGCONT. */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(signal, &ours, NULL);
}

void suspend_now(int signal)
{
    atomic_store(&asked, signal);
    standstill(stop);
}

static void on_stop(int signal)
{
    int saved = errno;
    atomic_store(&asked, signal);
    standstill_want(stop);
    errno = saved;
}

/* It was continued before it came to stopping. */
static void on_continue(int signal)
{
    (void)signal;
    standstill_unwant();
}

static void handle(int signal, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal, &action, NULL);
}

void suspend_watch(void)
{
    for (size_t i = 0; i < sizeof(stopping) / sizeof(stopping[0]); i++)
        handle(stopping[i], on_stop);
    handle(SIGCONT, on_continue);
}
