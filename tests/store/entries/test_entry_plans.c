/* Queries on entries use indexes, however many entries there are. */
#include "tests/support/scratch.h"

#include "model/base/strbuf.h"
#include "store/record/entry_row.h"
#include "store/db/db.h"
#include "store/guard/guard.h"
#include "store/txn/txn.h"
#include "tests/support/entries.h"
#include "tests/support/test.h"

static int setup(void **state)
{
    entries_open();
    return 0;
}

static int teardown(void **state)
{
    entries_close();
    return 0;
}

/* ---- query plans ---- */

struct ways {
    size_t searched; /* searches of entry tables by an index or a row */
    struct strbuf all;
};

static bool begins(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* The names of entry tables in statements. */
static const char *entries_in(const char *detail)
{
    static const char *const names[] = {" e ", " entry "};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strstr(detail, names[i]))
            return names[i];
    return NULL;
}

/* A LIMIT 1 in the order of an index reads only the first row. */
static bool is_first_of_index(const char *detail, const char *sql)
{
    return strstr(detail, "USING COVERING INDEX") && strstr(sql, "LIMIT 1");
}

static void see(struct ways *w, const char *detail, const char *sql)
{
    char padded[512];
    snprintf(padded, sizeof(padded), "%s ", detail);
    bool scans = begins(detail, "SCAN") && entries_in(padded) && !is_first_of_index(detail, sql);
    if (scans || (strstr(detail, "AUTOMATIC") && entries_in(padded)))
        fail_msg("%s\nby %s", sql, detail);
    w->searched += begins(detail, "SEARCH") && entries_in(padded);
}

/* Checks each cached statement of the connection that reads entries. */
static void look(struct ways *w, struct db *connection)
{
    sqlite3 *db = db_handle(connection);
    for (sqlite3_stmt *stmt = NULL; (stmt = sqlite3_next_stmt(db, stmt));) {
        AUTO_STRBUF text = STRBUF_INIT;
        sqlite3_stmt *plan = NULL;
        const char *sql = sqlite3_sql(stmt);
        if (!strstr(sql, " entry"))
            continue;
        strbuf_addf(&text, "EXPLAIN QUERY PLAN %s", sql);
        assert_int_equal(sqlite3_prepare_v2(db, text.buf, -1, &plan, NULL), SQLITE_OK);
        while (sqlite3_step(plan) == SQLITE_ROW)
            see(w, (const char *)sqlite3_column_text(plan, 3), sql);
        sqlite3_finalize(plan);
    }
}

/* ---- all queries ---- */

static void fill(void)
{
    static const struct namespace_policy few = {
        .max_items = 30, .max_bytes = 1000, .evict_oldest = true};
    char key[40];
    for (int i = 0; i < 40; i++) {
        snprintf(key, sizeof(key), i % 3 ? "a/%02d" : "a/jane%02d@example.com", i);
        entries_put(i % 2 ? "n" : "m", key, "1", i % 5 ? -1 : 5, &few, NULL);
        entries_put(i % 2 ? "n" : "m", key, "2", i % 5 ? -1 : 5, &few, NULL);
    }
    entries_delete("n", "a/01");
    entries_now += 10000;
    entries_sweep();
}

static void list(const struct pii *pii, const char *prefix)
{
    struct error e;
    struct entry_page page = {.cursor = NULL};
    do {
        struct entry_query q = {
            .namespace_ = "n", .prefix = prefix, .cursor = page.cursor, .limit = 5, .pii = pii};
        if (entry_list(entries_reader, &entries_arena, &q, &page, &e))
            fail_msg("%s", e.what);
    } while (page.cursor);
}

