/* A store that another program is writing to: whatever else would write waits for it. */
#ifndef STEMMA_TESTS_WRITE_LOCK_H
#define STEMMA_TESTS_WRITE_LOCK_H

#include <sqlite3.h>

sqlite3 *write_lock_hold(const char *store);
void write_lock_release(sqlite3 *db); /* nothing was written */

#endif
