/*
 * A bulk load is one transaction, and no committed state lacks an index. Links and the text index,
 * which it writes at the end, equal those of single writes.
 */
#include <pthread.h>
#include "model/base/alloc.h"
#include "tests/support/findings.h"
#include "tests/support/scratch.h"
#include "model/format/memory_json.h"
#include "store/record/load.h"
#include "store/db/schema.h"
#include "store/open.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/txn/txn.h"
#include "tests/support/test.h"

static int64_t count(struct store *s, const char *sql)
{
    int64_t value;
    struct error e = {0};
    struct reader *r = reader_open(s, &e);
    assert_non_null(r);
    assert_int_equal(db_int(reader_db(r), &value, 0, &e, sql, ""), 0);
    reader_close(r);
    return value;
}

static int64_t indexes(struct store *s)
{
    return count(s, "SELECT count(*) FROM sqlite_schema WHERE type = 'index'"
                    " AND sql LIKE 'CREATE INDEX%'");
}

static int64_t memories(struct store *s)
{
    return count(s, "SELECT count(*) FROM memory");
}

/* A job that names a ref, and fails if `fails`. */
struct naming {
    const char *id;
    bool fails;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool answered;
    struct error error;
};

static int name_ref(struct txn *t, void *arg, struct error *e)
{
    struct naming *n = arg;
    if (txn_ref(t, (struct ref){KIND_RAW, n->id}, true, e) <= 0)
        return -1;
    return n->fails ? error_set(e, ERROR_INVALID, "", "it was to fail") : 0;
}

static void answer(void *arg, const struct error *e)
{
    struct naming *n = arg;
    pthread_mutex_lock(&n->lock);
    n->error = *e;
    n->answered = true;
    pthread_cond_signal(&n->wake);
    pthread_mutex_unlock(&n->lock);
}

static enum error_code run_naming(struct bulk *b, const char *id, bool fails)
{
    struct naming n = {id, fails, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, {0}};
    struct error e = {0};
    assert_int_equal(bulk_submit(b, name_ref, answer, &n, &e), 0);
    pthread_mutex_lock(&n.lock);
    while (!n.answered)
        pthread_cond_wait(&n.wake, &n.lock);
    pthread_mutex_unlock(&n.lock);
    return n.error.code;
}

TEST(all_is_committed_at_the_end)
{
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    struct bulk b;
    int64_t all = indexes(s);
    bulk_init(&b);
    assert_false(bulk_is_open(&b));
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    assert_true(bulk_is_open(&b));
    assert_int_equal(run_naming(&b, "a", false), ERROR_NONE);
    assert_int_equal(run_naming(&b, "b", true), ERROR_INVALID);
    assert_int_equal(run_naming(&b, "c", false), ERROR_NONE);
    assert_int_equal(memories(s), 0);
    assert_int_equal(indexes(s), all);
    assert_int_equal(bulk_end(&b, &e), 0);
    assert_false(bulk_is_open(&b));
    assert_int_equal(memories(s), 2);
    assert_int_equal(indexes(s), all);
    /* The writer works on as before. */
    scratch_put(s, "{\"ref\":\"raw:b\",\"text\":\"t\",\"derived_from\":[\"raw:a\"]}");
    assert_int_equal(memories(s), 3);
    bulk_release(&b);
    store_close(s);
}

