/*
 * Writes rows into a Kernle store, in one transaction and only where each cell is still the one that was read; and
 * takes that back from the copy, only where each cell is still the one that was written.
 */
#include <stdio.h>
#include <string.h>
#include "store/import/kernle/write_rows.h"

/* ---- cells ---- */

struct cell cell_of_text(const char *text)
{
    return text ? (struct cell){.type = CELL_TEXT, .bytes = text, .len = strlen(text)}
                : (struct cell){.type = CELL_NULL};
}
double cell_number_or(const struct cell *cell, double otherwise)
{
    return cell->type == CELL_REAL      ? cell->real
           : cell->type == CELL_INTEGER ? (double)cell->integer
                                        : otherwise;
}
const char *cell_shown(struct arena *arena, const struct cell *cell)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (cell_is_bytes(cell))
        return arena_strndup(arena, cell->bytes, cell->len);
    if (cell->type == CELL_NULL)
        return NULL;
    if (cell->type == CELL_INTEGER)
        json_add_int(&text, cell->integer);
    else
        json_add_double(&text, cell->real);
    return arena_strdup(arena, text.buf);
}
static int bind_cell(sqlite3_stmt *stmt, int at, const struct cell *c)
{
    switch (c->type) {
    case CELL_INTEGER:
        return sqlite3_bind_int64(stmt, at, c->integer);
    case CELL_REAL:
        return sqlite3_bind_double(stmt, at, c->real);
    case CELL_TEXT:
        return sqlite3_bind_text(stmt, at, c->bytes, (int)c->len, SQLITE_TRANSIENT);
    case CELL_BLOB:
        return sqlite3_bind_blob(stmt, at, c->bytes, (int)c->len, SQLITE_TRANSIENT);
    case CELL_NULL:
        break;
    }
    return sqlite3_bind_null(stmt, at);
}
struct cell cell_kept(struct arena *arena, sqlite3_stmt *stmt, int column)
{
    struct cell cell = kernle_read_cell(stmt, column);
    if (cell_is_bytes(&cell))
        cell.bytes = arena_memdup(arena, cell.bytes, cell.len + 1);
    return cell;
}

/* ---- writing ---- */

static int conflict(const char *path, struct error *e)
{
    return error_set(e, ERROR_CONFLICT, "Run it again to see what would be written now.",
                     "%s changed since it was read", path);
}

/* `column` with a comma or another word before it, and what follows. */
static void add_column(struct strbuf *sql, const char *before, const char *column,
                       const char *after)
{
    strbuf_addstr(sql, before);
    kernle_quote(sql, column);
    strbuf_addstr(sql, after);
}

static void write_sql(struct strbuf *sql, const struct write_row *row)
{
    strbuf_addstr(sql, row->insert ? "INSERT INTO " : row->remove ? "DELETE FROM " : "UPDATE ");
    kernle_quote(sql, row->table);
    for (size_t i = 0; i < row->count && !row->remove; i++)
        add_column(sql,
                   row->insert ? (i ? ", " : "(")
                   : i         ? ", "
                               : " SET ",
                   row->cell[i].column, row->insert ? "" : " = ?");
    if (row->insert) {
        for (size_t i = 0; i < row->count; i++)
            strbuf_addstr(sql, i ? ", ?" : ") VALUES (?");
        strbuf_addch(sql, ')');
        return;
    }
    strbuf_addstr(sql, " WHERE id = ?");
    for (size_t i = 0; i < row->count; i++)
        add_column(sql, " AND ", row->cell[i].column, " IS ?");
}

static int write_row(struct db *db, const struct write_row *row, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    int at = 0;
    write_sql(&sql, row);
    sqlite3_stmt *stmt = db_prepare(db, sql.buf, e);
    if (!stmt)
        return -1;
    for (size_t i = 0; i < row->count && !row->remove; i++)
        bind_cell(stmt, ++at, &row->cell[i].fresh);
    if (!row->insert)
        bind_cell(stmt, ++at, &row->id);
    for (size_t i = 0; i < row->count && !row->insert; i++)
        bind_cell(stmt, ++at, &row->cell[i].old);
    int stepped = db_step(db, stmt, e);
    sqlite3_reset(stmt);
    return stepped < 0 ? -1 : sqlite3_changes(db_handle(db)) == 1 ? 0 : conflict(db_path(db), e);
}

static int begin(struct db *db, struct error *e)
{
    if (db_exec(db, "BEGIN IMMEDIATE", e) == 0)
        return 0;
    if ((sqlite3_errcode(db_handle(db)) & 0xff) == SQLITE_BUSY)
        error_set(e, ERROR_BUSY, "Try again when it is done.", "another program is writing to %s",
                  db_path(db));
    if ((sqlite3_errcode(db_handle(db)) & 0xff) == SQLITE_READONLY)
        error_set(e, ERROR_REFUSED, "Check its permissions.", "%s cannot be written", db_path(db));
    return -1;
}

static int finish(struct db *db, int result, struct error *e)
{
    struct error ignored;
    if (result == 0)
        result = db_exec(db, "COMMIT", e);
    if (result)
        db_exec(db, "ROLLBACK", &ignored);
    db_close(db);
    return result;
}

