/* Sessions of those of whom nothing is known but what they say: what a person decided holds when they come again. */
#include "tests/support/scratch.h"

#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/session/session.h"
#include "store/session/session_held.h"
#include "tests/support/findings.h"
#include "tests/support/has.h"

static const struct session_start bob = {
    .client = "host",
    .client_version = "1",
    .era = "2026-07-28",
    .transport = "http",
    .agent = "bob",
    .task = "T8",
    .peer_uid = -1,
    .peer_pid = -1,
};

struct place {
    char *path;
    struct store *store;
    struct call_log *log;
    struct reader *reader;
    struct arena arena;
};

/* A process that serves begins. */
static void serve(struct place *p)
{
    struct error e;
    p->store = scratch_store(p->path);
    p->log = call_log_open(p->store);
    p->reader = reader_open(p->store, &e);
    assert_non_null(p->log);
    assert_non_null(p->reader);
}

/* It ends in good order. */
static void stop(struct place *p)
{
    call_log_close(p->log);
    reader_close(p->reader);
    store_close(p->store);
    struct findings found = findings_of(p->path);
    if (found.total)
        fail_msg("%s", found.text);
}

static void open_place(struct place *p)
{
    *p = (struct place){.path = scratch_path("return.db")};
    serve(p);
}

static void close_place(struct place *p)
{
    stop(p);
    arena_release(&p->arena);
    free(p->path);
}

static int nothing(struct txn *t, void *arg, struct error *e)
{
    (void)t;
    (void)arg;
    (void)e;
    return 0;
}

/* Until all of it is in the store. */
static void flush(struct place *p)
{
    struct error e;
    for (int i = 0; i < 2; i++) {
        call_log_flush(p->log);
        assert_int_equal(store_run(p->store, nothing, NULL, &e), 0);
    }
    call_log_flush(p->log);
}

static struct session *come(struct place *p, const struct session_start *start)
{
    struct session *s = session_return(p->log, p->reader, start);
    session_note(s, &(struct call_note){.tool = "memory_list", .at = store_now(p->store)});
    return s;
}

static struct session_row row_of(struct place *p, const char *uuid)
{
    struct error e;
    struct session_row row;
    if (session_find(p->reader, &p->arena, uuid, &row, &e))
        fail_msg("%s", e.what);
    return row;
}

static void decide(struct place *p, const char *uuid, bool read_only)
{
    struct error e;
    if (store_session_read_only(p->store, &scratch_actor, row_of(p, uuid).id, read_only, &e))
        fail_msg("%s", e.what);
}

static void end(struct place *p, const char *uuid)
{
    struct error e;
    if (store_session_end(p->store, &scratch_actor, row_of(p, uuid).id, &e))
        fail_msg("%s", e.what);
}

static int admit(struct txn *t, void *arg, struct error *e)
{
    int64_t row;
    return session_admit(t, arg, &row, e);
}

static bool may_write(struct place *p, struct session *s)
{
    struct error e;
    return store_run(p->store, admit, s, &e) == 0;
}

static void name_of(const struct session *s, char uuid[37])
{
    snprintf(uuid, 37, "%s", session_uuid(s));
}

/* ---- read-only ---- */

static void read_only_outlives_the_process(void **state)
{
    (void)state;
    struct place p;
    char uuid[37];
    open_place(&p);
    struct session *s = come(&p, &bob);
    name_of(s, uuid);
    flush(&p);
    decide(&p, uuid, true);
    stop(&p);
    serve(&p);
    struct session_row row = row_of(&p, uuid);
    assert_false(row.lives);
    assert_true(row.away);
    assert_string_equal(row.ended_by, "server");
    struct session_start later = bob;
    later.task = "T9";
    s = come(&p, &later);
    assert_string_equal(session_uuid(s), uuid);
    assert_true(session_is_read_only(s));
    assert_false(session_is_ended(s));
    assert_false(may_write(&p, s));
    flush(&p);
    row = row_of(&p, uuid);
    assert_true(row.lives);
    assert_true(row.read_only);
    assert_false(row.away);
    assert_null(row.ended_by);
    assert_int_equal(row.ended_at, 0);
    assert_int_equal(row.calls, 2);
    assert_int_equal(row.latency.count, 2);
    assert_string_equal(row.task, "T9");
    decide(&p, uuid, false);
    assert_true(may_write(&p, s));
    close_place(&p);
}

static void another_is_not_meant(void **state)
{
    (void)state;
    static const struct session_start others[] = {
        {"host", "1", "2026-07-28", "http", "ash", NULL, -1, -1},
        {"host", "1", "2026-07-28", "http", NULL, NULL, -1, -1},
        {"host", "2", "2026-07-28", "http", "bob", NULL, -1, -1},
        {"host", NULL, "2026-07-28", "http", "bob", NULL, -1, -1},
        {NULL, NULL, "2026-07-28", "http", "bob", NULL, -1, -1},
        {"host", "1", "2026-07-28", "http", "bob", NULL, 1000, -1},
        {"host", "1", "2026-07-28", "http", "bob", NULL, -1, 4711},
        {"host", "1", "2025-11-25", "http", "bob", NULL, -1, -1},
        {"host", "1", "2026-07-28", "stdio", "bob", NULL, -1, -1},
    };
    struct place p;
    open_place(&p);
    struct session *s = come(&p, &bob);
    flush(&p);
    decide(&p, session_uuid(s), true);
    session_end(s, ENDED_BY_SERVER);
    flush(&p);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(session_is_read_only(come(&p, &others[i])));
    assert_true(session_is_read_only(come(&p, &bob)));
    close_place(&p);
}

