#include "tui/term/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>
#include "tui/term/restore.h"
#include "tui/term/suspend.h"

static const int asking[] = {SIGWINCH, SIGINT, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};
static const int crashing[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define ASKING   (sizeof(asking) / sizeof(asking[0]))
#define CRASHING (sizeof(crashing) / sizeof(crashing[0]))

static atomic_uint pending;
static volatile sig_atomic_t ended_by;
static int wake[2] = {-1, -1};
static sigset_t mask_before;
static struct sigaction asking_before[ASKING], crashing_before[CRASHING];
static const char *const *doing_last;
static char alternate[64 * 1024];
static pthread_t drawing;         /* the thread that writes to the terminal */
static atomic_bool halted, still; /* another thread crashed; it writes no more */

static unsigned bit_of(int signal)
{
    switch (signal) {
    case SIGWINCH:
        return SIGNAL_BIT_RESIZE;
    case SIGINT:
        return SIGNAL_BIT_CANCEL;
    case SIGTSTP:
        return SIGNAL_BIT_STOP;
    case SIGCONT:
        return SIGNAL_BIT_CONTINUE;
    case SIGCHLD:
        return SIGNAL_BIT_CHILD;
    default:
        return SIGNAL_BIT_END;
    }
}

static void on_asking(int signal)
{
    int saved = errno;
    unsigned bit = bit_of(signal);
    if (bit == SIGNAL_BIT_END) {
        ended_by = signal;
        suspend_no_more();
        restore_resume();
    }
    atomic_fetch_or(&pending, bit);
    ssize_t n = write(wake[1], "", 1);
    (void)n;
    errno = saved;
}

static int open_wake(void)
{
    if (pipe(wake))
        return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(wake[i], F_SETFL, O_NONBLOCK);
        fcntl(wake[i], F_SETFD, FD_CLOEXEC);
    }
    return 0;
}

int signals_open(sigset_t *wait_mask)
{
    struct sigaction action = {.sa_handler = on_asking, .sa_flags = SA_RESTART};
    sigset_t block;
    if (open_wake())
        return -1;
    atomic_store(&pending, 0);
    ended_by = 0;
    sigemptyset(&block);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < ASKING; i++) {
        if (bit_of(asking[i]) != SIGNAL_BIT_END)
            sigaddset(&block, asking[i]);
        sigaction(asking[i], &action, &asking_before[i]);
    }
    pthread_sigmask(SIG_BLOCK, &block, &mask_before);
    *wait_mask = mask_before;
    for (size_t i = 0; i < ASKING; i++)
        sigdelset(wait_mask, asking[i]);
    return 0;
}

void signals_close(void)
{
    for (size_t i = 0; i < ASKING; i++)
        sigaction(asking[i], &asking_before[i], NULL);
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
    close(wake[0]);
    close(wake[1]);
    wake[0] = wake[1] = -1;
}

int signals_fd(void)
{
    return wake[0];
}

unsigned signals_take(void)
{
    char drain[64];
    while (read(wake[0], drain, sizeof(drain)) > 0)
        ;
    return atomic_exchange(&pending, 0);
}

int signals_end(void)
{
    return ended_by;
}

static void say(const char *text)
{
    ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n;
}

static const char *crash_name(int signal)
{
    return signal == SIGSEGV  ? "SIGSEGV"
           : signal == SIGBUS ? "SIGBUS"
           : signal == SIGFPE ? "SIGFPE"
           : signal == SIGILL ? "SIGILL"
                              : "SIGABRT";
}

/*
 * Only the thread that draws can know that no frame follows what restores the terminal: another one that
 * crashes has it stop and restore, and waits for that, a second at most.
 */
static void halt_drawing(int signal)
{
    atomic_store(&halted, true);
    if (pthread_kill(drawing, signal))
        return;
    for (int i = 0; i < 100 && !atomic_load(&still); i++)
        poll(NULL, 0, 10);
}

static void on_crash(int signal)
{
    bool draws = pthread_equal(pthread_self(), drawing);
    if (!draws)
        halt_drawing(signal);
    restore_now();
    if (draws && atomic_load(&halted)) {
        atomic_store(&still, true);
        for (;;) /* until the one that crashed has said so */
            pause();
    }
    say("\nstemma " STEMMA_VERSION " crashed (");
    say(crash_name(signal));
    say("). Your store is safe: what was acknowledged is committed.\n"
        "Please report this line, the version and what you did last: ");
    say(doing_last && *doing_last ? *doing_last : "starting");
    say("\n");
    for (size_t i = 0; i < CRASHING; i++)
        if (crashing[i] == signal)
            sigaction(signal, &crashing_before[i], NULL);
    raise(signal);
}

void signals_guard(const char *const *doing)
{
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    doing_last = doing;
    drawing = pthread_self();
    /* In the background the terminal would stop it otherwise, and it would not come to its end. */
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < CRASHING; i++)
        sigdelset(&action.sa_mask, crashing[i]);
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < CRASHING; i++)
        sigaction(crashing[i], &action, &crashing_before[i]);
}

void signals_unguard(void)
{
    for (size_t i = 0; i < CRASHING; i++)
        sigaction(crashing[i], &crashing_before[i], NULL);
    doing_last = NULL;
}
