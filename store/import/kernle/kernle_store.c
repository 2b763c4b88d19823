#include "store/import/kernle/kernle_store.h"

#include <inttypes.h>
#include <strings.h>

void kernle_quote(struct strbuf *sql, const char *name)
{
    strbuf_addch(sql, '"');
    for (; *name; name++) {
        if (*name == '"')
            strbuf_addch(sql, '"');
        strbuf_addch(sql, *name);
    }
    strbuf_addch(sql, '"');
}

/* A virtual table has no pages of its own; what its module would do is not trusted. */
int kernle_has_table(struct db *db, const char *name, struct error *e)
{
    int64_t count;
    if (db_int(db, &count, 0, e,
               "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
               " AND name = ? COLLATE NOCASE",
               "s", name))
        return -1;
    return count > 0;
}

int kernle_has_column(struct db *db, const char *table, const char *column, struct error *e)
{
    int64_t count;
    if (db_int(db, &count, 0, e,
               "SELECT count(*) FROM pragma_table_info(?) WHERE name = ? COLLATE NOCASE", "ss",
               table, column))
        return -1;
    return count > 0;
}

int kernle_version(struct db *db, int64_t *version, struct error *e)
{
    *version = 0;
    int has = kernle_has_table(db, "schema_version", e);
    if (has > 0)
        has = kernle_has_column(db, "schema_version", "version", e);
    if (has <= 0)
        return has;
    return db_int(db, version, 0, e, "SELECT max(CAST(version AS INTEGER)) FROM schema_version",
                  "");
}

static int read_columns(struct db *db, struct arena *arena, const char *table,
                        struct kernle_column *columns, size_t count, struct error *e)
{
    size_t at = 0;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT name, dflt_value FROM pragma_table_info(?) ORDER BY cid", e);
    int row = stmt ? db_bind(db, stmt, e, "s", table) : -1;
    for (; row > 0 && at < count; row = db_step(db, stmt, e), at++) {
        columns[at].name = db_text(arena, stmt, 0);
        columns[at].fallback = db_text(arena, stmt, 1);
        if (!columns[at].name) {
            sqlite3_reset(stmt);
            return error_set(e, ERROR_MEMORY, "", "memory ran out");
        }
    }
    return row;
}

int kernle_open_table(struct db *db, struct arena *arena, size_t index, struct kernle_table *table,
                      struct error *e)
{
    const char *name = kernle_table_name(index);
    int64_t count = 0;
    int has = kernle_has_table(db, name, e);
    if (has <= 0)
        return has;
    if (db_int(db, &count, 0, e, "SELECT count(*) FROM pragma_table_info(?)", "s", name))
        return -1;
    struct kernle_column *columns = arena_array(arena, (size_t)count, sizeof(*columns));
    if (read_columns(db, arena, name, columns, (size_t)count, e))
        return -1;
    kernle_table_resolve(table, index, columns, (size_t)count);
    return table->place[FIELD_ID] >= 0;
}

static bool has_name(const struct kernle_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcasecmp(table->columns[i].name, name) == 0)
            return true;
    return false;
}

const char *kernle_rowid(struct db *db, const struct kernle_table *table)
{
    static const char *const names[] = {"rowid", "_rowid_", "oid"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (has_name(table, names[i]))
            continue;
        struct strbuf sql = STRBUF_INIT;
        struct error ignored;
        strbuf_addf(&sql, "SELECT %s FROM ", names[i]);
        kernle_quote(&sql, table->name);
        bool there = !sql.failed && db_prepare(db, sql.buf, &ignored) != NULL;
        strbuf_release(&sql);
        return there ? names[i] : NULL;
    }
    return NULL;
}

struct cell kernle_read_cell(sqlite3_stmt *stmt, int column)
{
    switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_INTEGER:
        return (struct cell){.type = CELL_INTEGER, .integer = sqlite3_column_int64(stmt, column)};
    case SQLITE_FLOAT:
        return (struct cell){.type = CELL_REAL, .real = sqlite3_column_double(stmt, column)};
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
        bool is_text = sqlite3_column_type(stmt, column) == SQLITE_TEXT;
        const void *bytes = is_text ? (const void *)sqlite3_column_text(stmt, column)
                                    : sqlite3_column_blob(stmt, column);
        int len = sqlite3_column_bytes(stmt, column);
        return (struct cell){.type = is_text ? CELL_TEXT : CELL_BLOB,
                             .bytes = bytes ? bytes : "",
                             .len = bytes ? (size_t)len : 0};
    }
    default:
        return (struct cell){.type = CELL_NULL};
    }
}

