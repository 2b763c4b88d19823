/* A bulk load is one transaction, and no committed state lacks an index. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "../support/scratch.h"
#include "../../store/bulk.h"
#include "../../store/schema.h"
#include "../../store/txn.h"

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

/* A job that names a ref; `fails`: and then fails. */
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

static void all_is_committed_at_the_end(void **state)
{
    (void)state;
    struct error e = {0};
    char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    struct bulk b;
    bulk_init(&b);
    assert_false(bulk_is_open(&b));
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    assert_true(bulk_is_open(&b));
    assert_int_equal(run_naming(&b, "a", false), ERROR_NONE);
    assert_int_equal(run_naming(&b, "b", true), ERROR_INVALID);
    assert_int_equal(run_naming(&b, "c", false), ERROR_NONE);
    assert_int_equal(memories(s), 0);
    assert_int_equal(indexes(s), 7);
    assert_int_equal(bulk_end(&b, &e), 0);
    assert_false(bulk_is_open(&b));
    assert_int_equal(memories(s), 2);
    assert_int_equal(indexes(s), 7);
    /* The writer goes on as if nothing had been. */
    scratch_put(s, "{\"ref\":\"raw:b\",\"text\":\"t\",\"derived_from\":[\"raw:a\"]}");
    assert_int_equal(memories(s), 3);
    bulk_release(&b);
    store_close(s);
    free(path);
}

static void a_store_that_holds_something_is_not_loaded(void **state)
{
    (void)state;
    struct error e = {0};
    char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    struct bulk b;
    bulk_init(&b);
    scratch_put(s, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    assert_false(bulk_is_open(&b));
    assert_int_equal(bulk_end(&b, &e), 0);
    bulk_release(&b);
    store_close(s);
    free(path);
}

static int lose(struct txn *t, void *arg, struct error *e)
{
    (void)arg;
    db_exec(txn_db(t), "ROLLBACK", e);
    return error_set(e, ERROR_STORE, "", "all was lost");
}

static void what_is_lost_is_said_and_nothing_stays(void **state)
{
    (void)state;
    struct error e = {0};
    char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    struct bulk b;
    bulk_init(&b);
    struct naming n = {"x", true, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, {0}};
    assert_int_equal(bulk_begin(&b, s, &e), 0);
    assert_int_equal(run_naming(&b, "a", false), ERROR_NONE);
    assert_int_equal(bulk_submit(&b, lose, answer, &n, &e), 0);
    assert_int_equal(bulk_end(&b, &e), -1);
    assert_string_equal(e.what, "all was lost");
    assert_true(n.answered);
    assert_int_equal(memories(s), 0);
    assert_int_equal(indexes(s), 7);
    scratch_put(s, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    assert_int_equal(memories(s), 1);
    bulk_release(&b);
    store_close(s);
    free(path);
}

/* ---- an index that somebody dropped ---- */

static int drop_all(struct txn *t, void *arg, struct error *e)
{
    (void)arg;
    return schema_drop_indexes(txn_db(t), e);
}

static void what_lacks_its_indexes_is_read_without(void **state)
{
    (void)state;
    static const char sql[] = "SELECT count(*) FROM (SELECT 1 FROM memory INDEXED BY memory_created"
                              " WHERE status < 7), memory INDEXED BY memory_text WHERE status < 7";
    struct error e = {0};
    char *path = scratch_path("bulk.db");
    struct store *s = scratch_store(path);
    scratch_put(s, "{\"ref\":\"raw:a\",\"text\":\"t\"}");
    scratch_put(s, "{\"ref\":\"raw:b\",\"text\":\"t\"}");
    assert_int_equal(store_run_alone(s, drop_all, NULL, &e), 0);
    struct reader *r = reader_open(s, &e);
    int64_t found;
    assert_int_equal(db_int(reader_db(r), &found, 0, &e, sql, ""), 0);
    assert_int_equal(found, 4);
    /* It is kept under the text that was asked for. */
    sqlite3_stmt *first = db_prepare(reader_db(r), sql, &e);
    assert_ptr_equal(first, db_prepare(reader_db(r), sql, &e));
    assert_null(db_prepare(reader_db(r), "SELECT 1 FROM nothing INDEXED BY memory_text", &e));
    reader_close(r);
    store_close(s);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_committed_at_the_end),
        cmocka_unit_test(a_store_that_holds_something_is_not_loaded),
        cmocka_unit_test(what_is_lost_is_said_and_nothing_stays),
        cmocka_unit_test(what_lacks_its_indexes_is_read_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
