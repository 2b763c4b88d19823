/*
 * The turnstile that writers of all processes pass: lock `next`, lock
 * `write`, unlock `next`. Who has just written must queue behind whoever holds `next`, so two
 * processes take turns; a busy timeout alone lets one starve the other.
 *
 * Both are flocks on files beside the store, STORE-next and STORE-write; they end with the process.
 */
#ifndef STEMMA_TURNSTILE_H
#define STEMMA_TURNSTILE_H

#include <stdbool.h>
#include "model/base/error.h"

#define TURNSTILE_WAIT_MS 30000

struct turnstile {
    int next, write; /* descriptors; -1: not open */
    bool passed;     /* it holds `write` */
    /* Asked again and again while it waits: true where nobody wants to any longer. NULL: nobody is asked. */
    bool (*gives_up)(void *arg);
    void *arg;
};
#define TURNSTILE_INIT                                                                             \
    {                                                                                              \
        -1, -1, false, NULL, NULL                                                                  \
    }

/* Opens (and makes, 0600) the two files of the store at `path`. */
int turnstile_open(struct turnstile *t, const char *path, struct error *e);
/* Waits at most `wait_ms`, and no longer than is wanted; ERROR_BUSY after that, with neither lock held, and where the
 * system tells which process holds it up, with its number. Where the process is to stand still (standstill.h), it
 * begins to wait when that goes on. */
int turnstile_enter(struct turnstile *t, int wait_ms, struct error *e);
void turnstile_leave(struct turnstile *t); /* nothing where it was not passed */
void turnstile_close(struct turnstile *t);

#endif
