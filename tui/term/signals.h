/*
 * Signals: a request (resize, cancel, suspend, end) sets a bit and wakes the main loop; a crash restores the terminal
 * before the program dies.
 *
 * The main thread receives all signals (store/db/thread.h). It blocks requests except while it waits. It never blocks
 * those that end the program: it may hang in a write to a terminal that Ctrl-S has stopped, and only the handler can
 * resume the output.
 */
#ifndef STEMMA_SIGNALS_H
#define STEMMA_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum signal_bit {
    SIGNAL_BIT_RESIZE = 1,   /* SIGWINCH */
    SIGNAL_BIT_CANCEL = 2,   /* SIGINT: C-c */
    SIGNAL_BIT_STOP = 4,     /* SIGTSTP: C-z */
    SIGNAL_BIT_CONTINUE = 8, /* SIGCONT */
    SIGNAL_BIT_END = 16,     /* SIGTERM, SIGHUP, SIGQUIT */
    SIGNAL_BIT_CHILD = 32,   /* SIGCHLD: a child process ended or stopped */
};

/* Installs the handlers and blocks the requests. Pass `wait_mask` to platform_poll. Returns 0 or -1. */
int signals_open(sigset_t *wait_mask);
/* Restores the previous handlers and mask. */
void signals_close(void);
/* A descriptor that becomes readable when a signal arrives. */
int signals_fd(void);
/* Returns the bits that were set since the last call, and clears them. */
unsigned signals_take(void);
/* The number of the signal that asked to end, or 0. */
int signals_end(void);

/*
 * On a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) restores the terminal and prints what to report, then lets the
 * signal take its previous effect. *doing names the last action for that report; it must live as long as the program.
 */
void signals_guard(const char *const *doing);
void signals_unguard(void);

/*
 * Restoring the terminal, also from a signal handler, which may call little more than write, tcflow and tcsetattr. So
 * the bytes and modes are prepared in advance. This is not in screen.c because terminfo's header defines macros called
 * `lines` and `columns`.
 */

/* Saves the current modes of the terminal `fd` for restore_now. Returns -1 if `fd` is no terminal. */
int restore_remember(int fd);
/* Prepares and enables restore_now. Call it after newterm. Returns false if the terminal cannot move its cursor or
 * clear itself. */
bool restore_arm(void);
void restore_disarm(void);
/* Whether the terminal still has to be restored. */
bool restore_is_armed(void);
/* Tells whether a synchronized update is open; restore_now then closes it first. */
void restore_updating(bool updating);
/* Restores the terminal; async-signal-safe. Does nothing if it is not armed, or a second time. In the background it
 * leaves the modes alone: they belong to the foreground job. */
void restore_now(void);
/* For alloc_on_failure: restores the terminal and says on stderr why the program ends. */
void restore_out_of_memory(void);

/* Whether another job has the terminal and this process is in the background. Async-signal-safe. */
bool restore_in_background(void);
/* Writes all bytes; retries after EINTR and EAGAIN. */
void restore_write(int fd, const char *bytes, size_t len);

/*
 * Suspending (C-z, or terminal access from the background). A process that is stopped within a transaction would block
 * the writers of all other processes, so a stop waits until the current batch is committed. The wait has
 * no limit, except in a thread that a bulk load needs and that accesses the terminal from the background.
 */

/* Installs handlers for SIGTSTP, SIGTTOU and SIGTTIN, except for those that are ignored. All threads continue until
 * the batch is committed: it may need any of them. */
void suspend_watch(void);

/* Stops the process by `signal` (SIGSTOP, too) and returns when it continues. The caller waits for the current
 * batch, so it must hold nothing that a batch needs. Returns false if the process was not stopped: it is asked to
 * end, or its process group is orphaned, and no shell could continue it. SIGCONT must be blocked in every thread. */
bool suspend_now(int signal);
/* Call this when the process is about to end: cancels a pending stop, and keeps the terminal from stopping it again.
 * Async-signal-safe. */
void suspend_disable(void);

#endif
