#include "store/db/fts_tables.h"

/* https://sqlite.org/fts5.html#fts5_data_structures; there are no others with content='' and
 * columnsize=0. */
static const struct {
    const char *name, *select, *clear, *insert;
} tables[] = {
    {"memory_fts_data", "SELECT id, block FROM memory_fts_data", "DELETE FROM memory_fts_data",
     "INSERT INTO memory_fts_data(id, block) VALUES (?, ?)"},
    {"memory_fts_idx", "SELECT segid, term, pgno FROM memory_fts_idx", "DELETE FROM memory_fts_idx",
     "INSERT INTO memory_fts_idx(segid, term, pgno) VALUES (?, ?, ?)"},
    {"memory_fts_config", "SELECT k, v FROM memory_fts_config", "DELETE FROM memory_fts_config",
     "INSERT INTO memory_fts_config(k, v) VALUES (?, ?)"},
};
#define TABLE_COUNT (sizeof(tables) / sizeof(tables[0]))

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
static void defend(struct db *db, bool defend_it)
{
    sqlite3_db_config(db_handle(db), SQLITE_DBCONFIG_DEFENSIVE, (int)defend_it, NULL);
}

int fts_tables_copy(struct db *from, struct db *to, struct error *e)
{
    int result = 0;
    defend(to, false);
    for (size_t i = 0; i < TABLE_COUNT && !result; i++)
        result = copy_table(from, to, i, e);
    defend(to, true);
    return result;
}

/* ---- making them ---- */

static int has(struct db *db, const char *name, int64_t *there, struct error *e)
{
    return db_int(db, there, 0, e, "SELECT count(*) FROM sqlite_schema WHERE name = ?", "s", name);
}

/* Runs the statement that made it there. */
static int make_like(struct db *from, struct db *to, const char *name, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(from, "SELECT sql FROM sqlite_schema WHERE name = ?", e);
    int found = stmt ? db_bind(from, stmt, e, "s", name) : -1;
    if (found <= 0)
        return found;
    int result = db_exec(to, (const char *)sqlite3_column_text(stmt, 0), e);
    sqlite3_reset(stmt);
    return result;
}

/* The index makes its tables when it is made, and cannot where one of them is left. */
static int make_index(struct db *from, struct db *to, struct error *e)
{
    return db_exec(to,
                   "DROP TABLE IF EXISTS memory_fts_data; DROP TABLE IF EXISTS memory_fts_idx;"
                   "DROP TABLE IF EXISTS memory_fts_config",
                   e) ||
                   make_like(from, to, "memory_fts", e)
               ? -1
               : 0;
}

int fts_tables_make(struct db *from, struct db *to, struct error *e)
{
    int64_t there;
    if (has(to, "memory_fts", &there, e))
        return -1;
    defend(to, false);
    int result = there ? 0 : make_index(from, to, e);
    for (size_t i = 0; i < TABLE_COUNT && !result; i++) {
        result = has(to, tables[i].name, &there, e);
        if (!result && !there)
            result = make_like(from, to, tables[i].name, e);
    }
    defend(to, true);
    return result;
}
