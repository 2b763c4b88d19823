/*
 * Checks that each index matches its table. SQLite's own check looks up every row in every index,
 * in random order; it took two fifths of the time of fsck for a million memories. This check reads
 * each index once in its order and each table once, and adds up keyed hashes of the entries. If the
 * sums are equal and the entries ascend, every row is found in its index. Otherwise SQLite's own
 * check says what is wrong.
 *
 * A superfluous entry that the condition of its index excludes is not noticed. No query returns it
 * either.
 */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "store/fsck/fsck_internal.h"

struct index {
    char *name, *table;
    uint64_t of_table, of_index;
};

struct index_check {
    struct db *db;
    struct index *index;
    size_t count, alloc;
    uint64_t seed;
    struct strbuf entry, last; /* the entry as bytes; the ordered part of the previous one */
    bool ascends;
    bool by_index; /* which of the two sums to add to */
};

static uint64_t hash_of(uint64_t hash, const struct strbuf *entry)
{
    for (size_t at = 0; at < entry->len; at += 8) {
        uint64_t word = 0;
        memcpy(&word, entry->buf + at, entry->len - at < 8 ? entry->len - at : 8);
        hash = (hash ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
        hash ^= hash >> 32;
    }
    return hash * UINT64_C(0x94d049bb133111eb);
}

static void add_number(struct strbuf *out, uint64_t sortable)
{
    char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)(sortable >> (56 - 8 * i));
    strbuf_add(out, bytes, sizeof(bytes));
}

/*
 * Appends a value as bytes that sort as SQLite sorts it: NULL, numbers, texts, blobs. Assumes that
 * a column has one kind of numbers and blobs of one length. If not, an index may seem unordered,
 * and SQLite's own check then finds it sound.
 */
static void add_value(struct strbuf *out, sqlite3_value *value)
{
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits;
    double real;
    switch (sqlite3_value_type(value)) {
    case SQLITE_NULL:
        strbuf_addch(out, 0);
        return;
    case SQLITE_INTEGER:
        strbuf_addch(out, 1);
        add_number(out, (uint64_t)sqlite3_value_int64(value) ^ sign);
        return;
    case SQLITE_FLOAT:
        real = sqlite3_value_double(value);
        memcpy(&bits, &real, sizeof(bits));
        strbuf_addch(out, 1);
        add_number(out, bits & sign ? ~bits : bits | sign);
        return;
    default:
        strbuf_addch(out, sqlite3_value_type(value) == SQLITE_TEXT ? 2 : 3);
        strbuf_add(out, sqlite3_value_blob(value), (size_t)sqlite3_value_bytes(value));
        strbuf_addch(out, 0);
    }
}

/* Returns true if the ordered part of the entry is greater than that of the previous one. */
static bool comes_after(const struct strbuf *last, const char *entry, size_t len)
{
    size_t least = last->len < len ? last->len : len;
    int order = least ? memcmp(last->buf, entry, least) : 0;
    return order < 0 || (order == 0 && last->len < len);
}

/*
 * SQL function add_entry(index number, count of trailing values that are not ordered, whether the
 * row belongs to the index, values…). Returns false, so that a scan with it as condition returns no
 * rows.
 */
static void add_entry(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct index_check *c = sqlite3_user_data(context);
    struct index *x = &c->index[sqlite3_value_int(values[0])];
    sqlite3_result_int(context, 0);
    if (!sqlite3_value_int(values[2]))
        return;
    size_t ordered = 0;
    strbuf_clear(&c->entry);
    for (int i = 3; i < count; i++) {
        add_value(&c->entry, values[i]);
        if (i < count - sqlite3_value_int(values[1]))
            ordered = c->entry.len;
    }
    *(c->by_index ? &x->of_index : &x->of_table) += hash_of(c->seed, &c->entry);
    if (!c->by_index)
        return;
    c->ascends &= comes_after(&c->last, c->entry.buf, ordered);
    strbuf_clear(&c->last);
    strbuf_add(&c->last, c->entry.buf, ordered);
}

/* ---- the statements ---- */

/* Returns the end of the column list that begins at that parenthesis. */
static const char *columns_end(const char *at)
{
    int depth = 0;
    for (char quote = 0; *at; at++) {
        if (quote || *at == '\'' || *at == '"')
            quote = quote ? (*at == quote ? 0 : quote) : *at;
        else if (*at == '(')
            depth++;
        else if (*at == ')' && --depth == 0)
            break;
    }
    return at;
}

/* Appends the call of add_entry for an index created by `sql`. *where is its condition, or "1". */
static void add_call(struct strbuf *out, size_t number, const char *sql, const char *primary,
                     const char **where)
{
    bool is_unique = strncmp(sql, "CREATE UNIQUE", 13) == 0;
    int keys = 1;
    for (const char *c = primary; *c; c++)
        keys += *c == ',';
    const char *begin = strchr(sql, '('), *end = columns_end(begin),
               *condition = strstr(end, "WHERE ");
    *where = condition ? condition + strlen("WHERE ") : "1";
    strbuf_addf(out, "add_entry(%zu, %d, (%s), ", number, is_unique ? keys : 0, *where);
    strbuf_add(out, begin + 1, (size_t)(end - begin - 1));
    strbuf_addf(out, ", %s)", primary);
}

