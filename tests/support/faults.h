/* A disk that fails at a place that a test chooses. */
#ifndef STEMMA_TESTS_FAULTS_H
#define STEMMA_TESTS_FAULTS_H

#include <sqlite3.h>
#include "store/txn/writer.h"
#include "tests/support/faulty_disk.h"

enum fault {
    FAULT_DISK_FULL = 0,
    FAULT_DISK_BROKEN,
    FAULTS
};

/* After the first `nth` writes, fails one write, or with `all` every write. */
static inline void fault_begin(enum fault fault, long nth, bool all)
{
    faulty_disk_break(nth, fault == FAULT_DISK_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE, all);
}

static inline int fault_nothing(struct txn *t, void *arg, struct error *e)
{
    (void)t, (void)arg, (void)e;
    return 0;
}

/* Makes the writer open the store, so that a later fault hits the work and not the opening. */
static inline void faults_open_first(struct store *s)
{
    struct error e = {0};
    if (store_run(s, fault_nothing, NULL, &e))
        fail_msg("%s %s", e.what, e.hint);
}

#endif
