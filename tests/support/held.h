/* A store that another program is writing to: whatever else would write waits for it. */
#ifndef STEMMA_TESTS_HELD_H
#define STEMMA_TESTS_HELD_H

#include <sqlite3.h>

sqlite3 *held_take(const char *store);
void held_give_back(sqlite3 *db); /* nothing was written */

#endif
