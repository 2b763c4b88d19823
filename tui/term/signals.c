#include "tui/term/signals.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <term.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include "store/db/store_file.h"
#include "store/db/thread.h"
#include "store/platform/platform.h"

static void restore_resume(void);

static const int asking[] = {SIGWINCH, SIGINT, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};
static const int crashing[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define ASKING   (sizeof(asking) / sizeof(asking[0]))
#define CRASHING (sizeof(crashing) / sizeof(crashing[0]))

static atomic_uint pending;
static volatile sig_atomic_t ended_by;
static struct wakeup wake = {-1, -1};
static sigset_t mask_before;
static struct sigaction asking_before[ASKING], crashing_before[CRASHING];
static const char *const *doing_last;
static pthread_t screen_thread;
static char alternate[64 * 1024];

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
        suspend_disable();
        restore_resume();
    }
    atomic_fetch_or(&pending, bit);
    wakeup_send(&wake);
    errno = saved;
}

int signals_open(sigset_t *wait_mask)
{
    struct sigaction action = {.sa_handler = on_asking, .sa_flags = SA_RESTART};
    sigset_t block;
    if (wakeup_open(&wake))
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
    wakeup_close(&wake);
}

int signals_fd(void)
{
    return wake.fd;
}

unsigned signals_take(void)
{
    wakeup_take(&wake);
    return atomic_exchange(&pending, 0);
}

int signals_end(void)
{
    return ended_by;
}

static void write_stderr(const char *text)
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
 * The terminal belongs to the screen thread. Another thread that crashes forwards its signal to that thread and waits,
 * so that no frame is written after the terminal is restored.
 */
static void on_crash(int signal)
{
    if (!pthread_equal(pthread_self(), screen_thread) && pthread_kill(screen_thread, signal) == 0)
        for (;;)
            pause();
    restore_now();
    write_stderr("\nstemma " STEMMA_VERSION " crashed (");
    write_stderr(crash_name(signal));
    write_stderr("). Your store is safe: what was acknowledged is committed.\n"
                 "Please report this line, the version and what you did last: ");
    write_stderr(doing_last && *doing_last ? *doing_last : "starting");
    write_stderr("\n");
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
    screen_thread = pthread_self();
    /* Otherwise the terminal would stop a background process before it can end. */
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

#define UPDATE_END "\033[?2026l"

static struct {
    volatile sig_atomic_t armed, updating;
    int fd;
    struct termios modes;
    char bytes[256];
    size_t len;
} restoring = {.fd = -1};

int restore_remember(int fd)
{
    restoring.fd = fd;
    return tcgetattr(fd, &restoring.modes);
}

static void add(const char *bytes)
{
    size_t len = bytes && bytes != (char *)-1 ? strlen(bytes) : 0;
    if (len == 0 || restoring.len + len > sizeof(restoring.bytes))
        return;
    memcpy(restoring.bytes + restoring.len, bytes, len);
    restoring.len += len;
}

bool restore_arm(void)
{
    if (!cursor_address || !clear_screen)
        return false;
    restoring.len = 0;
    /* End bracketed paste and every kind of mouse report. */
    add("\033[?2004l\033[?1006l\033[?1002l\033[?1000l");
    add(exit_attribute_mode);
    add(orig_pair);
    add(cursor_normal);
    add(exit_ca_mode);
    add(keypad_local);
    restoring.armed = 1;
    return true;
}

bool restore_is_armed(void)
{
    return restoring.armed;
}

void restore_disarm(void)
{
    restoring.armed = 0;
}

void restore_updating(bool updating)
{
    restoring.updating = updating;
}

void restore_now(void)
{
    if (!restoring.armed)
        return;
    restoring.armed = 0;
    restore_resume();
    if (restoring.updating)
        restore_write(restoring.fd, UPDATE_END, sizeof(UPDATE_END) - 1);
    restore_write(restoring.fd, restoring.bytes, restoring.len);
    if (!restore_in_background())
        tcsetattr(restoring.fd, TCSANOW, &restoring.modes);
}

/* Not with stdio: it may allocate, and another thread may hold its lock. */
void restore_out_of_memory(void)
{
    restore_now();
    write_stderr("stemma: out of memory\n");
}

/* tcgetpgrp fails if this is not the controlling terminal; then no job control applies. */
bool restore_in_background(void)
{
    pid_t foreground = tcgetpgrp(restoring.fd);
    return foreground >= 0 && foreground != getpgrp();
}

/* TCOON resumes only output that TCOOFF stopped. So stop it that way first, also if Ctrl-S has stopped it. */
static void restore_resume(void)
{
    if (restore_in_background())
        return;
    tcflow(restoring.fd, TCOOFF);
    tcflow(restoring.fd, TCOON);
}

void restore_write(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, 1000);
        } else if (n < 0 && errno != EINTR) {
            return;
        } else if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
}

