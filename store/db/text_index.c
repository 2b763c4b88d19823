/* Buffers changes of the full-text index, and copies its tables. */
#include "store/db/text_index.h"

#include <stdlib.h>
#include "model/base/array.h"

#define TEXT_INDEX_BYTES (16u << 20) /* the size of FTS5's own buffer: see schema.c */

static int compare_changes(const void *a, const void *b)
{
    const struct text_index_entry *x = a, *y = b;
    return x->node != y->node ? COMPARE(x->node, y->node) : COMPARE(x->order, y->order);
}

static void add(struct text_index *x, int64_t node, const char *text, bool is_delete)
{
    const char *copy = arena_strdup(&x->texts, text);
    ARRAY_ROOM(x->change, x->count, x->alloc, 1);
    x->change[x->count] = (struct text_index_entry){node, x->count, is_delete, copy};
    x->count++;
}

void text_index_change(struct text_index *x, int64_t node, const char *before, const char *after)
{
    if (before)
        add(x, node, before, true);
    if (after)
        add(x, node, after, false);
}

bool text_index_is_full(const struct text_index *x)
{
    return x->texts.used >= TEXT_INDEX_BYTES;
}

/* FTS5 needs the old text to delete a row of a contentless index. */
static int apply(struct db *db, const struct text_index_entry *change, struct error *e)
{
    static const char delete[] =
        "INSERT INTO memory_fts(memory_fts, rowid, text) VALUES ('delete', ?, ?)";
    static const char insert[] = "INSERT INTO memory_fts(rowid, text) VALUES (?, ?)";
    return db_run(db, e, change->is_delete ? delete : insert, "is", change->node, change->text);
}

int text_index_flush(struct text_index *x, struct db *db, struct error *e)
{
    int failed = 0;
    SORT(x->change, x->count, compare_changes);
    for (size_t i = 0; i < x->count && !failed; i++)
        failed = apply(db, &x->change[i], e);
    text_index_clear(x);
    return failed;
}

void text_index_clear(struct text_index *x)
{
    x->count = 0;
    arena_clear(&x->texts);
}

void text_index_cut(struct text_index *x, size_t count)
{
    if (count == 0)
        text_index_clear(x);
    x->count = count;
}

void text_index_release(struct text_index *x)
{
    free(x->change);
    arena_release(&x->texts);
    *x = (struct text_index){.change = NULL};
}

/* with content='' and columnsize=0 there are no other tables */
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

/* SQLITE_DBCONFIG_DEFENSIVE forbids direct writes to these tables. */
static void set_defensive(struct db *db, bool on)
{
    sqlite3_db_config(db_handle(db), SQLITE_DBCONFIG_DEFENSIVE, (int)on, NULL);
}

int fts_tables_copy(struct db *from, struct db *to, struct error *e)
{
    int result = 0;
    set_defensive(to, false);
    for (size_t i = 0; i < TABLE_COUNT && !result; i++)
        result = copy_table(from, to, i, e);
    set_defensive(to, true);
    return result;
}

/* ---- creating the tables ---- */

static int has(struct db *db, const char *name, int64_t *there, struct error *e)
{
    return db_int(db, there, 0, e, "SELECT count(*) FROM sqlite_schema WHERE name = ?", "s", name);
}

/* Creates `name` with the SQL that `from` has for it. */
static int make_like(struct db *from, struct db *to, const char *name, struct error *e)
{
    struct query row = db_query(from, e, "SELECT sql FROM sqlite_schema WHERE name = ?", "s", name);
    if (!db_next(&row))
        return db_end(&row);
    int result = db_exec(to, (const char *)sqlite3_column_text(row.stmt, 0), e);
    db_end(&row);
    return result;
}

/* Creating the index creates its tables, and fails if one of them exists. */
static int make_index(struct db *from, struct db *to, struct error *e)
{
    return failed_if(
        db_exec(to,
                "DROP TABLE IF EXISTS memory_fts_data; DROP TABLE IF EXISTS memory_fts_idx;"
                "DROP TABLE IF EXISTS memory_fts_config",
                e) ||
        make_like(from, to, "memory_fts", e));
}

int fts_tables_make(struct db *from, struct db *to, struct error *e)
{
    int64_t there;
    if (has(to, "memory_fts", &there, e))
        return -1;
    set_defensive(to, false);
    int result = there ? 0 : make_index(from, to, e);
    for (size_t i = 0; i < TABLE_COUNT && !result; i++) {
        result = has(to, tables[i].name, &there, e);
        if (!result && !there)
            result = make_like(from, to, tables[i].name, e);
    }
    set_defensive(to, true);
    return result;
}
