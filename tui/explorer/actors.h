/*
 * Who did something in the store: the names that its events are signed with, people's and agents', for who chooses one
 * of them. The worker reads them when they are asked for, and of the journal each part once.
 */
#ifndef STEMMA_ACTORS_H
#define STEMMA_ACTORS_H

#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"

struct app;

struct actors {
    struct arena arena;
    const char **name; /* [count] raw text, in their order (strcmp) */
    size_t count, alloc;
    void (*more)(struct app *x);
    int64_t seq; /* the event up to which the journal was read */
};

/* Begins to read what came since; `more` is called whenever there are more. */
void actors_read(struct app *x, void (*more)(struct app *x));
/* For the worker is gone by then. */
void actors_release(struct app *x);

#endif
