/*
 * Giving the terminal back, also when the program cannot go on: what that takes is made ready before
 * it is needed, because a signal's handler may call little more than write, tcflow and tcsetattr. It stands
 * apart from screen.c, for terminfo's header calls macros `lines` and `columns`.
 */
#ifndef STEMMA_RESTORE_H
#define STEMMA_RESTORE_H

#include <stdbool.h>
#include <stddef.h>

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
/* Output that Ctrl-S holds back goes on. A signal's handler may call it. */
void restore_resume(void);
/* Writes all of it, through interruptions. */
void restore_write(int fd, const char *bytes, size_t len);

#endif
