/* A store in a directory of its own, for tests: filled by exchange lines, closed and removed. */
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
/* The same around a test: *state is its fixture. */
int fixture_set_up(void **state);
int fixture_tear_down(void **state);
#define WITH_FIXTURE(test_)                                                                        \
    cmocka_unit_test_setup_teardown(test_, fixture_set_up, fixture_tear_down)

/* Puts one memory given as an exchange line; as many as are given up to NULL, in one transaction. A
 * ref that is there is replaced. Fails the test on error. */
void fixture_put(struct fixture *f, ...);
void fixture_put_lines(struct fixture *f, const char *const *lines, size_t count);

/* The row of a ref, as "belief:one"; fails the test where it was never named. */
int64_t fixture_row(struct fixture *f, const char *ref);
/* The ref of a row; valid until the fixture is closed. */
const char *fixture_ref(struct fixture *f, int64_t row);

/* SQL behind the store's back, on a connection of its own. */
void fixture_sql(struct fixture *f, const char *sql);

#endif
