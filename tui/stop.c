/*
 * The handler only sets a flag and interrupts SQLite, which is another flag. It is installed for
 * one signal of each kind: the second one ends the program as it would any other.
 */
#include "stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include "../store/store.h"

static volatile sig_atomic_t wanted;
static _Atomic(struct reader *) watched;

static void on_signal(int number)
{
    (void)number;
    struct reader *r = atomic_load(&watched);
    wanted = 1;
    if (r)
        reader_interrupt(r); /* sets a flag of the connection */
}

void stop_watch(struct reader *r)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    static bool set;
    atomic_store(&watched, r);
    if (set)
        return;
    set = true;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

bool stop_wanted(void)
{
    return wanted;
}
