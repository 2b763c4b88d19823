/*
 * What can fail under a store, each at a place that a test chooses: memory and the disk. For
 * programs of which no_memory.h speaks, which include this once, after cmocka.h.
 */
#ifndef STEMMA_TESTS_FAULTS_H
#define STEMMA_TESTS_FAULTS_H

#include <sqlite3.h>
#include "store/txn/writer.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/no_memory.h"

enum fault {
    FAULT_DISK_FULL = 0,
    FAULT_DISK_BROKEN,
    FAULT_NO_MEMORY,
    FAULTS
};

/* What comes after the first `nth` allocations or writes fails: one of them, or `all`. */
static inline void fault_begin(enum fault fault, long nth, bool all)
{
    if (fault == FAULT_NO_MEMORY) {
        memory_failures = 0;
        memory_gone = all;
        memory_left = nth;
    } else {
        faulty_disk_break(nth, fault == FAULT_DISK_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE, all);
    }
}

/* All works again. How often something failed. */
static inline long fault_end(enum fault fault)
{
    memory_left = -1;
    return fault == FAULT_NO_MEMORY ? memory_failures : faulty_disk_mend();
}

static inline int fault_nothing(struct txn *t, void *arg, struct error *e)
{
    (void)t, (void)arg, (void)e;
    return 0;
}

/* The writer has the store open: what is tried next fails where it does its work. To open takes more allocations
 * than most that is tried, and is done once by what is tried after it, so that they would hide its own. */
static inline void faults_open_first(struct store *s)
{
    struct error e = {0};
    if (store_run(s, fault_nothing, NULL, &e))
        fail_msg("%s %s", e.what, e.todo);
}

/* ---- SQLite's own allocations ---- */

static sqlite3_mem_methods fault_memory; /* as it was */

static inline void *fault_malloc(int size)
{
    return memory_fails() ? NULL : fault_memory.xMalloc(size);
}

static inline void *fault_realloc(void *old, int size)
{
    return memory_fails() ? NULL : fault_memory.xRealloc(old, size);
}

/* Before any store is opened, and where what is tried bears so many places. */
static inline void faults_install_in_sqlite(void)
{
    sqlite3_mem_methods failing;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &fault_memory), SQLITE_OK);
    failing = fault_memory;
    failing.xMalloc = fault_malloc;
    failing.xRealloc = fault_realloc;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing), SQLITE_OK);
}

#endif
