/* A store of a test's own and the explorer on it. */
#ifndef STEMMA_TESTS_VIEWED_H
#define STEMMA_TESTS_VIEWED_H

#include "tests/support/script.h"
#include "tests/support/store_fixture.h"

struct viewed {
    struct script script; /* first: at_shot is handed it */
    struct fixture fixture;
};

/* Both open and empty; sean looks. For a set-up, which leaves it as the test's state. */
struct viewed *viewed_open(void);
/* Runs the keys; the last frame, which shows the text, until the next run. */
const char *viewed_shows(struct viewed *v, const char *keys, const char *text);
/* A tear-down. */
int viewed_close(void **state);

#endif
