#include "store/db/standstill.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#define LOOK_US 1000 /* between two looks of who waits for the end of one */

enum state {
    GOING,
    WANTED,   /* nobody enters any more */
    STANDING, /* nobody is within */
};

/* Handlers of signals use them: no lock may be taken, and so who waits looks again and again. */
static _Atomic int state = GOING;
static _Atomic int within;
static _Atomic(void (*)(void)) stand_still;

static void wait_a_moment(void)
{
    nanosleep(&(struct timespec){0, LOOK_US * 1000L}, NULL);
}

/*
 * Whoever sees first that nobody is within does it. It is looked once more after that: before it was wanted someone
 * may have entered.
 */
static void settle(void)
{
    int wanted = WANTED;
    while (!atomic_load(&within) && atomic_compare_exchange_strong(&state, &wanted, STANDING)) {
        if (!atomic_load(&within)) {
            atomic_load (&stand_still)();
            atomic_store(&state, GOING);
            return;
        }
        atomic_store(&state, WANTED);
    }
}

/* Counted before it is looked whether one is wanted, as that is said before it is looked who is within. */
void standstill_enter(void)
{
    for (;;) {
        atomic_fetch_add(&within, 1);
        if (atomic_load(&state) == GOING)
            return;
        standstill_leave();
        wait_a_moment();
    }
}

void standstill_leave(void)
{
    atomic_fetch_sub(&within, 1);
    settle();
}

bool standstill_wanted(void)
{
    return atomic_load(&state) != GOING;
}

void standstill_want(void (*stand)(void))
{
    int going = GOING;
    atomic_store(&stand_still, stand);
    if (atomic_compare_exchange_strong(&state, &going, WANTED))
        settle();
}

void standstill_unwant(void)
{
    int wanted = WANTED;
    atomic_compare_exchange_strong(&state, &wanted, GOING);
}

void standstill(void (*stand)(void))
{
    standstill_want(stand);
    while (standstill_wanted())
        wait_a_moment();
}