TEST(only_an_empty_store_is_bulk_loaded)
{
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    struct bulk b;
    bulk_init(&b);
    scratch_put(s, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    assert_false(bulk_is_open(&b));
    assert_int_equal(bulk_end(&b, &e), 0);
    bulk_release(&b);
    store_close(s);
}

static int lose(struct txn *t, void *arg, struct error *e)
{
    db_exec(txn_db(t), "ROLLBACK", e);
    return error_set(e, ERROR_STORE, "", "all was lost");
}

TEST(a_lost_load_is_reported_and_leaves_nothing)
{
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    struct bulk b;
    int64_t all = indexes(s);
    bulk_init(&b);
    struct naming n = {"x", true, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, {0}};
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    assert_int_equal(run_naming(&b, "a", false), ERROR_NONE);
    assert_int_equal(bulk_submit(&b, lose, answer, &n, &e), 0);
    assert_int_equal(bulk_end(&b, &e), -1);
    assert_string_equal(e.what, "all was lost");
    assert_true(n.answered);
    assert_int_equal(memories(s), 0);
    assert_int_equal(indexes(s), all);
    scratch_put(s, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    assert_int_equal(memories(s), 1);
    bulk_release(&b);
    store_close(s);
}

/* ---- deferred writes ---- */

/* A job that puts the lines in order, and fails if `fails`. */
struct putting {
    const char *const *lines;
    bool fails;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool answered;
    struct error error;
};

static int put_lines(struct txn *t, void *arg, struct error *e)
{
    const struct putting *p = arg;
    AUTO_ARENA arena = ARENA_INIT;
    int result = 0;
    for (const char *const *line = p->lines; *line && result == 0; line++) {
        struct memory m;
        result = memory_json_read(&m, &arena, *line, strlen(*line), "ash", SCRATCH_NOW, NULL, e);
        if (result == 0)
            result = txn_put(t, &scratch_actor, "add", NULL, &m, NULL, e);
    }
    return result == 0 && p->fails ? error_set(e, ERROR_INVALID, "", "it was to fail") : result;
}

static void lines_are_put(void *arg, const struct error *e)
{
    struct putting *p = arg;
    pthread_mutex_lock(&p->lock);
    p->error = *e;
    p->answered = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

static void run_lines(struct bulk *b, const char *const *lines, enum error_code expected)
{
    struct putting p = {
        lines, expected != ERROR_NONE, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false,
        {0}};
    struct error e = {0};
    assert_int_equal(bulk_submit(b, put_lines, lines_are_put, &p, &e), 0);
    pthread_mutex_lock(&p.lock);
    while (!p.answered)
        pthread_cond_wait(&p.wake, &p.lock);
    pthread_mutex_unlock(&p.lock);
    assert_int_equal(p.error.code, expected);
}

static const char *const names_what_comes[] = {
    "{\"ref\":\"belief:one\",\"text\":\"rests on what comes\",\"created_at\":5,\"justifications\":["
    "{\"role\":\"derived_from\",\"reading\":\"all\",\"recorded\":\"recorded\",\"at\":5,"
    "\"reason\":\"told so\",\"antecedents\":[{\"ref\":\"raw:late\"},{\"ref\":\"raw:never\"}]},"
    "{\"role\":\"evidence\",\"reading\":\"any\",\"recorded\":\"recorded\",\"at\":5,"
    "\"antecedents\":[]}]}",
    "{\"ref\":\"belief:two\",\"text\":\"replaces\",\"created_at\":6,\"relations\":[{\"type\":"
    "\"supersedes\",\"to\":\"belief:one\",\"at\":6}],\"derived_from\":[\"belief:two\",\"raw:late\"]"
    "}",
    NULL};
static const char *const is_undone[] = {"{\"ref\":\"raw:late\",\"text\":\"undone qqu\"}",
                                        "{\"ref\":\"note:undone\",\"text\":\"more of "
                                        "them\",\"derived_from\":[\"raw:never\",\"raw:gone\"]}",
                                        NULL};
static const char *const comes_late[] = {
    "{\"ref\":\"note:between\",\"created_at\":8,\"text\":\"takes the row of what was undone\","
    "\"derived_from\":[\"belief:one\"]}",
    "{\"ref\":\"raw:late\",\"text\":\"came late qql\",\"created_at\":7}",
    "{\"ref\":\"note:last\",\"created_at\":8,\"text\":\"of "
    "both\",\"derived_from\":[\"raw:late\",\"raw:never\"]}",
    NULL};
static const char *const *const all_that_stays[] = {names_what_comes, comes_late};

/* The store has the same memories and links as one that was filled one by one. */
static void assert_same_as_put_singly(struct store *s)
{
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("singly.db");
    struct store *singly = scratch_store(path);
    struct reader *r = reader_open(s, &e);
    for (size_t i = 0; i < 2; i++)
        for (const char *const *line = all_that_stays[i]; *line; line++) {
            AUTO_FREE char *put = scratch_line(singly, scratch_put(singly, *line));
            struct ref ref;
            char name[64];
            assert_int_equal(sscanf(put, "{\"ref\":\"%63[^\"]", name), 1);
            assert_int_equal(ref_parse(name, &ref), REF_MEMORY);
            int64_t node = ref_find(reader_db(r), ref, &e);
            assert_true(node > 0);
            AUTO_FREE char *loaded = scratch_line(s, node);
            assert_string_equal(loaded, put);
        }
    reader_close(r);
    store_close(singly);
}

/* Words of three characters, since the index stores no positions. */
static int64_t found(struct store *s, const char *words)
{
    int64_t value;
    struct error e = {0};
    struct reader *r = reader_open(s, &e);
    assert_int_equal(db_int(reader_db(r), &value, 0, &e,
                            "SELECT count(*) FROM memory_fts WHERE memory_fts MATCH ?", "s", words),
                     0);
    reader_close(r);
    return value;
}

static void load_all(struct store *s)
{
    struct error e = {0};
    struct bulk b;
    bulk_init(&b);
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    run_lines(&b, names_what_comes, ERROR_NONE);
    run_lines(&b, is_undone, ERROR_INVALID);
    run_lines(&b, comes_late, ERROR_NONE);
    assert_int_equal(bulk_end(&b, &e), 0);
    bulk_release(&b);
}

TEST(a_bulk_load_equals_single_writes)
{
    AUTO_FREE char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    load_all(s);
    assert_int_equal(memories(s), 6);
    assert_int_equal(count(s, "SELECT count(*) FROM memory WHERE status = 7"), 1);
    assert_int_equal(count(s, "SELECT count(*) FROM link"), 9);
    assert_int_equal(count(s, "SELECT count(*) FROM memory INDEXED BY memory_ref"), 6);
    assert_same_as_put_singly(s);
    assert_int_equal(found(s, "qqu"), 0);
    assert_int_equal(found(s, "qql"), 1);
    /* The same writer continues, with the new index. */
    scratch_put(s, "{\"ref\":\"raw:never\",\"text\":\"came after all qqa\"}");
    scratch_replace(s, "{\"ref\":\"raw:late\",\"text\":\"said anew\",\"created_at\":7}", NULL);
    assert_int_equal(found(s, "qql"), 0);
    assert_int_equal(found(s, "qqa"), 1);
    store_close(s);
    assert_int_equal(findings_of(path).total, 0);
}

static int use_index(struct txn *t, void *arg, struct error *e)
{
    return db_exec(txn_db(t),
                   "INSERT INTO memory_fts(rowid, text) VALUES (1, 'stray'), (2, 'stray too');"
                   "INSERT INTO memory_fts(memory_fts, rowid, text) VALUES ('delete', 1, 'stray')",
                   e);
}

/* The writer must forget what it cached of a replaced index. */
TEST(a_used_index_is_replaced)
{
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    for (int i = 0; i < 3; i++)
        assert_int_equal(store_run(s, use_index, NULL, &e), 0);
    load_all(s);
    scratch_put(s, "{\"ref\":\"raw:more\",\"text\":\"more of it qqm\"}");
    assert_int_equal(found(s, "qqm"), 1);
    assert_int_equal(found(s, "qql"), 1);
    store_close(s);
    assert_int_equal(findings_of(path).total, 0);
}

TEST(existing_memories_are_not_added_again)
{
    static const char *const twice[] = {"{\"ref\":\"raw:a\",\"text\":\"t\"}",
                                        "{\"ref\":\"raw:a\",\"text\":\"u\"}", NULL};
    static const char *const named_first[] = {
        "{\"ref\":\"note:a\",\"text\":\"t\",\"derived_from\":[\"raw:a\"]}",
        "{\"ref\":\"raw:a\",\"text\":\"t\"}", "{\"ref\":\"raw:a\",\"text\":\"u\"}", NULL};
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    struct bulk b;
    bulk_init(&b);
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    run_lines(&b, twice, ERROR_CONFLICT);
    run_lines(&b, named_first, ERROR_CONFLICT);
    assert_int_equal(bulk_end(&b, &e), 0);
    assert_int_equal(memories(s), 0);
    bulk_release(&b);
    store_close(s);
}

/* ---- deleting ---- */

static int read_secure(struct txn *t, void *arg, struct error *e)
{
    return db_int(txn_db(t), arg, -1, e, "PRAGMA secure_delete", "");
}

static int64_t secure(struct store *s)
{
    struct error e = {0};
    int64_t value = -1;
    assert_int_equal(store_run(s, read_secure, &value, &e), 0);
    return value;
}

TEST(secure_delete_is_restored)
{
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    struct naming n = {"x", true, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, {0}};
    struct bulk b;
    bulk_init(&b);
    assert_int_equal(secure(s), 1);
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    assert_int_equal(bulk_submit(&b, lose, answer, &n, &e), 0);
    assert_int_equal(bulk_end(&b, &e), -1);
    assert_int_equal(secure(s), 1);
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    run_lines(&b, names_what_comes, ERROR_NONE);
    assert_int_equal(bulk_end(&b, &e), 0);
    assert_int_equal(secure(s), 1);
    bulk_release(&b);
    store_close(s);
}

/* ---- dropped indexes ---- */

static int drop_all(struct txn *t, void *arg, struct error *e)
{
    return schema_drop_indexes(txn_db(t), e);
}

TEST(missing_indexes_do_not_prevent_reading)
{
    static const char sql[] =
        "SELECT count(*) FROM (SELECT 1 FROM memory INDEXED BY memory_created"
        " WHERE status <> 7), memory INDEXED BY memory_text WHERE status <> 7";
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    scratch_put(s, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    scratch_put(s, "{\"ref\":\"raw:b\",\"text\":\"t\"}");
    assert_int_equal(store_run_alone(s, drop_all, NULL, &e), 0);
    struct reader *r = reader_open(s, &e);
    int64_t found;
    assert_int_equal(db_int(reader_db(r), &found, 0, &e, sql, ""), 0);
    assert_int_equal(found, 4);
    /* by the text that was requested */
    sqlite3_stmt *first = db_prepare(reader_db(r), sql, &e);
    assert_ptr_equal(first, db_prepare(reader_db(r), sql, &e));
    assert_null(db_prepare(reader_db(r), "SELECT 1 FROM nothing INDEXED BY memory_text", &e));
    reader_close(r);
    store_close(s);
}
