/* The write lock of a store, as another program would hold it. Other writers wait for it. */
#ifndef STEMMA_TESTS_WRITE_LOCK_H
#define STEMMA_TESTS_WRITE_LOCK_H

#include <sqlite3.h>

sqlite3 *write_lock_hold(const char *store);
void write_lock_release(sqlite3 *db); /* rolls back */

#endif