static void read_all(void)
{
    struct error e;
    struct entry *rows;
    struct namespace_row *spaces;
    size_t count;
    const char *shown, *key, *name, *prefixes[] = {NULL, "a/", "a/jane"};
    struct permissions p;
    permissions_init(&p);
    struct guard_rules *rules = guard_rules_new(&p, &e);
    assert_non_null(rules);
    for (size_t i = 0; i < 3; i++) {
        list(NULL, prefixes[i]);
        list(guard_pii(rules), prefixes[i]);
    }
    struct guard guard = {.rules = rules, .agent = "ash"};
    assert_int_equal(
        entry_masked_key(entries_reader, &entries_arena, "n", "a/jane03@example.com", &shown, &e),
        0);
    entries_value("n", "a/05");
    entries_value("n", shown);
    assert_int_equal(
        entry_rows(entries_reader, &entries_arena, "n", "a/02", 5, 100, &rows, &count, &e), 0);
    assert_true(count > 0);
    assert_int_equal(namespace_list(entries_reader, &entries_arena, &spaces, &count, &e), 0);
    assert_true(entry_next_expiry(entries_reader, &e) >= 0);
    reader_guard(entries_reader, &guard);
    assert_int_equal(reader_begin(entries_reader, &e), 0);
    assert_int_equal(guard_key(entries_reader, &entries_arena, rows[0].node, &key, &shown, &e), 0);
    reader_end(entries_reader);
    reader_guard(entries_reader, NULL);
    assert_int_equal(entry_namespace(entries_reader, &entries_arena, rows[0].node, &name, &e), 0);
    assert_string_equal(name, "n");
    guard_rules_release(rules);
}

FIXTURE(setup, teardown);

TEST(reads_use_an_index)
{
    struct ways w = {0};
    fill();
    read_all();
    look(&w, reader_db(entries_reader));
    assert_true(w.searched >= 8);
}

static int look_at_writer(struct txn *t, void *arg, struct error *e)
{
    look(arg, txn_db(t));
    return 0;
}

TEST(writes_use_an_index)
{
    struct error e;
    struct ways w = {0};
    fill();
    if (store_run(entries_store, look_at_writer, &w, &e))
        fail_msg("%s", e.what);
    assert_true(w.searched >= 8);
}

/* ---- cost ---- */

#define MASKED 3000

static int put_masked(struct txn *t, void *arg, struct error *e)
{
    struct entry_done done;
    char key[40];
    for (int i = 0; i <= MASKED; i++) {
        AUTO_ARENA arena = ARENA_INIT;
        snprintf(key, sizeof(key), i ? "x.email.%d" : "x.eager", i);
        struct entry_put put = {
            .namespace_ = "n", .key = key, .value = "1", .value_len = 1, .ttl_seconds = -1};
        int result = entry_put(t, &entries_agent, &put, &arena, &done, e);
        if (result)
            return -1;
    }
    return 0;
}

/* VM steps of the page queries since the last call. */
static int page_steps(void)
{
    int steps = 0;
    sqlite3 *db = db_handle(reader_db(entries_reader));
    for (sqlite3_stmt *stmt = NULL; (stmt = sqlite3_next_stmt(db, stmt));)
        if (begins(sqlite3_sql(stmt), "SELECT key, memory, shown"))
            steps += sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 1);
    return steps;
}

static int64_t found(const struct pii *pii, const char *prefix)
{
    struct error e;
    struct entry_page page;
    struct entry_query q = {.namespace_ = "n", .prefix = prefix, .limit = 5, .pii = pii};
    if (entry_list(entries_reader, &entries_arena, &q, &page, &e))
        fail_msg("%s", e.what);
    assert_int_equal(page.count, page.total < 5 ? page.total : 5);
    return page.total;
}

TEST(masked_keys_are_not_scanned)
{
    struct error e;
    struct permissions p;
    permissions_init(&p);
    struct guard_rules *rules = guard_rules_new(&p, &e);
    assert_non_null(rules);
    if (store_run(entries_store, put_masked, NULL, &e))
        fail_msg("%s", e.what);
    assert_int_equal(found(guard_pii(rules), "x."), MASKED + 1);
    assert_int_equal(found(guard_pii(rules), "x.email"), 0);
    page_steps();
    assert_int_equal(found(guard_pii(rules), "x.email"), 0);
    assert_int_equal(found(guard_pii(rules), "x.e"), 1);
    assert_true(page_steps() < MASKED);
    assert_int_equal(found(NULL, "x.email"), MASKED);
    guard_rules_release(rules);
}