/* Its end may be in no row yet, or on its way there; it was none. */
static void who_comes_back_at_once_goes_on(void **state)
{
    (void)state;
    struct place p;
    char uuid[37];
    open_place(&p);
    struct session *s = come(&p, &bob);
    name_of(s, uuid);
    flush(&p);
    decide(&p, uuid, true);
    for (int i = 0; i < 4; i++) {
        session_end(s, ENDED_BY_SERVER);
        if (i % 2)
            call_log_flush(p.log);
        assert_ptr_equal(come(&p, &bob), s);
        assert_true(session_is_read_only(s));
        if (i > 1)
            flush(&p);
        assert_false(may_write(&p, s));
        assert_false(session_is_ended(s));
    }
    flush(&p);
    assert_true(row_of(&p, uuid).lives);
    assert_int_equal(row_of(&p, uuid).calls, 5);
    end(&p, uuid);
    assert_false(may_write(&p, s));
    assert_true(session_is_ended(s));
    close_place(&p);
}

static void one_that_is_away_may_be_let_write(void **state)
{
    (void)state;
    struct place p;
    struct error e;
    char uuid[37];
    open_place(&p);
    struct session *s = come(&p, &bob);
    name_of(s, uuid);
    flush(&p);
    decide(&p, uuid, true);
    session_end(s, ENDED_BY_SERVER);
    flush(&p);
    int64_t id = row_of(&p, uuid).id;
    assert_int_equal(store_session_end(p.store, &scratch_actor, id, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    decide(&p, uuid, false);
    assert_false(row_of(&p, uuid).away);
    assert_int_equal(store_session_read_only(p.store, &scratch_actor, id, true, &e), -1);
    assert_int_equal(e.code, ERROR_CONFLICT);
    s = come(&p, &bob);
    assert_string_not_equal(session_uuid(s), uuid);
    assert_true(may_write(&p, s));
    close_place(&p);
}

/* One that listens at another port, or the one before that is about to end. */
static void another_process_may_serve_it_still(void **state)
{
    (void)state;
    struct place first, second;
    char uuid[37];
    open_place(&first);
    struct session *s = come(&first, &bob);
    name_of(s, uuid);
    flush(&first);
    decide(&first, uuid, true);
    second = (struct place){.path = first.path};
    serve(&second);
    s = come(&second, &bob);
    assert_string_equal(session_uuid(s), uuid);
    assert_false(may_write(&second, s));
    flush(&second);
    stop(&first);
    assert_false(may_write(&second, s));
    assert_true(session_is_read_only(s));
    assert_false(session_is_ended(s));
    session_note(s, &(struct call_note){.tool = "memory_list", .at = store_now(second.store)});
    flush(&second);
    assert_true(row_of(&second, uuid).lives);
    decide(&second, uuid, false);
    assert_true(may_write(&second, s));
    end(&second, uuid);
    assert_false(may_write(&second, s));
    assert_true(session_is_ended(s));
    close_place(&second);
    arena_release(&first.arena);
}

/* ---- ended ---- */

static void an_end_holds_for_its_time(void **state)
{
    (void)state;
    struct place p;
    char uuid[37];
    open_place(&p);
    struct session *s = come(&p, &bob);
    name_of(s, uuid);
    flush(&p);
    end(&p, uuid);
    session_end(s, ENDED_BY_SERVER);
    assert_ptr_equal(come(&p, &bob), s);
    assert_true(session_is_ended(s));
    stop(&p);
    serve(&p);
    s = come(&p, &bob);
    assert_string_equal(session_uuid(s), uuid);
    assert_true(session_is_ended(s));
    assert_in_range(session_ended_ago(s), 1, SESSION_REFUSED_MS - 1);
    flush(&p);
    assert_string_equal(row_of(&p, uuid).ended_by, scratch_actor.name);
    session_end(s, ENDED_BY_SERVER);
    flush(&p);
    for (int64_t from = store_now(p.store); store_now(p.store) - from < SESSION_REFUSED_MS;)
        ;
    s = come(&p, &bob);
    assert_string_not_equal(session_uuid(s), uuid);
    assert_true(may_write(&p, s));
    close_place(&p);
}

/* ---- what it costs ---- */

/* In the index are those alone about which somebody decided. */
static void it_is_found_by_an_index(void **state)
{
    (void)state;
    struct place p;
    struct error e;
    open_place(&p);
    struct db *db = reader_db(p.reader);
    sqlite3_stmt *stmt =
        db_prepare(db,
                   "EXPLAIN QUERY PLAN SELECT id FROM session INDEXED BY session_decided"
                   " WHERE client IS ? AND agent IS ? AND (" SESSION_HELD ") ORDER BY id DESC",
                   &e);
    assert_non_null(stmt);
    assert_int_equal(db_step(db, stmt, &e), 1);
    assert_has((const char *)sqlite3_column_text(stmt, 3),
               "SEARCH session USING INDEX session_decided (client=? AND agent=?)");
    assert_int_equal(db_step(db, stmt, &e), 0);
    sqlite3_reset(stmt);
    close_place(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_only_outlives_the_process),
        cmocka_unit_test(another_is_not_meant),
        cmocka_unit_test(who_comes_back_at_once_goes_on),
        cmocka_unit_test(one_that_is_away_may_be_let_write),
        cmocka_unit_test(another_process_may_serve_it_still),
        cmocka_unit_test(an_end_holds_for_its_time),
        cmocka_unit_test(it_is_found_by_an_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
