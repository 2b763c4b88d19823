#include "fts_tables.h"

/* https://sqlite.org/fts5.html#fts5_data_structures; there are no others with content='' and
 * columnsize=0. */
static const struct {
    const char *select, *clear, *insert;
} tables[] = {
    {"SELECT id, block FROM memory_fts_data", "DELETE FROM memory_fts_data",
     "INSERT INTO memory_fts_data(id, block) VALUES (?, ?)"},
    {"SELECT segid, term, pgno FROM memory_fts_idx", "DELETE FROM memory_fts_idx",
     "INSERT INTO memory_fts_idx(segid, term, pgno) VALUES (?, ?, ?)"},
    {"SELECT k, v FROM memory_fts_config", "DELETE FROM memory_fts_config",
     "INSERT INTO memory_fts_config(k, v) VALUES (?, ?)"},
};

static int copy_row(sqlite3_stmt *row, struct db *to, sqlite3_stmt *insert, struct error *e)
{
    for (int i = 0; i < sqlite3_column_count(row); i++)
        if (sqlite3_bind_value(insert, i + 1, sqlite3_column_value(row, i)))
            return db_error(to, e, "write");
    return db_step(to, insert, e);
}

static int copy_table(struct db *from, struct db *to, size_t table, struct error *e)
{
    if (db_run(to, e, tables[table].clear, ""))
        return -1;
    sqlite3_stmt *insert = db_prepare(to, tables[table].insert, e);
    sqlite3_stmt *row = insert ? db_prepare(from, tables[table].select, e) : NULL;
    int more = row ? db_step(from, row, e) : -1;
    for (; more > 0; more = db_step(from, row, e))
        if (copy_row(row, to, insert, e)) {
            sqlite3_reset(row);
            return -1;
        }
    return more;
}

/* SQLite keeps others than FTS5 from them, unless it is asked not to. */
int fts_tables_copy(struct db *from, struct db *to, struct error *e)
{
    int result = 0;
    sqlite3_db_config(db_handle(to), SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !result; i++)
        result = copy_table(from, to, i, e);
    sqlite3_db_config(db_handle(to), SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return result;
}