/* ---- what else is there ---- */

static bool is_read(const char *name)
{
    for (size_t i = 0; i < KERNLE_TABLES; i++)
        if (strcasecmp(name, kernle_table_name(i)) == 0)
            return true;
    return strcasecmp(name, "memory_audit") == 0 || strcasecmp(name, "schema_version") == 0;
}

struct names {
    const char **list;
    size_t count;
};

/* The tables that are not read, or (`virtual`) the virtual ones, whose own tables begin with their
 * name. */
static int list_tables(struct db *db, struct arena *arena, bool virtual, struct names *names,
                       struct error *e)
{
    int64_t most;
    if (db_int(db, &most, 0, e, "SELECT count(*) FROM sqlite_schema", ""))
        return -1;
    names->list = arena_array(arena, (size_t)most, sizeof(*names->list));
    sqlite3_stmt *stmt = db_prepare(db,
                                    "SELECT name FROM sqlite_schema WHERE type = 'table'"
                                    " AND (rootpage = 0) = ? AND name NOT LIKE 'sqlite\\_%'"
                                    " ESCAPE '\\' ORDER BY name",
                                    e);
    int row = stmt && names->list ? db_bind(db, stmt, e, "i", (int64_t) virtual) : -1;
    for (; row > 0; row = db_step(db, stmt, e)) {
        const char *name = db_text(arena, stmt, 0);
        if (name && (virtual || !is_read(name)))
            names->list[names->count++] = name;
    }
    return names->list ? row : error_set(e, ERROR_MEMORY, "", "memory ran out");
}

static bool is_shadow(const struct names *virtuals, const char *name)
{
    for (size_t i = 0; i < virtuals->count; i++) {
        size_t len = strlen(virtuals->list[i]);
        if (strncasecmp(name, virtuals->list[i], len) == 0 && name[len] == '_')
            return true;
    }
    return false;
}

static int count_rows(struct db *db, const char *name, int64_t *count, struct error *e)
{
    struct strbuf sql = STRBUF_INIT;
    strbuf_addstr(&sql, "SELECT count(*) FROM ");
    kernle_quote(&sql, name);
    int result = db_int(db, count, 0, e, sql.buf, "");
    strbuf_release(&sql);
    return result;
}

/* What does not fit is counted. */
static void write_counts(const struct strbuf *parts, size_t tables, char *out, size_t size)
{
    const size_t rest = 32; /* ", and 12345 more" */
    size_t len = 0, shown = 0;
    *out = '\0';
    for (const char *part = parts->buf; part < parts->buf + parts->len;
         part += strlen(part) + 1, shown++) {
        size_t part_len = strlen(part);
        if (len + part_len + 2 + rest > size) {
            snprintf(out + len, size - len, ", and %zu more", tables - shown);
            return;
        }
        len += (size_t)snprintf(out + len, size - len, "%s%s", len ? ", " : "", part);
    }
}

int kernle_other_tables(struct db *db, struct arena *arena, char *out, size_t size, struct error *e)
{
    struct names virtuals = {NULL, 0}, tables = {NULL, 0};
    struct strbuf parts = STRBUF_INIT;
    size_t told = 0;
    if (list_tables(db, arena, true, &virtuals, e) || list_tables(db, arena, false, &tables, e))
        return -1;
    for (size_t i = 0; i < tables.count; i++) {
        int64_t rows;
        struct error unreadable;
        if (is_shadow(&virtuals, tables.list[i]))
            continue;
        if (count_rows(db, tables.list[i], &rows, &unreadable))
            rows = -1; /* said below: another table that cannot be read must not end an import */
        if (rows == 0)
            continue;
        strbuf_addstr(&parts, tables.list[i]);
        if (rows > 0)
            strbuf_addf(&parts, " %" PRId64, rows);
        else
            strbuf_addstr(&parts, " (cannot be read)");
        strbuf_addch(&parts, '\0');
        told++;
    }
    write_counts(&parts, told, out, size);
    int failed = 0;
    strbuf_release(&parts);
    return failed;
}
