#include "suspend.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include "../store/standstill.h"

/* In whatever thread: the process stops as a whole, and as it would have by itself. */
static void stop_by_terminal(void)
{
    struct sigaction ours, usual = {.sa_handler = SIG_DFL};
    sigset_t stop, before;
    sigaction(SIGTSTP, &usual, &ours);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    raise(SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &before);
    /* Here it stands still until SIGCONT. */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGTSTP, &ours, NULL);
}

static void stop_for_certain(void)
{
    raise(SIGSTOP);
}

void suspend_now(int signal)
{
    standstill(signal == SIGSTOP ? stop_for_certain : stop_by_terminal);
}

static void on_stop(int signal)
{
    int saved = errno;
    (void)signal;
    standstill_want(stop_by_terminal);
    errno = saved;
}

/* It was continued before it came to stopping. */
static void on_continue(int signal)
{
    (void)signal;
    standstill_unwant();
}

void suspend_watch(void)
{
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = SA_RESTART}, before;
    if (sigaction(SIGTSTP, NULL, &before) || before.sa_handler == SIG_IGN)
        return;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTSTP, &action, NULL);
    action.sa_handler = on_continue;
    sigaction(SIGCONT, &action, NULL);
}
