/*
 * Signals: what asks for something becomes a bit and wakes the loop; what ends the program by
 * mistake restores the terminal first.
 *
 * The main thread takes them all (store/db/thread.h), and blocks the first kind except while it waits. Those
 * that end the program it never blocks: it may stand in a write to a terminal that Ctrl-S has stopped,
 * and only the handler can have that go on.
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
    SIGNAL_BIT_CHILD = 32,   /* SIGCHLD: a program that was started ended, or stopped */
};

/* Installs the handlers, and blocks; `wait_mask` is what platform_poll takes. 0, or -1. */
int signals_open(sigset_t *wait_mask);
/* Puts back the handlers and the mask that were there before. */
void signals_close(void);
/* Becomes readable when a signal came. */
int signals_fd(void);
/* The bits since the last call, cleared. */
unsigned signals_take(void);
/* The number of the signal that asked to end, 0: none did. */
int signals_end(void);

/*
 * Restores the terminal and says what to report when the program crashes (SIGSEGV, SIGBUS, SIGFPE,
 * SIGILL, SIGABRT); then the signal does what it did before. `doing` names, for the report, what was
 * done last; it must live as long as the program.
 */
void signals_guard(const char *const *doing);
void signals_unguard(void);

/*
 * Giving the terminal back, also when the program cannot go on: what that takes is made ready before
 * it is needed, because a signal's handler may call little more than write, tcflow and tcsetattr. It stands
 * apart from screen.c, for terminfo's header calls macros `lines` and `columns`.
 */

/* Keeps the modes that the terminal `fd` has now, for restore_now to put back. -1: it has none. */
int restore_remember(int fd);
/* From here on restore_now does something. Called after newterm; false where the terminal cannot
 * move its cursor or clear itself. */
bool restore_arm(void);
void restore_disarm(void);
/* What it shows is still to be restored. */
bool restore_is_armed(void);
/* A synchronized update has begun, or ended: a restoration within one ends it. */
void restore_updating(bool updating);
/* Restores it with nothing but write, tcflow and tcsetattr. Once; nothing where it is not armed. The modes of a
 * terminal that is another job's are that job's. */
void restore_now(void);

/* Has another job the terminal, and this one is in the background? A signal's handler may call it. */
bool restore_is_anothers(void);
/* Writes all of it, through interruptions. */
void restore_write(int fd, const char *bytes, size_t len);

/*
 * Being stopped by the terminal (C-z; in the background what reads it or sets it): the process ends what it is writing
 * first, for what is stopped within a transaction keeps every other process from writing until it goes on.
 */

/* From here on SIGTSTP, SIGTTOU and SIGTTIN do so, where they are not ignored. Nothing waits for it: work that is not
 * writing goes on until then. */
void suspend_watch(void);

/* Stops by that signal, SIGSTOP too; returns when the process goes on. False where it was not stopped: one that no
 * process could continue the system does not stop. For who blocks SIGCONT in every thread. */
bool suspend_now(int signal);
/* The process is to end: a stop that has not come yet is taken back, and the terminal stops it no more. Safe in a
 * handler of signals. */
void suspend_no_more(void);

#endif
