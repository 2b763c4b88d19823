/* Rows of a foreign database with any content: the SQL functions give what they promise, and the resulting memory
 * can be stored and written. */
#include <assert.h>
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/import/tables/tables_internal.h"
#include "store/record/put.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static const char row_sql[] = "SELECT 'belief:' || ?1 AS ref, ?2 AS agent_id, ?3 AS text, ?4 AS "
                              "created_at, ?5 AS updated_at, ?6 AS confidence,"
                              " ?7 AS source_type, ?8 AS status, ?9 AS protected, ?10 AS tags, ?11 "
                              "AS context, ?12 AS annotations, ?13 AS version,"
                              " ?14 AS detail, ?15 AS history, ?16 AS marks, ?17 AS \"detail.a\", "
                              "?18 AS \"detail.b:json\", ?19 AS \"detail.c:time\","
                              " ?20 AS derived_from, ?21 AS \"derived_from:guessed\", ?22 AS "
                              "evidence, ?23 AS supersedes, ?24 AS contradicts";
static const char functions_sql[] = "SELECT json_list(?1), json_map(?1), make_id(?1, ?2), ms(?1), "
                                    "entry_namespace(?1), entry_key(?1), sha256(?1), lines(?1, ?2)";

/* A cell: one byte for its type, two for its length, then its bytes. */
static void bind_cell(sqlite3_stmt *stmt, int at, const uint8_t **from, const uint8_t *end)
{
    double number = 0;
    if (end - *from < 3)
        return;
    int type = **from % 5;
    size_t len = (size_t)((*from)[1] | (*from)[2] << 8);
    *from += 3;
    len = len < (size_t)(end - *from) ? len : (size_t)(end - *from);
    memcpy(&number, *from, len < sizeof(number) ? len : sizeof(number));
    if (type == 0)
        sqlite3_bind_double(stmt, at, number);
    else if (type == 1)
        sqlite3_bind_int64(stmt, at, len ? (int64_t) * *from << (len % 56) : 0);
    else if (type == 2)
        sqlite3_bind_blob64(stmt, at, *from, len, SQLITE_TRANSIENT);
    else
        sqlite3_bind_text64(stmt, at, (const char *)*from, len, SQLITE_TRANSIENT, SQLITE_UTF8);
    *from += len;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql, const uint8_t **at, const uint8_t *end)
{
    sqlite3_stmt *stmt;
    assert(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK);
    for (int i = 1; i <= sqlite3_bind_parameter_count(stmt); i++)
        bind_cell(stmt, i, at, end);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    return stmt;
}

static void stored(const struct memory *m)
{
    struct arena arena = ARENA_INIT;
    struct strbuf first = STRBUF_INIT, second = STRBUF_INIT, scratch = STRBUF_INIT;
    struct memory again;
    struct error e;
    assert(put_check(m, &scratch, &e) == 0);
    memory_json_write(&first, m, NULL);
    assert(memory_json_read(&again, &arena, first.buf, first.len, NULL, 0, NULL, &e) == 0);
    memory_json_write(&second, &again, NULL);
    assert(second.len == first.len && memcmp(second.buf, first.buf, first.len) == 0);
    strbuf_release(&first);
    strbuf_release(&second);
    strbuf_release(&scratch);
    arena_release(&arena);
}

static void check_row(sqlite3 *db, const uint8_t *at, const uint8_t *end)
{
    struct arena arena = ARENA_INIT;
    struct table_reading reading = {.run = NULL};
    struct columns columns;
    struct strbuf json = STRBUF_INIT;
    struct memory m;
    struct error e;
    sqlite3_stmt *stmt = prepare(db, row_sql, &at, end);
    assert(columns_read(&columns, stmt, &arena, &e) == 0);
    row_write(&reading, &columns, stmt, &json);
    /* The row is one JSON object whatever is in it; only a member of it may be refused. */
    assert(json_is_formed(json.buf, json.len));
    if (memory_json_read(&m, &arena, json.buf, json.len, "agent", 0, NULL, &e) == 0)
        stored(&m);
    else
        assert(e.code == ERROR_INVALID);
    sqlite3_finalize(stmt);
    strbuf_release(&json);
    arena_release(&arena);
}

static void check_functions(sqlite3 *db, const uint8_t *at, const uint8_t *end)
{
    struct error e;
    sqlite3_stmt *stmt = prepare(db, functions_sql, &at, end);
    for (int i = 0; i < 2; i++) {
        const char *text = (const char *)sqlite3_column_text(stmt, i);
        assert(json_check(text, (size_t)sqlite3_column_bytes(stmt, i), JSON_DEPTH_LIMIT, &e) == 0);
        assert(strchr(text, i ? '{' : '['));
    }
    assert(sqlite3_column_bytes(stmt, 2) == 36);
    sqlite3_finalize(stmt);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static sqlite3 *db;
    struct error e;
    if (!db) {
        assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
        assert(table_functions_register(db, "memory", &e) == 0);
    }
    check_row(db, bytes, bytes + len);
    check_functions(db, bytes, bytes + len);
    return 0;
}