static const char indexes_sql[] =
    "SELECT name, tbl_name, sql, (SELECT group_concat(name, ', ') FROM"
    " pragma_table_info(tbl_name) WHERE pk > 0), coalesce((SELECT 'INDEXED BY ' || name FROM"
    " pragma_index_list(tbl_name) WHERE origin = 'pk'), 'NOT INDEXED') FROM sqlite_schema"
    " WHERE type = 'index' AND sql IS NOT NULL ORDER BY tbl_name";

/*
 * Reads each index in its order and collects the calls for each table. The tables must be scanned
 * in their own order (by primary key for tables without rowid); otherwise SQLite would read an
 * index that covers the query.
 */
static int read_indexes(struct index_check *c, struct strbuf *of_tables, struct error *e)
{
    AUTO_STRBUF sql = STRBUF_INIT;
    struct query rows = db_query(c->db, e, indexes_sql, "");
    int result = 0;
    c->by_index = true;
    while (result == 0 && db_next(&rows)) {
        const char *name = (const char *)sqlite3_column_text(rows.stmt, 0),
                   *table = (const char *)sqlite3_column_text(rows.stmt, 1), *where;
        bool is_new = c->count == 0 || strcmp(c->index[c->count - 1].table, table) != 0;
        *ARRAY_ADD(c->index, c->count, c->alloc) =
            (struct index){.name = xstrdup(name), .table = xstrdup(table)};
        strbuf_clear(&sql);
        add_call(&sql, c->count - 1, (const char *)sqlite3_column_text(rows.stmt, 2),
                 (const char *)sqlite3_column_text(rows.stmt, 3), &where);
        if (is_new)
            strbuf_addf(of_tables, "%sSELECT 1 FROM %s %s WHERE %s", of_tables->len ? ";" : "",
                        table, (const char *)sqlite3_column_text(rows.stmt, 4), sql.buf);
        else
            strbuf_addf(of_tables, " + %s", sql.buf);
        AUTO_FREE char *call = strbuf_detach(&sql, NULL);
        strbuf_addf(&sql, "SELECT 1 FROM %s INDEXED BY %s WHERE (%s) AND %s", table, name, where,
                    call);
        strbuf_clear(&c->last);
        result = db_exec(c->db, sql.buf, e);
    }
    c->by_index = false;
    return db_end(&rows) || result ? -1 : 0;
}

static bool all_agree(const struct index_check *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->index[i].of_table != c->index[i].of_index)
            return false;
    return c->ascends;
}

/* ---- the check ---- */

/* Runs a PRAGMA of SQLite and returns true if it says "ok". */
static bool is_ok(struct db *db, const char *sql)
{
    struct error ignored;
    struct query rows = db_query(db, &ignored, sql, "");
    bool ok = db_next(&rows) && strcmp((const char *)sqlite3_column_text(rows.stmt, 0), "ok") == 0;
    while (db_next(&rows))
        ok = false;
    return db_end(&rows) == 0 && ok;
}

/* Automatic indexes of UNIQUE constraints are few and small, so SQLite checks them. */
static bool are_uniques_ok(struct db *db)
{
    static const char sql[] = "SELECT DISTINCT 'PRAGMA integrity_check(' || tbl_name || ')' FROM"
                              " sqlite_schema WHERE type = 'index' AND sql IS NULL";
    struct error ignored;
    struct query rows = db_query(db, &ignored, sql, "");
    bool ok = true;
    while (ok && db_next(&rows))
        ok = is_ok(db, (const char *)sqlite3_column_text(rows.stmt, 0));
    return db_end(&rows) == 0 && ok;
}

bool fsck_is_sound(struct db *db)
{
    struct error ignored;
    struct index_check c = {.db = db, .ascends = true, .entry = STRBUF_INIT, .last = STRBUF_INIT};
    AUTO_STRBUF of_tables = STRBUF_INIT;
    sqlite3_randomness(sizeof(c.seed), &c.seed);
    sqlite3 *handle = db_handle(db);
    bool sound = is_ok(db, "PRAGMA quick_check(1)") && are_uniques_ok(db) &&
                 sqlite3_create_function(handle, "add_entry", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                         &c, add_entry, NULL, NULL) == SQLITE_OK &&
                 read_indexes(&c, &of_tables, &ignored) == 0 &&
                 db_exec(db, of_tables.buf, &ignored) == 0 && all_agree(&c);
    sqlite3_create_function(handle, "add_entry", -1, SQLITE_UTF8, NULL, NULL, NULL, NULL);
    for (size_t i = 0; i < c.count; i++) {
        free(c.index[i].name);
        free(c.index[i].table);
    }
    free(c.index);
    strbuf_release(&c.entry);
    strbuf_release(&c.last);
    return sound;
}
