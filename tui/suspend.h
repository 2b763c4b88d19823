/*
 * Being stopped from the terminal (C-z, SIGTSTP): the process ends what it is writing first, for what is
 * stopped within a transaction keeps every other process from writing until it goes on.
 */
#ifndef STEMMA_SUSPEND_H
#define STEMMA_SUSPEND_H

/* From here on SIGTSTP does so, where it is not ignored. Nothing waits for it: work that is not writing goes on until
 * then. */
void suspend_watch(void);

/* Stops by SIGTSTP, or by SIGSTOP; returns when the process goes on. */
void suspend_now(int signal);

#endif
