/* A temporary store that is filled with JSON lines and removed at the end. */
#ifndef STEMMA_TEST_STORE_FIXTURE_H
#define STEMMA_TEST_STORE_FIXTURE_H

#include "store/db/store.h"
#include "store/txn/writer.h"

#define FIXTURE_NOW INT64_C(1795000000000) /* November 2026 */

struct fixture {
    char directory[256];
    char path[300];
    struct store *store;
    struct reader *reader;
    struct arena arena;
};

void fixture_open(struct fixture *f);
void fixture_close(struct fixture *f);
/* Set-up and tear-down. *state is the fixture. */
int fixture_set_up(void **state);
int fixture_tear_down(void **state);
/* Puts memories, given as JSON lines up to NULL, in one transaction. Replaces a ref that
 * exists. Fails the test on error. */
void fixture_put(struct fixture *f, ...);
void fixture_put_lines(struct fixture *f, const char *const *lines, size_t count);

/* The row of a ref, such as "belief:one". Fails the test if the store does not know it. */
int64_t fixture_row(struct fixture *f, const char *ref);
/* The ref of a row, valid until the fixture is closed. */
const char *fixture_ref(struct fixture *f, int64_t row);

/* Runs SQL on a connection of its own, bypassing the store. */
void fixture_sql(struct fixture *f, const char *sql);

#endif
