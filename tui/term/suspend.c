#include "tui/term/suspend.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include "store/db/standstill.h"

/* C-z, and what a job in the background gets that reads the terminal or sets it. */
static const int stopping[] = {SIGTSTP, SIGTTOU, SIGTTIN};

static _Atomic int asked;     /* which it stops by */
static atomic_bool unstopped; /* until it stops SIGTTOU is ignored */
static atomic_bool ending;    /* the terminal stops it no more */

static void on_stop(int signal, siginfo_t *info, void *context);

static void handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

/*
 * What a job in the background writes to the terminal begins anew behind the handler: where it cannot stop yet that
 * would be so for ever. Ignored, the writing passes.
 */
static void let_output_pass(void)
{
    atomic_store(&unstopped, true);
    signal(SIGTTOU, SIG_IGN);
}

static void stop_output(void)
{
    if (atomic_exchange(&unstopped, false))
        handle(SIGTTOU, on_stop);
}

static void let_terminal_pass(void)
{
    signal(SIGTTOU, SIG_IGN);
    signal(SIGTTIN, SIG_IGN);
}

/* In whatever thread: the process stops as a whole, and as it would have by itself. */
static void stop(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours = usual;
    sigset_t block, before;
    int signal = atomic_load(&asked);
    stop_output();
    sigaction(signal, &usual, &ours);
    sigemptyset(&block);
    sigaddset(&block, signal);
    raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &block, &before);
    /* Here it stands still until SIGCONT. */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(signal, &ours, NULL);
    if (atomic_load(&ending)) /* which it was asked as it went on */
        let_terminal_pass();
}

bool suspend_now(int signal)
{
    sigset_t pending;
    atomic_store(&asked, signal);
    standstill(stop);
    return sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1;
}

void suspend_no_more(void)
{
    atomic_store(&ending, true);
    standstill_unwant();
    let_terminal_pass();
}

static void on_stop(int signal, siginfo_t *info, void *context)
{
    (void)context;
    int saved = errno;
    atomic_store(&asked, signal);
    standstill_want(stop);
    /* The terminal's, not a process's, which would be asked only once. */
    if (signal == SIGTTOU && info->si_code == SI_KERNEL && standstill_wanted())
        let_output_pass();
    errno = saved;
}

/* It was continued before it came to stopping. */
static void on_continue(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    (void)context;
    standstill_unwant();
    stop_output();
}

static void watch(int signal, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction before;
    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        handle(signal, handler);
}

void suspend_watch(void)
{
    for (size_t i = 0; i < sizeof(stopping) / sizeof(stopping[0]); i++)
        watch(stopping[i], on_stop);
    watch(SIGCONT, on_continue);
}
