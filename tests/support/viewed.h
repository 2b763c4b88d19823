/* A new store and the explorer on it. */
#ifndef STEMMA_TESTS_VIEWED_H
#define STEMMA_TESTS_VIEWED_H

#include "tests/support/script.h"
#include "tests/support/store_fixture.h"

struct viewed {
    struct script script; /* must be first, for at_shot */
    struct fixture fixture;
};

/* Opens an empty store and an explorer for the person sean, for a set-up. */
struct viewed *viewed_open(void);
/* Runs the keys and returns the last frame, which must show the text. Valid until the next run. */
const char *viewed_shows(struct viewed *v, const char *keys, const char *text);
/* A tear-down. */
int viewed_close(void **state);

#endif
