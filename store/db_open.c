#include "db_open.h"

#include <unistd.h>

void db_remove_copy(const char *directory)
{
    rmdir(directory);
}

struct db *db_open(const char *path, enum db_mode mode, struct error *e)
{
    int flags =
        mode == DB_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    sqlite3 *handle;
    int code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK) {
        db_error_code(code, sqlite3_errmsg(handle), path, e, "open");
        sqlite3_close(handle);
        return NULL;
    }
    sqlite3_busy_timeout(handle, 5000);
    struct db *db = db_wrap(handle, path, NULL);
    const char *settings = mode == DB_WRITE
                               ? "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                                 "PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF"
                               : "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF";
    if (db_exec(db, settings, e)) {
        db_close(db);
        return NULL;
    }
    return db;
}
