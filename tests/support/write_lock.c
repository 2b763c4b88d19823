#include "tests/support/test.h"
#include "tests/support/write_lock.h"

#define WAIT_MS 60000 /* for the one who writes now */

sqlite3 *write_lock_hold(const char *store)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(store, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, WAIT_MS);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    return db;
}

void write_lock_release(sqlite3 *db)
{
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}