int kernle_write_rows(struct write_back *w, const char *backup, struct error *e)
{
    struct db *db = db_open(w->path, DB_APPLY, e);
    if (!db || begin(db, e)) {
        db_close(db);
        return -1;
    }
    /* The state before, as a store of Kernle. This transaction keeps others from writing meanwhile. */
    int result = backup ? db_copy(w->path, DB_FOREIGN, backup, e) : 0;
    for (size_t i = 0; i < w->row_count && result == 0; i++)
        result = write_row(db, &w->row[i], e);
    return finish(db, result, e);
}

/* ---- undo ---- */

/* When Kernle last changed the row; a row of the audit never changes. It sets this time with each change of content,
 * so no hash of the content is needed, which would outlive a purge. NULL if the row has no such column. */
static const struct cell *time_of(const struct write_row *row, bool old)
{
    static const char *const columns[] = {"local_updated_at", "created_at"};
    for (size_t n = 0; n < 2; n++)
        for (size_t i = 0; i < row->count; i++)
            if (strcmp(row->cell[i].column, columns[n]) == 0)
                return old ? &row->cell[i].old : &row->cell[i].fresh;
    return NULL;
}

void kernle_note_rows(const struct write_back *w, struct json_object *list)
{
    for (size_t i = 0; i < w->row_count; i++) {
        const struct write_row *row = &w->row[i];
        struct json_object o = json_item_open(list, '{');
        const struct cell *at = time_of(row, false);
        json_pair(&o, "table", row->table);
        json_pair(&o, "id", cell_shown(w->arena, &row->id));
        struct json_object columns = json_open(&o, "columns", '[');
        for (size_t n = 0; n < row->count; n++) {
            json_item(&columns);
            json_add_string(columns.out, row->cell[n].column);
        }
        json_end(&columns);
        json_pair_if(&o, "at", at ? cell_shown(w->arena, at) : NULL);
        json_end(&o);
    }
}

/* Reads the columns of the row, as its old values or as its new ones. */
static int read_cells(struct db *db, struct arena *arena, const struct write_row *row, bool old,
                      bool *any, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    for (size_t i = 0; i < row->count; i++)
        add_column(&sql, i ? ", " : "SELECT ", row->cell[i].column, "");
    add_column(&sql, " FROM ", row->table, " WHERE id = ?");
    sqlite3_stmt *stmt = db_prepare(db, sql.buf, e);
    if (!stmt)
        return -1;
    bind_cell(stmt, 1, &row->id);
    int stepped = db_step(db, stmt, e);
    *any = stepped > 0;
    for (size_t i = 0; *any && i < row->count; i++)
        *(old ? &row->cell[i].old : &row->cell[i].fresh) = cell_kept(arena, stmt, (int)i);
    sqlite3_reset(stmt);
    return stepped < 0 ? -1 : 0;
}

static void add_changes(struct write_back *w, const struct write_row *row)
{
    if (row->remove)
        write_back_change(w, NULL, arena_format(w->arena, "a row of %s", row->table),
                          cell_shown(w->arena, &row->id), NULL);
    for (size_t i = 0; i < row->count && !row->remove; i++) {
        const char *old = cell_shown(w->arena, &row->cell[i].old),
                   *fresh = cell_shown(w->arena, &row->cell[i].fresh);
        if (!same_text(old, fresh))
            write_back_change(w, NULL,
                              arena_format(w->arena, "%s.%s of %.8s", row->table,
                                           row->cell[i].column, cell_shown(w->arena, &row->id)),
                              old, fresh);
    }
}

/* Reads what the row has and what it had. One that was inserted is deleted. */
static int undo_one(struct write_back *w, struct db *db, struct db *copy, struct json_slice noted,
                    struct error *e)
{
    struct arena *arena = w->arena;
    struct json_slice columns = json_member(noted.ptr, noted.len, "columns");
    struct write_row row = {
        .table = json_text_repaired(arena, json_member(noted.ptr, noted.len, "table")),
        .id = cell_of_text(json_text_repaired(arena, json_member(noted.ptr, noted.len, "id"))),
        .cell = arena_array(arena, json_count(columns) + 1, sizeof(*row.cell))};
    bool there = false, had = false;
    for (struct json_each it = json_each(columns); json_next(&it);)
        if ((row.cell[row.count].column = json_text_repaired(arena, it.value)))
            row.count++;
    if (!row.table || row.count == 0)
        return 0;
    if (read_cells(db, arena, &row, true, &there, e) ||
        read_cells(copy, arena, &row, false, &had, e))
        return -1;
    const char *noted_at = json_text_repaired(arena, json_member(noted.ptr, noted.len, "at"));
    const struct cell *at = there ? time_of(&row, true) : NULL;
    if (!at || !noted_at || !same_text(cell_shown(arena, at), noted_at))
        return error_set(e, ERROR_CONFLICT, "Compare it with the copy, and change it there.",
                         "%s %.40s in %s changed since it was written", row.table,
                         row.id.bytes ? row.id.bytes : "", db_path(db));
    row.remove = !had;
    add_changes(w, &row);
    *ARENA_ADD(arena, w->row, w->row_count, w->row_alloc) = row;
    return 0;
}

int kernle_undo_rows(struct write_back *w, const char *backup, struct json_slice noted,
                     struct error *e)
{
    struct db *copy = db_open(backup, DB_FOREIGN, e),
              *db = copy ? db_open(w->path, DB_FOREIGN, e) : NULL;
    int result = db ? 0 : -1;
    for (struct json_each it = json_each(noted); result == 0 && json_next(&it);)
        result = undo_one(w, db, copy, it.value, e);
    db_close(db);
    db_close(copy);
    return result;
}
