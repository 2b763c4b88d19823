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

enum signal_bit {
    SIGNAL_BIT_RESIZE = 1,   /* SIGWINCH */
    SIGNAL_BIT_CANCEL = 2,   /* SIGINT: C-c */
    SIGNAL_BIT_STOP = 4,     /* SIGTSTP: C-z */
    SIGNAL_BIT_CONTINUE = 8, /* SIGCONT */
    SIGNAL_BIT_END = 16,     /* SIGTERM, SIGHUP, SIGQUIT */
    SIGNAL_BIT_CHILD = 32,   /* SIGCHLD: a program that was started ended, or stopped */
};

/* Installs the handlers, and blocks; `wait_mask` is what ppoll takes. 0, or -1. */
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

#endif
