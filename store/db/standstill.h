/*
 * A process that is stopped (C-z) must hold up no other's writing: whoever of it passes a turnstile is
 * counted here, and where a standstill is wanted the process stands still once nobody is within, and
 * nobody enters before it goes on. For all stores of the process.
 */
#ifndef STEMMA_STANDSTILL_H
#define STEMMA_STANDSTILL_H

#include <stdbool.h>

/* Around the time that a turnstile is held, or waited for. Waits while a standstill is wanted. */
void standstill_enter(void);
/* The last one out is who stands still where that is wanted. */
void standstill_leave(void);

/* Who is within and could leave soon does so where this is true. */
bool standstill_wanted(void);
/* Calls `stand` once nobody is within: at once, or in the thread of the last one out, which may hold locks of its own.
 * It returns when the process goes on. Safe in a handler of signals, as `stand` must be. */
void standstill_want(void (*stand)(void));
/* Takes back what has not come to it yet. Safe in a handler too. */
void standstill_unwant(void);
/* The same as standstill_want for who has the time: returns when the process goes on. */
void standstill(void (*stand)(void));

#endif
