/*
 * Being stopped by the terminal (C-z; in the background what reads it or sets it): the process ends what it is writing
 * first, for what is stopped within a transaction keeps every other process from writing until it goes on.
 */
#ifndef STEMMA_SUSPEND_H
#define STEMMA_SUSPEND_H

#include <stdbool.h>

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