#define TELL_MS 1000 /* a wait for the batch in hand that a person is told of */
#define TERMINAL_MS                                                                                \
    2000 /* the longest wait in a thread that accesses the terminal from the background */

/* C-z, and the signals for background jobs that write to the terminal or read it. */
static const int stopping[] = {SIGTSTP, SIGTTOU, SIGTTIN};

static atomic_bool ending; /* set by suspend_disable */

static void ignore_terminal_stops(void)
{
    signal(SIGTTOU, SIG_IGN);
    signal(SIGTTIN, SIG_IGN);
}

/* Stops the whole process with the default action of `signal`. Writes are paused, and go on afterwards. */
static void stop(int signal)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours = usual;
    sigset_t block, before;
    sigaction(signal, &usual, &ours);
    sigemptyset(&block);
    sigaddset(&block, signal);
    raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &block, &before);
    /* The process is stopped here until SIGCONT. */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(signal, &ours, NULL);
    store_writes_resume();
    if (atomic_load(&ending)) /* it was asked to end while it was stopped */
        ignore_terminal_stops();
}

static void sleep_1ms(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* Returns false if the process is asked to end. */
static bool wait_for_writes(void)
{
    int64_t tell_at = monotonic_ms() + TELL_MS;
    while (!store_writes_pause(0)) {
        if (atomic_load(&ending))
            return false;
        if (monotonic_ms() >= tell_at) {
            tell_at = INT64_MAX;
            if (!restore_in_background())
                write_stderr("stemma: waiting for the store\n");
        }
        sleep_1ms();
    }
    return true;
}

bool suspend_now(int signal)
{
    sigset_t waiting;
    if (!wait_for_writes()) {
        store_writes_resume();
        return false;
    }
    stop(signal);
    return sigpending(&waiting) == 0 && sigismember(&waiting, SIGCONT) == 1;
}

void suspend_disable(void)
{
    atomic_store(&ending, true);
    ignore_terminal_stops();
    store_writes_resume(); /* a stop that waits for the batch in hand is canceled */
}

/*
 * While a batch is in hand it returns, and the signal comes again after the batch. A terminal access from the
 * background is restarted and raises the signal again at once. If a bulk load waits for this thread it would never end,
 * so this wait has a limit.
 */
static void on_stop(int signal)
{
    static atomic_int waited;
    int saved = errno;
    if (store_writes_pause(signal) || (signal != SIGTSTP && atomic_load(&waited) >= TERMINAL_MS)) {
        atomic_store(&waited, 0);
        stop(signal);
    } else {
        atomic_fetch_add(&waited, 1);
        sleep_1ms();
    }
    errno = saved;
}

void suspend_watch(void)
{
    for (size_t i = 0; i < sizeof(stopping) / sizeof(stopping[0]); i++) {
        struct sigaction before, action = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        if (sigaction(stopping[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(stopping[i], &action, NULL);
    }
}
